import { describe, expect, test } from 'vitest'
import { functionaryV32 } from '../../src/dialects/functionary-v32.ts'
import { hermes } from '../../src/dialects/hermes.ts'
import { qwen3Coder } from '../../src/dialects/qwen3-coder.ts'
import { accepts, callGrammar, toGbnf, toStructuralTag } from '../../src/grammar/index.ts'
import { parse } from '../../src/message.ts'
import { render } from '../../src/render.ts'
import { GRAMMAR_TOOLS, MESSAGES, problemOfPrompts, problemOfWalks } from './laws.ts'

const weather = (toolName: string) =>
  render([{ type: 'call', toolName, input: { city: 'Paris', days: 2 } }], { dialect: hermes })

describe('callGrammar', () => {
  test.each([
    ['auto', true, true, true],
    ['required', true, true, false],
    ['none', false, false, true],
    [{ toolName: 'get_weather' }, true, false, false],
    [{ toolName: 'ping' }, false, false, false],
  ] as const)('with %j allows one call: %s, two: %s, text: %s', (toolChoice, one, two, text) => {
    const grammar = callGrammar({ dialect: hermes, tools: GRAMMAR_TOOLS, toolChoice })
    const call = weather('get_weather')
    expect([call, `${call}\n${call}`, 'Hello.'].map((written) => accepts(grammar, written))).toEqual([
      one,
      two,
      text,
    ])
  })

  test('refuses a call of another tool', () => {
    const grammar = callGrammar({ dialect: hermes, tools: GRAMMAR_TOOLS })
    expect(accepts(grammar, weather('rm'))).toBe(false)
  })

  test.each([
    [{ type: 'string', pattern: '^x' }, '/properties/a/pattern'],
    [{ type: 'string', minLength: 2 }, '/properties/a/minLength'],
    [{ type: 'integer', minimum: 0 }, '/properties/a/minimum'],
    [{ type: 'number', multipleOf: 0.5 }, '/properties/a/multipleOf'],
    [{ type: 'array', items: { type: 'string', maxLength: 3 } }, '/properties/a/items/maxLength'],
    [{ type: 'array', items: { type: 'null' }, uniqueItems: true }, '/properties/a/uniqueItems'],
    [{ type: 'array' }, '/properties/a/items'],
    [{ type: 'object', properties: {}, minProperties: 1 }, '/properties/a/minProperties'],
    [{ type: 'object', properties: { 'b/c': { not: {} } } }, '/properties/a/properties/b~1c'],
    [{ type: 'object', additionalProperties: { type: 'string' } }, '/properties/a'],
    [{ anyOf: [{ type: 'null' }, { type: 'string', pattern: 'x' }] }, '/properties/a/anyOf/1/pattern'],
    [{ oneOf: [{ type: 'string' }, { type: 'string' }] }, '/properties/a/oneOf'],
    [{ $ref: '#/$defs/positive' }, '/properties/a/exclusiveMinimum'],
    [true, '/properties/a'],
    [{}, '/properties/a'],
  ])('refuses %j in a schema, with its pointer', (a, pointer) => {
    const $defs = { positive: { type: 'number', exclusiveMinimum: 0 } }
    const inputSchema = { type: 'object', $defs, properties: { a } }
    const dialects = pointer === '/properties/a/pattern' ? [hermes, qwen3Coder] : [hermes]
    for (const dialect of dialects)
      expect(() => callGrammar({ dialect, tools: [{ name: 'f', inputSchema }] })).toThrow(
        expect.objectContaining({
          code: 'unsupported-schema',
          message: expect.stringContaining(`(at ${pointer})`),
        }),
      )
  })

  test('begins inside a marker where the prompt ends in one', () => {
    const options = { dialect: functionaryV32, tools: GRAMMAR_TOOLS, toolChoice: 'required' } as const
    const grammar = callGrammar({ ...options, prompt: '>>>' })
    const rest = 'get_weather\n{"city":"Paris"}'
    expect([rest, `>>>${rest}`, `${rest}x`].map((text) => accepts(grammar, text))).toEqual([
      true,
      false,
      false,
    ])
    expect(parse(rest, { dialect: functionaryV32, tools: GRAMMAR_TOOLS }).toolCalls).toMatchObject([
      { toolName: 'get_weather', status: 'complete' },
    ])
    expect(toStructuralTag(grammar).format.type).toBe('grammar')
  })

  test('goes on wherever the prompt ends', () => {
    const grammar = callGrammar({ dialect: qwen3Coder, tools: GRAMMAR_TOOLS, toolChoice: 'required' })
    const text = render(MESSAGES[0]!, { dialect: qwen3Coder, tools: GRAMMAR_TOOLS })
    expect(problemOfPrompts(grammar, text, 25)).toBeUndefined()
  })

  test('refuses a prompt that begins no response', () => {
    const options = {
      dialect: hermes,
      tools: GRAMMAR_TOOLS,
      toolChoice: 'required',
      reasoning: false,
    } as const
    expect(() => callGrammar({ ...options, prompt: '<tool_call>\n[' })).toThrow(
      `No response that the grammar allows begins with the 'prompt' "<tool_call>\\n[".`,
    )
  })

  test('reads its own random walks as complete calls that fit', () => {
    expect(problemOfWalks(hermes, { toolChoice: 'required' }, 10)).toBeUndefined()
    expect(problemOfWalks(qwen3Coder, {}, 10)).toBeUndefined()
  })

  test('is printed as GBNF with one rule for all calls', () => {
    const grammar = callGrammar({
      dialect: hermes,
      tools: GRAMMAR_TOOLS,
      toolChoice: 'required',
      reasoning: false,
    })
    expect(toGbnf(grammar)).toMatch(/^root ::= call \("\\n" call\)\*\n/)
  })
})
