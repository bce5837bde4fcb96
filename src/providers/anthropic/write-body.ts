/** A request for Anthropic's Messages API. */

import { fromBase64 } from '../../base/base64.ts'
import { type Fields, isFields } from '../../base/fields.ts'
import type { CallPart, CustomPart, TextPart } from '../../base/part.ts'
import type {
  AnswerPart,
  ConversationMessage,
  ConversationPart,
  FilePart,
  ReasoningSettings,
  Settings,
} from '../../requests/conversation/model-request.ts'
import type { CheckedRequest, Report } from '../../requests/conversation/request-format.ts'
import { isFunctionTool, refusePrevious } from '../../requests/conversation/write-request.ts'
import { filesMessage, reportCustom, resultText } from '../answer-files.ts'
import { ofProvider } from '../metadata.ts'
import { answerOf, fieldsIn, fieldsOf, textOf, wordOf } from '../payload-fields.ts'
import {
  given,
  inputObject,
  kindOf,
  mediaTypeOf,
  NOTHING_SAID,
  plainTextOf,
  reportBeginning,
  reportUnsupported,
  schemaOf,
  someGiven,
  TEXT_INPUT,
  wireFields,
} from '../request-fields.ts'

const NAME = 'anthropic'

/** The API wants a limit. */
const MAX_TOKENS = 4096

export function writeBody(request: CheckedRequest, report: Report): Fields {
  refusePrevious(request, NAME)
  const { model, messages, tools, settings, stream, options } = request
  const written = writeMessages(messages, report)
  const thinking = writeThinking(settings.reasoning, written, report)
  const isThinking = thinking !== undefined && thinking.type !== 'disabled'
  const own = given({
    model,
    max_tokens: writeLimit(settings, report),
    system: writeSystem(messages, report),
    messages: written,
    tools: tools.length === 0 ? undefined : writeTools(request),
    tool_choice: writeChoice(request, isThinking, report),
    stream,
    ...writeSampling(settings, isThinking, report),
    thinking,
    output_config: writeOutput(settings, options),
  })
  return { ...options, ...own }
}

function writeLimit({ maxOutputTokens, reasoning }: Settings, report: Report): number {
  const budget = reasoning?.budgetTokens ?? 0
  const limit = maxOutputTokens ?? budget + MAX_TOKENS
  if (maxOutputTokens === undefined)
    report('setting-changed', `The output is limited to ${limit} tokens, because the API wants a limit.`)
  if (limit > budget) return limit
  report(
    'setting-changed',
    `The limit of ${limit} tokens is raised: it has to be above the budget for thinking.`,
  )
  return budget + limit
}

function writeThinking(
  reasoning: ReasoningSettings | undefined,
  messages: readonly Fields[],
  report: Report,
): Fields | undefined {
  if (reasoning?.budgetTokens === undefined) {
    if (reasoning?.effort === undefined) return undefined
    return { type: reasoning.effort === 'none' ? 'disabled' : 'adaptive' }
  }
  if (beginsWithThought(messages)) return { type: 'enabled', budget_tokens: reasoning.budgetTokens }
  report(
    'setting-changed',
    `Thinking is off for this request: the turn began without a thinking block of '${NAME}', which the API requires when thinking is on.`,
  )
  return undefined
}

/** Whether the turn that goes on begins with a thought, or is still to begin. With a budget for thinking, no other is taken. */
function beginsWithThought(messages: readonly Fields[]): boolean {
  const isQuestion = ({ role, content }: Fields): boolean =>
    role === 'user' && !fieldsIn(content).some(({ type }) => type === 'tool_result')
  const asked = messages.map(isQuestion).lastIndexOf(true)
  const first = messages.slice(asked + 1).find(({ role }) => role === 'assistant')
  return first === undefined || fieldsIn(first.content).slice(0, 1).some(isThought)
}

const EFFORTS: Readonly<Record<string, string>> = { minimal: 'low', xhigh: 'max' }

function writeOutput({ reasoning, output }: Settings, options: Fields): Fields | undefined {
  const { effort } = reasoning ?? {}
  return someGiven({
    ...fieldsOf(options.output_config),
    effort: effort === undefined || effort === 'none' ? undefined : (EFFORTS[effort] ?? effort),
    format: output?.schema === undefined ? undefined : { type: 'json_schema', schema: output.schema },
  })
}

const UNSUPPORTED = ['minP', 'seed', 'presencePenalty', 'frequencyPenalty', 'candidates', 'logprobs'] as const

function writeSampling(settings: Settings, isThinking: boolean, report: Report): Fields {
  reportUnsupported(settings, UNSUPPORTED, NAME, report)
  if (settings.output !== undefined && settings.output.schema === undefined)
    report('setting-left-out', `JSON output without a schema is left out: '${NAME}' does not have it.`)
  const { temperature, topP, topK, stopSequences } = settings
  if (isThinking && (temperature ?? 1) !== 1)
    report(
      'setting-left-out',
      `'temperature' is left out: '${NAME}' does not take it together with thinking.`,
    )
  if (isThinking && topK !== undefined)
    report('setting-left-out', `'topK' is left out: '${NAME}' does not take it together with thinking.`)
  // An empty stop sequence, or one of white space, is refused.
  const stops = stopSequences?.filter((stop) => stop.trim() !== '')
  if (stops && stops.length < stopSequences!.length)
    report(
      'setting-left-out',
      `Stop sequences of nothing but white space are left out: '${NAME}' refuses them.`,
    )
  return {
    temperature: isThinking && (temperature ?? 1) !== 1 ? undefined : temperature,
    top_p: topP,
    top_k: isThinking ? undefined : topK,
    stop_sequences: stops?.length ? stops : undefined,
  }
}

/** Without a place in the API for a choice among some tools, the others are not offered. */
function writeTools({ tools, toolChoice }: CheckedRequest): readonly Fields[] {
  const allowed =
    typeof toolChoice === 'object' && 'toolNames' in toolChoice ? new Set(toolChoice.toolNames) : undefined
  return tools.flatMap((tool): Fields[] => {
    if (!isFunctionTool(tool)) return [tool.definition]
    if (allowed?.has(tool.name) === false) return []
    const written = given({
      ...wireFields(tool.metadata, NAME),
      name: tool.name,
      description: tool.description,
      input_schema: tool.type === 'custom' ? TEXT_INPUT : schemaOf(tool),
      strict: tool.strict,
    })
    return [written]
  })
}

function writeChoice(request: CheckedRequest, isThinking: boolean, report: Report): Fields | undefined {
  const { toolChoice: choice, settings, tools } = request
  const parallel = settings.parallelToolCalls
  const isSingle = parallel === undefined ? {} : { disable_parallel_tool_use: !parallel }
  if (tools.length === 0 || (choice === undefined && parallel === undefined)) return undefined
  const mode = typeof choice === 'object' && 'toolNames' in choice ? choice.mode : (choice ?? 'auto')
  if (mode === 'none') return { type: 'none' }
  if (mode === 'auto') return { type: 'auto', ...isSingle }
  if (isThinking) {
    report(
      'setting-changed',
      `The choice of a tool is left to the model: '${NAME}' forces none while it thinks.`,
    )
    return { type: 'auto', ...isSingle }
  }
  return mode === 'required'
    ? { type: 'any', ...isSingle }
    : { type: 'tool', name: mode.toolName, ...isSingle }
}

// ── messages ─────────────────────────────────────────────────────────────────────────────────────

function writeSystem(messages: readonly ConversationMessage[], report: Report): unknown {
  const first = messages.findIndex(({ role }) => role !== 'system')
  const isLate = messages.some(({ role }, index) => role === 'system' && index > first && first !== -1)
  if (isLate)
    report(
      'message-moved',
      `System messages inside the conversation are moved to its start: '${NAME}' has one place for them.`,
    )
  const parts = messages.flatMap(({ role, parts }) => (role === 'system' ? parts : []))
  const texts = parts.filter((part): part is TextPart => part.type === 'text' && part.text !== '')
  return plainTextOf(texts) ?? (texts.length === 0 ? undefined : texts.map(writeText))
}

/** Nothing but text may stand in a result that is an error. */
const isFailed = (part: ConversationPart): part is AnswerPart =>
  part.type === 'result' && part.isError === true && !hasOwnContent(part)

/** The result came with blocks of this API, and goes back with them. */
const hasOwnContent = ({ metadata }: AnswerPart): boolean => ofProvider(metadata, NAME).contentParts === true

interface Written {
  readonly role: 'user' | 'assistant'
  readonly content: readonly Fields[]
  readonly rest: Fields
}

/** The roles alternate, and a user begins. */
function writeMessages(messages: readonly ConversationMessage[], report: Report): Fields[] {
  const single = messages.flatMap((message): Written[] => {
    if (message.role === 'system') return []
    const role = message.role === 'assistant' ? 'assistant' : 'user'
    const failed = message.parts.filter(isFailed)
    const moved = filesMessage(failed, NAME, report, 'results that are errors')
    const content = [...message.parts, ...(moved?.parts ?? [])].flatMap((part) =>
      writePart(part, message, report),
    )
    return [{ role, content, rest: wireFields(message.metadata, NAME) }]
  })
  const written = joined(
    joined(single).map((message) => {
      const { role, content } = message
      return role === 'assistant' ? { ...message, content: thinkingFirst(content, report) } : message
    }),
  )
  if (written[0]?.role === 'assistant') {
    reportBeginning(NAME, report)
    written.unshift({ role: 'user', content: [{ type: 'text', text: NOTHING_SAID }], rest: {} })
  }
  const last = written.length - 1
  return written.map(({ role, content, rest }, index) => ({
    ...rest,
    role,
    content: asContent(index === last && role === 'assistant' ? withoutSpace(content) : content),
  }))
}

/** Neighbours of one role as one message: results, and then what the user says. Those without content are none. */
function joined(messages: readonly Written[]): Written[] {
  const all: Written[] = []
  for (const message of messages) {
    const last = all.at(-1)
    if (last?.role === message.role)
      all[all.length - 1] = { ...last, content: [...last.content, ...message.content] }
    else if (message.content.length > 0) all.push(message)
  }
  return all
}

function asContent(blocks: readonly unknown[]): unknown {
  const [block] = blocks as readonly Fields[]
  const isPlain = blocks.length === 1 && block?.type === 'text' && Object.keys(block).length === 2
  return isPlain ? block.text : blocks
}

const isThought = ({ type }: Fields): boolean => type === 'thinking' || type === 'redacted_thinking'

/** A message that was thought about begins with the thoughts, and does not end with them. */
function thinkingFirst(blocks: readonly Fields[], report: Report): readonly Fields[] {
  const isFirst = blocks[0] === undefined || isThought(blocks[0])
  const sorted = isFirst
    ? blocks
    : [...blocks.filter(isThought), ...blocks.filter((block) => !isThought(block))]
  const end = sorted.map(isThought).lastIndexOf(false) + 1
  if (end < sorted.length)
    report('part-left-out', `Reasoning that nothing follows is left out: '${NAME}' refuses it.`)
  return sorted.slice(0, end)
}

/** The beginning of an answer may not end with white space. */
function withoutSpace(blocks: readonly unknown[]): readonly unknown[] {
  const last = blocks.at(-1) as Fields
  if (last.type !== 'text') return blocks
  const text = textOf(last.text).trimEnd()
  return [...blocks.slice(0, -1), ...(text === '' ? [] : [{ ...last, text }])]
}

function writePart(part: ConversationPart, message: ConversationMessage, report: Report): Fields[] {
  switch (part.type) {
    case 'text':
      return isBlank(part) ? [] : [writeText(part)]
    case 'reasoning': {
      const { signature, redactedData } = ofProvider(part.metadata, NAME)
      if (redactedData !== undefined) return [{ type: 'redacted_thinking', data: redactedData }]
      if (signature !== undefined) return [{ type: 'thinking', thinking: part.text, signature }]
      report('part-left-out', `Reasoning without a signature of '${NAME}' is left out.`)
      return []
    }
    case 'call':
      return writeCall(part, message, report)
    case 'result':
      return writeResult(part, message, report)
    case 'file':
      if (message.role !== 'assistant') return writeFile(part, report)
      report(
        'part-left-out',
        `A file of the type '${part.mediaType}' is left out: '${NAME}' takes files from the user only.`,
      )
      return []
    case 'custom':
      if (message.provider === NAME && isFields(part.value) && part.value.type === part.kind)
        return [part.value]
      report('part-left-out', `A part of the kind '${part.kind}' is left out: '${NAME}' has no place for it.`)
      return []
  }
}

/** The API refuses text without anything to see, which models write between their calls. */
const isBlank = ({ text }: TextPart): boolean => text.trim() === ''

function writeText({ text, metadata }: TextPart): Fields {
  return { ...wireFields(metadata, NAME), type: 'text', text }
}

function writeCall(part: CallPart, { provider }: ConversationMessage, report: Report): Fields[] {
  const { id, toolName: name, providerExecuted, metadata } = part
  const rest = wireFields(metadata, NAME, ['serverName'])
  if (!providerExecuted) return [{ ...rest, type: 'tool_use', id, name, input: inputObject(part) }]
  if (provider !== NAME) {
    report('part-left-out', `The call of '${name}', which another provider ran, is left out.`)
    return []
  }
  const server = wordOf(ofProvider(metadata, NAME).serverName)
  const type = server === undefined ? 'server_tool_use' : 'mcp_tool_use'
  return [{ ...rest, type, id, name, ...(server && { server_name: server }), input: inputObject(part) }]
}

function writeResult(part: AnswerPart, { role, provider }: ConversationMessage, report: Report): Fields[] {
  const { id: tool_use_id, content, isError, metadata } = part
  const { type, contentParts: _, ...rest } = ofProvider(metadata, NAME)
  if (role !== 'assistant') {
    const isOwn = hasOwnContent(part)
    if (!isOwn) reportCustom([part], NAME, report)
    const written =
      typeof content === 'string'
        ? content
        : isFailed(part) && content.some(({ type }) => type !== 'text')
          ? resultText(part)
          : content.flatMap((inner) => writeInner(inner, isOwn, report))
    return [
      { ...rest, type: 'tool_result', tool_use_id, content: written, ...(isError && { is_error: true }) },
    ]
  }
  if (provider !== NAME || typeof type !== 'string' || typeof content !== 'string') {
    report('part-left-out', `A result of a tool that another provider ran is left out.`)
    return []
  }
  return [
    {
      ...rest,
      type,
      tool_use_id,
      content: answerOf(content),
      ...(type === 'mcp_tool_result' && { is_error: isError === true }),
    },
  ]
}

/** `isOwn`: parts without a name here are blocks of this API. */
function writeInner(part: TextPart | FilePart | CustomPart, isOwn: boolean, report: Report): Fields[] {
  if (part.type === 'file') return writeFile(part, report)
  if (part.type === 'text') return isBlank(part) ? [] : [writeText(part)]
  return isOwn && isFields(part.value) ? [part.value] : []
}

function writeFile(file: FilePart, report: Report): Fields[] {
  const { mediaType, content, name, metadata } = file
  const isText = kindOf(file) === 'text' || 'text' in content
  // An image as text, such as SVG, is a document.
  const isImage = !isText && kindOf(file) === 'image'
  if ('id' in content ? content.provider !== NAME : !isImage && !isText && mediaType !== 'application/pdf') {
    report('part-left-out', `A file of the type '${mediaType}' is left out: '${NAME}' does not take it.`)
    return []
  }
  return [
    {
      ...wireFields(metadata, NAME),
      type: isImage ? 'image' : 'document',
      source: writeSource(file),
      ...(!isImage && name !== undefined && { title: name }),
    },
  ]
}

function writeSource(file: FilePart): Fields {
  const { content } = file
  if ('id' in content) return { type: 'file', file_id: content.id }
  if ('url' in content) return { type: 'url', url: content.url }
  if ('text' in content) return { type: 'text', media_type: 'text/plain', data: content.text }
  const bytes = kindOf(file) === 'text' ? fromBase64(content.base64) : undefined
  // In bytes, the API takes no other document than a PDF.
  if (bytes !== undefined)
    return { type: 'text', media_type: 'text/plain', data: new TextDecoder().decode(bytes) }
  return { type: 'base64', media_type: mediaTypeOf(file), data: content.base64 }
}
