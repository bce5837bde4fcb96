/** How often a model is refused the same. */

import { expect, test } from 'vitest'
import type { ToolCall } from '../../src/base/event.ts'
import { runTurn } from '../../src/turn/index.ts'
import { RepeatedRefusals } from '../../src/turn/repeated-refusals.ts'
import { calling, scripted } from './scripted-model.ts'

const call = (input: ToolCall['input']): ToolCall => ({
  ...{ type: 'tool-call', id: 'x', toolName: 'rm', input, status: 'complete', repairs: [] },
})

test('a round without refusals repeats none', () => {
  expect(new RepeatedRefusals().endRound(0)).toBe(0)
})

test.each<[what: string, isByItself: boolean, counts: number[]]>([
  ['is the same if the checks of the call say the same, whatever its input is', true, [1, 2]],
  ['is another one for another input, if someone else refuses the call', false, [1, 1]],
])('a refusal %s', (_, isByItself, counts) => {
  const refusals = new RepeatedRefusals()
  const counted = [call({ path: 'a' }), call({ path: 'b' })].map((one) => {
    const count = refusals.add(one, 'No.', isByItself)
    refusals.endRound(0)
    return count
  })
  expect(counted).toEqual(counts)
})

test('a tool that runs is no refusal', async () => {
  const { stopReason, rounds } = await runTurn({
    model: scripted(calling('go'), 'End.'),
    conversation: 'Hi',
    tools: { go: { execute: () => 1 } },
    maxRepeatedRefusals: 1,
  })
  expect([stopReason, rounds]).toEqual(['stop', 2])
})
