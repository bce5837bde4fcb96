/** Finds pointers that lead to no argument of a tool, by the tool's schema: most are misspelt. */

import { SluiceError } from '../../../base/errors.ts'
import { nearest } from '../../../base/nearest.ts'
import { pointer } from '../../../base/path.ts'
import type { ToolTable } from '../../../engine/calls/tools.ts'
import {
  alternatives,
  isSchemaObject,
  itemIn,
  type JsonSchema,
  type JsonSchemaMap,
  propertyIn,
} from '../../../values/schema/json-schema.ts'
import { ANY, DEEP, type PatternKey } from './pointer-pattern.ts'

/**
 * Throws for a pointer that leads nowhere in any of the tools. One set of handlers may watch the calls of several, so it
 * is enough that one of them has such an argument.
 */
export function checkPointer(
  written: string,
  keys: readonly PatternKey[],
  toolName: string,
  tools: ToolTable,
): void {
  const problem = problemWith(keys, tools.get(toolName)?.schema)
  if (problem === undefined) return
  for (const { schema } of tools) if (problemWith(keys, schema) === undefined) return
  const { at, known } = problem
  const near = nearest(keys[at] as string, known)
  const parts = written.split('/')
  parts[at + 1] = near === undefined ? '' : pointer([near]).slice(1)
  const advice =
    near === undefined ? `its arguments are ${known.join(', ')}.` : `did you mean '${parts.join('/')}'?`
  throw new SluiceError('invalid-pointer', `'${written}' leads to no argument of '${toolName}'; ${advice}`)
}

interface Problem {
  /** The first key that leads nowhere. */
  readonly at: number
  /** What stands there instead. */
  readonly known: readonly string[]
}

/** Nothing where a schema does not say what there is. */
function problemWith(keys: readonly PatternKey[], root: JsonSchema | undefined): Problem | undefined {
  let schema = root
  for (const [at, key] of keys.entries()) {
    if (schema === undefined || root === undefined || key === DEEP) return undefined
    const members = alternatives(schema, root)
    if (key === ANY) {
      schema = anyChild(members, root)
      continue
    }
    const child: JsonSchema | undefined =
      propertyIn(members, key, root) ?? (/^\d+$/.test(key) ? itemIn(members, Number(key), root) : undefined)
    if (child === undefined) return isMisspelt(members, key) ? { at, known: keysIn(members) } : undefined
    schema = child
  }
  return undefined
}

/** Whether a key that is not declared cannot be meant: nothing else may stand there, or one comes near that is. */
function isMisspelt(members: readonly JsonSchema[], key: string): boolean {
  const known = keysIn(members)
  const isClosed = members.some((member) => isSchemaObject(member) && member.additionalProperties === false)
  return known.length > 0 && (isClosed || nearest(key, known) !== undefined)
}

function keysIn(members: readonly JsonSchema[]): string[] {
  return members.flatMap((member) =>
    isSchemaObject(member) && isSchemaObject(member.properties) ? Object.keys(member.properties) : [],
  )
}

/** What any key or index leads to. */
function anyChild(members: readonly JsonSchema[], root: JsonSchema): JsonSchema | undefined {
  const item = itemIn(members, Number.MAX_SAFE_INTEGER, root)
  const children = members.flatMap((member) =>
    isSchemaObject(member) && isSchemaObject(member.properties)
      ? Object.values(member.properties as JsonSchemaMap)
      : [],
  )
  const all = item === undefined ? children : [...children, item]
  return all.length === 0 ? undefined : { anyOf: all }
}
