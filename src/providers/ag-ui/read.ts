/**
 * AG-UI, the protocol between agents and user interfaces: events of one run, by the ids of messages and calls.
 *
 *     {"type":"RUN_STARTED","threadId":"t","runId":"r"}
 *     {"type":"TEXT_MESSAGE_CONTENT","messageId":"m1","delta":"Hello"}
 *     {"type":"TOOL_CALL_START","toolCallId":"c1","toolCallName":"ls"}
 *     {"type":"TOOL_CALL_ARGS","toolCallId":"c1","delta":"{\"path\":\".\"}"}
 *     {"type":"TOOL_CALL_END","toolCallId":"c1"}
 *     {"type":"RUN_FINISHED","threadId":"t","runId":"r"}
 *
 * A call is the agent's own if its result comes in the same run, and otherwise it is for the client. Where nothing says
 * it before, the end of the arguments and the verdict wait for the result or for the end of the run.
 */

import {
  begun,
  flag,
  map,
  optional,
  resumed,
  type StateOf,
  set,
  stateCheck,
  text,
} from '../../base/declared-state.ts'
import { type Fields, isFields } from '../../base/fields.ts'
import { listOf as isListOf, isString, oneOf } from '../../base/plain-state.ts'
import { SDK_REASONS } from '../ai-sdk-calls.ts'
import { CALL_INDICES, callIndex } from '../call-indices.ts'
import { normaliseReason } from '../finish-reasons.ts'
import { withoutLastBrace } from '../last-brace.ts'
import { under } from '../metadata.ts'
import type { Output } from '../output.ts'
import { contentOf, fieldsIn, fieldsOf, listOf, numberOf, sumOf, textOf, wordOf } from '../payload-fields.ts'
import type { PayloadReader, Provider } from '../provider.ts'
import { ProviderError, reportErrorIn } from '../provider-error.ts'

const NAME = 'ag-ui'

/** Reads the events of AG-UI. */
export const agUi: Provider<typeof NAME> = {
  name: NAME,
  framing: 'sse',
  detect: ({ type }) =>
    /^(RUN_(STARTED|FINISHED|ERROR)|(TEXT|REASONING|THINKING_TEXT)_MESSAGE_[A-Z]+|(REASONING|THINKING)_(START|END)|TOOL_CALL_[A-Z]+|STATE_(SNAPSHOT|DELTA)|STEP_(STARTED|FINISHED)|MESSAGES_SNAPSHOT|ACTIVITY_[A-Z]+|SUBAGENT_[A-Z]+)$/.test(
      textOf(type),
    ),
  open: (out, saved) => new AgUiReader(out, resumed(STATE, saved)),
}

const CALL = {
  /** Who runs it; null as long as only its arguments came. */
  runner: optional(oneOf('client', 'agent', 'unknown')),
  /** The first character of the arguments. */
  first: text,
  /** The end of the arguments, which would make the call whole. */
  held: text,
  hasEnded: flag,
}
type OpenCall = StateOf<typeof CALL>

const STATE = {
  ...CALL_INDICES,
  /** The tools of the client, if the run says which it has. */
  tools: optional(isListOf(isString)),
  /** The calls that are not judged. */
  calls: map(isString, stateCheck(CALL)),
  /** Messages that are not the agent's, such as those of the user. */
  others: set(isString),
  /** The message and the call that chunks belong to which do not say it. */
  chunkMessage: optional(isString),
  chunkCall: optional(isString),
}
type AgUiState = StateOf<typeof STATE>

class AgUiReader implements PayloadReader {
  readonly state: AgUiState
  private readonly out: Output

  constructor(out: Output, state: AgUiState) {
    this.out = out
    this.state = state
  }

  read(event: Fields): void {
    const { out, state } = this
    const type = textOf(event.type)
    if (!BESIDE_CHUNKS.has(type)) this.endChunks(event)
    if (/^TEXT_MESSAGE_/.test(type)) {
      this.readText(type, event)
      return
    }
    if (/^(REASONING|THINKING_TEXT)_MESSAGE_/.test(type)) {
      const place = wordOf(event.messageId) ?? (type.endsWith('CHUNK') ? state.chunkMessage : null)
      if (type.endsWith('CHUNK')) state.chunkMessage = place
      // The end of the message may be followed by what encrypts it.
      out.reasoning(textOf(event.delta), { place: place ?? undefined, metadata: metadataOf(event) })
      return
    }
    switch (type) {
      case 'RUN_STARTED':
        this.start(event)
        return
      case 'REASONING_START':
      case 'THINKING_START':
        return
      case 'REASONING_END':
      case 'THINKING_END':
        out.endReasoning(metadataOf(event))
        return
      case 'REASONING_ENCRYPTED_VALUE':
        this.readEncrypted(event)
        return
      case 'TOOL_CALL_START':
        this.startCall(textOf(event.toolCallId), event)
        return
      case 'TOOL_CALL_ARGS':
        this.growCall(textOf(event.toolCallId), event.delta)
        return
      case 'TOOL_CALL_CHUNK':
        this.readCallChunk(event)
        return
      case 'TOOL_CALL_END':
        this.endCall(textOf(event.toolCallId), event)
        return
      case 'TOOL_CALL_RESULT':
        this.readResult(textOf(event.toolCallId), event)
        return
      case 'RUN_FINISHED':
        this.finish(event)
        return
      case 'RUN_ERROR':
        this.refuseOpen()
        readUsage(event, out)
        out.error(
          new ProviderError(NAME, wordOf(event.message) ?? 'The run failed.', wordOf(event.code), event),
        )
        return
      case 'CUSTOM':
        out.custom(wordOf(event.name) ?? 'custom', event.value)
        return
    }
    if (PASSED_ON.test(type)) out.custom(type, event)
    else if (!reportErrorIn(event, NAME, out)) {
      out.unknown(type || 'payload', event)
      this.missPiece(textOf(event.toolCallId))
    }
  }

  /** An event that is not known names a call. As long as the arguments come, it may have held a piece of them. */
  private missPiece(id: string): void {
    const { calls } = this.state
    if (calls.get(id)?.hasEnded === false) this.out.call({ index: this.indexOf(id), isUnread: true })
  }

  private indexOf(id: string): number {
    return callIndex(this.state, id)
  }

  /** The run did not end: what the agent may be running is not for the client. */
  end(): void {
    this.refuseOpen()
  }

  private start(event: Fields): void {
    const { threadId, runId, input } = event
    this.out.metadata(under(NAME, { threadId: wordOf(threadId), runId: wordOf(runId) }))
    const { tools } = fieldsOf(input)
    this.state.tools = Array.isArray(tools) ? fieldsIn(tools).map((tool) => textOf(tool.name)) : null
  }

  // ── messages ───────────────────────────────────────────────────────────────────────────────────

  private readText(type: string, event: Fields): void {
    const { out, state } = this
    const isChunk = type.endsWith('CHUNK')
    const place = wordOf(event.messageId) ?? (isChunk ? state.chunkMessage : null)
    if (isChunk) state.chunkMessage = place
    const role = wordOf(event.role) ?? 'assistant'
    if (role !== 'assistant') state.others.add(place ?? '')
    if (state.others.has(place ?? '')) {
      if (type.endsWith('END')) state.others.delete(place ?? '')
      out.custom(type, event)
    } else if (type.endsWith('END')) out.endText(metadataOf(event))
    else out.text(textOf(event.delta), { place: place ?? undefined, metadata: metadataOf(event) })
  }

  private readEncrypted(event: Fields): void {
    const { out, state } = this
    const id = textOf(event.entityId)
    const metadata = under(NAME, { encryptedValue: wordOf(event.encryptedValue) })
    if (event.subtype === 'message') out.reasoning('', { place: id, metadata })
    else if (event.subtype === 'tool-call' && state.calls.has(id))
      out.call({ index: this.indexOf(id), metadata })
    else out.custom(textOf(event.type), event)
  }

  // ── calls ──────────────────────────────────────────────────────────────────────────────────────

  private startCall(id: string, event: Fields): void {
    const { out, state } = this
    const name = wordOf(event.toolCallName)
    const call = state.calls.get(id) ?? begun(CALL)
    const isNew = call.runner === null
    state.calls.set(id, call)
    call.runner ??= this.runnerOf(name, event)
    out.call({
      index: this.indexOf(id),
      id,
      name,
      hasOwnEnd: true,
      providerExecuted: call.runner === 'agent',
      isTentative: isNew && call.runner === 'unknown',
      metadata: metadataOf(event),
    })
  }

  private runnerOf(name: string | undefined, event: Fields): NonNullable<OpenCall['runner']> {
    const { providerExecuted } = fieldsOf(event.metadata)
    const { tools } = this.state
    if (typeof providerExecuted === 'boolean') return providerExecuted ? 'agent' : 'client'
    if (tools === null || name === undefined) return 'unknown'
    return tools.includes(name) ? 'client' : 'agent'
  }

  private growCall(id: string, delta: unknown): void {
    const { calls } = this.state
    const isOver = this.state.indices.has(id) && !calls.has(id)
    const index = this.indexOf(id)
    // They may come before their call: then nothing tells yet who runs it.
    const call = calls.get(id) ?? begun(CALL)
    if (!isOver) calls.set(id, call)
    if (typeof delta !== 'string' || call.runner !== 'unknown')
      this.out.call({ index, arguments: delta, isUnread: delta === undefined, hasOwnEnd: true })
    else if (delta !== '') this.out.call({ index, arguments: released(call, delta) })
  }

  private readCallChunk(event: Fields): void {
    const { state } = this
    const id = wordOf(event.toolCallId) ?? state.chunkCall ?? ''
    state.chunkCall = id
    if (!state.calls.has(id)) this.startCall(id, event)
    this.growCall(id, event.delta)
  }

  /** Chunks have no end of their own: they end when something else comes. */
  private endChunks(event: Fields): void {
    const { state } = this
    const isCall = event.type === 'TOOL_CALL_CHUNK'
    const { chunkCall } = state
    if (chunkCall !== null && !(isCall && (wordOf(event.toolCallId) ?? chunkCall) === chunkCall)) {
      state.chunkCall = null
      this.endCall(chunkCall, {})
    }
    if (event.type !== 'TEXT_MESSAGE_CHUNK' && event.type !== 'REASONING_MESSAGE_CHUNK')
      state.chunkMessage = null
  }

  private endCall(id: string, event: Fields): void {
    const { out, state } = this
    const metadata = metadataOf(event)
    const index = this.indexOf(id)
    if (metadata !== undefined) out.call({ index, metadata })
    const call = state.calls.get(id)
    if (call?.runner === 'unknown') {
      call.hasEnded = true
      return
    }
    state.calls.delete(id)
    out.endCall(index, 'unsure')
  }

  private readResult(id: string, event: Fields): void {
    const call = this.state.calls.get(id)
    if (call !== undefined) this.judge(id, call, call.runner !== 'client')
    this.out.result({
      id,
      content: contentOf(event.content),
      isError: fieldsOf(event.metadata).isError === true,
    })
  }

  /** It is known who runs the call. */
  private judge(id: string, { held }: OpenCall, isAgents: boolean): void {
    const index = this.indexOf(id)
    this.state.calls.delete(id)
    this.out.call({ index, arguments: held, providerExecuted: isAgents })
    this.out.endCall(index, 'unsure')
  }

  private refuseOpen(): void {
    const { out, state } = this
    for (const [id, { runner, held, hasEnded }] of state.calls)
      if (runner === 'unknown' && hasEnded) {
        const index = this.indexOf(id)
        out.call({ index, arguments: held })
        out.refuseCall(index, 'The run did not end, so the agent may have run the call itself.')
      }
    state.calls.clear()
  }

  // ── the end ────────────────────────────────────────────────────────────────────────────────────

  private finish(event: Fields): void {
    const { out, state } = this
    const outcome = fieldsOf(event.outcome)
    const result = wordOf(outcome.type)
    if (result === 'cancelled') this.refuseOpen()
    const pending = listOf(outcome.pendingToolCallIds)
    for (const [id, call] of state.calls)
      if (call.runner === 'unknown' && call.hasEnded)
        this.judge(id, call, result === 'interrupt' || (pending.length > 0 && !pending.includes(id)))
    state.calls.clear()
    readUsage(event, out)
    if (event.result !== undefined && event.result !== null) out.custom('result', event.result)
    if (Array.isArray(outcome.interrupts)) out.custom('interrupts', outcome.interrupts)
    const reason = wordOf(fieldsOf(event.metadata).finishReason)
    if (result === 'cancelled') out.finish('aborted', result)
    else if (result === 'interrupt') out.finish('other', result)
    else if (reason !== undefined) out.finish(normaliseReason(reason, SDK_REASONS), reason)
    else out.finish('stop', result)
  }
}

/** Those that may stand between the chunks of one message or call. */
const BESIDE_CHUNKS = new Set(
  'RAW ACTIVITY_SNAPSHOT ACTIVITY_DELTA REASONING_ENCRYPTED_VALUE SUBAGENT_STARTED'.split(' '),
)
const PASSED_ON =
  /^(RAW|STATE_(SNAPSHOT|DELTA)|MESSAGES_SNAPSHOT|STEP_(STARTED|FINISHED)|(ACTIVITY|SUBAGENT)_[A-Z]+)$/

/** As much of the arguments as leaves the call open. */
function released(call: OpenCall, delta: string): string {
  if (call.first === '') call.first = delta.trimStart().charAt(0)
  if (call.first === '{') return withoutLastBrace(call, delta)
  call.held += delta
  return ''
}

/** What was attached, without what is read here. */
function metadataOf({ metadata }: Fields): Fields | undefined {
  if (!isFields(metadata)) return undefined
  const { providerExecuted: _, isError: __, ...others } = metadata
  return Object.keys(others).length === 0 ? undefined : others
}

/** A run may use several models; the figures of all of them count. */
function readUsage({ usage }: Fields, out: Output): void {
  const all = fieldsIn(usage)
  const total = (figure: string): number | undefined => sumOf(...all.map((one) => numberOf(one[figure])))
  out.usage({
    inputTokens: total('inputTokens'),
    outputTokens: total('outputTokens'),
    totalTokens: total('totalTokens'),
    reasoningTokens: total('reasoningTokens'),
    cachedInputTokens: total('cachedInputTokens'),
    cacheWriteInputTokens: total('cacheWriteInputTokens'),
  })
}
