import * as ai5 from 'ai5'
import { MockLanguageModelV2 } from 'ai5/test'
import * as ai6 from 'ai6'
import { MockLanguageModelV3 } from 'ai6/test'
import { createToolMiddleware, type FailureChoices } from 'sluice/ai-sdk'
import { hermes } from 'sluice/dialects'
import { expect, test } from 'vitest'
import { z } from 'zod'
import { USAGE } from '../../views/ai-sdk/models.ts'
import { type Major, majorOf } from './majors.ts'

const V2_END = { finishReason: 'stop', usage: { inputTokens: 1, outputTokens: 1, totalTokens: 2 } }
const V3_END = { finishReason: { unified: 'stop', raw: 'eos' }, usage: USAGE }

type Choice = NonNullable<FailureChoices['malformed']>

const MAJORS: [version: string, open: (malformed: Choice) => Major][] = [
  [
    '5',
    (malformed) =>
      majorOf(
        ai5,
        MockLanguageModelV2,
        V2_END,
        createToolMiddleware({ dialect: hermes, failures: { malformed } }),
      ),
  ],
  [
    '6',
    (malformed) =>
      majorOf(
        ai6,
        MockLanguageModelV3,
        V3_END,
        createToolMiddleware({ dialect: hermes, failures: { malformed } }),
      ),
  ],
]

const BAD = '<tool_call>{"name": "ls", "arguments": {"path": "a", "path": "b"}}</tool_call>'

/** What a choice means for a page, for the call itself, for repairs, and for the loop. */
const CHOICES: [choice: Choice, page: string[], calls: number, repairs: number, steps: number][] = [
  ['text', ['tool-ls output-error', `text ${BAD}`], 0, 0, 1],
  ['drop', ['tool-ls output-error'], 0, 0, 1],
  ['emit', ['tool-ls output-error', 'text Sorry.'], 1, 1, 2],
]

test.each(MAJORS.flatMap(([version, open]) => CHOICES.map((choice) => [version, ...choice, open] as const)))(
  'ai@%s, %s: an announced call that failed is over on the page',
  async (...row) => {
    const [, choice, page, calls, repairs, steps, open] = row
    const major = open(choice)
    const { model, prompts } = major.model([BAD, 'Sorry.'])
    let asked = 0
    const result = major.streamText({
      model: major.wrap(model),
      prompt: 'Go.',
      stopWhen: major.stepCountIs(3),
      tools: { ls: major.tool({ inputSchema: z.object({ path: z.string() }), execute: async () => 'ran' }) },
      experimental_repairToolCall: async () => {
        asked++
        return null
      },
    })
    let parts: readonly { type: string; state?: string; text?: string }[] = []
    for await (const message of major.readUIMessageStream({ stream: result.toUIMessageStream() }))
      parts = message.parts
    expect(
      parts.flatMap(({ type, state, text }) => (type === 'step-start' ? [] : `${type} ${text ?? state}`)),
    ).toEqual(page)
    const [first] = await result.steps
    expect(first!.toolCalls).toHaveLength(calls)
    expect(asked).toBe(repairs)
    expect(prompts).toHaveLength(steps)
  },
)

test.each(
  MAJORS.flatMap(([version, open]) =>
    ['constructor', '__proto__'].map((name) => [version, name, open] as const),
  ),
)('ai@%s: no tool is taken for one because every object has a %s', async (_, name, open) => {
  const major = open('text')
  const { model, prompts } = major.model([
    `<tool_call>{"name": "${name}", "arguments": {}}</tool_call>`,
    'Sorry.',
  ])
  const { steps } = await major.generateText({
    model: major.wrap(model),
    prompt: 'Go.',
    stopWhen: major.stepCountIs(3),
    tools: { ls: major.tool({ inputSchema: z.object({ path: z.string() }), execute: async () => 'ran' }) },
  })
  expect(steps[0]!.toolCalls).toMatchObject([{ toolName: name, invalid: true }])
  expect(prompts).toHaveLength(2)
})
