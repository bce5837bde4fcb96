/** What the schema of a tool says about one of its arguments. */

import {
  isSchemaObject,
  itemSchema,
  type JsonSchema,
  propertySchema,
} from '../../values/schema/json-schema.ts'
import { BOOLEAN, expects, kindsOf, NUMBER, STRING, UNKNOWN } from '../../values/schema/kinds.ts'
import type { Tool } from './tools.ts'

export interface ToolArgument {
  /** References in it point into the schema of the tool. */
  readonly schema: JsonSchema | undefined
  /** What kind of value it takes; `string` means that its text may pass as it comes. */
  readonly expects: 'string' | 'other' | 'unknown'
}

const UNKNOWN_TOOL: ToolArgument = { schema: undefined, expects: 'unknown' }

/** Keys come from the wire, so the memory for them is bounded. */
const MAX_REMEMBERED_KEYS = 1024

const remembered = new WeakMap<Tool, Map<string, ToolArgument>>()

export function toolArgument(tool: Tool | undefined, key: string): ToolArgument {
  if (tool === undefined) return UNKNOWN_TOOL
  let known = remembered.get(tool)
  if (known === undefined) {
    known = new Map()
    remembered.set(tool, known)
  }
  let argument = known.get(key)
  if (argument === undefined) {
    const schema = isSchemaObject(tool.schema) ? propertySchema(tool.schema, key) : undefined
    argument = { schema, expects: expects(schema, tool.schema) }
    if (known.size < MAX_REMEMBERED_KEYS) known.set(key, argument)
  }
  return argument
}

/**
 * Whether a string may stand at a path into the arguments, and nothing of some other kinds: then what is written like one
 * of those is text.
 */
export function isStringAt(
  tool: Tool | undefined,
  path: readonly (string | number)[],
  others = NUMBER | BOOLEAN,
): boolean {
  const { expects } = toolArgument(tool, String(path[0]))
  if (path.length === 1 && expects !== 'other') return expects === 'string'
  return (kindsAt(tool, path) & (STRING | others)) === STRING
}

/** The kinds of value that may stand at a path into the arguments. */
export function kindsAt(tool: Tool | undefined, [key, ...inner]: readonly (string | number)[]): number {
  let { schema } = toolArgument(tool, String(key))
  const root = tool?.schema
  for (const part of inner) {
    if (schema === undefined) return UNKNOWN
    schema = typeof part === 'number' ? itemSchema(schema, part, root) : propertySchema(schema, part, root)
  }
  return schema === undefined ? UNKNOWN : kindsOf(schema, root)
}
