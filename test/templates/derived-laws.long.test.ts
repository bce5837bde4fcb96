import { deriveDialect } from '../../src/templates/index.ts'
import { entryOf } from '../laws/entries.ts'
import { testLaws } from '../laws/suite.ts'
import { UNKNOWN_FORMATS } from './unknown-formats.ts'

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
]

testLaws(
  FAMILIES.map((name) => {
    const { template } = UNKNOWN_FORMATS.find((format) => format.name === name)!
    return entryOf(deriveDialect(template).dialect, `${name}, derived`)
  }),
)
