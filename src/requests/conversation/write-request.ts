/** A request in the words of a protocol. */

import { SluiceError } from '../../base/errors.ts'
import { type Fields, isFields } from '../../base/fields.ts'
import { checkOption, shown } from '../../base/options.ts'
import { createToolTable, type ToolDefinitions } from '../../engine/calls/tools.ts'
import { checkMessages } from './check-messages.ts'
import { FittedNames } from './fit-names.ts'
import type {
  ConversationMessage,
  ConversationPart,
  FunctionTool,
  ModelRequest,
  RequestTool,
  ToolChoice,
} from './model-request.ts'
import { pairResults } from './pair-results.ts'
import type { CheckedRequest, Report, RequestDiagnostic, RequestFormat } from './request-format.ts'

/** A request as `writeRequest` writes it: what to send, where, and what was changed. */
export interface WrittenRequest {
  /** To be sent as JSON. */
  readonly body: Fields
  /** Where on the provider's server, such as `/v1/messages`. */
  readonly path: string
  /** The tools that were renamed because the provider does not take their names: from the new name to yours. */
  readonly toolNames: Readonly<Record<string, string>>
  /** What the protocol could not carry. */
  readonly diagnostics: readonly RequestDiagnostic[]
}

/**
 * Writes a request for a provider. What the protocol cannot carry is left out and reported.
 *
 *     const { body, path, diagnostics } = writeRequest(anthropicRequest, request)
 *     const response = await fetch(`https://api.anthropic.com${path}`, { method: 'POST', headers, body: JSON.stringify(body) })
 *
 * Throws `unrepresentable` for a request that the provider cannot answer at all.
 */
export function writeRequest(format: RequestFormat, request: ModelRequest): WrittenRequest {
  if (typeof format?.write !== 'function')
    throw new SluiceError(
      'invalid-option',
      `The first argument of writeRequest is a format, such as anthropicRequest from 'sluice/requests', not ${shown(format)}.`,
    )
  checkRequest(request)
  const diagnostics: RequestDiagnostic[] = []
  const report: Report = (code, message) => diagnostics.push({ code, message })
  const tools = functionTools(request.tools, format.name, report)
  const names = new FittedNames(format.toolNames, namesIn(request, tools))
  const toolNames = names.replaced()
  for (const [wire, name] of Object.entries(toolNames))
    report('renamed', `The tool '${name}' is called '${wire}': the provider does not take its name.`)
  reportOptions(request, format.name, report)
  const isContinued = request.previousResponseId !== undefined || format.isContinued?.(request) === true
  const paired = pairResults(request.messages, format, report, isContinued)
  const checked: CheckedRequest = {
    model: request.model,
    messages: paired.map((message) => withToolNames(message, names)),
    tools: tools.map((tool) => (isFunctionTool(tool) ? { ...tool, name: names.get(tool.name) } : tool)),
    toolChoice: renamedChoice(request.toolChoice, names),
    settings: request.settings ?? {},
    stream: request.stream,
    previousResponseId: request.previousResponseId,
    options: request.providerOptions?.[format.name] ?? {},
  }
  return { body: format.write(checked, report), path: format.path(request), toolNames, diagnostics }
}

/** Options that only keep how a client wrote a setting or a tool, or that say nothing about the answer. */
const SILENT: ReadonlySet<string> = new Set([
  ...['max_tokens', 'max_completion_tokens', 'stop', 'response_format', 'reasoning_effort', 'stream_options'],
  ...['functions', 'function_call', 'parallel_tool_calls', 'id', 'trigger', 'messageId'],
])

function reportOptions({ providerOptions = {} }: ModelRequest, provider: string, report: Report): void {
  for (const [other, options] of Object.entries(providerOptions))
    for (const option of other === provider ? [] : Object.keys(Object(options)))
      if (!SILENT.has(option))
        report('setting-left-out', `'${option}' of '${other}' is left out: '${provider}' does not have it.`)
}

/** For formats that keep no responses: nothing else than an error would tell the client that its history is missing. */
export function refusePrevious({ previousResponseId }: CheckedRequest, name: string): void {
  if (previousResponseId === undefined) return
  throw new SluiceError(
    'unrepresentable',
    `'${name}' cannot go on from the response '${previousResponseId}', which another server has kept; send the messages themselves.`,
  )
}

function checkRequest(request: ModelRequest): void {
  checkOption('request', request, 'object')
  checkMessages(request.messages)
}

// ── tools ────────────────────────────────────────────────────────────────────────────────────────

export const isFunctionTool = (tool: RequestTool): tool is FunctionTool => tool.type !== 'provider'

/** The tools in one form, without those of other providers. */
function functionTools(
  given: ToolDefinitions | readonly RequestTool[] | undefined,
  provider: string,
  report: Report,
): readonly RequestTool[] {
  const definitions: readonly unknown[] = Array.isArray(given) ? given : []
  const providerTools = definitions.filter(
    (tool): tool is RequestTool & { type: 'provider' } => isFields(tool) && tool.type === 'provider',
  )
  for (const { provider: other } of providerTools)
    if (other !== provider)
      report('tool-left-out', `A tool that '${other}' runs is left out: '${provider}' does not have it.`)
  const about = new Map(definitions.filter(isFields).map((fields) => [nameOf(fields), fields]))
  const table = createToolTable(given as ToolDefinitions | undefined)
  const own = Array.from(table, ({ name, description, schema }): FunctionTool => {
    const { type, strict, metadata } = (about.get(name) ?? {}) as Partial<FunctionTool>
    return {
      name,
      ...(type === 'custom' && { type }),
      ...(description !== undefined && { description }),
      ...(schema !== undefined && { inputSchema: schema }),
      ...(strict !== undefined && { strict }),
      ...(metadata !== undefined && { metadata }),
    }
  })
  return [...own, ...providerTools.filter((tool) => tool.provider === provider)]
}

function nameOf(definition: Fields): unknown {
  const inner = [definition.function, definition.custom].find(isFields) ?? definition
  return inner.name
}

function* namesIn({ messages, toolChoice }: ModelRequest, tools: readonly RequestTool[]): Iterable<string> {
  for (const tool of tools) if (isFunctionTool(tool)) yield tool.name
  for (const { parts } of messages)
    for (const part of parts) if (part.type === 'call' && part.providerExecuted !== true) yield part.toolName
  if (typeof toolChoice !== 'object') return
  yield* 'toolName' in toolChoice ? [toolChoice.toolName] : toolChoice.toolNames
}

/** What a provider ran keeps the name that the provider gave it. */
function withToolNames(message: ConversationMessage, names: FittedNames): ConversationMessage {
  const parts = message.parts.map((part): ConversationPart => {
    if (part.type !== 'call' && part.type !== 'result') return part
    const isForeign = part.type === 'call' ? part.providerExecuted === true : message.role === 'assistant'
    return isForeign || part.toolName === undefined ? part : { ...part, toolName: names.get(part.toolName) }
  })
  return { ...message, parts }
}

function renamedChoice(choice: ToolChoice | undefined, names: FittedNames): ToolChoice | undefined {
  if (typeof choice !== 'object') return choice
  if ('toolName' in choice) return { toolName: names.get(choice.toolName) }
  return { ...choice, toolNames: choice.toolNames.map((name) => names.get(name)) }
}
