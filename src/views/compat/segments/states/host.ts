/**
 * Where states of users work: between the parser, which finds the opening tag, and the view.
 *
 * A state may take less than it was given and then hand the text back, even what came long before. The parser cannot
 * go back; so what comes after a state has finished is kept, and the parser is given all of it again.
 */

import type { ParserConfig } from '../config.ts'
import type { Ending } from '../segments-view.ts'
import type { ToolStates } from '../wire/tool-inside.ts'
import { ParserContext } from './base-state.ts'
import { type EmitterTarget, SegmentEmitter } from './emitter.ts'
import type { XmlToolParsingStateClass } from './registry.ts'

export class StateHost implements ToolStates {
  private readonly states: ReadonlyMap<string, XmlToolParsingStateClass>
  private readonly config: ParserConfig
  private readonly target: EmitterTarget
  private context: ParserContext | null = null
  /** The state has finished, and this is what it left. */
  private rest: string | null = null
  /** The parser has taken the rest. */
  private isTaken = false

  constructor(
    states: ReadonlyMap<string, XmlToolParsingStateClass>,
    config: ParserConfig,
    target: EmitterTarget,
  ) {
    this.states = states
    this.config = config
    this.target = target
  }

  has(toolName: string): boolean {
    return this.states.has(toolName.toLowerCase())
  }

  /** A state is at work. */
  get isOpen(): boolean {
    return this.context !== null && this.rest === null
  }

  begin(toolName: string, openingTag: string, id: string): void {
    const State = this.states.get(toolName.toLowerCase())!
    this.rest = null
    this.isTaken = false
    this.context = new ParserContext(this.config, new SegmentEmitter(this.target, id))
    this.context.transitionTo(new State(this.context, openingTag, toolName))
    this.work()
  }

  take(text: string): boolean {
    if (this.isTaken) return true
    if (this.rest !== null) this.rest += text
    else {
      this.context?.scanner.append(text)
      this.work()
    }
    return false
  }

  private work(): void {
    if (!this.context?.run()) return
    // Whatever the state has begun and not ended is over with it.
    this.context.emitter.emitSegmentEnd()
    this.rest = this.context.scanner.rest()
  }

  /** What the parser has to read again, once, after it has read all that it was given. */
  takeRest(): string {
    if (this.rest === null || this.isTaken) return ''
    this.isTaken = true
    this.context = null
    return this.rest
  }

  /** The response is over. */
  finalize(ending: Ending | null): void {
    const { context } = this
    if (context === null || this.rest !== null) return
    this.context = null
    context.ending = ending
    context.finalize()
    context.emitter.emitSegmentEnd({ status: ending?.status ?? 'incomplete', ...ending?.detail })
    // What a state did not take is not lost.
    const rest = context.scanner.rest()
    if (rest !== '') this.target.text(rest)
  }
}
