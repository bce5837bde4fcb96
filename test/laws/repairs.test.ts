/**
 * What a dialect mends is said: each repair is a documented one of a documented class, and most have a diagnostic.
 *
 * @reads docs/verdicts.md docs/json.md
 */

import { readFileSync } from 'node:fs'
import { expect, test } from 'vitest'
import type { Diagnostic, SluiceEvent, ToolCall } from '../../src/base/event.ts'
import { createParser, restoreParser } from '../../src/engine/parser.ts'
import { runs } from '../effort.ts'
import { ENTRIES } from './entries.ts'
import { callsOf, run } from './observe.ts'
import { sampleTexts } from './suite.ts'

const engine = { createParser, restoreParser }

/** The classes that the documentation gives each code. */
const DOCUMENTED = documentedRepairs()

function documentedRepairs(): Map<string, Set<string>> {
  const found = new Map<string, Set<string>>()
  for (const page of ['verdicts.md', 'json.md'])
    for (const line of readFileSync(new URL(`../../docs/${page}`, import.meta.url), 'utf8').split('\n')) {
      const [, codes = '', classes = ''] = line.split(' | ').length > 1 ? line.split('|') : []
      for (const [, code] of codes.matchAll(/`([a-z-]+)`/g))
        for (const [name] of classes.matchAll(/\b(lossless|guess|lossy)\b/g))
          found.set(code!, (found.get(code!) ?? new Set()).add(name))
    }
  return found
}

/** Only the call tells of these: nothing was put right, but what stands before or behind it makes its place doubtful. */
const ONLY_ON_CALL = ['place-uncertain', 'trailing-content']

/** What is not said of a call. */
function silence(call: ToolCall, diagnostics: readonly Diagnostic[]): string[] {
  const { id, status, repairs, span } = call
  if (status === 'complete') return repairs.map(({ code }) => `${code} in a complete call`)
  const unknown = repairs.filter((repair) => !DOCUMENTED.get(repair.code)?.has(repair.class))
  const isAbout = (one: Diagnostic): boolean =>
    one.id === id ||
    (one.span !== undefined && span !== undefined && one.span.start < span.end && one.span.end > span.start)
  const isSaid = repairs.every(({ code }) => ONLY_ON_CALL.includes(code)) || diagnostics.some(isAbout)
  return [
    ...unknown.map((repair) => `${repair.code} is not documented as ${repair.class}`),
    ...(status === 'repaired' && repairs.length === 0 ? ['repaired by nothing'] : []),
    ...(isSaid ? [] : [`no diagnostic of ${repairs.map(({ code }) => code)}`]),
  ]
}

const isDiagnostic = (event: SluiceEvent): event is Diagnostic => event.type === 'diagnostic'

test('each repair is documented, and those of markup have a diagnostic', () => {
  let repaired = 0
  const found = new Map<string, string>()
  for (const entry of ENTRIES)
    for (const text of sampleTexts(entry, runs(100))) {
      const events = run(engine, entry.options, [text])
      const diagnostics = events.filter(isDiagnostic)
      for (const call of callsOf(events)) {
        if (call.status === 'repaired') repaired++
        for (const problem of silence(call, diagnostics)) found.set(problem, `${entry.name}: ${text}`)
      }
    }
  expect(Object.fromEntries(found)).toEqual({})
  expect(repaired).toBeGreaterThan(ENTRIES.length / 2)
})
