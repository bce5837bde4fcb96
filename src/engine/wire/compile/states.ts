/**
 * From the graph to the table of states: each node at which the machine can stop becomes a state, and its ε-closure
 * the edges of that state.
 *
 * This is the subset construction with one difference. Transitions on the same literal are not merged into a set of
 * nodes: the one with the fewest recoveries is taken, and rivals that cost the same are kept as alternatives, to
 * which the machine falls back when the first one fails.
 */

import { SluiceError } from '../../../base/errors.ts'
import type { TextArguments } from '../../calls/text-arguments.ts'
import type { OwnOpener } from '../../calls/value-watch.ts'
import type { Dialect } from '../dialect.ts'
import type {
  Construct,
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
import type { Node, Template, ToolOnTheWire } from '../template.ts'
import { type Closure, closureOf, type Default, type Transition } from './closure.ts'
import type { PromptedForm } from './constructs.ts'
import type { Endings } from './fragments.ts'
import {
  entry,
  type GraphNode,
  leaveTo,
  type OpenNode,
  type ScanNode,
  type SplitNode,
  scanNode,
  split,
} from './graph.ts'

export interface CompileOptions {
  readonly tools: readonly ToolOnTheWire[]
  /** Literals that stop the response. */
  readonly stop: readonly string[]
  /** False: the markup of calls, or of reasoning, is left as text. */
  readonly calls: boolean
  readonly reasoning: boolean
  /** Reads code, inside which no opener counts, and the literals it begins with. */
  readonly code: { readonly reader: ReaderType; readonly openers: readonly string[] } | undefined
  readonly pauses?: Pauses | undefined
}

/** Literals at which the machine pauses: in text, where content begins, and in the reasoning that a template opens. */
export interface Pauses {
  readonly text: readonly string[]
  readonly content: readonly string[]
  readonly reasoning: (template: Template) => readonly string[]
}

/** What is checked while a template is compiled. Absent for the library's own dialects, which tests check. */
export interface Checks {
  closure(start: GraphNode, inScan: boolean): void
  transition(best: Transition, rivals: readonly Transition[]): void
  opener(opener: OpenNode, nodes: readonly Node[]): void
}

/** All that is known while dialects are compiled. */
export interface Compilation {
  readonly options: CompileOptions
  readonly checks: Checks | undefined

  // The graph
  /** What can begin anywhere in text. */
  readonly openers: SplitNode
  /** Calls without a marker, and other constructs, which can begin only where content begins. */
  readonly weakCalls: SplitNode
  /** Calls without a marker, which can begin any line of text. */
  readonly lineCalls: OpenNode[]
  /** Calls without a marker, which are guesses and can begin anywhere in text. */
  readonly guessedCalls: OpenNode[]
  /** What can begin directly behind a call. */
  readonly nextCalls: SplitNode
  /** The same, and closers that close nothing. */
  readonly behindCalls: SplitNode
  /** What stops the response. */
  readonly stops: OpenNode[]
  readonly text: ScanNode
  readonly toText: GraphNode
  /** Where visible content begins. */
  readonly content: GraphNode
  readonly afterCall: GraphNode

  // The table
  readonly states: State[]
  readonly edges: Edge[]
  readonly constructs: Construct[]
  readonly stateOf: Map<GraphNode, State>
  /** States refer to each other, so they are made first and filled later. */
  readonly unfilled: (() => void)[]
  /** The reasoning that a prompt may have opened. */
  readonly reasoningForms: PromptedForm[]
  textArguments: typeof TextArguments | undefined

  // Markers
  /** The markers before raw text. */
  readonly owns: OwnOpener[]
  /** Closers of reasoning that are found also where nothing opened reasoning. */
  readonly strayReasoning: Set<string>
  /** The markers that end calls. */
  readonly endings: Set<string>
  /** For each call: how it ends inside reasoning after it failed. */
  readonly endsInReasoning: Map<Construct, { readonly ends: SplitNode; readonly endings: Endings }>
}

export function createCompilation(
  dialects: readonly Dialect[],
  options: CompileOptions,
  checks?: Checks,
): Compilation {
  const [openers, weakCalls, nextCalls, behindCalls] = [split(), split(), split(), split()]
  const text = scanNode('text', openers)
  const toText = leaveTo(text)
  const isSpaceText = dialects.length > 0 && dialects.every(({ textBetweenCalls }) => textBetweenCalls)
  const afterCall = isSpaceText ? split(behindCalls, toText) : entry(behindCalls)
  const compilation: Compilation = {
    ...{ options, checks, openers, weakCalls, nextCalls, behindCalls },
    ...{ lineCalls: [], guessedCalls: [], stops: [] },
    ...{ text, toText, content: entry(weakCalls), afterCall },
    ...{ states: [], edges: [], constructs: [], stateOf: new Map(), unfilled: [] },
    ...{ reasoningForms: [], textArguments: undefined },
    ...{
      strayReasoning: new Set(),
      owns: [],
      endings: new Set(),
      endsInReasoning: new Map(),
    },
  }
  stateFor(compilation, text) // the first of the table
  return compilation
}

/** Fills all states. Filling one may make others, which are filled in their turn. */
export function fillStates({ unfilled }: Compilation): void {
  for (const fill of unfilled) fill()
}

/** The state in which the machine stands at this node. */
export function stateFor(compilation: Compilation, node: GraphNode): State {
  const { stateOf } = compilation
  let state = stateOf.get(node)
  if (state === undefined) {
    state = makeState(compilation, node)
    stateOf.set(node, state)
  }
  return state
}

/** The ε-closure of a node. `inScan`: behind a capture that takes any text. */
export function closureFrom({ checks }: Compilation, node: GraphNode, inScan = false): Closure {
  checks?.closure(node, inScan)
  return closureOf(node, inScan)
}

// ── making ───────────────────────────────────────────────────────────────────────────────────────

/** The tables of literals are added last. */
export function addState<Added extends State>(
  { states }: Compilation,
  state: Omit<Added, 'index' | 'literals'>,
): Added {
  const added = { ...state, index: states.length } as unknown as Added
  states.push(added)
  return added
}

function makeState(compilation: Compilation, node: GraphNode): State {
  const { unfilled } = compilation
  switch (node.kind) {
    case 'leave':
      return stateFor(compilation, node.to)
    case 'scan': {
      const { channel, verbatim = false, own, next, stops = [], behindCall } = node
      compilation.textArguments ??= node.textArguments
      if (own !== undefined) compilation.owns.push(own)
      const state = addState<ScanState>(compilation, {
        ...{ kind: 'scan', channel, verbatim, behindCall: undefined, edges: [] },
        // The call itself watches its values; the machine watches what is shown or skipped.
        own: own?.isSpeech || channel === 'nowhere' ? own : undefined,
      })
      unfilled.push(() => {
        state.behindCall = behindCall && stateFor(compilation, behindCall)
        const { transitions } = closureFrom(compilation, next, channel !== 'text')
        state.edges = edgesOf(compilation, transitions, stops)
      })
      return state
    }
    case 'word': {
      const { role, split: parts, isInTag = false, isFree = false } = node
      const next = stateFor(compilation, split(node.next)) as ExpectState
      const state = addState<WordState>(compilation, {
        ...{ kind: 'word', role, split: parts, isInTag, isFree, stops: '', next },
      })
      // `next` was made first, so it is filled first.
      unfilled.push(() => {
        state.stops = wordStops(state, next)
      })
      return state
    }
    case 'read': {
      const { type, next, selfClosed } = node
      compilation.textArguments ??= type.textArguments
      const state = addState<ReadState>(compilation, {
        kind: 'read',
        type,
        after: wayTo(compilation, next),
        selfClosed: selfClosed && wayTo(compilation, selfClosed),
      })
      // What follows was made first, so it is filled first.
      if (type.endsAtBracket) unfilled.push(() => markBracket(state))
      return state
    }
    case 'interlude': {
      const { section, begin } = node
      // Where backticks are markers of the section, they do not begin code: only constructs are openers then.
      const { transitions } = closureFrom(compilation, section)
      const isFenced = transitions.some(({ literal }) => literal[0] === '`')
      const openers = compilation.openers.branches.filter(({ kind }) => kind === 'open' || !isFenced)
      // What continues the section comes before what begins anew.
      begin.returnState = stateFor(compilation, scanNode('text', split(section, ...openers))) as ScanState
      return begin.returnState
    }
    case 'entry': {
      const { calls } = node
      if (calls.branches.length === 0) return stateFor(compilation, compilation.text)
      return stateFor(compilation, { kind: 'space', next: split(calls, compilation.toText) })
    }
    default: {
      const state = addState<ExpectState>(compilation, {
        kind: 'expect',
        space: false,
        edges: [],
        fallbacks: [],
      })
      unfilled.push(() => fillExpect(compilation, state, node))
      return state
    }
  }
}

/** The characters that end a word: those with which something can follow it, and those that no word holds. */
function wordStops({ role, isInTag }: WordState, next: ExpectState): string {
  if (isInTag) return '<>\n\r'
  const literals = next.edges.map(({ literal }) => literal[0])
  const followers = [...literals, ...next.fallbacks.map(({ first }) => first)].join('')
  const spaces = role === 'key' && !next.space ? '' : ' \t'
  return `${followers}<>\n\r${spaces}${role === 'name' ? '{"' : ''}`
}

/** A call that ends here ends at a bracket. */
function markBracket(state: ReadState): void {
  const { ops, next } = state.after
  const isFollowed = next.kind === 'expect' && next.edges.some(({ opens }) => opens === undefined)
  const bracket = isFollowed ? 'waits' : 'ends'
  state.after = { ops: ops.map((op) => (op.op === 'end-call' ? { ...op, bracket } : op)), next }
}

// ── filling ──────────────────────────────────────────────────────────────────────────────────────

function fillExpect(compilation: Compilation, state: ExpectState, node: GraphNode): void {
  const { transitions, defaults, space } = closureFrom(compilation, node)
  state.space = space
  state.edges = edgesOf(compilation, transitions, compilation.options.stop)
  state.fallbacks = [...defaults]
    .sort((a, b) => rank(a) - rank(b))
    .map(({ node, before, opens }): Fallback => {
      const isEnd = node.kind === 'end'
      const { ops, next } = isEnd
        ? wayTo(compilation, node.next)
        : { ops: [], next: stateFor(compilation, node) }
      return {
        first: node.kind === 'read' ? node.type.first : '',
        ops: [...before, ...ops],
        next,
        opens,
        atEnd: isEnd ? 'only' : node.kind === 'leave',
      }
    })
}

/** The order in which fallbacks are tried: a reader looks at the next character, leaving takes anything. */
function rank({ node }: Default): number {
  if (node.kind === 'read') return 0
  return node.kind === 'leave' ? 3 : node.kind === 'interlude' ? 2 : 1
}

/** `stops`: literals that also stop the response where they are markup between calls or behind them. */
function edgesOf(
  compilation: Compilation,
  transitions: readonly Transition[],
  stops: readonly string[],
): Edge[] {
  const byLiteral = new Map<string, Transition[]>()
  for (const transition of transitions) {
    const same = byLiteral.get(transition.literal)
    if (same) same.push(transition)
    else byLiteral.set(transition.literal, [transition])
  }
  const edges = [...byLiteral.values()].map((same) => {
    const [best, ...others] = same.sort((a, b) => cost(a) - cost(b))
    const rivals = others.filter((other) => cost(other) === cost(best!) && other.next !== best!.next)
    compilation.checks?.transition(best!, rivals)
    return edgeOf(compilation, best!, rivals, stops)
  })
  checkPrefixes(edges)
  return edges
}

/** Fewer recoveries are better, and continuing is better than beginning anew. Openers are alternatives to each other. */
function cost({ leaving, before, opens }: Transition): number {
  return (
    2 * [...leaving, ...before].filter(({ op }) => op === 'report').length + (opens === undefined ? 0 : 1)
  )
}

function edgeOf(
  compilation: Compilation,
  transition: Transition,
  rivals: readonly Transition[],
  stops: readonly string[],
): Edge {
  const { literal, leaving, before, opens, back } = transition
  const { ops, next } = wayTo(compilation, transition.next, back > 0)
  const after: readonly Op[] = !opens && stops.includes(literal) ? [...ops, { op: 'stop' }] : ops
  const alternatives = rivals.map((rival) => edgeOf(compilation, rival, [], stops))
  const index = compilation.edges.length
  const edge = { index, literal, leaving, before, after, next, opens, back, alternatives }
  compilation.edges.push(edge)
  return edge
}

/**
 * Operations right behind what was consumed happen at once, so they belong to the edge and not to the next state.
 *
 * A reader begins only at a character that it can begin with: JSON that is read tolerantly takes any other for a string
 * without quotes, and the closer behind it for a part of that. `isLookahead`: the character is known.
 *
 *     <call=ls>|</call>
 */
function wayTo(compilation: Compilation, target: GraphNode, isLookahead = false): Way {
  const ops: Op[] = []
  let node = target
  for (; node.kind === 'op'; node = node.next) ops.push(node.op)
  const isGuarded = !isLookahead && node.kind === 'read' && node.type.first !== ''
  return { ops, next: stateFor(compilation, isGuarded ? { kind: 'space', next: node } : node) }
}

/** A literal that begins with another can never be found. Between two dialects that is the user's choice. */
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
          `${JSON.stringify(long.literal)} never matches, because ${JSON.stringify(short.literal)} matches first; make them begin differently, or write the common part once.`,
        )
}
