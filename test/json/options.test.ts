import { describe, expect, test } from 'vitest'
import { SluiceError } from '../../src/errors.ts'
import { createJsonParser, type JsonParserOptions, safeParse, watchObject } from '../../src/json/index.ts'

describe('Wrong use of JSON', () => {
  test.each([
    [
      { modus: 'strict' },
      "There is no option 'modus'; there are mode, duplicateKeys, stringClose, nonFinite, unwrapStringified, limits, onEvent.",
    ],
    [{ mode: 'lax' }, `'mode' is 'strict' or 'tolerant', not "lax".`],
    [{ nonFinite: 0 }, "'nonFinite' is 'string', 'null', 'number' or 'error', not 0."],
    [{ unwrapStringified: 'yes' }, `'unwrapStringified' takes a boolean, not "yes".`],
    [{ limits: 5 }, "'limits' takes an object, not 5."],
    [
      { limits: { deep: 5 } },
      "There is no limit 'deep'; there are depth, keyLength, keysPerObject, numberLength, stringLength, bareLength, repairs, totalLength.",
    ],
    [{ limits: { depth: '5' } }, "The limit 'depth' must be a number of at least 0, not 5."],
  ])('%j is told at once', (options, message) => {
    const wrong = options as JsonParserOptions
    const error = expect.objectContaining({ code: 'invalid-option', message })
    expect(() => createJsonParser(wrong)).toThrow(SluiceError)
    expect(() => createJsonParser(wrong)).toThrow(error)
    expect(() => safeParse('{}', wrong)).toThrow(error)
    expect(() => watchObject('{}', undefined, wrong)).toThrow(error)
  })

  test('an option that is not set is no option', () => {
    const options = { mode: undefined, limits: { depth: undefined } } as unknown as JsonParserOptions
    expect(
      createJsonParser(options)
        .push('[1]')
        .map(({ type }) => type),
    ).toEqual(['open', 'value', 'value'])
  })

  test('bytes are not text', () => {
    const bytes = new Uint8Array([0x5b, 0x5d]) as unknown as string
    const error = expect.objectContaining({ code: 'invalid-source' })
    expect(() => createJsonParser().push(bytes)).toThrow(error)
    expect(() => safeParse(bytes)).toThrow(error)
  })
})
