import { describe, expect, expectTypeOf, test } from 'vitest'
import { hermes } from '../../../src/dialects/hermes.ts'
import { sluice } from '../../../src/engine/stream.ts'
import { type Growing, type Snapshot, type WatchSource, watchObject } from '../../../src/values/json/index.ts'
import type { StandardIssue, StandardSchemaV1 } from '../../../src/values/schema/standard.ts'

interface Recipe {
  title: string
  steps: string[]
}

const recipe: StandardSchemaV1<unknown, Recipe> = {
  '~standard': {
    version: 1,
    vendor: 'test',
    validate: (value) =>
      typeof (value as Recipe).title === 'string'
        ? { value: value as Recipe }
        : { issues: [{ message: 'a title is missing', path: ['title'] }] },
    types: undefined as unknown as { input: unknown; output: Recipe },
  },
}

const chunks = ['{"title":"So', 'up","steps":["boil', '","stir"', ',"eat"]}']

/** Freezes a value and all that it holds, so that changing it throws. */
function freeze(value: unknown): void {
  if (typeof value !== 'object' || value === null) return
  Object.freeze(value)
  Object.values(value).forEach(freeze)
}

/** A source that tells whether it was cancelled. */
function source(pieces: readonly (string | Uint8Array)[]) {
  const state = { read: 0, cancelled: false }
  async function* generate() {
    try {
      for (const piece of pieces) {
        state.read++
        yield piece
      }
      state.read = Number.POSITIVE_INFINITY
    } finally {
      state.cancelled = state.read !== Number.POSITIVE_INFINITY
    }
  }
  return { state, stream: generate() }
}

describe('Watching an object', () => {
  test('shows it growing, and what is complete', async () => {
    const seen: unknown[] = []
    const watched = watchObject(source(chunks).stream, recipe)
    for await (const { value, completed, isComplete } of watched) {
      seen.push([value, completed.map(String), isComplete('/title'), isComplete('/steps')])
    }
    expect(seen).toEqual([
      [{ title: 'So' }, [], false, false],
      [{ title: 'Soup', steps: ['boil'] }, ['/title'], true, false],
      [{ title: 'Soup', steps: ['boil', 'stir'] }, ['/steps/0', '/steps/1'], true, false],
      [{ title: 'Soup', steps: ['boil', 'stir', 'eat'] }, ['/steps/2', '/steps', ''], true, true],
    ])
    expect(await watched.result).toEqual({
      ok: true,
      value: { title: 'Soup', steps: ['boil', 'stir', 'eat'] },
      status: 'complete',
      repairs: [],
      changes: [],
    })
  })

  test('is typed by the schema', () => {
    const watched = watchObject('{}', recipe)
    expectTypeOf(watched[Symbol.asyncIterator]().next).returns.resolves.toHaveProperty('value')
    expectTypeOf<Growing<Recipe>>().toEqualTypeOf<{
      readonly title?: string
      readonly steps?: readonly string[]
    }>()
    expectTypeOf(watched.result)
      .resolves.extract<{ ok: true }>()
      .toHaveProperty('value')
      .toEqualTypeOf<Recipe>()
  })

  test('gives the result alone to whoever asks for nothing else', async () => {
    const result = await watchObject(source(chunks).stream, recipe).result
    expect(result).toMatchObject({ ok: true, value: { title: 'Soup' } })
  })

  test('says what the schema objects to', async () => {
    const result = await watchObject('{"name":"Soup"}', recipe).result
    expect(result).toEqual({
      ok: false,
      value: { name: 'Soup' },
      status: 'complete',
      repairs: [],
      changes: [],
      issues: [{ message: 'a title is missing', path: ['title'] }],
      error: {
        code: 'schema',
        message: 'The schema does not accept the value at /title: a title is missing',
      },
    })
  })

  test.each<[issues: StandardIssue[], message: string]>([
    [[], 'The schema does not accept the value.'],
    [[{ message: 'is no recipe' }], 'The schema does not accept the value: is no recipe'],
    [
      [{ message: 'is empty', path: ['steps', { key: 0 }] }, { message: 'x' }, { message: 'y' }],
      'The schema does not accept the value at /steps/0: is empty (and 2 more)',
    ],
  ])('explains the issues %j', async (issues, message) => {
    const schema: StandardSchemaV1 = {
      '~standard': { version: 1, vendor: 'test', validate: () => ({ issues }) },
    }
    expect(await watchObject('{}', schema).result).toMatchObject({
      ok: false,
      issues,
      error: { code: 'schema', message },
    })
  })

  test.each<[text: string, status: string, code: string, message: string]>([
    ['', 'empty', 'empty', 'There is no JSON in the text.'],
    [' \n', 'empty', 'empty', 'There is no JSON in the text.'],
    ['I cannot.\n', 'empty', 'empty', 'There is no JSON in the text: I cannot.'],
    ['<think>{"a":1}</think>\nI cannot.', 'empty', 'empty', 'There is no JSON in the text: I cannot.'],
    ['<think>{"a":1}', 'empty', 'empty', 'The text ended inside <think>, before any JSON.'],
    ['{"a":1', 'truncated', 'truncated', 'The text ended inside the value.'],
    ['{"a":["x', 'truncated', 'truncated', 'The text ended inside the value at /a/0.'],
    ['"Sure," he said.', 'invalid', 'quotation', 'The text begins with a quoted string and is not JSON.'],
    ['[1 :', 'invalid', 'token', '":" is not allowed here.'],
  ])('explains why %j is not ok', async (text, status, code, message) => {
    for (const pieces of cuts(text))
      expect(await watchObject(source(pieces).stream).result).toMatchObject({
        ok: false,
        status,
        issues: [],
        error: { code, message },
      })
  })

  test('keeps the beginning of the words in place of the JSON', async () => {
    const refusal = await watchObject('\n I cannot.\nSorry. ').result
    expect(refusal).toMatchObject({ error: { text: 'I cannot.\nSorry.' } })
    const long = await watchObject('no '.repeat(100_000)).result
    if (long.ok) throw new Error('words are no JSON')
    expect(long.error.text?.length).toBeLessThan(1500)
    expect(long.error.message.length).toBeLessThan(300)
  })

  test('never takes what is cut off or broken for a result', async () => {
    expect(await watchObject('{"title":"Soup"', recipe).result).toMatchObject({
      ok: false,
      status: 'truncated',
    })
    expect(await watchObject('', recipe).result).toMatchObject({
      ok: false,
      status: 'empty',
      value: undefined,
    })
    expect(await watchObject('{"title"::1}', recipe, { mode: 'strict' }).result).toMatchObject({
      ok: false,
      status: 'invalid',
      error: { code: 'token', offset: 9 },
    })
  })

  test('needs no schema', async () => {
    const result = await watchObject("{title: 'Soup',}").result
    expect(result).toMatchObject({ ok: true, status: 'repaired', value: { title: 'Soup' } })
  })

  test('shows a number at the root when the text is over', async () => {
    const seen: unknown[] = []
    for await (const { value } of watchObject(source(['4', '2']).stream)) seen.push(value)
    expect(seen).toEqual([42])
  })

  test.each<[text: string, value: unknown]>([
    ['{"a":1}', { a: 1 }],
    ['{"a":1}{"a":2}', { a: 2 }],
    ['<think>{"a":0}</think>{"a":1}\n\nBetter:\n```json\n{"a":2}\n```', { a: 2 }],
    ['{"a":1} and {"a":2} and {"a":3}, which is "right".', { a: 3 }],
    ['{"a":1} with {braces} and [1]', { a: 1 }],
    ['"one" {"a":1}', { a: 1 }],
  ])('takes the last value of %j on request', async (text, value) => {
    for (const pieces of cuts(text))
      expect(
        await watchObject(source(pieces).stream, undefined, { severalValues: 'last' }).result,
      ).toMatchObject({ ok: true, value })
  })

  test('takes a last value that is cut off or broken for what it is', async () => {
    const last = { severalValues: 'last' } as const
    expect(await watchObject('{"a":1}\n{"a":', undefined, last).result).toMatchObject({ status: 'truncated' })
    expect(await watchObject('{"a":1}\n{"a":2 :}', undefined, last).result).toMatchObject({
      status: 'invalid',
      error: { line: 2, column: 8 },
    })
    const seen: unknown[] = []
    for await (const { value } of watchObject(['{"a":1', '}\n{"a":', '2}'], undefined, last)) seen.push(value)
    expect(seen).toEqual([{ a: 2 }])
  })

  test('reads bytes, cut anywhere', async () => {
    const bytes = new TextEncoder().encode('{"a":"é😀"}')
    const pieces = [...bytes].map((byte) => Uint8Array.of(byte))
    expect(await watchObject(source(pieces).stream).result).toMatchObject({ value: { a: 'é😀' } })
  })

  test('drops a byte order mark at the start, in bytes as in text', async () => {
    const text = '\ufeff{"a":1}'
    for (const given of [text, source([text]).stream, source([new TextEncoder().encode(text)]).stream])
      expect(await watchObject(given).result).toMatchObject({
        status: 'complete',
        value: { a: 1 },
        repairs: [],
      })
  })

  test('leaving the loop cancels an iterable', async () => {
    const { state, stream } = source(chunks)
    const watched = watchObject(stream, recipe)
    for await (const { value } of watched) {
      if (value?.title !== undefined) break
    }
    expect(state).toEqual({ read: 1, cancelled: true })
    expect(await watched.result).toMatchObject({ ok: false, status: 'truncated', value: { title: 'So' } })
  })

  test('leaving the loop cancels a stream', async () => {
    let cancelled = false
    const stream = new ReadableStream<string>({
      pull: (controller) => controller.enqueue('{"title":"So'),
      cancel() {
        cancelled = true
      },
    })
    for await (const _ of watchObject(stream, recipe)) break
    expect(cancelled).toBe(true)
    expect(stream.locked).toBe(false)
  })

  test('a text that cannot become JSON any more is not read to its end', async () => {
    const { state, stream } = source(['[1 :', ' more', ' more'])
    expect(await watchObject(stream).result).toMatchObject({ ok: false, status: 'invalid' })
    expect(state).toEqual({ read: 1, cancelled: true })
  })

  test('a source that fails fails the loop and the result', async () => {
    async function* failing() {
      yield '{"title":'
      throw new Error('the line is dead')
    }
    const watched = watchObject(failing(), recipe)
    await expect(
      (async () => {
        for await (const _ of watched);
      })(),
    ).rejects.toThrow('the line is dead')
    await expect(watched.result).rejects.toThrow('the line is dead')
    await expect(watchObject(failing()).result).rejects.toThrow('the line is dead')
  })

  test('can be done once', async () => {
    const watched = watchObject('{}')
    await watched.result
    await expect(watched[Symbol.asyncIterator]().next()).rejects.toMatchObject({ code: 'invalid-source' })
  })

  test('refuses what is no source, and what is no schema', async () => {
    expect(() => watchObject(7 as never)).toThrow(expect.objectContaining({ code: 'invalid-source' }))
    expect(() => watchObject('{}', { type: 'object' } as never)).toThrow(
      expect.objectContaining({ code: 'invalid-schema' }),
    )
    await expect(watchObject(source([7 as never]).stream).result).rejects.toMatchObject({
      code: 'invalid-source',
    })
  })

  test('grows one value in place on request', async () => {
    const seen: unknown[] = []
    const values = new Set<unknown>()
    const watched = watchObject(source(chunks).stream, recipe, { inPlace: true })
    for await (const { value, completed, isComplete } of watched) {
      values.add(value)
      seen.push([structuredClone(value), completed.map(String), isComplete('/title'), isComplete('/steps')])
    }
    expect(seen).toEqual([
      [{ title: 'So' }, [], false, false],
      [{ title: 'Soup', steps: ['boil'] }, ['/title'], true, false],
      [{ title: 'Soup', steps: ['boil', 'stir'] }, ['/steps/0', '/steps/1'], true, false],
      [{ title: 'Soup', steps: ['boil', 'stir', 'eat'] }, ['/steps/2', '/steps', ''], true, true],
    ])
    expect(values.size).toBe(1)
    expect(await watched.result).toMatchObject({ ok: true, value: { steps: ['boil', 'stir', 'eat'] } })
  })

  test('says in place what is complete by now', async () => {
    const iterator = watchObject(source(chunks).stream, recipe, { inPlace: true })[Symbol.asyncIterator]()
    const first = (await iterator.next()).value as Snapshot<Recipe>
    expect(first.isComplete('/title')).toBe(false)
    await iterator.next()
    expect(first.isComplete('/title')).toBe(true)
  })

  test('is over once, however often it is asked', async () => {
    let validated = 0
    const validate = (value: unknown) => {
      validated++
      return { value }
    }
    const counting: StandardSchemaV1 = { '~standard': { version: 1, vendor: 'test', validate } }
    const iterator = watchObject('{"a": 1}', counting)[Symbol.asyncIterator]()
    expect((await iterator.next()).done).toBe(false)
    for (let time = 0; time < 3; time++)
      expect(await iterator.next()).toEqual({ done: true, value: undefined })
    expect(await iterator.return?.()).toEqual({ done: true, value: undefined })
    expect(validated).toBe(1)
  })

  test('never changes a snapshot, and shares what did not grow', async () => {
    const pieces = ['{"a":{"x":[1]},"list":[{"y":"on', 'e"}', ',{"y":"tw', 'o"', '}]}']
    const snapshots: Snapshot<{ a: object; list: object[] }>[] = []
    for await (const snapshot of watchObject<{ a: object; list: object[] }>(source(pieces).stream)) {
      freeze(snapshot.value)
      snapshots.push(snapshot)
    }
    expect(snapshots.map(({ value }) => value)).toEqual([
      { a: { x: [1] }, list: [{ y: 'on' }] },
      { a: { x: [1] }, list: [{ y: 'one' }] },
      { a: { x: [1] }, list: [{ y: 'one' }, { y: 'tw' }] },
      { a: { x: [1] }, list: [{ y: 'one' }, { y: 'two' }] },
      { a: { x: [1] }, list: [{ y: 'one' }, { y: 'two' }] },
    ])
    const [first, second, third, fourth, fifth] = snapshots.map(({ value }) => value!)
    expect(second!.a).toBe(first!.a)
    expect(second!.list).not.toBe(first!.list)
    expect(third!.list![0]).toBe(second!.list![0])
    expect(fourth!.list![0]).toBe(second!.list![0])
    expect(fifth).toBe(fourth)
    // What was complete at that moment, and not what is complete by now.
    expect(snapshots.map(({ isComplete }) => isComplete('/list/0'))).toEqual([false, true, true, true, true])
    expect(snapshots.map(({ isComplete }) => isComplete('/list'))).toEqual([false, false, false, false, true])
    expect(snapshots.map(({ isComplete }) => isComplete(''))).toEqual([false, false, false, false, true])
    expect(snapshots[0]!.isComplete('/a/x/0')).toBe(true)
    expect(snapshots[0]!.isComplete('/b')).toBe(false)
  })

  test.each<[string, () => WatchSource]>([
    ['text', () => '{"a":1}'],
    ['bytes', () => new TextEncoder().encode('{"a":1}')],
    ['a list of text', () => ['{"a"', ':1}']],
    ['a Response', () => new Response('{"a":1}')],
    ['a promise of a Response', () => Promise.resolve(new Response('{"a":1}'))],
    ['a stream', () => new Response('{"a":1}').body!],
    ['events', () => sluice(['<think>{"no": 1}</think>{"a"', ':1}'], { dialect: hermes })],
    [
      'a list of events',
      () => [
        { type: 'text-start', id: 't' },
        { type: 'text-delta', id: 't', delta: '{"a":1}' },
        { type: 'finish', reason: 'stop' },
      ],
    ],
  ])('reads %s', async (_, make) => {
    expect(await watchObject(make()).result).toMatchObject({ ok: true, status: 'complete', value: { a: 1 } })
  })

  test.each<[string, () => WatchSource, object]>([
    [
      'a Response that was refused',
      () => new Response('{"error": {"message": "Slow down."}}', { status: 429 }),
      { name: 'ResponseError', status: 429, message: 'The server answered 429: Slow down.' },
    ],
    ['a promise that rejects', () => Promise.reject(new Error('offline')), { message: 'offline' }],
    [
      'an error event',
      () => [
        { type: 'text-delta', id: 't', delta: '{"a":1}' },
        {
          type: 'error',
          error: { name: 'ProviderError', message: 'Overloaded.', code: 'busy', status: 529 },
        },
      ],
      { name: 'ProviderError', message: 'Overloaded.', code: 'busy', status: 529 },
    ],
    [
      'the stream of an API',
      () => new Response('data: {"choices":[{"delta":{"content":"{}"}}]}\n\n'),
      { code: 'invalid-source', message: expect.stringContaining('readProvider') },
    ],
    [
      'a response that says so itself',
      () => new Response('{}', { headers: { 'content-type': 'text/event-stream' } }),
      { code: 'invalid-source', message: expect.stringContaining('readProvider') },
    ],
    [
      'what the client of an API gives',
      () => [{ type: 'response.output_text.delta', delta: '{}' }] as never,
      { code: 'invalid-source', message: expect.stringContaining('readProvider') },
    ],
  ])('fails with %s', async (_, make, error) => {
    await expect(watchObject(make()).result).rejects.toMatchObject(error)
    const loop = async (): Promise<void> => {
      for await (const _ of watchObject(make()));
    }
    await expect(loop()).rejects.toMatchObject(error)
  })
})

/** The text whole, in single characters, and cut once at each place. */
function cuts(text: string): string[][] {
  const twos = Array.from(text, (_, at) => [text.slice(0, at), text.slice(at)])
  return [[text], text.split(''), ...twos]
}

describe('Words around the JSON', () => {
  const A1 = { a: 1 }
  test.each<[text: string, value: unknown, repairs: string[]]>([
    ['{"a":1}', A1, []],
    [' \n{"a":1}\n', A1, []],
    ['Sure! Here it is:\n\n{"a":1}', A1, ['leading-content at 0']],
    ['Sure! {"a":1} Enjoy.', A1, ['leading-content at 0', 'trailing-content at 14']],
    ['\n Here: [{"a":1}]', [A1], ['leading-content at 2']],
    ['```json\n{"a":1}\n```', A1, ['fence at 0']],
    [
      'Here:\n```json\n{"a":1}\n```\nEnjoy.',
      A1,
      ['leading-content at 0', 'fence at 6', 'trailing-content at 26'],
    ],
    ['Here:\n```\n[1]\n```', [1], ['leading-content at 0', 'fence at 6']],
    ['Run:\n```sh\n{"no":1}\n```\nand\n```json\n{"a":1}\n```', A1, ['leading-content at 0', 'fence at 28']],
    ['As in [1], with {x} and [a list]:\n{"a":1}', A1, ['leading-content at 0']],
    ['`{}` is empty, {"a":1} is not.', A1, ['leading-content at 0', 'trailing-content at 23']],
    ['It is\n{a: 1}', A1, ['leading-content at 0', 'unquoted-key at 7']],
    ['3 things: {"a":1}', A1, ['leading-content at 0']],
    ['true to form: ["x"]', ['x'], ['leading-content at 0']],
    ['<think>They want {"a": 2}</think>{"a":1}', A1, ['leading-content at 0']],
    ['\n<think>\n```json\n{"a": 2}\n```\n</think>\n\n{"a":1}', A1, ['leading-content at 1']],
    ['<think>[2]</think>Here: {"a":1}', A1, ['leading-content at 0']],
    ['<think></think>```json\n{"a":1}\n```', A1, ['leading-content at 0', 'fence at 15']],
    ['<think>a < b </thin </think>42', 42, ['leading-content at 0']],
    ['<think>{"a": 2}</think><think>{"a": 3}</think>{"a":1}', A1, ['leading-content at 0']],
    ['<thinking>{"a":1}', A1, ['leading-content at 0']],
    ['{"a":"<think>x</think>"}', { a: '<think>x</think>' }, []],
    ['42', 42, []],
    [' -1.5e3 ', -1500, []],
    ['null', null, []],
    ['"a word"', 'a word', []],
  ])('%j', async (text, value, repairs) => {
    for (const pieces of cuts(text)) {
      const result = await watchObject(source(pieces).stream).result
      expect(result).toMatchObject({ ok: true, value, status: repairs.length > 0 ? 'repaired' : 'complete' })
      expect(result.repairs.map(({ code, offset }) => `${code} at ${offset}`)).toEqual(repairs)
    }
  })

  test.each<[text: string, status: string]>([
    ['hello', 'empty'],
    ['I cannot do that.', 'empty'],
    ['Use [x] or {y}, and ```', 'empty'],
    ['<think>{"a":1}', 'empty'],
    ['<think>{"a":1}</think>', 'empty'],
    ['<think>1</think', 'empty'],
    ['<thi', 'empty'],
    ['tru', 'empty'],
    ['12 34', 'empty'],
    ['True', 'empty'],
    ['"Sure," he said.', 'invalid'],
    ['Here: {"a":', 'truncated'],
    [`Here: {${' '.repeat(200)}`, 'empty'],
    [`\`\`\`${'x'.repeat(200)}`, 'empty'],
  ])('%j is not ok', async (text, status) => {
    for (const pieces of cuts(text))
      expect(await watchObject(source(pieces).stream).result).toMatchObject({ ok: false, status })
  })

  test('are shown at no moment', async () => {
    const seen: unknown[] = []
    for await (const { value } of watchObject(source([...'Hi {"a":"x"}']).stream)) seen.push(value)
    expect(seen).toEqual([{}, { a: '' }, { a: 'x' }, { a: 'x' }, { a: 'x' }])
  })

  test('count in the places of errors, and are refused in strict reading', async () => {
    expect(await watchObject('Here:\n{"a": [1 :').result).toMatchObject({
      ok: false,
      error: { line: 2, column: 10, offset: 15 },
    })
    expect(await watchObject('Here: {"a":1}', undefined, { mode: 'strict' }).result).toMatchObject({
      ok: false,
      status: 'invalid',
    })
  })

  test('count in the limit of the length', async () => {
    const { stream, state } = source(['words ', 'words ', 'words '])
    expect(await watchObject(stream, undefined, { limits: { totalLength: 8 } }).result).toMatchObject({
      ok: false,
      error: { code: 'total-length' },
    })
    expect(state.read).toBe(2)
  })
})
