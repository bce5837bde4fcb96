/**
 * Turns dialects into a program. Each spot of a template at which the machine can wait becomes a state:
 * following the graph without reading anything gives the literals that can come next, what taking each
 * of them does, and what happens when none of them comes.
 */

import type { TextArguments } from '../calls/text-arguments.ts'
import { SluiceError } from '../errors.ts'
import type { DiagnosticCode } from '../event.ts'
import type { Dialect } from './dialect.ts'
import { Literals } from './literals.ts'
import type {
  Channel,
  Construct,
  Edge,
  ExpectState,
  Fallback,
  Op,
  Program,
  ReadState,
  ScanState,
  State,
  Way,
  WordState,
} from './program.ts'
import type { ReaderType } from './reader.ts'
import {
  type Ending,
  type Entry,
  leaveTo,
  literalSpot,
  op,
  readSpot,
  type Spot,
  SpotBuilder,
  scanSpot,
  split,
} from './spots.ts'
import { showTemplate, type Template, type ToolOnTheWire } from './template.ts'

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

export function compile(dialects: readonly Dialect[], options: CompileOptions): Program {
  return new Compiler(dialects, options).compile()
}

/** What was passed on the way to a spot, without reading anything. */
interface Passed {
  readonly ops: readonly Op[]
  readonly opens: Construct | undefined
  /** What becomes of the call that was still open. */
  readonly leaving: readonly Op[]
}

/** A literal that can come next, and what taking it does. */
interface Arrival extends Passed {
  readonly literal: string
  readonly back: number
  readonly next: Spot
}

/** What can be reached from some spots without reading anything. */
class Reach {
  /** For the end of a capture that takes any text: no free whitespace can be markup there, and only a literal ends it. */
  readonly inScan: boolean
  space = false
  readonly arrivals: Arrival[] = []
  readonly defaults: (Passed & { readonly spot: Spot })[] = []

  constructor(inScan = false) {
    this.inScan = inScan
  }
}

const NOTHING: Passed = { ops: [], opens: undefined, leaving: [] }

const NO_LITERALS = new Literals([], { anchored: true, ignoreCase: false })

class Compiler {
  private readonly dialects: readonly Dialect[]
  private readonly options: CompileOptions
  private readonly ignoreCase: boolean
  private readonly states: State[] = []
  private readonly constructs: Construct[] = []
  private readonly allEdges: Edge[] = []
  private readonly stateOf = new Map<Spot, State>()
  /** States are made first and filled later, because they refer to each other. */
  private readonly unfilled: (() => void)[] = []
  private readonly text: ScanState
  private content: State
  private textArguments: typeof TextArguments | undefined
  private readonly openers: Entry[] = []

  constructor(dialects: readonly Dialect[], options: CompileOptions) {
    this.dialects = dialects
    this.options = options
    this.ignoreCase = dialects.some((dialect) => dialect.ignoreCase)
    this.text = this.addScan('text')
    this.content = this.text
  }

  compile(): Program {
    const weak: Entry[] = []
    const everyCall: Entry[] = []
    let reasoning: State | undefined
    for (const dialect of this.dialects) {
      const calls: Entry[] = []
      const afterCall = this.addExpect()
      const leaveCall = leaveTo(
        () => afterCall,
        () => calls,
      )
      if (this.options.calls) {
        for (const template of dialect.calls) calls.push(this.call(dialect, template, leaveCall, 'marked'))
        for (const template of dialect.looseCalls)
          calls.push(this.call(dialect, template, leaveCall, 'loose'))
        for (const template of dialect.weakCalls) weak.push(this.call(dialect, template, leaveCall, 'weak'))
      }
      this.openers.push(...calls)
      everyCall.push(...calls)
      // Whitespace between two calls is markup; before anything else it is text again.
      this.unfilled.push(() =>
        this.fillExpect(afterCall, this.reach([...everyCall, entryOf(this.toText())]), true),
      )
      if (this.options.reasoning)
        for (const template of dialect.reasoning) {
          const inside = this.reasoning(dialect, template, calls)
          reasoning ??= inside()
        }
      if (dialect.result !== undefined && this.options.calls) this.result(dialect, dialect.result)
      if (this.options.calls || this.options.reasoning)
        for (const template of [...dialect.drop, ...dialect.ignore])
          this.openers.push(this.drop(dialect, template, () => this.text))
    }
    const [any] = this.dialects
    const stopping = any && { ...any, name: 'stop' }
    const shortest = this.options.stop.filter(
      (marker, index, all) =>
        !all.some(
          (other, at) => at !== index && marker.startsWith(other) && (marker !== other || at < index),
        ),
    )
    for (const marker of shortest)
      this.openers.push(this.markup(stopping, [marker], op({ op: 'stop' }, this.toText())))
    if (this.options.codeSpan !== undefined)
      this.openers.push(entryOf(literalSpot(['`'], readSpot(this.options.codeSpan, this.toText()), 1)))
    if (weak.length > 0) {
      const content = this.addExpect()
      this.content = content
      this.unfilled.push(() => this.fillExpect(content, this.reach([...weak, entryOf(this.toText())]), true))
    }
    this.unfilled.push(() => this.fillScan(this.text, this.reach(this.openers)))
    for (let fill = this.unfilled.shift(); fill !== undefined; fill = this.unfilled.shift()) fill()
    return {
      states: this.states,
      constructs: this.constructs,
      edges: this.allEdges,
      text: this.text,
      content: this.content,
      textArguments: this.textArguments,
      reasoning,
    }
  }

  // ── constructs ─────────────────────────────────────────────────────────────────────────────────

  private call(dialect: Dialect, template: Template, leave: Spot, how: 'marked' | 'loose' | 'weak'): Entry {
    const resync = this.addScan('nowhere')
    const construct = this.addConstruct('call', dialect, how, resync)
    const endings: Ending[] = []
    const whole = this.builder(dialect).calls(template.nodes, leave, endings)
    const spot = how === 'loose' ? triggered(whole) : whole
    this.checkOpener(dialect, template, spot, how === 'weak')
    // A call that went wrong after it was certain: all is its source up to a closer, or the next opener.
    this.unfilled.push(() => {
      const reach = new Reach()
      if (how === 'marked')
        this.follow(reach, spot, { ops: [], opens: construct, leaving: [{ op: 'end-call' }] })
      // A bracket ends many things, and is no sign that this call is over.
      for (const { literal, next } of endings.filter((ending) => ending.literal.length > 1))
        reach.arrivals.push({ ...NOTHING, literal, back: 0, next: op({ op: 'end-call' }, next) })
      this.fillScan(resync, reach)
      resync.edges = resync.edges.map((edge) => this.stopping(edge))
    })
    return { spot, construct }
  }

  /** Adds the opener, and returns how to start inside. */
  private reasoning(dialect: Dialect, template: Template, calls: readonly Entry[]): () => State {
    const builder = this.builder(dialect)
    const { nodes } = template
    const at = nodes.findIndex((node) => node.kind === 'text')
    const opener = nodes.findIndex((node) => node.kind === 'literal')
    const closer = nodes.slice(at + 1).find((node) => node.kind === 'literal')
    if (at === -1 || opener === -1 || opener > at || closer === undefined)
      throw builder.error('reasoning needs an opening marker, ${text} and a closing marker', nodes)
    const behind = builder.first(nodes.slice(at + 1), this.toContent())
    const scan = scanSpot('reasoning', op({ op: 'close-reasoning' }, behind))
    const state = this.addScan('reasoning')
    this.stateOf.set(scan, state)
    this.unfilled.push(() => {
      const interrupted = this.reach([
        ...interrupts,
        ...dialect.ignore.map((markup) => this.drop(dialect, markup, () => state)),
        ...(dialect.dropEndsReasoning ? dialect.drop : []).map((markup) =>
          this.drop(dialect, markup, () => this.text),
        ),
      ])
      const ended = this.reachEnd(scan.next)
      ended.arrivals.unshift(...interrupted.arrivals)
      this.fillScan(state, ended)
    })
    // Calls that are left as text end reasoning all the same: at their opener, which is then read as text.
    const interrupts = !dialect.callEndsReasoning
      ? []
      : this.options.calls
        ? calls
        : this.openersAsText(dialect)
    const body = builder.first(nodes.slice(opener + 1, at), scan)
    const openerNodes = nodes.slice(0, opener + 1)
    const spot = builder.first(openerNodes, op({ op: 'open-reasoning' }, body))
    this.openers.push(this.opener('reasoning', dialect, template, spot))
    if (dialect.strayCloser === 'drop' && closer.kind === 'literal')
      this.openers.push(this.markup(dialect, closer.forms, op(report('stray-closer'), this.toContent())))
    return () => {
      // The opener was pre-filled. One that the model writes all the same is swallowed.
      const again = builder.first(openerNodes, op(report('repeated-opener'), body))
      const without = leaveTo(() => this.state(body))
      return this.state({ at: 'space', next: split({ spot: again }, { spot: without }) })
    }
  }

  private openersAsText(dialect: Dialect): Entry[] {
    const builder = this.builder(dialect)
    const { arrivals } = this.reach(
      dialect.calls.map(({ nodes }) => entryOf(builder.calls(nodes, this.toText(), []))),
    )
    return [...new Set(arrivals.map(({ literal }) => literal))].map((literal) =>
      entryOf(literalSpot([literal], op({ op: 'close-reasoning' }, this.toText()), literal.length)),
    )
  }

  private result(dialect: Dialect, template: Template): void {
    const spot = this.builder(dialect).first(template.nodes, this.toText())
    this.openers.push(this.opener('result', dialect, template, spot))
  }

  /** Markup that means nothing: read to its end, and then the machine is where it was. */
  private drop(dialect: Dialect, template: Template, back: () => State): Entry {
    const leave = leaveTo(back)
    // Back in the text nothing is thought any longer.
    const next = back() === this.text ? op({ op: 'close-reasoning' }, leave) : leave
    const spot = this.builder(dialect).first(template.nodes, op({ op: 'drop' }, next))
    return this.opener('markup', dialect, template, spot)
  }

  private opener(kind: Construct['kind'], dialect: Dialect, template: Template, spot: Spot): Entry {
    this.checkOpener(dialect, template, spot, false)
    return { spot, construct: this.addConstruct(kind, dialect) }
  }

  private markup(dialect: Dialect | undefined, forms: readonly string[], next: Spot): Entry {
    return {
      spot: literalSpot(forms, op({ op: 'drop' }, next)),
      construct: dialect && this.addConstruct('markup', dialect),
    }
  }

  private addConstruct(
    kind: Construct['kind'],
    dialect: Dialect,
    how: 'marked' | 'loose' | 'weak' = 'marked',
    resync?: ScanState,
  ): Construct {
    const construct: Construct = { kind, dialect, weak: how !== 'marked', atStart: how === 'weak', resync }
    this.constructs.push(construct)
    return construct
  }

  private builder(dialect: Dialect): SpotBuilder {
    return new SpotBuilder(dialect, this.options.tools)
  }

  private toText(): Spot {
    return leaveTo(() => this.text)
  }

  private toContent(): Spot {
    return leaveTo(() => this.content)
  }

  /** An opener that could be empty would turn a closer, or nothing at all, into an opener. */
  private checkOpener(dialect: Dialect, template: Template, spot: Spot, weak: boolean): void {
    const { defaults, arrivals } = this.reach([entryOf(spot)])
    const closes = (op: Op) => op.op === 'end-call' || (op.op === 'report' && op.code === 'missing-closer')
    if ((defaults.length > 0 && !weak) || arrivals.some(({ ops }) => ops.some(closes)))
      throw new SluiceError(
        'invalid-template',
        `In the dialect '${dialect.name}', a construct must begin with a marker that is always there; this one can be empty up to its closer: ${showTemplate(template.nodes)}`,
      )
  }

  // ── what can come next ─────────────────────────────────────────────────────────────────────────

  private reach(entries: readonly Entry[]): Reach {
    const reach = new Reach()
    for (const { spot, construct } of entries) this.follow(reach, spot, { ...NOTHING, opens: construct })
    return reach
  }

  /** What can end a capture that takes any text. */
  private reachEnd(spot: Spot): Reach {
    const reach = new Reach(true)
    this.follow(reach, spot, NOTHING)
    return reach
  }

  /** Follows a spot without reading. */
  private follow(reach: Reach, spot: Spot, passed: Passed, seen: readonly Spot[] = []): void {
    const { ops } = passed
    const { inScan } = reach
    const isInCall = ops.some(({ op }) => op === 'end-call')
    const onward = (next: Spot, ...more: Op[]) =>
      this.follow(reach, next, { ...passed, ops: [...ops, ...more] }, seen)
    switch (spot.at) {
      case 'op':
        onward(spot.next, spot.op)
        return
      case 'begin': {
        // Inside a value nothing begins a call, whatever closers are missing.
        if (inScan) return
        const home = spot.interlude && (this.state(spot.interlude) as ScanState)
        onward(spot.next, { op: 'begin-call', home })
        return
      }
      case 'space':
        if (inScan && !ops.some(({ op }) => op === 'report'))
          throw new SluiceError(
            'invalid-template',
            'Free whitespace cannot stand between a value and what ends it; use ${newline} for a line break that is markup.',
          )
        reach.space = true
        onward(spot.next)
        return
      case 'newline': {
        const before = reach.arrivals.length
        onward(spot.next)
        const added = reach.arrivals.splice(before)
        for (const arrival of added) {
          if (!arrival.literal.startsWith('\n')) reach.arrivals.push(arrival)
          if (inScan) reach.arrivals.push({ ...arrival, literal: `\n${arrival.literal}` })
        }
        if (!inScan) reach.arrivals.push({ ...passed, literal: '\n', back: 0, next: spot.next })
        return
      }
      case 'split': {
        if (seen.includes(spot))
          throw new SluiceError('invalid-template', 'What is repeated must not be able to be empty.')
        const inValue = ops.some(({ op }) => op === 'close-value')
        for (const { spot: next, report: code, isGuess = false } of spot.branches) {
          const recovery = code === undefined ? [] : [report(code, inValue || isGuess)]
          this.follow(reach, next, { ...passed, ops: [...ops, ...recovery] }, [...seen, spot])
        }
        return
      }
      case 'literal':
        for (const [literal, next, back] of spelledOut(spot))
          reach.arrivals.push({ ...passed, literal, back, next })
        return
      case 'leave':
        // The closer of an open call is missing and a new call begins: that ends it, but never inside a value.
        if (isInCall && !inScan)
          for (const entry of spot.again()) {
            const leaving = [...ops, report('new-call-before-end')]
            this.follow(reach, entry.spot, { ops: [], opens: entry.construct, leaving }, [...seen, spot])
          }
        break
      case 'interlude': // only between calls: text inside one is no end of it
        break
      default:
        reach.defaults.push({ ...passed, spot })
        return
    }
    if (!isInCall) reach.defaults.push({ ...passed, spot })
  }

  // ── states ─────────────────────────────────────────────────────────────────────────────────────

  private add<Added extends State>(state: Added): Added {
    this.states.push(state)
    return state
  }

  private addScan(channel: Channel, verbatim = false): ScanState {
    const index = this.states.length
    return this.add({ kind: 'scan', index, channel, verbatim, literals: NO_LITERALS, edges: [] })
  }

  private addExpect(): ExpectState {
    const index = this.states.length
    return this.add({ kind: 'expect', index, space: false, literals: NO_LITERALS, edges: [], fallbacks: [] })
  }

  private state(spot: Spot): State {
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
          const reach = this.reach([...this.openers, entryOf(spot.section)])
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

  private fillScan(state: ScanState, reach: Reach): void {
    state.edges = this.edges(reach.arrivals)
    state.literals = this.literals(state.edges, false)
  }

  private literals(edges: readonly Edge[], anchored: boolean): Literals {
    return new Literals(
      edges.map(({ literal }) => literal),
      { anchored, ignoreCase: this.ignoreCase },
    )
  }

  private fillExpect(state: ExpectState, reach: Reach, space: boolean): void {
    state.space = space || reach.space
    state.edges = this.edges(reach.arrivals).map((edge) => this.stopping(edge))
    state.literals = this.literals(state.edges, true)
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

  /** A literal that stops the response does so, too, where it is markup between calls or behind them. */
  private stopping(edge: Edge): Edge {
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

/** A spot at which nothing is opened. */
function entryOf(spot: Spot): Entry {
  return { spot, construct: undefined }
}

function report(code: DiagnosticCode, inValue = false): Op {
  return { op: 'report', code, inValue }
}

/** Inside CDATA: the value goes on, verbatim, until the section ends. */
function cdata(value: Spot): Spot {
  return { ...scanSpot('value', literalSpot([']]>'], value)), verbatim: true }
}

/** A reader that is looked for anywhere in text: the characters it can begin with are its openers. */
function triggered(spot: Spot): Spot {
  if (spot.at === 'read' && spot.type.first !== '') return literalSpot([...spot.type.first], spot, 1)
  if (spot.at === 'op') return op(spot.op, triggered(spot.next))
  return spot
}

/** A literal as it is spelled out, with what it leads to and how much of it is to be read again there. */
type Spelling = readonly [literal: string, next: Spot, back: number]

/**
 * All spellings of a literal, with whatever other literals follow it directly: `<` + optional `ns:` +
 * `thinking>` is two literals of ten characters and more, not one of a single `<`.
 */
function spelledOut(spot: Spot & { at: 'literal' }): Spelling[] {
  const rest: Spelling[] = spot.back > 0 ? [['', spot.next, spot.back]] : continued(spot.next)
  return spot.forms.flatMap((form) => rest.map(([more, next, back]): Spelling => [form + more, next, back]))
}

function continued(spot: Spot): Spelling[] {
  if (spot.at === 'literal') return spelledOut(spot)
  if (
    spot.at === 'split' &&
    spot.branches.every(({ spot, report }) => report === undefined && spot.at === 'literal')
  )
    return spot.branches.flatMap((branch) => spelledOut(branch.spot as Spot & { at: 'literal' }))
  return [['', spot, 0]]
}
