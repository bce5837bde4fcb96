import { describe, expect, it } from 'vitest'
import { sluice } from '../../../src/engine/stream.ts'
import type { Clock } from '../../../src/runs/recording/index.ts'
import {
  parseRecording,
  type Recording,
  RecordingWriter,
  record,
  replay,
} from '../../../src/runs/recording/index.ts'

/** A clock that nobody waits for: waiting moves it. */
class TestClock implements Clock {
  time = 1000
  readonly waits: number[] = []

  now(): number {
    return this.time
  }

  async wait(milliseconds: number, signal?: AbortSignal): Promise<void> {
    signal?.throwIfAborted()
    this.waits.push(milliseconds)
    this.time += milliseconds
  }
}

const recording: Recording = {
  kind: 'text',
  header: {},
  chunks: [
    { at: 10, chunk: 'a' },
    { at: 10, chunk: 'b' },
    { at: 40, chunk: 'c' },
  ],
}

async function collect<T>(source: AsyncIterable<T>): Promise<T[]> {
  const all: T[] = []
  for await (const item of source) all.push(item)
  return all
}

describe('a replay', () => {
  it.each<[how: string, speed: number | 'instant' | undefined, waits: number[]]>([
    ['as it was', undefined, [10, 30]],
    ['twice as fast', 2, [5, 15]],
    ['at half the speed', 0.5, [20, 60]],
    ['at once', 'instant', []],
    ['infinitely fast', Number.POSITIVE_INFINITY, []],
  ])('plays a stream %s', async (_, speed, waits) => {
    const clock = new TestClock()
    expect(await collect(replay(recording, { clock, ...(speed !== undefined && { speed }) }))).toEqual([
      'a',
      'b',
      'c',
    ])
    expect(clock.waits).toEqual(waits)
  })

  it('does not fall behind when its reader is slow', async () => {
    const clock = new TestClock()
    for await (const chunk of replay(recording, { clock })) if (chunk === 'b') clock.time += 25
    expect(clock.waits).toEqual([10, 5])
  })

  it('fails where the stream failed', async () => {
    const clock = new TestClock()
    const failed: Recording = { ...recording, end: { at: 100, reason: 'failed', error: 'socket hang up' } }
    await expect(collect(replay(failed, { clock }))).rejects.toThrow('socket hang up')
    expect(clock.waits).toEqual([10, 30, 60])
    const message = await sluice(replay(failed, { speed: 'instant' })).message()
    expect([message.text, message.finish.reason]).toEqual(['abc', 'error'])
  })

  it('stops when its signal says so', async () => {
    const controller = new AbortController()
    const chunks: string[] = []
    const play = async (): Promise<void> => {
      for await (const chunk of replay(recording, { clock: new TestClock(), signal: controller.signal })) {
        chunks.push(chunk)
        if (chunk === 'b') controller.abort(new Error('enough'))
      }
    }
    await expect(play()).rejects.toThrow('enough')
    expect(chunks).toEqual(['a', 'b'])
  })

  it('on a real clock waits, and stops waiting when its signal says so', async () => {
    const controller = new AbortController()
    const patient: Recording = {
      kind: 'text',
      header: {},
      chunks: [
        { at: 1, chunk: 'a' },
        { at: 1e8, chunk: 'b' },
      ],
    }
    const chunks = replay(patient, { signal: controller.signal })
    expect((await chunks.next()).value).toBe('a')
    const awaited = chunks.next()
    controller.abort(new Error('enough'))
    await expect(awaited).rejects.toThrow('enough')
  })

  it('takes a recording, and not its text', () => {
    expect(() => replay('{"sluice-recording":1}' as never)).toThrow(
      expect.objectContaining({ code: 'invalid-recording' }),
    )
  })

  it.each([0, -1, Number.NaN, 'fast' as 'instant'])('has no speed of %s', (speed) => {
    expect(() => replay(recording, { speed })).toThrow(expect.objectContaining({ code: 'invalid-option' }))
  })
})

describe('a stream that is recorded', () => {
  function start(kind: 'text' | 'bytes' | 'events' = 'text') {
    const lines: string[] = []
    return { lines, clock: new TestClock(), writer: new RecordingWriter((line) => lines.push(line), kind) }
  }

  it('passes unchanged, and can be played again', async () => {
    const { lines, clock, writer } = start()
    const source = async function* (): AsyncGenerator<string> {
      yield 'a'
      clock.time += 20
      yield 'b'
      clock.time += 5
    }
    expect(await collect(record(source(), writer, clock))).toEqual(['a', 'b'])
    expect(lines.slice(1)).toEqual(['[0,"a"]\n', '[20,"b"]\n', '[25,{"end":"finished"}]\n'])
    expect(await collect(replay(parseRecording(lines), { speed: 'instant' }))).toEqual(['a', 'b'])
  })

  it('may be a web stream of bytes', async () => {
    const { lines, clock, writer } = start('bytes')
    const message = await sluice(record(new Blob(['hé']).stream(), writer, clock)).message()
    expect(message.text).toBe('hé')
    expect(lines.slice(1)).toEqual(['[0,"hé"]\n', '[0,{"end":"finished"}]\n'])
  })

  it('may be events', async () => {
    const { lines, clock, writer } = start('events')
    await collect(record(sluice('a'), writer, clock))
    const text = (await collect(replay(parseRecording(lines), { speed: 'instant' }))).map(
      (event) => (event as { type: string }).type,
    )
    expect(text).toEqual(['text-start', 'text-delta', 'text-end', 'finish'])
  })

  it('that fails says so in the recording and to its reader', async () => {
    const { lines, clock, writer } = start()
    const source = async function* (): AsyncGenerator<string> {
      yield 'a'
      throw new Error('socket hang up')
    }
    await expect(collect(record(source(), writer, clock))).rejects.toThrow('socket hang up')
    expect(lines.slice(1)).toEqual(['[0,"a"]\n', '[0,{"end":"failed","error":"socket hang up"}]\n'])
  })

  it('that is left is cancelled, and the recording says so', async () => {
    const { lines, clock, writer } = start()
    let isCancelled = false
    const source = new ReadableStream<string>({
      pull: (controller) => controller.enqueue('a'),
      cancel: () => {
        isCancelled = true
      },
    })
    for await (const _chunk of record(source, writer, clock)) break
    expect(isCancelled).toBe(true)
    expect(lines.slice(1)).toEqual(['[0,"a"]\n', '[0,{"end":"interrupted"}]\n'])
  })

  it('must be a stream', () => {
    expect(() => record(7 as never, start().writer)).toThrow(
      expect.objectContaining({ code: 'invalid-source' }),
    )
  })
})
