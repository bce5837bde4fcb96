import { expect, test } from 'vitest'
import { ALL } from '../../src/dialects/all.ts'
import { callGrammar } from '../../src/grammar/index.ts'
import type { Part } from '../../src/part.ts'
import { GRAMMAR_TOOLS, problemOfMessage, problemOfWalks } from './laws.ts'

test.each(ALL)('whatever the grammar of $name allows is read as complete calls that fit', (dialect) => {
  for (const toolChoice of ['required', 'auto', 'none'] as const)
    expect(problemOfWalks(dialect, { toolChoice }, 20)).toBeUndefined()
  if (dialect.reasoning.length > 0)
    expect(problemOfWalks(dialect, { start: 'reasoning' }, 10)).toBeUndefined()
})

const CALLS: readonly Part[] = [
  { type: 'call', toolName: 'get_weather', input: { city: 'São Paulo', days: 2 } },
  {
    type: 'call',
    toolName: 'search',
    input: { query: 'a "b" <c>\n', kind: 'some', exact: false, most: null },
  },
  { type: 'call', toolName: 'plot', input: { points: [{ x: 1.5 }, { x: -2, label: '' }], title: 'two' } },
  { type: 'call', toolName: 'ping', input: {} },
]

test.each(ALL)('the grammar of $name accepts what the dialect writes', (dialect) => {
  const grammar = callGrammar({ dialect, tools: GRAMMAR_TOOLS, toolChoice: 'required' })
  const messages = [...CALLS.map((call) => [call]), CALLS.slice(0, 2), CALLS]
  expect(messages.map((parts) => problemOfMessage(grammar, dialect, parts))).toEqual(
    messages.map(() => undefined),
  )
})
