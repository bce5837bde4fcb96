/** What a model without tools of its own is told about them: which there are, and how a call is written. */

import { SluiceError } from '../../base/errors.ts'
import type { JsonValue } from '../../base/event.ts'
import { type RenderOptions, renderCalls } from '../../engine/render.ts'
import type { Dialect } from '../../engine/wire/dialect.ts'
import { exampleInput } from './example-input.ts'
import { type AnswerReading, namedOpened, type Opened, opens } from './harmless.ts'
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

/**
 * What the prompt says of the tools. Their names, descriptions and schemas come from others: one that opens something in the
 * dialect of the answer is refused, because a model that repeats it would call a tool.
 */
export function toolsPrompt(
  tools: readonly PromptTool[],
  options: AnswerReading,
  write: SystemPrompt = systemPrompt,
): string {
  const context = promptContext(options)
  const shown: string[] = []
  const examples = (tool: PromptTool): string[] => {
    const written = context.examples(tool)
    shown.push(...written)
    return written
  }
  const told = write(tools, { ...context, examples })
  const texts = tools.flatMap((tool) => textsOf(tool).map((text) => ({ tool, text })))
  // What somebody else writes may have examples of its own.
  const own = write === systemPrompt ? withoutAll(told, shown) : ''
  const { dialects: _, ...written } = options
  const [what] = [
    // The form of a list may be a call in another dialect.
    ...opens(own, written),
    ...opens(texts.map(({ text }) => text).join('\n'), options),
  ]
  if (what === undefined) return told
  const found = texts.find(({ text }) => opens(text, options).length > 0)
  throw unsafe(
    found ? `The tool ${shownText(found.tool.name)}` : 'The list of tools',
    found?.text ?? own,
    what,
    options,
  )
}

const withoutAll = (text: string, parts: readonly string[]): string =>
  parts.reduce((rest, part) => rest.split(part).join('…'), text)

/** Refuses text of the system that would call a tool if the model repeated it. Thoughts it may describe. */
export function checkSystemText(text: string, options: AnswerReading): void {
  const what = opens(text, options).find(({ kind }) => kind === 'call')
  if (what !== undefined) throw unsafe('The system text', text, what, options)
}

function unsafe(place: string, text: string, what: Opened, reading: AnswerReading): SluiceError {
  return new SluiceError(
    'unsafe-prompt',
    `${place} opens ${namedOpened(what, reading)}, and the model may repeat it: ${shownText(text)}. Write it without the markers of the dialect.`,
  )
}

const shownText = (text: string): string => JSON.stringify(text.length > 80 ? `${text.slice(0, 80)}…` : text)

/** The texts that a tool consists of. */
function textsOf({ name, description = '', inputSchema, inputExamples }: PromptTool): string[] {
  return [name, description, ...stringsIn([inputSchema, inputExamples])]
}

/** All texts in a schema or an example. No recursion: it may be deep. */
function stringsIn(given: unknown): string[] {
  const found: string[] = []
  const waiting: unknown[] = [given]
  for (let at = 0; at < waiting.length; at++) {
    const value = waiting[at]
    if (typeof value === 'string') found.push(value)
    else if (typeof value === 'object' && value !== null)
      for (const [key, inner] of Object.entries(value)) {
        if (!Array.isArray(value)) found.push(key)
        waiting.push(inner)
      }
  }
  return found
}
