import { describe, expect, test } from 'vitest'
import {
  checkedState,
  copyState,
  either,
  isAnything,
  isBoolean,
  isCount,
  isInteger,
  isRope,
  isString,
  listOf,
  mapOf,
  nullable,
  oneOf,
  recordOf,
  type Shape,
  scalarsLike,
  setOf,
} from '../../src/base/plain-state.ts'
import { Rope } from '../../src/base/rope.ts'

interface Reader {
  status: 'open' | 'done'
  offset: number
  shift: number
  isQuoted: boolean
  label: string | null
  text: Rope
  stack: (number | Set<string>)[]
  ids: Map<number, string>
  place: { line: number; column: number }
  other: unknown
}

const READER: Shape<Reader> = {
  status: oneOf('open', 'done'),
  offset: isCount,
  shift: isInteger,
  isQuoted: isBoolean,
  label: nullable(isString),
  text: isRope,
  stack: listOf(either(isCount, setOf(isString))),
  ids: mapOf(isCount, isString),
  place: recordOf<Reader['place']>({ line: isCount, column: isCount }),
  other: isAnything,
}

const reader = (): Reader => ({
  status: 'open',
  offset: 3,
  shift: -1,
  isQuoted: true,
  label: null,
  text: new Rope('abc'),
  stack: [1, new Set(['path'])],
  ids: new Map([[0, 'first']]),
  place: { line: 1, column: 2 },
  other: { $map: new Uint8Array([0, 255]) },
})

describe('a copy of a record', () => {
  test('is plain JSON', () => {
    expect(copyState(reader())).toEqual({
      status: 'open',
      offset: 3,
      shift: -1,
      isQuoted: true,
      label: null,
      text: { $rope: 'abc' },
      stack: [1, { $set: ['path'] }],
      ids: { $map: [[0, 'first']] },
      place: { line: 1, column: 2 },
      other: { $fields: [['$map', { $bytes: [0, 255] }]] },
    })
  })

  test('becomes an equal record that shares nothing with it', () => {
    const state = reader()
    const saved = JSON.parse(JSON.stringify(copyState(state))) as unknown
    const restored = checkedState(READER, saved)
    restored.text.add('d')
    restored.stack.push(2)
    expect(state).toEqual(reader())
    expect(checkedState(READER, saved)).toEqual(reader())
  })

  test('keeps the length of a rope whose text is not kept', () => {
    const text = new Rope('abc')
    text.forget()
    const saved = copyState({ text })
    expect(saved).toEqual({ text: { $rope: 3 } })
    expect(checkedState({ text: isRope }, saved).text.length).toBe(3)
  })

  test('treats __proto__ as data', () => {
    const saved = JSON.parse('{"other":{"__proto__":1,"a":2}}') as unknown
    const { other } = checkedState({ other: isAnything }, saved)
    expect(Object.keys(other as object)).toEqual(['__proto__', 'a'])
  })

  test('is refused where JSON cannot hold the state', () => {
    const cycle: Record<string, unknown> = {}
    cycle.self = cycle
    expect(() => copyState({ cycle: cycle as unknown })).toThrow(
      expect.objectContaining({ code: 'invalid-snapshot' }),
    )
  })
})

test('a field that is not plain data does not compile', () => {
  class Scanner {
    offset = 0
    read(): void {}
  }
  const state: { offset: number; scanner: Scanner; later?: string } = { offset: 1, scanner: new Scanner() }
  // @ts-expect-error: an instance of a class
  copyState({ scanner: state.scanner })
  // @ts-expect-error: a function
  copyState({ read: () => {} })
  // @ts-expect-error: an optional field, which would be missing in the copy
  copyState({ later: state.later })
  // @ts-expect-error: a shape without a field
  const shape: Shape<{ offset: number; text: string }> = { offset: isCount }
  expect(shape).toBeDefined()
})

test('the checks of scalar fields follow from an example', () => {
  const example = { status: 'open' as 'open' | 'done', offset: 3, label: null as string | null, name: '' }
  const scalars = scalarsLike(example)
  // @ts-expect-error: the example does not tell which words there are
  void scalars.status
  // @ts-expect-error: null tells nothing of the type
  void scalars.label
  const shape: Shape<typeof example> = {
    ...scalars,
    status: oneOf('open', 'done'),
    label: nullable(isString),
  }
  const saved = { status: 'done', offset: -1, label: 'a', name: 'b' }
  expect(checkedState(shape, saved)).toEqual(saved)
  expect(() => checkedState(shape, { ...saved, offset: '1' })).toThrow("'offset'")
  expect(() => checkedState(shape, { ...saved, status: 'shut' })).toThrow("'status'")
})

describe('a damaged copy is refused', () => {
  const saved = copyState(reader()) as Record<string, unknown>
  const { offset, ...missing } = saved

  test.each<[string, unknown, string]>([
    ['no record', null, 'there is no record where one should be'],
    ['a list', [], 'there is no record where one should be'],
    ['a missing field', missing, "the field 'offset' is missing"],
    ['a foreign field', { ...saved, offsets: 1 }, "the field 'offsets' is not known"],
    ['a wrong type', { ...saved, offset: '3' }, "the field 'offset' has a wrong value"],
    ['a negative count', { ...saved, offset: -1 }, "the field 'offset' has a wrong value"],
    ['a fraction', { ...saved, shift: 0.5 }, "the field 'shift' has a wrong value"],
    ['an unknown word', { ...saved, status: 'shut' }, "the field 'status' has a wrong value"],
    ['text in place of a rope', { ...saved, text: 'abc' }, "the field 'text' has a wrong value"],
    ['a wrong item of a list', { ...saved, stack: ['a'] }, "the field 'stack' has a wrong value"],
    ['a wrong item of a set', { ...saved, stack: [{ $set: [1] }] }, "the field 'stack' has a wrong value"],
    ['a wrong key of a map', { ...saved, ids: { $map: [['0', 'a']] } }, "the field 'ids' has a wrong value"],
    ['a wrong inner record', { ...saved, place: { line: 1 } }, "the field 'place' has a wrong value"],
    ['a map that is none', { ...saved, ids: { $map: 5 } }, 'it cannot be decoded'],
    ['a rope of no text', { ...saved, text: { $rope: null } }, "the field 'text' has a wrong value"],
    ['an unknown mark', { ...saved, other: { $list: [] } }, 'it cannot be decoded'],
  ])('with %s', (_, data, problem) => {
    expect(() => checkedState(READER, data)).toThrow(
      expect.objectContaining({
        code: 'invalid-snapshot',
        message: `This snapshot is damaged: ${problem}. Restore one that was stored unchanged.`,
      }),
    )
  })
})
