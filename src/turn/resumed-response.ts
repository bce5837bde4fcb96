/**
 * One response out of several: a provider that stops too early, at a stop sequence that stands inside a thought or a
 * call, is asked to continue. One parser reads all of the text, so consumers see a single response.
 *
 *     <thinking>the log says| \nUser: |bye</thinking>Done       the provider stopped at "\nUser:", which was no end
 */

import type { Finish, Metadata, SluiceEvent, Usage } from '../base/event.ts'
import { isFields } from '../base/fields.ts'
import { Ids } from '../base/ids.ts'
import { mergeMetadata } from '../base/merge-metadata.ts'
import { createSinkParser, type ParserOptions, restoreSinkParser, type SinkParser } from '../engine/parser.ts'
import type { Dialect } from '../engine/wire/dialect.ts'
import type { EndReason } from '../engine/wire/machine.ts'
import type { ModelRequest } from '../requests/conversation/model-request.ts'
import type { Model, ModelContext, WrittenText } from './model.ts'
import { addUsage } from './usage.ts'

export interface ResumptionPlan {
  /** The request whose last message is the model's own, with this text behind what it began with. */
  continued(written: string): ModelRequest
  /** The dialect that the parser reads. */
  readonly dialect: Dialect
  readonly parser: ParserOptions
  /** The API goes on with a message that is not finished. */
  readonly canResume: boolean
  /** What ends a response in visible text. */
  readonly stops: readonly string[]
  /** The markers behind the last call: a response ends there, whatever else the model has to say. */
  readonly closers: readonly string[]
}

/** Fewer new characters than these, three times in a row at the same stop, is no progress. */
const LITTLE = 16
const MOST_LITTLE = 3

export async function* resumedResponse(
  model: Model,
  plan: ResumptionPlan,
  context: ModelContext,
): AsyncGenerator<SluiceEvent, void, undefined> {
  // The tools stay here: calls are read from the text.
  const { tools: _, ...reading } = context.reading
  const { generateId, emit } = reading
  const text = new ResumedText(plan, new Ids(generateId), { ...plan.parser, ...(emit && { emit }) })
  let usage: Usage = {}
  let last: string | undefined
  let little = 0
  for (let resumptions = 0; ; resumptions++) {
    const before = text.written.length
    text.beginRequest()
    let finish: Ending = { reason: 'error' }
    for await (const event of await model(plan.continued(text.written), { ...context, reading })) {
      if (text.isApart(event)) text.pass(event)
      else if (event.type === 'text-start') text.begin(event.metadata)
      else if (event.type === 'text-end') text.attach(event.metadata)
      else if (event.type === 'text-delta') {
        text.push(event.delta)
        context.onWritten(text.own())
      } else if (event.type === 'finish') finish = event
      else if (!isHint(event)) text.pass(event)
      yield* text.events.splice(0)
      // Leaving the loop cancels the request.
      if (text.isOver) break
    }
    const hasStopped = text.isOver || finish.reason === 'stop' || finish.reason === 'tool-calls'
    usage = addUsage(usage, finish.usage ?? {})
    const named = stopSequenceOf(finish, plan)
    const missing = hasStopped ? text.missing(named) : undefined
    const stop = named === undefined && isOwnEnd(finish) ? undefined : missing
    if (stop !== undefined) text.add(stop)
    yield* text.events.splice(0)
    const isResumed = stop !== undefined && plan.canResume && text.isOpen
    little =
      isResumed && stop === last && text.written.length - before - stop.length < LITTLE ? little + 1 : 0
    last = stop
    const isStuck = little >= MOST_LITTLE
    if (isResumed && !isStuck && resumptions < context.maxResumptionRounds) continue
    const bound = !isResumed ? undefined : isStuck ? 'no-progress' : 'round-limit'
    // A call inside a thought stands only if the model stopped behind it by itself, and not if it was stopped.
    const isByItself = missing === undefined && stoppedByItself(finish, plan)
    text.end(!hasStopped ? finish.reason : isByItself ? 'stop' : 'other')
    context.onWritten(text.own())
    for (const event of text.events.splice(0)) {
      if (event.type !== 'finish') yield event
      else if (!hasStopped) yield finished(event, finish, usage, bound)
      else yield finished({ ...event, reason: text.hasCalls ? 'tool-calls' : 'stop' }, finish, usage, bound)
    }
    return
  }
}

/** How the provider ended its response. */
type Ending = Omit<Finish, 'type'>

/** Unless the provider names a stop sequence, none stopped the model. Most providers do not tell the two apart. */
const isOwnEnd = ({ rawReason }: Ending): boolean => rawReason === 'end_turn'

function stoppedByItself(finish: Ending, { stops, closers }: ResumptionPlan): boolean {
  return stops.length + closers.length === 0 || isOwnEnd(finish)
}

function finished(own: Finish, theirs: Ending, usage: Usage, bound: string | undefined): Finish {
  const rawReason = bound ?? own.rawReason ?? theirs.rawReason
  return {
    ...own,
    ...(bound !== undefined && { reason: 'other' }),
    ...(rawReason !== undefined && { rawReason }),
    ...(Object.keys(usage).length > 0 && { usage }),
    ...(theirs.metadata && { metadata: theirs.metadata }),
  }
}

/** Which of our stop sequences a provider found, where it says so. */
function stopSequenceOf({ metadata }: Ending, { stops, closers }: ResumptionPlan): string | undefined {
  const found = Object.values(metadata ?? {}).map(
    (about) => (Object(about) as { readonly stopSequence?: unknown }).stopSequence,
  )
  return [...closers, ...stops].find((one) => found.includes(one))
}

/** The text of all requests, read by one parser. */
class ResumedText {
  readonly events: SluiceEvent[] = []
  written = ''
  /** Nothing of what comes is part of the response any more. */
  isOver = false
  private readonly plan: ResumptionPlan
  private readonly longestCloser: number
  private readonly options: ParserOptions
  private parser: SinkParser
  /** The ids of text that is not read for calls. */
  private readonly apart = new Set<string | undefined>()
  private readonly prefill: string
  /** Calls came to their end. */
  hasCalls = false
  private openCalls = 0
  /** The marker that ended the response in visible text, and where more text than that begins. */
  private stoppedBy: string | undefined
  private behindStop: number | undefined
  private readonly ids: Ids
  /** What the provider attached to its text, until the start or the end of text that was read from it. */
  private metadata: Metadata | null = null
  /** All of it only names the text. */
  private isName = false
  /** Whether a text of this request came before, and whether something was attached to it. */
  private previous: 'none' | 'plain' | 'attached' = 'none'
  /** The last characters of `written`: looking at all of it for each delta would take time that grows with it. */
  private tail = ''

  constructor(plan: ResumptionPlan, ids: Ids, options: ParserOptions) {
    this.plan = plan
    this.ids = ids
    this.longestCloser = Math.max(1, ...plan.closers.map(({ length }) => length))
    this.options = { ...options, stop: plan.stops, generateId: (kind) => ids.next(kind) }
    this.prefill = typeof options.start === 'object' ? options.start.prefill : ''
    this.parser = createSinkParser((event) => this.take(event), this.options)
  }

  private take(event: SluiceEvent): void {
    if (event.type === 'tool-input-start') this.openCalls++
    // Its verdict may wait for the end.
    if (event.type === 'tool-input-end') {
      this.openCalls--
      this.hasCalls = true
    }
    if (event.type === 'finish') {
      this.stoppedBy = event.rawReason
      this.writeMetadata()
    }
    // The parser found a stop that the provider passed over.
    if (event.type === 'diagnostic' && event.code === 'text-after-stop') {
      this.isOver = true
      this.behindStop = event.span!.start - this.prefill.length
    } else if ((event.type === 'text-start' || event.type === 'text-end') && this.metadata !== null) {
      this.events.push({ ...event, metadata: this.metadata })
      this.metadata = null
    } else this.events.push(event)
  }

  /** A text that goes on in the next request is the same text. */
  beginRequest(): void {
    this.previous = 'none'
  }

  /** A text of the provider begins. What is attached to one text does not belong to another. */
  begin(metadata: Metadata | undefined): void {
    if (this.previous === 'attached' || (this.previous === 'plain' && metadata !== undefined)) {
      this.parser.interrupt('call')
      this.writeMetadata()
    }
    this.previous = 'plain'
    this.attach(metadata)
    this.isName = isName(metadata)
  }

  attach(metadata: Metadata | undefined): void {
    if (metadata === undefined) return
    this.previous = 'attached'
    this.metadata = mergeMetadata(this.metadata, metadata)
    this.isName = false
  }

  /** What was attached to text that holds nothing but calls and thoughts. The name of such a text names nothing. */
  private writeMetadata(): void {
    const { metadata } = this
    this.metadata = null
    if (metadata === null || this.isName) return
    const id = this.ids.next('text')
    this.events.push({ type: 'text-start', id, metadata }, { type: 'text-end', id })
  }

  push(delta: string): void {
    for (let rest = delta; rest !== '' && !this.isOver; ) {
      const end = this.closerEnd(rest)
      this.add(rest.slice(0, end))
      rest = rest.slice(end)
      if (this.hasCalls && this.openCalls === 0 && this.endsWithCloser() && !this.isOpen) this.isOver = true
    }
  }

  /** What the model has written, without what ended it and what came behind that. */
  own(): WrittenText {
    const { prefill, stoppedBy, behindStop } = this
    const { dialect } = this.plan
    const text = this.written.slice(0, behindStop)
    const end = stoppedBy === undefined ? -1 : text.lastIndexOf(stoppedBy)
    return { dialect, prefill, text: end === -1 ? text : text.slice(0, end) }
  }

  /** Whether an event belongs to a refusal: a provider's own words, which hold no calls. */
  isApart(event: SluiceEvent): boolean {
    if (event.type === 'text-start' && isRefusal(event.metadata)) this.apart.add(event.id)
    return this.apart.has((event as { readonly id?: string }).id)
  }

  /** Something that is not text of the model. */
  pass(event: SluiceEvent): void {
    // A server that sends reasoning by itself has taken it out of the text, which then does not begin in it.
    if (event.type === 'reasoning-start' && this.written === '' && this.options.start === 'reasoning')
      this.parser = createSinkParser((own) => this.take(own), { ...this.options, start: 'text' })
    if (event.type !== 'diagnostic' && event.type !== 'error') this.parser.interrupt()
    this.events.push(event)
  }

  end(reason: EndReason): void {
    this.parser.end(reason)
  }

  /**
   * What the provider stopped at and swallowed, if a stop sequence stopped it. Put back, it ends the response in visible
   * text, a closer closes, and anywhere else it is a part of what is open.
   */
  missing(stop: string | undefined): string | undefined {
    return stop ?? this.plan.closers.find((closer) => this.isClosedBy(closer))
  }

  /** A thought or a call is open. */
  get isOpen(): boolean {
    return isOpenIn(this.ending())
  }

  add(text: string): void {
    this.written += text
    this.tail = (this.tail + text).slice(-this.longestCloser)
    this.parser.push(text)
  }

  /** Where the first closer ends that is complete within this text; all of it, if there is none. */
  private closerEnd(text: string): number {
    let first = text.length
    for (const closer of this.plan.closers) {
      const tail = this.tail.slice(Math.max(0, this.tail.length - closer.length + 1))
      const at = (tail + text).indexOf(closer)
      if (at !== -1) first = Math.min(first, at + closer.length - tail.length)
    }
    return first
  }

  private endsWithCloser(): boolean {
    return this.plan.closers.some((closer) => this.tail.endsWith(closer))
  }

  private isClosedBy(closer: string): boolean {
    const without = this.ending()
    const isWanted = isOpenIn(without) || without.some(isMissingCloser)
    const closed = this.ending(closer)
    return isWanted && !isOpenIn(closed) && !closed.some(isMissingCloser)
  }

  /** How the response would end here, with some more text. The parser itself does not notice. */
  private ending(...more: readonly string[]): SluiceEvent[] {
    const events: SluiceEvent[] = []
    let count = 0
    const options = { ...this.options, generateId: () => `trial-${++count}` }
    const trial = restoreSinkParser(this.parser.snapshot(), (event) => events.push(event), options)
    for (const text of more) trial.push(text)
    trial.end('stop')
    return events
  }
}

/** What the reader of the provider's stream says about text that it does not read the calls of. */
const isHint = (event: SluiceEvent): boolean =>
  event.type === 'diagnostic' && event.code === 'looks-like-a-call'

/** The id of an item of the Responses API, which is sent with its first text. */
const isName = (metadata: Metadata | undefined): boolean =>
  metadata !== undefined &&
  Object.values(metadata).every((about) => isFields(about) && about.itemId !== undefined)

/** Providers mark a refusal with `{ refusal: true }` under their name. */
const isRefusal = (metadata: Metadata | undefined): boolean =>
  Object.values(metadata ?? {}).some((about) => isFields(about) && about.refusal === true)

const isMissingCloser = (event: SluiceEvent): boolean =>
  event.type === 'diagnostic' && event.code === 'missing-closer'

function isOpenIn(events: readonly SluiceEvent[]): boolean {
  return events.some(
    (event) =>
      event.type === 'reasoning-end' ||
      (event.type === 'tool-call' && event.status === 'truncated') ||
      (event.type === 'diagnostic' && event.code === 'not-a-call'),
  )
}
