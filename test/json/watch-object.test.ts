import { describe, expect, expectTypeOf, test } from 'vitest'
import { type Growing, watchObject } from '../../src/json/index.ts'
import type { StandardSchemaV1 } from '../../src/schema/standard.ts'

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
      seen.push([structuredClone(value), completed.map(String), isComplete('/title'), isComplete('/steps')])
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
    })
  })

  test('is typed by the schema', () => {
    const watched = watchObject('{}', recipe)
    expectTypeOf(watched[Symbol.asyncIterator]().next).returns.resolves.toHaveProperty('value')
    expectTypeOf<Growing<Recipe>>().toEqualTypeOf<{ title?: string; steps?: string[] }>()
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
      issues: [{ message: 'a title is missing', path: ['title'] }],
    })
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
})
