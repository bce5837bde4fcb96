/** Tools as the providers' APIs want them described. */

import type { Tool } from '../../../engine/calls/tools.ts'
import type { JsonSchema } from '../../../values/schema/json-schema.ts'
import type { ToolSyntax, ToolSyntaxRegistry } from './tool-syntax.ts'

export function toolSchemasFor(
  provider: string | null | undefined,
  registry: ToolSyntaxRegistry,
): readonly object[] {
  const describe = FORMS[provider?.trim().toUpperCase() ?? ''] ?? openAi
  return [...registry.table].map((tool) =>
    describe({
      name: tool.name,
      ...(tool.description !== undefined && { description: tool.description }),
      schema: schemaOf(tool, registry.get(tool.name)),
    }),
  )
}

interface Described {
  readonly name: string
  readonly description?: string
  readonly schema: JsonSchema
}

const openAi = ({ schema, ...about }: Described): object => ({
  type: 'function',
  function: { ...about, parameters: schema },
})

const FORMS: Readonly<Record<string, (tool: Described) => object>> = {
  ANTHROPIC: ({ schema, ...about }) => ({ ...about, input_schema: schema }),
  GEMINI: ({ schema, ...about }) => ({ ...about, parameters: schema }),
}

/** A tool without a schema takes what its syntax says: its content and its headlines, all of them texts. */
function schemaOf(tool: Tool, syntax: ToolSyntax | undefined): JsonSchema {
  if (tool.schema !== undefined) return tool.schema
  const required = [...new Set([...(syntax?.headlines ?? []), ...(syntax?.streams ? [syntax.streams] : [])])]
  return {
    type: 'object',
    properties: Object.fromEntries(required.map((key) => [key, { type: 'string' }])),
    ...(required.length > 0 && { required }),
  }
}
