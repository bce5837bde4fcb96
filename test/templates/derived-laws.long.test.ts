import fc from 'fast-check'
import { expect, test } from 'vitest'
import { deriveDialect } from '../../src/templates/index.ts'
import { runs, SEED } from '../effort.ts'
import { entryOf } from '../laws/entries.ts'
import { engineRuns, eventsOf } from '../laws/runs.ts'
import { testLaws } from '../laws/suite.ts'
import { hostileMessage, recipeArbitrary, wronglyRun } from '../laws/trust.ts'
import { UNKNOWN_FORMATS } from './unknown-formats.ts'

const DERIVED = UNKNOWN_FORMATS.map(({ name, template }) =>
  entryOf(deriveDialect(template).dialect, `${name}, derived`),
)

/** One of each family. A bare list is none of them: it can be written only where nothing else is in the message. */
const FAMILIES = [
  'an object between markers',
  'a list of objects',
  'the name as the key',
  'a name and an id, then JSON',
  'a name with a number, then JSON',
  'a key, then its value, in lines',
  'named parameters',
  'elements behind a token',
  'calls of Python between markers',
  'a literal with quotes of its own',
  'markers around text and reasoning, too',
].map((name) => `${name}, derived`)

testLaws(DERIVED.filter(({ name }) => FAMILIES.includes(name)))

test.each(DERIVED)('$name: runs only calls that stood at the top level', (entry) => {
  fc.assert(
    fc.property(recipeArbitrary(entry), (recipe) => {
      const message = hostileMessage(entry, recipe)
      expect(wronglyRun(message, engineRuns(eventsOf(message, 'calls')))).toBeUndefined()
    }),
    { seed: SEED, numRuns: runs(100) },
  )
})
