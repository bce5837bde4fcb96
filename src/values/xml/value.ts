/**
 * The value that a tree of elements stands for.
 *
 *     <path>a.ts</path><line>3</line><line>5</line>   {"path": "a.ts", "line": [3, 5]}
 *
 * An element that holds only text is that text; elements are the properties of an object; the same
 * element again makes a list, and so do `<item>`s and `<0>`, `<1>`, `<2>`. A schema has the last word:
 * it types texts, keeps the inside of a string as it is written, and says what is a list.
 */

import type { JsonValue } from '../../base/event.ts'
import { checkOptions, type KnownOptions } from '../../base/options.ts'
import { keepNumber } from '../numbers/written.ts'
import { asWritten, type CoerceTextOptions, type ReadText, readText } from '../schema/coerce-text.ts'
import type { JsonSchema } from '../schema/json-schema.ts'
import { type JsonObject, setOwn } from '../schema/json-values.ts'
import { ARRAY, OBJECT, STRING, UNKNOWN } from '../schema/kinds.ts'
import { KnownSchemas } from '../schema/known.ts'
import { textOfSections } from './cdata.ts'
import { decodeEntities } from './entities.ts'
import {
  type OpenElement,
  readElements,
  type XmlElement,
  type XmlNode,
  type XmlProblem,
  type XmlProblemCode,
} from './tree.ts'

/** Options of `readValue` and `valueOfElements`. */
export interface ValueOptions {
  readonly schema?: JsonSchema | undefined
  /** The schema that `$ref`s refer into. Default: the schema itself. */
  readonly root?: JsonSchema | undefined
  /** Decode character references in strings, once. Default true. */
  readonly entities?: boolean | undefined
  /** Make numbers of texts that no schema speaks for, where the number is written just so. Default true. */
  readonly numbers?: boolean | undefined
  /** The attribute that names the property in `<arg name="path">`. Default: elements go by their own names. */
  readonly nameAttribute?: string | undefined
  /** An element around all others that stands for nothing, such as `arguments`. */
  readonly wrapper?: string | undefined
  /** Attributes are properties whose names begin with this, such as `@_`. Default: they are reported and left out. */
  readonly attributePrefix?: string | undefined
  /** The key for text that stands beside elements or attributes, so that it is not lost. Default `$text`. */
  readonly textKey?: string | undefined
  /** Elements that hold nothing and need no closer, such as `br`. */
  readonly empty?: readonly string[] | undefined
  /** Comments are text. Default: they are left out. */
  readonly comments?: boolean | undefined
  /** Processing instructions, such as `<?php … ?>`, are text. Default: they are left out. */
  readonly instructions?: boolean | undefined
  /** White space around a text is layout. Default false. */
  readonly padded?: boolean | undefined
  /** Reads an object or array that is not quite JSON; undefined when it cannot. */
  readonly relaxed?: CoerceTextOptions['relaxed']
}

const OPTIONS: KnownOptions<ValueOptions> = {
  schema: 'any',
  root: 'any',
  entities: 'boolean',
  numbers: 'boolean',
  nameAttribute: 'string',
  wrapper: 'string',
  attributePrefix: 'string',
  textKey: 'string',
  empty: 'list',
  comments: 'boolean',
  instructions: 'boolean',
  padded: 'boolean',
  relaxed: 'function',
}

/** The value that elements stand for, and what is wrong with them. */
export interface XmlValue {
  readonly value: JsonValue
  readonly problems: readonly XmlProblem[]
}

/** The elements that may carry the name of a property as an attribute. */
const NAMED_ELEMENTS: ReadonlySet<string> = new Set(['arg', 'argument', 'param', 'parameter'])

const TEXT_KEY = '$text'

const MAX_PROBLEMS = 100

const COMMENT = /<(!--|\?)/

/** Reads elements and gives the value they stand for; the inside of strings is text, whatever it holds. */
export function readValue(xml: string, options: ValueOptions = {}): XmlValue {
  const builder = new ValueBuilder(options)
  const schemas = new Map<OpenElement | undefined, JsonSchema | undefined>([[undefined, options.schema]])
  const nodes = readElements(xml, {
    entities: options.entities,
    empty: options.empty,
    comments: options.comments,
    instructions: options.instructions,
    onProblem: (problem) => builder.addProblem(problem),
    isText: (element, parent) => {
      const isWrapper = parent === undefined && builder.isWrapper(element)
      const schema = isWrapper ? options.schema : builder.childSchema(schemas.get(parent), element)
      schemas.set(element, schema)
      return isTextual(builder.kinds(schema))
    },
  })
  return { value: builder.build(nodes, xml), problems: builder.problems }
}

/** The value of elements that were already read. */
export function valueOfElements(nodes: readonly XmlNode[], options: ValueOptions = {}): XmlValue {
  const builder = new ValueBuilder(options)
  return { value: builder.build(nodes, undefined), problems: builder.problems }
}

/** A value that is complete, or the parts it is made of. */
type Plan = ReadText | { readonly frame: Frame }

interface Frame {
  readonly into: JsonObject | JsonValue[]
  readonly slots: readonly Slot[]
  next: number
}

interface Slot {
  readonly key: string
  /** More than one where the same element came again. */
  readonly elements: readonly Content[]
  readonly schema: JsonSchema | undefined
}

/** What an element holds; also what stands at the top, in no element. */
interface Content {
  readonly children: readonly XmlNode[]
  readonly inner: string | undefined
  readonly attributes?: XmlElement['attributes']
}

class ValueBuilder {
  readonly problems: XmlProblem[] = []
  private readonly options: ValueOptions
  private readonly known: KnownSchemas

  constructor(options: ValueOptions) {
    checkOptions(options, OPTIONS)
    this.options = options
    this.known = new KnownSchemas(options.root ?? options.schema ?? true)
  }

  addProblem(problem: XmlProblem): void {
    if (this.problems.length < MAX_PROBLEMS) this.problems.push(problem)
  }

  /** Works on a stack of its own, because elements may be nested deeper than calls can be. */
  build(nodes: readonly XmlNode[], inner: string | undefined): JsonValue {
    const first = this.plan(this.unwrap({ children: nodes, inner }), this.options.schema)
    if ('value' in first) return first.value
    const stack = [first.frame]
    let frame = first.frame
    for (;;) {
      const slot = frame.slots[frame.next]
      if (slot !== undefined) {
        const plan = this.planSlot(slot)
        if ('value' in plan) put(frame, plan)
        else {
          frame = plan.frame
          stack.push(frame)
        }
        continue
      }
      const done = stack.pop()!.into
      const parent = stack.at(-1)
      if (parent === undefined) return done
      frame = parent
      put(frame, { value: done })
    }
  }

  isWrapper(element: OpenElement): boolean {
    const { wrapper, schema } = this.options
    if (wrapper === undefined || element.name !== wrapper) return false
    return schema === undefined || this.known.propertyOf(schema, wrapper) === undefined
  }

  private unwrap(content: Content): Content {
    const elements = elementsOf(content.children)
    const only = elements.length === 1 ? elements[0] : undefined
    if (only === undefined || !this.isWrapper(only) || !isBlank(textOf(content.children))) return content
    this.reportAttributes(only, this.options.schema)
    return only
  }

  kinds(schema: JsonSchema | undefined): number {
    return schema === undefined ? UNKNOWN : this.known.kindsOf(schema)
  }

  /** The schema of an element as far as it is known when the element opens. */
  childSchema(parent: JsonSchema | undefined, element: OpenElement): JsonSchema | undefined {
    if (parent === undefined) return undefined
    const key = this.keyOf(element)
    const property = this.known.propertyOf(parent, key)
    if (property !== undefined || (this.kinds(parent) & ARRAY) === 0) return property
    const items = this.known.itemOf(parent, isIndex(key) ? Number(key) : 0)
    return (items === undefined ? undefined : this.known.propertyOf(items, key)) ?? items
  }

  // ── what an element is ─────────────────────────────────────────────────────────────────────────

  private plan(content: Content, schema: JsonSchema | undefined): Plan {
    const kinds = this.kinds(schema)
    const text = textOf(content.children)
    if (isTextual(kinds)) return this.scalar(this.stringOf(content.inner ?? text), schema)
    const elements = elementsOf(content.children)
    const attributes = this.attributesOf(content)
    if (elements.length === 0) {
      if (attributes === undefined) return this.leaf(text, schema)
      const { textKey = TEXT_KEY } = this.options
      return {
        value: isBlank(text) ? attributes : { ...attributes, [textKey]: this.leaf(text, undefined).value },
      }
    }

    // A schema for scalars has nothing to say about elements.
    const inside = (kinds & (OBJECT | ARRAY)) === 0 ? undefined : schema
    const list = attributes === undefined ? this.listOf(elements, inside) : undefined
    if (list === undefined && isListOnly(kinds) && !isListOnly(this.kinds(this.known.itemOf(schema!, 0))))
      return { frame: this.frameOfItems([content], schema) }
    const between = isBlank(text) ? '' : text.trim()
    if (between !== '') this.addProblem(problemAt('mixed-text', elements[0]!))
    if (list !== undefined) {
      const items = inside === undefined ? undefined : this.known.itemOf(inside, 0)
      for (const item of list) this.reportAttributes(item, items)
      return { frame: this.frameOfItems(list, inside) }
    }
    return { frame: this.frameOfProperties(elements, inside, between, attributes) }
  }

  /** The attributes that are properties of their element. */
  private attributesOf({ attributes = [] }: Content): JsonObject | undefined {
    const { attributePrefix, nameAttribute } = this.options
    if (attributePrefix === undefined) return undefined
    const properties: JsonObject = {}
    for (const [name, value] of attributes)
      if (name !== nameAttribute) setOwn(properties, attributePrefix + name, value)
    return Object.keys(properties).length > 0 ? properties : undefined
  }

  private reportAttributes(element: XmlElement, schema: JsonSchema | undefined): void {
    const { attributePrefix, nameAttribute } = this.options
    // Where its inside is text, attributes have no place.
    const isIgnored = attributePrefix === undefined || isTextual(this.kinds(schema))
    const isRead = (name: string) => name === nameAttribute && NAMED_ELEMENTS.has(element.name)
    if (isIgnored && element.attributes.some(([name]) => !isRead(name)))
      this.addProblem(problemAt('ignored-attribute', element))
  }

  private planSlot(slot: Slot): Plan {
    if (slot.elements.length === 1) return this.plan(slot.elements[0]!, slot.schema)
    const isList = (this.kinds(slot.schema) & ARRAY) !== 0
    if (isList) return { frame: this.frameOfItems(this.itemsOf(slot), slot.schema) }
    const slots = slot.elements.map((element, index) => ({
      key: String(index),
      elements: [element],
      schema: slot.schema,
    }))
    return { frame: { into: [], slots, next: 0 } }
  }

  /** Each element is an item, or a list of items where no item can be a list: then the lists are joined, as a guess. */
  private itemsOf({ key, elements, schema }: Slot): readonly Content[] {
    const item = schema === undefined ? undefined : this.known.itemOf(schema, 0)
    if ((this.kinds(item) & ARRAY) !== 0) return elements
    const lists = elements.map(({ children }) => {
      const inside = elementsOf(children)
      return inside.length > 0 && isBlank(textOf(children)) ? this.listOf(inside, schema) : undefined
    })
    const first = lists.find((list) => list !== undefined)
    if (first === undefined) return elements
    this.addProblem({ code: 'repeated-key', name: key, offset: first[0]!.offset })
    return lists.flatMap((list, index): readonly Content[] => list ?? [elements[index]!])
  }

  private frameOfItems(items: readonly Content[], schema: JsonSchema | undefined): Frame {
    const slots = items.map((item, index) => ({
      key: String(index),
      elements: [item],
      schema: schema === undefined ? undefined : this.known.itemOf(schema, index),
    }))
    return { into: [], slots, next: 0 }
  }

  private frameOfProperties(
    elements: readonly XmlElement[],
    schema: JsonSchema | undefined,
    between: string,
    attributes: JsonObject = {},
  ): Frame {
    const groups = new Map<string, XmlElement[]>()
    for (const element of elements) {
      const key = this.keyOf(element)
      const group = groups.get(key)
      if (group === undefined) groups.set(key, [element])
      else group.push(element)
      const property = schema === undefined ? undefined : this.known.propertyOf(schema, key)
      this.reportAttributes(element, property)
    }
    const slots: Slot[] = []
    for (const [key, group] of groups) {
      const property = schema === undefined ? undefined : this.known.propertyOf(schema, key)
      const isRepeatedString = group.length > 1 && isTextual(this.kinds(property))
      if (isRepeatedString) this.addProblem(problemAt('duplicate-string-tag', group[1]!))
      slots.push({ key, elements: isRepeatedString ? [group[0]!] : group, schema: property })
    }
    const into: JsonObject = { ...attributes }
    const { textKey = TEXT_KEY } = this.options
    if (between !== '' && !groups.has(textKey)) setOwn(into, textKey, between)
    return { into, slots, next: 0 }
  }

  /** The elements as items in order, when they are a list. */
  private listOf(
    elements: readonly XmlElement[],
    schema: JsonSchema | undefined,
  ): readonly XmlElement[] | undefined {
    const kinds = this.kinds(schema)
    if ((kinds & ARRAY) === 0) return undefined
    const keys = elements.map((element) => this.keyOf(element))
    const isDeclared =
      schema !== undefined && keys.some((key) => this.known.propertyOf(schema, key) !== undefined)
    if (isDeclared) return undefined
    if (keys.every((key) => key === 'item')) return elements
    if (keys.every(isIndex) && new Set(keys).size === keys.length) {
      const isWithoutGaps = keys.every((key) => Number(key) < keys.length)
      if (isWithoutGaps || isListOnly(kinds))
        return [...elements].sort((first, second) => Number(this.keyOf(first)) - Number(this.keyOf(second)))
    }
    if (!isListOnly(kinds) || new Set(keys).size > 1) return undefined
    // <edits><edit>…</edit></edits>: the items have a name of their own, unless it is a property of theirs.
    const items = schema === undefined ? undefined : this.known.itemOf(schema, 0)
    const isOwnName = items === undefined || this.known.propertyOf(items, keys[0]!) === undefined
    return isOwnName ? elements : undefined
  }

  private keyOf(element: OpenElement): string {
    const { nameAttribute } = this.options
    if (nameAttribute === undefined || !NAMED_ELEMENTS.has(element.name)) return element.name
    return element.attributes.find(([name]) => name === nameAttribute)?.[1] ?? element.name
  }

  // ── what a text is ─────────────────────────────────────────────────────────────────────────────

  /** The inside of a string is its own, unless it begins with a CDATA section. */
  private stringOf(inner: string): string {
    const { entities = true, padded } = this.options
    const sections = textOfSections(inner, entities)
    if (sections !== undefined) return sections
    const text = padded ? inner.trim() : inner
    return entities ? decodeEntities(text) : text
  }

  private leaf(written: string, schema: JsonSchema | undefined): ReadText {
    const text = this.options.padded ? written.trim() : written
    const kinds = this.kinds(schema)
    const read = this.scalar(text, schema)
    if (read.value !== text || schema === undefined || (kinds & STRING) !== 0) return read
    if (isBlank(text)) return { value: (kinds & OBJECT) !== 0 ? {} : (kinds & ARRAY) !== 0 ? [] : text }
    const isBrokenJson = '[{'.includes(text.trimStart()[0]!)
    if (!isListOnly(kinds) || isBrokenJson) return read
    // A comment may say that there is none.
    if (this.options.comments && COMMENT.test(text))
      this.addProblem({ code: 'mixed-text', name: '', offset: 0 })
    // A list of one, without anything that says so.
    const list: JsonValue[] = []
    store(list, 0, this.scalar(text, this.known.itemOf(schema, 0)))
    return { value: list }
  }

  private scalar(text: string, schema: JsonSchema | undefined): ReadText {
    const kinds = this.kinds(schema)
    if (schema !== undefined && kinds !== UNKNOWN)
      return asWritten(
        readText(text, kinds, () => this.known.textsOf(schema), { relaxed: this.options.relaxed }),
      )
    return { value: this.options.numbers === false ? text : numberIn(text) }
  }
}

/** A text that is written exactly as its number would be is that number: `5`, but not `007`, `5.0` or `1e3`. */
function numberIn(text: string): JsonValue {
  const trimmed = text.length > 40 ? '' : text.trim()
  const number = Number(trimmed)
  const isSafe = Number.isInteger(number) ? Number.isSafeInteger(number) : Number.isFinite(number)
  return trimmed !== '' && isSafe && String(number) === trimmed ? number : text
}

function put(frame: Frame, read: ReadText): void {
  const { into } = frame
  const { key } = frame.slots[frame.next++]!
  store(into, Array.isArray(into) ? into.length : key, read)
}

function store(into: JsonObject | JsonValue[], key: string | number, { value, json }: ReadText): void {
  if (Array.isArray(into)) into.push(value)
  else setOwn(into, String(key), value)
  if (json !== undefined && typeof value === 'number') keepNumber(into, key, json)
}

function problemAt(code: XmlProblemCode, { name, offset }: XmlElement): XmlProblem {
  return { code, name, offset }
}

/** Strings, perhaps beside other scalars: what is inside is text, and no element. */
function isTextual(kinds: number): boolean {
  return (kinds & STRING) !== 0 && (kinds & (OBJECT | ARRAY)) === 0
}

function isListOnly(kinds: number): boolean {
  return (kinds & ARRAY) !== 0 && (kinds & OBJECT) === 0
}

function isIndex(key: string): boolean {
  return key.length < 16 && String(Number(key)) === key && Number.isInteger(Number(key)) && Number(key) >= 0
}

function elementsOf(nodes: readonly XmlNode[]): XmlElement[] {
  return nodes.filter((node) => node.type === 'element')
}

function textOf(nodes: readonly XmlNode[]): string {
  let text = ''
  for (const node of nodes) if (node.type === 'text') text += node.text
  return text
}

function isBlank(text: string): boolean {
  return text.trim() === ''
}
