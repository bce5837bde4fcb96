/**
 * Typed JSON brought to the types its schema wants, at the moment a call becomes an invocation.
 *
 * Models write `{"days": "2"}` where `days` is an integer, or a list as a text of JSON. What is meant is
 * plain, and nothing is done where it is not: each rule needs that the schema refuses the value, and that the
 * result is of a kind the schema accepts. Every change is reported.
 */

import type { JsonValue } from '../../base/event.ts'
import { checkOptions, type KnownOptions } from '../../base/options.ts'
import { Path } from '../../base/path.ts'
import { withNumbersOf } from '../numbers/written.ts'
import { readText } from './coerce-text.ts'
import {
  isSchemaObject,
  type JsonSchema,
  type JsonSchemaMap,
  type JsonSchemaObject,
  list,
  resolve,
} from './json-schema.ts'
import { type JsonObject, setOwn } from './json-values.ts'
import { ARRAY, BOOLEAN, kindOfValue, NULL, STRING, UNKNOWN } from './kinds.ts'
import { KnownSchemas } from './known.ts'
import { readWithBigInts } from './lost-numbers.ts'
import { Patterns } from './pattern.ts'
import type { StandardIssue } from './standard.ts'
import { checkWithin, FORMAT_OPTIONS, type FormatOptions } from './validate.ts'

/** Options of `coerceValue`. */
export interface CoerceValueOptions {
  /** The schema that `$ref`s refer into. Default: the schema itself. */
  readonly root?: JsonSchema | undefined
  /** Reads an object or array that is not quite JSON; undefined when it cannot. */
  readonly relaxed?: ((text: string) => JsonValue | undefined) | undefined
  /** Integers beyond 2^53 become bigints where text is read as a number, a list or an object. Default false. */
  readonly bigint?: boolean | undefined
  /** Whether a value that does not have its `format` is right. Default `ignore`: it is. */
  readonly format?: FormatOptions['format']
}

const OPTIONS: KnownOptions<CoerceValueOptions> = {
  root: 'any',
  relaxed: 'function',
  bigint: 'boolean',
  format: FORMAT_OPTIONS.format,
}

/** One value that was changed. */
export interface Change {
  /** Where: a JSON pointer into the result. */
  readonly path: string
  readonly from: JsonValue
  /** Not there where a property was left out. */
  readonly to?: JsonValue
  /** `key`: the key was changed, not its value. Only in structured output. */
  readonly of?: 'key'
}

/** The answer of `coerceValue`: the value, and every change. */
export interface CoercedValue {
  readonly value: JsonValue
  readonly changes: readonly Change[]
}

/** Values in values and unions in unions; what lies deeper is left as it is. */
const MAX_DEPTH = 256
/** Looks at one value with one schema; when they are used up, the rest is left as it is. */
const MAX_STEPS = 100_000
/** Unions inside unions whose members are all tried. */
const MAX_UNIONS = 3

/**
 * Brings a value to the types of its schema. The value itself is never changed: what is the same is
 * shared, what is not is new.
 *
 *     coerceValue({ days: '2' }, { properties: { days: { type: 'integer' } } })
 *     // { value: { days: 2 }, changes: [{ path: '/days', from: '2', to: 2 }] }
 */
export function coerceValue(
  value: JsonValue,
  schema: JsonSchema,
  options: CoerceValueOptions = {},
): CoercedValue {
  checkOptions(options, OPTIONS)
  const { root = schema, format } = options
  // Of a value that is right nothing is changed, although a part of it may be wrong in one of several forms.
  const { outcome } = checkWithin(MAX_STEPS, value, schema, new KnownSchemas(root), new Patterns(), format)
  if (outcome === 'valid') return { value, changes: [] }
  const coercion = new Coercion(root, options)
  const coerced = coercion.coerce(value, schema, Path.root)
  return { value: coerced, changes: coercion.changes as Change[] }
}

/** What is understood beyond JSON Schema's own values, such as `In Progress` for `in_progress`. */
export interface Leniency {
  /** A value as one of the wanted kinds, or itself where it must stay. `strict`: what the strict rules make of it. */
  convert(value: JsonValue, wanted: number, strict: JsonValue | undefined): JsonValue | undefined
  /** The constant that a text means. */
  constant(text: string, constants: readonly unknown[]): string | undefined
  /** An object under the names that its schema declares, without what it does not. */
  named(value: JsonObject, schema: JsonSchema, path: Path): JsonObject
}

/** What a lenient coercion finds beside changes, in their list, so that it is taken back with them. */
export interface Remark {
  /** A value that is not in the result, and that the schema's library is asked about all the same. */
  readonly hidden?: {
    readonly path: Path
    readonly value: JsonValue
    /** The schema of its object has no such key; otherwise it does not fit its own schema. */
    readonly isUndeclared: boolean
  }
  /** Why the value cannot be accepted. */
  readonly issue?: StandardIssue
}

export class Coercion {
  readonly changes: (Change | Remark)[] = []
  readonly known: KnownSchemas
  private readonly lenient: Leniency | undefined
  private readonly bases = new WeakMap<JsonSchemaObject, JsonSchemaObject>()
  private readonly options: CoerceValueOptions
  private readonly patterns = new Patterns()
  /** May be set to 0 for another value. */
  steps = 0
  private depth = 0
  /** How deep in unions of unions: each level tries all members of the next. */
  private unions = 0

  constructor(root: JsonSchema, options: CoerceValueOptions, lenient?: Leniency) {
    this.known = new KnownSchemas(root)
    this.options = options
    this.lenient = lenient
  }

  coerce(value: JsonValue, schema: JsonSchema, path: Path): JsonValue {
    if (this.depth >= MAX_DEPTH || ++this.steps > MAX_STEPS) return value
    const resolved = resolve(schema, this.known.root)
    if (!isSchemaObject(resolved)) return value
    const base = this.withoutUnion(resolved)
    this.depth++
    let coerced = this.coerceInside(this.coerceKind(value, base, path), base, path)
    if (base !== resolved) coerced = this.coerceUnion(coerced, resolved, path)
    this.depth--
    return coerced
  }

  /** The schema itself, if there is no union in it. */
  private withoutUnion(schema: JsonSchemaObject): JsonSchemaObject {
    if (schema.anyOf === undefined && schema.oneOf === undefined) return schema
    const known = this.bases.get(schema)
    if (known !== undefined) return known
    const { anyOf: _, oneOf: __, ...base } = schema
    this.bases.set(schema, base)
    return base
  }

  private change(path: Path, from: JsonValue, to: JsonValue): JsonValue {
    this.changes.push({ path: path.pointer, from, to })
    return to
  }

  // ── unions ─────────────────────────────────────────────────────────────────────────────────────

  /**
   * A value that is right stays; otherwise it becomes the first member it can be brought to, of another
   * kind only if no member is for values of its kind. Where it can be brought to none, it is read as the
   * only member for values of its kind, if there is only one.
   */
  private coerceUnion(value: JsonValue, schema: JsonSchemaObject, path: Path): JsonValue {
    const members = [...list(schema.anyOf), ...list(schema.oneOf)] as JsonSchema[]
    if (this.isValid(value, schema)) {
      const member = this.lenient && members.find((one) => this.isValid(value, one))
      return member === undefined ? value : this.coerce(value, member, path)
    }
    const ofItsKind = members.filter((member) => (this.known.kindsOf(member) & kindOfValue(value)) !== 0)
    // What it is to all members together: `"1"` is a number where one may stand, and only otherwise a boolean.
    // Members that name their values, such as `auto`, are not for all values of a kind.
    const scalar = ofItsKind.every((member) => this.namesValues(member))
      ? this.convertScalar(value, schema, this.known.kindsOf(schema))
      : undefined
    if (scalar !== undefined && this.isValid(scalar, schema))
      return this.coerceUnion(this.change(path, value, scalar), schema, path)
    if (this.unions < MAX_UNIONS) {
      this.unions++
      const reached = this.firstReached(value, ofItsKind.length > 0 ? ofItsKind : members, schema, path)
      this.unions--
      if (reached !== undefined) return this.coerceUnion(reached, schema, path)
    }
    return ofItsKind.length === 1 ? this.coerce(value, ofItsKind[0]!, path) : value
  }

  private namesValues(member: JsonSchema): boolean {
    const resolved = resolve(member, this.known.root)
    return isSchemaObject(resolved) && this.known.constantsOf(resolved) !== null
  }

  private firstReached(
    value: JsonValue,
    members: readonly JsonSchema[],
    schema: JsonSchema,
    path: Path,
  ): JsonValue | undefined {
    const changesBefore = this.changes.length
    for (const member of members) {
      const coerced = this.coerce(value, member, path)
      if (coerced !== value && this.isValid(coerced, schema)) return coerced
      this.changes.length = changesBefore
    }
    return undefined
  }

  private isValid(value: JsonValue, schema: JsonSchema): boolean {
    return this.outcomeOf(value, schema) === 'valid'
  }

  outcomeOf(value: JsonValue, schema: JsonSchema): 'valid' | 'invalid' | 'unknown' {
    const { known, patterns, options } = this
    const checked = checkWithin(MAX_STEPS - this.steps, value, schema, known, patterns, options.format)
    this.steps += checked.steps
    return checked.outcome
  }

  // ── the value itself ───────────────────────────────────────────────────────────────────────────

  private coerceKind(value: JsonValue, schema: JsonSchemaObject, path: Path): JsonValue {
    const wanted = this.known.kindsOf(schema)
    // A schema without a type is about one kind of value, and accepts the others.
    const isRefused =
      (wanted & kindOfValue(value)) === 0 &&
      (schema.type !== undefined || this.outcomeOf(value, schema) === 'invalid')
    const converted = isRefused ? this.convert(value, schema, wanted) : value
    const meant = converted === undefined ? value : this.meantConstant(converted, schema)
    return meant === value ? value : this.change(path, value, meant)
  }

  /** ` celsius ` is the `celsius` of the enum. */
  private meantConstant(value: JsonValue, schema: JsonSchemaObject): JsonValue {
    if (typeof value !== 'string') return value
    const constants = this.known.constantsOf(schema)
    const trimmed = value.trim()
    if (constants === null || constants.has(value)) return value
    return constants.has(trimmed) ? trimmed : (this.lenient?.constant(value, constants.all) ?? value)
  }

  /** The value as a kind that is wanted, or undefined where that would be a guess. */
  private convert(value: JsonValue, schema: JsonSchema, wanted: number): JsonValue | undefined {
    let scalar = this.convertScalar(value, schema, wanted)
    if (this.lenient !== undefined) scalar = this.lenient.convert(value, wanted, scalar)
    if (scalar !== undefined || (wanted & ARRAY) === 0) return scalar
    return this.asList(value, this.known.itemOf(schema, 0) ?? true)
  }

  private convertScalar(value: JsonValue, schema: JsonSchema, wanted: number): JsonValue | undefined {
    if (typeof value === 'string') {
      const texts = () => this.known.textsOf(schema)
      const { relaxed, bigint } = this.options
      const { value: read, coerced, json } = readText(value, wanted, texts, { relaxed })
      if (bigint && json !== undefined) return readWithBigInts(json)
      return coerced ? read : undefined
    }
    const isBooleanWanted = (wanted & ~NULL) === BOOLEAN
    if (isBooleanWanted && (value === 0 || value === 1)) return value === 1
    // `3.10` and `3.1` are one number, and `12345678901234567890` has more digits than a number keeps.
    const isText = typeof value === 'boolean' || Number.isSafeInteger(value) || typeof value === 'bigint'
    if ((wanted & STRING) !== 0 && isText) return String(value)
    // A list of one, where one was wanted.
    if (!Array.isArray(value) || value.length !== 1) return undefined
    const only = value[0]!
    const isScalar = typeof only !== 'object' && (kindOfValue(only) & wanted) !== 0
    return isScalar ? only : undefined
  }

  /** A list that was written as an object, or without the list around its only item. */
  private asList(value: JsonValue, items: JsonSchema): JsonValue[] | undefined {
    if (value === null || Array.isArray(value)) return undefined
    if (typeof value === 'object' && this.known.propertyOf(items, 'item') === undefined) {
      const list = listIn(value)
      if (list !== undefined) return list
    }
    if (typeof value === 'string' && (value.trim() === '' || '[{'.includes(value.trim()[0]!)))
      return undefined
    const wanted = this.known.kindsOf(items)
    const isItem =
      (wanted & kindOfValue(value)) !== 0 || this.convertScalar(value, items, wanted) !== undefined
    return isItem && (wanted !== UNKNOWN || typeof value !== 'object') ? [value] : undefined
  }

  // ── what it holds ──────────────────────────────────────────────────────────────────────────────

  private coerceInside(value: JsonValue, schema: JsonSchemaObject, path: Path): JsonValue {
    if (typeof value !== 'object' || value === null) return value
    return Array.isArray(value)
      ? this.coerceItems(value, schema, path)
      : this.coerceProperties(value, schema, path)
  }

  private coerceItems(value: JsonValue[], schema: JsonSchema, path: Path): JsonValue[] {
    let coerced = value
    for (let index = 0; index < value.length; index++) {
      const items = this.known.itemOf(schema, index)
      if (items === undefined) continue
      const item = this.coerce(value[index]!, items, path.child(index))
      if (item === value[index]) continue
      if (coerced === value) coerced = withNumbersOf(value, [...value])
      coerced[index] = item
    }
    return coerced
  }

  private coerceProperties(written: JsonObject, schema: JsonSchema, path: Path): JsonObject {
    const value = this.lenient?.named(written, schema, path) ?? written
    let coerced = value
    for (const key of Object.keys(value)) {
      const inner = this.coerceProperty(value[key]!, schema, path.child(key))
      if (inner === value[key]) continue
      if (coerced === value) coerced = withNumbersOf(value, { ...value })
      if (inner === undefined) delete coerced[key]
      else setOwn(coerced, key, inner)
    }
    return coerced
  }

  /** One property of an object with this schema; undefined where it is left out. */
  coerceProperty(value: JsonValue, schema: JsonSchema, path: Path): JsonValue | undefined {
    const key = path.key as string
    const property = this.propertyOf(schema, key)
    if (property === undefined) return value
    const inner = this.coerce(value, property, path)
    const isLeftOut =
      inner === null &&
      !list((schema as JsonSchemaObject).required).includes(key) &&
      this.outcomeOf(inner, property) === 'invalid'
    if (!isLeftOut) return inner
    this.changes.push({ path: path.pointer, from: value })
    return undefined
  }

  /** What the schema says about a key: where it is not declared, what the first pattern says that it matches. */
  propertyOf(schema: JsonSchema, key: string): JsonSchema | undefined {
    const { properties, patternProperties } = isSchemaObject(schema) ? schema : {}
    const isDeclared = isSchemaObject(properties) && Object.hasOwn(properties, key)
    if (isSchemaObject(patternProperties) && !isDeclared)
      for (const [pattern, property] of Object.entries(patternProperties as JsonSchemaMap))
        if (this.patterns.matches(pattern, key)) return property
    return this.known.propertyOf(schema, key)
  }
}

/** `{"item": […]}` and `{"0": …, "1": …}` are lists, as models that were taught XML write them. */
function listIn(value: JsonObject): JsonValue[] | undefined {
  const keys = Object.keys(value)
  if (keys.length === 1 && keys[0] === 'item') return Array.isArray(value.item) ? value.item : [value.item!]
  // Keys that are indices come first and in order, whatever order they were written in.
  const isNumbered = keys.length > 0 && keys.every((key, index) => key === String(index))
  return isNumbered ? Object.values(value) : undefined
}
