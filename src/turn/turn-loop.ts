/** The loop: send, read, decide, run, answer, until the model is done. Every form of a turn stands on this one. */

import type { SluiceEvent, ToolCall, Usage } from '../base/event.ts'
import type { ToolDefinitions } from '../engine/calls/tools.ts'
import { appendResponse, appendResults } from '../requests/conversation/append.ts'
import type {
  ConversationMessage,
  ConversationPart,
  ModelRequest,
  ToolChoice,
} from '../requests/conversation/model-request.ts'
import { resultsText } from '../requests/prompt/turn-text.ts'
import type { ToolContext } from '../views/compat/blocks/types.ts'
import { linkedController } from './abort.ts'
import { messageSource } from './message-source.ts'
import type { TurnResponse } from './read-attempt.ts'
import { readResponse } from './read-response.ts'
import { LIMIT_REACHED, RESPONSE_FAILED, RESPONSE_FILTERED, STOPPED } from './refusal-messages.ts'
import { RepeatedRefusals } from './repeated-refusals.ts'
import { type CallHandler, runCalls } from './run-calls.ts'
import { textOfContent } from './tool-output.ts'
import { isMention } from './turn-call.ts'
import { failureOf, type TurnError } from './turn-error.ts'
import type { TurnEvent } from './turn-event.ts'
import type { TurnSettings } from './turn-options.ts'
import type { TurnResult, TurnStop, TurnToolResult } from './turn-result.ts'
import { UniqueIds } from './unique-ids.ts'
import { addUsage } from './usage.ts'

/** What a turn remembers. */
interface TurnState {
  conversation: ModelRequest
  content: readonly ConversationPart[]
  rawText: string
  /** The same with the results of tools in between, where the model writes its calls in text. */
  accumulated: string
  toolCalls: readonly ToolCall[]
  toolResults: readonly TurnToolResult[]
  pendingCalls: readonly ToolCall[]
  usage: Usage
  rounds: number
  /** Rounds of tools. */
  depth: number
}

/** Why a turn is over. */
interface TurnEnd {
  readonly reason: TurnStop
  readonly error?: TurnError
}

/** What a form of the turn brings along. */
export interface TurnShell {
  readonly handler?: CallHandler | undefined
  /** Messages that go to the model with the next request. */
  takeInjected?(): readonly ConversationMessage[]
}

export async function* turnLoop(
  settings: TurnSettings,
  { handler, takeInjected }: TurnShell,
): AsyncGenerator<TurnEvent, TurnResult, undefined> {
  const tools = (settings.tools ?? settings.request.tools ?? []) as ToolDefinitions
  const ids = new UniqueIds(settings.request.messages)
  const refusals = new RepeatedRefusals()
  const { signal } = settings
  const state: TurnState = {
    conversation: settings.request,
    content: [],
    rawText: '',
    accumulated: '',
    toolCalls: [],
    toolResults: [],
    pendingCalls: [],
    usage: {},
    rounds: 0,
    depth: 0,
  }

  async function* round(): AsyncGenerator<TurnEvent, TurnEnd | undefined, undefined> {
    const number = ++state.rounds
    const injected = number === 1 ? [] : (takeInjected?.() ?? [])
    state.conversation = { ...state.conversation, messages: [...state.conversation.messages, ...injected] }
    yield { type: 'round-start', round: number }
    const undecided = linkedController(signal)
    const request: ModelRequest = {
      ...state.conversation,
      ...(settings.tools && { tools }),
      ...(number > 1 && freeChoice(state.conversation.toolChoice)),
    }
    let used: Usage = {}
    const onUsage = (usage: Usage): void => {
      used = addUsage(used, usage)
    }
    try {
      const approvalSignal = undecided.signal
      const response = yield* readResponse({
        ...{ settings, request, tools, ids, round: number, signal, approvalSignal, onUsage },
      })
      state.usage = addUsage(state.usage, used)
      yield { type: 'usage', round: number, usage: used, total: { ...state.usage } }
      take(response)
      return yield* answer(response)
    } finally {
      undecided.abort()
    }
  }

  function take(response: TurnResponse): void {
    const { message, outcome, written } = response
    state.content = [...state.content, ...message.parts]
    const rawText = rawTextOf(response)
    state.rawText += rawText
    state.accumulated += rawText
    state.toolCalls = [...state.toolCalls, ...message.toolCalls]
    if (outcome === 'failed' || message.parts.length === 0) return
    const source = written && messageSource(message, written, tools)
    state.conversation = appendResponse(state.conversation, { ...message, ...(source && { source }) })
  }

  async function* answer(response: TurnResponse): AsyncGenerator<TurnEvent, TurnEnd | undefined, undefined> {
    const { message, calls, outcome, error } = response
    const { reason, rawReason } = message.finish
    if (outcome === 'failed') {
      yield* leave(response, RESPONSE_FAILED, 'call-cancelled', false)
      return { reason: 'error', error: error! }
    }
    if (outcome === 'aborted') {
      yield* leave(response, STOPPED, 'call-cancelled', true)
      return { reason: 'aborted' }
    }
    if (reason === 'content-filter') {
      yield* leave(response, RESPONSE_FILTERED, 'call-cancelled', true)
      return { reason }
    }
    if (reason === 'other' && (rawReason === 'no-progress' || rawReason === 'round-limit')) {
      yield* leave(response, STOPPED, 'call-cancelled', true)
      return { reason: rawReason }
    }
    if (calls.length === 0) return { reason: reason === 'length' || reason === 'other' ? reason : 'stop' }
    if (state.depth >= settings.maxToolDepth) {
      yield* leave(response, LIMIT_REACHED, 'call-denied', true)
      return { reason: 'max-tool-depth' }
    }
    return yield* runTools(response)
  }

  async function* runTools(
    response: TurnResponse,
  ): AsyncGenerator<TurnEvent, TurnEnd | undefined, undefined> {
    const { message, calls, emitLate } = response
    const depth = state.depth++
    const toolIds = calls.map(({ call }) => call.id)
    yield { type: 'tools-start', round: state.rounds, depth, text: message.text, ids: toolIds }
    const finish = message.finish.reason
    const context = contextOf(response, depth)
    const outcome = yield* runCalls(calls, {
      ...{ settings, handler, context, finish, refusals, signal, emitLate },
    })
    const { started, error } = outcome
    const results = outcome.results.filter((result) => result !== undefined)
    yield* give(results)
    state.accumulated += resultTextOf(results, response)
    state.pendingCalls = calls.flatMap(({ call }, at) => (outcome.results[at] ? [] : call))
    if (signal.aborted) return { reason: 'aborted' }
    if (error !== undefined) return { reason: 'error', error }
    if (state.pendingCalls.length > 0) return { reason: 'tool-calls' }
    const isAnswered = message.text.trim() !== '' && calls.every(({ call }) => isMention(call))
    if (started === 0 && isAnswered) return { reason: 'stop' }
    const isStuck = refusals.endRound(started) >= settings.maxRepeatedRefusals
    return isStuck ? { reason: 'repeated-refusal' } : undefined
  }

  /** Results as a model reads them that writes its calls in text. */
  function resultTextOf(results: readonly TurnToolResult[], { written }: TurnResponse): string {
    if (written === undefined) return ''
    const told = results.map((result) => ({ ...result, content: textOfContent(result.content) }))
    return resultsText(told, { dialect: written.dialect, tools })
  }

  function contextOf(response: TurnResponse, depth: number): Omit<ToolContext, 'signal'> {
    const { message } = response
    const before = message.parts.slice(
      0,
      message.parts.findIndex(({ type }) => type === 'call'),
    )
    return {
      rawText: rawTextOf(response),
      preamble: before.map((part) => (part.type === 'text' ? part.text : '')).join(''),
      depth,
      previousResults: state.toolResults.map(({ id, content, isError }) => ({
        toolUseId: id,
        content,
        isError,
      })),
      accumulated: state.accumulated,
      roundContent: message.parts,
    }
  }

  /** Calls that do not run get a result all the same, so that the conversation can go on. */
  function* leave(
    { calls }: TurnResponse,
    reason: string,
    type: 'call-cancelled' | 'call-denied',
    isInConversation: boolean,
  ): Generator<TurnEvent, void, undefined> {
    const results = calls.map(({ call: { id, toolName } }) => ({
      id,
      toolName,
      content: reason,
      isError: true,
    }))
    for (const { id, toolName } of results)
      yield type === 'call-denied'
        ? { type, id, toolName, by: 'limit', reason }
        : { type, id, toolName, reason }
    yield* give(results, isInConversation)
  }

  function* give(
    results: readonly TurnToolResult[],
    isInConversation = true,
  ): Generator<SluiceEvent, void, undefined> {
    if (results.length === 0) return
    state.toolResults = [...state.toolResults, ...results]
    const parts = results.map((result) => ({ type: 'result' as const, ...result }))
    state.content = [...state.content, ...parts]
    if (isInConversation) state.conversation = appendResults(state.conversation, results)
    for (const { id, toolName, content, isError } of results) {
      const delta = textOfContent(content)
      yield { type: 'tool-result-start', id, toolName, ...(isError && { isError }) }
      if (delta !== '') yield { type: 'tool-result-delta', id, delta }
      yield { type: 'tool-result-end', id }
    }
  }

  let end: TurnEnd | undefined = signal.aborted ? { reason: 'aborted' } : undefined
  while (end === undefined) end = yield* round()
  const { reason, error } = end
  const result = resultOf(state, end)
  yield {
    type: 'turn-finish',
    reason,
    usage: { ...state.usage },
    ...(error && { error: failureOf(error) }),
  }
  return result
}

function resultOf(state: TurnState, { reason, error }: TurnEnd): TurnResult {
  const result: TurnResult = {
    content: state.content,
    text: state.content.map((part) => (part.type === 'text' ? part.text : '')).join(''),
    rawText: state.rawText,
    toolCalls: state.toolCalls,
    toolResults: state.toolResults,
    pendingCalls: state.pendingCalls,
    stopReason: reason,
    usage: state.usage,
    rounds: state.rounds,
    conversation: state.conversation,
    ...(error && { error }),
  }
  if (error !== undefined) error.result = result
  return result
}

/** A tool that had to be called has been: if it had to be called in each round, the model could never answer. */
function freeChoice(choice: ToolChoice | undefined): { readonly toolChoice?: ToolChoice } {
  if (choice === undefined || choice === 'none') return {}
  return {
    toolChoice: typeof choice === 'object' && 'toolNames' in choice ? { ...choice, mode: 'auto' } : 'auto',
  }
}

/** What the model wrote. Where calls do not come as text, their text is the JSON of their arguments. */
function rawTextOf({ message, written }: TurnResponse): string {
  if (written !== undefined) return written.text
  return message.parts
    .map((part) => {
      if (part.type === 'text') return part.text
      return part.type === 'call' ? part.raw : ''
    })
    .join('')
}
