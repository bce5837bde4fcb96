/**
 * States: code that reads a tool's element itself, from behind its opening tag to wherever it says that it ends.
 *
 *     class Shout extends BaseState {
 *       run() { … this.context.scanner … this.context.emitter … this.context.transitionTo(new TextState(this.context)) }
 *       finalize() { this.context.emitter.emitSegmentEnd() }
 *     }
 */

import type { ParserConfig } from '../config.ts'
import type { Ending } from '../segments-view.ts'
import type { SegmentEmitter } from './emitter.ts'
import { StreamScanner } from './stream-scanner.ts'

/** What the states of a parser share: the text, the output and the configuration. */
export class ParserContext {
  readonly scanner = new StreamScanner()
  readonly emitter: SegmentEmitter
  readonly config: ParserConfig
  /** How the response ended, where it did not end well. */
  ending: Ending | null = null
  private state: BaseState | null = null

  constructor(config: ParserConfig, emitter: SegmentEmitter) {
    this.config = config
    this.emitter = emitter
  }

  get currentState(): BaseState | null {
    return this.state
  }

  transitionTo(state: BaseState): void {
    this.state = state
  }

  /** Lets states work until they need more text. Answers whether the text is the parser's again. */
  run(): boolean {
    for (;;) {
      const { state } = this
      if (state === null || state instanceof TextState) return true
      const position = this.scanner.getPosition()
      state.run()
      if (this.state === state && (this.scanner.getPosition() === position || !this.scanner.hasMoreChars()))
        return false
    }
  }

  finalize(): void {
    this.state?.finalize()
  }
}

/** The base of states of your own, which read the content of a tool's element. */
export abstract class BaseState {
  protected readonly context: ParserContext

  constructor(context: ParserContext) {
    this.context = context
  }

  /** Takes what it can of the scanner. It is called again when more has come. */
  abstract run(): void

  /** The response is over. */
  abstract finalize(): void
}

/** The parser itself: what the scanner still holds is read as text again. */
export class TextState extends BaseState {
  run(): void {}
  finalize(): void {}
}
