/** What a model without tools of its own is told about them: which there are, and how a call is written. */

import type { JsonValue } from '../../event.ts'
import { type RenderOptions, renderUnchecked } from '../../render.ts'
import { isSchemaObject, type JsonSchema, resolve } from '../../schema/json-schema.ts'
import { ARRAY, BOOLEAN, kindsOf, NUMBER, OBJECT, STRING } from '../../schema/kinds.ts'
import type { Dialect } from '../../wire/dialect.ts'

export interface PromptTool {
  readonly name: string
  readonly description?: string | undefined
  readonly inputSchema: JsonSchema
  readonly inputExamples?: readonly { readonly input: unknown }[] | undefined
}

export interface PromptContext {
  readonly dialect: Dialect
  /** Calls of a tool as the dialect writes them: the tool's own examples, or one made up from its schema. */
  readonly examples: (tool: PromptTool) => string[]
}

/** Writes the part of the system prompt that is about tools. An empty text leaves the prompt as it is. */
export type SystemPrompt = (tools: readonly PromptTool[], context: PromptContext) => string

export const systemPrompt: SystemPrompt = (tools, { examples }) => {
  const [first] = tools
  if (first === undefined) return ''
  const written = tools.flatMap((tool) => (tool.inputExamples?.length ? examples(tool) : []))
  return `# Tools

You can call these tools. Each is described by one line of JSON, with the JSON Schema of its arguments:
<tools>
${toolList(tools)}
</tools>

To call a tool, write the call exactly in this form:

${(written.length > 0 ? written : examples(first)).join('\n\n')}

You may explain yourself before a call, and write several calls one after the other. Then stop. The answers are given to you in the next message.`
}

/** One line of JSON for each tool. */
export function toolList(tools: readonly PromptTool[]): string {
  return tools
    .map(({ name, description, inputSchema }) =>
      JSON.stringify({ name, ...(description && { description }), parameters: inputSchema }),
    )
    .join('\n')
}

export function promptContext(options: RenderOptions): PromptContext {
  const { dialect } = options
  const written = (toolName: string, input: JsonValue): string => {
    try {
      return renderUnchecked([{ type: 'call', toolName, input }], options)
    } catch {
      return dialect.example
    }
  }
  return {
    dialect,
    examples: ({ name, inputSchema, inputExamples }) =>
      inputExamples?.length
        ? inputExamples.map(({ input }) => written(name, input as JsonValue))
        : [written(name, exampleInput(inputSchema))],
  }
}

/** Something in the place of each argument that must be there; of every argument, where none must. */
function exampleInput(schema: JsonSchema): { [key: string]: JsonValue } {
  const resolved = resolve(schema, schema)
  const properties = Object.entries((isSchemaObject(resolved) && resolved.properties) || {})
  const { required = [] } = isSchemaObject(resolved) ? resolved : {}
  const wanted = properties.filter(([key]) => required.includes(key))
  const input: { [key: string]: JsonValue } = {}
  for (const [key, property] of wanted.length > 0 ? wanted : properties) {
    const value = exampleValue(property, schema)
    Object.defineProperty(input, key, { value, enumerable: true, configurable: true, writable: true })
  }
  return input
}

function exampleValue(schema: JsonSchema, root: JsonSchema): JsonValue {
  const resolved = resolve(schema, root)
  if (isSchemaObject(resolved) && Array.isArray(resolved.enum)) return resolved.enum[0] as JsonValue
  const kinds = kindsOf(schema, root)
  if ((kinds & STRING) !== 0) return '…'
  if ((kinds & NUMBER) !== 0) return 1
  if ((kinds & BOOLEAN) !== 0) return true
  if ((kinds & ARRAY) !== 0) return []
  return (kinds & OBJECT) !== 0 ? {} : null
}
