import * as ai5 from 'ai5'
import { MockLanguageModelV2 } from 'ai5/test'
import * as ai6 from 'ai6'
import { MockLanguageModelV3 } from 'ai6/test'
import { createToolMiddlewareV2, createToolMiddlewareV3, hermesMiddleware } from 'sluice/ai-sdk'
import { hermes } from 'sluice/dialects'
import { describe, expect, test } from 'vitest'
import { USAGE } from '../../views/ai-sdk/models.ts'
import { EXPECTED_OF_FAILED, seeFailed } from './failed-calls.ts'
import { EXPECTED, hearsEarly, majorOf, see } from './majors.ts'
import { EXPECTED_OF_REPAIRS, seeRepairs } from './repairs.ts'

const V2_END = { finishReason: 'stop', usage: { inputTokens: 1, outputTokens: 1, totalTokens: 2 } }
const V3_END = { finishReason: { unified: 'stop', raw: 'eos' }, usage: USAGE }

describe.each([
  ['5', majorOf(ai5, MockLanguageModelV2, V2_END, createToolMiddlewareV2({ dialect: hermes }))],
  ['5, with the middleware for all', majorOf(ai5, MockLanguageModelV2, V2_END, hermesMiddleware)],
  ['6', majorOf(ai6, MockLanguageModelV3, V3_END, createToolMiddlewareV3({ dialect: hermes }))],
  ['6, with the middleware for all', majorOf(ai6, MockLanguageModelV3, V3_END, hermesMiddleware)],
])('ai@%s', (_, major) => {
  test('streams, generates, runs tools over several steps, and runs nothing that was cut off', async () => {
    expect(await see(major)).toEqual(EXPECTED)
  })

  test('hands on an argument before its second half is written', async () => {
    expect(await hearsEarly(major)).toBe(true)
  })

  test('shows a call that failed as failed, and tells the model why', async () => {
    expect(await seeFailed(major)).toEqual(EXPECTED_OF_FAILED)
  })

  test('never runs a call that failed, whatever the schema takes, and lets it be repaired', async () => {
    expect(await seeRepairs(major)).toEqual(EXPECTED_OF_REPAIRS)
  })
})
