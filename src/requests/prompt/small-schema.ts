/** A schema as a model needs it: without what only validators read, and without the bounds that every integer has. */

import { isFields } from '../../base/fields.ts'
import type { JsonSchema } from '../../values/schema/json-schema.ts'

/** Keywords that tell a model nothing. */
const SILENT: ReadonlySet<string> = new Set(['$schema', '$id', '$comment', '$anchor'])

/** zod writes these for every integer. */
const BOUNDS: Readonly<Record<string, number>> = {
  minimum: Number.MIN_SAFE_INTEGER,
  maximum: Number.MAX_SAFE_INTEGER,
}

/** How deep a schema is made small. What is deeper stays as it is. */
const MOST_LEVELS = 64

export function smallSchema(schema: JsonSchema): JsonSchema {
  return small(schema, false, 0) as JsonSchema
}

/** `isMap`: its keys are names of properties and definitions, not keywords. */
function small(value: unknown, isMap: boolean, level: number): unknown {
  if (level === MOST_LEVELS) return value
  if (Array.isArray(value)) return value.map((item) => small(item, false, level + 1))
  if (!isFields(value)) return value
  const kept = Object.entries(value).filter(([key, inner]) => isMap || !isSilent(key, inner))
  return Object.fromEntries(
    kept.map(([key, inner]) => [
      key,
      isData(key) && !isMap ? inner : small(inner, !isMap && isNamed(key), level + 1),
    ]),
  )
}

/** `additionalProperties: false` says only that nothing else is taken; a schema there says what may be. */
function isSilent(key: string, value: unknown): boolean {
  if (key === 'additionalProperties') return typeof value === 'boolean'
  return SILENT.has(key) || (Object.hasOwn(BOUNDS, key) && BOUNDS[key] === value)
}

const isNamed = (key: string): boolean =>
  key === 'properties' || key === 'patternProperties' || key === '$defs' || key === 'definitions'

/** Values, which may look like schemas. */
const isData = (key: string): boolean =>
  key === 'const' || key === 'default' || key === 'enum' || key === 'examples' || key === 'example'
