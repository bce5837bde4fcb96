/**
 * The loop over a piece of text: each kind of state reads what is its own, and leads to the next one. What they
 * look like is shown in `program.ts`.
 */

import type { Edge, ExpectState, Fallback, ReadState, ScanState, State, WordState } from '../program.ts'
import type { Reader } from '../reader.ts'
import { isSpace } from './base.ts'
import { characterLength } from './ops.ts'
import { RecoveringMachine } from './recovery.ts'

/** Reads text, state by state. */
export abstract class StateMachine extends RecoveringMachine {
  /** It was said that there is more after the response was stopped. */
  protected toldOfMore = false

  protected consume(text: string): void {
    let at = 0
    while (at < text.length && this.stoppedBy === '') {
      if (this.isAwaited) this.endAwaited(text, at)
      const to = Math.min(text.length, this.sourceFrom + this.room())
      at = at >= to ? this.hitLimit(text, at) : this.step(this.state, text, at, to)
    }
    if (at < text.length) this.passOver(text.slice(at), this.base + at)
    this.absorb(text, text.length)
  }

  /** The verdict on a call that ended by its own bracket: if nothing that may follow does, it was the wrong one. */
  private endAwaited(text: string, at: number): void {
    const { state } = this
    const code = text.charCodeAt(at)
    const fits =
      isSpace(code) ||
      this.program.text.literals.step(0, code) > 0 ||
      (state.kind === 'expect' &&
        (state.literals.step(0, code) > 0 || state.fallbacks.some(({ first }) => first.includes(text[at]!))))
    if (!fits) {
      this.losePlace()
      this.currentCall().isPlaceUncertain = true
    }
    this.endCall(text, at, 0)
  }

  /** What comes after the response was stopped. Anything but white space is reported, once. */
  protected passOver(text: string, offset: number): void {
    const more = text.trimStart()
    if (this.toldOfMore || more === '') return
    this.toldOfMore = true
    const message = `There is more after ${JSON.stringify(this.stoppedBy)}.`
    const start = offset + text.length - more.length
    this.report('text-after-stop', message, { start, end: start + characterLength(more, 0) })
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

  // ── scan ─────────────────────────────────────────────────────────────────────────────────────────

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

  // ── expect ───────────────────────────────────────────────────────────────────────────────────────

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
        this.atBracket = false
        start = at + 1
        continue
      }
      this.held += text.slice(start, at)
      const first = this.held === '' ? text[at]! : this.held[0]!
      const way = state.fallbacks.find((fallback) => fallback.first === '' || fallback.first.includes(first))
      return way === undefined ? this.fail(text, at) : this.fallBack(way, text, at)
    }
    this.held += text.slice(start, to)
    this.node = node
    return to
  }

  /** No literal fits: what was held is read again in the state that takes over. */
  protected fallBack(way: Fallback, text: string, at: number): number {
    const { space, held } = this
    this.space = ''
    this.held = ''
    this.node = 0
    this.lead = space
    if (way.next.kind === 'word' || way.next.kind === 'read') this.atBracket = false
    const undecided = space.length + held.length
    if (way.opens !== undefined)
      this.open(way.opens, null, space + held, this.program.text, at - held.length, at)
    if (!this.perform(way.ops, held, text, at, undecided)) return this.fail(text, at)
    this.enter(way.next)
    // Whitespace is markup before a word or a reader; otherwise it belongs to what follows.
    this.again(way.next.kind === 'word' || way.next.kind === 'read' ? held : space + held, text, at)
    return at
  }

  // ── word ─────────────────────────────────────────────────────────────────────────────────────────

  private readWord(state: WordState, text: string, from: number, to: number): number {
    const { name } = this.settings.limits
    const most = Math.min(to, from + name + 1 - this.word.length)
    let at = from
    while (at < most && !state.stops.includes(text[at]!)) at++
    this.word += text.slice(from, at)
    if (at === to && this.word.length <= name) return to
    const { word } = this
    this.word = ''
    if (state.role !== 'key' && !this.currentCall().started) this.nameEnds(word, state.split, text, at)
    if (word.length > name)
      this.currentCall().limitReached(`A ${state.role} may have ${name} characters.`, this.base + at)
    if (word === '' || word.length > name || !this.currentCall().word(state.role, word, state.split))
      return this.fail(text, at)
    this.enter(state.next)
    return at
  }

  private nameEnds(word: string, split: WordState['split'], text: string, at: number): void {
    this.absorb(text, at)
    const source = String(this.source ?? '')
    const before = source.charCodeAt(source.length - word.length - 1)
    this.currentCall().nameBegins(split?.nameIn(word) || word, !isSpace(before))
  }

  // ── read ─────────────────────────────────────────────────────────────────────────────────────────

  private read(state: ReadState, text: string, from: number, to: number): number {
    this.reader ??= state.type.create(this.readerSettings(from))
    const { reader } = this
    const at = reader.read(text, from, to, this.currentCall())
    if (state.type.visible && at > from) {
      if (this.atBracket) this.leaveBracket(text.slice(from, at))
      this.speak('text', text.slice(from, at))
    }
    if (reader.status !== 'open') return this.finishReader(state, reader, text, at)
    return at
  }

  protected finishReader(state: ReadState, reader: Reader, text: string, at: number): number {
    this.reader = null
    if (reader.status === 'failed') {
      // `<write_file =path>`: a broken tag of a known tool is more than prose.
      const { call } = this
      if (call !== null && call.name !== '') call.nameBegins(call.name, false)
      return this.fail(text, at)
    }
    const way = reader.selfClosing && state.selfClosed !== undefined ? state.selfClosed : state.after
    if (!this.perform(way.ops, '', text, at, 0)) return this.fail(text, at)
    this.enter(way.next)
    return at
  }

  protected readerSettings(from: number) {
    return { weak: this.construct?.weak ?? false, limits: this.settings.limits, offset: this.base + from }
  }

  // ── from state to state ──────────────────────────────────────────────────────────────────────────

  /** `space`: what stood before the literal; it comes back with it if the construct fails. */
  private take(edge: Edge, matched: string, text: string, at: number, space = ''): number {
    const from = this.state
    const behind = space.length + matched.length
    // A span of code is text like any other.
    if (edge.next.kind !== 'read' || !edge.next.type.visible) this.atBracket = false
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
}
