/**
 * Fuzzing. `npm test` holds what was found before against the laws, and shows that the fuzzer finds something.
 *
 *     npm run fuzz                                            ten minutes
 *     npm run fuzz -- --minutes 30 --seed 7 --target hermes   longer, with other inputs, only what is named so
 *     npm run fuzz -- --keep                                  also writes the corpus that the next run begins with
 *
 * @reads test/fuzz/finds.jsonl
 */

import { existsSync, readFileSync, writeFileSync } from 'node:fs'
import { describe, expect, test } from 'vitest'
import type { JsonValue } from '../../src/base/event.ts'
import { createParser, restoreParser } from '../../src/engine/parser.ts'
import { SEED } from '../effort.ts'
import { ENTRIES } from '../laws/entries.ts'
import type { Engine } from '../laws/observe.ts'
import { type Find, Fuzzing, judged } from './fuzz.ts'
import { TARGETS } from './targets.ts'
import { dialectTarget, viewTargetNamed } from './text-targets.ts'

const SECONDS = Number(process.env.SLUICE_FUZZ_SECONDS ?? 0)
const ONLY = process.env.SLUICE_FUZZ_TARGET ?? ''
const MUST_KEEP = process.env.SLUICE_FUZZ_KEEP === 'true'

interface Line {
  readonly target: string
  readonly input: JsonValue
}

const file = (name: string): URL => new URL(name, import.meta.url)

/** The lines of a file of inputs. */
function linesOf(name: string): Line[] {
  if (!existsSync(file(name))) return []
  const lines = readFileSync(file(name), 'utf8').split('\n')
  return lines.filter((line) => line !== '').map((line) => JSON.parse(line) as Line)
}

test('what was found before breaks no law', () => {
  for (const { target: name, input } of linesOf('finds.jsonl')) {
    const target = TARGETS.find((one) => one.name === name) ?? viewTargetNamed(name)
    expect(target, `there is no target '${name}'`).toBeDefined()
    expect(judged(target!, input), `${name}: ${JSON.stringify(input)}`).toBeUndefined()
  }
})

describe('a defect is found and made small', () => {
  /** Swallows the last character of a chunk that ends in white space behind a comma. */
  const lossy = (text: string): string => (/,\s$/.test(text) ? text.slice(0, -1) : text)
  const engine: Engine = {
    createParser(options) {
      const parser = createParser(options)
      return {
        ...parser,
        push: (chunk) => parser.push(lossy(chunk)),
        end: (how) => parser.end(how),
      } as typeof parser
    },
    restoreParser,
  }

  test('in text', () => {
    const target = dialectTarget(ENTRIES.find(({ name }) => name === 'hermes')!, engine)
    const fuzzing = new Fuzzing(target, SEED)
    let find: Find | undefined
    for (let step = 0; step < 200 && find === undefined; step++) find = fuzzing.step()
    expect(find?.violation).toBeDefined()
    expect(String(find?.input).length).toBeLessThan(12)
  })
})

/** Inputs that the next run begins with: a few of each target, spread over all that were kept. */
const KEPT_PER_TARGET = 5
const LONGEST_KEPT = 700

function corpusOf(fuzzings: ReadonlyMap<string, Fuzzing>): string {
  const lines = [...fuzzings].flatMap(([target, { kept }]) => {
    const inputs = [...kept.values()].filter((input) => JSON.stringify(input).length <= LONGEST_KEPT)
    const step = Math.max(1, Math.floor(inputs.length / KEPT_PER_TARGET))
    return inputs
      .filter((_, at) => at % step === 0)
      .slice(0, KEPT_PER_TARGET)
      .map((input) => JSON.stringify({ target, input }))
  })
  return `${lines.join('\n')}\n`
}

describe.runIf(SECONDS > 0)('for a long time', () => {
  test(
    'no law is broken',
    () => {
      const until = performance.now() + SECONDS * 1000
      const corpus = linesOf('corpus.jsonl')
      const targets = TARGETS.filter(({ name }) => name.includes(ONLY))
      expect(targets.length, `no target's name holds '${ONLY}'`).toBeGreaterThan(0)
      const finds = new Map<string, Find>()
      const report = (find: Find | undefined): void => {
        if (find === undefined) return
        const key = `${find.target} ${find.violation.slice(0, find.violation.indexOf(':'))}`
        if (finds.has(key)) return
        finds.set(key, find)
        process.stdout.write(
          `${JSON.stringify({ target: find.target, input: find.input })}\n  ${find.violation}\n`,
        )
      }
      const fuzzings = new Map<string, Fuzzing>()
      for (const target of targets) {
        const inputs = corpus.filter((line) => line.target === target.name).map(({ input }) => input)
        for (const input of inputs) {
          const violation = judged(target, input)
          if (violation !== undefined) report({ target: target.name, input, violation })
        }
        fuzzings.set(target.name, new Fuzzing(target, SEED, inputs))
      }
      while (performance.now() < until)
        for (const fuzzing of fuzzings.values()) {
          // Each target has its turn for as long as the others, however long one input takes.
          const turn = performance.now() + 100
          while (performance.now() < turn) report(fuzzing.step())
        }
      const all = [...fuzzings.values()]
      const tried = all.reduce((sum, fuzzing) => sum + fuzzing.tried, 0)
      const kept = all.reduce((sum, fuzzing) => sum + fuzzing.kept.size, 0)
      process.stdout.write(
        `fuzz: ${tried} inputs of ${targets.length} targets, ${kept} kept, ${finds.size} finds, seed ${SEED}\n`,
      )
      if (MUST_KEEP) writeFileSync(file('corpus.jsonl'), corpusOf(fuzzings))
      expect([...finds.keys()], 'each is printed above').toEqual([])
    },
    (SECONDS + 1200) * 1000,
  )
})
