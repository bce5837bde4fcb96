/**
 * What happens when nothing fits, or a limit is reached. A call that was announced has failed, and is read to its
 * end. Anything else was none: its source is read again as another construct that begins alike, or is text.
 *
 *     <tool_call> is what |models write        no call: all of it is text
 */

import type { Construct } from '../program.ts'
import { OpMachine, RECOVERED } from './ops.ts'

/** Goes on after something that cannot be. */
export abstract class RecoveringMachine extends OpMachine {
  /** Reads a piece of text in the state the machine is in. */
  protected abstract consume(text: string): void

  /** Reads a piece again that was read before, in the state the machine is in now. `at`: where it ended. */
  protected again(piece: string, text: string, at: number): void {
    if (piece === '') return
    this.absorb(text, at)
    if (this.source !== null) this.cutSource(piece.length)
    const { base } = this
    this.base = base + at - piece.length
    this.sourceFrom = 0
    this.consume(piece)
    this.base = base
    this.sourceFrom = at
  }

  /** The character at `at` cannot be. What was held before it is read again as whatever comes next. */
  protected fail(text: string, at: number): number {
    const { held, space, construct, call } = this
    const completion = this.reader?.completion?.() ?? ''
    this.forget()
    if (this.source === null || construct === null) {
      // No call is open: a section ended without its closer, or a tag after a result is no tag.
      this.losePlace()
      this.call = null
      const span = { start: this.openedAt, end: this.base + at - held.length }
      this.report('missing-closer', RECOVERED['missing-closer']!, span)
      this.enter(this.program.text)
      this.again(space + held, text, at)
    } else if (call?.started) {
      this.absorb(text, at)
      // The last few characters say best where something broke.
      const after = this.source.isKept ? ` after ${JSON.stringify(this.source.end(16))}` : ''
      call.fail('malformed', `The call breaks off${after}.`, this.base + at)
      call.completion = completion
      const { resync, resyncInReasoning } = construct
      this.enter((this.openedInReasoning ? resyncInReasoning : resync) ?? this.program.text)
      this.again(held, text, at)
    } else return this.giveBack(held, text, at)
    return at
  }

  /** A construct that never became certain: its source is text again, in the place where it was found. */
  private giveBack(held: string, text: string, at: number): number {
    this.absorb(text, at)
    const { openerLength, construct, home, leadLength } = this
    const start = this.currentCall().origin
    const next = this.openedBy?.alternatives[this.tried]
    const source = this.dropSource()
    const opener = source.slice(0, openerLength)
    const hasBegun = construct?.kind === 'call' && this.call?.hasBegun === true && !this.call.isUnknown
    this.call = null
    if (next?.opens !== undefined) {
      // Another construct begins with the same text, and reads it from the opener on.
      this.tried++
      this.construct = next.opens
      this.lead = source.slice(0, leadLength)
      this.begin(next.opens, source, at - source.length + leadLength, at)
      if (hasBegun && next.opens.kind === 'call') this.currentCall().hasBegun = true
      else if (hasBegun) this.losePlace()
      this.perform(next.before, opener, text, at, source.length)
      this.perform(next.after, opener, text, at, source.length - openerLength)
      this.enter(next.next)
      this.retried ??= held
      this.again(source.slice(openerLength - next.back), text, at)
      this.retried = null
      return at
    }
    if (hasBegun) this.losePlace()
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
      this.reportNotACall(
        construct,
        opener.slice(leadLength),
        start,
        this.base + text.length - retried.length,
      )
      if (decided > 0) this.say(home, all.slice(0, decided))
      this.enterPlain(construct, all.slice(0, decided))
      this.again(retried, text, text.length)
      return text.length
    }
    const decided = source.length - held.length
    this.reportNotACall(construct, opener.slice(leadLength), start, this.base + at - held.length)
    if (decided > 0) this.say(home, source.slice(0, decided))
    this.enterPlain(construct, source.slice(0, decided))
    this.again(held, text, at)
    return at
  }

  /** Nothing inside what was no call is one: it is text to its own end, if `source` does not hold that already. */
  private enterPlain(construct: Construct | null, source: string): void {
    const { plain } = construct ?? {}
    if (plain === undefined || this.state !== this.program.text) return
    const reader = plain.type.create({ weak: true, limits: this.settings.limits, offset: this.base })
    reader.read(source, 0, source.length, this.currentCall())
    if (reader.status !== 'open') return
    this.state = plain
    this.reader = reader
  }

  /** What the marker of a call opened is text after all. Other constructs may begin with the same marker. */
  private reportNotACall(construct: Construct | null, opener: string, start: number, end: number): void {
    const { openedBy } = this
    const opened = [construct, openedBy?.opens, ...(openedBy?.alternatives.map(({ opens }) => opens) ?? [])]
    if (opener !== '' && opened.some((one) => one?.kind === 'call' && !one.weak))
      this.voice.report(
        'not-a-call',
        `${JSON.stringify(opener)} opens no call here.`,
        { start, end },
        undefined,
        opener,
      )
  }

  /** So much was read of a construct that it must end at `at`: the same character for any chunking. */
  protected hitLimit(text: string, at: number): number {
    const { call } = this
    const { limits } = this.settings
    this.forget()
    if (call?.started) {
      call.fail('limit-reached', `The call is longer than ${limits.call} characters.`, this.base + at)
      this.endCall(text, at, 0)
      this.enter(this.program.text)
    } else {
      const opener = String(this.source).slice(0, this.openerLength)
      this.report(
        'limit-reached',
        `Nothing after ${JSON.stringify(opener)} said which tool is called, in ${limits.undecided} characters.`,
        { start: this.currentCall().origin, end: this.base + at },
      )
      this.openedBy = null
      return this.giveBack('', text, at)
    }
    return at
  }
}
