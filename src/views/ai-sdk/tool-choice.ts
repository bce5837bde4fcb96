/**
 * When a tool must be called, the model is asked for one JSON object and nothing else:
 *
 *     {"name": "get_weather", "arguments": {"city": "Paris"}}
 *
 * Anything else becomes a call of a tool that is not there, which nothing runs.
 */

import { isExecutable } from '../../calls/verdict.ts'
import { callObject } from '../../dialects/call-object.ts'
import { SluiceError } from '../../errors.ts'
import type { ToolCall } from '../../event.ts'
import { isFields } from '../../fields.ts'
import { stringify } from '../../json/stringify.ts'
import { createSinkParser } from '../../parser.ts'
import { type PromptTool, plainLines } from '../../prompt/tool-list.ts'
import type { JsonSchema } from '../../schema/json-schema.ts'
import { define } from '../../wire/dialect.ts'
import { wire } from '../../wire/index.ts'
import type { OnError } from './failures.ts'
import type { GenerateResultLike, PartLike, ToolCallPart, ToolChoiceLike } from './parts.ts'
import { withCalls } from './parts.ts'
import { randomId } from './random-id.ts'

export interface ToolChoiceOptions {
  /** The tools there are: a call that cannot be read is called by a name that none of them has. */
  readonly tools?: readonly { readonly name: string }[] | undefined
  /** The one that must be called, where it is a certain one. */
  readonly toolName?: string | undefined
  readonly onError?: OnError | undefined
  readonly generateId?: (() => string) | undefined
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

/** Reads the call that the model had to make. */
function readChoice(text: string, options: ToolChoiceOptions): ToolCallPart {
  const { tools = [], onError, generateId = randomId } = options
  const toolCallId = generateId()
  const call = chosenCall(text, options.toolName, tools)
  let toolName = 'unknown'
  let input = '{}'
  if (typeof call === 'string') {
    while (tools.some(({ name }) => name === toolName)) toolName += '_'
    onError?.(call, { toolCall: text, toolName, toolCallId, reason: 'tool-choice' })
  } else {
    toolName = call.toolName
    input = stringify(call.input)
  }
  return { type: 'tool-call', toolCallId, toolName, input }
}

/** The answer as a dialect, so that it is read as any other call is. */
const answer = /* @__PURE__ */ define('tool-choice', { weakCall: wire`${callObject}` })

/** The call, or what is wrong with it. */
function chosenCall(
  text: string,
  toolName: string | undefined,
  tools: NonNullable<ToolChoiceOptions['tools']>,
): ToolCall | string {
  let call: ToolCall | undefined
  let isAlone = true
  const parser = createSinkParser(
    (event) => {
      if (event.type === 'tool-call') {
        isAlone &&= call === undefined
        call ??= event
      } else if (event.type === 'text-delta') isAlone &&= event.delta.trim() === ''
    },
    { dialect: answer, emit: { json: false } },
  )
  parser.push(withoutFence(text))
  parser.end()
  if (call === undefined) return 'The answer is not a JSON object that names a tool.'
  if (call.error !== undefined) return call.error.message
  if (!isExecutable(call)) return 'What the answer means had to be guessed.'
  if (!isAlone) return 'The answer is not one JSON object alone.'
  if (toolName !== undefined && call.toolName !== toolName)
    return `The answer calls '${call.toolName}', and '${toolName}' was to be called.`
  // The AI SDK tells of tools that are not there, but may take one for a tool that every object has.
  const { toolName: name } = call
  if (name in {} && !tools.some((tool) => tool.name === name)) return `There is no tool '${name}'.`
  return isFields(call.input) ? call : "The answer's arguments are not an object."
}

/** Models like to fence JSON, even when they are asked for nothing else. */
function withoutFence(text: string): string {
  const trimmed = text.trim()
  const start = trimmed.indexOf('\n')
  return trimmed.startsWith('```') && trimmed.endsWith('```') && start !== -1
    ? trimmed.slice(start, -3)
    : trimmed
}

/** The response with its first text read as a call. */
export function withChoice<Result extends GenerateResultLike>(
  result: Result,
  options: ToolChoiceOptions,
): Result {
  const content = [...result.content]
  const first = content.findIndex((part) => part.type === 'text' && textOf(part).trim() !== '')
  const call = readChoice(first === -1 ? '' : textOf(content[first]!), options)
  if (first === -1) content.push(call)
  else content[first] = call
  return { ...result, content, finishReason: withCalls(result.finishReason) }
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
  return streamOf(withChoice(await options.doGenerate(), options))
}

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
