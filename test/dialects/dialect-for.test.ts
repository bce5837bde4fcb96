import { readFileSync } from 'node:fs'
import { createParser, foldEvents, render } from 'sluice'
import { dialectFor } from 'sluice/dialects'
import { describe, expect, test } from 'vitest'
import { FAMILIES } from '../../src/dialects/families.ts'

interface Line {
  readonly model: string
  readonly family?: string
  readonly dialect?: string
  readonly start?: string
}

const LINES = readFileSync(new URL('models.jsonl', import.meta.url), 'utf8')
  .trim()
  .split('\n')
  .map((line) => JSON.parse(line) as Line)
const KNOWN = LINES.filter(({ family }) => family !== undefined)
const UNKNOWN = LINES.filter(({ family }) => family === undefined)

describe('the name of a model', () => {
  test.each(KNOWN)('$model', ({ model, ...expected }) => {
    const { family, dialect, start } = dialectFor(model)
    expect({ family, dialect: dialect.name, start }).toEqual(expected)
  })

  test.each(UNKNOWN)('that belongs to no family: $model', ({ model }) => {
    expect(() => dialectFor(model)).toThrow(expect.objectContaining({ code: 'unknown-model' }))
  })

  test('of each family is among those that are tried', () => {
    const tried = new Set(KNOWN.map(({ family }) => family))
    expect(FAMILIES.map(({ name }) => name).filter((name) => !tried.has(name))).toEqual([])
  })

  test('that is unknown gets what comes near', () => {
    expect(() => dialectFor('google/gemma-2-9b-it')).toThrow(
      "The model 'google/gemma-2-9b-it' is not known. Similar names belong to Gemma 4 (gemma4). If you know its dialect, pass that; allDialects of 'sluice/dialects' lists them all.",
    )
    expect(() => dialectFor('Qwn2.5-8B')).toThrow(
      'Similar names belong to Qwen3-Coder (qwen3-coder), Qwen3.5 (qwen3-coder), Qwen3 Thinking (hermes).',
    )
    expect(() => dialectFor('gpt-4o')).toThrow(
      "The API of 'gpt-4o' sends calls as data, not as text: read its stream with readProvider of 'sluice/providers', without a dialect.",
    )
  })

  test('has to be text', () => {
    expect(() => dialectFor(undefined as never)).toThrow(expect.objectContaining({ code: 'invalid-option' }))
  })

  test('may be long', () => {
    expect(() => dialectFor('-'.repeat(1_000_000))).toThrow(
      expect.objectContaining({ code: 'unknown-model' }),
    )
  })
})

describe('reasoning', () => {
  test('is as the template has it, unless the request says otherwise', () => {
    const start = (thinking?: boolean) =>
      dialectFor('deepseek-ai/DeepSeek-V3.1', thinking === undefined ? {} : { thinking }).start
    expect([start(), start(true), start(false)]).toEqual(['text', 'reasoning', 'text'])
  })

  test('cannot be switched where a model always or never does it', () => {
    expect(dialectFor('deepseek-r1', { thinking: false }).start).toBe('reasoning')
    expect(dialectFor('qwen3-coder', { thinking: true }).start).toBe('text')
  })

  const thinking = FAMILIES.filter((family) => family.thinking !== 'never')
  test.each(thinking)('of $name is read, from where the response begins', ({ name }) => {
    const { model } = KNOWN.find(({ family }) => family === name)!
    const { dialect, start, reasoning } = dialectFor(model, { thinking: true })
    expect(reasoning).toBe(dialect.reasoning)
    const written = render(
      [
        { type: 'reasoning', text: 'Look first.' },
        { type: 'text', text: 'Done.' },
      ],
      { dialect },
    )
    // What the template has written already is not in the response.
    const response = start === 'reasoning' ? written.slice(written.indexOf('Look')) : written
    const parser = createParser({ dialect, start })
    const message = foldEvents([...parser.push(response), ...parser.end()])
    expect([message.reasoning.trim(), message.text.trim()]).toEqual(['Look first.', 'Done.'])
  })
})
