/** The files that decide whether a call runs, and with which input; and their mutants. */

import { readFileSync } from 'node:fs'
import { posix } from 'node:path'
import { fileURLToPath } from 'node:url'
import { mutantsOf, type SourceMutant } from './mutants-of.ts'

/** By folder. The others there only word, carry or time what these decide, or are compared with the platform's own. */
const FILES: Readonly<Record<string, readonly string[]>> = {
  'values/numbers': ['exact', 'written'],
  'values/pattern': [
    ...['alphabet', 'automaton', 'backtracker', 'characters', 'places', 'state-machine', 'syntax'],
  ],
  'values/schema': [
    ...['canonical', 'check-patterns', 'coerce-text', 'coerce-value', 'formats', 'json-schema', 'json-text'],
    ...['json-values', 'kinds', 'known', 'lost-numbers', 'pattern', 'standard', 'validate'],
  ],
  'engine/calls': ['drop-calls', 'prepare', 'shown-text', 'verdict'],
  'turn/policy': [
    ...['combine', 'decision', 'digest', 'evaluation', 'growing-pattern', 'guard', 'guard-events', 'matcher'],
    ...['matchers', 'path-look', 'path-reader', 'policy', 'policy-verdict', 'rule', 'standing', 'tool-rules'],
    ...['within'],
  ],
  turn: [
    ...[
      'approvals',
      'ballot',
      'judged-input',
      'message-source',
      'prefilled-model',
      'read-attempt',
      'read-response',
      'reasoning-literals',
    ],
    ...['repeated-refusals', 'resumed-response', 'run-calls', 'tool', 'transcript', 'turn-call', 'turn-loop'],
    ...['unique-ids'],
  ],
}

/** Functions that only word a message. */
const WORDING = [
  ...['explain', 'explainDenial', 'unknownTool', 'failure', 'guessesIn', 'issueSentence'],
  ...[
    'brief',
    'quotesFor',
    'tailOf',
    'valueAt',
    'argumentName',
    'inWords',
    'failureOf',
    'failureText',
    'reasonOf',
  ],
]

const ALL = Object.entries(FILES).flatMap(([folder, names]) => names.map((name) => `${folder}/${name}`))

const wanted = (process.env.SLUICE_MUTATE ?? '').split(',')

export type { SourceMutant }

export interface DecisiveFile {
  readonly path: string
  readonly text: string
  /** The number of its first mutant. */
  readonly first: number
  readonly mutants: readonly SourceMutant[]
}

const read = (): readonly DecisiveFile[] => {
  let first = 0
  return ALL.filter((name) => wanted.some((one) => name.includes(one))).map((name) => {
    const path = fileURLToPath(new URL(`../../src/${name}.ts`, import.meta.url))
    const text = readFileSync(path, 'utf8')
    const mutants = mutantsOf(`${name}.ts`, text, WORDING)
    const file = { path, text, first, mutants }
    first += mutants.length
    return file
  })
}

export const DECISIVE: readonly DecisiveFile[] = read()

export const MUTANTS: readonly SourceMutant[] = DECISIVE.flatMap(({ mutants }) => mutants)

/** The folders with something to look at. */
export const FOLDERS: readonly string[] = [...new Set(MUTANTS.map(({ file }) => posix.dirname(file)))]
