import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import {
  EventBuilder,
  type EventBuilderOptions,
  type ToolCallArgumentProgress,
  type ToolCallRequest,
} from '../../../../src/views/compat/progress/index.ts'
import { runs } from '../../../effort.ts'

const start = (id: string, name: string, args: ToolCallRequest['arguments'] = {}): ToolCallRequest => ({
  type: 'ToolCallRequest',
  id,
  name,
  arguments: args,
})

const parsed = (toolCallId: string, toolName: string, key: string, value: unknown) => ({
  type: 'ArgumentParsed',
  toolCallId,
  toolName,
  key,
  value,
})

/** A builder in which one call has begun. */
function building(options?: EventBuilderOptions): EventBuilder {
  const builder = new EventBuilder(options)
  builder.handlePart(0, start('c1', 'fs_create_file'))
  return builder
}

function flushed(chunks: readonly string[], options?: EventBuilderOptions) {
  const builder = building(options)
  for (const chunk of chunks) builder.handleToolArgumentChunk(0, chunk)
  return builder.handleFlush(0)
}

describe('arguments that come in pieces', () => {
  test('are told one by one, each when it is complete', () => {
    const builder = building()
    expect(builder.handleToolArgumentChunk(0, '{"path":"a.rs"')).toEqual([
      parsed('c1', 'fs_create_file', 'path', 'a.rs'),
    ])
    expect(builder.handleToolArgumentChunk(0, ',"content":"x')).toEqual([])
    expect(builder.handleToolArgumentChunk(0, 'y"}')).toEqual([
      parsed('c1', 'fs_create_file', 'content', 'xy'),
    ])
    expect(builder.handleFlush(0)).toEqual(start('c1', 'fs_create_file', { path: 'a.rs', content: 'xy' }))
  })

  test('may come all at once', () => {
    const builder = building()
    expect(builder.handleToolArgumentChunk(0, '{"path":"a.rs","content":"xy"}')).toEqual([
      parsed('c1', 'fs_create_file', 'path', 'a.rs'),
      parsed('c1', 'fs_create_file', 'content', 'xy'),
    ])
    expect(builder.handleFlush(0)).toEqual(start('c1', 'fs_create_file', { path: 'a.rs', content: 'xy' }))
  })

  test('that are no object say so once, and are given whole in the end', () => {
    const builder = building()
    expect(builder.handleToolArgumentChunk(0, '["a"')).toEqual([{ type: 'NotAnObject', toolCallId: 'c1' }])
    expect(builder.handleToolArgumentChunk(0, ',"b"]')).toEqual([])
    expect(builder.handleFlush(0)).toEqual(start('c1', 'fs_create_file', ['a', 'b']))
  })

  test.each([[[]], [['  ']], [['', '\n']]])('that are none (%j) are an empty object', (chunks) => {
    expect(flushed(chunks)).toEqual(start('c1', 'fs_create_file', {}))
  })

  test.each([
    ['a number that is none', '{"a":01}', '"1" does not belong in this number.'],
    ['a key twice', '{"a":1,"a":2}', 'The object already has this key.'],
    ['text after them', '{"a":1} b', 'The value is complete, and "b" follows.'],
  ])('with %s are never offered for execution', (_, text, message) => {
    expect(flushed([text])).toEqual({
      type: 'ToolCallFailed',
      id: 'c1',
      name: 'fs_create_file',
      status: 'invalid',
      message: `The arguments are not JSON: ${message}`,
      raw: text,
    })
  })

  test('that were cut off are never offered for execution', () => {
    expect(flushed(['{"path":"a.rs","content":"fn ', 'main'])).toEqual({
      type: 'ToolCallFailed',
      id: 'c1',
      name: 'fs_create_file',
      status: 'truncated',
      message: 'The call of fs_create_file was cut off in /content, after 7 characters. /path was complete.',
      raw: '{"path":"a.rs","content":"fn main',
    })
  })

  test('may be almost JSON, where that is asked for and nothing has to be guessed', () => {
    expect(flushed(["{'a': 1,}"], { mode: 'tolerant' })).toEqual(start('c1', 'fs_create_file', { a: 1 }))
    expect(flushed(['{"a": 01}'], { mode: 'tolerant' })).toMatchObject({
      type: 'ToolCallFailed',
      status: 'invalid',
      raw: '{"a": 01}',
    })
  })

  test('are given up beyond the limit', () => {
    const limits = { call: 10 }
    expect(flushed(['{"a":"', '0123456789"}'], { limits })).toMatchObject({
      type: 'ToolCallFailed',
      status: 'invalid',
      message: 'The arguments are not JSON: The text is longer than the limit allows.',
      raw: '{"a":"0123',
    })
  })

  test('may also come as a value, which has to be the same', () => {
    const builder = building()
    builder.handlePart(0, start('c1', 'fs_create_file', { path: 'a.rs' }))
    expect(builder.handleFlush(0)).toEqual(start('c1', 'fs_create_file', { path: 'a.rs' }))

    const both = building()
    both.handleToolArgumentChunk(0, '{"path":"a.rs"}')
    both.handlePart(0, start('c1', 'fs_create_file', { path: 'a.rs' }))
    expect(both.handleFlush(0)).toEqual(start('c1', 'fs_create_file', { path: 'a.rs' }))

    const changed = building()
    changed.handleToolArgumentChunk(0, '{"path":"a.rs"}')
    changed.handlePart(0, start('c1', 'fs_create_file', { path: '/etc/passwd' }))
    expect(changed.handleFlush(0)).toMatchObject({
      type: 'ToolCallFailed',
      message: 'The provider changed arguments that it had sent before.',
    })
  })
})

describe('which call it is', () => {
  test('may become known after its arguments, which are told then', () => {
    const builder = new EventBuilder()
    expect(builder.handleToolArgumentChunk(0, '{"a":1,"b":')).toEqual([])
    expect(builder.handlePart(0, start('c1', 'f'))).toEqual([parsed('c1', 'f', 'a', 1)])
    expect(builder.handleToolArgumentChunk(0, '2}')).toEqual([parsed('c1', 'f', 'b', 2)])
    expect(builder.handleFlush(0)).toEqual(start('c1', 'f', { a: 1, b: 2 }))
  })

  test.each([
    [['first', 'n1'], ['second', 'n2'], 'first', 'n1'],
    [['', 'n1'], ['c9', ''], 'c9', 'n1'],
    [['c9', ''], ['', 'n1'], 'c9', 'n1'],
  ])('is what came first: %j, then %j', (one, other, id, name) => {
    const builder = new EventBuilder()
    builder.handlePart(0, start(one[0]!, one[1]!))
    builder.handlePart(0, start(other[0]!, other[1]!))
    expect(builder.handleFlush(0)).toEqual(start(id, name, {}))
  })

  test('is told by its index where it has no id', () => {
    const builder = new EventBuilder()
    for (const index of [0, 1]) {
      builder.handlePart(index, start('', 'f'))
      builder.handleToolArgumentChunk(index, '{"a":1}')
    }
    expect(builder.handleFlush(0)).toEqual(start('call-0', 'f', { a: 1 }))
    expect(builder.handleFlush(1)).toEqual(start('call-1', 'f', { a: 1 }))
  })

  test('does not change any more once something was told of it', () => {
    const builder = new EventBuilder()
    builder.handlePart(0, start('', 'f'))
    expect(builder.handleToolArgumentChunk(0, '{"a":1,')).toEqual([parsed('call-0', 'f', 'a', 1)])
    builder.handlePart(0, start('late', 'f'))
    expect(builder.handleToolArgumentChunk(0, '"b":2}')).toEqual([parsed('call-0', 'f', 'b', 2)])
  })

  test('is said once to whoever wants to know', () => {
    const calls: unknown[] = []
    const builder = new EventBuilder({ onCall: (call) => calls.push(call) })
    builder.handlePart(0, start('', 'f'))
    expect(calls).toEqual([])
    builder.handlePart(0, start('c1', ''))
    builder.handlePart(0, start('c1', 'f'))
    builder.handleFlush(0)
    expect(calls).toEqual([{ id: 'c1', name: 'f' }])
  })

  test('must be known for it to be run', () => {
    const builder = new EventBuilder()
    builder.handleToolArgumentChunk(0, '{"a":1}')
    expect(builder.handleFlush(0)).toMatchObject({ type: 'ToolCallFailed', message: 'The call has no name.' })
  })
})

describe('several things at once', () => {
  test('do not touch each other, one character at a time', () => {
    const builder = new EventBuilder()
    builder.handlePart(1, start('a', 'f'))
    builder.handlePart(2, start('b', 'g'))
    const told: ToolCallArgumentProgress[] = []
    const [one, two] = ['{"x":"1{","y":[2]}', '{"x":"}\\"","y":{}}']
    for (let at = 0; at < 18; at++) {
      told.push(...builder.handleToolArgumentChunk(1, one[at] ?? ''))
      told.push(...builder.handleToolArgumentChunk(2, two[at] ?? ''))
    }
    expect(told).toEqual([
      parsed('a', 'f', 'x', '1{'),
      parsed('b', 'g', 'x', '}"'),
      parsed('a', 'f', 'y', [2]),
      parsed('b', 'g', 'y', {}),
    ])
    expect(builder.handleFlush(2)).toEqual(start('b', 'g', { x: '}"', y: {} }))
    expect(builder.handleFlush(1)).toEqual(start('a', 'f', { x: '1{', y: [2] }))
  })

  test('are of one type each; what does not fit is passed over', () => {
    const warnings: unknown[] = []
    const builder = building({ onWarning: (...warning) => warnings.push(warning) })
    builder.handlePart(0, { type: 'Message', text: 'Hello' })
    builder.handlePart(1, { type: 'Message', text: 'Hel' })
    builder.handlePart(1, { type: 'Reasoning', text: 'Hm' })
    builder.handlePart(1, { type: 'Message', text: 'lo' })
    expect(builder.handleToolArgumentChunk(1, '{}')).toEqual([])
    expect(builder.handleFlush(0)).toEqual(start('c1', 'fs_create_file', {}))
    expect(builder.handleFlush(1)).toEqual({ type: 'Message', text: 'Hello' })
    expect(warnings).toEqual([
      ['A part of type Message arrived at an index that holds another kind of part, or that was flushed.', 0],
      [
        'A part of type Reasoning arrived at an index that holds another kind of part, or that was flushed.',
        1,
      ],
      ['A piece of arguments arrived at an index that holds no call, or that was flushed.', 1],
    ])
  })

  test('are flushed once', () => {
    const warnings: string[] = []
    const builder = building({ onWarning: (message) => warnings.push(message) })
    expect(builder.handleFlush(7)).toBeUndefined()
    expect(builder.handleFlush(0)).toEqual(start('c1', 'fs_create_file', {}))
    expect(builder.handleFlush(0)).toBeUndefined()
    expect(builder.handleToolArgumentChunk(0, '{"a":1}')).toEqual([])
    expect(builder.handleFlush(0)).toBeUndefined()
    expect(warnings).toHaveLength(1)
    builder.handlePart(0, start('c2', 'g'))
    expect(builder.handleFlush(0)).toEqual(start('c2', 'g', {}))
  })

  test('do not give a call twice that the provider tells of twice', () => {
    const warnings: string[] = []
    const builder = building({ onWarning: (message) => warnings.push(message) })
    builder.handleToolArgumentChunk(0, '{"a":1}')
    expect(builder.handleFlush(0)).toEqual(start('c1', 'fs_create_file', { a: 1 }))
    builder.handlePart(0, start('c1', 'fs_create_file', { a: 1 }))
    expect(builder.handleFlush(0)).toBeUndefined()
    expect(builder.drain()).toEqual({ events: [], truncated: [] })
    expect(warnings).toEqual([
      'A part of type ToolCallRequest arrived at an index that holds another kind of part, or that was flushed.',
    ])
  })

  test('leave their text when the stream is over, and of a call only where it was cut off', () => {
    const builder = building()
    builder.handlePart(3, { type: 'Message', text: 'Hello' })
    builder.handlePart(2, { type: 'Message', text: ' \n' })
    builder.handlePart(1, { type: 'Reasoning', text: '' })
    builder.handleToolArgumentChunk(0, '{"path":"a.rs","n":30')
    expect(builder.drain()).toEqual({
      events: [
        { type: 'Reasoning', text: '' },
        { type: 'Message', text: 'Hello' },
      ],
      truncated: [
        {
          toolCallId: 'c1',
          toolName: 'fs_create_file',
          path: '/n',
          lastComplete: '/path',
          raw: '{"path":"a.rs","n":30',
          message: 'The call of fs_create_file was cut off in /n. /path was complete.',
        },
      ],
    })
    expect(builder.handleFlush(0)).toBeUndefined()
  })

  test('are a request only when they were flushed, however whole they look', () => {
    const builder = building()
    builder.handleToolArgumentChunk(0, '{"path":"a.rs"}')
    expect(builder.drain().truncated).toHaveLength(1)
  })
})

test('progress and request do not depend on how the arguments are cut', () => {
  const value = fc.dictionary(fc.string(), fc.jsonValue({ maxDepth: 3, noUnicodeString: false }))
  fc.assert(
    fc.property(value, fc.array(fc.integer({ min: 1, max: 9 }), { minLength: 1 }), (input, lengths) => {
      const text = JSON.stringify(input)
      const read = (pieces: readonly string[]) => {
        const builder = building()
        const told = pieces.flatMap((piece) => builder.handleToolArgumentChunk(0, piece))
        return { told, request: builder.handleFlush(0) }
      }
      const pieces: string[] = []
      for (let from = 0; from < text.length; ) {
        const to = from + lengths[pieces.length % lengths.length]!
        pieces.push(text.slice(from, to))
        from = to
      }
      const whole = read([text])
      expect(read(pieces)).toEqual(whole)
      expect(read([...text])).toEqual(whole)
      expect(whole.request).toEqual(start('c1', 'fs_create_file', JSON.parse(text)))
      const pairs = Object.entries(JSON.parse(text) as object)
      expect(whole.told).toEqual(pairs.map(([key, one]) => parsed('c1', 'fs_create_file', key, one)))
    }),
    { seed: 7, numRuns: runs(400) },
  )
})
