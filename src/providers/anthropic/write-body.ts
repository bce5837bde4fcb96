/** A request for Anthropic's Messages API. */

import type {
  AnswerPart,
  ConversationMessage,
  ConversationPart,
  FilePart,
  ReasoningSettings,
  Settings,
} from '../../conversation/model-request.ts'
import type { CheckedRequest, Report } from '../../conversation/request-format.ts'
import { isFunctionTool, refusePrevious } from '../../conversation/write-request.ts'
import { type Fields, isFields } from '../../fields.ts'
import type { CallPart, CustomPart, TextPart } from '../../part.ts'
import { ofProvider } from '../metadata.ts'
import { answerOf, fieldsOf, textOf, wordOf } from '../payload-fields.ts'
import {
  given,
  inputObject,
  kindOf,
  plainTextOf,
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
  const thinking = writeThinking(settings.reasoning)
  const own = given({
    model,
    max_tokens: writeLimit(settings, report),
    system: writeSystem(messages, report),
    messages: writeMessages(messages, report),
    tools: tools.length === 0 ? undefined : writeTools(request),
    tool_choice: writeChoice(request, thinking !== undefined, report),
    stream,
    ...writeSampling(settings, thinking !== undefined, report),
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

function writeThinking(reasoning: ReasoningSettings | undefined): Fields | undefined {
  if (reasoning?.budgetTokens !== undefined) return { type: 'enabled', budget_tokens: reasoning.budgetTokens }
  if (reasoning?.effort === undefined) return undefined
  return { type: reasoning.effort === 'none' ? 'disabled' : 'adaptive' }
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
  const isOff = isThinking && settings.reasoning?.effort !== 'none'
  if (isOff && (temperature ?? 1) !== 1)
    report(
      'setting-left-out',
      `'temperature' is left out: '${NAME}' does not take it together with thinking.`,
    )
  if (isOff && topK !== undefined)
    report('setting-left-out', `'topK' is left out: '${NAME}' does not take it together with thinking.`)
  // An empty stop sequence, or one of white space, is refused.
  const stops = stopSequences?.filter((stop) => stop.trim() !== '')
  if (stops && stops.length < stopSequences!.length)
    report(
      'setting-left-out',
      `Stop sequences of nothing but white space are left out: '${NAME}' refuses them.`,
    )
  return {
    temperature: isOff && (temperature ?? 1) !== 1 ? undefined : temperature,
    top_p: topP,
    top_k: isOff ? undefined : topK,
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
  if (isThinking && settings.reasoning?.effort !== 'none') {
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

/** Neighbours of one role are one message: results, and then what the user says. */
function writeMessages(messages: readonly ConversationMessage[], report: Report): Fields[] {
  const written: { role: string; content: Fields[]; rest: Fields }[] = []
  for (const message of messages) {
    if (message.role === 'system') continue
    const role = message.role === 'assistant' ? 'assistant' : 'user'
    const content = message.parts.flatMap((part) => writePart(part, message, report))
    const last = written.at(-1)
    if (last?.role === role) last.content.push(...content)
    else if (content.length > 0) written.push({ role, content, rest: wireFields(message.metadata, NAME) })
  }
  return written.map(({ role, content, rest }, index) => {
    const blocks = role === 'assistant' ? thinkingFirst(content) : content
    const isLast = index === written.length - 1
    return {
      ...rest,
      role,
      content: asContent(isLast && role === 'assistant' ? withoutSpace(blocks) : blocks),
    }
  })
}

function asContent(blocks: readonly unknown[]): unknown {
  const [block] = blocks as readonly Fields[]
  const isPlain = blocks.length === 1 && block?.type === 'text' && Object.keys(block).length === 2
  return isPlain ? block.text : blocks
}

/** A message that was thought about begins with the thoughts. */
function thinkingFirst(blocks: readonly Fields[]): readonly Fields[] {
  const isThought = ({ type }: Fields): boolean => type === 'thinking' || type === 'redacted_thinking'
  if (blocks[0] === undefined || isThought(blocks[0])) return blocks
  return [...blocks.filter(isThought), ...blocks.filter((block) => !isThought(block))]
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
      return part.text === '' ? [] : [writeText(part)]
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
      return writeFile(part, report)
    case 'custom':
      if (message.provider === NAME && isFields(part.value) && part.value.type === part.kind)
        return [part.value]
      report('part-left-out', `A part of the kind '${part.kind}' is left out: '${NAME}' has no place for it.`)
      return []
  }
}

function writeText({ text, metadata }: TextPart): Fields {
  return { type: 'text', text, ...wireFields(metadata, NAME) }
}

function writeCall(part: CallPart, { provider }: ConversationMessage, report: Report): Fields[] {
  const { id, toolName: name, input, providerExecuted, metadata } = part
  const rest = wireFields(metadata, NAME, ['serverName'])
  if (!providerExecuted) return [{ type: 'tool_use', id, name, input: inputObject(input), ...rest }]
  if (provider !== NAME) {
    report('part-left-out', `The call of '${name}', which another provider ran, is left out.`)
    return []
  }
  const server = wordOf(ofProvider(metadata, NAME).serverName)
  const type = server === undefined ? 'server_tool_use' : 'mcp_tool_use'
  return [{ type, id, name, ...(server && { server_name: server }), input: inputObject(input), ...rest }]
}

function writeResult(part: AnswerPart, { role, provider }: ConversationMessage, report: Report): Fields[] {
  const { id: tool_use_id, content, isError, metadata } = part
  const { type, ...rest } = ofProvider(metadata, NAME)
  if (role !== 'assistant') {
    const blocks =
      typeof content === 'string' ? content : content.flatMap((inner) => writeInner(inner, report))
    return [
      { type: 'tool_result', tool_use_id, content: blocks, ...(isError && { is_error: true }), ...rest },
    ]
  }
  if (provider !== NAME || typeof type !== 'string' || typeof content !== 'string') {
    report('part-left-out', `A result of a tool that another provider ran is left out.`)
    return []
  }
  return [
    {
      type,
      tool_use_id,
      content: answerOf(content),
      ...(type === 'mcp_tool_result' && { is_error: isError === true }),
      ...rest,
    },
  ]
}

function writeInner(part: TextPart | FilePart | CustomPart, report: Report): Fields[] {
  if (part.type === 'file') return writeFile(part, report)
  if (part.type === 'text') return part.text === '' ? [] : [writeText(part)]
  if (isFields(part.value) && part.value.type === part.kind) return [part.value]
  return []
}

function writeFile(file: FilePart, report: Report): Fields[] {
  const { mediaType, content, name, metadata } = file
  const isImage = kindOf(file) === 'image'
  const isText = kindOf(file) === 'text' || 'text' in content
  if ('id' in content ? content.provider !== NAME : !isImage && !isText && mediaType !== 'application/pdf') {
    report('part-left-out', `A file of the type '${mediaType}' is left out: '${NAME}' does not take it.`)
    return []
  }
  return [
    {
      type: isImage ? 'image' : 'document',
      source: writeSource(file),
      ...(!isImage && name !== undefined && { title: name }),
      ...wireFields(metadata, NAME),
    },
  ]
}

function writeSource({ mediaType, content }: FilePart): Fields {
  if ('id' in content) return { type: 'file', file_id: content.id }
  if ('url' in content) return { type: 'url', url: content.url }
  if ('text' in content) return { type: 'text', media_type: 'text/plain', data: content.text }
  return { type: 'base64', media_type: mediaType, data: content.base64 }
}
