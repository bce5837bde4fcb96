/**
 * When a tool must be called, the model is asked for one JSON object and nothing else:
 *
 *     {"name": "get_weather", "arguments": {"city": "Paris"}}
 *
 * A call in the model's own format is as good. Anything else becomes a call that cannot run: of the tool that must be
 * called, or where it may be any, of one that is not there.
 */

import { SluiceError } from '../../base/errors.ts'
import { callObject } from '../../dialects/call-object.ts'
import { fenced } from '../../dialects/fence.ts'
import type { Shown } from '../../engine/calls/shown-text.ts'
import { createToolTable, type NamedTool } from '../../engine/calls/tools.ts'
import { dialectsOf } from '../../engine/parser.ts'
import { type Dialect, define } from '../../engine/wire/dialect.ts'
import { wire } from '../../engine/wire/index.ts'
import { type PromptTool, plainLines } from '../../requests/prompt/tool-list.ts'
import type { JsonSchema } from '../../values/schema/json-schema.ts'
import type { Debug } from './debug.ts'
import { FAILED, inputThatCannotRun, type OnError, resolveChoices, unknownName } from './failures.ts'
import type { GenerateResultLike, PartLike, ToolCallPart, ToolChoiceLike } from './parts.ts'
import { withCalls } from './parts.ts'
import { randomId } from './random-id.ts'
import { type ReadingSettings, translateContent } from './translate.ts'

/** Options for a request that must call a tool. */
export interface ToolChoiceOptions {
  /** The tools there are: a call that cannot be read is called by a name that none of them has. */
  readonly tools?: readonly NamedTool[] | undefined
  /** The one that must be called, where it is a certain one. */
  readonly toolName?: string | undefined
  readonly onError?: OnError | undefined
  readonly generateId?: (() => string) | undefined
  /** What the prompt holds that others wrote. A call that only repeats it cannot run. */
  readonly shown?: Shown | undefined
}

/** The tools that may be chosen: one, or all of them. */
export function chooseTools(tools: readonly PromptTool[], choice: ToolChoiceLike): PromptTool[] {
  const chosen = choice.type === 'tool' ? tools.filter(({ name }) => name === choice.toolName) : [...tools]
  if (chosen.length > 0) return chosen
  throw new SluiceError(
    'invalid-option',
    choice.type === 'tool'
      ? `The tool choice is '${choice.toolName}', but there is no such tool that a model could call in text.`
      : 'The tool choice is required, but there are no tools that a model could call in text.',
  )
}

/** The form of the answer, for providers that can hold a model to it. */
export function choiceFormat(tools: readonly PromptTool[]): object {
  const isOne = tools.length === 1
  const forms = tools.map(({ name, inputSchema }, at) => ({
    type: 'object',
    properties: {
      name: { const: name },
      arguments: placed(inputSchema, `#${isOne ? '' : `/anyOf/${at}`}/properties/arguments`),
    },
    required: ['name', 'arguments'],
    additionalProperties: false,
  }))
  return { type: 'json', name: 'tool_call', schema: isOne ? forms[0] : { anyOf: forms } }
}

/** A schema that stands inside another, with its references to itself. */
function placed(schema: JsonSchema, place: string): unknown {
  return JSON.parse(JSON.stringify(schema).replaceAll('"$ref":"#', `"$ref":"${place}`))
}

/** The same in words, for all others. */
export function choicePrompt(tools: readonly PromptTool[]): string {
  return `# Tools

You must call ${tools.length === 1 ? 'this tool. It is' : 'one of these tools. Each is'} described by one line of JSON, with the JSON Schema of its arguments:
<tools>
${plainLines(tools)}
</tools>

Answer with one JSON object and nothing else: {"name": the tool's name, "arguments": the tool's arguments}`
}

/** The answer as a dialect, so that it is read as any other call is: alone, in a fence, or on a line of its own. */
const answer = /* @__PURE__ */ define('tool-choice', {
  weakCall: [wire`${callObject}`, fenced(wire`${callObject}`)],
  weakCallInLines: true,
})

/** The dialects of an answer that must be a call. */
export const choiceDialects = (dialects: readonly Dialect[]): readonly Dialect[] => [...dialects, answer]

/** How a response is read that must be a call. */
export type ChoiceSettings = ReadingSettings & Pick<ToolChoiceOptions, 'toolName'>

/** Reads the response of a model that had to call a tool, in the form that it was asked for or in its own. */
export function readChoice<Result extends GenerateResultLike>(
  given: Result,
  settings: ChoiceSettings,
  debug?: Debug,
): Result {
  const first = given.content.findIndex((part) => part.type === 'text' && !isBlank(part))
  const text = first === -1 ? '' : textOf(given.content[first]!)
  const [word = ''] = LEADING_WORD.exec(text) ?? []
  const result = translateContent(
    {
      ...given,
      content: given.content.map((part, at) =>
        at === first ? ({ ...part, text: text.slice(word.length) } as PartLike) : part,
      ),
    },
    { ...settings, parser: { ...settings.parser, dialect: choiceDialects(dialectsOf(settings.parser)) } },
    debug,
  )
  // White space around the answer is no text.
  const content = result.content.flatMap((part) => (isBlank(part) ? [] : asChosen(part, settings)))
  if (content.some(({ type }) => type === 'tool-call')) {
    const lead = { type: 'text', text: word } as PartLike
    return { ...result, content: isBlank(lead) ? content : [lead, ...content] }
  }
  const call = failedChoice(text, settings)
  debug?.emitted(call)
  const place = content.findIndex(({ type }) => type === 'text')
  content.splice(place === -1 ? content.length : place, place === -1 ? 0 : 1, call)
  return { ...result, content, finishReason: withCalls(result.finishReason) }
}

const isBlank = (part: PartLike): boolean => part.type === 'text' && textOf(part).trim() === ''

/** A word before the JSON, without anything that could open a call. */
const LEADING_WORD = /^[^{}<>[\]`|]+(?=\{)/

/**
 * A call that cannot run, as one of the tool that must be called. The AI SDK throws where there is none, and the model
 * would not be told what is wrong.
 */
function asChosen(part: PartLike, { toolName }: ChoiceSettings): PartLike {
  const isFailed = part.type === 'tool-call' && FAILED in Object((part as ToolCallPart).providerMetadata)
  return isFailed && toolName !== undefined ? ({ ...part, toolName } as ToolCallPart) : part
}

function failedChoice(text: string, settings: ChoiceSettings): ToolCallPart {
  const { parser, onError, generateId } = settings
  const tools = createToolTable(parser.tools)
  const [only, ...others] = tools.names
  const wanted = only !== undefined && others.length === 0 ? `\`${only}\`` : 'a tool'
  const reason = `The answer does not call ${wanted}. Answer with one JSON object and nothing else: {"name": the tool's name, "arguments": the tool's arguments}`
  const toolCallId = generateId()
  const { toolName = unknownName(tools) } = settings
  onError?.(reason, { toolCall: text, toolName, toolCallId, reason: 'tool-choice' })
  return {
    type: 'tool-call',
    toolCallId,
    toolName,
    input: inputThatCannotRun(text, reason),
    providerMetadata: { [FAILED]: { text, reason } },
  }
}

const textOf = (part: PartLike): string => (part as PartLike & { readonly text: string }).text

/**
 * The response as a stream, where a tool must be called: it is generated whole, and given out as parts.
 *
 *     const { stream } = await toolChoiceStream({ doGenerate, toolName: 'get_weather', onError })
 */
export async function toolChoiceStream(
  options: ToolChoiceOptions & { readonly doGenerate: () => PromiseLike<GenerateResultLike> },
): Promise<StreamedResult> {
  const { tools = [], toolName, onError, generateId = randomId, shown } = options
  const settings: ChoiceSettings = {
    toolName,
    parser: {
      dialect: [],
      tools: toolName === undefined ? tools : onlyTool(tools, toolName),
      ...(shown && { shown }),
    },
    choices: resolveChoices(),
    onError,
    generateId,
    takenIds: new Set(),
    warnings: [],
    isChoice: true,
  }
  return streamOf(readChoice(await options.doGenerate(), settings))
}

/** The tool that must be called. */
export function onlyTool(tools: readonly NamedTool[], toolName: string): readonly NamedTool[] {
  return [tools.find(({ name }) => name === toolName) ?? { name: toolName }]
}

/** The answer of a language model's `doStream`. */
export interface StreamedResult {
  readonly stream: ReadableStream<PartLike>
  readonly request?: object | undefined
  readonly response?: object | undefined
}

/** A whole response as a stream of its parts. */
export function streamOf(result: GenerateResultLike): StreamedResult {
  const { request, response } = result
  const stream = new ReadableStream<PartLike>({
    start(controller) {
      for (const part of partsOf(result)) controller.enqueue(part)
      controller.close()
    },
  })
  return { stream, ...(request && { request }), ...(response && { response }) }
}

function* partsOf(result: GenerateResultLike): Generator<PartLike> {
  const { content, finishReason, usage, warnings = [], providerMetadata, response } = result
  yield { type: 'stream-start', warnings } as PartLike
  const { id, timestamp, modelId } = (response ?? {}) as Record<string, unknown>
  yield { type: 'response-metadata', id, timestamp, modelId } as PartLike
  for (const [index, part] of content.entries()) yield* spread(part, `sluice-${part.type}-${index}`)
  yield {
    type: 'finish',
    finishReason,
    usage,
    ...(providerMetadata !== undefined && { providerMetadata }),
  } as PartLike
}

/** One piece of content as the parts that a stream would have for it. */
function* spread(part: PartLike, id: string): Generator<PartLike> {
  if (part.type === 'text' || part.type === 'reasoning') {
    const { text, providerMetadata } = part as PartLike & { text: string; providerMetadata?: unknown }
    const block = { id, ...(providerMetadata !== undefined && { providerMetadata }) }
    yield { ...block, type: `${part.type}-start` }
    if (text !== '') yield { type: `${part.type}-delta`, id, delta: text } as PartLike
    yield { ...block, type: `${part.type}-end` }
    return
  }
  if (part.type === 'tool-call' && !('providerExecuted' in part)) {
    const { toolCallId, toolName, input } = part as ToolCallPart
    yield { type: 'tool-input-start', id: toolCallId, toolName } as PartLike
    yield { type: 'tool-input-delta', id: toolCallId, delta: input } as PartLike
    yield { type: 'tool-input-end', id: toolCallId } as PartLike
  }
  yield part
}
