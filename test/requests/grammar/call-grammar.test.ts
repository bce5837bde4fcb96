import { describe, expect, test } from 'vitest'
import { functionaryV32 } from '../../../src/dialects/functionary-v32.ts'
import { hermes } from '../../../src/dialects/hermes.ts'
import { qwen3Coder } from '../../../src/dialects/qwen3-coder.ts'
import { yamlXml } from '../../../src/dialects/yaml/index.ts'
import { parse } from '../../../src/engine/message.ts'
import { render } from '../../../src/engine/render.ts'
import { accepts, callGrammar, toGbnf, toStructuralTag } from '../../../src/requests/grammar/index.ts'
import { GRAMMAR_TOOLS, LIMITED_TOOLS, MESSAGES, problemOfPrompts, problemOfWalks } from './laws.ts'

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
    [{ type: 'string', minLength: 3, maxLength: 2 }, '/properties/a/maxLength'],
    [{ type: 'string', maxLength: 100_000 }, '/properties/a/maxLength'],
    [{ type: 'integer', minimum: 3, maximum: 2 }, '/properties/a'],
    [{ type: 'integer', multipleOf: 5 }, '/properties/a/multipleOf'],
    [{ type: 'number', minimum: 0.5 }, '/properties/a/minimum'],
    [{ type: 'number', maximum: 9 }, '/properties/a/maximum'],
    [{ type: 'array', items: { type: 'string', pattern: 'x' } }, '/properties/a/items/pattern'],
    [{ type: 'array', items: { type: 'null' }, uniqueItems: true }, '/properties/a/uniqueItems'],
    [{ type: 'array', items: { type: 'null' }, contains: {} }, '/properties/a/contains'],
    [{ type: 'array', items: { type: 'null' }, unevaluatedItems: false }, '/properties/a/unevaluatedItems'],
    [{ type: 'array' }, '/properties/a/items'],
    [{ type: 'array', items: true }, '/properties/a/items'],
    [{ type: 'array', prefixItems: [{ type: 'null' }], maxItems: 0 }, '/properties/a/maxItems'],
    [{ type: 'array', prefixItems: [{ type: 'null' }], minItems: 2 }, '/properties/a/minItems'],
    [{ type: 'object', properties: {}, minProperties: 1 }, '/properties/a/minProperties'],
    [{ type: 'object', properties: {}, maxProperties: 1 }, '/properties/a/maxProperties'],
    [{ type: 'object', properties: {}, patternProperties: {} }, '/properties/a/patternProperties'],
    [{ type: 'object', properties: {}, propertyNames: {} }, '/properties/a/propertyNames'],
    [{ type: 'object', properties: {}, dependentRequired: {} }, '/properties/a/dependentRequired'],
    [{ type: 'object', properties: {}, dependentSchemas: {} }, '/properties/a/dependentSchemas'],
    [{ type: 'object', properties: {}, unevaluatedProperties: false }, '/properties/a/unevaluatedProperties'],
    [{ type: 'object', properties: {}, required: ['b'] }, '/properties/a/required'],
    [{ type: 'object', properties: { 'b/c': { not: {} } } }, '/properties/a/properties/b~1c/not'],
    [{ type: 'object', additionalProperties: { type: 'string' } }, '/properties/a'],
    [{ anyOf: [{ type: 'null' }, { type: 'string', pattern: 'x' }] }, '/properties/a/anyOf/1/pattern'],
    [{ oneOf: [{ type: 'string' }, { type: 'string' }] }, '/properties/a/oneOf'],
    [{ oneOf: [{ type: 'integer' }, { const: 2 }] }, '/properties/a/oneOf'],
    [{ if: {}, else: {} }, '/properties/a/if'],
    [{ enum: [] }, '/properties/a'],
    [{ type: 'string', const: 1 }, '/properties/a'],
    [{ type: 'any' }, '/properties/a/type'],
    [{ $ref: '#/$defs/half' }, '/properties/a/multipleOf'],
    [{ $ref: '#/$defs/missing' }, '/properties/a/$ref'],
    [{ $ref: '#/$defs/itself' }, '/properties/a/$ref'],
    [{ $dynamicRef: '#x' }, '/properties/a/$dynamicRef'],
    [true, '/properties/a'],
    [false, '/properties/a'],
    [{}, '/properties/a'],
  ])('refuses %j in a schema, with its pointer', (a, pointer) => {
    const $defs = { half: { type: 'number', multipleOf: 0.5 }, itself: { $ref: '#/$defs/itself' } }
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

  test.each([
    [{ type: 'string', minLength: 2, maxLength: 3 }, ['ab', '"\n😀'], ['a', 'abcd']],
    [{ type: 'string', minLength: 1 }, ['a', 'abcd'], ['']],
    [{ type: 'integer', minimum: 7, maximum: 120 }, [7, 9, 10, 99, 100, 120], [6, 121, -7, 0, 1000]],
    [{ type: 'integer', exclusiveMinimum: -31, exclusiveMaximum: 5 }, [-30, -1, 0, 4], [-31, 5, -300]],
    [{ type: 'integer', minimum: 0 }, [0, 5, 123456], [-1]],
    [{ type: 'number', minimum: 0 }, [0, 0.5, 12], [-0.5]],
    [
      { type: 'array', prefixItems: [{ type: 'string' }, { type: 'null' }] },
      [['a', null]],
      [['a'], [null, null]],
    ],
    [
      { type: 'array', prefixItems: [{ type: 'null' }], items: { type: 'integer' }, maxItems: 2 },
      [[null], [null, 1]],
      [[], [null, 1, 2]],
    ],
    [{ type: 'array', maxItems: 0 }, [[]], [[1]]],
    [{ enum: [1, 'a', null, true, { x: [2] }] }, [1, 'a', null, true, { x: [2] }], [2, 'b', false]],
    [{ type: 'integer', enum: [1, 2, 'x'], minimum: 2 }, [2], [1, 'x']],
    [{ oneOf: [{ const: 'a' }, { type: 'integer' }] }, ['a', 4], ['b']],
    [{ allOf: [{ type: 'string' }, { maxLength: 1 }] }, ['a'], ['ab']],
    [{ type: ['string', 'null'], maxLength: 1 }, ['a', null], ['ab']],
    [{ type: 'string', nullable: true, 'x-order': 1, title: 'A' }, ['a', null], [1]],
    [{ $ref: '#/$defs/tree' }, [{ v: 1, kids: [{ v: 2 }] }], [{ kids: [] }]],
  ])('holds %j', (a, allowed, refused) => {
    const tree = {
      type: 'object',
      properties: { v: { type: 'integer' }, kids: { type: 'array', items: { $ref: '#/$defs/tree' } } },
      required: ['v'],
    }
    const inputSchema = { type: 'object', $defs: { tree }, properties: { a }, required: ['a'] }
    const grammar = callGrammar({
      dialect: hermes,
      tools: [{ name: 'f', inputSchema }],
      toolChoice: 'required',
    })
    const isAllowed = (value: unknown) =>
      accepts(grammar, `<tool_call>\n${JSON.stringify({ name: 'f', arguments: { a: value } })}\n</tool_call>`)
    expect([...allowed, ...refused].filter(isAllowed)).toEqual(allowed)
  })

  test.each([
    [
      'number',
      [
        '0',
        '-1.5',
        '123456789012345',
        '-0.12345678901234',
        '12.3456789012345',
        '6.02214076e23',
        '1E-199',
        '1e14',
      ],
      [
        '0.123456789012345',
        '1234567890123456',
        '9119990e9',
        '1e15',
        '1e20',
        '1e200',
        '01',
        '1.',
        '1.0123456789e30',
      ],
    ],
    ['integer', ['0', '-123456789012345'], ['9119990e9', '1e3', '1.0', '1234567890123456', '-0']],
  ] as const)('holds a %s only if no digit of it can be lost', (type, allowed, refused) => {
    const inputSchema = { type: 'object', properties: { a: { type } }, required: ['a'] }
    const tools = [{ name: 'f', inputSchema }]
    const grammar = callGrammar({ dialect: hermes, tools, toolChoice: 'required' })
    const isAllowed = (number: string) =>
      accepts(grammar, `<tool_call>\n{"name":"f","arguments":{"a":${number}}}\n</tool_call>`)
    expect([...allowed, ...refused].filter(isAllowed)).toEqual(allowed)
  })

  test('holds the values of YAML in JSON', () => {
    const grammar = callGrammar({ dialect: yamlXml, tools: GRAMMAR_TOOLS, toolChoice: 'required' })
    const cityOf = (written: string) => `<get_weather>\ncity: ${written}\n</get_weather>`
    const allowed = ['"Paris"', '"a \\"b\\": #c\\n\\u0000"', '"12"', '""', '"ince"']
    const refused = ['"a"b"', 'Paris', 'Quince\n  ', '"\\0Q', '|-\n  \n  ', '12', '"</get_weather>"']
    expect([...allowed, ...refused].filter((written) => accepts(grammar, cityOf(written)))).toEqual(allowed)
    expect(toGbnf(grammar)).not.toContain('uince')
    expect(problemOfWalks(yamlXml, {}, 30)).toBeUndefined()
    expect(problemOfWalks(yamlXml, { toolChoice: 'required' }, 30, LIMITED_TOOLS)).toBeUndefined()
  })

  test('says that a name cannot be written', () => {
    const tools = [{ name: 'a<b>', inputSchema: { type: 'object', properties: {} } }]
    expect(() => callGrammar({ dialect: qwen3Coder, tools })).toThrow(
      "The tool 'a<b>': the dialect cannot write its name; rename the tool.",
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

  test('is not a dialect', () => {
    for (const use of [toGbnf, toStructuralTag, accepts] as ((grammar: never, text: string) => unknown)[])
      expect(() => use(hermes as never, '')).toThrow(
        `${use.name} takes a grammar; make one with callGrammar({ dialect, tools }).`,
      )
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
