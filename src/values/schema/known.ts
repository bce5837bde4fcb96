/** Schemas that many values are held against: what is asked of each again and again is found out once. */

import type { JsonValue } from '../../base/event.ts'
import { canonical } from './canonical.ts'
import { textConstants } from './coerce-text.ts'
import {
  alternatives,
  isSchemaObject,
  itemIn,
  type JsonSchema,
  type JsonSchemaObject,
  propertyIn,
} from './json-schema.ts'
import { constantsOf, kindsOf } from './kinds.ts'

interface Facts {
  kinds?: number
  constants?: Constants | null
  texts?: ReadonlySet<string>
  members?: readonly JsonSchema[]
  readonly properties: Map<string, JsonSchema | undefined>
}

export class KnownSchemas {
  readonly root: JsonSchema
  private readonly known = new WeakMap<JsonSchemaObject, Facts>()

  constructor(root: JsonSchema) {
    this.root = root
  }

  kindsOf(schema: JsonSchema): number {
    if (!isSchemaObject(schema)) return kindsOf(schema)
    const facts = this.factsOf(schema)
    facts.kinds ??= kindsOf(schema, this.root)
    return facts.kinds
  }

  /** The values of `enum` and `const`. */
  constantsOf(schema: JsonSchemaObject): Constants | null {
    const facts = this.factsOf(schema)
    if (facts.constants === undefined) {
      const all = constantsOf(schema)
      facts.constants = all === undefined ? null : new Constants(all)
    }
    return facts.constants
  }

  /** The texts among them, anywhere in the union. */
  textsOf(schema: JsonSchema): ReadonlySet<string> {
    if (!isSchemaObject(schema)) return NO_TEXTS
    const facts = this.factsOf(schema)
    facts.texts ??= textConstants(this.membersOf(schema))
    return facts.texts
  }

  propertyOf(schema: JsonSchema, key: string): JsonSchema | undefined {
    if (!isSchemaObject(schema)) return undefined
    const { properties } = this.factsOf(schema)
    if (!properties.has(key)) properties.set(key, propertyIn(this.membersOf(schema), key, this.root))
    return properties.get(key)
  }

  itemOf(schema: JsonSchema, index: number): JsonSchema | undefined {
    return itemIn(this.membersOf(schema), index, this.root)
  }

  /** The schema and the members of its unions, each resolved. */
  membersOf(schema: JsonSchema): readonly JsonSchema[] {
    if (!isSchemaObject(schema)) return []
    const facts = this.factsOf(schema)
    facts.members ??= alternatives(schema, this.root)
    return facts.members
  }

  private factsOf(schema: JsonSchemaObject): Facts {
    let facts = this.known.get(schema)
    if (facts === undefined) {
      facts = { properties: new Map() }
      this.known.set(schema, facts)
    }
    return facts
  }
}

/** Characters of the text of a constant; nothing is equal to a longer one. */
const MAX_TEXT = 1024 * 1024

const NO_TEXTS: ReadonlySet<string> = new Set()

/** Values of which one has to be met. */
class Constants {
  readonly all: readonly unknown[]
  private readonly scalars: ReadonlySet<unknown>
  /** The texts of lists and objects, and how many entries these have. */
  private readonly texts = new Set<string>()
  private readonly sizes = new Set<number>()
  private longest = 0

  constructor(all: readonly unknown[]) {
    this.all = all
    this.scalars = new Set(all)
    for (const one of all) {
      const text = typeof one === 'object' && one !== null ? canonical(one, MAX_TEXT) : undefined
      if (text === undefined) continue
      this.texts.add(text)
      this.sizes.add(Object.keys(one as object).length)
      this.longest = Math.max(this.longest, text.length)
    }
  }

  has(value: JsonValue): boolean {
    if (this.scalars.has(value)) return true
    // A bigint and a number may be one integer.
    if (typeof value === 'bigint') return this.scalars.has(Number(value)) && BigInt(Number(value)) === value
    if (typeof value !== 'object' || value === null) return false
    if (!this.sizes.has(Object.keys(value).length)) return false
    const text = canonical(value, this.longest)
    return text !== undefined && this.texts.has(text)
  }
}
