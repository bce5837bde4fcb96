/** The files that decide whether a call runs, and with which input; and their mutants. */

import { readFileSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import { mutantsOf, type SourceMutant } from './mutants-of.ts'

/** By folder. Where a file is not listed, its mutants have not been looked at one by one yet. */
const FILES: Readonly<Record<string, readonly string[]>> = {
  calls: ['drop-calls', 'prepare', 'verdict'],
  policy: [
    ...['combine', 'digest', 'growing-pattern', 'guard', 'guard-events', 'matcher', 'matchers', 'path-look'],
    ...['path-reader', 'policy', 'rule', 'tool-rules', 'within'],
  ],
}

/** Functions that only word a message. */
const WORDING = [
  ...['explain', 'explainDenial', 'unknownTool', 'failure', 'guesses', 'issueSentence'],
  ...['tailOf', 'valueAt', 'argumentName', 'inWords', 'failureOf', 'failureText'],
]

const ALL = Object.entries(FILES).flatMap(([folder, names]) => names.map((name) => `${folder}/${name}`))

const wanted = process.env.SLUICE_MUTATE ?? ''

export interface DecisiveFile {
  readonly path: string
  readonly text: string
  /** The number of its first mutant. */
  readonly first: number
  readonly mutants: readonly SourceMutant[]
}

const read = (): readonly DecisiveFile[] => {
  let first = 0
  return ALL.filter((name) => name.includes(wanted)).map((name) => {
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
