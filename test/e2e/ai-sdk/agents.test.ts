import * as ai5 from 'ai5'
import { MockLanguageModelV2 } from 'ai5/test'
import * as ai6 from 'ai6'
import { MockLanguageModelV3 } from 'ai6/test'
import { createToolMiddleware } from 'sluice/ai-sdk'
import { expect, test } from 'vitest'
import { USAGE } from '../../views/ai-sdk/models.ts'
import { AGENTS, seeAgents } from './agents.ts'
import { majorOf } from './majors.ts'

const V2_END = { finishReason: 'stop', usage: { inputTokens: 1, outputTokens: 1, totalTokens: 2 } }
const V3_END = { finishReason: { unified: 'stop', raw: 'eos' }, usage: USAGE }

test('there is an agent for each slip', () => {
  expect(AGENTS).toHaveLength(41)
})

test('ai@5: agents finish, although every second call has a slip', async () => {
  expect(
    await seeAgents((dialect) =>
      majorOf(ai5, MockLanguageModelV2, V2_END, createToolMiddleware({ dialect })),
    ),
  ).toEqual([])
})

test('ai@6: agents finish, although every second call has a slip', async () => {
  expect(
    await seeAgents((dialect) =>
      majorOf(ai6, MockLanguageModelV3, V3_END, createToolMiddleware({ dialect })),
    ),
  ).toEqual([])
})
