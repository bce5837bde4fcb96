/** What the schema of a tool says about one of its arguments. */

import {
  isSchemaObject,
  itemSchema,
  type JsonSchema,
  propertySchema,
} from '../../values/schema/json-schema.ts'
import { BOOLEAN, expects, kindsOf, NUMBER, STRING } from '../../values/schema/kinds.ts'
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
  [key, ...inner]: readonly (string | number)[],
  others = NUMBER | BOOLEAN,
): boolean {
  const argument = toolArgument(tool, String(key))
  if (inner.length === 0 && argument.expects !== 'other') return argument.expects === 'string'
  let { schema } = argument
  const root = tool?.schema
  for (const part of inner) {
    if (schema === undefined) return false
    schema = typeof part === 'number' ? itemSchema(schema, part, root) : propertySchema(schema, part, root)
  }
  return schema !== undefined && (kindsOf(schema, root) & (STRING | others)) === STRING
}
