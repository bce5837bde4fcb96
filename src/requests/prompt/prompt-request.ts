/**
 * A request with tools for a model that has none: the tools stand in the system prompt, past calls and results are
 * text as the model itself would write it, and the answer is read with the dialect.
 */

import { SluiceError } from '../../base/errors.ts'
import { checkOptions, type KnownOptions } from '../../base/options.ts'
import type { CallPart, TextPart } from '../../base/part.ts'
import { createToolTable, type ToolDefinitions } from '../../engine/calls/tools.ts'
import type { ParserOptions } from '../../engine/parser.ts'
import type { RenderOptions } from '../../engine/render.ts'
import type { Dialect } from '../../engine/wire/dialect.ts'
import type {
  AnswerPart,
  ConversationMessage,
  ConversationPart,
  FilePart,
  ModelRequest,
  ToolChoice,
  WrittenSource,
} from '../conversation/model-request.ts'
import { pairResults } from '../conversation/pair-results.ts'
import type { Report, RequestDiagnostic } from '../conversation/request-format.ts'
import { shownResults, textOfFile } from '../conversation/shown-results.ts'
import { forcedPrefix, isForced } from './forced-prefix.ts'
import type { AnswerReading } from './harmless.ts'
import { checkSystemText, type SystemPrompt, toolsPrompt } from './system-prompt.ts'
import type { PromptTool } from './tool-list.ts'
import { callsText, type PromptResult, resultsText } from './turn-text.ts'
import { verbatimCalls } from './verbatim-calls.ts'

/** Options of `promptRequest`. */
export interface PromptOptions {
  /** How the model writes calls. */
  readonly dialect: Dialect
  /** Where the tools stand in the system prompt: before what is there, or behind it. Default `last`. */
  readonly placement?: 'first' | 'last'
  /** Writes the part of the system prompt that is about tools. */
  readonly systemPrompt?: SystemPrompt
  /** Writes a tool's answer. It must not be able to open a call: that is up to the function. */
  readonly formatResult?: (result: PromptResult) => string
  /** The API goes on with an assistant's message that is not finished, so that a call can be begun for the model. */
  readonly canPrefill?: boolean
  /** Whether markup in the answer's Markdown code is text. Default `false`. */
  readonly protectCode?: boolean
}

const OPTIONS: KnownOptions<PromptOptions> = {
  dialect: 'any',
  placement: ['first', 'last'],
  systemPrompt: 'function',
  formatResult: 'function',
  canPrefill: 'boolean',
  protectCode: 'boolean',
}

/** A request whose tools are part of its prompt, and how to parse the answer. */
export interface PromptedRequest {
  /** Without tools. `writeRequest` writes it for any provider. */
  readonly request: ModelRequest
  /** How the answer is read: options for `createParser`, `sluice` or `readProvider`. */
  readonly parser: Pick<ParserOptions, 'dialect' | 'tools' | 'start' | 'shown' | 'calls' | 'protectCode'>
  readonly diagnostics: readonly RequestDiagnostic[]
}

/**
 * Writes the tools of a request, and its past calls and results, as text.
 *
 *     const { request: prompted, parser } = promptRequest(request, { dialect: hermes })
 *     const { body, path } = writeRequest(openaiChatRequest, prompted)
 *     const response = fetch(url + path, { method: 'POST', body: JSON.stringify(body) })
 *     for await (const event of readProvider(response, { provider: openaiChat, ...parser })) show(event)
 *
 * The history is never read for calls. Where the answer begins follows from the last message's parts, not from their text.
 */
export function promptRequest(request: ModelRequest, options: PromptOptions): PromptedRequest {
  checkOptions(options, OPTIONS)
  if (!Array.isArray(options.dialect?.calls))
    throw new SluiceError('invalid-option', "'dialect' is a dialect, such as hermes from 'sluice/dialects'.")
  const { tools: given, toolChoice, ...rest } = request
  const { dialect } = options
  const diagnostics: RequestDiagnostic[] = []
  const report: Report = (code, message) => diagnostics.push({ code, message })
  const tools = offeredTools(given, toolChoice, report)
  const rendering = { dialect, tools: tools as ToolDefinitions, protectCode: options.protectCode ?? false }
  const messages = promptMessages(request.messages, { ...options, ...rendering }, report)
  const isOffered = tools.length > 0 && toolChoice !== 'none'
  const about = isOffered ? aboutTools(tools, toolChoice, { ...options, ...rendering }) : ''
  if (isOffered) checkSystemText(systemText(messages), rendering)
  const isOpen = messages.at(-1)?.role === 'assistant'
  const prefix = isOffered && options.canPrefill && !isOpen ? forcedPrefix(toolChoice, rendering) : ''
  const begun: ConversationMessage[] =
    prefix === '' ? [] : [{ role: 'assistant', parts: [{ type: 'text', text: prefix }] }]
  return {
    request: {
      ...rest,
      messages: [...withSystem(messages, about, options.placement ?? 'last'), ...begun],
    },
    parser: {
      dialect,
      tools: rendering.tools,
      ...(prefix === '' ? startOf(messages, dialect) : { start: { prefill: prefix } }),
      shown: { results: shownResults(request.messages), instructions: about },
      // A model that was offered no tools writes none of them, whatever its text looks like.
      ...(!isOffered && { calls: 'drop' as const }),
      ...(options.protectCode && { protectCode: true }),
    },
    diagnostics,
  }
}

// ── tools ────────────────────────────────────────────────────────────────────────────────────────

function offeredTools(
  given: ModelRequest['tools'],
  choice: ToolChoice | undefined,
  report: Report,
): readonly PromptTool[] {
  const list: readonly object[] = Array.isArray(given) ? given : []
  for (const tool of list)
    if ('provider' in tool)
      report(
        'tool-left-out',
        `A tool that '${tool.provider}' runs is left out: a model cannot call it in text.`,
      )
  const examples = new Map(
    list.map((tool) => [(tool as PromptTool).name, (tool as PromptTool).inputExamples]),
  )
  const all = Array.from(
    createToolTable(given as ToolDefinitions | undefined),
    (tool): PromptTool & object => {
      const { schema, standard, ...others } = tool
      const inputExamples = examples.get(tool.name)
      return { ...others, inputSchema: schema ?? NO_ARGUMENTS, ...(inputExamples && { inputExamples }) }
    },
  )
  const allowed = allowedNames(choice)
  return allowed === undefined ? all : all.filter(({ name }) => allowed.includes(name))
}

const NO_ARGUMENTS = { type: 'object', properties: {} }

function allowedNames(choice: ToolChoice | undefined): readonly string[] | undefined {
  if (typeof choice !== 'object') return undefined
  return 'toolName' in choice ? [choice.toolName] : choice.toolNames
}

function aboutTools(
  tools: readonly PromptTool[],
  choice: ToolChoice | undefined,
  options: PromptOptions & AnswerReading,
): string {
  const told = toolsPrompt(tools, options, options.systemPrompt)
  if (told === '' || !isForced(choice)) return told
  const which = tools.length === 1 ? `the tool ${tools[0]!.name}` : 'one of these tools'
  return `${told}\n- Your answer must call ${which}.`
}

function withSystem(
  messages: readonly ConversationMessage[],
  about: string,
  placement: 'first' | 'last',
): readonly ConversationMessage[] {
  if (about === '') return messages
  const at = messages.findIndex(({ role }) => role === 'system')
  const told: TextPart = { type: 'text', text: about }
  const system = messages[at]
  if (system === undefined) return [{ role: 'system', parts: [told] }, ...messages]
  const parts = placement === 'first' ? [told, BREAK, ...system.parts] : [...system.parts, BREAK, told]
  return messages.map((message) => (message === system ? { ...system, parts: joined(parts) } : message))
}

/** All of it: providers put messages of the system together. */
const systemText = (messages: readonly ConversationMessage[]): string =>
  messages
    .filter(({ role }) => role === 'system')
    .map(({ parts }) => parts.map((part) => (part.type === 'text' ? part.text : '')).join(''))
    .join('\n')

const BREAK: TextPart = { type: 'text', text: '\n\n' }

// ── history ──────────────────────────────────────────────────────────────────────────────────────

interface HistoryOptions extends AnswerReading, Pick<PromptOptions, 'formatResult'> {}

/** Messages without calls and results, but for those of tools that the provider ran. */
function promptMessages(
  messages: readonly ConversationMessage[],
  options: HistoryOptions,
  report: Report,
): ConversationMessage[] {
  const written: ConversationMessage[] = []
  let isBehindResults = false
  for (const message of pairResults(messages, PROMPT, report, false)) {
    const { role, parts, metadata } = message
    const last = written.at(-1)
    if (role === 'tool')
      written.push({ role: 'user', parts: writeResults(parts as readonly AnswerPart[], options) })
    else if (role === 'assistant') {
      const { source, ...rest } = message
      written.push({ ...rest, parts: writeCalls(parts, source, options) })
    } else if (role === 'user' && isBehindResults && metadata === undefined)
      // Chat templates refuse two messages of the user in a row.
      written[written.length - 1] = { role, parts: joined([...last!.parts, BREAK, ...parts]) }
    else written.push(message)
    isBehindResults = role === 'tool' || (isBehindResults && role === 'user' && metadata === undefined)
  }
  return written
}

/** In text, any id will do. */
const PROMPT = { name: '', callIds: { forbidden: /(?!)/g, maxLength: Number.POSITIVE_INFINITY } }

/** Neighbours of plain text as one part. */
function joined(parts: readonly ConversationPart[]): ConversationPart[] {
  const result: ConversationPart[] = []
  for (const part of parts) {
    const last = result.at(-1)
    if (isPlain(part) && last !== undefined && isPlain(last))
      result[result.length - 1] = { type: 'text', text: last.text + part.text }
    else result.push(part)
  }
  return result
}

const isPlain = (part: ConversationPart): part is TextPart =>
  part.type === 'text' && part.metadata === undefined

function writeCalls(
  parts: readonly ConversationPart[],
  source: WrittenSource | undefined,
  options: RenderOptions,
): ConversationPart[] {
  const written: ConversationPart[] = []
  /** The last part is calls that were rendered, and that nothing separates yet from the text behind them. */
  let isRendered = false
  for (let at = 0; at < parts.length; at++) {
    const part = parts[at]!
    if (!isOwnCall(part)) {
      const isGlued = part.type === 'text' && isRendered && !/^\s/.test(part.text)
      written.push(isGlued ? { ...part, text: `\n${part.text}` } : part)
      isRendered = false
      continue
    }
    const from = at
    const group = [part]
    for (let next = parts[at + 1]; next !== undefined && isOwnCall(next); next = parts[++at + 1])
      group.push(next)
    const isOwn = source?.dialect === options.dialect.name
    const verbatim = isOwn ? verbatimCalls(parts, from, at + 1, source) : undefined
    const last = written.at(-1)
    const separator = last?.type === 'text' && !/\s$/.test(last.text) ? '\n' : ''
    written.push({ type: 'text', text: verbatim ?? separator + callsText(group, options) })
    isRendered = verbatim === undefined
  }
  return joined(written)
}

const isOwnCall = (part: ConversationPart): part is CallPart =>
  part.type === 'call' && part.providerExecuted !== true

function writeResults(results: readonly AnswerPart[], options: HistoryOptions): ConversationPart[] {
  const files: FilePart[] = []
  const told = results.map((result): PromptResult => {
    const { id = '', toolName = '', isError = false } = result
    return { id, toolName, content: contentOf(result, files), isError }
  })
  const { formatResult } = options
  const text =
    formatResult === undefined
      ? resultsText(told, options)
      : told.map((result) => formatResult(result)).join('\n')
  return [{ type: 'text', text }, ...files]
}

/** The text of an answer. Its files follow the text of all answers, and are named where they stood. */
export function contentOf({ content }: Pick<AnswerPart, 'content'>, files: FilePart[]): string {
  if (typeof content === 'string') return content
  return content
    .flatMap((part) => {
      if (part.type === 'text') return part.text
      if (part.type !== 'file') return []
      const text = textOfFile(part)
      // As a file, it would stand in the prompt as it is.
      if (text !== undefined) return part.name === undefined ? text : `${part.name}:\n${text}`
      files.push(part)
      return `[${part.name ?? part.mediaType}]`
    })
    .join('\n')
}

/**
 * Known where the last message is the model's own: inside reasoning, if that is not finished. Otherwise the server's template
 * decides.
 */
function startOf(
  messages: readonly ConversationMessage[],
  { reasoning }: Dialect,
): Pick<ParserOptions, 'start'> {
  const last = messages.at(-1)
  if (last?.role !== 'assistant') return {}
  const part = last.parts.at(-1)
  const isInThought = part?.type === 'reasoning' && part.state === 'streaming' && reasoning.length > 0
  return { start: isInThought ? 'reasoning' : 'text' }
}
