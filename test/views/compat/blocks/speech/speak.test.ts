import { describe, expect, it } from 'vitest'
import type { SluiceEvent } from '../../../../../src/base/event.ts'
import { functionCalls } from '../../../../../src/dialects/function-calls.ts'
import { parse } from '../../../../../src/engine/message.ts'
import { createParser } from '../../../../../src/engine/parser.ts'
import { sluice } from '../../../../../src/engine/stream.ts'
import { type SpeechTimer, speak, speakSync } from '../../../../../src/views/compat/blocks/index.ts'

const RESPONSE = '<thinking>Hm. Hm.</thinking>One. Two <b>three</b>. Four'

function eventsOf(text: string): SluiceEvent[] {
  const parser = createParser({ dialect: functionCalls })
  return [...parser.push(text), ...parser.end()]
}

async function all<T>(pieces: AsyncIterable<T>): Promise<T[]> {
  const result: T[] = []
  for await (const piece of pieces) result.push(piece)
  return result
}

const delta = (text: string): SluiceEvent => ({ type: 'text-delta', id: 't', delta: text })

describe('speech of events', () => {
  it('is an async iterable over a stream', async () => {
    const stream = sluice([RESPONSE.slice(0, 33), RESPONSE.slice(33)], { dialect: functionCalls })
    expect(await all(speak(stream))).toEqual(['One. ', 'Two <b>three</b>. ', 'Four'])
  })

  it('is an iterable over events that are there', () => {
    expect([...speakSync(eventsOf(RESPONSE))]).toEqual(['One. ', 'Two <b>three</b>. ', 'Four'])
    expect([...speakSync(eventsOf(RESPONSE), { unit: 'clause' })].join('')).toBe(
      parse(RESPONSE, { dialect: functionCalls }).text,
    )
  })

  it('takes events that are there in the async form, too', async () => {
    expect(await all(speak(eventsOf('One. Two.')))).toEqual(['One. ', 'Two.'])
  })

  it('comes while the response comes', async () => {
    const asked: string[] = []
    async function* source(): AsyncGenerator<SluiceEvent> {
      for (const text of ['One. ', 'Two. ', 'Three.']) {
        asked.push(text)
        yield delta(text)
      }
    }
    const pieces = speak(source())
    expect((await pieces.next()).value).toBe('One. ')
    expect(asked).toEqual(['One. '])
  })

  it('lets the source go when its listener leaves', async () => {
    let isLetGo = false
    async function* source(): AsyncGenerator<SluiceEvent> {
      try {
        yield delta('One. ')
        yield delta('Two. ')
      } finally {
        isLetGo = true
      }
    }
    for await (const piece of speak(source())) {
      expect(piece).toBe('One. ')
      break
    }
    expect(isLetGo).toBe(true)
  })

  it('fails where the source fails, after what was said', async () => {
    async function* source(): AsyncGenerator<SluiceEvent> {
      yield delta('One. Two')
      throw new Error('gone')
    }
    const pieces = speak(source())
    expect((await pieces.next()).value).toBe('One. ')
    await expect(pieces.next()).rejects.toThrow('gone')
  })

  it('refuses a pause that is no time', async () => {
    await expect(speak([], { pauseAfter: Number.NaN }).next()).rejects.toThrow(/'pauseAfter' is a number/)
  })
})

describe('a pause in the source', () => {
  /** A clock that stands still until it is told to ring. */
  class Clock {
    readonly set: number[] = []
    ring: () => void = () => {}

    readonly timer: SpeechTimer = (callback, milliseconds) => {
      this.set.push(milliseconds)
      this.ring = callback
      return () => {
        this.ring = () => {}
      }
    }
  }

  /** A promise, and what settles it. */
  function signal(): { wait: Promise<void>; give: () => void } {
    let give = (): void => {}
    const wait = new Promise<void>((resolve) => {
      give = resolve
    })
    return { wait, give }
  }

  it('makes it say what is there, once, and go on when more comes', async () => {
    const clock = new Clock()
    const silence = signal()
    const more = signal()
    async function* source(): AsyncGenerator<SluiceEvent> {
      yield delta('Let me think ab')
      silence.give()
      await more.wait
      yield delta('out it. Yes.')
    }
    const pieces = speak(source(), { pauseAfter: 300, timer: clock.timer })
    const first = pieces.next()
    await silence.wait
    clock.ring()
    expect((await first).value).toBe('Let me think ')
    const second = pieces.next()
    more.give()
    expect((await second).value).toBe('about it. ')
    expect((await pieces.next()).value).toBe('Yes.')
    expect((await pieces.next()).done).toBe(true)
    // For the first event, for the silence, and for the end.
    expect(clock.set).toEqual([300, 300, 300])
  })

  it('sets no clock where nobody asked for one', async () => {
    const clock = new Clock()
    expect(await all(speak(eventsOf('One. Two'), { timer: clock.timer }))).toEqual(['One. ', 'Two'])
    expect(clock.set).toEqual([])
  })
})
