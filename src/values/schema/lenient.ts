/**
 * What models write in structured output where only one thing can be meant: `Severity` for the key `severity`, `In Progress`
 * for the constant `in_progress`, `yes` for true, and by option `$1,200.50` for 1200.5.
 */

import type { JsonValue } from '../../base/event.ts'
import type { Path } from '../../base/path.ts'
import { isHeld } from '../numbers/exact.ts'
import type { Coercion, Leniency } from './coerce-value.ts'
import { isSchemaObject, type JsonSchema, type JsonSchemaObject } from './json-schema.ts'
import { type JsonObject, setOwn } from './json-values.ts'
import { ARRAY, BOOLEAN, INTEGER, NULL, NUMBER, OBJECT, STRING } from './kinds.ts'
import type { KnownSchemas } from './known.ts'

export interface LenientOptions {
  /** Numbers may have group separators, a currency or a unit. */
  readonly formatted: boolean
  /** An object may be the only item of a list. */
  readonly unwrap: boolean
}

/** The names that the schema of an object declares. */
interface Names {
  readonly declared: ReadonlySet<string>
  /** By their folded form; null where two have the same. */
  readonly folded: ReadonlyMap<string, string | null>
  /** Whether the schema allows keys that it does not name. */
  readonly isOpen: boolean
}

export class Lenient implements Leniency {
  /** How the number that is coerced was written; `null`: only its value is known, which may not say it. */
  lexeme: string | null | undefined = undefined
  private readonly names = new WeakMap<JsonSchemaObject, Names>()
  private readonly options: LenientOptions
  private known!: KnownSchemas
  private findings!: Coercion['changes']

  constructor(options: LenientOptions) {
    this.options = options
  }

  /** Serves this coercion. */
  join({ known, changes }: Coercion): void {
    this.known = known
    this.findings = changes
  }

  /** The name that a key means; undefined for one that the schema does not declare. */
  nameOf(schema: JsonSchema, key: string): string | undefined {
    const { declared, folded, isOpen } = this.namesIn(schema)
    if (isOpen || declared.has(key)) return key
    return folded.get(fold(key)) ?? undefined
  }

  /** A key has been read as another. */
  renamed(path: Path, key: string): void {
    this.findings.push({ path: path.pointer, from: key, to: path.key, of: 'key' })
  }

  /** Two keys mean the same name. */
  clash(path: Path, key: string): void {
    this.report(path, `is there twice, once as ${JSON.stringify(key)}`)
  }

  /** A value is not shown: the schema of its object does not declare it, or its own does not accept it. */
  hide(path: Path, value: JsonValue, isUndeclared: boolean): void {
    this.findings.push({ hidden: { path, value, isUndeclared } })
  }

  named(value: JsonObject, schema: JsonSchema, path: Path): JsonObject {
    const keys = Object.keys(value)
    if (keys.every((key) => this.nameOf(schema, key) === key)) return value
    const named: JsonObject = {}
    for (const key of keys) {
      const inner = value[key]!
      const name = this.nameOf(schema, key)
      if (name === undefined) {
        this.hide(path.child(key), inner, true)
        continue
      }
      const place = path.child(name)
      if (name !== key && (Object.hasOwn(value, name) || Object.hasOwn(named, name))) {
        this.clash(place, key)
        continue
      }
      if (name !== key) this.renamed(place, key)
      setOwn(named, name, inner)
    }
    return named
  }

  convert(value: JsonValue, wanted: number, strict: JsonValue | undefined): JsonValue | undefined {
    if (typeof value === 'number' && (wanted & STRING) !== 0)
      return this.lexeme === null ? strict : (this.lexeme ?? String(value))
    if (strict !== undefined) return strict
    if (this.options.unwrap && (wanted & OBJECT) !== 0 && Array.isArray(value)) return onlyObject(value)
    if (typeof value !== 'string') return undefined
    // One text for a list is its only item, unless it may be several.
    if ((wanted & ARRAY) !== 0 && /[,;\n]/.test(value)) return value
    if ((wanted & ~NULL) === BOOLEAN && /^\s*(?:yes|no)\s*$/i.test(value)) return /y/i.test(value)
    if (!this.options.formatted || (wanted & NUMBER) === 0 || (wanted & STRING) !== 0) return undefined
    const number = readFormatted(value)
    const isWanted = number !== undefined && ((wanted & NUMBER) !== INTEGER || Number.isInteger(number))
    return isWanted ? number : undefined
  }

  constant(text: string, constants: readonly unknown[]): string | undefined {
    const wanted = fold(text)
    const fitting = constants.filter((one) => typeof one === 'string' && fold(one) === wanted) as string[]
    return fitting.length === 1 ? fitting[0] : undefined
  }

  /** A number would be another one: it has more digits than a number keeps. */
  lose(path: Path, lexeme: string): void {
    this.report(path, `is ${lexeme}, which has more digits than a number keeps`)
  }

  private report(path: Path, message: string): void {
    this.findings.push({ issue: { path: path.keys, message } })
  }

  private namesIn(schema: JsonSchema): Names {
    if (!isSchemaObject(schema)) return ANY
    let names = this.names.get(schema)
    if (names === undefined) {
      names = namesOf(this.known.membersOf(schema))
      this.names.set(schema, names)
    }
    return names
  }
}

const ANY: Names = { declared: new Set(), folded: new Map(), isOpen: true }

function namesOf(members: readonly JsonSchema[]): Names {
  const declared = new Set<string>()
  let isOpen = false
  for (const member of members) {
    if (!isSchemaObject(member)) continue
    const { properties, patternProperties, additionalProperties = false } = member
    if (additionalProperties !== false || patternProperties !== undefined) isOpen = true
    for (const name of Object.keys(isSchemaObject(properties) ? properties : {})) declared.add(name)
  }
  if (declared.size === 0) return ANY
  const folded = new Map<string, string | null>()
  for (const name of declared) folded.set(fold(name), folded.has(fold(name)) ? null : name)
  return { declared, folded, isOpen }
}

/** No name or constant is longer. */
const LONGEST = 256

/** What is the same in `first name`, `First-Name`, `first_name` and `firstName`. */
function fold(text: string): string {
  return text.length > LONGEST ? text : text.toLowerCase().replace(/[\s_-]+/g, '')
}

/** The object that is the only item of a list. */
function onlyObject(value: readonly JsonValue[]): JsonValue | undefined {
  const only = value.length === 1 ? value[0] : null
  return typeof only === 'object' && only !== null && !Array.isArray(only) ? only : undefined
}

/** The parts of `-$1,200.50 USD`: a number with groups of three, or without groups. */
const FORMATTED = new RegExp(
  [
    /^([+-]?)\s*(?:[$€£¥₹]|[A-Z]{3}\s)?\s*([+-]?)/,
    /(?:(\d{1,3}(?:[, '’_\u00a0\u202f]\d{3})+|\d+)(\.\d+)?|(\d{1,3}(?:\.\d{3})+),(\d+))/,
    /\s*([$€£¥₹]|[A-Za-zµ°²³/]{1,12})?$/,
  ]
    .map(({ source }) => source)
    .join(''),
)

/** Words behind a number that are a part of it. */
const MULTIPLIERS =
  /^(?:k|m|b|t|g|bn|mn|tn|mio|mrd|mln|hundred|thousand|million|billion|trillion|dozen|lakh|crore|percent|pct|e)$/i

/** `1,200.5`, `$1,200.50`, `1.200,50` and `1200.5 EUR`; not `1/2`, `3M` or `45%`. */
function readFormatted(text: string): number | undefined {
  const [, before = '', sign = '', english, point = '', other = '', comma, unit = ''] =
    FORMATTED.exec(text.trim()) ?? []
  const whole = english ?? other
  if (whole === '' || (before !== '' && sign !== '') || MULTIPLIERS.test(unit)) return undefined
  const fraction = comma === undefined ? point : `.${comma}`
  const lexeme = `${(before || sign) === '-' ? '-' : ''}${whole.replace(/\D/g, '')}${fraction}`
  const value = Number(lexeme)
  return isHeld(lexeme, value) ? value + 0 : undefined
}
