/** Small doors to the readers that the middleware itself uses, under the names by which they are known. */

import { SluiceError } from '../../base/errors.ts'
import type { JsonValue } from '../../base/event.ts'
import { checkOptions, type KnownOptions } from '../../base/options.ts'
import { readRelaxed } from '../../engine/calls/values.ts'
import { parseJson, safeParseJson } from '../../values/json/relaxed.ts'
import { stringify } from '../../values/numbers/stringify.ts'
import { coerceValue } from '../../values/schema/coerce-value.ts'
import type { JsonSchema } from '../../values/schema/json-schema.ts'
import { toJsonSchema } from '../../values/schema/standard.ts'
import { type RenderElementsOptions, renderElements } from '../../values/xml/render-elements.ts'
import { repairElements } from '../../values/xml/repair.ts'
import type { XmlProblem } from '../../values/xml/tree.ts'
import { readValue } from '../../values/xml/value.ts'
import { withoutDelay } from './lazy-schema.ts'

/** Options of `RJSON.parse`. */
export interface RjsonOptions {
  /** Read what is not quite JSON. Default true. */
  readonly relaxed?: boolean
  /** Give what there is of a text that is broken or cut off, instead of throwing. Default false. */
  readonly tolerant?: boolean
  /** Take the last of two equal keys, instead of throwing. Default false. */
  readonly duplicate?: boolean
  /** Throw after all, with what is wrong, where `tolerant` would give only a part. Default false. */
  readonly warnings?: boolean
  /** As that of `JSON.parse`. */
  readonly reviver?: Reviver
}

/** The reviver of `JSON.parse`. */
export type Reviver = (this: unknown, key: string, value: unknown) => unknown

const RJSON_OPTIONS: KnownOptions<RjsonOptions> = {
  relaxed: 'boolean',
  tolerant: 'boolean',
  duplicate: 'boolean',
  warnings: 'boolean',
  reviver: 'function',
}

function parseRelaxed(text: string, given: RjsonOptions | Reviver = {}): JsonValue {
  const options = typeof given === 'function' ? { reviver: given } : given
  checkOptions(options, RJSON_OPTIONS)
  const { relaxed = true, tolerant = false, duplicate = false, warnings = false, reviver } = options
  const reading = {
    ...(!relaxed && { mode: 'strict' as const }),
    ...(!duplicate && { duplicateKeys: 'error' as const }),
  }
  const isPart = tolerant && !warnings
  const value = isPart ? (safeParseJson(text, reading).value ?? null) : parseJson(text, reading)
  return reviver === undefined ? value : (JSON.parse(stringify(value), reviver) as JsonValue)
}

/** Relaxed JSON: unquoted keys, comments, trailing commas and the like are read, anything else throws. */
export const RJSON = {
  parse: parseRelaxed,
  stringify: (value: JsonValue): string => stringify(value),
  /** Relaxed JSON as JSON. */
  transform: (text: string): string => stringify(parseJson(text)),
}

/** Options of `RXML`. */
export interface RxmlOptions {
  /** Put names in another case and elements that are not closed, where the schema knows them. Default true. */
  readonly repair?: boolean
  /** What the names of properties begin with that were attributes. Default `@_`. */
  readonly attributePrefix?: string
  /** The key for text beside elements or attributes. Default `#text`. */
  readonly textNodeName?: string
  /** Elements that hold nothing and need no closer, such as `br`. */
  readonly noChildNodes?: readonly string[]
  /** Comments are text. Default: they are left out. */
  readonly keepComments?: boolean
  /** Throw where one string is there twice. Default true; otherwise the first one counts. */
  readonly throwOnDuplicateStringTags?: boolean
  /** Told of everything that is not as it should be. */
  readonly onProblem?: (problem: XmlProblem) => void
}

const RXML_OPTIONS: KnownOptions<RxmlOptions> = {
  repair: 'boolean',
  attributePrefix: 'string',
  textNodeName: 'string',
  noChildNodes: 'list',
  keepComments: 'boolean',
  throwOnDuplicateStringTags: 'boolean',
  onProblem: 'function',
}

const ATTRIBUTE_PREFIX = '@_'
const TEXT_KEY = '#text'

/** Relaxed XML: the value that elements stand for, typed by a schema; and elements for a value. */
export const RXML = {
  parse(xml: string, schema?: JsonSchema, options: RxmlOptions = {}): JsonValue {
    checkOptions(options, RXML_OPTIONS)
    const { repair = true, attributePrefix = ATTRIBUTE_PREFIX, textNodeName = TEXT_KEY } = options
    const { noChildNodes: empty, keepComments: comments } = options
    const reading = { schema, relaxed: readRelaxed, attributePrefix, textKey: textNodeName, empty, comments }
    let { value, problems } = readValue(xml, reading)
    const { properties = {} } = typeof schema === 'object' ? schema : {}
    if (repair && needsRepair(value, problems, properties)) {
      const repaired = repairElements(xml, Object.keys(properties))
      const read = readValue(repaired.xml, reading)
      value = read.value
      problems = [...repaired.problems, ...read.problems]
    }
    for (const problem of problems) options.onProblem?.(problem)
    const twice = problems.find(({ code }) => code === 'duplicate-string-tag')
    if (twice === undefined || options.throwOnDuplicateStringTags === false) return value
    throw new SluiceError(
      'invalid-source',
      `<${twice.name}> appears twice, and its schema is a single string; write it once.`,
    )
  },

  /** A value as one element, which `parse` reads back with its schema; attributes and text as it gives them. */
  stringify: (name: string, value: JsonValue, options: RenderElementsOptions = {}): string =>
    renderElements(name, value, { attributePrefix: ATTRIBUTE_PREFIX, textKey: TEXT_KEY, ...options }),
}

/** Whether an element is not closed, or is one of the schema in another case. Tags in a string are its text. */
function needsRepair(value: JsonValue, problems: readonly XmlProblem[], properties: object): boolean {
  if (problems.some(({ code }) => code === 'unclosed-element' || code === 'stray-closer')) return true
  const known = new Set(Object.keys(properties).map((name) => name.toLowerCase()))
  return Object.keys(Object(value)).some(
    (key) => !Object.hasOwn(properties, key) && known.has(key.toLowerCase()),
  )
}

/** The value with everything brought to the types of its schema that can be without guessing. */
export function coerceBySchema(value: JsonValue, schema: JsonSchema): JsonValue {
  return coerceValue(value, schema, { relaxed: readRelaxed }).value
}

/** The schemas of some tools by name, to be kept before something on the way changes them. */
export function originalToolSchemas(
  tools: Readonly<Record<string, { readonly inputSchema?: unknown }>>,
): Record<string, JsonSchema> {
  return Object.fromEntries(
    Object.entries(tools).flatMap(([name, { inputSchema }]) => {
      const schema = toJsonSchema(withoutDelay(inputSchema))
      return schema === undefined ? [] : [[name, schema]]
    }),
  )
}

/**
 * Where `searched` is in `text`, or where it may have begun at the end of it; null if it is not there.
 *
 *     getPotentialStartIndex('a <tool', '<tool_call>')   // 2
 */
export function getPotentialStartIndex(text: string, searched: string): number | null {
  if (searched === '') return null
  const whole = text.indexOf(searched)
  if (whole !== -1) return whole
  for (let at = Math.max(0, text.length - searched.length + 1); at < text.length; at++)
    if (searched.startsWith(text.slice(at))) return at
  return null
}
