/** What happens on the way from one state to the next: calls begin and end, values open, reasoning is over. */

import type { DiagnosticCode, Span } from '../../event.ts'
import type { Op } from '../program.ts'
import { ConstructMachine } from './constructs.ts'

/** What a recovery is called in a diagnostic. */
export const RECOVERED: Partial<Record<DiagnosticCode, string>> = {
  'call-without-wrapper': 'The marker around calls is missing.',
  'missing-closer': 'A closing marker is missing.',
  'new-call-before-end': 'A new call begins before this one was closed.',
  'repeated-opener': 'An opening marker is there twice.',
  'stray-closer': 'A closing marker closes nothing.',
  'unexpected-text': 'There is text between the calls of a section.',
}

/** Does what the program says. */
export abstract class OpMachine extends ConstructMachine {
  /** Does what lies on the way. `behind`: characters before `at` that belong to what comes next. */
  protected perform(ops: readonly Op[], matched: string, text: string, at: number, behind: number): boolean {
    for (const op of ops) {
      switch (op.op) {
        case 'begin-call':
          if (this.call === null && this.construct !== null) {
            this.section = this.construct
            this.openerLength = this.lead.length + matched.length
            this.openedBy = null
            this.home = this.thought ?? op.home ?? this.program.text
            this.begin(this.construct, this.lead + matched, at - matched.length, at)
            // Between the calls of a section there is no prose that could mention a marker.
            this.currentCall().hasBegun = true
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
          this.call?.textArguments.closeValue(op.unpaired ? this.base + at - behind : undefined)
          break
        case 'end-call':
          if (this.call !== null && !this.call.started) return false
          this.atBracket = op.bracket !== undefined
          if (op.bracket === 'waits') this.absorb(text, at)
          else this.endCall(text, at, behind)
          break
        case 'open-reasoning':
          this.verdicts?.doubt()
          this.prefilled = 0
          this.reasoningAt = this.base + at - matched.length
          this.place.openReasoning()
          this.lookout?.leave()
          this.voice.open('reasoning')
          break
        case 'reasoning-closer':
          this.place.closeReasoning()
          break
        case 'close-reasoning':
          this.prefilled = 0
          if (this.thought !== null) this.verdicts?.doubt()
          this.thought = null
          this.voice.close('reasoning')
          break
        case 'open-result': {
          const { call } = this
          this.verdicts?.doubt()
          this.prefilled = 0
          this.call = null
          this.absorb(text, at)
          const raw = this.dropSource()
          this.lookout?.leave()
          this.voice.openResult(
            call?.wireId ?? '',
            call?.name ?? '',
            call?.isError ?? false,
            this.settings.raw ? raw : '',
          )
          break
        }
        case 'close-result':
          this.voice.close('result', this.settings.raw ? matched : '')
          break
        case 'report': {
          const { code } = op
          const message = RECOVERED[code] ?? code
          const offset = this.base + at - behind
          if (op.endsValue || code === 'unexpected-text') this.losePlace()
          if (code === 'call-without-wrapper') this.call?.mustBeKnown()
          else if (code !== 'repeated-opener')
            this.call?.repaired(code, op.inValue ? 'guess' : 'lossless', offset)
          if (this.call === null)
            this.report(code, message, this.recoverySpan(code, matched, text, at, behind))
          else this.call.note(code, message, offset)
          break
        }
        case 'drop':
          this.prefilled = 0
          this.call = null
          this.dropSource()
          break
        case 'stop':
          // Inside a call nothing stops the response.
          if (!this.isInCall) this.stoppedBy = matched
          break
      }
    }
    return true
  }

  /** The marker that should not be there, the text in its place, or the construct that lacks its closer. */
  private recoverySpan(
    code: DiagnosticCode,
    matched: string,
    text: string,
    at: number,
    behind: number,
  ): Span {
    const end = this.base + at
    if (code === 'stray-closer' || code === 'repeated-opener') return { start: end - matched.length, end }
    if (code === 'unexpected-text')
      return { start: end - matched.length, end: end + characterLength(text, at) }
    return { start: this.openedAt, end: end - behind }
  }
}

/** The length of the character at an index: two for a surrogate pair. */
export function characterLength(text: string, at: number): number {
  return (text.codePointAt(at) ?? 0) > 0xffff ? 2 : 1
}
