/**
 * The table of states: each spot at which the machine can wait becomes one, with the literals that can come next,
 * what taking each of them does, and what happens when none of them comes.
 */

import type { TextArguments } from '../../calls/text-arguments.ts'
import type { OwnOpener } from '../../calls/value-watch.ts'
import { SluiceError } from '../../errors.ts'
import type {
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
import { leaveTo, type Spot, scanSpot, split } from '../spots.ts'
import type { ToolOnTheWire } from '../template.ts'
import { type Arrival, type Reach, reachFrom } from './reach.ts'

export interface CompileOptions {
  readonly tools: readonly ToolOnTheWire[]
  /** Literals that stop the response. */
  readonly stop: readonly string[]
  /** Leave the markup of calls, or of reasoning, as text. */
  readonly calls: boolean
  readonly reasoning: boolean
  /** Reads code, inside which no opener counts, and the literals it begins with. */
  readonly code: { readonly reader: ReaderType; readonly openers: readonly string[] } | undefined
}

/** Makes states. */
export abstract class StateCompiler {
  protected readonly options: CompileOptions
  protected readonly states: State[] = []
  protected readonly edges: Edge[] = []
  private readonly stateOf = new Map<Spot, State>()
  /** States are made first and filled later, because they refer to each other. */
  protected readonly unfilled: (() => void)[] = []
  /** What can begin anywhere in text. */
  protected readonly openers = split()
  protected readonly text = this.state(scanSpot('text', this.openers)) as ScanState
  protected readonly toText = leaveTo(() => this.text)
  protected textArguments: typeof TextArguments | undefined
  /** The markers before raw text. */
  protected readonly owns: OwnOpener[] = []

  constructor(options: CompileOptions) {
    this.options = options
  }

  /** The literals of a state, which are a table, are made last. */
  private add<Added extends State>(state: Omit<Added, 'index' | 'literals'>): Added {
    const added = { ...state, index: this.states.length } as unknown as Added
    this.states.push(added)
    return added
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
    switch (spot.at) {
      case 'scan': {
        const { channel, verbatim = false, own, next, stops = [], behindCall } = spot
        this.textArguments ??= spot.textArguments
        if (own !== undefined) this.owns.push(own)
        const state = this.add<ScanState>({
          ...{ kind: 'scan', channel, verbatim, behindCall: undefined, edges: [] },
          own: own?.isSpeech ? own : undefined,
        })
        this.unfilled.push(() => {
          state.behindCall = behindCall && this.state(behindCall)
          state.edges = this.edgesOf(this.reach(next, channel !== 'text').arrivals, stops)
        })
        return state
      }
      case 'word': {
        const { role, split: parts } = spot
        const next = this.state(split(spot.next)) as ExpectState
        const state = this.add<WordState>({ kind: 'word', role, split: parts, stops: '', next })
        // What follows was made before it, and so is filled before it.
        this.unfilled.push(() => {
          const literals = next.edges.map(({ literal }) => literal[0])
          const ends = [...literals, ...next.fallbacks.map(({ first }) => first)].join('')
          const spaces = role === 'key' && !next.space ? '' : ' \t'
          state.stops = `${ends}<>\n\r${spaces}${role === 'name' ? '{"' : ''}`
        })
        return state
      }
      case 'read': {
        const { type, next, selfClosed } = spot
        this.textArguments ??= type.textArguments
        const state = this.add<ReadState>({
          kind: 'read',
          type,
          after: this.way(next),
          selfClosed: selfClosed && this.way(selfClosed),
        })
        if (type.endsAtBracket) this.unfilled.push(() => this.markBracket(state))
        return state
      }
      case 'interlude': {
        const { section, begin } = spot
        // Where backticks are the section's own markers, they are no code. Only spans of code open nothing.
        const isFenced = this.reach(section).arrivals.some(({ literal }) => literal[0] === '`')
        const openers = this.openers.ways.filter(({ at }) => at === 'open' || !isFenced)
        // What the section itself can go on with comes before what could begin anew.
        begin.home = this.state(scanSpot('text', split(section, ...openers))) as ScanState
        return begin.home
      }
      default: {
        const state = this.add<ExpectState>({ kind: 'expect', space: false, edges: [], fallbacks: [] })
        this.unfilled.push(() => this.fillExpect(state, spot))
        return state
      }
    }
  }

  /** A call that ends here ends at a bracket. What follows was made before it, and so is filled before it. */
  private markBracket(state: ReadState): void {
    const { ops, next } = state.after
    const isFollowed = next.kind === 'expect' && next.edges.some(({ opens }) => opens === undefined)
    const bracket = isFollowed ? 'waits' : 'ends'
    state.after = { ops: ops.map((op) => (op.op === 'end-call' ? { ...op, bracket } : op)), next }
  }

  /** What can come next. `inScan`: what can end a capture that takes any text. */
  protected reach(spot: Spot, inScan = false): Reach {
    return reachFrom(spot, inScan)
  }

  // ── filling ──────────────────────────────────────────────────────────────────────────────────────

  private fillExpect(state: ExpectState, spot: Spot): void {
    const { arrivals, defaults, space } = this.reach(spot)
    state.space = space
    state.edges = this.edgesOf(arrivals, this.options.stop)
    const rank = ({ spot }: { spot: Spot }) =>
      spot.at === 'read' ? 0 : spot.at === 'leave' ? 3 : spot.at === 'interlude' ? 2 : 1
    state.fallbacks = [...defaults]
      .sort((a, b) => rank(a) - rank(b))
      .map(
        ({ spot, before: ops, opens }): Fallback => ({
          first: spot.at === 'read' ? spot.type.first : '',
          ops,
          next: this.state(spot),
          opens,
          atEnd: spot.at === 'leave',
        }),
      )
  }

  /** `stops`: a literal that stops the response does so, too, where it is markup between calls or behind them. */
  private edgesOf(arrivals: readonly Arrival[], stops: readonly string[]): Edge[] {
    const byLiteral = new Map<string, Arrival[]>()
    for (const arrival of arrivals) {
      const same = byLiteral.get(arrival.literal)
      if (same) same.push(arrival)
      else byLiteral.set(arrival.literal, [arrival])
    }
    // The way with the fewest recoveries is the one that was meant, and going on is before beginning anew.
    // Openers are alternatives to each other.
    const cost = ({ leaving, before, opens }: Arrival) =>
      2 * [...leaving, ...before].filter(({ op }) => op === 'report').length + (opens === undefined ? 0 : 1)
    const edges = [...byLiteral.values()].map((same) => {
      const [best, ...others] = same.sort((a, b) => cost(a) - cost(b))
      const rivals = others.filter((other) => cost(other) === cost(best!) && other.next !== best!.next)
      return this.edge(best!, rivals, stops)
    })
    checkPrefixes(edges)
    return edges
  }

  protected edge(arrival: Arrival, rivals: readonly Arrival[], stops: readonly string[]): Edge {
    const { literal, leaving, before, opens, back } = arrival
    const { ops, next } = this.way(arrival.next)
    const after: readonly Op[] = !opens && stops.includes(literal) ? [...ops, { op: 'stop' }] : ops
    const alternatives = rivals.map((rival) => this.edge(rival, [], stops))
    const edge = { literal, leaving, before, after, next, opens, back, alternatives }
    this.edges.push(edge)
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
