/**
 * What a model without tools of its own is asked: the tools are in the system prompt, past calls and results are
 * text, and what the parser must know to read the answer is kept beside.
 */

import type { Shown } from '../../engine/calls/shown-text.ts'
import type { NamedTool } from '../../engine/calls/tools.ts'
import type { Dialect } from '../../engine/wire/dialect.ts'
import { checkSystemText, type SystemPrompt, toolsPrompt } from '../../requests/prompt/system-prompt.ts'
import type { PromptTool } from '../../requests/prompt/tool-list.ts'
import type { JsonSchema } from '../../values/schema/json-schema.ts'
import type { OnError } from './failures.ts'
import { pastIds, pastResults, renderHistory } from './history.ts'
import type { CallOptionsLike, FunctionToolLike, MessageLike, PartLike } from './parts.ts'
import { OWN_OPTIONS, type RequestOptions } from './request-options.ts'
import type { FormatResult } from './results.ts'
import { choiceDialects, choiceFormat, choicePrompt, chooseTools } from './tool-choice.ts'

export interface ParamsSettings {
  readonly dialect: Dialect
  /** All dialects that the answer is read with. */
  readonly dialects: readonly Dialect[]
  readonly protectCode: boolean
  readonly placement: 'first' | 'last'
  readonly systemPrompt: SystemPrompt
  readonly media: 'forward' | 'placeholder'
  readonly formatResult?: FormatResult | undefined
  /** Schemas as the tools were declared, where something changed them on the way. */
  readonly originalToolSchemas?: Readonly<Record<string, JsonSchema>> | undefined
  /** For each tool the argument that a format with a body writes there. */
  readonly streams?: Readonly<Record<string, string>> | undefined
}

/** What is known of a request when its answer is read. */
export interface RequestNotes {
  readonly tools: readonly NamedTool[]
  /** The names of tools that the AI SDK has and the model is not told of. */
  readonly hiddenTools: ReadonlySet<string>
  /** `none`: calls are text. `required`: the answer is a call and nothing else. */
  readonly mode: 'auto' | 'none' | 'required'
  /** The tool that must be called, where it is a certain one. */
  readonly toolName?: string | undefined
  readonly takenIds: Set<string>
  /** What the prompt holds that others wrote. */
  readonly shown: Shown
  readonly warnings: readonly object[]
  readonly onError?: OnError | undefined
}

export function takeNotes(params: CallOptionsLike, settings: ParamsSettings): RequestNotes {
  const own = (params.providerOptions as Record<string, RequestOptions> | undefined)?.[OWN_OPTIONS]
  const schemas = { ...settings.originalToolSchemas, ...own?.originalToolSchemas }
  const choice = params.toolChoice?.type
  return {
    tools: functionTools(params).map(({ name, inputSchema }) => ({
      name,
      inputSchema: Object.hasOwn(schemas, name) ? schemas[name]! : inputSchema,
      ...(settings.streams && Object.hasOwn(settings.streams, name) && { streams: settings.streams[name] }),
    })),
    hiddenTools: namesOf(providerTools(params)),
    mode: choice === 'none' ? 'none' : choice === 'required' || choice === 'tool' ? 'required' : 'auto',
    toolName: params.toolChoice?.toolName,
    takenIds: pastIds(params.prompt),
    shown: { results: pastResults(params.prompt) },
    warnings: providerTools(params).map(warningFor),
    onError: own?.onError,
  }
}

export function rewriteParams<Params extends CallOptionsLike>(
  params: Params,
  notes: RequestNotes,
  settings: ParamsSettings,
): { readonly params: Params; readonly instructions: string } {
  const { tools: _, toolChoice, providerOptions, ...rest } = params
  const tools = functionTools(params)
  const { dialect, dialects, protectCode } = settings
  const rendering = {
    dialect,
    dialects,
    protectCode,
    tools: notes.tools,
  }
  let told = ''
  let format: object | undefined
  if (notes.mode === 'required') {
    const chosen = chooseTools(tools, toolChoice!)
    told = toolsPrompt(chosen, rendering, choicePrompt)
    format = choiceFormat(chosen)
  } else if (notes.mode === 'auto') told = toolsPrompt(tools, rendering, settings.systemPrompt)
  if (notes.mode !== 'none') {
    const system = params.prompt.filter(({ role }) => role === 'system')
    checkSystemText(system.map(({ content }) => String(content)).join('\n'), rendering)
  }
  const prompt = renderHistory(params.prompt, {
    ...settings,
    ...rendering,
    dialects: notes.mode === 'required' ? choiceDialects(dialects) : dialects,
    providerTools: notes.hiddenTools,
  })
  const { [OWN_OPTIONS]: __, ...others } = (providerOptions ?? {}) as Record<string, unknown>
  const rewritten = {
    ...rest,
    prompt: told.trim() === '' ? prompt : withSystem(prompt, told, settings.placement),
    ...(providerOptions !== undefined && { providerOptions: others }),
    ...(format !== undefined && { responseFormat: format }),
  } as unknown as Params
  return { params: rewritten, instructions: told }
}

function functionTools({ tools = [] }: CallOptionsLike): (PromptTool & PartLike)[] {
  return tools.filter(
    (tool): tool is FunctionToolLike & { inputSchema: JsonSchema } => tool.type === 'function',
  )
}

/** Tools that the provider would run. */
function providerTools({ tools = [] }: CallOptionsLike): NamedPart[] {
  return tools.filter((tool) => tool.type !== 'function')
}

const namesOf = (tools: readonly NamedPart[]): ReadonlySet<string> =>
  new Set(tools.flatMap(({ name }) => name ?? []))

/** The prompt with more text in its system message. */
export function withSystem(
  prompt: readonly MessageLike[],
  told: string,
  placement: 'first' | 'last',
): readonly MessageLike[] {
  const at = prompt.findIndex(({ role }) => role === 'system')
  const system = prompt[at]
  if (system === undefined) return [{ role: 'system', content: told }, ...prompt]
  const parts = placement === 'first' ? [told, system.content] : [system.content, told]
  const merged = { ...system, content: parts.join('\n\n') }
  return prompt.map((message) => (message === system ? merged : message))
}

interface NamedPart extends PartLike {
  readonly name?: string
}

/** A tool that the provider would run is of no use to a model that knows of no tools. */
function warningFor(tool: NamedPart): object {
  const details = 'The model is told of tools in its prompt, and a tool of the provider cannot be.'
  // V2 names the tool itself, V3 and V4 a feature.
  return tool.type === 'provider-defined'
    ? { type: 'unsupported-tool', tool, details }
    : { type: 'unsupported', feature: `provider tool ${tool.name ?? tool.type}`, details }
}
