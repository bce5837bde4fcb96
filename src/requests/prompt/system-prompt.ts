/** What a model without tools of its own is told about them: which there are, and how a call is written. */

import type { JsonValue } from '../../base/event.ts'
import { type RenderOptions, renderCalls } from '../../engine/render.ts'
import type { Dialect } from '../../engine/wire/dialect.ts'
import { exampleInput } from './example-input.ts'
import { DEFAULT_STYLE, STYLES, type ToolStyle } from './styles.ts'
import type { PromptTool } from './tool-list.ts'

/** What a function that writes the system prompt gets beside the tools. */
export interface PromptContext {
  readonly dialect: Dialect
  /** Calls of a tool as the dialect writes them: the tool's own examples, or one made up from its schema. */
  readonly examples: (tool: PromptTool) => string[]
}

/** Writes the part of the system prompt that is about tools. An empty text leaves the prompt as it is. */
export type SystemPrompt = (tools: readonly PromptTool[], context: PromptContext) => string

/** In the form that the dialect's models were trained on; for formats that none was trained on, with rules. */
export const systemPrompt: SystemPrompt = (tools, { dialect, examples }) => {
  if (tools.length === 0) return ''
  const style: ToolStyle = (Object.hasOwn(STYLES, dialect.name) && STYLES[dialect.name]) || DEFAULT_STYLE
  const [before, after] = style.around
  const rules = [...(style.rules ?? []), ...COMMON_RULES].map((rule) => `- ${rule}`)
  const forms = tools.map((tool) => examples(tool).join('\n\n'))
  return `# Tools

You can call these tools:

${before}${style.list(tools)}${after}

To call a tool, write the call exactly in this form:

${forms.join('\n\n')}

${rules.join('\n')}`
}

const COMMON_RULES = [
  'You may explain yourself before a call, and write several calls one after the other. Then stop: the results are in the next message.',
  'Call only the tools above. Give every required argument, and make up no results.',
]

/** Calls are shown as they are written, without the examples being read again. */
export function promptContext(options: RenderOptions): PromptContext {
  const { dialect } = options
  const written = (toolName: string, input: JsonValue): string => {
    // With an id only where the dialect cannot do without one.
    for (const id of [undefined, '0'])
      try {
        return renderCalls([{ ...(id && { id }), toolName, input }], options)
      } catch {}
    return dialect.example
  }
  return {
    dialect,
    examples: ({ name, inputSchema, inputExamples }) =>
      inputExamples?.length
        ? inputExamples.map(({ input }) => written(name, input as JsonValue))
        : [written(name, exampleInput(inputSchema))],
  }
}
