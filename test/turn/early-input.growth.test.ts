import { expect, test } from 'vitest'
import type { SluiceEvent } from '../../src/base/event.ts'
import { runTurn } from '../../src/turn/index.ts'
import { growthOf, MOST_GROWTH } from '../growth.ts'

function* calls(count: number): Generator<SluiceEvent> {
  for (let index = 0; index < count; index++) {
    const call = { id: `c${index}`, toolName: 'go' }
    yield { type: 'tool-input-start', ...call }
    yield { type: 'tool-input-delta', id: call.id, delta: '{"n":1}' }
    yield { type: 'tool-input-end', id: call.id }
    yield { type: 'tool-call', ...call, input: { n: 1 }, status: 'complete', repairs: [] }
  }
  yield { type: 'finish', reason: 'tool-calls' }
}

test('9. a turn whose calls are looked at when they begin takes time in proportion to their number', async () => {
  const growth = await growthOf(async (count) => {
    const inputs: unknown[] = []
    await runTurn({
      model: async function* () {
        yield* calls(count)
      },
      conversation: 'Hi',
      tools: { go: {} },
      onCallStart: ({ input }) => void inputs.push(input),
    })
    expect(inputs.length).toBe(count)
  }, 4000)
  expect(growth).toBeLessThan(MOST_GROWTH)
})
