/**
 * Finds out which dialect a response is written in, while it reads it.
 *
 * Until a marker comes that may begin something in one of the candidates, one machine reads everything as text, reasoning
 * or a result. From the marker on, each candidate that knows it reads the text, too, character by character, and what
 * they say is kept:
 *
 *     Let me look. <tool_call>⏎<function=ls>
 *                            │ │         └ qwen3-coder: a call. It is alone, and reads the rest.
 *                            │ └ hermes, glm, granite3, hy-v3: not a call
 *                            └ five candidates
 *
 * The reading that began first decides. If none of them comes to anything, the text is text.
 */

import type { Diagnostic, JsonValue, Sink, SluiceEvent, ToolCall } from '../../../base/event.ts'
import type { IdKind } from '../../../base/ids.ts'
import { checkedState, copyState, damaged } from '../../../base/plain-state.ts'
import { releaseVerdicts } from '../../calls/unopened-reasoning.ts'
import type { DetectingReader, DetectionContext } from '../detection.ts'
import type { Dialect } from '../dialect.ts'
import { fork } from '../machine/fork.ts'
import { type Pause, stateOf } from '../machine/state.ts'
import { write } from '../machine/text.ts'
import {
  createMachine,
  type EndReason,
  end,
  type Interruption,
  interrupt,
  type Machine,
  type MachineSettings,
  prefill,
  pushSlow,
  restoreMachine,
  saveMachine,
  startAnywhere,
  startInReasoning,
} from '../machine.ts'
import type { Program, ScanState, State } from '../program.ts'
import { passOnAgreed } from './agreement.ts'
import { findsSentence, initialSentence } from './call-sentences.ts'
import { type Openers, type Openings, openersFor, speechState } from './openers.ts'
import {
  diagnosticsOf,
  doubtReading,
  hasFailed,
  joinTo,
  keep,
  PLAIN,
  type Reading,
  standingOf,
} from './reading.ts'
import { type SavedDetector, type SavedReading, savedShape } from './saved-detector.ts'

export class Detector implements DetectingReader {
  private readonly candidates: readonly Dialect[]
  private readonly context: DetectionContext
  private readonly openers: Openers
  /** Reads everything as text, until a dialect is certain. */
  private plain: Reading | null
  /** The readings as a dialect: none, those that are undecided, or those that are certain and agree so far. */
  private readings: Reading[] = []
  /** What they agreed on in the chunk that is being read. */
  private outgoing: SluiceEvent[] = []
  /** The dialect was reported. */
  private isReported = false
  /** What is read as text is kept until it is decided whether it is. */
  private isHolding = false
  private sentence = initialSentence()
  /** Ids that were generated since a marker was found. Readings of the same text use the same ones. */
  private ids: Partial<Record<IdKind, string[]>> = {}

  constructor(candidates: readonly Dialect[], context: DetectionContext) {
    this.candidates = candidates
    this.context = context
    this.openers = openersFor(candidates, context)
    this.plain = this.reading(PLAIN, 0, '', (settings, sink) =>
      createMachine(this.openers.plain, settings, sink),
    )
    this.release(this.plain)
  }

  get machine(): Machine {
    return (this.plain ?? this.readings[0]!).machine
  }

  /** Nothing is undecided: one machine reads all that comes. */
  private get isAlone(): boolean {
    return this.readings.length === (this.plain === null ? 1 : 0)
  }

  startAnywhere(): void {
    startAnywhere(this.machine, [this.openers.plain, ...this.openers.programs])
  }

  startInReasoning(): boolean {
    return startInReasoning(this.machine)
  }

  push(chunk: string): void {
    let at = 0
    while (at < chunk.length)
      if (!this.isAlone) {
        this.step(chunk[at++]!)
      } else if (this.plain === null) {
        pushSlow(this.machine, chunk.slice(at))
        return
      } else at = this.search(this.plain, chunk, at)
    if (!this.isAlone) this.machine.fastPath = null
    this.flush()
  }

  /** Reads plain text up to a marker, and returns where it stopped. */
  private search(plain: Reading, chunk: string, from: number): number {
    const { machine } = plain
    const { s } = machine
    const pending = s.surrogate
    const before = s.total
    pushSlow(machine, chunk.slice(from))
    const { pause } = machine
    if (pause === null) return chunk.length
    // A byte order mark is counted, and is no part of what was read.
    const length = pause.end - before - pending.length
    s.surrogate = ''
    this.open(plain, pause)
    return from + length
  }

  /** Reads one character as everything that it can be. */
  private step(character: string): void {
    for (const { machine } of this.readings) pushSlow(machine, character)
    if (this.plain !== null) {
      pushSlow(this.plain.machine, character)
      const { pause } = this.plain.machine
      if (pause !== null) this.open(this.plain, pause)
    }
    this.resolve()
  }

  // ── readings ───────────────────────────────────────────────────────────────────────────────────

  /** A marker was found: every candidate that knows it reads on from there, unless it already reads something else. */
  private open(plain: Reading, { found, end }: Pause): void {
    const { machine } = plain
    const around = stateOf(machine) as ScanState
    const start = end - found.length
    machine.pause = null
    machine.s.total = end
    const { candidates, isDoubtful } = this.openingsAt(around, found)
    const isMarker = around.channel === 'reasoning' || this.openers.inText.has(found)
    // Inside what another marker may have opened: even if that fails, it is not certain that this is the beginning.
    const isInside = this.readings.some((reading) => reading.start < start)
    const opened = candidates
      .filter((candidate) => this.readings.every((reading) => reading.candidate !== candidate))
      .map((candidate) => this.openReading(machine, candidate, around, start, found))
    this.readings.push(...opened)
    // Where no tools are known, what nothing marks is text, and is looked at only to know where it ends.
    const couldBeCall = isMarker || this.context.settings.tools.size > 0
    if (this.readings.length > 0 && couldBeCall) this.hold(plain)
    for (const reading of opened) pushSlow(reading.machine, found)
    if (isMarker) write(machine, around, found, start)
    else {
      // Where content begins, a bracket may also be the beginning of a marker.
      machine.s.total = start
      pushSlow(machine, found)
    }
    if (isDoubtful) doubtReading(plain)
    if (isDoubtful || isInside) for (const reading of opened) doubtReading(reading)
    this.resolve()
  }

  private openingsAt(around: ScanState, found: string): Openings {
    const { inText, inContent, inReasoning, inPromptedReasoning } = this.openers
    const openings =
      around.channel === 'reasoning'
        ? (inReasoning.get(String(around.own?.forms)) ?? inPromptedReasoning).get(found)
        : (inText.get(found) ?? inContent.get(found.trimStart()))
    return openings ?? { candidates: [], isDoubtful: false }
  }

  private openReading(
    from: Machine,
    candidate: number,
    around: ScanState,
    start: number,
    marker: string,
  ): Reading {
    const program = this.openers.programs[candidate]!
    const state: State =
      around.channel === 'reasoning'
        ? (speechState(program, around.own!.forms) ?? program.reasoning!)
        : this.openers.inText.has(marker)
          ? program.text
          : program.content
    return this.reading(candidate, start, marker, (settings, sink) =>
      fork(from, program, state, start, settings, sink),
    )
  }

  private reading(
    candidate: number,
    start: number,
    marker: string,
    make: (settings: MachineSettings, sink: Sink) => Machine,
  ): Reading {
    const { settings } = this.context
    const generateId = settings.generateId && ((kind: IdKind) => this.newId(reading, kind))
    const machine = make({ ...settings, generateId }, (event) => this.keep(reading, event))
    const reading: Reading = {
      ...{ candidate, start, marker, machine, outerState: machine.s.state },
      // The text before it, if that is held because of an earlier marker.
      events: [...(this.plain?.events ?? [])],
      diagnostics: [],
      ...{ hasBegun: false, hasText: false, hasFailed: false, used: { ...this.plain?.used } },
    }
    return reading
  }

  /** The id that another reading has for the same thing, or a new one. */
  private newId(reading: Reading, kind: IdKind): string {
    const generate = this.context.settings.generateId!
    if (this.isAlone) return generate(kind)
    const ids = this.ids[kind] ?? []
    const count = reading.used[kind] ?? 0
    this.ids[kind] = ids
    reading.used[kind] = count + 1
    ids[count] ??= generate(kind)
    return ids[count]
  }

  /** What is read as text is kept. */
  private hold(plain: Reading): void {
    this.isHolding = true
    plain.machine.output.emit = (event) => this.keep(plain, event)
    plain.machine.fastPath = null
  }

  private keep(reading: Reading, event: SluiceEvent): void {
    if (reading === this.plain) this.lookForSentence(reading, event)
    keep(reading, event)
  }

  /** Behind a sentence that opens a thought in some candidates no call is certain. */
  private lookForSentence(plain: Reading, event: SluiceEvent): void {
    if (event.type === 'text-delta' && findsSentence(this.sentence, this.openers.sentences, event.delta))
      doubtReading(plain)
  }

  /** What it found, and all that it finds from now on, is passed on. */
  private release(reading: Reading): void {
    const events = [...reading.diagnostics, ...reading.events]
    reading.diagnostics = []
    reading.events = []
    reading.used = {}
    this.ids = {}
    this.passOn(reading)
    this.flush()
    for (const event of events) this.context.sink(event)
    const { s, program, host } = reading.machine
    // Of all candidates it was another that could find a closer of reasoning.
    if (reading !== this.plain && s.unopened !== null && program.strayReasoning.length === 0) {
      releaseVerdicts(s.unopened, host)
      s.unopened = null
    }
  }

  private passOn(reading: Reading): void {
    const { sink } = this.context
    const { machine } = reading
    const isPlain = reading === this.plain
    if (isPlain) this.isHolding = false
    machine.output.emit = isPlain ? (event) => this.emitPlain(reading, event) : sink
    machine.fastPath = null
  }

  private emitPlain(plain: Reading, event: SluiceEvent): void {
    this.lookForSentence(plain, event)
    if (this.isAlone) this.context.sink(event)
    else this.emit(event)
  }

  // ── decisions ──────────────────────────────────────────────────────────────────────────────────

  private resolve(): void {
    if (this.plain === null) this.agree()
    else this.decide(this.plain)
  }

  /** Drops readings that came to nothing, and decides for the one that began first, once it is certain. */
  private decide(plain: Reading): void {
    if (this.readings.length === 0) return
    const standings = this.readings.map(standingOf)
    const wrong = this.readings.filter((_, index) => standings[index] === 'wrong')
    const open = this.readings.filter((_, index) => standings[index] !== 'wrong')
    const undecided = this.readings.filter((_, index) => standings[index] === 'undecided')
    this.readings = open
    // Behind the end of a turn nothing runs in the dialects that end turns so.
    for (const { machine, hasBegun } of wrong)
      if (machine.s.place.isUncertain || hasBegun || machine.s.stoppedBy !== '') doubtReading(plain)
    const start = Math.min(...open.map((reading) => reading.start))
    if (open.length === 0) this.giveUp(plain, wrong[0])
    else if (undecided.every((reading) => reading.start > start))
      this.settle(open.filter((reading) => reading.start === start))
  }

  /** No candidate reads it as anything: it is text. `last`: the reading that took longest to find out. */
  private giveUp(plain: Reading, last: Reading | undefined): void {
    const { events } = plain
    // Both may have read the same marker.
    const reported = new Set(diagnosticsOf(plain).map(placeOf))
    plain.events = []
    for (const diagnostic of last === undefined ? [] : diagnosticsOf(last)) {
      const { code, message, span, opener } = diagnostic
      if (code !== 'text-after-stop' && !reported.has(placeOf(diagnostic)))
        plain.machine.output.report(code, message, span, undefined, opener)
    }
    plain.events.push(...events)
    this.release(plain)
  }

  /** These readings are certain; as long as they agree, each of them may be the right one. */
  private settle(certain: readonly Reading[]): void {
    this.plain = null
    // One that began with a bracket may stand before one that began with the whole marker.
    this.readings = [...certain].sort((one, other) => one.candidate - other.candidate)
    // A call without the marker around it is one in some dialects, and prose in others.
    for (const reading of certain) if (reading.machine.call?.s.isUnmarked) doubtReading(reading)
    this.agree()
  }

  /** Passes on what the readings agree on. Where they do not, one that fails is wrong; otherwise the first is a guess. */
  private agree(isOver = false): void {
    const all = this.readings
    const preferred = all[0]!
    const sound = all.filter((reading) => !hasFailed(reading))
    if (sound.length > 0) this.readings = sound
    // Where the name of a tool is all that marks a call, what fails may as well be a slip in the right dialect.
    if (hasFailed(preferred) && this.candidates[preferred.candidate]!.knownToolsOnly)
      for (const reading of sound) {
        doubtReading(reading)
        doubtCalls(reading, all)
      }
    const first = this.readings[0]!
    const agreed: SluiceEvent[] = []
    const rivals = this.readings
    const isGuess = rivals.length > 1 && passOnAgreed(rivals, agreed)
    if (isGuess) {
      this.readings = [first]
      doubtReading(first)
      doubtCalls(first, rivals)
    }
    // One call that all of them read alike is as much as can be known.
    if (isOver || this.readings.length === 1 || agreed.some(({ type }) => type === 'tool-call'))
      this.report(rivals, isGuess ? 'otherwise' : 'alike so far')
    for (const event of agreed) if (event.type !== 'finish') this.emit(event)
    if (isOver || this.readings.length === 1) this.release(first)
    // Behind the diagnostics that have waited.
    for (const event of agreed) if (event.type === 'finish') this.context.sink(event)
  }

  /** `how`: the way in which other candidates read the text. */
  private report(rivals: readonly Reading[], how: 'otherwise' | 'alike so far'): void {
    if (this.isReported) return
    this.isReported = true
    const { machine, marker, start, hasBegun } = rivals[0]!
    // The end of a turn is written alike in many dialects.
    if (machine.s.stoppedBy !== '' && !hasBegun) return
    const { diagnostics } = this.context.settings.limits
    if (++machine.output.state.diagnostics > diagnostics) return
    const dialects = rivals.map(({ candidate }) => this.candidates[candidate]!.name)
    const opener = marker.trimStart()
    const end = start + marker.length
    const message =
      dialects.length === 1
        ? `The response is in the dialect ${dialects[0]}: no other candidate reads what begins here.`
        : `The response is read as ${dialects[0]}; ${dialects.slice(1).join(', ')} would read it ${how}.`
    const where = marker === '' ? {} : { span: { start: end - opener.length, end }, opener }
    this.emit({ type: 'diagnostic', code: 'dialect-detected', message, ...where, dialects })
  }

  /** Passes an event on when the chunk ends: several readings take it in single characters. */
  private emit(event: SluiceEvent): void {
    joinTo(this.outgoing, event)
  }

  private flush(): void {
    const events = this.outgoing
    this.outgoing = []
    for (const event of events) this.context.sink(event)
  }

  // ── the end ────────────────────────────────────────────────────────────────────────────────────

  interrupt(by: Interruption): void {
    if (this.plain !== null) this.readings = this.readings.filter(({ machine }) => machine.s.stoppedBy === '')
    for (const { machine } of this.readings) interrupt(machine, by)
    if (this.plain !== null) interrupt(this.plain.machine, by)
    if (this.plain !== null && this.readings.length === 0) this.release(this.plain)
    else this.resolve()
    this.flush()
    // What is still undecided has nothing to wait for.
    if (this.plain !== null && this.readings.length > 0) this.decideAtEnd(this.plain)
  }

  end(reason: EndReason): void {
    if (this.plain !== null && this.readings.length > 0) this.decideAtEnd(this.plain)
    for (const { machine } of this.plain === null ? this.readings : [this.plain]) end(machine, reason)
    if (this.plain === null) this.agree(true)
  }

  /** No more text comes that could tell. */
  private decideAtEnd(plain: Reading): void {
    const standings = this.readings.map(standingOf)
    const meant = this.readings.filter(
      ({ machine }, index) => standings[index] === 'certain' || machine.s.stoppedBy !== '',
    )
    const start = Math.min(...meant.map((reading) => reading.start))
    const [rival] = this.readings.filter((reading) => !meant.includes(reading))
    if (meant.length > 0) this.settle(meant.filter((reading) => reading.start === start))
    else {
      this.readings = []
      if (rival !== undefined) {
        interrupt(rival.machine, 'other')
        if (rival.machine.s.place.isUncertain) doubtReading(plain)
      }
      this.giveUp(plain, rival)
    }
  }

  // ── prefill and snapshots ──────────────────────────────────────────────────────────────────────

  /** Reads a prefill as everything that it can be. */
  prefill(text: string): void {
    const plain = this.plain!
    prefill(plain.machine, text)
    if (plain.machine.pause === null) return
    // The prompt holds the prefill: where it is text, nothing is said of it.
    plain.machine.pause = null
    Object.assign(plain.machine.s, {
      state: this.openers.plain.text.index,
      total: text.length,
      held: '',
      node: 0,
    })
    plain.machine.output.state.hasText = true
    this.readings = this.candidates
      .map((_, candidate) =>
        this.reading(candidate, 0, '', (settings, sink) =>
          createMachine(this.openers.programs[candidate]!, settings, sink),
        ),
      )
      .filter(({ machine }) => {
        prefill(machine, text)
        return machine.s.source !== null
      })
    if (this.readings.length > 0) this.hold(plain)
    this.resolve()
  }

  save(): JsonValue {
    const saved = (reading: Reading): SavedReading => {
      const { machine, diagnostics, events, ...rest } = reading
      return { ...rest, events: [...diagnostics, ...events], machine: saveMachine(machine) }
    }
    return copyState<SavedDetector>({
      plain: this.plain && saved(this.plain),
      readings: this.readings.map(saved),
      isReported: this.isReported,
      isHolding: this.isHolding,
      sentence: this.sentence,
      ids: this.ids,
    })
  }

  restore(data: unknown): void {
    const { plain, readings, isReported, isHolding, sentence, ids } = checkedState<SavedDetector>(
      savedShape(this.candidates.length, this.openers),
      data,
    )
    this.sentence = sentence
    this.ids = ids
    this.isReported = isReported
    this.plain = plain && this.restored(plain)
    this.readings = readings.map((reading) => this.restored(reading))
    if (plain === null && readings.length === 0) throw damaged('nothing reads the text')
    if (this.isAlone) this.release(this.plain ?? this.readings[0]!)
    else if (this.plain !== null && !isHolding) this.passOn(this.plain)
    else this.machine.fastPath = null
    this.isHolding = isHolding
  }

  private restored({ machine, candidate, start, marker, outerState, ...rest }: SavedReading): Reading {
    const program: Program = candidate === PLAIN ? this.openers.plain : this.openers.programs[candidate]!
    const reading = this.reading(candidate, start, marker, (settings, sink) =>
      createMachine(program, settings, sink),
    )
    restoreMachine(reading.machine, machine)
    return Object.assign(reading, rest, { outerState })
  }
}

/** What a diagnostic says, and of which text. */
function placeOf({ code, span }: Diagnostic): string {
  return `${code} ${span?.start} ${span?.end}`
}

/** The calls of a reading that were not passed on are guesses. A verdict that waited is not, if all have read the call alike. */
function doubtCalls(reading: Reading, rivals: readonly Reading[]): void {
  const { unopened } = reading.machine.s
  const notPassedOn = new Set(
    reading.events.flatMap((event) => (event.type === 'tool-input-end' ? event.id : [])),
  )
  const verdicts = rivals.map((rival) => new Set(verdictsOf(rival).map((call) => JSON.stringify(call))))
  const isAlike = (call: ToolCall): boolean =>
    !notPassedOn.has(call.id) && verdicts.every((calls) => calls.has(JSON.stringify(call)))
  const doubted = <Kind extends SluiceEvent>(event: Kind): Kind =>
    event.type === 'tool-call' && isAlike(event) ? event : asGuess(event)
  if (unopened !== null) unopened.calls = unopened.calls.map(doubted)
  reading.events = reading.events.map(doubted)
}

function verdictsOf({ events, machine }: Reading): ToolCall[] {
  return [
    ...events.filter((event): event is ToolCall => event.type === 'tool-call'),
    ...(machine.s.unopened?.calls ?? []),
  ]
}

/** A call that another candidate reads otherwise. */
function asGuess<Kind extends SluiceEvent>(event: Kind): Kind {
  if (event.type !== 'tool-call' || event.status === 'invalid' || event.status === 'truncated') return event
  const repair = { code: 'place-uncertain', class: 'guess', offset: event.span?.start ?? 0 } as const
  return { ...event, status: 'repaired', repairs: [...event.repairs, repair] }
}
