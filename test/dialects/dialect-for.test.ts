import { readFileSync } from 'node:fs'
import { isDeepStrictEqual } from 'node:util'
import { createParser, foldEvents, isExecutable, parse, render } from 'sluice'
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

const AFFIXES = [
  'openrouter/acme/MODEL',
  'hf.co/bartowski/acme_MODEL',
  'accounts/fireworks/models/MODEL',
  './models/MODEL/',
  'C:\\models\\MODEL',
  ' MODEL ',
  'MODEL:free',
  'MODEL:nitro',
  'MODEL:cloud',
  'MODEL@groq',
  'MODEL@q4_k_m',
  'MODEL@qwen-cloud',
  'MODEL-GGUF',
  'MODEL-GGUF:Q4_K_M',
  'MODEL-UD-Q4_K_XL.gguf',
  'MODEL.i1-IQ2_XXS.gguf',
  'MODEL-q8_0',
  'MODEL-AWQ',
  'MODEL-GPTQ-Int4',
  'MODEL-fp8',
  'MODEL-FP8-dynamic',
  'MODEL-NVFP4',
  'MODEL-quantized.w4a16',
  'MODEL-bnb-4bit',
  'MODEL-MLX-8bit',
  'MODEL-4bit-DWQ',
  'MODEL-2-bit',
  'MODEL-6.5bpw-exl2',
  'MODEL-4bit-gs64',
  'MODEL-20250101',
  'MODEL-2025-08-07',
  'MODEL:latest',
  'MODEL-7b',
  'MODEL-0.5b',
]

/** What comes last in a path. */
const base = (model: string): string => model.split('/').at(-1)!

function found(model: string) {
  try {
    const { family, dialect, start = 'unknown' } = dialectFor(model)
    return { family, dialect: dialect.name, start }
  } catch (error) {
    return (error as Error).message
  }
}

describe('the name of a model', () => {
  test.each(KNOWN)('$model', ({ model, ...expected }) => {
    expect(found(model)).toEqual(expected)
  })

  test.each(UNKNOWN)('that belongs to no family: $model', ({ model }) => {
    expect(() => dialectFor(model)).toThrow(expect.objectContaining({ code: 'unknown-model' }))
  })

  test.each(AFFIXES)('means the same with what a host or a file puts around it: %s', (affixed) => {
    const isPrefixed = !affixed.startsWith('MODEL')
    const read = KNOWN.filter(({ model }) => !model.endsWith('.gguf')).map(({ model, ...expected }) => {
      const affixedModel = affixed.replace('MODEL', isPrefixed ? base(model) : model)
      return { model: affixedModel, expected, found: found(affixedModel) }
    })
    expect(read.length).toBeGreaterThan(200)
    expect(read.filter(({ expected, found }) => !isDeepStrictEqual(expected, found))).toEqual([])
  })

  test('of each family is among those that are tried', () => {
    const tried = new Set(KNOWN.map(({ family }) => family))
    expect(FAMILIES.map(({ name }) => name).filter((name) => !tried.has(name))).toEqual([])
  })

  test.each([
    ['Qwn2.5-8B', 'Qwen2.5 (hermes)'],
    ['qwen2:7b', 'Qwen2.5 (hermes), Qwen3 (hermes), Qwen3-Coder (qwen3-coder)'],
    ['google/gemma-2-9b-it', 'Gemma 4 (gemma4), Gemma 3 (prompted)'],
    ['HuggingFaceTB/SmolLM2-1.7B', 'SmolLM3 (hermes)'],
    ['hermess-3-8b', 'Hermes 3 (hermes), Hermes 4 (hermes), Hermes 2 Theta 70B (json-tools-openai)'],
  ])('that is unknown gets what comes near: %s', (model, near) => {
    expect(() => dialectFor(model)).toThrow(
      `The model '${model}' is not known. Similar names belong to ${near}. If you know its dialect, pass that. allDialects of`,
    )
  })

  test.each(['llava:13b', 'yi-34b', 'codellama:34b', 'bloom', 'my-fine-tune', 'qwen-9000', 'falcon-40b', ''])(
    'that is unknown gets no name that is far: %j',
    (model) => {
      expect(() => dialectFor(model)).toThrow(
        `The model '${model}' is not known. If you know its dialect, pass that. allDialects of 'sluice/dialects' lists the dialects; detectDialect of 'sluice/templates' finds one by the model's chat template, and detect() by what the model writes.`,
      )
    },
  )

  test('whose API sends calls as data is answered with how to read it', () => {
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

  test('begins where nobody knows, if the template was not read; if it is off, in text', () => {
    const start = (thinking?: boolean) =>
      dialectFor('deepcogito/cogito-v2-preview-deepseek-671B-MoE', thinking === undefined ? {} : { thinking })
        .start
    expect([start(), start(true), start(false)]).toEqual(['text', undefined, 'text'])
    expect(dialectFor('moonshotai/Kimi-K2.5').start).toBe(undefined)
    expect(dialectFor('moonshotai/Kimi-K2.5', { thinking: false }).start).toBe('text')
  })

  test.each([
    ['MiniMaxAI/MiniMax-M3', 'text', 'reasoning'],
    ['openbmb/MiniCPM5-8B', 'text', 'reasoning'],
    ['RekaAI/reka-edge', 'text', 'reasoning'],
    ['speakleash/Bielik-11B-v3.0-Instruct', 'text', 'reasoning'],
    ['poolside/Laguna-XS', 'text', 'reasoning'],
    ['poolside/Laguna-S-2.1', 'reasoning', 'reasoning'],
  ])('of %s is opened by the template only if it is asked for', (model, usual, wanted) => {
    expect(dialectFor(model).start).toBe(usual)
    expect(dialectFor(model, { thinking: true }).start).toBe(wanted)
    expect(dialectFor(model, { thinking: false }).start).toBe('text')
  })

  test('may have begun a response whose beginning is not known: a call before its closer does not run', () => {
    const { dialect, start } = dialectFor('moonshotai/Kimi-K2.5')
    const call =
      '<|tool_calls_section_begin|><|tool_call_begin|>functions.rm:0<|tool_call_argument_begin|>{}<|tool_call_end|><|tool_calls_section_end|>'
    const [thought] = parse(`I could ${call} but no.</think>Hi`, { dialect, start }).toolCalls
    expect(thought && isExecutable(thought)).toBe(false)
    const [meant] = parse(call, { dialect, start }).toolCalls
    expect(meant && isExecutable(meant)).toBe(true)
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
