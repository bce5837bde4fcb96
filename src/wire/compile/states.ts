/**
 * The table of states: each spot at which the machine can wait becomes one, with the literals that can come next,
 * what taking each of them does, and what happens when none of them comes.
 */

import type { TextArguments } from '../../calls/text-arguments.ts'
import { SluiceError } from '../../errors.ts'
import type { Dialect } from '../dialect.ts'
import { Literals } from '../literals.ts'
import type {
  Channel,
  Edge,
  ExpectState,
  Fallback,
  Op,
  ReadState,
  ScanState,
  State,
  Way,
  WordState,
} from '../program.ts'
import type { ReaderType } from '../reader.ts'
import { type Entry, literalSpot, type Spot, scanSpot } from '../spots.ts'
import type { ToolOnTheWire } from '../template.ts'
import { type Arrival, entryOf, NOTHING, Reach, report } from './reach.ts'

export interface CompileOptions {
  readonly tools: readonly ToolOnTheWire[]
  /** Literals that stop the response. */
  readonly stop: readonly string[]
  /** Leave the markup of calls, or of reasoning, as text. */
  readonly calls: boolean
  readonly reasoning: boolean
  /** Reads code spans, inside which no opener counts. */
  readonly codeSpan: ReaderType | undefined
}

const NO_LITERALS = new Literals([], { anchored: true, ignoreCase: false })

/** Makes states. */
export abstract class StateCompiler {
  protected readonly dialects: readonly Dialect[]
  protected readonly options: CompileOptions
  private readonly ignoreCase: boolean
  protected readonly states: State[] = []
  protected readonly allEdges: Edge[] = []
  protected readonly stateOf = new Map<Spot, State>()
  /** States are made first and filled later, because they refer to each other. */
  protected readonly unfilled: (() => void)[] = []
  protected readonly text: ScanState
  protected textArguments: typeof TextArguments | undefined
  /** What can begin anywhere in text. */
  protected readonly openers: Entry[] = []

  constructor(dialects: readonly Dialect[], options: CompileOptions) {
    this.dialects = dialects
    this.options = options
    this.ignoreCase = dialects.some((dialect) => dialect.ignoreCase)
    this.text = this.addScan('text')
  }

  private add<Added extends State>(state: Added): Added {
    this.states.push(state)
    return state
  }

  protected addScan(channel: Channel, verbatim = false): ScanState {
    const index = this.states.length
    return this.add({ kind: 'scan', index, channel, verbatim, literals: NO_LITERALS, edges: [] })
  }

  protected addExpect(): ExpectState {
    const index = this.states.length
    return this.add({ kind: 'expect', index, space: false, literals: NO_LITERALS, edges: [], fallbacks: [] })
  }

  protected state(spot: Spot): State {
    if (spot.at === 'leave') return spot.to()
    let state = this.stateOf.get(spot)
    if (state === undefined) {
      state = this.makeState(spot)
      this.stateOf.set(spot, state)
    }
    return state
  }

  private makeState(spot: Spot): State {
    const index = this.states.length
    switch (spot.at) {
      case 'scan': {
        this.textArguments ??= spot.textArguments
        const state = this.addScan(spot.channel, spot.verbatim)
        this.unfilled.push(() => {
          const reach = this.reachEnd(spot.next)
          if (spot.cdata)
            reach.arrivals.push({ ...NOTHING, literal: '<![CDATA[', back: 0, next: cdata(spot) })
          this.fillScan(state, reach)
        })
        return state
      }
      case 'word': {
        const { role, split } = spot
        const state = this.add<WordState>({ kind: 'word', index, role, split, stops: '', next: this.text })
        this.unfilled.push(() => {
          const reach = this.reach([entryOf(spot.next)])
          state.next = this.expect(spot.next, reach)
          const ends = reach.arrivals.map(({ literal }) => literal[0]!)
          for (const { spot: next } of reach.defaults) if (next.at === 'read') ends.push(...next.type.first)
          const spaces = role === 'key' && !reach.space ? '' : ' \t'
          state.stops = `${ends.join('')}<>\n\r${spaces}${role === 'name' ? '{"' : ''}`
        })
        return state
      }
      case 'read': {
        this.textArguments ??= spot.type.textArguments
        const way: Way = { ops: [], next: this.text }
        const { type } = spot
        const state = this.add<ReadState>({ kind: 'read', index, type, after: way, selfClosed: undefined })
        this.unfilled.push(() => {
          state.after = this.way(spot.next)
          state.selfClosed = spot.selfClosed && this.way(spot.selfClosed)
        })
        return state
      }
      case 'interlude': {
        const state = this.addScan('text')
        this.unfilled.push(() => {
          const section = entryOf(spot.section)
          // Where backticks are the section's own markers, they are no code. Only spans of code open nothing.
          const isFenced = this.reach([section]).arrivals.some(({ literal }) => literal[0] === '`')
          const openers = this.openers.filter(({ construct }) => construct || !isFenced)
          const reach = this.reach([...openers, section])
          reach.arrivals.reverse() // what the section itself can go on with comes before what could begin anew
          this.fillScan(state, reach)
        })
        return state
      }
      default:
        return this.expect(spot, this.reach([entryOf(spot)]))
    }
  }

  private expect(spot: Spot, reach: Reach): ExpectState {
    const state = this.addExpect()
    this.stateOf.set(spot, state)
    this.unfilled.push(() => this.fillExpect(state, reach, false))
    return state
  }

  // ── what can come next ───────────────────────────────────────────────────────────────────────────

  protected reach(entries: readonly Entry[]): Reach {
    const reach = this.newReach()
    for (const { spot, construct } of entries) reach.follow(spot, { ...NOTHING, opens: construct })
    return reach
  }

  /** What can end a capture that takes any text. */
  protected reachEnd(spot: Spot): Reach {
    const reach = this.newReach(true)
    reach.follow(spot, NOTHING)
    return reach
  }

  /** Nothing is followed yet. */
  protected newReach(inScan = false): Reach {
    return new Reach((spot) => this.state(spot), inScan)
  }

  // ── filling ──────────────────────────────────────────────────────────────────────────────────────

  protected fillScan(state: ScanState, reach: Reach): void {
    state.edges = this.edges(reach.arrivals)
  }

  protected fillExpect(state: ExpectState, reach: Reach, space: boolean): void {
    state.space = space || reach.space
    state.edges = this.edges(reach.arrivals).map((edge) => this.stopping(edge))
    const rank = ({ spot }: { spot: Spot }) =>
      spot.at === 'read' ? 0 : spot.at === 'leave' ? 3 : spot.at === 'interlude' ? 2 : 1
    state.fallbacks = [...reach.defaults]
      .sort((a, b) => rank(a) - rank(b))
      .map(
        ({ spot, ops, opens }): Fallback => ({
          first: spot.at === 'read' ? spot.type.first : '',
          ops: spot.at === 'interlude' ? [...ops, report('unexpected-text')] : ops,
          next: this.state(spot),
          opens,
          atEnd: spot.at === 'leave',
        }),
      )
  }

  /** The tables by which the literals of each state are found: most of the work, and no dialect can be wrong in it. */
  makeTables(): void {
    for (const state of this.states)
      if (state.kind === 'scan' || state.kind === 'expect')
        state.literals = new Literals(
          state.edges.map(({ literal }) => literal),
          { anchored: state.kind === 'expect', ignoreCase: this.ignoreCase },
        )
  }

  /** A literal that stops the response does so, too, where it is markup between calls or behind them. */
  protected stopping(edge: Edge): Edge {
    if (edge.opens !== undefined || !this.options.stop.includes(edge.literal)) return edge
    return { ...edge, after: [...edge.after, { op: 'stop' }] }
  }

  private edges(arrivals: readonly Arrival[]): Edge[] {
    const byLiteral = new Map<string, Arrival[]>()
    for (const arrival of arrivals) {
      const same = byLiteral.get(arrival.literal) ?? []
      if (same.length === 0) byLiteral.set(arrival.literal, same)
      same.push(arrival)
    }
    const edges: Edge[] = []
    for (const same of byLiteral.values()) {
      // The way with the fewest recoveries is the one that was meant, and going on is before beginning anew.
      // Openers are alternatives to each other.
      const cost = ({ leaving, ops, opens }: Arrival) =>
        2 * [...leaving, ...ops].filter(({ op }) => op === 'report').length + (opens === undefined ? 0 : 1)
      const [best, ...others] = [...same].sort((a, b) => cost(a) - cost(b))
      const rivals = others.filter((other) => cost(other) === cost(best!) && other.next !== best!.next)
      if (rivals.length > 0 && best!.opens === undefined)
        throw new SluiceError(
          'invalid-template',
          `After the same text a template can go on in two ways with ${JSON.stringify(best!.literal)}; one of them must begin differently.`,
        )
      edges.push(this.edge(best!, rivals))
    }
    checkPrefixes(edges)
    return edges
  }

  private edge(arrival: Arrival, rivals: readonly Arrival[]): Edge {
    const { literal, leaving, ops: before, opens, back } = arrival
    const { ops: after, next } = this.way(arrival.next)
    const alternatives = rivals.map((rival) => this.edge(rival, []))
    const edge = { literal, leaving, before, after, next, opens, back, alternatives }
    this.allEdges.push(edge)
    return edge
  }

  /** Operations that stand right behind what was read happen at once. */
  private way(spot: Spot): Way {
    const ops: Op[] = []
    let at = spot
    for (; at.at === 'op'; at = at.next) ops.push(at.op)
    return { ops, next: this.state(at) }
  }
}

/** A literal that begins with another can never be found. Between dialects that is the users' choice. */
function checkPrefixes(edges: readonly Edge[]): void {
  for (const short of edges)
    for (const long of edges)
      if (
        long !== short &&
        long.literal.startsWith(short.literal) &&
        long.opens?.dialect === short.opens?.dialect
      )
        throw new SluiceError(
          'invalid-template',
          `${JSON.stringify(long.literal)} can never be found, because ${JSON.stringify(short.literal)} is found first; write what they share once.`,
        )
}

/** Inside CDATA: the value goes on, verbatim, until the section ends. */
function cdata(value: Spot): Spot {
  return { ...scanSpot('value', literalSpot([']]>'], value)), verbatim: true }
}
