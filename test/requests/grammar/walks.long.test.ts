import { expect, test } from 'vitest'
import { render } from '../../../src/engine/render.ts'
import { callGrammar } from '../../../src/requests/grammar/index.ts'
import { ENTRIES } from '../../laws/entries.ts'
import {
  GRAMMAR_TOOLS,
  LIMITED_TOOLS,
  MESSAGES,
  problemOfMessage,
  problemOfPrompts,
  problemOfWalks,
} from './laws.ts'

/** The grammar of YAML holds JSON, and not what the dialect writes. */
const DIALECTS = ENTRIES.filter(({ dialect }) => dialect.name !== 'yaml-xml')

test.each(ENTRIES)(
  'whatever the grammar of $name allows is read as complete calls that fit',
  ({ dialect }) => {
    for (const toolChoice of ['required', 'auto', 'none'] as const)
      expect(problemOfWalks(dialect, { toolChoice }, 20)).toBeUndefined()
    expect(problemOfWalks(dialect, { toolChoice: 'required' }, 10, LIMITED_TOOLS)).toBeUndefined()
    if (dialect.reasoning.length > 0)
      expect(problemOfWalks(dialect, { start: 'reasoning' }, 10)).toBeUndefined()
  },
)

test.each(DIALECTS)('the grammar of $name accepts what the dialect writes', ({ dialect }) => {
  const grammar = callGrammar({ dialect, tools: GRAMMAR_TOOLS, toolChoice: 'required' })
  expect(MESSAGES.map((parts) => problemOfMessage(grammar, dialect, parts))).toEqual(
    MESSAGES.map(() => undefined),
  )
})

test.each(DIALECTS)('the grammar of $name goes on wherever the prompt ends', ({ dialect }) => {
  const grammar = callGrammar({ dialect, tools: GRAMMAR_TOOLS })
  const text = render(MESSAGES.at(-2)!, { dialect, tools: GRAMMAR_TOOLS })
  expect(problemOfPrompts(grammar, text, 19)).toBeUndefined()
})
