/**
 * The rules for values at a place in a message, by the JSON Schema of the value. How a value is written there is found by
 * writing some: which characters a string escapes, what stands around a list, between its items, before a key.
 */

import { SluiceError } from '../../base/errors.ts'
import type { JsonValue } from '../../base/event.ts'
import {
  isSchemaObject,
  type JsonSchema,
  type JsonSchemaObject,
  resolve,
} from '../../values/schema/json-schema.ts'
import { engineSchema, fits } from './engine-schema.ts'
import {
  choice,
  type Escape,
  type GrammarRule,
  literal,
  optional,
  sequence,
  type TextRule,
} from './grammar-rule.ts'
import { itemIn, listFrame } from './list-frame.ts'
import { integersBetween, NUMBERS } from './number-rules.ts'
import { TextAutomaton } from './text-automaton.ts'

/** A place in a message at which a value stands. */
export interface Place {
  /** The value as it is written there. */
  write(value: JsonValue): string
  /** The whole message with the value in it. */
  whole(value: JsonValue): string
  /** Whether the value is read back. */
  reads(value: JsonValue): boolean
  /** Whether a whole message is read as one with this value. */
  isReadAs(message: string, value: JsonValue): boolean
  /** Values are written as JSON here, in which these literals must not stand. */
  readonly jsonWithout?: readonly string[]
}

/** How the parser finds markers. */
export interface Matching {
  readonly ignoreCase: boolean
  readonly spacedTags: boolean
}

/** Two words that begin and end differently, and that nothing escapes. */
const NEEDLE = 'Quince'
const OTHER = 'medlaR'

/** What a string may hold and not be written as it is: all of ASCII but letters and digits, and some of the rest. */
const UNUSUAL = [
  ...Array.from({ length: 128 }, (_, code) => String.fromCharCode(code)).filter((one) => !/\w/.test(one)),
  ...['\u0085', '\u2028', '\u2029', '\ufeff', 'é', '日', '😀'],
]

/** Keywords that say nothing about which values there are. */
const ANNOTATIONS: ReadonlySet<string> = new Set([
  ...['$schema', '$id', '$comment', '$anchor', '$defs', 'definitions', 'title', 'description', 'default'],
  ...['examples', 'example', 'deprecated', 'readOnly', 'writeOnly', 'format', '$vocabulary'],
  ...['contentEncoding', 'contentMediaType', 'contentSchema', 'externalDocs', 'xml', 'discriminator'],
])

function isAnnotation(keyword: string): boolean {
  return ANNOTATIONS.has(keyword) || keyword.startsWith('x-')
}

const KEYWORDS: Readonly<Record<string, readonly string[]>> = {
  object: ['properties', 'required', 'additionalProperties'],
  array: ['items', 'prefixItems', 'minItems', 'maxItems'],
  string: ['minLength', 'maxLength'],
  integer: ['minimum', 'maximum', 'exclusiveMinimum', 'exclusiveMaximum'],
  number: ['minimum', 'maximum', 'exclusiveMinimum', 'exclusiveMaximum'],
  boolean: [],
  null: [],
}

export class ValueRules {
  /** The rules that have a name. */
  readonly rules: Map<string, GrammarRule>
  private readonly root: JsonSchema
  private readonly markers: readonly string[]
  private readonly matching: Matching
  /** References that are being followed, by where they lead and how values are written there. */
  private readonly open = new Map<string, string>()
  private jsonEscapes: readonly Escape[] | undefined

  constructor(
    rules: Map<string, GrammarRule>,
    root: JsonSchema,
    markers: readonly string[],
    matching: Matching,
  ) {
    this.rules = rules
    this.root = root
    this.markers = markers
    this.matching = matching
  }

  /** The rule for a value of this schema. `pointer`: where the schema stands. */
  at(place: Place, given: JsonSchema, pointer: string): GrammarRule {
    const reference = isSchemaObject(given) && typeof given.$ref === 'string' ? given.$ref : undefined
    if (reference === undefined) return this.ofSchema(place, given, pointer)
    // A schema may hold itself. Only where values are JSON they are written alike at every depth.
    if (place.jsonWithout === undefined) {
      if (this.open.has(reference)) throw refused(pointer, 'a schema that holds itself')
      this.open.set(reference, '')
      const rule = this.ofSchema(place, given, pointer)
      this.open.delete(reference)
      return rule
    }
    const key = JSON.stringify([reference, place.jsonWithout])
    let name = this.open.get(key)
    if (name === undefined) {
      name = this.newName()
      this.open.set(key, name)
      this.rules.set(name, literal(''))
      this.rules.set(name, this.ofSchema(jsonPlace(place.jsonWithout), given, pointer))
    }
    // The rule is that of the value alone: a key or a bracket before it belongs to this place.
    const [before, behind] = around(place.write(NEEDLE), JSON.stringify(NEEDLE), pointer)
    return sequence(literal(before), { kind: 'reference', name }, literal(behind))
  }

  private newName(): string {
    return `value-${this.rules.size + 1}`
  }

  /** A rule under a name, for one that stands in several places. */
  private named(rule: GrammarRule): GrammarRule {
    if (rule.kind === 'reference' || rule.kind === 'literal') return rule
    const name = this.newName()
    this.rules.set(name, rule)
    return { kind: 'reference', name }
  }

  private ofSchema(place: Place, given: JsonSchema, pointer: string): GrammarRule {
    const schema = resolve(given, this.root)
    if (!isSchemaObject(schema))
      throw refused(pointer, schema ? 'a schema that allows anything' : 'a schema that allows nothing')
    if (schema.const !== undefined) return this.oneOf(place, [schema.const], schema, pointer)
    if (schema.enum !== undefined) return this.oneOf(place, schema.enum, schema, pointer)
    const members = schema.anyOf ?? schema.oneOf
    if (members !== undefined) return this.ofMembers(place, schema, members, pointer)
    const types = typesOf(schema)
    const keyword = Object.keys(schema).find(
      (one) =>
        one !== 'type' &&
        one !== 'nullable' &&
        !isAnnotation(one) &&
        schema[one as keyof JsonSchemaObject] !== undefined &&
        !types.some((type) => KEYWORDS[type]?.includes(one)),
    )
    if (keyword !== undefined) throw refused(`${pointer}/${keyword}`, `the keyword '${keyword}'`)
    if (types.length === 0) throw withoutType(given, pointer)
    return choice(...types.map((type) => this.ofType(place, type, schema, pointer)))
  }

  private ofMembers(
    place: Place,
    schema: JsonSchemaObject,
    members: readonly JsonSchema[],
    pointer: string,
  ): GrammarRule {
    const keyword = schema.anyOf === undefined ? 'oneOf' : 'anyOf'
    const beside = Object.keys(schema).find((key) => key !== keyword && !isAnnotation(key))
    if (beside !== undefined) throw refused(`${pointer}/${beside}`, `'${beside}' beside '${keyword}'`)
    const resolved = members.map((member) => resolve(member, this.root))
    const isApart = resolved.every((one, index) =>
      resolved.slice(index + 1).every((other) => areApart(one, other, this.root)),
    )
    if (keyword === 'oneOf' && !isApart)
      throw refused(`${pointer}/oneOf`, "members of 'oneOf' that one value may fit at once; write 'anyOf'")
    return choice(...members.map((member, index) => this.at(place, member, `${pointer}/${keyword}/${index}`)))
  }

  /** Some values: those that fit the rest of the schema, too. */
  private oneOf(
    place: Place,
    values: readonly unknown[],
    schema: JsonSchemaObject,
    pointer: string,
  ): GrammarRule {
    const fitting = values.filter((value) => fits(value as JsonValue, schema, this.root))
    if (fitting.length === 0) throw refused(pointer, 'a schema that allows nothing')
    return choice(
      ...fitting.map((value) => {
        if (!place.reads(value as JsonValue))
          throw refused(pointer, `the value ${JSON.stringify(value)} in this dialect`)
        return literal(place.write(value as JsonValue))
      }),
    )
  }

  private ofType(place: Place, type: string, schema: JsonSchemaObject, pointer: string): GrammarRule {
    switch (type) {
      case 'null':
        return literal(place.write(null))
      case 'boolean':
        return choice(literal(place.write(true)), literal(place.write(false)))
      case 'integer':
      case 'number':
        return this.number(place, type, schema, pointer)
      case 'string':
        return this.string(place, schema, pointer)
      case 'array':
        return this.structured(place, type, schema, pointer, [[NEEDLE, 1], [OTHER]])
      case 'object':
        return this.structured(place, type, schema, pointer, [{ [NEEDLE]: [1, NEEDLE] }, { [OTHER]: 2 }])
      default:
        throw refused(`${pointer}/type`, `the type '${type}'`)
    }
  }

  // ── numbers and strings ──────────────────────────────────────────────────────────────────────────

  private number(
    place: Place,
    type: 'integer' | 'number',
    schema: JsonSchemaObject,
    pointer: string,
  ): GrammarRule {
    const [before, behind] = around(place.write(7357), '7357', pointer)
    if (place.write(-1.5) !== `${before}-1.5${behind}`) throw refused(pointer, 'numbers in this dialect')
    const rule = type === 'integer' ? integersOf(schema, pointer) : undefined
    if (rule !== undefined) return sequence(literal(before), rule, literal(behind))
    const name = type === 'number' ? numbersOf(schema, pointer) : type
    if (!this.rules.has(name)) this.rules.set(name, NUMBERS[name])
    return sequence(literal(before), { kind: 'reference', name }, literal(behind))
  }

  private string(place: Place, { minLength, maxLength }: JsonSchemaObject, pointer: string): GrammarRule {
    const [before, behind] = around(place.write(NEEDLE), NEEDLE, pointer)
    const [, then] = around(place.whole(NEEDLE), NEEDLE, pointer)
    if (!place.reads(NEEDLE)) throw refused(pointer, 'strings in this dialect')
    const escapes =
      place.jsonWithout === undefined
        ? this.escapesAt(place, before, behind)
        : this.escapesOfJson(place, before, behind)
    const stops = place.jsonWithout ?? this.stopsAt((text) => place.reads(text), then, NEEDLE)
    const text: TextRule = {
      ...{ kind: 'text', stops, begun: '', escapes, follow: then, ...this.matching },
      ...(minLength !== undefined && { least: minLength }),
      ...(maxLength !== undefined && { most: maxLength }),
    }
    if (maxLength !== undefined && maxLength < (minLength ?? 0))
      throw refused(`${pointer}/maxLength`, 'a schema that allows nothing')
    if (minLength !== undefined && !keepsEnds(place, escapes))
      throw refused(`${pointer}/minLength`, "the keyword 'minLength' in this dialect, which trims texts")
    const { size } = new TextAutomaton(text)
    if (text.least !== undefined && text.most === undefined && size > MOST_STATES)
      throw refused(`${pointer}/minLength`, `texts of ${minLength} characters and more in this dialect`)
    if (text.most !== undefined && size > MOST_STATES)
      throw refused(`${pointer}/maxLength`, `texts of up to ${maxLength} characters in this dialect`)
    return sequence(literal(before), text, literal(behind))
  }

  private escapesOfJson(place: Place, before: string, behind: string): readonly Escape[] {
    this.jsonEscapes ??= this.escapesAt(place, before, behind)
    return this.jsonEscapes
  }

  /** How characters are written: inside a string, and at its ends. */
  private escapesAt(place: Place, before: string, behind: string): Escape[] {
    const between = (value: string, start: string, end: string) =>
      place.write(value).slice((before + start).length, -(end + behind).length || undefined)
    return UNUSUAL.flatMap((character): Escape[] => {
      const inside = between(NEEDLE + character + NEEDLE, NEEDLE, NEEDLE)
      const atEnds = [between(character + NEEDLE, '', NEEDLE), between(NEEDLE + character, NEEDLE, '')]
      const others = new Set(atEnds.filter((written) => written !== inside && written !== character))
      return [
        ...(inside === character ? [] : [{ character, written: inside, isOptional: false }]),
        ...[...others].map((written) => ({ character, written, isOptional: inside === character })),
      ]
    })
  }

  /** The markers that a text here cannot hold. `then`: what follows the text. */
  stopsAt(reads: (text: string) => boolean, then: string, needle: string): string[] {
    const isStop = (marker: string) => !reads(`${needle}${marker}${needle}`) || !reads(`${needle}${marker}`)
    const own = Array.from({ length: Math.min(then.length, LONGEST_CLOSER) }, (_, index) =>
      then.slice(0, index + 1),
    )
    const closer = own.find(isStop)
    const stops = this.markers.filter(isStop)
    return [...new Set(closer === undefined ? stops : [...stops, closer])]
  }

  // ── lists and objects ────────────────────────────────────────────────────────────────────────────

  /** `samples`: two values of the type. */
  private structured(
    place: Place,
    type: 'array' | 'object',
    schema: JsonSchemaObject,
    pointer: string,
    samples: readonly [JsonValue, JsonValue],
  ): GrammarRule {
    const frame = place.jsonWithout === undefined ? jsonFrame(place, samples) : undefined
    if (frame === undefined)
      return type === 'array' ? this.array(place, schema, pointer) : this.object(place, schema, pointer)
    const [before, behind] = frame
    const wrap = (text: string) => (type === 'array' ? [text] : { [NEEDLE]: text })
    const stops = this.stopsAt((text) => place.reads(wrap(text)), '', NEEDLE)
    const json =
      type === 'array'
        ? this.array(jsonPlace(stops), schema, pointer)
        : this.object(jsonPlace(stops), schema, pointer)
    const rule: GrammarRule =
      stops.length === 0
        ? { kind: 'json', schema: engineSchema(this.standalone(schema), this.root), rule: json }
        : json
    return sequence(literal(before), rule, literal(behind))
  }

  /** The schema with what it refers to. */
  private standalone(schema: JsonSchemaObject): JsonSchema {
    const { $defs, definitions } = isSchemaObject(this.root) ? this.root : ({} as JsonSchemaObject)
    return { ...($defs && { $defs }), ...(definitions && { definitions }), ...schema }
  }

  private array(place: Place, schema: JsonSchemaObject, pointer: string): GrammarRule {
    const { items, prefixItems: first = [], minItems = 0, maxItems } = schema
    if (maxItems !== undefined && maxItems < minItems)
      throw refused(`${pointer}/maxItems`, 'a schema that allows nothing')
    if (maxItems !== undefined && maxItems < first.length)
      throw refused(`${pointer}/maxItems`, "fewer items than 'prefixItems' has")
    const frame = listFrame(place.write([3]), place.write([4]), place.write([3, 4]))
    const itemOf = (one: JsonSchema, at: string) =>
      this.at(
        within(
          place,
          (value) => [value],
          (text) => itemIn(frame, text),
        ),
        one,
        at,
      )
    const heads = first.map((one, index) => itemOf(one, `${pointer}/prefixItems/${index}`))
    const least = Math.max(minItems - first.length, 0)
    const most = maxItems === undefined ? undefined : maxItems - first.length
    // Items without a schema are not written.
    const isClosed = most === 0 || items === false || (items === undefined && first.length > 0)
    if (isClosed && least > 0) throw refused(`${pointer}/minItems`, 'items without a schema')
    if (!isClosed && (items === undefined || Array.isArray(items)))
      throw refused(`${pointer}/items`, "a list without one schema in 'items'")
    if (minItems === 0 && first.length === 0 && !place.reads([]))
      throw refused(pointer, "an empty list in this dialect; set 'minItems' to 1")
    const empty = literal(place.write([]))
    const separated = heads.flatMap((head, index) => (index === 0 ? [head] : [literal(frame.between), head]))
    const wrapped = (...parts: readonly GrammarRule[]) =>
      sequence(literal(frame.before), ...parts, literal(frame.behind))
    if (isClosed) return heads.length === 0 ? empty : wrapped(...separated)
    const rest: GrammarRule = {
      kind: 'repeat',
      body: this.named(itemOf(items as JsonSchema, `${pointer}/items`)),
      separator: frame.between,
      least: Math.max(least, 1),
      ...(most !== undefined && { most }),
    }
    if (heads.length === 0) return least === 0 ? choice(empty, wrapped(rest)) : wrapped(rest)
    const more = sequence(literal(frame.between), rest)
    return wrapped(...separated, least === 0 ? optional(more) : more)
  }

  /** A value in JSON, where the format has several forms of strings, and reads JSON, too: YAML. */
  private asJson(place: Place, schema: JsonSchema, pointer: string): GrammarRule {
    const [start, end] = around(place.whole(NEEDLE), NEEDLE, pointer)
    if (!JSON_SAMPLES.every((value) => place.isReadAs(start + JSON.stringify(value) + end, value)))
      throw refused(pointer, 'strings in this dialect')
    const [before, behind] = around(place.write(NEEDLE), NEEDLE, pointer)
    const stops = this.stopsAt((text) => place.reads(text), end, NEEDLE)
    return sequence(literal(before), this.at(jsonPlace(stops), schema, pointer), literal(behind))
  }

  /** Properties in the order of the schema, those that are not required left out or not. */
  object(place: Place, schema: JsonSchemaObject, pointer: string): GrammarRule {
    const { properties, required = [], additionalProperties } = schema
    if (properties === undefined && additionalProperties !== false)
      throw refused(pointer, "an object without 'properties'")
    const keys = Object.keys(properties ?? {})
    const unknown = required.find((key) => !keys.includes(key))
    if (unknown !== undefined)
      throw refused(`${pointer}/required`, `the key '${unknown}', which has no schema`)
    const empty = literal(place.write({}))
    if (keys.length === 0) return empty
    const frame = listFrame(place.write({ qa: 3 }), place.write({ zb: 4 }), place.write({ qa: 3, zb: 4 }))
    const entries = keys.map((key) => {
      const entry = within(
        place,
        (value) => ({ [key]: value }),
        (text) => itemIn(frame, text),
      )
      const at = `${pointer}/properties/${escapedKey(key)}`
      return place.jsonWithout === undefined && !isWrittenByCharacter(entry)
        ? this.asJson(entry, properties![key]!, at)
        : this.at(entry, properties![key]!, at)
    })
    const isRequired = (index: number) => required.includes(keys[index]!)
    // From the last to the first: what may follow a property, and what the object may begin with.
    let rest: GrammarRule = literal('')
    let begin: GrammarRule | undefined
    for (let index = keys.length - 1; index >= 0; index--) {
      const first = sequence(entries[index]!, rest)
      begin = isRequired(index) || begin === undefined ? first : choice(first, begin)
      const more = sequence(literal(frame.between), entries[index]!)
      rest = index === 0 ? rest : this.named(sequence(isRequired(index) ? more : optional(more), rest))
    }
    const filled = sequence(literal(frame.before), begin!, literal(frame.behind))
    return required.length === 0 ? choice(empty, filled) : filled
  }
}

/** What counts the characters of a text is not larger. */
const MOST_STATES = 5000

/** No closing marker is longer. */
const LONGEST_CLOSER = 40

/** The place of a value inside another. */
function within(
  place: Place,
  wrap: (value: JsonValue) => JsonValue,
  unwrap: (text: string) => string,
): Place {
  return {
    write: (value) => unwrap(place.write(wrap(value))),
    whole: (value) => place.whole(wrap(value)),
    reads: (value) => place.reads(wrap(value)),
    isReadAs: (message, value) => place.isReadAs(message, wrap(value)),
    ...(place.jsonWithout && { jsonWithout: place.jsonWithout }),
  }
}

/** Where values are JSON. */
function jsonPlace(without: readonly string[]): Place {
  const write = (value: JsonValue) => JSON.stringify(value)
  return { write, whole: write, reads: () => true, isReadAs: () => true, jsonWithout: without }
}

/** Values of each kind, and strings that other formats take for something else. */
const JSON_SAMPLES: readonly JsonValue[] = [
  ...[UNUSUAL.join(NEEDLE), '', ' ', 'true', '12', '- a: #b', -1.5, 1e-7, true, null],
  ...[[], {}, [NEEDLE, [1]], { [NEEDLE]: { [OTHER]: [null] }, 'a: b': ' ' }],
]

/** Whether no character changes how the others of a string are written. */
function isWrittenByCharacter(place: Place): boolean {
  const [before, behind] = place.write(NEEDLE).split(NEEDLE)
  return UNUSUAL.every((character) => {
    const written = place.write(NEEDLE + character + NEEDLE)
    return written.startsWith(before + NEEDLE) && written.endsWith(NEEDLE + behind)
  })
}

/** What stands around JSON, where that is how these values are written. */
export function jsonFrame(
  place: Pick<Place, 'write'>,
  samples: readonly JsonValue[],
): readonly [before: string, behind: string] | undefined {
  const [first, ...others] = samples as [JsonValue, ...JsonValue[]]
  const parts = place.write(first).split(JSON.stringify(first))
  const [before, behind] = parts
  if (parts.length !== 2) return undefined
  const isJson = others.every((value) => place.write(value) === before + JSON.stringify(value) + behind)
  return isJson ? [before!, behind!] : undefined
}

/** Whether white space at the ends of a text is always read. */
function keepsEnds({ reads }: Place, escapes: readonly Escape[]): boolean {
  return (
    !escapes.some(({ isOptional }) => isOptional) &&
    [' ', '\t', '\r', '\n'].every((space) => reads(space + NEEDLE) && reads(NEEDLE + space))
  )
}

/** What stands before and behind a word that is there once. */
function around(text: string, word: string, pointer: string): readonly [before: string, behind: string] {
  const parts = text.split(word)
  if (parts.length !== 2) throw refused(pointer, 'such a value in this dialect')
  return [parts[0]!, parts[1]!]
}

function typesOf(schema: JsonSchemaObject): string[] {
  const { type, properties, items, prefixItems, nullable } = schema
  const types = new Set([type ?? (properties ? 'object' : (items ?? prefixItems) ? 'array' : [])].flat())
  if (nullable && types.size > 0) types.add('null')
  // A number may be an integer.
  if (types.has('number')) types.delete('integer')
  return [...types]
}

function withoutType(given: JsonSchema, pointer: string): SluiceError {
  const reference = isSchemaObject(given) ? given.$ref : undefined
  return reference === undefined
    ? refused(pointer, 'a schema without a type')
    : refused(`${pointer}/$ref`, `the reference '${reference}', which leads to no type`)
}

/** Whether no value fits both: by their types, by the values they list, or by those of a key that both require. */
function areApart(first: JsonSchema, second: JsonSchema, root: JsonSchema): boolean {
  if (!isSchemaObject(first) || !isSchemaObject(second)) return false
  for (const [one, other] of [
    [first, second],
    [second, first],
  ] as const) {
    const values = listedValues(one)
    if (values !== undefined) return !values.some((value) => fits(value, other, root))
  }
  const types = [first, second].map(typesOf)
  const isNumber = (type: string) => type === 'integer' || type === 'number'
  const isShared = types[0]!.some((one) =>
    types[1]!.some((other) => one === other || (isNumber(one) && isNumber(other))),
  )
  if (!isShared) return types.every(({ length }) => length > 0)
  return types.every(([only, ...more]) => only === 'object' && more.length === 0)
    ? Object.keys(first.properties ?? {}).some((key) => {
        const [one, other] = [first, second].map(({ properties, required }) => {
          const schema = required?.includes(key) ? properties?.[key] : undefined
          const resolved = schema === undefined ? undefined : resolve(schema, root)
          return isSchemaObject(resolved) ? resolved : undefined
        })
        return one !== undefined && other !== undefined && areApart(one, other, root)
      })
    : false
}

function listedValues({ const: only, enum: listed }: JsonSchemaObject): readonly JsonValue[] | undefined {
  return (only === undefined ? listed : [only]) as readonly JsonValue[] | undefined
}

/** Integers within the limits of a schema; undefined where it has none. */
function integersOf(schema: JsonSchemaObject, pointer: string): GrammarRule | undefined {
  const { minimum, maximum, exclusiveMinimum, exclusiveMaximum } = schema
  const limits = [minimum, maximum, exclusiveMinimum, exclusiveMaximum]
  if (limits.every((limit) => limit === undefined)) return undefined
  const lowest = Math.max(
    minimum === undefined ? -Infinity : exclusiveMinimum === true ? Math.floor(minimum) + 1 : minimum,
    typeof exclusiveMinimum === 'number' ? Math.floor(exclusiveMinimum) + 1 : -Infinity,
  )
  const highest = Math.min(
    maximum === undefined ? Infinity : exclusiveMaximum === true ? Math.ceil(maximum) - 1 : maximum,
    typeof exclusiveMaximum === 'number' ? Math.ceil(exclusiveMaximum) - 1 : Infinity,
  )
  const rule = integersBetween(lowest, highest)
  if (rule === undefined) throw refused(pointer, 'a schema that allows no integer of up to 15 digits')
  return rule
}

/** Of the limits of numbers that may have a fraction, a grammar can hold that they are not negative. */
function numbersOf(schema: JsonSchemaObject, pointer: string): 'number' | 'number-from-0' {
  const limit = (['exclusiveMinimum', 'maximum', 'exclusiveMaximum'] as const).find(
    (keyword) => schema[keyword] !== undefined && schema[keyword] !== false,
  )
  if (limit !== undefined) throw refused(`${pointer}/${limit}`, `the keyword '${limit}' of a 'number'`)
  const { minimum } = schema
  if (minimum !== undefined && minimum !== 0)
    throw refused(`${pointer}/minimum`, "a 'minimum' of a 'number' other than 0")
  return minimum === undefined ? 'number' : 'number-from-0'
}

function escapedKey(key: string): string {
  return key.replaceAll('~', '~0').replaceAll('/', '~1')
}

export function refused(pointer: string, what: string): SluiceError {
  return new SluiceError(
    'unsupported-schema',
    `A grammar cannot hold ${what} (at ${pointer === '' ? 'the root of the schema' : pointer}); docs/grammar.md lists what it can.`,
  )
}
