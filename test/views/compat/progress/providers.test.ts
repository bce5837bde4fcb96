import { readFileSync } from 'node:fs'
import { expect, test } from 'vitest'
import { createGuard, createPolicy, equals, type GuardDecision } from '../../../../src/turn/policy/index.ts'
import {
  createProgressView,
  type ToolCallArgumentProgress,
} from '../../../../src/views/compat/progress/index.ts'
import { eventsOf } from '../../../providers/told.ts'

/** The same message, as these providers send it. */
const STREAMS = [
  'openai-chat.sse',
  'openai-responses.sse',
  'anthropic.sse',
  'gemini.sse',
  'cohere.sse',
  'ollama.ndjson',
]

const EMIT = { json: false, arguments: true }

test.each(STREAMS)('arguments are told, and decided about, in a stream of %s', (name) => {
  const stream = readFileSync(new URL(`../../../providers/fixtures/${name}`, import.meta.url))
  const told: ToolCallArgumentProgress[] = []
  const decisions: GuardDecision[] = []
  const view = createProgressView((progress) => told.push(progress))
  const policy = createPolicy({
    rules: [{ at: '/city', is: equals('Oslo'), decision: 'deny' }],
    otherwise: 'allow',
  })
  const guard = createGuard({ policy, emit() {}, onDecision: (decision) => decisions.push(decision) })
  for (const event of eventsOf([stream], { emit: EMIT })) {
    view.add(event)
    guard.add(event)
  }
  const pairs = told.map((one) => (one.type === 'ArgumentParsed' ? [one.toolCallId, one.key, one.value] : []))
  expect(pairs.filter(([id]) => id === 'call_paris')).toEqual([
    ['call_paris', 'city', 'Paris'],
    ['call_paris', 'days', 2],
  ])
  expect(pairs.filter(([id]) => id === 'call_oslo')).toEqual([
    ['call_oslo', 'city', 'Oslo'],
    ['call_oslo', 'days', 1],
  ])
  expect(decisions.filter(({ isFinal }) => isFinal).map(({ id, decision }) => [id, decision])).toEqual(
    expect.arrayContaining([
      ['call_paris', 'allow'],
      ['call_oslo', 'deny'],
    ]),
  )
})
