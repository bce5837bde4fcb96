/** What the schema of a tool says about one of its arguments. */

import { isSchemaObject, type JsonSchema, propertySchema } from '../schema/json-schema.ts'
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
