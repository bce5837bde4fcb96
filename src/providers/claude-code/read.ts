/**
 * Claude Code's `stream-json`, one object per line: what `claude -p --output-format stream-json` writes, and what the
 * Claude Agent SDK yields. Messages come block by block, and with `--include-partial-messages` as Anthropic's events before
 * that.
 *
 *     {"type":"system","subtype":"init","session_id":"s","model":"claude-sonnet-5","tools":["Read"]}
 *     {"type":"stream_event","event":{"type":"content_block_delta","index":0,"delta":{"type":"text_delta","text":"Hi"}}}
 *     {"type":"assistant","message":{"id":"msg_1","content":[{"type":"tool_use","id":"toolu_1","name":"Read","input":{}}]}}
 *     {"type":"user","message":{"content":[{"type":"tool_result","tool_use_id":"toolu_1","content":"…"}]}}
 *     {"type":"result","subtype":"success","is_error":false,"result":"Done.","stop_reason":"end_turn","usage":{}}
 *
 * Claude Code runs all calls itself. What its subagents say is not the answer, and is passed on as it is.
 */

import { type Field, flag, optional, part, resumed, type StateOf } from '../../base/declared-state.ts'
import { type Fields, isFields } from '../../base/fields.ts'
import { isString, oneOf } from '../../base/plain-state.ts'
import { anthropic } from '../anthropic/read.ts'
import { changedOutput } from '../changed-output.ts'
import { under } from '../metadata.ts'
import type { Output } from '../output.ts'
import { fieldsIn, fieldsOf, listOf, numberOf, resultText, textOf, wordOf } from '../payload-fields.ts'
import type { PayloadReader, Provider } from '../provider.ts'
import { ProviderError, reportErrorIn } from '../provider-error.ts'

const NAME = 'claude-code'

/** Reads what Claude Code writes with `--output-format stream-json`, and the messages of its SDK. */
export const claudeCode: Provider<typeof NAME> = {
  name: NAME,
  framing: 'lines',
  detect: ({ type, subtype, event, message }) =>
    ((type === 'system' || type === 'result') && typeof subtype === 'string') ||
    (type === 'stream_event' && isFields(event)) ||
    ((type === 'assistant' || type === 'user') && isFields(message)),
  open: (out, saved) => new ClaudeCodeReader(out, resumed(STATE, saved)),
}

const STATE = {
  /** The message whose events came last: it is not read again when it comes whole. */
  streamed: optional(isString),
  /** Whether a message is being streamed: `unnamed` if it began without its name, which comes with the whole message. */
  stream: { begin: () => 'none', check: oneOf('none', 'named', 'unnamed') } as Field<
    'none' | 'named' | 'unnamed'
  >,
  /** Some text came: the result repeats it. */
  hasText: flag,
  /** That of the reader of Anthropic's messages. */
  message: part,
}
type ClaudeCodeState = StateOf<typeof STATE>

class ClaudeCodeReader implements PayloadReader {
  private readonly out: Output
  private readonly message: PayloadReader
  private readonly own: ClaudeCodeState
  /** A whole message is read: no call in it was cut off. */
  private isWhole = false

  constructor(out: Output, state: ClaudeCodeState) {
    this.out = out
    this.own = state
    const ignore = (): void => {}
    const messages = changedOutput(out, {
      // Whole messages follow each other, and each is new: those that were streamed are left out here.
      has: () => false,
      text: (delta, options) => {
        this.own.hasText ||= delta !== ''
        out.text(delta, options)
      },
      call: (delta) => out.call({ ...delta, providerExecuted: true }),
      endCall: (key, how) => out.endCall(key, this.isWhole ? 'whole' : how),
      // A message of many is over, and not the turn. The result has the figures of all of them.
      usage: ignore,
      finish: ignore,
      over: ignore,
      metadata: ignore,
      // Claude Code tries again; the result says whether the turn failed.
      error: ({ message }) => out.unexpected(message),
    })
    this.message = anthropic.open(messages, state.message)
  }

  get state(): ClaudeCodeState {
    return { ...this.own, message: this.message.state }
  }

  read(payload: Fields, isFramed: boolean): void {
    const { out } = this
    const type = textOf(payload.type)
    const { session_id, parent_tool_use_id, event } = payload
    out.metadata(under(NAME, { sessionId: wordOf(session_id) }))
    if (typeof parent_tool_use_id === 'string') {
      out.custom('subagent', payload)
      return
    }
    const message = fieldsOf(payload.message)
    switch (type) {
      case 'stream_event':
        this.followStream(fieldsOf(event))
        this.message.read(fieldsOf(event), isFramed)
        return
      case 'assistant':
        // What Claude Code writes in the place of a message that failed is no text of the model.
        if (typeof payload.error === 'string') out.custom(type, payload)
        else if (!this.wasStreamed(message)) this.readMessage(message, payload.aborted === true, isFramed)
        return
      case 'user':
        this.readUser(message, payload)
        return
      case 'result':
        this.readResult(payload, isFramed)
        return
      case 'keep_alive':
        return
    }
    if (payload.subtype === 'init')
      out.metadata(
        under(NAME, { model: wordOf(payload.model), version: wordOf(payload.claude_code_version) }),
      )
    else if (PASSED_ON.test(type)) out.custom(type, payload)
    else if (!reportErrorIn(payload, NAME, out)) out.unknown(type || 'payload', payload)
  }

  private followStream({ type, message }: Fields): void {
    const { own } = this
    if (type === 'message_start') {
      own.streamed = wordOf(fieldsOf(message).id) ?? null
      own.stream = own.streamed === null ? 'unnamed' : 'named'
    } else if (type === 'message_stop') own.stream = own.stream === 'named' ? 'none' : own.stream
    else if (own.stream === 'none' && textOf(type).startsWith('content_block')) own.stream = 'unnamed'
  }

  /** A message comes whole behind its events, block by block. */
  private wasStreamed(message: Fields): boolean {
    const { own } = this
    const id = wordOf(message.id) ?? null
    if (own.stream === 'unnamed') {
      own.streamed = id
      own.stream = 'named'
      return true
    }
    return id !== null && id === own.streamed
  }

  private readMessage(message: Fields, isAborted: boolean, isFramed: boolean): void {
    this.isWhole = !isAborted
    this.message.read({ ...message, type: 'message' }, isFramed)
    this.isWhole = false
  }

  private readUser(message: Fields, payload: Fields): void {
    const blocks = fieldsIn(message.content)
    for (const block of blocks)
      if (block.type === 'tool_result')
        this.out.result({
          id: textOf(block.tool_use_id),
          content: resultText(block.content),
          isError: block.is_error === true,
        })
    if (blocks.length === 0 || blocks.some(({ type }) => type !== 'tool_result'))
      this.out.custom('user', payload)
  }

  private readResult(payload: Fields, isFramed: boolean): void {
    const { out } = this
    const { subtype, usage, structured_output, deferred_tool_use } = payload
    const text = textOf(payload.result)
    const word = textOf(subtype)
    const isLimit = word.startsWith('error_max')
    if (structured_output !== undefined) out.custom('structured_output', structured_output)
    if (isFields(deferred_tool_use)) out.custom('deferred_tool_use', deferred_tool_use)
    if (!isLimit && (payload.is_error === true || word.startsWith('error'))) {
      const message =
        listOf(payload.errors).map(textOf).join(' ').trim() || text || word || 'The turn failed.'
      out.error(new ProviderError(NAME, message, wordOf(subtype), payload))
    } else if (!this.own.hasText) out.text(text)
    out.usage({ cost: numberOf(payload.total_cost_usd) })
    const delta = { stop_reason: isLimit ? word : payload.stop_reason }
    anthropic.open(out).read({ type: 'message_delta', delta, usage }, isFramed)
    out.over()
  }
}

const PASSED_ON =
  /^(system|tool_progress|tool_use_summary|rate_limit_event|auth_status|prompt_suggestion|control_(request|response|cancel_request))$/
