/**
 * The rules for values at a place in a message, by the JSON Schema of the value. How a value is written there is found by
 * writing some: which characters a string escapes, what stands around a list, between its items, before a key.
 */

import { SluiceError } from '../errors.ts'
import type { JsonValue } from '../event.ts'
import { isSchemaObject, type JsonSchema, type JsonSchemaObject, resolve } from '../schema/json-schema.ts'
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

/** A place in a message at which a value stands. */
export interface Place {
  /** The value as it is written there. */
  write(value: JsonValue): string
  /** The whole message with the value in it. */
  whole(value: JsonValue): string
  /** Whether the value is read back. */
  reads(value: JsonValue): boolean
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
  ...['examples', 'deprecated', 'readOnly', 'writeOnly', 'format', 'contentEncoding', 'contentMediaType'],
])

const KEYWORDS: Readonly<Record<string, readonly string[]>> = {
  object: ['properties', 'required', 'additionalProperties'],
  array: ['items', 'minItems', 'maxItems'],
  string: [],
  integer: [],
  number: [],
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
      this.rules.set(name, this.ofSchema(place, given, pointer))
    }
    return { kind: 'reference', name }
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
    if (schema.const !== undefined) return this.oneOf(place, [schema.const], pointer)
    if (schema.enum !== undefined) return this.oneOf(place, schema.enum, pointer)
    const members = schema.anyOf ?? schema.oneOf
    if (members !== undefined) return this.ofMembers(place, schema, members, pointer)
    const types = typesOf(schema, pointer)
    for (const keyword of Object.keys(schema))
      if (
        keyword !== 'type' &&
        keyword !== 'nullable' &&
        !ANNOTATIONS.has(keyword) &&
        schema[keyword as keyof JsonSchemaObject] !== undefined
      )
        if (!types.some((type) => KEYWORDS[type]?.includes(keyword)))
          throw refused(`${pointer}/${keyword}`, `the keyword '${keyword}'`)
    return choice(...types.map((type) => this.ofType(place, type, schema, pointer)))
  }

  private ofMembers(
    place: Place,
    schema: JsonSchemaObject,
    members: readonly JsonSchema[],
    pointer: string,
  ): GrammarRule {
    const keyword = schema.anyOf === undefined ? 'oneOf' : 'anyOf'
    const beside = Object.keys(schema).find((key) => key !== keyword && !ANNOTATIONS.has(key))
    if (beside !== undefined) throw refused(`${pointer}/${beside}`, `'${beside}' beside '${keyword}'`)
    if (keyword === 'oneOf') {
      const types = members.flatMap((member) => {
        const one = resolve(member, this.root)
        return isSchemaObject(one) ? typesOf(one, pointer) : []
      })
      const isApart =
        new Set(types).size === types.length && !(types.includes('integer') && types.includes('number'))
      if (!isApart)
        throw refused(`${pointer}/oneOf`, "members of 'oneOf' that one value may fit at once; write 'anyOf'")
    }
    return choice(...members.map((member, index) => this.at(place, member, `${pointer}/${keyword}/${index}`)))
  }

  private oneOf(place: Place, values: readonly unknown[], pointer: string): GrammarRule {
    if (values.length === 0) throw refused(pointer, 'a schema that allows nothing')
    return choice(
      ...values.map((value) => {
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
        return this.number(place, type, pointer)
      case 'string':
        return this.string(place, pointer)
      case 'array':
        return this.structured(place, type, schema, pointer, [[NEEDLE, 1], [OTHER]])
      case 'object':
        return this.structured(place, type, schema, pointer, [{ [NEEDLE]: [1, NEEDLE] }, { [OTHER]: 2 }])
      default:
        throw refused(`${pointer}/type`, `the type '${type}'`)
    }
  }

  // ── numbers and strings ──────────────────────────────────────────────────────────────────────────

  private number(place: Place, type: 'integer' | 'number', pointer: string): GrammarRule {
    const [before, behind] = around(place.write(7357), '7357', pointer)
    if (place.write(-1.5) !== `${before}-1.5${behind}`) throw refused(pointer, 'numbers in this dialect')
    if (!this.rules.has(type)) this.rules.set(type, NUMBERS[type])
    return sequence(literal(before), { kind: 'reference', name: type }, literal(behind))
  }

  private string(place: Place, pointer: string): GrammarRule {
    const [before, behind] = around(place.write(NEEDLE), NEEDLE, pointer)
    const [, then] = around(place.whole(NEEDLE), NEEDLE, pointer)
    if (!place.reads(NEEDLE)) throw refused(pointer, 'strings in this dialect')
    const escapes =
      place.jsonWithout === undefined
        ? this.escapesAt(place, before, behind)
        : this.escapesOfJson(place, before, behind)
    const stops = place.jsonWithout ?? this.stopsAt((text) => place.reads(text), then, NEEDLE)
    const text: TextRule = { kind: 'text', stops, begun: '', escapes, follow: then, ...this.matching }
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
      stops.length === 0 ? { kind: 'json', schema: this.standalone(schema), rule: json } : json
    return sequence(literal(before), rule, literal(behind))
  }

  /** The schema with what it refers to. */
  private standalone(schema: JsonSchemaObject): JsonSchema {
    const { $defs, definitions } = isSchemaObject(this.root) ? this.root : ({} as JsonSchemaObject)
    return { ...($defs && { $defs }), ...(definitions && { definitions }), ...schema }
  }

  private array(place: Place, schema: JsonSchemaObject, pointer: string): GrammarRule {
    const { items, minItems: least = 0, maxItems: most } = schema
    if (items === undefined || Array.isArray(items))
      throw refused(`${pointer}/items`, "a list without one schema in 'items'")
    if (most !== undefined && most < least)
      throw refused(`${pointer}/maxItems`, 'a schema that allows nothing')
    const frame = listFrame(place.write([3]), place.write([4]), place.write([3, 4]))
    const item = this.at(
      within(
        place,
        (value) => [value],
        (text) => itemIn(frame, text),
      ),
      items as JsonSchema,
      `${pointer}/items`,
    )
    if (least === 0 && !place.reads([]))
      throw refused(pointer, "an empty list in this dialect; set 'minItems' to 1")
    const list: GrammarRule = {
      kind: 'repeat',
      body: this.named(item),
      separator: frame.between,
      least: Math.max(least, 1),
      ...(most !== undefined && { most }),
    }
    const filled = sequence(literal(frame.before), list, literal(frame.behind))
    if (most === 0) return literal(place.write([]))
    return least === 0 ? choice(literal(place.write([])), filled) : filled
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
      return this.at(entry, properties![key]!, `${pointer}/properties/${escapedKey(key)}`)
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

/** No closing marker is longer. */
const LONGEST_CLOSER = 40

function digits(set: string, least: number, most: number): GrammarRule {
  return { kind: 'characters', set, least, most }
}

const SIGN = optional(literal('-'))
const WHOLE = choice(literal('0'), sequence(digits('1-9', 1, 1), digits('0-9', 0, 14)))
/** Numbers stay far below what a double can hold: one that is infinite would make the call invalid. */
const EXPONENT = choice(digits('0-9', 1, 2), sequence(literal('1'), digits('0-9', 2, 2)))

const NUMBERS = {
  integer: choice(literal('0'), sequence(SIGN, digits('1-9', 1, 1), digits('0-9', 0, 14))),
  number: sequence(
    SIGN,
    WHOLE,
    optional(sequence(literal('.'), digits('0-9', 1, 17))),
    optional(sequence(digits('eE', 1, 1), choice(literal('+'), literal('-'), literal('')), EXPONENT)),
  ),
} as const

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
    ...(place.jsonWithout && { jsonWithout: place.jsonWithout }),
  }
}

/** Where values are JSON. */
function jsonPlace(without: readonly string[]): Place {
  const write = (value: JsonValue) => JSON.stringify(value)
  return { write, whole: write, reads: () => true, jsonWithout: without }
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

/** What stands before and behind a word that is there once. */
function around(text: string, word: string, pointer: string): readonly [before: string, behind: string] {
  const parts = text.split(word)
  if (parts.length !== 2) throw refused(pointer, 'such a value in this dialect')
  return [parts[0]!, parts[1]!]
}

function typesOf(schema: JsonSchemaObject, pointer: string): string[] {
  const { type, properties, items, nullable } = schema
  const types = new Set([type ?? (properties ? 'object' : items ? 'array' : [])].flat())
  if (types.size === 0) throw refused(pointer, 'a schema without a type')
  if (nullable) types.add('null')
  // A number may be an integer.
  if (types.has('number')) types.delete('integer')
  return [...types]
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
