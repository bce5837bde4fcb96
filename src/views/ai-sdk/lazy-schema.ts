/** Schemas that the AI SDK lets a tool give as a function, so that they are made only when someone asks. */

import { isStandardSchema } from '../../values/schema/standard.ts'

/** The schema that a function stands for; anything else as it is. What throws is no schema. */
export function withoutDelay(schema: unknown): unknown {
  // ArkType's schemas are functions themselves.
  if (typeof schema !== 'function' || isStandardSchema(schema)) return schema
  try {
    return schema() as unknown
  } catch {
    return undefined
  }
}

/** Some tools by name, with the schemas that can be had now. */
export function toolsWithSchemas<Tool extends { readonly inputSchema?: unknown }>(
  tools: Readonly<Record<string, Tool>>,
): Record<string, Tool> {
  return Object.fromEntries(
    Object.entries(tools).map(([name, tool]) => [
      name,
      typeof tool.inputSchema === 'function'
        ? { ...tool, inputSchema: withoutDelay(tool.inputSchema) }
        : tool,
    ]),
  )
}
