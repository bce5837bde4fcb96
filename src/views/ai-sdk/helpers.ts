/** Small doors to the readers that the middleware itself uses, under the names by which they are known. */

import { readRelaxed } from '../../calls/values.ts'
import { SluiceError } from '../../errors.ts'
import type { JsonValue } from '../../event.ts'
import { parseJson } from '../../json/relaxed.ts'
import { stringify } from '../../json/stringify.ts'
import { coerceValue } from '../../schema/coerce-value.ts'
import type { JsonSchema } from '../../schema/json-schema.ts'
import { toJsonSchema } from '../../schema/standard.ts'
import type { XmlProblem } from '../../xml/tree.ts'
import { readValue } from '../../xml/value.ts'
import { withoutDelay } from './lazy-schema.ts'

/** Relaxed JSON: unquoted keys, comments, trailing commas and the like are read, anything else throws. */
export const RJSON = {
  parse: (text: string): JsonValue => parseJson(text),
  stringify: (value: JsonValue): string => stringify(value),
}

export interface RxmlOptions {
  /** Told of everything that is not as it should be. */
  readonly onProblem?: (problem: XmlProblem) => void
}

/** Relaxed XML: the value that elements stand for, typed by a schema. */
export const RXML = {
  parse(xml: string, schema?: JsonSchema, options: RxmlOptions = {}): JsonValue {
    const { value, problems } = readValue(xml, { schema, relaxed: readRelaxed })
    for (const problem of problems) options.onProblem?.(problem)
    const twice = problems.find(({ code }) => code === 'duplicate-string-tag')
    if (twice === undefined) return value
    throw new SluiceError(
      'invalid-source',
      `<${twice.name}> is there twice, and it is one string; give it once.`,
    )
  },
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
