import { describe, expect, test } from 'vitest'
import type { SluiceEvent } from '../../../../src/base/event.ts'
import { hermes } from '../../../../src/dialects/index.ts'
import { createParser } from '../../../../src/engine/parser.ts'
import { type StreamingEvent, TurnCoordinator } from '../../../../src/views/compat/progress/index.ts'

/** A turn with everything that was shown and kept written down. */
function turn(options: { progress?: boolean } = {}) {
  const shown: unknown[] = []
  const kept: unknown[] = []
  const raws: string[] = []
  const coordinator = new TurnCoordinator({
    ...options,
    renderer: {
      register: ({ id, name }) => shown.push(`register ${id} ${name}`),
      progress: (progress) =>
        shown.push(progress.type === 'ArgumentParsed' ? `progress ${progress.key}` : 'progress NotAnObject'),
      complete: (request) => shown.push(request),
      fail: ({ id, status, message, raw }) => {
        shown.push(`fail ${id} ${status}: ${message}`)
        raws.push(raw)
      },
      cancel: (id) => shown.push(`cancel ${id}`),
    },
    persist: (event) => kept.push(event),
  })
  return { coordinator, shown, kept, raws }
}

const part = (index: number, id: string, name: string): StreamingEvent => ({
  type: 'Part',
  index,
  part: { type: 'ToolCallRequest', id, name, arguments: {} },
})
const text = (index: number, words: string): StreamingEvent => ({
  type: 'Part',
  index,
  part: { type: 'Message', text: words },
})
const chunk = (index: number, json: string): StreamingEvent => ({
  type: 'ToolCallArgumentChunk',
  index,
  chunk: json,
})
const flush = (index: number): StreamingEvent => ({ type: 'Flush', index })

const REQUEST = {
  type: 'ToolCallRequest',
  id: 'c1',
  name: 'fs_create_file',
  arguments: { path: 'src/main.rs', content: 'fn main() {}' },
}

const STREAM: readonly StreamingEvent[] = [
  text(0, 'I write '),
  text(0, 'it.'),
  flush(0),
  part(1, 'c1', 'fs_create_file'),
  chunk(1, '{"path":"src/main.rs",'),
  chunk(1, '"content":"fn main() {}"}'),
  flush(1),
  flush(1),
]

describe('a turn', () => {
  test('shows a call at once, its arguments as they come, and all of it in the end', () => {
    const { coordinator, shown, kept } = turn()
    for (const event of STREAM) expect(coordinator.handleStreamingEvent(event)).toBe('continue')
    expect(coordinator.handleStreamingEvent({ type: 'Finished', reason: 'completed' })).toBe('finished')
    expect(shown).toEqual(['register c1 fs_create_file', 'progress path', 'progress content', REQUEST])
    expect(kept).toEqual([{ type: 'Message', text: 'I write it.' }, REQUEST])
  })

  test('ends the same without progress', () => {
    const [one, other] = [turn(), turn({ progress: false })]
    for (const { coordinator } of [one, other])
      for (const event of STREAM) coordinator.handleStreamingEvent(event)
    expect(other.shown).toEqual(['register c1 fs_create_file', REQUEST])
    expect(other.shown).toEqual(one.shown.filter((line) => !String(line).startsWith('progress')))
    expect(other.kept).toEqual(one.kept)
  })

  test('keeps nothing of a call that was cut off, and says where it was', () => {
    const { coordinator, shown, kept, raws } = turn()
    for (const event of [part(0, 'c1', 'f'), chunk(0, '{"path":"a","content":"xyz')])
      coordinator.handleStreamingEvent(event)
    coordinator.handleStreamingEvent({ type: 'Finished', reason: 'max-tokens' })
    expect(kept).toEqual([])
    expect(raws).toEqual(['{"path":"a","content":"xyz'])
    expect(shown).toEqual([
      'register c1 f',
      'progress path',
      'fail c1 truncated: The call of f was cut off in /content, after 3 characters. /path was complete.',
    ])
  })

  test('keeps nothing of a call whose arguments are not JSON', () => {
    const { coordinator, shown, kept } = turn()
    for (const event of [part(0, 'c1', 'f'), chunk(0, '{"a":01}'), flush(0)])
      coordinator.handleStreamingEvent(event)
    expect(kept).toEqual([])
    expect(shown).toEqual([
      'register c1 f',
      'fail c1 invalid: The arguments are not JSON: "1" does not belong in this number.',
    ])
  })

  test('takes a call back when the response is refused', () => {
    const { coordinator, shown, kept } = turn()
    for (const event of [text(0, 'Sure'), part(1, 'c1', 'f'), chunk(1, '{"a":"')])
      coordinator.handleStreamingEvent(event)
    coordinator.handleStreamingEvent({ type: 'Finished', reason: 'refused' })
    expect(shown).toEqual(['register c1 f', 'cancel c1'])
    expect(kept).toEqual([])
  })
})

describe("a turn of the engine's own events", () => {
  const response =
    '<think>Hm.</think>I write it.<tool_call>{"name": "fs_create_file", "arguments": ' +
    '{"path": "src/main.rs", "content": "fn main() {}"}}</tool_call>'

  function read(options: { progress?: boolean }, source: string) {
    const { coordinator, shown, kept } = turn(options)
    const parser = createParser({
      dialect: hermes,
      emit: { json: false, arguments: true },
      generateId: () => 'c1',
    })
    for (const event of [...parser.push(source), ...parser.end()]) coordinator.add(event)
    return { shown, kept }
  }

  test('ends the same with and without progress', () => {
    const kept = [{ type: 'Reasoning', text: 'Hm.' }, { type: 'Message', text: 'I write it.' }, REQUEST]
    expect(read({}, response)).toEqual({
      shown: ['register c1 fs_create_file', 'progress path', 'progress content', REQUEST],
      kept,
    })
    expect(read({ progress: false }, response)).toEqual({
      shown: ['register c1 fs_create_file', REQUEST],
      kept,
    })
  })

  test('keeps no call that must not run', () => {
    expect(read({}, '<tool_call>{"name": "f", "arguments": {"a": b}}</tool_call>')).toEqual({
      shown: [
        'register c1 f',
        'progress a',
        'fail c1 invalid: The arguments are not JSON, and what they mean would be a guess.',
      ],
      kept: [],
    })
    expect(read({}, '<tool_call>{"name": "f", "arguments": {"a": "b')).toEqual({
      shown: ['register c1 f', 'fail c1 truncated: The call was cut off in the argument /a.'],
      kept: [],
    })
  })

  test('leaves calls alone that the provider runs', () => {
    const { coordinator, shown, kept } = turn()
    const events: SluiceEvent[] = [
      { type: 'tool-input-start', id: 'p', toolName: 'web_search', providerExecuted: true },
      { type: 'tool-input-end', id: 'p' },
      {
        type: 'tool-call',
        id: 'p',
        toolName: 'web_search',
        input: {},
        status: 'complete',
        repairs: [],
        providerExecuted: true,
      },
      { type: 'finish', reason: 'stop' },
    ]
    for (const event of events) coordinator.add(event)
    expect({ shown, kept }).toEqual({ shown: [], kept: [] })
  })
})
