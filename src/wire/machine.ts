/**
 * The machine: reads text in pieces, runs a program over it, and says what it finds.
 *
 * What it holds back is always one of three things: `held`, the characters of a literal that is not
 * complete yet; `space`, whitespace that is markup only if the right thing follows; and `source`, a
 * construct whose name is not known yet. All three come back as text when nothing becomes of them, and
 * they do so at an exact character, so that the cuts in the input leave no trace.
 *
 *     Let me look. <tool_ca|        `<tool_ca` is held: it may become markup, or may not
 */

import { Call, type CallHost, type CallSettings, type CallState, type CallStyle } from '../calls/call.ts'
import type { DiagnosticCode, Event, FinishReason, Sink } from '../event.ts'
import { Rope } from '../rope.ts'
import { NO_RUN, Run } from '../run.ts'
import { type Flow, NO_FLOW, type Scanning, ValueFlow } from './flow.ts'
import type {
  Construct,
  Edge,
  ExpectState,
  Fallback,
  Op,
  Program,
  ReadState,
  ScanState,
  State,
  WordState,
} from './program.ts'
import type { Reader } from './reader.ts'
import { Voice, type VoiceSettings, type VoiceState } from './voice.ts'

export type MachineSettings = CallSettings & VoiceSettings

export type EndReason = 'finished' | 'interrupted' | 'failed'

export class Machine implements CallHost, Scanning {
  readonly settings: MachineSettings
  private readonly program: Program
  private readonly voice: Voice

  private state: State
  /** Node of the current state's literals. */
  node = 0
  held = ''
  private space = ''
  private word = ''
  private reader: Reader | null = null

  /** What was opened last, where its opener was found, and how many other readings of it were tried. */
  private construct: Construct | null = null
  /** The section between whose calls something else was opened: it goes on if that comes to nothing. */
  private section: Construct | null = null
  private home: ScanState
  private opener = ''
  /** Whitespace before the literal that is being taken. */
  private lead = ''
  /** How much of the source is whitespace before it: given back with it, but no part of a call. */
  private leadLength = 0
  private openedBy: Edge | null = null
  private tried = 0
  /** While the text of a construct that failed is read as another one: what was undecided when it failed first. */
  private retried: string | null = null
  private call: Call | null = null
  /** All that was read of an open construct, complete up to `sourceFrom` in the current piece. */
  private source: Rope | null = null
  private sourceFrom = 0
  /** The end of the source that was not said yet. */
  private unsaid: Rope | null = null

  private calls = 0
  private stoppedBy = ''
  private toldOfMore = false
  /** The first half of a surrogate pair whose second half has not come. */
  private surrogate = ''
  /** How much of a prefill is undecided: if it becomes text, whoever wrote the prefill has it already. */
  private prefilled = 0
  private flow: Flow = NO_FLOW
  private run = NO_RUN
  /** What was held back when the run began. */
  private heldBefore = ''
  /** Offset in the text channel of the piece being read, and of the next one. */
  private base = 0
  private total = 0

  constructor(program: Program, settings: MachineSettings, sink: Sink) {
    this.program = program
    this.settings = settings
    this.voice = new Voice(settings, sink)
    this.home = program.text
    this.state = program.content
  }

  /** Begin inside reasoning: its opener was in the prompt. */
  startInReasoning(): void {
    if (this.program.reasoning === undefined) return
    this.state = this.program.reasoning
    this.voice.openReasoning()
    this.settleFlow()
  }

  /** Reads a prefill: nothing is said of it, except what it left open. */
  prefill(text: string): void {
    const unheard: Event[] = []
    const sink = this.voice.mute(unheard)
    this.push(text)
    this.leaveRun()
    this.voice.unmute(sink, unheard, this.call?.started ? this.call.id : undefined)
    this.calls = 0
    this.stoppedBy = ''
    this.prefilled = this.isInCall
      ? 0
      : this.sourcing
        ? this.source!.length
        : this.held.length + this.space.length
    this.settleFlow()
  }

  push(chunk: string): void {
    if (typeof chunk !== 'string' || !this.run.takes(chunk)) this.pushOn(chunk)
  }

  /** A chunk that the run cannot say by itself. */
  protected pushOn(chunk: string): void {
    const { flow } = this
    if (flow !== NO_FLOW) {
      this.takeBack()
      if (chunk.length > this.run.room) this.renewRun(chunk.length)
      if (chunk.length <= this.run.room && flow.take(chunk)) {
        this.run.add(chunk)
        if (this.unsaid === null) this.run.open(flow.held.length === 0)
        else this.tookSource(chunk)
        return
      }
    }
    this.leaveRun()
    this.pushAny(chunk)
    this.settleFlow()
  }

  private pushAny(chunk: string): void {
    let text = chunk
    if (this.surrogate !== '') {
      text = this.surrogate + chunk
      this.surrogate = ''
    }
    if ((text.charCodeAt(text.length - 1) & 0xfc00) === 0xd800) {
      this.surrogate = text.slice(-1)
      text = text.slice(0, -1)
    }
    if (text !== '') this.readPiece(text)
  }

  private readPiece(text: string): void {
    if (this.stoppedBy !== '') {
      this.tellOfMore(this.total)
      return
    }
    this.base = this.total
    this.total += text.length
    this.sourceFrom = 0
    this.consume(text)
    if (this.sourcing && this.settings.source) this.saySource(this.held.length + this.space.length)
  }

  /** All that is read belongs to a construct. */
  private get sourcing(): boolean {
    return this.source !== null
  }

  // ── the short way ──────────────────────────────────────────────────────────────────────────────

  /** The short way from here on, until something happens. */
  private nextFlow(): Flow {
    const { state, call } = this
    if (this.surrogate !== '' || this.stoppedBy !== '' || this.prefilled > 0) return NO_FLOW
    if (state.kind === 'read') return this.reader?.flow ?? NO_FLOW
    if (state.kind !== 'scan') return NO_FLOW
    if (state.channel === 'value')
      return call === null ? NO_FLOW : new ValueFlow(this, state.literals, call.textArguments, state.verbatim)
    return this.voice.flow(state.channel, this, state.literals)
  }

  private tookSource(chunk: string): void {
    this.unsaid!.add(chunk)
    this.saySource(this.held.length)
  }

  /** Finds the short way from here on. */
  private settleFlow(): void {
    if (this.run === NO_RUN) this.run = new Run()
    this.flow = this.nextFlow()
    this.enterRun(0)
  }

  /** Begins a run, which ends where a limit is near. `atLeast`: the chunk it is for. */
  private enterRun(atLeast: number): void {
    const { flow, run, source } = this
    if (flow === NO_FLOW) return
    if (!flow.begin(run)) {
      this.flow = NO_FLOW
      return
    }
    this.heldBefore = flow.held
    const keeps = flow.keeps || source?.isKept === true
    let room = source === null ? MOST_ROOM : Math.min(MOST_ROOM, this.limit() - source.length)
    if (keeps) room = Math.min(room, Math.max(atLeast, keepable(source)))
    run.begin(room, keeps)
    run.open(this.heldBefore === '' && this.unsaid === null)
  }

  /** What was in the run is read, and known to everyone. */
  private leaveRun(): void {
    const { flow, run, source, heldBefore } = this
    this.takeBack()
    const count = run.end()
    if (count === 0) return
    const text = run.text()
    const said = heldBefore.length + count - flow.held.length
    flow.passed(count, said, (heldBefore + text).slice(0, said))
    this.total += count
    if (source === null) return
    if (source.isKept) source.add(text)
    else source.length += count
  }

  private takeBack(): void {
    const waiting = this.run.release()
    if (waiting !== '') this.flow.hold(waiting)
  }

  private renewRun(atLeast: number): void {
    this.leaveRun()
    this.enterRun(atLeast)
  }

  // ── the loop ───────────────────────────────────────────────────────────────────────────────────

  private consume(text: string): void {
    let at = 0
    while (at < text.length && this.stoppedBy === '') {
      const to = this.sourcing ? this.limited(text.length) : text.length
      at = at >= to ? this.hitLimit(text, at) : this.step(this.state, text, at, to)
    }
    if (at < text.length) this.tellOfMore(this.base + at)
    this.absorb(text, text.length)
  }

  private tellOfMore(offset: number): void {
    if (!this.toldOfMore)
      this.report('text-after-stop', `There is more after ${JSON.stringify(this.stoppedBy)}.`, offset)
    this.toldOfMore = true
  }

  private step(state: State, text: string, from: number, to: number): number {
    switch (state.kind) {
      case 'scan':
        return this.scan(state, text, from, to)
      case 'expect':
        return this.expect(state, text, from, to)
      case 'word':
        return this.readWord(state, text, from, to)
      case 'read':
        return this.read(state, text, from, to)
    }
  }

  /** Reads a piece again that was read before, in the state the machine is in now. `at`: where it ended. */
  private again(piece: string, text: string, at: number): void {
    if (piece === '') return
    this.absorb(text, at)
    if (this.sourcing) this.cutSource(piece.length)
    const { base } = this
    this.base = base + at - piece.length
    this.sourceFrom = 0
    this.consume(piece)
    this.base = base
    this.sourceFrom = at
  }

  private scan(state: ScanState, text: string, from: number, to: number): number {
    const { literals } = state
    const { table, width, ascii, found } = literals
    let { node } = this
    for (let at = from; at < to; ) {
      if (node === 0) {
        at = literals.skip(text, at, to)
        if (at >= to) break
      }
      const code = text.charCodeAt(at++)
      node = table[node * width + (code < 128 ? ascii[code]! : literals.classOf(code))]!
      const index = found[node]!
      if (index === -1) continue
      const edge = state.edges[index]!
      const start = at - edge.literal.length
      const matched =
        start >= from ? text.slice(start, at) : (this.held + text.slice(from, at)).slice(-edge.literal.length)
      this.sayUpTo(state, text, from, start)
      this.node = 0
      this.held = ''
      return this.take(edge, matched, text, at)
    }
    const depth = literals.depth[node]!
    const kept =
      depth === 0
        ? ''
        : to - depth >= from
          ? text.slice(to - depth, to)
          : (this.held + text.slice(from, to)).slice(-depth)
    this.sayUpTo(state, text, from, to - depth)
    this.held = kept
    this.node = node
    return to
  }

  /** Sends what was held and `text[from, upTo)` to the state's channel. Before `from` stands what was held. */
  private sayUpTo(state: ScanState, text: string, from: number, upTo: number): void {
    const { held } = this
    if (upTo > from) this.say(state, held === '' ? text.slice(from, upTo) : held + text.slice(from, upTo))
    else if (held.length > from - upTo) this.say(state, held.slice(0, held.length - (from - upTo)))
  }

  private expect(state: ExpectState, text: string, from: number, to: number): number {
    const { literals } = state
    let { node } = this
    let start = from
    for (let at = from; at < to; at++) {
      const code = text.charCodeAt(at)
      const next = literals.step(node, code)
      if (next > 0) {
        node = next
        const index = literals.found[node]!
        if (index === -1) continue
        const matched = this.held + text.slice(start, at + 1)
        const { space } = this
        this.node = 0
        this.held = ''
        this.space = ''
        return this.take(state.edges[index]!, matched, text, at + 1, space)
      }
      if (node === 0 && state.space && isSpace(code) && this.space.length < this.settings.limits.undecided) {
        this.space += text[at]!
        start = at + 1
        continue
      }
      this.held += text.slice(start, at)
      this.node = 0
      const first = this.held === '' ? text[at]! : this.held[0]!
      const way = state.fallbacks.find((fallback) => fallback.first === '' || fallback.first.includes(first))
      return way === undefined ? this.fail(text, at) : this.fallBack(way, text, at)
    }
    this.held += text.slice(start, to)
    this.node = node
    return to
  }

  /** No literal fits: what was held is read again in the state that takes over. */
  private fallBack(way: Fallback, text: string, at: number): number {
    const { space, held } = this
    this.space = ''
    this.held = ''
    const undecided = space.length + held.length
    if (way.opens !== undefined)
      this.open(way.opens, null, space + held, this.program.text, at - undecided, at)
    if (!this.perform(way.ops, '', text, at, undecided)) return this.fail(text, at)
    this.enter(way.next)
    // Whitespace is markup before a word or a reader; otherwise it belongs to what follows.
    this.again(way.next.kind === 'word' || way.next.kind === 'read' ? held : space + held, text, at)
    return at
  }

  private readWord(state: WordState, text: string, from: number, to: number): number {
    const { name } = this.settings.limits
    const most = Math.min(to, from + name + 1 - this.word.length)
    let at = from
    while (at < most && !state.stops.includes(text[at]!)) at++
    this.word += text.slice(from, at)
    if (at === to && this.word.length <= name) return to
    const { word } = this
    this.word = ''
    if (word.length > name)
      this.currentCall().limitReached(`A ${state.role} may have ${name} characters.`, this.base + at)
    if (word === '' || word.length > name || !this.currentCall().word(state.role, word, state.split))
      return this.fail(text, at)
    this.enter(state.next)
    return at
  }

  private read(state: ReadState, text: string, from: number, to: number): number {
    this.reader ??= state.type.create(this.readerSettings())
    const { reader } = this
    const at = reader.read(text, from, to, this.currentCall())
    if (state.type.visible && at > from) this.voice.text(text.slice(from, at))
    if (reader.status !== 'open') return this.finishReader(state, reader, text, at)
    return at
  }

  private finishReader(state: ReadState, reader: Reader, text: string, at: number): number {
    this.reader = null
    if (reader.status === 'failed') return this.fail(text, at)
    const way = reader.selfClosing && state.selfClosed !== undefined ? state.selfClosed : state.after
    if (!this.perform(way.ops, '', text, at, 0)) return this.fail(text, at)
    this.enter(way.next)
    return at
  }

  private readerSettings() {
    return { weak: this.construct?.weak ?? false, limits: this.settings.limits }
  }

  /** Readers and words always have a call to write to; for a result it only carries the id. */
  private currentCall(): Call {
    this.call ??= new Call(this, this.styleOf(this.construct), this.base)
    return this.call
  }

  // ── from state to state ────────────────────────────────────────────────────────────────────────

  /** `space`: what stood before the literal; it comes back with it if the construct fails. */
  private take(edge: Edge, matched: string, text: string, at: number, space = ''): number {
    const from = this.state
    const behind = space.length + matched.length
    this.perform(edge.leaving, matched, text, at, behind)
    this.lead = space
    if (edge.opens !== undefined) this.open(edge.opens, edge, space + matched, from, at - matched.length, at)
    if (
      !this.perform(edge.before, matched, text, at, behind) ||
      !this.perform(edge.after, matched, text, at, 0)
    )
      return this.fail(text, at)
    this.enter(edge.next)
    if (edge.back > 0) this.again(matched.slice(-edge.back), text, at)
    return at
  }

  private enter(state: State): void {
    this.state = state === this.program.content && this.voice.said ? this.program.text : state
  }

  /** `matched` opens a construct that stands at `start` and is read from `at` on. */
  private open(
    construct: Construct,
    edge: Edge | null,
    matched: string,
    from: State,
    start: number,
    at: number,
  ): void {
    if (construct.kind === 'reasoning') return
    this.section = this.construct
    this.construct = construct
    // Inside the source of a call that failed nothing is said, so what comes back goes to the text.
    this.home = from.kind === 'scan' && from.channel !== 'nowhere' ? from : this.program.text
    this.opener = matched
    this.openedBy = edge
    this.tried = 0
    this.begin(construct, matched, start, at)
  }

  private begin(construct: Construct, matched: string, start: number, at: number): void {
    this.source = new Rope(matched)
    this.sourceFrom = at
    this.leadLength = this.lead.length
    this.unsaid = this.settings.source ? new Rope(matched.slice(this.leadLength)) : null
    this.call = new Call(this, this.styleOf(construct), this.base + start)
  }

  private styleOf(construct: Construct | null): CallStyle {
    if (construct === null) return PLAIN
    // What could just as well be ordinary text is a call only if its tool is there.
    return construct.weak && this.settings.tools.size > 0
      ? { untyped: construct.dialect.untyped, knownToolsOnly: true }
      : construct.dialect
  }

  /** Does what lies on the way. `behind`: characters before `at` that belong to what comes next. */
  private perform(ops: readonly Op[], matched: string, text: string, at: number, behind: number): boolean {
    for (const op of ops) {
      switch (op.op) {
        case 'begin-call':
          if (this.call === null && this.construct !== null) {
            this.section = this.construct
            this.opener = this.lead + matched
            this.openedBy = null
            this.home = op.home ?? this.program.text
            this.begin(this.construct, this.opener, at - matched.length, at)
          }
          break
        case 'named':
          this.call?.word('name', op.name)
          break
        case 'certain':
          if (this.construct?.kind === 'call' && this.call?.start() === false) return false
          break
        case 'open-value':
          this.call?.textArguments.openValue(op.options)
          break
        case 'close-value':
          this.call?.textArguments.closeValue()
          break
        case 'end-call':
          if (this.call !== null && !this.call.started) return false
          this.endCall(text, at, behind)
          break
        case 'open-reasoning':
          this.prefilled = 0
          this.voice.openReasoning()
          break
        case 'close-reasoning':
          this.prefilled = 0
          this.voice.closeReasoning()
          break
        case 'open-result':
          this.openResult()
          break
        case 'close-result':
          this.voice.closeResult()
          break
        case 'report': {
          const offset = this.base + at - behind
          if (op.code === 'call-without-wrapper') this.call?.mustBeKnown()
          else if (op.code !== 'repeated-opener')
            this.call?.repaired(op.code, op.inValue ? 'guess' : 'lossless', offset)
          if (this.call === null) this.report(op.code, RECOVERED[op.code] ?? op.code, offset)
          else this.call.note(op.code, RECOVERED[op.code] ?? op.code, offset)
          break
        }
        case 'drop':
          this.prefilled = 0
          this.call = null
          this.dropSource()
          break
        case 'stop':
          this.stoppedBy = matched
          break
      }
    }
    return true
  }

  /** Takes everything up to `at` into the open construct's source. */
  private absorb(text: string, at: number): void {
    if (!this.sourcing) return
    if (at > this.sourceFrom) {
      const piece = this.sourceFrom === 0 && at === text.length ? text : text.slice(this.sourceFrom, at)
      this.source!.add(piece)
      this.unsaid?.add(piece)
    }
    this.sourceFrom = at
  }

  private cutSource(count: number): void {
    this.source!.cut(count)
    this.unsaid?.cut(count)
  }

  /** Nothing is the source of anything any longer. */
  private dropSource(): string {
    const source = this.source?.toString() ?? ''
    this.source = null
    this.unsaid = null
    return source
  }

  private endCall(text: string, at: number, behind: number): void {
    const { call } = this
    if (call === null) return
    this.absorb(text, at)
    if (behind > 0) this.cutSource(behind)
    if (this.settings.source) this.saySource(0)
    this.call = null
    this.calls++
    call.end(this.dropSource().slice(this.leadLength))
  }

  private saySource(undecided: number): void {
    if (!this.call?.started) return
    const unsaid = this.unsaid?.toString() ?? ''
    const delta = unsaid.slice(0, unsaid.length - undecided)
    if (delta === '') return
    this.unsaid = new Rope(unsaid.slice(delta.length))
    this.emit({ type: 'tool-source-delta', id: this.call.id, delta })
  }

  // ── when it goes wrong ─────────────────────────────────────────────────────────────────────────

  /** The character at `at` cannot be. What was held before it is read again as whatever comes next. */
  private fail(text: string, at: number): number {
    const { held, space, construct, call } = this
    const completion = this.reader?.completion?.() ?? ''
    this.forget()
    if (!this.sourcing || construct === null) {
      // No call is open: a section ended without its closer, or a tag after a result is no tag.
      this.call = null
      this.report('missing-closer', RECOVERED['missing-closer']!, this.base + at - held.length)
      this.enter(this.program.text)
      this.again(space + held, text, at)
    } else if (call?.started) {
      this.absorb(text, at)
      // The last few characters say best where something broke.
      const after = this.source?.isKept ? ` after ${JSON.stringify(this.source.end(16))}` : ''
      call.fail('malformed', `The call breaks off${after}.`, this.base + at)
      call.completion = completion
      this.enter(construct.resync ?? this.program.text)
      this.again(held, text, at)
    } else return this.giveBack(held, text, at)
    return at
  }

  /** A construct that never became certain: its source is text again, in the place where it was found. */
  private giveBack(held: string, text: string, at: number): number {
    this.absorb(text, at)
    const { opener, construct, home, leadLength } = this
    const next = this.openedBy?.alternatives[this.tried]
    const source = this.dropSource()
    this.call = null
    if (next?.opens !== undefined) {
      // Another construct begins with the same text, and reads it from the opener on.
      this.tried++
      this.construct = next.opens
      this.begin(next.opens, source, at - source.length, at)
      this.leadLength = leadLength
      this.perform(next.before, opener, text, at, source.length)
      this.perform(next.after, opener, text, at, source.length - opener.length)
      this.enter(next.next)
      this.retried ??= held
      this.again(source.slice(opener.length - next.back), text, at)
      this.retried = null
      return at
    }
    this.enter(home)
    if (home !== this.program.text) this.construct = this.section
    if (construct?.atStart) {
      this.enter(this.program.text)
      this.again(source, text, at)
      return at
    }
    const { retried } = this
    if (retried !== null) {
      // What was read twice is not read a third time, but for what nobody had decided on: so it stays linear.
      this.retried = null
      const all = source + text.slice(at)
      const decided = all.length - retried.length
      if (decided > 0) this.say(home, all.slice(0, decided))
      this.again(retried, text, text.length)
      return text.length
    }
    const decided = source.length - held.length
    if (decided > 0) this.say(home, source.slice(0, decided))
    this.again(held, text, at)
    return at
  }

  /** Where reading must stop because a limit is reached there: the same character for any chunking. */
  private limited(to: number): number {
    return Math.min(to, this.sourceFrom + Math.max(0, this.limit() - (this.source?.length ?? 0)))
  }

  private limit(): number {
    const { limits } = this.settings
    return this.call?.started ? limits.call : Math.min(limits.undecided, limits.call)
  }

  private hitLimit(text: string, at: number): number {
    const { call } = this
    const { limits } = this.settings
    this.forget()
    if (call?.started) {
      call.fail('limit-reached', `The call is longer than ${limits.call} characters.`, this.base + at)
      this.endCall(text, at, 0)
      this.enter(this.program.text)
    } else {
      this.report(
        'limit-reached',
        `Nothing after ${JSON.stringify(this.opener)} said which tool is called, in ${limits.undecided} characters.`,
        this.base + at,
      )
      this.openedBy = null
      return this.giveBack('', text, at)
    }
    return at
  }

  /** Nothing is in the middle of being read any longer. */
  private forget(): void {
    this.held = ''
    this.space = ''
    this.word = ''
    this.node = 0
    this.reader = null
  }

  // ── the end ────────────────────────────────────────────────────────────────────────────────────

  /** Something that is not text comes in between: what was held back is said. A call in the text stays open. */
  interrupt(): void {
    this.leaveRun()
    this.settle()
    if (!this.isInCall) while (this.stoppedBy === '' && this.leaveState());
    this.voice.closeAll()
    this.settleFlow()
  }

  end(reason: EndReason): void {
    this.leaveRun()
    this.settle()
    while (this.stoppedBy === '' && this.leaveState());
    if (this.sourcing && this.call?.started) {
      if (this.settings.source) this.saySource(0)
      const completion = this.reader?.completion?.() ?? ''
      this.calls++
      this.call.end(this.dropSource().slice(this.leadLength), { offset: this.total, completion })
    }
    this.call = null
    if (this.voice.isReasoning)
      this.report('reasoning-not-closed', 'The response ends inside reasoning.', this.total)
    this.voice.closeAll()
    this.emit({
      type: 'finish',
      reason: this.finishReason(reason),
      ...(this.stoppedBy !== '' && { rawReason: this.stoppedBy }),
    })
  }

  /** No more text comes for what was cut in two. */
  private settle(): void {
    const half = this.surrogate
    this.surrogate = ''
    if (half !== '') this.readPiece(half)
    this.base = this.total
    this.sourceFrom = 0
  }

  private get isInCall(): boolean {
    return this.sourcing && this.call?.started === true
  }

  private finishReason(reason: EndReason): FinishReason {
    if (reason !== 'finished') return reason === 'failed' ? 'error' : 'aborted'
    return this.calls > 0 ? 'tool-calls' : 'stop'
  }

  /** Goes on from the current state as far as the end of the text allows; false when there is no further. */
  private leaveState(): boolean {
    const { state } = this
    if (state.kind === 'scan') {
      const { held } = this
      this.held = ''
      this.node = 0
      if (held !== '') this.say(state, held)
      return false
    }
    const isOpen = this.isInCall
    if (state.kind === 'expect' && !isOpen) {
      const way =
        state.fallbacks.find((fallback) => fallback.atEnd) ??
        // Reasoning that ends within an optional marker: what there is of the marker was thought.
        (this.voice.isReasoning ? state.fallbacks.find((fallback) => fallback.first === '') : undefined)
      if (way !== undefined && !this.sourcing) {
        this.fallBack(way, '', 0)
        return true
      }
    }
    if (state.kind === 'read' && this.reader !== null) {
      this.reader.end(this.currentCall())
      if (this.reader.status === 'done') {
        this.finishReader(state, this.reader, '', 0)
        return true
      }
    }
    if (isOpen) return false
    this.fail('', 0)
    return true
  }

  // ── saying ─────────────────────────────────────────────────────────────────────────────────────

  private say(state: ScanState, said: string): void {
    let text = said
    if (this.prefilled > 0) {
      text = said.slice(this.prefilled)
      this.prefilled = Math.max(0, this.prefilled - said.length)
      if (text === '') return
    }
    switch (state.channel) {
      case 'text':
        this.voice.text(text)
        break
      case 'reasoning':
        this.voice.reasoning(text)
        break
      case 'result':
        this.voice.result(text)
        break
      case 'value':
        this.call?.textArguments.valueText(text, state.verbatim)
        break
      case 'nowhere':
    }
  }

  private openResult(): void {
    this.prefilled = 0
    const { call } = this
    this.call = null
    this.dropSource()
    this.voice.openResult(call?.wireId ?? '', call?.name ?? '', call?.isError ?? false)
  }

  // ── what a call may ask of the machine ─────────────────────────────────────────────────────────

  /** A call is certain: whatever was being said is over, and no other reading will be tried. */
  beforeCall(): void {
    this.voice.closeAll()
    this.prefilled = 0
    if (!this.settings.input && !this.settings.raw) this.source?.forget()
    this.retried = null
    this.openedBy = null
    this.home = this.home.channel === 'reasoning' ? this.program.text : this.home
  }

  get textArguments(): Program['textArguments'] {
    return this.program.textArguments
  }

  get emit(): Sink {
    return this.voice.emit
  }

  newId(kind: 'call'): string {
    return this.voice.newId(kind)
  }

  claimId(id: string): boolean {
    return this.voice.claimId('call', id)
  }

  report(code: DiagnosticCode, message: string, offset: number, id?: string): void {
    this.voice.report(code, message, offset, id)
  }

  sayText(text: string): void {
    this.voice.text(text)
  }

  offsetOf(index: number): number {
    return this.base + index
  }

  // ── snapshots ──────────────────────────────────────────────────────────────────────────────────

  save(): MachineState {
    this.renewRun(0)
    const { program, node, held, space, word, opener, leadLength, tried } = this
    const { calls, stoppedBy, toldOfMore, prefilled, surrogate, total } = this
    return {
      state: this.state.index,
      home: this.home.index,
      construct: program.constructs.indexOf(this.construct!),
      section: program.constructs.indexOf(this.section!),
      openedBy: program.edges.indexOf(this.openedBy!),
      reader: this.reader?.save() ?? null,
      call: this.call?.save() ?? null,
      voice: this.voice.save(),
      source: this.source?.toString() ?? null,
      unsaid: this.unsaid?.toString() ?? null,
      ...{ node, held, space, word, opener, leadLength, tried },
      ...{ calls, stoppedBy, toldOfMore, prefilled, surrogate, total },
    }
  }

  restore(saved: MachineState): void {
    const { state, home, construct, section, openedBy, reader, call, voice, source, unsaid, ...plain } = saved
    Object.assign(this, plain)
    this.voice.restore(voice)
    this.source = source === null ? null : new Rope(source)
    this.unsaid = unsaid === null ? null : new Rope(unsaid)
    const { states, constructs, edges } = this.program
    this.state = states[state]!
    this.home = states[home] as ScanState
    this.construct = constructs[construct] ?? null
    this.section = constructs[section] ?? null
    this.openedBy = edges[openedBy] ?? null
    this.call = call === null ? null : Call.restore(call, this, this.styleOf(this.construct))
    this.reader =
      reader === null ? null : (this.state as ReadState).type.restore(reader, this.readerSettings())
    this.settleFlow()
  }
}

/** A machine in the middle of a response, as plain data. */
export interface MachineState {
  // Places in the lists of the program; -1: none.
  readonly state: number
  readonly home: number
  readonly construct: number
  readonly section: number
  readonly openedBy: number
  readonly reader: unknown
  readonly call: CallState | null
  readonly node: number
  readonly held: string
  readonly space: string
  readonly word: string
  readonly opener: string
  readonly leadLength: number
  readonly tried: number
  readonly source: string | null
  readonly unsaid: string | null
  readonly voice: VoiceState
  readonly calls: number
  readonly stoppedBy: string
  readonly toldOfMore: boolean
  readonly prefilled: number
  readonly surrogate: string
  readonly total: number
}

/** A number that is small to the platform, and larger than any chunk. */
const MOST_ROOM = 2 ** 30

/** How long a run may be whose text is kept: pieces that are not joined yet take several times their size. */
function keepable(source: Rope | null): number {
  return Math.max(64, Math.min(512, (source?.length ?? 0) >> 4))
}

const PLAIN: CallStyle = { untyped: 'string', knownToolsOnly: false }

/** What a recovery is called in a diagnostic. */
const RECOVERED: Partial<Record<DiagnosticCode, string>> = {
  'call-without-wrapper': 'The marker around calls is missing.',
  'missing-closer': 'A closing marker is missing.',
  'new-call-before-end': 'A new call begins before this one was closed.',
  'repeated-opener': 'An opening marker is there twice.',
  'stray-closer': 'A closing marker closes nothing.',
  'unexpected-text': 'There is text between the calls of a section.',
}

function isSpace(code: number): boolean {
  return (
    code === 32 || code === 10 || code === 13 || code === 9 || code === 12 || code === 0xa0 || code === 0x3000
  )
}
