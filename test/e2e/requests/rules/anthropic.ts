/** What Anthropic's Messages API takes, and the errors with which it refuses everything else. */

import { type Fields, isFields } from '../../../../src/base/fields.ts'
import { entries, imageType, isBase64, Refusal, sign, textOf } from './refusal.ts'

function refuse(message: string, status = 400, type = 'invalid_request_error'): never {
  throw new Refusal(status, { type: 'error', error: { type, message }, request_id: 'req_011' }, message)
}

export const signThinking = (thinking: string): string => sign('anthropic', thinking)

/** Thoughts that nobody may read: the server knows them by themselves. */
export const redact = (thought: string): string =>
  Buffer.from(JSON.stringify([thought, sign('redacted', thought)])).toString('base64')

function isRedacted(data: string): boolean {
  try {
    const [thought, signature] = JSON.parse(Buffer.from(data, 'base64').toString()) as string[]
    return signature === sign('redacted', thought)
  } catch {
    return false
  }
}

const FIELDS = new Set([
  ...['model', 'max_tokens', 'messages', 'system', 'tools', 'tool_choice', 'stream', 'temperature', 'top_p'],
  ...['top_k', 'stop_sequences', 'thinking', 'output_config', 'metadata', 'service_tier', 'container'],
])

export function checkAnthropic(body: Fields): void {
  for (const field of Object.keys(body))
    if (!FIELDS.has(field)) refuse(`${field}: Extra inputs are not permitted`)
  for (const field of ['model', 'max_tokens', 'messages'])
    if (body[field] === undefined) refuse(`${field}: Field required`)
  const messages = entries(body.messages)
  if (messages.length === 0) refuse('messages: at least one message is required')
  checkSystem(body.system)
  checkTools(body)
  checkThinking(body)
  checkSampling(body)
  messages.forEach(([place, message]) => {
    checkMessage(place, message, messages.length)
  })
  checkRoles(messages)
  checkCalls(messages)
  checkThoughts(messages, body)
  checkCaching(body)
}

// ── tools and settings ───────────────────────────────────────────────────────────────────────────

function checkSystem(system: unknown): void {
  for (const [place, { type, text }] of entries(system)) {
    if (type !== 'text') refuse(`system.${place}.type: Input should be 'text'`)
    if (textOf(text) === '') refuse('system: text content blocks must be non-empty')
  }
}

const NAME = /^[a-zA-Z0-9_-]{1,128}$/

function checkTools({ tools, tool_choice }: Fields): void {
  const names = new Set<unknown>()
  for (const [place, { type = 'custom', name, input_schema }] of entries(tools)) {
    if (names.has(name)) refuse('tools: Tool names must be unique.')
    names.add(name)
    if (type !== 'custom') continue
    if (!NAME.test(textOf(name)))
      refuse(`tools.${place}.custom.name: String should match pattern '${NAME.source}'`)
    if (!isFields(input_schema)) refuse(`tools.${place}.custom.input_schema: Field required`)
    if (input_schema.type === undefined) refuse(`tools.${place}.custom.input_schema.type: Field required`)
    if (input_schema.type !== 'object')
      refuse(`tools.${place}.custom.input_schema.type: Input should be 'object'`)
  }
  if (!isFields(tool_choice)) return
  const { type, name } = tool_choice
  if (names.size === 0) refuse('tool_choice may only be specified while providing tools.')
  if (!['auto', 'any', 'tool', 'none'].includes(textOf(type)))
    refuse(
      `tool_choice: Input tag '${textOf(type)}' found using 'type' does not match any of the expected tags: 'auto', 'any', 'tool', 'none'`,
    )
  if (type === 'tool' && !names.has(name)) refuse(`Tool '${textOf(name)}' not found in provided tools`)
  if (type === 'none' && 'disable_parallel_tool_use' in tool_choice)
    refuse('tool_choice.none.disable_parallel_tool_use: Extra inputs are not permitted')
}

const isThinking = ({ thinking }: Fields): boolean =>
  isFields(thinking) && (thinking.type === 'enabled' || thinking.type === 'adaptive')

function checkThinking(body: Fields): void {
  const { thinking, tool_choice, max_tokens, temperature, top_k } = body
  if (!isFields(thinking) || !isThinking(body)) return
  const budget = thinking.budget_tokens
  if (thinking.type === 'enabled') {
    if (typeof budget !== 'number') refuse('thinking.enabled.budget_tokens: Field required')
    if (budget < 1024) refuse('thinking.enabled.budget_tokens: Input should be greater than or equal to 1024')
    if (Number(max_tokens) <= budget)
      refuse(
        '`max_tokens` must be greater than `thinking.budget_tokens`. Please consult our documentation at https://docs.claude.com/en/docs/build-with-claude/extended-thinking#max-tokens-and-context-window-size',
      )
  }
  if (isFields(tool_choice) && (tool_choice.type === 'any' || tool_choice.type === 'tool'))
    refuse('Thinking may not be enabled when tool_choice forces tool use.')
  if ((temperature ?? 1) !== 1)
    refuse(
      '`temperature` may only be set to 1 when thinking is enabled. Please consult our documentation at https://docs.claude.com/en/docs/build-with-claude/extended-thinking#important-considerations-when-using-extended-thinking',
    )
  if (top_k !== undefined) refuse('`top_k` must be unset when thinking is enabled.')
}

function checkSampling({ temperature, top_p, stop_sequences, max_tokens, model }: Fields): void {
  if (typeof max_tokens !== 'number' || max_tokens < 1)
    refuse('max_tokens: Input should be greater than or equal to 1')
  if (typeof temperature === 'number' && (temperature < 0 || temperature > 1))
    refuse('temperature: range: 0..1')
  if (temperature !== undefined && top_p !== undefined && /-4-[1-9]\b/.test(textOf(model)))
    refuse('`temperature` and `top_p` cannot both be specified for this model. Please use only one.')
  for (const stop of Array.isArray(stop_sequences) ? stop_sequences : [])
    if (textOf(stop).trim() === '') refuse('stop_sequences: each stop sequence must contain non-whitespace')
}

function checkCaching(body: Fields): void {
  const found = JSON.stringify(body).match(/"cache_control":\{/g)?.length ?? 0
  if (found > 4) refuse(`A maximum of 4 blocks with cache_control may be provided. Found ${found}.`)
}

// ── messages ─────────────────────────────────────────────────────────────────────────────────────

export const blocksOf = (content: unknown): [number, Fields][] =>
  typeof content === 'string' ? [[0, { type: 'text', text: content }]] : entries(content)

function checkMessage(place: number, { role, content, ...rest }: Fields, count: number): void {
  if (role !== 'user' && role !== 'assistant')
    refuse(`messages: Unexpected role "${textOf(role)}". Allowed roles are "user" or "assistant"`)
  const [extra] = Object.keys(rest)
  if (extra !== undefined) refuse(`messages.${place}.${extra}: Extra inputs are not permitted`)
  if (content === undefined) refuse(`messages.${place}.content: Field required`)
  const isLast = place === count - 1
  const blocks = blocksOf(content)
  if ((blocks.length === 0 || content === '') && !(isLast && role === 'assistant'))
    refuse(
      `messages.${place}: all messages must have non-empty content except for the optional final assistant message`,
    )
  for (const [index, block] of blocks) checkBlock(`messages.${place}.content.${index}`, block, role)
  const last = blocks.at(-1)?.[1]
  if (isLast && role === 'assistant' && /\s$/.test(textOf(last?.text)))
    refuse('messages: final assistant content cannot end with trailing whitespace')
}

const KINDS: Readonly<Record<string, readonly string[]>> = {
  user: ['text', 'image', 'document', 'tool_result'],
  assistant: ['text', 'thinking', 'redacted_thinking', 'tool_use'],
}

function checkBlock(at: string, block: Fields, role: string): void {
  const type = textOf(block.type)
  if (!Object.values(KINDS).flat().includes(type))
    refuse(
      `${at}: Input tag '${type}' found using 'type' does not match any of the expected tags: 'document', 'image', 'redacted_thinking', 'text', 'thinking', 'tool_result', 'tool_use'`,
    )
  if (!KINDS[role]!.includes(type))
    refuse(
      type === 'tool_result' || type === 'tool_use'
        ? `${at}: \`${type}\` blocks can only be in \`${role === 'user' ? 'assistant' : 'user'}\` messages`
        : `${at}: ${type} blocks are not permitted in ${role} messages`,
    )
  if (type === 'text') checkText(block)
  if (type === 'image' || type === 'document') checkFile(at, block)
  if (type === 'tool_use') {
    if (!/^[a-zA-Z0-9_-]+$/.test(textOf(block.id)))
      refuse(`${at}.tool_use.id: String should match pattern '^[a-zA-Z0-9_-]+$'`)
    if (!NAME.test(textOf(block.name)))
      refuse(`${at}.tool_use.name: String should match pattern '${NAME.source}'`)
    if (!isFields(block.input)) refuse(`${at}.tool_use.input: Input should be a valid dictionary`)
  }
  if (type === 'thinking' && textOf(block.signature) !== signThinking(textOf(block.thinking)))
    refuse(`${at}: Invalid \`signature\` in \`thinking\` block`)
  if (type === 'redacted_thinking' && !isRedacted(textOf(block.data)))
    refuse(`${at}: Invalid \`data\` in \`redacted_thinking\` block`)
  if (type === 'tool_result') checkResult(at, block)
}

function checkText({ text }: Fields): void {
  if (textOf(text) === '') refuse('messages: text content blocks must be non-empty')
  if (textOf(text).trim() === '') refuse('messages: text content blocks must contain non-whitespace text')
}

function checkResult(at: string, { content, is_error, tool_use_id }: Fields): void {
  if (!/^[a-zA-Z0-9_-]+$/.test(textOf(tool_use_id)))
    refuse(`${at}.tool_result.tool_use_id: String should match pattern '^[a-zA-Z0-9_-]+$'`)
  for (const [index, inner] of entries(content)) {
    if (inner.type === 'image' || inner.type === 'document')
      checkFile(`${at}.tool_result.content.${index}`, inner)
    if (inner.type === 'text') checkText(inner)
    if (is_error === true && inner.type !== 'text')
      refuse(`${at}.tool_result: all content must be type "text" if "is_error" is true`)
  }
}

const TYPES = "'image/jpeg', 'image/png', 'image/gif' or 'image/webp'"

function checkFile(at: string, block: Fields): void {
  const source = isFields(block.source) ? block.source : refuse(`${at}.${block.type}.source: Field required`)
  const { type, media_type, data } = source
  if (type !== 'base64') return
  const place = `${at}.${textOf(block.type)}.source.base64`
  if (!isBase64(textOf(data)) || textOf(data) === '') refuse(`${place}.data: Input should be valid base64`)
  if (block.type === 'document') {
    if (media_type !== 'application/pdf') refuse(`${place}.media_type: Input should be 'application/pdf'`)
    return
  }
  if (!TYPES.includes(`'${textOf(media_type)}'`)) refuse(`${place}.media_type: Input should be ${TYPES}`)
  const found = imageType(textOf(data))
  if (found === undefined) refuse('Could not process image')
  if (found !== media_type)
    refuse(`${place}.data: Image does not match the provided media type ${textOf(media_type)}`)
}

// ── the order of things ──────────────────────────────────────────────────────────────────────────

type Messages = readonly [number, Fields][]

function checkRoles(messages: Messages): void {
  if (messages[0]?.[1].role !== 'user') refuse('messages: first message must use the "user" role')
  for (const [place, { role }] of messages)
    if (role === messages[place + 1]?.[1].role)
      refuse(
        `messages: roles must alternate between "user" and "assistant", but found multiple "${textOf(role)}" roles in a row`,
      )
}

const idsIn = (message: Fields | undefined, type: string, field: string): string[] =>
  blocksOf(message?.content).flatMap(([, block]) => (block.type === type ? textOf(block[field]) : []))

function checkCalls(messages: Messages): void {
  const all = new Set<string>()
  for (const [place, message] of messages) {
    const calls = idsIn(message, 'tool_use', 'id')
    for (const id of calls) {
      if (all.has(id)) refuse(`messages.${place}: \`tool_use\` ids must be unique`)
      all.add(id)
    }
    const next = messages[place + 1]?.[1]
    // Results stand before everything else that the user says.
    const blocks = blocksOf(next?.content).map(([, block]) => block)
    const end = blocks.findIndex(({ type }) => type !== 'tool_result')
    const answered = blocks.slice(0, end === -1 ? blocks.length : end).map((block) => block.tool_use_id)
    const missing = calls.filter((id) => !answered.includes(id))
    if (missing.length > 0)
      refuse(
        `messages.${place}: \`tool_use\` ids were found without \`tool_result\` blocks immediately after: ${missing.join(', ')}. Each \`tool_use\` block must have a corresponding \`tool_result\` block in the next message.`,
      )
    const before = idsIn(messages[place - 1]?.[1], 'tool_use', 'id')
    const results = idsIn(message, 'tool_result', 'tool_use_id')
    for (const [index, block] of blocksOf(message.content)) {
      if (block.type !== 'tool_result') continue
      if (!before.includes(textOf(block.tool_use_id)))
        refuse(
          `messages.${place}.content.${index}: unexpected \`tool_use_id\` found in \`tool_result\` blocks: ${textOf(block.tool_use_id)}. Each \`tool_result\` block must have a corresponding \`tool_use\` block in the previous message.`,
        )
    }
    const twice = results.find((id, index) => results.indexOf(id) !== index)
    if (twice !== undefined)
      refuse(
        `messages.${place}: each tool_use must have a single result. Found multiple \`tool_result\` blocks with id: ${twice}`,
      )
  }
}

const isThought = ({ type }: Fields): boolean => type === 'thinking' || type === 'redacted_thinking'

/** The thoughts of a message stand first in it, and a turn that still calls tools begins with one. */
function checkThoughts(messages: Messages, body: Fields): void {
  for (const [place, { role, content }] of messages) {
    if (role !== 'assistant') continue
    const blocks = blocksOf(content).map(([, block]) => block)
    const hasThoughts = blocks.some(isThought)
    if (hasThoughts && !isThought(blocks[0]!))
      refuse(
        `messages.${place}.content.0.type: Expected \`thinking\` or \`redacted_thinking\`, but found \`${textOf(blocks[0]!.type)}\`. ${FIRST}`,
      )
    const last = blocks.at(-1)
    if (last !== undefined && isThought(last))
      refuse(`messages.${place}: The final block in an assistant message cannot be \`thinking\`.`)
  }
  if (!isFields(body.thinking) || body.thinking.type !== 'enabled') return
  const isAsked = ([, { role, content }]: [number, Fields]): boolean =>
    role === 'user' && !blocksOf(content).some(([, { type }]) => type === 'tool_result')
  const asked = messages.map(isAsked).lastIndexOf(true)
  const first = messages.slice(asked + 1).find(([, { role }]) => role === 'assistant')
  if (first === undefined) return
  const [place, { content }] = first
  const [, block] = blocksOf(content)[0] ?? [0, {}]
  if (!isThought(block))
    refuse(
      `messages.${place}.content.0.type: Expected \`thinking\` or \`redacted_thinking\`, but found \`${textOf(block.type)}\`. ${FIRST}`,
    )
}

const FIRST =
  'When `thinking` is enabled, a final `assistant` message must start with a thinking block (preceeding the lastmost set of `tool_use` and `tool_result` blocks). We recommend you include thinking blocks from previous turns. To avoid this requirement, disable `thinking`. Please consult our documentation at https://docs.claude.com/en/docs/build-with-claude/extended-thinking'
