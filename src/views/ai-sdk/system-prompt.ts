/** What a model without tools of its own is told about them: which there are, and how a call is written. */

import type { JsonValue } from '../../event.ts'
import { type RenderOptions, renderCalls } from '../../render.ts'
import type { JsonSchema } from '../../schema/json-schema.ts'
import type { Dialect } from '../../wire/dialect.ts'
import { exampleInput } from './example-input.ts'

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
      return renderCalls([{ toolName, input }], options)
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
