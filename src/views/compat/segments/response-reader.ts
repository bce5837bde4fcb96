/**
 * One response on its way: text goes through the engine's parser, native calls through its assembler, and the view
 * says what both find, in order and under ids of one kind.
 */

import { resolveLimits } from '../../../base/limits.ts'
import { isHighSurrogate } from '../../../base/surrogates.ts'
import { CallAssembler, type CallDelta } from '../../../engine/calls/assembler.ts'
import { createSinkParser, type ParserOptions, type SinkParser } from '../../../engine/parser.ts'
import type { ParserConfig } from './config.ts'
import type { SegmentEvent } from './segment-event.ts'
import { type Ending, LiveSegments, SEGMENT_EVENTS } from './segments-view.ts'
import { StateHost } from './states/host.ts'
import { registeredStates } from './states/registry.ts'
import { dialectsFor } from './wire/strategies.ts'

/** Numbers segments. It may outlive a response, so that no id comes twice. */
export class SegmentIds {
  private count = 0
  /** Ids of native calls that look like the ones given here, as they do where one response is made of another. */
  private readonly claimed = new Set<string>()

  next(prefix: string): string {
    let id: string
    do id = `${prefix}seg_${++this.count}`
    while (this.claimed.has(id))
    return id
  }

  /** A native call has this id. False: a segment has it already. */
  claim(prefix: string, id: string): boolean {
    const number = Number(id.slice(prefix.length + 4))
    if (id !== `${prefix}seg_${number}` || this.claimed.has(id)) return true
    if (number >= 1 && number <= this.count) return false
    this.claimed.add(id)
    return true
  }
}

const STATE_PIECE = 1024

const NATIVE = { native: true }

export class ResponseReader {
  readonly view: LiveSegments
  private readonly config: ParserConfig
  private readonly ids: SegmentIds
  private readonly parser: SinkParser
  private readonly states: StateHost | null
  /** The first half of a surrogate pair, while its second has not come. */
  private half = ''
  private halfThought = ''
  private assembler: CallAssembler | null = null

  constructor(config: ParserConfig, sink: (event: SegmentEvent) => void, ids: SegmentIds) {
    this.config = config
    this.ids = ids
    this.view = new LiveSegments(sink, {
      tools: config.tools,
      start: config.segmentStart,
      metadataUpdates: config.metadataUpdates,
      stripMarkers: config.stripMarkers,
      streamFiles: config.streamFiles,
    })
    this.states = this.openStates()
    this.parser = createSinkParser(
      (event, annotation?: object) => this.view.add(event, annotation),
      this.options(),
    )
  }

  private openStates(): StateHost | null {
    const { config, view } = this
    const states = registeredStates()
    if (states.size === 0 || !config.parseToolCalls || !config.strategyOrder.includes('xml_tag')) return null
    const nextId = (): string => this.ids.next(config.segmentIdPrefix)
    return new StateHost(states, config, {
      nextId,
      endProse: () => view.endProse(),
      emit: (event) => view.emit(event),
      text: (delta) => view.add({ type: 'text-delta', id: view.isOpen('text') ? '' : nextId(), delta }),
    })
  }

  private options(): ParserOptions {
    const { config } = this
    const { definitions } = config.tools
    const strategies = config.parseToolCalls ? config.strategyOrder : []
    return {
      dialect: dialectsFor(strategies, config.tools, config.json, this.states ?? undefined),
      emit: SEGMENT_EVENTS,
      // SEGMENT_END comes with the closer, and it has the verdict.
      start: 'text',
      reasoning: config.parseReasoning,
      protectCode: config.protectCode,
      generateId: () => this.ids.next(config.segmentIdPrefix),
      ...(definitions !== undefined && { tools: definitions }),
      ...(config.limits !== undefined && { limits: config.limits }),
      ...(config.shown !== undefined && { shown: config.shown }),
    }
  }

  text(chunk: string): void {
    if (chunk !== '') {
      this.settleThought()
      this.assembler?.endWhole()
    }
    if (this.states === null || typeof chunk !== 'string') {
      this.parser.push(chunk)
      return
    }
    // A state may hand back all that it was given, so it is given little at a time, and no half of a pair.
    const text = this.half + chunk
    let at = 0
    while (at < text.length) {
      let end = Math.min(at + STATE_PIECE, text.length)
      if (isHighSurrogate(text.charCodeAt(end - 1))) end--
      if (end === at) break
      this.push(text.slice(at, end), this.states)
      at = end
    }
    this.half = text.slice(at)
  }

  /** What a state hands back is read again. */
  private push(text: string, states: StateHost): void {
    for (let piece = text; piece !== ''; piece = states.takeRest()) this.parser.push(piece)
  }

  /** Reasoning that came beside the text. */
  reasoning(chunk: string): void {
    const thought = this.halfThought + chunk
    const end = thought.length - (isHighSurrogate(thought.charCodeAt(thought.length - 1)) ? 1 : 0)
    this.halfThought = thought.slice(end)
    this.think(thought.slice(0, end))
  }

  private think(delta: string): void {
    if (delta === '') return
    this.assembler?.endWhole()
    this.parser.interrupt()
    const id = this.view.isOpen('reasoning') ? '' : this.ids.next(this.config.segmentIdPrefix)
    this.view.add({ type: 'reasoning-delta', id, delta })
  }

  /** No reasoning follows that could be the other half. */
  private settleThought(): void {
    this.think(this.halfThought)
    this.halfThought = ''
  }

  call(delta: CallDelta): void {
    this.settleThought()
    this.assembler ??= this.assemble()
    const isFree = typeof delta.id !== 'string' || this.ids.claim(this.config.segmentIdPrefix, delta.id)
    this.assembler.delta(isFree ? delta : { ...delta, id: null })
  }

  private assemble(): CallAssembler {
    const { config } = this
    return new CallAssembler(
      {
        settings: {
          tools: config.tools.table,
          limits: resolveLimits(config.limits),
          ...SEGMENT_EVENTS,
          input: true,
          malformed: 'keep',
        },
        emit: (event) => this.view.add(event, NATIVE),
        newId: () => this.ids.next(config.segmentIdPrefix),
        report: () => {},
        beforeCall: () => this.parser.interrupt('call'),
        emitText: () => {},
      },
      { endsWhole: true },
    )
  }

  end(ending: Ending | null): void {
    if (ending !== null) this.view.endsAs(ending)
    this.settleThought()
    this.assembler?.endAll(ending !== null)
    if (this.states?.isOpen) {
      // The parser would keep half a character to itself until the state is over.
      this.states.take(this.half)
      this.push(this.states.takeRest(), this.states)
    } else this.parser.push(this.half)
    this.states?.finalize(ending)
    this.parser.end(ending === null ? 'finished' : ending.status === 'failed' ? 'failed' : 'interrupted')
  }
}
