/** One attempt at a response: the request is sent, and its events are read as they come. Nothing runs here. */

import type { ErrorRecord, FinishReason, SluiceEvent, Usage } from '../base/event.ts'
import { OpenEvents } from '../base/open-events.ts'
import type { ToolDefinitions } from '../engine/calls/tools.ts'
import { isExecutable } from '../engine/calls/verdict.ts'
import { type Message, MessageFold } from '../engine/message.ts'
import type { ModelRequest } from '../requests/conversation/model-request.ts'
import { shownResults } from '../requests/conversation/shown-results.ts'
import { callUntilAborted } from './abort.ts'
import { Approvals, frozenCall } from './approvals.ts'
import { callBack } from './callback.ts'
import type { ModelContext, WrittenText } from './model.ts'
import { createGuard, type Guard } from './policy/guard.ts'
import { brokenOff, Reception } from './reception.ts'
import { retryAfter } from './retry.ts'
import { allowedTools } from './tool.ts'
import type { TurnCall } from './turn-call.ts'
import { endedWith, type TurnError, turnError } from './turn-error.ts'
import type { CallEvent, TurnEvent } from './turn-event.ts'
import type { TurnSettings } from './turn-options.ts'
import type { UniqueIds } from './unique-ids.ts'

export interface TurnResponse {
  readonly message: Message
  /** In the order in which they started. */
  readonly calls: readonly TurnCall[]
  readonly outcome: 'complete' | 'aborted' | 'failed'
  /** The source text, if the model writes its calls in text. */
  readonly written?: WrittenText | undefined
  readonly error?: TurnError | undefined
  /** Takes the events of approvals that a slow schema holds up until the response is over. */
  emitLate?(emit: (event: CallEvent) => void): void
}

export interface ResponseScope {
  readonly settings: TurnSettings
  readonly request: ModelRequest
  /** All tools of the turn; the request may allow fewer. */
  readonly tools: ToolDefinitions
  readonly ids: UniqueIds
  readonly round: number
  /** Aborts when the turn is over. */
  readonly signal: AbortSignal
  /** Aborts when the calls of the response no longer need approval. */
  readonly approvalSignal: AbortSignal
  /** Called with the usage of each response, also of one that failed. */
  onUsage(usage: Usage): void
}

export interface Attempt extends TurnResponse {
  /** Some of it was emitted, so it cannot be repeated. */
  readonly isShown: boolean
  /** Events that were held back. */
  readonly held: readonly TurnEvent[]
  /** Withdraws all open approval requests: no call of this attempt is going to run. */
  dismiss(): void
}

/** Events without content: the request can still be sent again after them. */
const PRELIMINARY: ReadonlySet<string> = new Set(['diagnostic', 'error', 'finish'])

export async function* readAttempt(
  scope: ResponseScope,
  attempt: number,
): AsyncGenerator<TurnEvent, Attempt, undefined> {
  const { settings, ids, signal } = scope
  const fold = new MessageFold()
  const open = new OpenEvents()
  const calls = new Map<string, TurnCall>()
  const judged = new Set<string>()
  const withOwnId = ids.response()
  const held: TurnEvent[] = []
  const holdsAll = settings.refusalRetries > 0
  let isShown = false
  let finish: FinishReason | undefined
  let record: ErrorRecord | undefined
  let written: WrittenText | undefined
  let approvals: Approvals | undefined
  let isDenied = false
  /** A call came that can run, unless the rest of the response speaks against it. */
  let hasRunnable = false
  let isStoppedByPolicy = false
  const ready: SluiceEvent[] = []
  const guard: Guard | null =
    settings.policy === undefined
      ? null
      : createGuard({
          policy: settings.policy,
          emit: (event) => ready.push(event),
          stop: () => {
            isDenied = true
          },
        })
  const reception = new Reception({
    ...settings,
    signal,
    onWritten: (text) => {
      written = text
    },
  })

  const send = async (context: ModelContext): Promise<unknown> => {
    const request = await prepareRequest(scope, attempt, context.signal)
    const offered = request.tools === scope.request.tools ? undefined : (request.tools ?? [])
    const tools = allowedTools(scope.tools, request.toolChoice, offered as ToolDefinitions | undefined)
    approvals = new Approvals(
      settings,
      tools,
      scope.approvalSignal,
      guard,
      (id) => fold.call(id)?.input ?? null,
    )
    // A call cannot run without its input.
    const emit = { ...settings.emit, raw: true, input: true }
    const shown = { results: shownResults(request.messages) }
    const reading = { ...context.reading, tools, shown, generateId: ids.generate, emit }
    return callUntilAborted(() => settings.model(request, { ...context, reading }), context.signal)
  }

  const note = (event: SluiceEvent): void => {
    open.add(event)
    fold.add(event)
    if (event.type === 'tool-input-start') approvals!.begin(event)
    if (event.type === 'error') record ??= event.error
    if (event.type !== 'finish') return
    finish = event.reason
    scope.onUsage(event.usage ?? {})
  }

  /** Holds events back while the request may still be sent again. */
  function* show(event: TurnEvent): Generator<TurnEvent, void, undefined> {
    if (!isShown && (holdsAll || PRELIMINARY.has(event.type))) {
      held.push(event)
      return
    }
    isShown = true
    yield* held.splice(0)
    yield event
  }

  function* emit(event: SluiceEvent): Generator<TurnEvent, void, undefined> {
    yield* show(event)
    if (event.type !== 'tool-call' || judged.has(event.id)) return
    // Of two verdicts the first counts, also where it says that the provider runs the call itself.
    judged.add(event.id)
    if (event.providerExecuted) return
    hasRunnable ||= isExecutable(event, { allow: settings.approve === undefined ? [] : ['guess'] })
    calls.set(event.id, approvals!.request(event))
    yield* showApprovals()
  }

  function* showApprovals(): Generator<TurnEvent, void, undefined> {
    for (const event of approvals!.events.splice(0)) yield* show(event)
  }

  try {
    for await (const received of reception.events(send)) {
      yield* showApprovals()
      const event = withOwnId(received)
      if (guard === null) ready.push(event)
      else guard.add(event)
      for (const given of ready.splice(0)) {
        // Nobody changes a call that has its verdict: what is decided about is what the model wrote.
        const passed = given.type === 'tool-call' ? frozenCall(given) : given
        note(passed)
        // The fast path: nearly all events are deltas.
        if (isShown && passed.type !== 'tool-call' && passed.type !== 'diagnostic') yield passed
        else yield* emit(passed)
      }
      isStoppedByPolicy = isDenied && !hasRunnable
      if (isStoppedByPolicy) break
    }
  } catch (error) {
    reception.failure ??= { error }
  }

  const hasFailed = reception.failure !== undefined || record !== undefined
  const isComplete = finish === undefined ? isStoppedByPolicy : finish !== 'error'
  // A model that reports that its response was aborted has not finished it.
  const outcome =
    signal.aborted || (finish === 'aborted' && !hasFailed)
      ? 'aborted'
      : isComplete && !hasFailed
        ? 'complete'
        : 'failed'
  if (finish === undefined) {
    for (const event of reception.closing(open, outcome === 'failed')) {
      note(event)
      yield* emit(event)
    }
  }
  const message = fold.message()
  const error =
    outcome === 'failed'
      ? turnError(
          reception.failure?.error ?? record ?? endedWith(message.finish.rawReason) ?? brokenOff(),
          record,
          retryAfter(reception.headers, reception.failure?.error, Date.now()),
        )
      : undefined
  if (error === undefined && message.finish.reason !== 'content-filter') yield* held.splice(0)
  return {
    message,
    calls: message.toolCalls.flatMap(({ id }) => calls.get(id) ?? []),
    outcome,
    written,
    error,
    isShown,
    held,
    dismiss: () => approvals?.dismiss(),
    emitLate: (emitEvent) => approvals?.emitTo(emitEvent),
  }
}

async function prepareRequest(
  { settings, request, round }: ResponseScope,
  attempt: number,
  signal: AbortSignal,
): Promise<ModelRequest> {
  const { beforeRequest } = settings
  if (beforeRequest === undefined) return request
  return (await callBack(() => beforeRequest(request, { round, attempt }), signal)) ?? request
}
