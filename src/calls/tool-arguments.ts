/** What the schema of a tool says about one of its arguments. */

import { isSchemaObject, itemSchema, type JsonSchema, propertySchema } from '../schema/json-schema.ts'
import { expects } from '../schema/kinds.ts'
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

/** Whether the value at a path into the arguments can be nothing but a string. */
export function isStringAt(tool: Tool | undefined, [key, ...inner]: readonly (string | number)[]): boolean {
  const argument = toolArgument(tool, String(key))
  if (inner.length === 0) return argument.expects === 'string'
  let { schema } = argument
  const root = tool?.schema
  for (const part of inner) {
    if (schema === undefined) return false
    schema = typeof part === 'number' ? itemSchema(schema, part, root) : propertySchema(schema, part, root)
  }
  return expects(schema, root) === 'string'
}
