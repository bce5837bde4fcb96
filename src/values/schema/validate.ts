/** Whether a value is what its schema says, and where it is not. */

import type { JsonValue } from '../../base/event.ts'
import { checkOptions, type KnownOptions } from '../../base/options.ts'
import { Path } from '../../base/path.ts'
import { canonical } from './canonical.ts'
import { FORMATS } from './formats.ts'
import {
  isSchema,
  isSchemaObject,
  type JsonSchema,
  type JsonSchemaObject,
  list,
  resolveRef,
} from './json-schema.ts'
import type { JsonObject } from './json-values.ts'
import { describeKinds, INTEGER, kindOfValue, kindsOfType, NUMBER, STRING, UNKNOWN } from './kinds.ts'
import { KnownSchemas } from './known.ts'
import { Patterns, problemOfPattern } from './pattern.ts'

/** One thing that is not as the schema says. */
export interface Issue {
  /** Where: a JSON pointer into the value; the whole value is the empty string. */
  readonly path: string
  /** A sentence about the value at that place, for people and for the model that wrote it. */
  readonly message: string
  /** The keyword of the schema, or `limit` where checking stopped. */
  readonly keyword: string
}

/** What the keyword `format` asks for. */
export interface FormatOptions {
  /** Whether formats are checked. Default `ignore`, as in JSON Schema. */
  readonly format?: 'ignore' | 'check' | undefined
  /** Called once for each format that is to be checked and is not known. */
  readonly onUnknownFormat?: ((format: string, path: string) => void) | undefined
}

/** Options of `validate`. */
export interface ValidateOptions extends FormatOptions {
  /** The schema that `$ref`s refer into. Default: the schema itself. */
  readonly root?: JsonSchema | undefined
}

export const FORMAT_OPTIONS: KnownOptions<FormatOptions> = {
  format: ['ignore', 'check'],
  onUnknownFormat: 'function',
}

const OPTIONS: KnownOptions<ValidateOptions> = { root: 'any', ...FORMAT_OPTIONS }

/** Schemas and values nested in each other; enough for any value that this library parses. */
const MAX_DEPTH = 512
/** Looks at one value with one schema. A schema that doubles at every step ends here. */
const MAX_STEPS = 1_000_000
const MAX_ISSUES = 100
/** Members of a list that are looked at in the time of one step, characters that are written, patterns that are tried. */
const LOOKS_PER_STEP = 64
const TEXT_PER_STEP = 4
const TRIES_PER_STEP = 8

const TOO_MANY_STEPS = 'takes too many steps to check'

/**
 * Checks a value and lists what is wrong with it. Never throws and always ends: what lies too deep or
 * takes too many steps is one more issue, with the keyword `limit`.
 *
 *     validate({ days: 'two' }, { properties: { days: { type: 'integer' } } })
 *     // [{ path: '/days', keyword: 'type', message: 'must be an integer, not a string' }]
 */
export function validate(value: JsonValue, schema: JsonSchema, options: ValidateOptions = {}): Issue[] {
  checkOptions(options, OPTIONS)
  const known = new KnownSchemas(options.root ?? schema)
  const validator = new Validator(known, MAX_STEPS, new Patterns(), options)
  validator.check(value, schema, Path.root, 0)
  return validator.limit === undefined ? validator.issues : [...validator.issues, validator.limit]
}

/** What is known of a value after at most so many steps, and how many it took. */
export function checkWithin(
  steps: number,
  value: JsonValue,
  schema: JsonSchema,
  known: KnownSchemas,
  patterns: Patterns,
  format: FormatOptions['format'],
): { outcome: 'valid' | 'invalid' | 'unknown'; steps: number } {
  const validator = new Validator(known, steps, patterns, { format })
  validator.check(value, schema, Path.root, 0)
  const outcome = validator.limit ? 'unknown' : validator.issues.length === 0 ? 'valid' : 'invalid'
  return { outcome, steps: validator.steps }
}

class Validator {
  issues: Issue[] = []
  /** Where checking stopped. Kept apart, because an attempt that stopped must not pass for one that failed. */
  limit: Issue | undefined
  private readonly known: KnownSchemas
  private readonly options: ValidateOptions
  private readonly patterns: Patterns
  steps = 0
  private readonly following: { readonly ref: string; readonly path: Path }[] = []
  private readonly maxSteps: number
  /** The last text whose characters were counted. */
  private counted: { readonly text: string; readonly characters: number } | undefined
  private readonly unknownFormats = new Set<string>()

  constructor(known: KnownSchemas, maxSteps: number, patterns: Patterns, options: ValidateOptions = {}) {
    this.known = known
    this.maxSteps = maxSteps
    this.patterns = patterns
    this.options = options
  }

  check(value: JsonValue, schema: JsonSchema, path: Path, depth: number): void {
    this.spend(1, path)
    if (this.isFull) return
    if (depth > MAX_DEPTH) this.stop(path, 'is nested too deeply to be checked')
    else if (schema === false) this.report(path, 'false', 'is not allowed')
    else if (isSchemaObject(schema)) this.checkKeywords(value, schema, path, depth)
  }

  private checkKeywords(value: JsonValue, schema: JsonSchemaObject, path: Path, depth: number): void {
    if (typeof schema.$ref === 'string') this.checkRef(value, schema.$ref, path, depth)
    if (!this.checkType(value, schema, path)) return
    this.checkConstants(value, schema, path)
    if (typeof value === 'string') this.checkString(value, schema, path)
    else if (typeof value === 'number' || typeof value === 'bigint') this.checkNumber(value, schema, path)
    else if (Array.isArray(value)) this.checkArray(value, schema, path, depth)
    else if (typeof value === 'object' && value !== null) this.checkObject(value, schema, path, depth)
    this.checkCombinations(value, schema, path, depth)
    if (typeof value === 'object' && value !== null) this.checkUnevaluated(value, schema, path, depth)
  }

  /** A reference that leads back to itself at the same place has nothing to add. */
  private checkRef(value: JsonValue, ref: string, path: Path, depth: number): void {
    for (let at = this.following.length - 1; at >= 0 && this.following[at]!.path === path; at--)
      if (this.following[at]!.ref === ref) return
    this.following.push({ ref, path })
    this.check(value, resolveRef(ref, this.known.root), path, depth + 1)
    this.following.pop()
  }

  private report(path: Path, keyword: string, message: string): void {
    if (!this.isFull) this.issues.push({ path: path.pointer, message, keyword })
  }

  private spend(steps: number, path: Path): void {
    this.steps += steps
    if (this.steps > this.maxSteps) this.stop(path, TOO_MANY_STEPS)
  }

  private stop(path: Path, message: string): void {
    this.limit ??= { path: path.pointer, message, keyword: 'limit' }
  }

  private get isFull(): boolean {
    return this.issues.length >= MAX_ISSUES || this.limit !== undefined
  }

  /** What is wrong with a value under another schema, without reporting it. */
  private attempt(value: JsonValue, schema: JsonSchema, path: Path, depth: number): Issue[] {
    const outer = this.issues
    this.issues = []
    this.check(value, schema, path, depth + 1)
    const found = this.issues
    this.issues = outer
    return found
  }

  private accepts(value: JsonValue, schema: JsonSchema, path: Path, depth: number): boolean {
    return this.attempt(value, schema, path, depth).length === 0
  }

  // ── any value ──────────────────────────────────────────────────────────────────────────────────

  private checkType(value: JsonValue, schema: JsonSchemaObject, path: Path): boolean {
    const wanted = kindsOfType(schema)
    if (wanted === UNKNOWN || (wanted & kindOfValue(value)) !== 0) return true
    const isFraction = typeof value === 'number' && (wanted & NUMBER) === INTEGER
    const found = isFraction ? 'a fraction' : describeKinds(kindOfValue(value))
    this.report(path, 'type', `must be ${describeKinds(wanted)}, not ${found}${quotesFor(value, wanted)}`)
    return false
  }

  private checkConstants(value: JsonValue, schema: JsonSchemaObject, path: Path): void {
    const constants = this.known.constantsOf(schema)
    if (constants === null) return
    if (typeof value === 'object' && value !== null)
      this.spend(Object.keys(value).length / LOOKS_PER_STEP, path)
    if (constants.has(value)) return
    if (value === null && schema.nullable === true) return
    const keyword = Object.hasOwn(schema, 'const') ? 'const' : 'enum'
    const shown = constants.all.slice(0, 20).map(brief).join(', ')
    const more = constants.all.length > 20 ? ', …' : ''
    const wanted = constants.all.length === 1 ? `must be ${shown}` : `must be one of ${shown}${more}`
    this.report(path, keyword, constants.all.length === 0 ? 'is not allowed' : wanted)
  }

  private checkCombinations(value: JsonValue, schema: JsonSchemaObject, path: Path, depth: number): void {
    for (const member of schemas(schema.allOf)) this.check(value, member, path, depth + 1)
    for (const keyword of ['anyOf', 'oneOf'] as const) {
      const members = schemas(schema[keyword])
      if (members.length > 0) this.checkUnion(value, members, keyword, path, depth)
    }
    if (isSchema(schema.not) && this.accepts(value, schema.not, path, depth))
      this.report(path, 'not', 'must not be what the schema excludes')
    if (isSchema(schema.if)) {
      const branch = this.accepts(value, schema.if, path, depth) ? schema.then : schema.else
      if (isSchema(branch)) this.check(value, branch, path, depth + 1)
    }
  }

  private checkUnion(
    value: JsonValue,
    members: readonly JsonSchema[],
    keyword: 'anyOf' | 'oneOf',
    path: Path,
    depth: number,
  ): void {
    let matching = 0
    const failures: Issue[][] = []
    for (const member of members) {
      const issues = this.attempt(value, member, path, depth)
      if (issues.length === 0) matching++
      // A member for another kind of value was not meant; what it has to say would only confuse.
      else if ((this.known.kindsOf(member) & kindOfValue(value)) !== 0) failures.push(issues)
      if (matching > 0 && keyword === 'anyOf') return
    }
    if (matching > 1) this.report(path, keyword, `must match exactly one form, but matches ${matching}`)
    if (matching > 0) return
    if (failures.length === 1) this.issues.push(...failures[0]!)
    else {
      const wanted = members.reduce<number>((kinds, member) => kinds | this.known.kindsOf(member), 0)
      const quotes = quotesFor(value, wanted)
      this.report(path, keyword, `must match one of the ${members.length} forms that are allowed${quotes}`)
    }
  }

  // ── strings and numbers ────────────────────────────────────────────────────────────────────────

  private checkString(value: string, schema: JsonSchemaObject, path: Path): void {
    const { minLength, maxLength, pattern } = schema
    // A character is one unit of a text, or two.
    if (typeof minLength === 'number' && value.length < 2 * minLength) {
      const length = this.charactersOf(value)
      if (length < minLength)
        this.report(path, 'minLength', `must have at least ${minLength} characters, not ${length}`)
    }
    if (typeof maxLength === 'number' && value.length > maxLength) {
      const length = this.charactersOf(value)
      if (length > maxLength)
        this.report(path, 'maxLength', `must have at most ${maxLength} characters, not ${length}`)
    }
    if (typeof pattern === 'string' && this.matches(pattern, value, path) === false)
      this.report(path, 'pattern', `must match the pattern ${pattern}`)
    if (typeof schema.format === 'string' && this.options.format === 'check')
      this.checkFormat(value, schema.format, path)
  }

  private checkFormat(value: string, format: string, path: Path): void {
    const isFormat = FORMATS.get(format)
    if (isFormat === undefined) {
      if (!this.unknownFormats.has(format)) this.options.onUnknownFormat?.(format, path.pointer)
      this.unknownFormats.add(format)
    } else if (!isFormat(value)) this.report(path, 'format', `must be of the format '${format}'`)
  }

  private charactersOf(text: string): number {
    const counted = this.counted?.text === text ? this.counted : { text, characters: countCharacters(text) }
    this.counted = counted
    return counted.characters
  }

  /** Undefined when the pattern was not run: then checking stops, so that nothing is accepted unheard. */
  private matches(pattern: string, text: string, path: Path): boolean | undefined {
    this.spend(1 / TRIES_PER_STEP, path)
    if (this.limit !== undefined) return undefined
    const isMatch = this.patterns.matches(pattern, text)
    if (isMatch !== undefined) return isMatch
    this.stop(
      path,
      this.patterns.isSpent ? TOO_MANY_STEPS : `cannot be checked: ${problemOfPattern(pattern)}`,
    )
    return undefined
  }

  private checkNumber(value: number | bigint, schema: JsonSchemaObject, path: Path): void {
    const { minimum, maximum, exclusiveMinimum, exclusiveMaximum, multipleOf } = schema
    // In draft 04 and OpenAPI 3.0 a boolean makes the plain bound exclusive.
    const above = exclusiveMinimum === true ? minimum : exclusiveMinimum
    const below = exclusiveMaximum === true ? maximum : exclusiveMaximum
    if (typeof minimum === 'number' && value < minimum)
      this.report(path, 'minimum', `must be at least ${minimum}`)
    if (typeof maximum === 'number' && value > maximum)
      this.report(path, 'maximum', `must be at most ${maximum}`)
    if (typeof above === 'number' && value <= above)
      this.report(path, 'exclusiveMinimum', `must be greater than ${above}`)
    if (typeof below === 'number' && value >= below)
      this.report(path, 'exclusiveMaximum', `must be less than ${below}`)
    if (typeof multipleOf === 'number' && multipleOf > 0) {
      if (!isMultiple(value, multipleOf))
        this.report(path, 'multipleOf', `must be a multiple of ${multipleOf}`)
    }
  }

  // ── arrays and objects ─────────────────────────────────────────────────────────────────────────

  private checkArray(value: readonly JsonValue[], schema: JsonSchemaObject, path: Path, depth: number): void {
    const { items, minItems, maxItems } = schema
    if (typeof minItems === 'number' && value.length < minItems)
      this.report(path, 'minItems', `must have at least ${minItems} items, not ${value.length}`)
    if (typeof maxItems === 'number' && value.length > maxItems)
      this.report(path, 'maxItems', `must have at most ${maxItems} items, not ${value.length}`)
    const tuple = list(schema.prefixItems ?? items)
    const rest = Array.isArray(items) ? schema.additionalItems : items
    for (let index = 0; index < value.length; index++) {
      const item = index < tuple.length ? tuple[index] : rest
      if (isSchema(item) && item !== true) this.check(value[index]!, item, path.child(index), depth + 1)
    }
    if (schema.uniqueItems === true) this.checkUnique(value, path)
    if (isSchema(schema.contains)) this.checkContains(value, schema.contains, schema, path, depth)
  }

  private checkUnique(value: readonly JsonValue[], path: Path): void {
    const scalars = new Map<unknown, number>()
    const composites = new Map<string | undefined, number>()
    for (let index = 0; index < value.length; index++) {
      const item = value[index]
      let twin: number | undefined
      if (typeof item === 'object' && item !== null) {
        const text = this.textOf(item, path)
        twin = composites.get(text)
        composites.set(text, index)
      } else {
        twin = scalars.get(item)
        scalars.set(item, index)
      }
      if (twin !== undefined) {
        this.report(path, 'uniqueItems', `must have no equal items, but ${twin} and ${index} are equal`)
        return
      }
    }
  }

  /** The text by which a list or object is compared. */
  private textOf(value: JsonValue, path: Path): string | undefined {
    const longest = (this.maxSteps - this.steps) * TEXT_PER_STEP
    const text = canonical(value, longest)
    if (text === undefined) this.stop(path, 'has an item that is too long to compare, or is not JSON')
    else this.spend(text.length / TEXT_PER_STEP, path)
    return text
  }

  private checkContains(
    value: readonly JsonValue[],
    wanted: JsonSchema,
    schema: JsonSchemaObject,
    path: Path,
    depth: number,
  ): void {
    const { minContains = 1, maxContains = Infinity } = schema
    const isWanted = (item: JsonValue, index: number): boolean =>
      this.accepts(item, wanted, path.child(index), depth)
    const count = value.filter(isWanted).length
    if (count < minContains)
      this.report(
        path,
        'contains',
        `must have at least ${minContains} items of the wanted form, not ${count}`,
      )
    if (count > maxContains)
      this.report(
        path,
        'maxContains',
        `must have at most ${maxContains} items of the wanted form, not ${count}`,
      )
  }

  private checkObject(value: JsonObject, schema: JsonSchemaObject, path: Path, depth: number): void {
    const keys = Object.keys(value)
    if (typeof schema.minProperties === 'number' && keys.length < schema.minProperties)
      this.report(
        path,
        'minProperties',
        `must have at least ${schema.minProperties} properties, not ${keys.length}`,
      )
    if (typeof schema.maxProperties === 'number' && keys.length > schema.maxProperties)
      this.report(
        path,
        'maxProperties',
        `must have at most ${schema.maxProperties} properties, not ${keys.length}`,
      )
    this.checkRequired(value, schema.required, 'required', path)
    for (const keyword of ['dependentRequired', 'dependencies'] as const) {
      const lists = schema[keyword]
      if (!isSchemaObject(lists)) continue
      for (const key of keys) this.checkRequired(value, lists[key], keyword, path)
    }
    for (const member of dependentSchemas(value, schema)) this.check(value, member, path, depth + 1)
    const patterns = isSchemaObject(schema.patternProperties) ? Object.entries(schema.patternProperties) : []
    for (const key of keys) {
      if (this.isFull) return
      this.checkProperty(key, value[key]!, schema, patterns, path.child(key), depth)
    }
  }

  // ── what no part of the schema has an opinion on ───────────────────────────────────────────────

  private checkUnevaluated(
    value: JsonObject | JsonValue[],
    schema: JsonSchemaObject,
    path: Path,
    depth: number,
  ): void {
    const isList = Array.isArray(value)
    const keyword = isList ? 'unevaluatedItems' : 'unevaluatedProperties'
    const rest = schema[keyword]
    if (!isSchema(rest) || rest === true) return
    const evaluated: Evaluated = { keys: new Set(), isAll: false, asked: new Set([schema]) }
    this.evaluate(value, schema, path, depth, evaluated)
    if (evaluated.isAll) return
    for (const [key, member] of Object.entries(value)) {
      if (evaluated.keys.has(key)) continue
      const at = path.child(key)
      if (rest === false)
        this.report(at, keyword, `is not ${isList ? 'an item' : 'a property'} that the schema knows`)
      else this.check(member, rest, at, depth + 1)
    }
  }

  /** Finds the members that a schema has an opinion on, itself or through the schemas that it applies. */
  private evaluate(
    value: JsonObject | JsonValue[],
    schema: JsonSchemaObject,
    path: Path,
    depth: number,
    into: Evaluated,
  ): void {
    this.spend(1, path)
    if (this.limit !== undefined) return
    if (Array.isArray(value)) this.evaluateItems(value, schema, path, depth, into)
    else this.evaluateProperties(value, schema, path, into)
    for (const member of this.applied(value, schema, path, depth)) {
      if (into.isAll) return
      if (!isSchemaObject(member) || into.asked.has(member)) continue
      into.asked.add(member)
      if (isSchema(Array.isArray(value) ? member.unevaluatedItems : member.unevaluatedProperties))
        into.isAll = true
      this.evaluate(value, member, path, depth, into)
    }
  }

  private evaluateProperties(
    value: JsonObject,
    { properties, patternProperties, additionalProperties }: JsonSchemaObject,
    path: Path,
    into: Evaluated,
  ): void {
    if (isSchema(additionalProperties)) into.isAll = true
    const patterns = isSchemaObject(patternProperties) ? Object.keys(patternProperties) : []
    for (const key of Object.keys(value))
      if (
        (isSchemaObject(properties) && Object.hasOwn(properties, key)) ||
        patterns.some((pattern) => this.matches(pattern, key, path))
      )
        into.keys.add(key)
  }

  private evaluateItems(
    value: readonly JsonValue[],
    { prefixItems, items, additionalItems, contains }: JsonSchemaObject,
    path: Path,
    depth: number,
    into: Evaluated,
  ): void {
    if (isSchema(Array.isArray(items) ? additionalItems : items)) into.isAll = true
    const { length } = list(prefixItems ?? items)
    for (let index = 0; index < value.length; index++) {
      const isWanted = isSchema(contains) && this.accepts(value[index]!, contains, path.child(index), depth)
      if (index < length || isWanted) into.keys.add(String(index))
    }
  }

  /** The schemas that a schema applies to the same value, as far as the value fits them. */
  private *applied(
    value: JsonObject | JsonValue[],
    schema: JsonSchemaObject,
    path: Path,
    depth: number,
  ): Iterable<JsonSchema | undefined> {
    if (typeof schema.$ref === 'string') yield resolveRef(schema.$ref, this.known.root)
    yield* schemas(schema.allOf)
    if (!Array.isArray(value)) yield* dependentSchemas(value, schema)
    for (const member of [...schemas(schema.anyOf), ...schemas(schema.oneOf)])
      if (this.accepts(value, member, path, depth)) yield member
    if (!isSchema(schema.if)) return
    const isMet = this.accepts(value, schema.if, path, depth)
    if (isMet) yield schema.if
    yield isMet ? schema.then : schema.else
  }

  private checkRequired(value: JsonObject, required: unknown, keyword: string, path: Path): void {
    for (const key of list(required)) {
      this.spend(1 / LOOKS_PER_STEP, path)
      if (typeof key === 'string' && !Object.hasOwn(value, key))
        this.report(path, keyword, `must have the property '${key}'`)
    }
  }

  private checkProperty(
    key: string,
    value: JsonValue,
    schema: JsonSchemaObject,
    patterns: readonly (readonly [pattern: string, property: unknown])[],
    path: Path,
    depth: number,
  ): void {
    const { properties, additionalProperties } = schema
    let isDeclared = false
    if (isSchemaObject(properties) && Object.hasOwn(properties, key)) {
      isDeclared = true
      this.check(value, (properties as Record<string, JsonSchema>)[key]!, path, depth + 1)
    }
    for (const [pattern, property] of patterns) {
      if (!this.matches(pattern, key, path)) continue
      isDeclared = true
      this.check(value, property as JsonSchema, path, depth + 1)
    }
    if (isSchema(schema.propertyNames) && !this.accepts(key, schema.propertyNames, path, depth))
      this.report(path, 'propertyNames', `has a name that is not allowed`)
    if (isDeclared || !isSchema(additionalProperties)) return
    if (additionalProperties === false)
      this.report(path, 'additionalProperties', 'is not a property that the schema knows')
    else this.check(value, additionalProperties, path, depth + 1)
  }
}

/** The members of a value that some part of a schema has an opinion on. */
interface Evaluated {
  readonly keys: Set<string>
  /** So has every member. */
  isAll: boolean
  /** The schemas that were asked: one that is met again has nothing to add. */
  readonly asked: Set<JsonSchema>
}

function schemas(list: unknown): readonly JsonSchema[] {
  return Array.isArray(list) ? (list as unknown[]).filter(isSchema) : []
}

/** The schemas that a value has to fit because of the keys it has. In draft 07, `dependencies` also holds lists of keys. */
function dependentSchemas(value: JsonObject, schema: JsonSchemaObject): JsonSchema[] {
  const found: JsonSchema[] = []
  for (const members of [schema.dependentSchemas, schema.dependencies]) {
    if (!isSchemaObject(members)) continue
    for (const key of Object.keys(value)) {
      const member = members[key]
      if (isSchema(member)) found.push(member)
    }
  }
  return found
}

/** JSON Schema counts characters, not UTF-16 units. */
function countCharacters(text: string): number {
  let count = 0
  for (const _ of text) count++
  return count
}

/** Text that was written like a fraction, such as the version 3.10: as a number it has lost how it was written. */
function quotesFor(value: JsonValue, wanted: number): string {
  const isText = (wanted & (STRING | NUMBER)) === STRING && typeof value === 'number'
  return isText && !Number.isSafeInteger(value) ? '; write it in quotes' : ''
}

function brief(constant: unknown): string {
  if (typeof constant === 'object' && constant !== null) return describeKinds(kindOfValue(constant))
  const text = typeof constant === 'string' ? JSON.stringify(constant.slice(0, 61)) : String(constant)
  return text.length > 60 ? `${text.slice(0, 60)}…` : text
}

/** Exactly, for the decimals that were written: 0.3 is a multiple of 0.1, although 0.3 / 0.1 is not quite 3. */
function isMultiple(value: number | bigint, step: number): boolean {
  if ([value, step].some((one) => typeof one === 'number' && !Number.isFinite(one))) return false
  const [digits, exponent] = decimalOf(value)
  const [stepDigits, stepExponent] = decimalOf(step)
  const least = Math.min(exponent, stepExponent)
  const scaled = digits * 10n ** BigInt(exponent - least)
  return scaled % (stepDigits * 10n ** BigInt(stepExponent - least)) === 0n
}

/** A number as digits and a power of ten. */
function decimalOf(value: number | bigint): [digits: bigint, exponent: number] {
  const [written = '', power = '0'] = String(value).split('e')
  const [whole = '', fraction = ''] = written.split('.')
  return [BigInt(whole + fraction), Number(power) - fraction.length]
}
