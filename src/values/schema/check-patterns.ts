/** Finds patterns of a schema that cannot be run on any text, before there is one. */

import { Path } from '../../base/path.ts'
import { isSchemaObject, type JsonSchema } from './json-schema.ts'
import { problemOfPattern } from './pattern.ts'

/** Keywords with schemas in them: by name, and alone or in a list. */
const NAMED: ReadonlySet<string> = new Set([
  ...['$defs', 'definitions', 'dependencies', 'dependentSchemas', 'patternProperties', 'properties'],
])
const INNER: ReadonlySet<string> = new Set([
  ...['additionalItems', 'additionalProperties', 'allOf', 'anyOf', 'contains', 'else', 'if', 'items', 'not'],
  ...['oneOf', 'prefixItems', 'propertyNames', 'then', 'unevaluatedItems', 'unevaluatedProperties'],
])

/** What is wrong with the first pattern that cannot be run, and where it is; undefined if each can. */
export function brokenPatternIn(schema: JsonSchema): { path: string; problem: string } | undefined {
  const open: (readonly [value: unknown, path: Path])[] = [[schema, Path.root]]
  const seen = new Set<unknown>()
  for (const [value, path] of open) {
    if (!isSchemaObject(value) || seen.has(value)) continue
    seen.add(value)
    const { pattern, patternProperties } = value
    const keys = isSchemaObject(patternProperties) ? Object.keys(patternProperties) : []
    const patterns = [
      ...(typeof pattern === 'string' ? [[pattern, path.child('pattern')] as const] : []),
      ...keys.map((key) => [key, path.child('patternProperties').child(key)] as const),
    ]
    for (const [one, at] of patterns) {
      const problem = problemOfPattern(one)
      if (problem !== undefined) return { path: at.pointer, problem }
    }
    for (const [keyword, inner] of Object.entries(value)) {
      const at = path.child(keyword)
      if (INNER.has(keyword)) open.push([inner, at])
      const isNamed = NAMED.has(keyword) && isSchemaObject(inner)
      if (isNamed || (INNER.has(keyword) && Array.isArray(inner)))
        for (const [key, one] of Object.entries(inner as object)) open.push([one, at.child(key)])
    }
  }
  return undefined
}
