import { expect, test } from 'vitest'
import { ALL } from '../../src/dialects/all.ts'
import { problemOfWalks } from './laws.ts'

test.each(ALL)('whatever the grammar of $name allows is read as complete calls that fit', (dialect) => {
  for (const toolChoice of ['required', 'auto', 'none'] as const)
    expect(problemOfWalks(dialect, { toolChoice }, 20)).toBeUndefined()
  if (dialect.reasoning.length > 0)
    expect(problemOfWalks(dialect, { start: 'reasoning' }, 10)).toBeUndefined()
})
