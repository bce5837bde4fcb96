import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import type { JsonValue } from '../../../src/base/event.ts'
import { keysOf, type Path } from '../../../src/base/path.ts'
import type { Hold, ObjectOptions } from '../../../src/values/json/index.ts'
import { conclude, isThere } from '../../../src/values/json/reading.ts'
import { TypedReading } from '../../../src/values/json/typed/typed-reading.ts'
import type { JsonSchema } from '../../../src/values/schema/json-schema.ts'
import { validate } from '../../../src/values/schema/validate.ts'
import { runs, SEED } from '../../effort.ts'
import { exampleOf, pick, schemas } from './example-schemas.ts'
import { cutAt, randomFrom, sizes } from './texts.ts'

/** A value as a model writes it, who slips at every place with this probability. */
function write(value: JsonValue, random: () => number, slip: number): string {
  const slips = () => random() < slip
  const space = () => pick(random, ['', ' ', '\n  '])
  if (Array.isArray(value)) {
    const items = value.map((item) => space() + write(item, random, slip))
    if (slips() && items.length === 1) return items[0]!
    return `[${items.join(',')}${slips() && items.length > 0 ? ',' : ''}]`
  }
  if (typeof value === 'object' && value !== null) {
    const members = Object.entries(value).map(([key, inner]) => {
      const name = slips() ? pick(random, [key.toUpperCase(), key.replace(/_| /g, '-'), `${key}s`]) : key
      const quoted = slips() && /^[A-Za-z]+$/.test(name) ? name : `"${name}"`
      return `${space()}${quoted}:${space()}${write(inner, random, slip)}`
    })
    if (slips())
      members.push(`"colour": ${write(pick<JsonValue>(random, [1, 'red', { a: [1] }]), random, 0)}`)
    const text = `{${members.join(',')}}`
    return slips() ? JSON.stringify(text) : text
  }
  const text = JSON.stringify(value)
  if (!slips()) return text
  if (typeof value !== 'string') return pick(random, [`"${text}"`, 'null', `[${text}]`, '"yes"'])
  return pick(random, [`"${value}"`, text.toUpperCase(), value, `'${value}'`, 'null', `[${text}]`, '3'])
}

/** A text, and what is done to it: cut off, or a piece is dropped or doubled. */
function edit(text: string, random: () => number): string {
  const at = Math.floor(random() * text.length)
  const end = at + Math.floor(random() * 5)
  return pick(random, [
    text,
    text,
    text.slice(0, at),
    text.slice(0, at) + text.slice(end),
    text.slice(0, end) + text.slice(at),
    `Sure:\n${text} and so on`,
    `[${text}]`,
    `{"answer": ${text}}`,
  ])
}

const options: fc.Arbitrary<ObjectOptions> = fc.record(
  {
    hold: fc.subarray<Hold>(['string', 'object', 'array', '/title', '/*', '/*/*', '/first_name/0']),
    numbers: fc.constantFrom('plain' as const, 'formatted' as const),
    unwrap: fc.boolean(),
  },
  { requiredKeys: [] },
)

interface Moment {
  readonly value: JsonValue | undefined
  readonly open: Path | null
  readonly completed: readonly Path[]
}

function read(schema: JsonSchema, chunks: readonly string[], reading: ObjectOptions) {
  const typed = new TypedReading(schema, reading)
  const moments: Moment[] = []
  const look = () => {
    const { shown, progress } = typed
    moments.push({ value: shown.snapshot(), open: shown.openPath, completed: progress.take() })
  }
  for (const chunk of chunks) {
    typed.push(chunk)
    look()
  }
  typed.end()
  look()
  const result = conclude(typed, {
    '~standard': {
      version: 1,
      vendor: 'test',
      validate(value) {
        const issues = validate(value as JsonValue, schema)
        return issues.length === 0
          ? { value }
          : { issues: issues.map(({ message, path }) => ({ message, path: keysOf(path) })) }
      },
    },
  })
  if ('then' in result) throw new Error('it is synchronous')
  return { moments, result }
}

/** Whether `early` can have become `late`: strings grow at their ends, the rest only gains. */
function isBeginning(early: JsonValue | undefined, late: JsonValue | undefined): boolean {
  if (early === undefined) return true
  if (typeof early === 'string') return typeof late === 'string' && late.startsWith(early)
  if (typeof early !== 'object' || early === null) return early === late
  if (typeof late !== 'object' || late === null || Array.isArray(early) !== Array.isArray(late)) return false
  const whole = late as Record<string, JsonValue>
  return Object.entries(early).every(
    ([name, it]) => Object.hasOwn(whole, name) && isBeginning(it, whole[name]),
  )
}

/** Whether a growing value is of the type that the schema describes: only members, items and ends of texts are missing. */
function isGrowing(value: JsonValue, schema: JsonSchema): boolean {
  if (typeof schema === 'boolean') return schema
  const { type, anyOf, properties, items, additionalProperties, enum: constants } = schema
  if (anyOf !== undefined) return anyOf.some((member) => isGrowing(value, member))
  if (constants !== undefined) return constants.includes(value)
  const kind =
    value === null
      ? 'null'
      : Array.isArray(value)
        ? 'array'
        : Number.isInteger(value)
          ? 'integer'
          : typeof value
  const kinds = type === undefined ? [kind] : typeof type === 'string' ? [type] : type
  if (!kinds.includes(kind) && !(kind === 'integer' && kinds.includes('number'))) return false
  if (Array.isArray(value)) return value.every((item) => isGrowing(item, (items as JsonSchema) ?? {}))
  if (typeof value !== 'object' || value === null) return true
  return Object.entries(value).every(([key, inner]) => {
    const declared = properties !== undefined && Object.hasOwn(properties, key) ? properties[key] : undefined
    const fallback = properties === undefined ? (additionalProperties ?? {}) : false
    return isGrowing(inner, declared ?? fallback)
  })
}

/** A schema, a text that was written for it, and how it is read. */
const cases = fc.record({ schema: schemas, seed: fc.nat(), slip: fc.constantFrom(0, 0.1, 0.3), options })

function textOf({ schema, seed, slip }: { schema: JsonSchema; seed: number; slip: number }): string {
  const random = randomFrom(seed)
  return edit(write(exampleOf(schema, random), random, slip), random)
}

function law(name: string, full: number, property: fc.IRawProperty<unknown>): void {
  test(name, () => fc.assert(property as fc.IProperty<unknown>, { seed: SEED, numRuns: runs(full) }))
}

describe(`The laws of structured output (seed ${SEED})`, () => {
  law(
    'what was shown never changes, and the result has all of it',
    4000,
    fc.property(cases, (one) => {
      const { moments, result } = read(one.schema, [...textOf(one)], one.options)
      for (const [at, { value }] of moments.entries())
        expect(isBeginning(value, moments[at + 1]?.value ?? moments.at(-1)!.value)).toBe(true)
      if (result.ok) expect(isBeginning(moments.at(-1)!.value, result.value as JsonValue)).toBe(true)
    }),
  )

  law(
    'every snapshot is of the type of the schema',
    4000,
    fc.property(cases, (one) => {
      for (const { value } of read(one.schema, [...textOf(one)], one.options).moments)
        if (value !== undefined) expect(isGrowing(value, one.schema)).toBe(true)
    }),
  )

  law(
    'what is complete is so once, and stays as it is',
    2000,
    fc.property(cases, (one) => {
      const { moments } = read(one.schema, [...textOf(one)], one.options)
      const known = new Set<string>()
      for (const { value, open, completed } of moments)
        for (const path of completed) {
          expect(known.has(path.pointer)).toBe(false)
          known.add(path.pointer)
          expect(isThere(value, path.keys.map(String), open)).toBe(true)
          expect(at(moments.at(-1)!.value, path)).toEqual(at(value, path))
        }
    }),
  )

  law(
    'however the text is cut, the result and what is shown are the same',
    2000,
    fc.property(cases, sizes, (one, cuts) => {
      const text = textOf(one)
      const whole = read(one.schema, [...text], one.options)
      const cut = read(one.schema, cutAt(text, cuts), one.options)
      expect(cut.result).toEqual(whole.result)
      const shown = new Set(whole.moments.map(({ value }) => JSON.stringify(value)))
      for (const { value } of cut.moments) expect(shown).toContain(JSON.stringify(value))
    }),
  )

  law(
    'what is right is read as it is, without a change',
    2000,
    fc.property(schemas, fc.nat(), options, (schema, seed, reading) => {
      const value = exampleOf(schema, randomFrom(seed))
      const { result } = read(schema, [JSON.stringify(value)], { ...reading, unwrapStringified: false })
      expect(result).toEqual({ ok: true, value, status: 'complete', repairs: [], changes: [] })
    }),
  )
})

function at(value: JsonValue | undefined, path: Path): JsonValue | undefined {
  let inner: unknown = value
  for (const key of path) inner = (inner as Record<string | number, unknown>)[key]
  return inner as JsonValue
}
