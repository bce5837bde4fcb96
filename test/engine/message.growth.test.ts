import { describe, expect, test } from 'vitest'
import type { SluiceEvent } from '../../src/base/event.ts'
import { MessageFold } from '../../src/engine/message.ts'
import { growthOf, MOST_GROWTH } from '../growth.ts'

const growing = (
  start: readonly SluiceEvent[],
  delta: SluiceEvent,
): ((length: number) => Iterable<SluiceEvent>) =>
  function* (length) {
    yield* start
    for (let at = 0; at < length; at++) yield delta
  }

const START: SluiceEvent = { type: 'tool-input-start', id: 'a', toolName: 'write_file' }

const CASES: readonly [string, (length: number) => Iterable<SluiceEvent>][] = [
  ['text', growing([], { type: 'text-delta', id: 't', delta: 'word ' })],
  [
    'an argument, as JSON text',
    growing([START, { type: 'tool-input-delta', id: 'a', delta: '{"path":"a.ts","content":"' }], {
      type: 'tool-input-delta',
      id: 'a',
      delta: 'word',
    }),
  ],
  [
    'an argument, by its path',
    growing([START, { type: 'argument-start', id: 'a', path: ['content'], kind: 'string' }], {
      type: 'argument-delta',
      id: 'a',
      path: ['content'],
      delta: 'word',
    }),
  ],
]

describe('The work for a message that is read after every event grows with the length of', () => {
  test.each(CASES)('%s', async (_, events) => {
    const work = (length: number): void => {
      const fold = new MessageFold()
      let read = 0
      for (const event of events(length)) {
        fold.add(event)
        read += fold.message().parts.length
      }
      if (read === 0) throw new Error('Nothing was read.')
    }
    expect(await growthOf(work, 50_000)).toBeLessThan(MOST_GROWTH)
  })
})
