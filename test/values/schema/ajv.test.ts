/**
 * The same schemas and values given to Ajv: what it refuses is never accepted, what it accepts is never changed, and is
 * refused only for a reason that is listed.
 */

import type { AnySchemaObject, ValidateFunction } from 'ajv'
import { Ajv2020 } from 'ajv/dist/2020.js'
import addFormats from 'ajv-formats'
import { expect, test } from 'vitest'
import type { JsonValue } from '../../../src/base/event.ts'
import { prepareInStep } from '../../../src/engine/calls/prepare.ts'
import { createToolTable } from '../../../src/engine/calls/tools.ts'
import { type JsonSchemaObject, validate } from '../../../src/values/schema/index.ts'
import { runs, SEED } from '../../effort.ts'
import { randomFrom } from '../../requests/grammar/walk.ts'
import { LOOSE_TEXTS, randomSchema, valueFor } from './random-schemas.ts'

const VALUES = 10
/** With the effort of `npm test`, a second. */
const FULL = 10_000
const SCHEMAS = runs(FULL)

interface Pair {
  readonly schema: JsonSchemaObject
  readonly value: JsonValue
}

interface Difference {
  readonly why: string
  readonly is: (pair: Pair) => boolean
}

const holds = ({ schema }: Pair, ...keywords: readonly string[]): boolean =>
  keywords.every((keyword) => JSON.stringify(schema).includes(`"${keyword}":`))

/** `unevaluatedItems` and `unevaluatedProperties` depend on every other keyword. Ajv has defects in these. */
const UNEVALUATED: readonly Difference[] = [
  {
    why: 'Ajv takes no items for evaluated where `contains` has found some, or all.',
    is: (pair) => holds(pair, 'contains', 'unevaluatedItems'),
  },
  {
    why: 'Ajv mixes up what the schemas that do apply have evaluated, and what those have that do not.',
    is: (pair) =>
      (holds(pair, 'unevaluatedItems') || holds(pair, 'unevaluatedProperties')) &&
      ['anyOf', 'oneOf', 'if', 'dependentSchemas'].some((keyword) => holds(pair, keyword)),
  },
]

/** What is accepted although Ajv refuses it. */
const ACCEPTED: readonly Difference[] = [
  ...UNEVALUATED,
  {
    why: 'Ajv divides in floating point, where 0.3 is not a multiple of 0.1.',
    is: (pair) => holds(pair, 'multipleOf') && JSON.stringify(pair.value).includes('0.3'),
  },
]

/** What is refused although Ajv accepts it. */
const REFUSED: readonly Difference[] = [
  ...UNEVALUATED,
  {
    why: 'Ajv does not look at `contains` in a list that ends where `prefixItems` does.',
    is: (pair) => holds(pair, 'contains', 'prefixItems'),
  },
  {
    why: 'Ajv takes more than RFC 3339, 4122 and 1123 do.',
    is: (pair) => holds(pair, 'format') && LOOSE_TEXTS.some((text) => JSON.stringify(pair).includes(text)),
  },
]

test(`schemas and values, the same to Ajv (seed ${SEED})`, () => {
  const counts = { accepted: 0, refused: 0, unanswered: 0, listed: 0 }
  const differences: string[] = []
  for (let seed = SEED; seed < SEED + SCHEMAS; seed++) {
    const random = randomFrom(seed)
    const schema = randomSchema(random)
    const ajv = compiled(schema)
    for (let count = 0; count < VALUES; count++) {
      const value = valueFor(random, schema, schema)
      const expected = answerOf(ajv, value)
      counts[expected]++
      const problem = expected === 'unanswered' ? undefined : problemOf({ schema, value }, expected)
      if (problem === 'listed') counts.listed++
      else if (problem !== undefined)
        differences.push(`${problem}: ${JSON.stringify(value)} of seed ${seed}, ${JSON.stringify(schema)}`)
    }
  }
  expect(differences.slice(0, 3)).toEqual([])
  expect(Math.min(counts.accepted, counts.refused)).toBeGreaterThan(VALUES * SCHEMAS * 0.4)
  expect(counts.unanswered).toBeLessThan(VALUES * SCHEMAS * 0.001)
  expect(counts.listed).toBeLessThan(VALUES * SCHEMAS * 0.005)
})

function compiled(schema: JsonSchemaObject): ValidateFunction {
  const ajv = new Ajv2020({ strict: false, logger: false, validateSchema: false })
  addFormats.default(ajv)
  return ajv.compile(schema as AnySchemaObject)
}

/** Ajv throws for a few schemas with `unevaluatedProperties` in them. */
function answerOf(ajv: ValidateFunction, value: JsonValue): 'accepted' | 'refused' | 'unanswered' {
  try {
    return ajv(value) ? 'accepted' : 'refused'
  } catch {
    return 'unanswered'
  }
}

function problemOf(pair: Pair, expected: 'accepted' | 'refused'): string | undefined {
  const { schema, value } = pair
  const issues = validate(value, schema, { format: 'check' })
  const answer = issues.length === 0 ? 'accepted' : 'refused'
  if (answer !== expected) {
    const listed = answer === 'accepted' ? ACCEPTED : REFUSED
    return listed.some(({ is }) => is(pair))
      ? 'listed'
      : `${answer} ${issues.map(({ path, keyword }) => `${keyword} at ${path}`)}`
  }
  if (expected === 'refused') return undefined
  const call = { ...CALL, input: value }
  const prepared = prepareInStep(call, createToolTable([{ name: 'f', inputSchema: schema }]), {
    format: 'check',
  })
  if (prepared instanceof Promise || !prepared.ok) return value === null ? undefined : 'not prepared'
  return prepared.changes.length > 0 ? `changed ${JSON.stringify(prepared.changes)}` : undefined
}

const CALL = { type: 'tool-call', id: 'c', toolName: 'f', status: 'complete', repairs: [] } as const
