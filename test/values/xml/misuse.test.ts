import { describe, expect, it } from 'vitest'
import {
  decodeEntities,
  EntityDecoder,
  escapeAttribute,
  escapeText,
  readElements,
  readValue,
  TagReader,
} from '../../../src/values/xml/index.ts'

describe('what is no text is refused by', () => {
  const readers: [name: string, read: (text: string) => unknown][] = [
    ['readValue', (text) => readValue(text)],
    ['readElements', (text) => readElements(text)],
    ['decodeEntities', decodeEntities],
    ['EntityDecoder', (text) => new EntityDecoder().push(text)],
    ['escapeText', escapeText],
    ['escapeAttribute', escapeAttribute],
  ]
  it.each(readers)('%s', (_, read) => {
    for (const text of [undefined, null, 5, ['<a>']])
      expect(() => read(text as never)).toThrow(expect.objectContaining({ code: 'invalid-source' }))
  })

  it('readValue, in a sentence', () => {
    expect(() => readValue(undefined as never)).toThrow('Elements are read from text, not undefined.')
  })
})

it('a tag ends with something', () => {
  for (const close of ['', 5])
    expect(() => new TagReader({ limit: 100, close } as never)).toThrow(
      expect.objectContaining({ code: 'invalid-option' }),
    )
})

it.each([[undefined], [{}], [{ limit: Number.NaN }], [{ limit: -1 }]])(
  'a tag has a limit, unlike %j',
  (options) => {
    expect(() => new TagReader(options as never)).toThrow(expect.objectContaining({ code: 'invalid-option' }))
  },
)
