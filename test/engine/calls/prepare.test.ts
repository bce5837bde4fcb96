import { describe, expect, expectTypeOf, it, test } from 'vitest'
import { z } from 'zod'
import type { JsonValue, ToolCall } from '../../../src/base/event.ts'
import { hermes, qwen3Coder } from '../../../src/dialects/index.ts'
import {
  checkInputNow,
  type PreparedCall,
  prepareCall,
  prepareInStep,
} from '../../../src/engine/calls/prepare.ts'
import { createToolTable } from '../../../src/engine/calls/tools.ts'
import { parse } from '../../../src/engine/message.ts'
import { createParser } from '../../../src/engine/parser.ts'
import type { StandardResult, StandardSchemaV1 } from '../../../src/values/schema/standard.ts'

const forecast = {
  name: 'forecast',
  inputSchema: {
    type: 'object',
    properties: { city: { type: 'string', minLength: 1 }, days: { type: 'integer', maximum: 14 } },
    required: ['city'],
    additionalProperties: false,
  },
} as const

const tools = [forecast, { name: 'now' }] as const

const call = (fields: Partial<ToolCall> = {}): ToolCall => ({
  type: 'tool-call',
  id: 'call-1',
  toolName: 'forecast',
  input: { city: 'Paris' },
  status: 'complete',
  repairs: [],
  ...fields,
})

/** A schema that only its own library can read. */
const standard = <Output>(validate: (value: unknown) => unknown): StandardSchemaV1<unknown, Output> => ({
  '~standard': {
    version: 1,
    vendor: 'test',
    validate: validate as () => StandardResult<Output>,
  },
})

/** Not every library has the promises of the platform. */
function thenable(result: unknown): object {
  // biome-ignore lint/suspicious/noThenProperty: that is what is tested
  return { then: (take: (result: unknown) => void) => take(result) }
}

describe('a call that may run', () => {
  it('comes with its input', async () => {
    expect(await prepareCall(call(), tools)).toEqual({
      ok: true,
      toolName: 'forecast',
      input: { city: 'Paris' },
      changes: [],
    })
  })

  it('comes with the types that its schema wants, and says what was converted', async () => {
    expect(await prepareCall(call({ input: { city: 'Paris', days: '2' } }), tools)).toEqual({
      ok: true,
      toolName: 'forecast',
      input: { city: 'Paris', days: 2 },
      changes: [{ path: '/days', from: '2', to: 2 }],
    })
  })

  it('may have any input where its tool has no schema', async () => {
    expect(await prepareCall(call({ toolName: 'now', input: { zone: 'CET' } }), tools)).toMatchObject({
      ok: true,
      input: { zone: 'CET' },
    })
  })

  it('comes with what the library of its schema made of it', async () => {
    const schema = z.object({
      at: z.string().transform((text) => new Date(text)),
      days: z.number().default(3),
    })
    const prepared = await prepareCall(call({ input: { at: '2024-05-06' } }), {
      forecast: { inputSchema: schema },
    })
    expect(prepared).toMatchObject({ ok: true, input: { at: new Date('2024-05-06'), days: 3 } })
  })

  it('is converted before the library of its schema looks at it', async () => {
    const schema = z.object({ days: z.number(), dry: z.boolean() })
    const prepared = await prepareCall(call({ input: { days: '2', dry: 'true' } }), {
      forecast: { inputSchema: schema },
    })
    expect(prepared).toMatchObject({ ok: true, input: { days: 2, dry: true } })
  })

  it('is converted although JSON Schema has no type for another field', async () => {
    const tools = { plan: { inputSchema: z.object({ n: z.number(), when: z.date().optional() }) } }
    const text = '<tool_call>\n<function=plan>\n<parameter=n>\n2\n</parameter>\n</function>\n</tool_call>'
    const [read] = parse(text, { dialect: qwen3Coder, tools }).toolCalls
    expect(read).toMatchObject({ status: 'complete', input: { n: 2 } })
    expect(await prepareCall(read!, tools)).toMatchObject({ ok: true, input: { n: 2 } })
    expect(await prepareCall(call({ toolName: 'plan', input: { n: 2, when: 'soon' } }), tools)).toMatchObject(
      {
        ok: false,
      },
    )
  })

  it('waits for a schema that answers later', async () => {
    const inputSchema = z.object({
      city: z.string().refine(async (city) => city === 'Paris', 'is not known'),
    })
    const prepare = (city: string) => prepareCall(call({ input: { city } }), { forecast: { inputSchema } })
    expect(await prepare('Paris')).toMatchObject({ ok: true, input: { city: 'Paris' } })
    expect(await prepare('Atlantis')).toMatchObject({
      ok: false,
      message:
        'The argument `city` is not valid: is not known. It was not run. Send the whole call again with this put right.',
    })
  })
})

describe('a call that must not run', () => {
  const lossless = { code: 'trailing-comma', class: 'lossless', offset: 1 } as const
  const guess = { code: 'bare-string', class: 'guess', offset: 1 } as const

  test.each<[what: string, call: ToolCall, message: string]>([
    [
      'was cut off',
      call({ status: 'truncated', raw: '<tool_call>{"name"' }),
      'The call of `forecast` was cut off: it ends at "<tool_call>{\\"name\\"". It was not run. Send the whole call again, with less text before it.',
    ],
    [
      'had to be guessed',
      call({ status: 'repaired', repairs: [lossless, guess] }),
      'The call of `forecast` was not written correctly, and what it means had to be guessed (bare-string). It was not run. Send the whole call again with every string in quotes.',
    ],
    ['is run by its provider', call({ providerExecuted: true }), 'The provider runs `forecast` itself.'],
    [
      'has no input',
      call({ input: null }),
      'The call of `forecast` has no input. It was not run. Send the whole call again with this put right.',
    ],
    [
      'is of an unknown tool',
      call({ toolName: 'rm' }),
      'There is no tool `rm`. The tools are `forecast` and `now`. It was not run. Call a tool that exists.',
    ],
    [
      'is of a tool that every object has',
      call({ toolName: 'constructor' }),
      'There is no tool `constructor`. The tools are `forecast` and `now`. It was not run. Call a tool that exists.',
    ],
  ])('because it %s is refused before its input is looked at', async (_, subject, message) => {
    expect(await prepareCall(subject, tools)).toEqual({ ok: false, issues: [], message })
  })

  it('because it had to be guessed may run where guesses are accepted', async () => {
    const subject = call({ status: 'repaired', repairs: [guess] })
    expect(await prepareCall(subject, tools, { allow: ['guess'] })).toMatchObject({ ok: true })
  })

  test.each<[what: string, input: JsonValue, issues: [path: string, keyword: string][]]>([
    ['lacks an argument', {}, [['', 'required']]],
    ['has one too many', { city: 'Paris', force: true }, [['/force', 'additionalProperties']]],
    ['has one of another type', { city: 'Paris', days: 'two' }, [['/days', 'type']]],
    [
      'has values out of range',
      { city: '', days: 15 },
      [
        ['/city', 'minLength'],
        ['/days', 'maximum'],
      ],
    ],
    ['is no object', 'Paris', [['', 'type']]],
  ])('because its input %s is refused with what its schema finds', async (_, input, issues) => {
    const prepared = await prepareCall(call({ input }), tools)
    expect(prepared.ok).toBe(false)
    if (!prepared.ok)
      expect(prepared.issues).toMatchObject(issues.map(([path, keyword]) => ({ path, keyword })))
  })

  test.each<[what: string, validate: () => unknown, message: string]>([
    ['names no issue', () => ({ issues: [] }), 'it does not match the schema'],
    [
      'throws',
      () => {
        throw new Error('no connection')
      },
      'it could not be checked (no connection)',
    ],
    ['fails later', async () => Promise.reject(new Error('too late')), 'it could not be checked (too late)'],
    [
      'answers with a promise of its own',
      () => thenable({ issues: [{ message: 'it is wrong' }] }),
      'it is wrong',
    ],
  ])('because its schema %s is refused', async (_, validate, message) => {
    const prepared = await prepareCall(call(), { forecast: { inputSchema: standard(validate) } })
    expect(prepared).toMatchObject({ ok: false, issues: [{ message }] })
  })
})

test.each([
  ['with a schema', tools],
  ['without one', { forecast: {} }],
] as const)('a call that may run comes with an input of its own, %s', async (_, given) => {
  const subject = call({ input: { city: 'Paris' } })
  const prepared = await prepareCall(subject, given as typeof tools)
  if (!prepared.ok) throw new Error(prepared.message)
  ;(prepared.input as { city: string }).city = 'Rome'
  expect(subject.input).toEqual({ city: 'Paris' })
})

test('an option that there is not is an error', async () => {
  const options = { alow: ['guess'] } as never
  for (const toolName of ['forecast', 'now', 'rm'])
    await expect(prepareCall(call({ toolName }), tools, options)).rejects.toThrow("There is no option 'alow'")
})

test('an input that is no plain data reaches a tool that accepts anything', async () => {
  const input = { at: new Date(0) } as never
  expect(await prepareCall(call({ input }), { forecast: {} })).toMatchObject({ ok: true, input })
})

test.each([
  [['integer', 'string'], '; write it in quotes.'],
  ['integer', 'may lose digits.'],
])(
  'an integer in a list of %j that may have lost digits is refused with advice for its items',
  async (type, advice) => {
    const inputSchema = { properties: { ids: { type: 'array', items: { type } } } }
    const prepared = await prepareCall(call({ input: { ids: [2 ** 60] } }), { forecast: { inputSchema } })
    expect(prepared).toMatchObject({ ok: false, message: expect.stringContaining(advice) })
  },
)

describe('null for an argument', () => {
  const schema = {
    properties: {
      city: { type: 'string' },
      limit: { type: 'integer' },
      unit: { enum: ['c', 'f'] },
      near: { type: ['string', 'null'] },
      any: {},
      at: { properties: { x: { type: 'integer' } } },
    },
    required: ['city'],
  } as const
  const prepare = (input: JsonValue) => prepareCall(call({ input }), { forecast: { inputSchema: schema } })

  test('that is optional and cannot be null is left out, and listed', async () => {
    expect(await prepare({ city: 'Paris', limit: null, unit: null })).toEqual({
      ok: true,
      toolName: 'forecast',
      input: { city: 'Paris' },
      changes: [
        { path: '/limit', from: null },
        { path: '/unit', from: null },
      ],
    })
  })

  test('that may be null stays', async () => {
    const input = { city: 'Paris', near: null, any: null, other: null, at: null }
    expect(await prepare(input)).toMatchObject({ ok: true, input, changes: [] })
    expect(await prepare({ ...input, limit: null })).toMatchObject({ ok: true, input })
  })

  test('that is required is refused', async () => {
    expect(await prepare({ city: null })).toMatchObject({
      ok: false,
      issues: [{ path: '/city', keyword: 'type' }],
    })
  })

  test('lets the default of a library be used', async () => {
    const inputSchema = z.object({ days: z.number().default(3), city: z.string().optional() })
    expect(
      await prepareCall(call({ input: { days: null, city: null } }), { forecast: { inputSchema } }),
    ).toMatchObject({
      ok: true,
      input: { days: 3 },
    })
  })
})

describe('a format', () => {
  const tools = {
    forecast: { inputSchema: { properties: { on: { format: 'date' }, colour: { format: 'colour' } } } },
  } as const
  const subject = call({ input: { on: 'tomorrow', colour: 'x' } })

  test('is ignored by default', async () => {
    expect(await prepareCall(subject, tools)).toMatchObject({ ok: true })
  })

  test('is checked where that is asked for', async () => {
    const unknown: string[] = []
    const onUnknownFormat = (format: string, path: string) => unknown.push(`${path} ${format}`)
    expect(await prepareCall(subject, tools, { format: 'check', onUnknownFormat })).toMatchObject({
      ok: false,
      issues: [{ path: '/on', keyword: 'format' }],
      message:
        "The argument `on` is not valid: must be of the format 'date'. It was not run. Send the whole call again with this put right.",
    })
    expect(unknown).toEqual(['/colour colour'])
  })
})

describe('a pattern that cannot be run', () => {
  const inputSchema = { properties: { city: { pattern: '(' } } } as const

  test('is an error for whoever defines the tool', async () => {
    await expect(prepareCall(call(), { forecast: { inputSchema } })).rejects.toThrow(
      expect.objectContaining({
        code: 'invalid-schema',
        message:
          "The schema of the tool 'forecast' cannot be checked, because of /properties/city/pattern. The pattern ( is not a regular expression.",
      }),
    )
  })

  test('is no business of a schema whose library runs it', async () => {
    const library = z.object({ city: z.string().regex(/^(?<![a-z])(?:P|\cA).*$/) })
    expect(await prepareCall(call(), { forecast: { inputSchema: library } })).toMatchObject({ ok: true })
  })

  test('is why a call is refused where somebody else defined the tool', () => {
    expect(prepareInStep(call(), createToolTable({ forecast: { inputSchema } }), {})).toMatchObject({
      ok: false,
      message:
        'The argument `city` is not valid: cannot be checked: The pattern ( is not a regular expression. It was not run. Send the whole call again with this put right.',
    })
  })
})

test('a call of a tool with a pattern that looks ahead is refused by it', async () => {
  const tools = { run: { inputSchema: { properties: { command: { pattern: '^(?!rm)' } } } } } as const
  const prepare = (command: string) => prepareCall(call({ toolName: 'run', input: { command } }), tools)
  expect(await prepare('ls')).toMatchObject({ ok: true })
  expect(await prepare('rm -r /')).toMatchObject({ ok: false, issues: [{ keyword: 'pattern' }] })
})

test.each([
  [
    'an integer',
    hermes,
    { type: 'integer' },
    '<tool_call>{"name": "rm", "arguments": {"id": 9007199254740993}}</tool_call>',
  ],
  [
    'a list of integers',
    qwen3Coder,
    { type: 'array', items: { type: 'integer' } },
    '<tool_call><function=rm><parameter=id>[9007199254740993]</parameter></function></tool_call>',
  ],
  [
    'a number',
    hermes,
    { type: 'number' },
    '<tool_call>{"name": "rm", "arguments": {"id": 9007199254740993}}</tool_call>',
  ],
  [
    'anything',
    hermes,
    {},
    '<tool_call>{"name": "rm", "arguments": {"id": {"of": [1, -12345678901234567890]}}}</tool_call>',
  ],
  [
    'a list of numbers that is written as text',
    hermes,
    { type: 'array', items: { type: 'number' } },
    '<tool_call>{"name": "rm", "arguments": {"id": "[9007199254740993]"}}</tool_call>',
  ],
])('an integer that a number cannot hold never runs as another one: %s', async (_, dialect, id, text) => {
  const tools = [{ name: 'rm', inputSchema: { type: 'object', properties: { id } } }]
  const prepared = await prepareCall(parse(text, { dialect, tools }).toolCalls[0]!, tools)
  expect(prepared.ok).toBe(false)
})

describe('an integer beyond 2^53', () => {
  const callWith = (id: string) =>
    parse(`<tool_call>{"name": "rm", "arguments": {"at": {"id": ${id}}}}</tool_call>`, { dialect: hermes })
      .toolCalls[0]!
  const REFUSED = {
    ok: false,
    issues: [{ path: '/at/id' }],
    message:
      'The argument `at.id` is not valid: must be from -9007199254740991 to 9007199254740991, because a larger integer may lose digits; write it in quotes. It was not run. Send the whole call again with this put right.',
  }

  test.each([
    ['without a schema', {}],
    ['with a schema that answers later', { inputSchema: standard(async (value) => ({ value })) }],
  ])('is refused %s', async (_, tool) => {
    expect(await prepareCall(callWith('9007199254740993'), { rm: tool })).toMatchObject(REFUSED)
    expect(await prepareCall(callWith('-9007199254740993'), { rm: tool })).toMatchObject(REFUSED)
  })

  test('is refused for a number, and told the range', async () => {
    const tools = { rm: { inputSchema: z.object({ at: z.object({ id: z.number() }) }) } }
    expect(await prepareCall(callWith('9007199254740993'), tools)).toMatchObject({
      ok: false,
      message:
        'The argument `at.id` is not valid: must be from -9007199254740991 to 9007199254740991, because a larger integer may lose digits. It was not run. Send the whole call again with this put right.',
    })
  })

  test.each<[what: string, schema: object, first: string, again: string, id: unknown]>([
    ['a number in its range', { type: 'integer' }, '9007199254740993', '9007199254740991', 9007199254740991],
    ['quotes', { type: ['integer', 'string'] }, '9007199254740993', '"9007199254740993"', '9007199254740993'],
    ['quotes, without a schema', {}, '9007199254740993', '"9007199254740993"', '9007199254740993'],
    ['fewer digits', { type: 'number' }, '19.99999999999999999999', '19.9999999999999', 19.9999999999999],
    ['zero', { type: 'number' }, '1e-400', '0', 0],
  ])('is refused with advice that works: %s', async (_, id, first, again, expected) => {
    const tools = { rm: { inputSchema: { properties: { at: { properties: { id } } } } } }
    expect(await prepareCall(callWith(first), tools)).toMatchObject({ ok: false })
    expect(await prepareCall(callWith(again), tools)).toMatchObject({
      ok: true,
      input: { at: { id: expected } },
    })
  })

  test.each<[what: string, schema: object, written: string, id: unknown]>([
    ['an integer', { type: 'integer' }, '9007199254740993', 9007199254740993n],
    ['a negative one', { type: 'integer' }, '-9007199254740993', -9007199254740993n],
    ['one that a number could hold', { type: 'integer' }, '1e18', 1000000000000000000n],
    ['a number', { type: 'number' }, '12345678901234567890', 12345678901234567890n],
    ['one in quotes', { type: 'integer' }, '"9007199254740993"', 9007199254740993n],
    ['one within bounds', { type: 'integer', maximum: 9e30 }, '9007199254740993', 9007199254740993n],
    ['a small one', { type: 'integer' }, '5', 5],
  ])('reaches a tool that takes bigints: %s', async (_, id, written, expected) => {
    const tools = { rm: { bigint: true, inputSchema: { properties: { at: { properties: { id } } } } } }
    expect(await prepareCall(callWith(written), tools)).toMatchObject({
      ok: true,
      input: { at: { id: expected } },
    })
  })

  test.each<[what: string, type: string, written: string, expected: unknown]>([
    ['a list', 'array', '"[9007199254740993, 1.0]"', [9007199254740993n, 1]],
    ['an object', 'object', '"{\\"a\\": [1e18]}"', { a: [1000000000000000000n] }],
    ['an integer with an exponent', 'integer', '"1e18"', 1000000000000000000n],
    ['the first integer beyond', 'integer', '"9007199254740992"', 9007199254740992n],
  ])('reaches a tool that takes bigints from %s in quotes', async (_, type, written, expected) => {
    const tools = {
      rm: { bigint: true, inputSchema: { properties: { at: { properties: { id: { type } } } } } },
    }
    expect(await prepareCall(callWith(written), tools)).toMatchObject({
      ok: true,
      input: { at: { id: expected } },
    })
  })

  test.each<[written: string, schema: object, isRight: boolean]>([
    ['9007199254740992', { const: 9007199254740992 }, true],
    ['1e18', { enum: ['all', 1e18] }, true],
    ['9007199254740993', { const: 9007199254740992 }, false],
    ['9007199254740993', { enum: [1, 9007199254740992] }, false],
  ])('is compared with the values that a schema lists: %s with %j', async (written, id, isRight) => {
    const tools = { rm: { bigint: true, inputSchema: { properties: { at: { properties: { id } } } } } }
    expect(await prepareCall(callWith(written), tools)).toMatchObject({ ok: isRight })
  })

  test('reaches a library that takes bigints', async () => {
    const inputSchema = z.object({ at: z.object({ id: z.coerce.bigint() }) })
    const prepared = await prepareCall(callWith('9007199254740993'), { rm: { inputSchema, bigint: true } })
    expect(prepared).toMatchObject({ ok: true, input: { at: { id: 9007199254740993n } } })
  })

  test.each<[written: string, schema: object]>([
    ['19.99999999999999999999', { type: 'integer' }],
    ['9007199254740993.5', { type: 'integer' }],
    ['9007199254740993', { type: 'integer', maximum: 9007199254740992 }],
    ['9007199254740993', { type: 'string', maxLength: 3 }],
  ])('is no way around a schema, for a tool that takes bigints: %s', async (written, id) => {
    const tools = { rm: { bigint: true, inputSchema: { properties: { at: { properties: { id } } } } } }
    expect(await prepareCall(callWith(written), tools)).toMatchObject({ ok: false })
  })

  test('that is written where text is wanted is that text, exactly', async () => {
    const tools = { rm: { inputSchema: { properties: { at: { properties: { id: { type: 'string' } } } } } } }
    expect(await prepareCall(callWith('9007199254740993'), tools)).toMatchObject({
      ok: true,
      input: { at: { id: '9007199254740993' } },
    })
  })

  test('is complete on the wire, with all of its digits', () => {
    const parser = createParser({ dialect: hermes, emit: { json: true } })
    const text = '<tool_call>{"name": "rm", "arguments": {"id": 9007199254740993}}</tool_call>'
    const events = [...parser.push(text), ...parser.end()]
    expect(events.find(({ type }) => type === 'tool-call')).toMatchObject({ status: 'complete' })
    const json = events.flatMap((event) => (event.type === 'tool-input-delta' ? event.delta : [])).join('')
    expect(json).toBe('{"id": 9007199254740993}')
  })

  test.each(['10000000000000001', '340282366920938463463374607431768211455', '100000000000000000001'])(
    'would be another one: %s',
    async (id) => {
      expect(await prepareCall(callWith(id), { rm: {} })).toMatchObject(REFUSED)
    },
  )

  test.each(['[9007199254740993]', '[9007199254740993,]', "{'a': 9007199254740993}"])(
    'in %s, whose type the schema gives, keeps all of its digits',
    (id) => {
      const tools = [{ name: 'rm', inputSchema: { properties: { id: { type: ['array', 'object'] } } } }]
      const text = `<tool_call><function=rm><parameter=id>${id}</parameter></function></tool_call>`
      const [call] = parse(text, { dialect: qwen3Coder, tools }).toolCalls
      expect(call?.inputText).toMatch(/^{"id":[[{].*9007199254740993[\]}]}$/)
      expect(call?.inputText).not.toContain('"9')
      expect(id).toContain('9007199254740993')
    },
  )

  test.each([
    ['9007199254740991', 9007199254740991],
    ['6.02214076e23', 6.02214076e23],
    ['-5.972e24', -5.972e24],
    ['1e300', 1e300],
    ['1.234567891e300', 1.234567891e300],
    ['0.12345678901234568', 0.12345678901234568],
    ['0.10000000000000001', 0.1],
    ['1e20', 1e20],
    ['1.0', 1],
    ['100000000000000000000', 1e20],
    ['"9007199254740993"', '9007199254740993'],
  ])('is not what %s is', async (written, id) => {
    expect(await prepareCall(callWith(written), { rm: {} })).toMatchObject({
      ok: true,
      input: { at: { id } },
    })
  })

  test('is no problem for a tool that gets the JSON text', () => {
    const written = { input: { id: 9007199254740992 }, inputText: '{"id":9007199254740993}' }
    expect(checkInputNow(written, { name: 'rm' }).issues).toHaveLength(1)
    expect(checkInputNow(written, { name: 'rm' }, true).issues).toEqual([])
  })

  test('is an `integer` with an exponent, where a number can hold it', async () => {
    const tools = { rm: { inputSchema: { properties: { at: { properties: { id: { type: 'integer' } } } } } } }
    expect(await prepareCall(callWith('1e18'), tools)).toMatchObject({
      ok: true,
      input: { at: { id: 1e18 } },
    })
  })

  test('with an exponent is a number that a model may send in quotes', async () => {
    const inputSchema = {
      type: 'object',
      properties: { at: { type: 'object', properties: { id: { type: 'number' } } } },
    }
    const prepared = await prepareCall(callWith('"9.461e15"'), { rm: { inputSchema } })
    expect(prepared).toMatchObject({ ok: true, input: { at: { id: 9.461e15 } } })
  })
})

test.each([
  ['3.10', { type: 'string' }],
  ['0.1234567890123456789', { type: 'string' }],
  ['3.10', { type: ['string', 'null'] }],
  ['3.10', { anyOf: [{ type: 'string' }, { type: 'null' }] }],
])('%s is not text without its quotes, and the model is told to write them: %j', async (version, schema) => {
  const tools = [{ name: 'use', inputSchema: { type: 'object', properties: { version: schema } } }]
  const written = (value: string) =>
    parse(`<tool_call>{"name": "use", "arguments": {"version": ${value}}}</tool_call>`, { dialect: hermes })
      .toolCalls[0]!
  const refused = await prepareCall(written(version), tools)
  expect(refused.ok ? refused.input : refused.message).toContain('write it in quotes')
  expect(await prepareCall(written(`"${version}"`), tools)).toMatchObject({ ok: true, input: { version } })
})

test('what was streamed is what the model wrote, and only the input that runs is converted', async () => {
  const text = '<tool_call>{"name": "forecast", "arguments": {"city": "Paris", "days": "2"}}</tool_call>'
  const [read] = parse(text, { dialect: hermes, tools }).toolCalls
  expect(read!.input).toEqual({ city: 'Paris', days: '2' })
  expect(await prepareCall(read!, tools)).toMatchObject({ ok: true, input: { city: 'Paris', days: 2 } })
})

test('the type of the input is that of the schema', () => {
  const byName = { open: { inputSchema: z.object({ path: z.string() }) }, list: { description: 'Lists.' } }
  type Runnable<Prepared> = Extract<Prepared, { ok: true }>
  type Named<Prepared, Name> = Extract<Runnable<Prepared>, { toolName: Name }>
  type ByName = PreparedCall<typeof byName>
  expectTypeOf<Runnable<ByName>['toolName']>().toEqualTypeOf<'open' | 'list'>()
  expectTypeOf<Named<ByName, 'open'>['input']>().toEqualTypeOf<{ path: string }>()
  expectTypeOf<Named<ByName, 'list'>['input']>().toEqualTypeOf<JsonValue>()
  type Listed = PreparedCall<typeof tools>
  expectTypeOf<Runnable<Listed>['toolName']>().toEqualTypeOf<'forecast' | 'now'>()
  expectTypeOf<Runnable<PreparedCall>['input']>().toEqualTypeOf<unknown>()
})

test.each(['1e-400', '-1e-400', '[-1e-400]'])(
  'a number that is too small for JavaScript is refused: %s',
  async (n) => {
    const tools = [
      {
        name: 'rm',
        inputSchema: { properties: { n: { type: ['number', 'array'], items: { type: 'number' } } } },
      },
    ]
    const text = `<tool_call><function=rm><parameter=n>${n}</parameter></function></tool_call>`
    const [call] = parse(text, { dialect: qwen3Coder, tools }).toolCalls
    expect(call).toMatchObject({ status: 'complete', inputText: `{"n":${n}}` })
    expect(await prepareCall(call!, tools)).toMatchObject({
      ok: false,
      issues: [{ message: 'is too small for a number; write 0 if that is meant' }],
    })
  },
)

describe('without waiting', () => {
  const now = { value: 1 }
  const tableOf = (inputSchema: unknown) => createToolTable([{ name: 'forecast', inputSchema } as never])
  const later = standard(async () => ({ value: now }))

  it('a call is prepared where its schema answers at once', () => {
    const prepared = prepareInStep(call(), tableOf(standard(() => ({ value: now }))), {})
    expect(prepared).toEqual({ ok: true, toolName: 'forecast', input: now, changes: [] })
  })

  it('an input is what its schema makes of it, if the schema answers at once', () => {
    const tool = tableOf(standard(() => ({ value: now }))).get('forecast')!
    expect(checkInputNow({ input: { city: 'Paris' } }, tool)).toMatchObject({ output: now, issues: [] })
  })

  it('an input stays as it is where its schema answers later', () => {
    const tool = tableOf(later).get('forecast')!
    expect(checkInputNow({ input: { city: 'Paris' } }, tool)).toMatchObject({
      output: { city: 'Paris' },
      issues: [],
    })
  })
})

it.each([
  ['an option that there is not', { alow: ['guess'] }],
  ['a repair that there is not', { allow: ['gess'] }],
  ['a repair that is in no list', { allow: 'guess' }],
])('is refused with %s', async (_, options) => {
  await expect(prepareCall(call(), tools, options as never)).rejects.toMatchObject({ code: 'invalid-option' })
})
