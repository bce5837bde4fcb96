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
  ScanState,
  State,
  Way,
} from './program.ts'
import type { ReaderType } from './reader.ts'
import { type Ending, type Entry, literalSpot, op, type Spot, SpotBuilder } from './spots.ts'
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

/** A literal that can come next, and what taking it does. */
interface Arrival {
  readonly literal: string
  readonly back: number
  /** What becomes of the call that was still open. */
  readonly leaving: readonly Op[]
  readonly ops: readonly Op[]
  readonly next: Spot
  readonly opens: Construct | undefined
}

/** What can be reached from some spots without reading anything. */
class Reach {
  space = false
  readonly arrivals: Arrival[] = []
  readonly defaults: { spot: Spot; ops: readonly Op[]; opens: Construct | undefined }[] = []
}

const NO_LITERALS = new Literals([], { anchored: true, ignoreCase: false })

class Compiler {
  private readonly dialects: readonly Dialect[]
  private readonly options: CompileOptions
  private readonly ignoreCase: boolean
  private readonly states: State[] = []
  private readonly constructs: Construct[] = []
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
      const leaveCall: Spot = { at: 'leave', to: () => afterCall, again: () => calls }
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
        this.fillExpect(afterCall, this.reach([...everyCall, this.free(this.toText())]), true),
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
    if (this.options.codeSpan !== undefined) {
      const read: Spot = {
        at: 'read',
        type: this.options.codeSpan,
        next: this.toText(),
        selfClosed: undefined,
      }
      this.openers.push({ spot: literalSpot(['`'], read, 1), construct: undefined })
    }
    if (weak.length > 0) {
      const content = this.addExpect()
      this.content = content
      this.unfilled.push(() =>
        this.fillExpect(content, this.reach([...weak, this.free(this.toText())]), true),
      )
    }
    this.unfilled.push(() => this.fillScan(this.text, this.reach(this.openers)))
    for (let fill = this.unfilled.shift(); fill !== undefined; fill = this.unfilled.shift()) fill()
    return {
      states: this.states,
      constructs: this.constructs,
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
    const whole = new SpotBuilder(dialect, this.options.tools).calls(template.nodes, leave, endings)
    const spot = how === 'loose' ? triggered(whole) : whole
    this.checkOpener(dialect, template, spot, how === 'weak')
    // A call that went wrong after it was certain: all is its source up to a closer, or the next opener.
    this.unfilled.push(() => {
      const reach = new Reach()
      if (how === 'marked') this.follow(reach, spot, [], construct, false, [], [{ op: 'end-call' }])
      // A bracket ends many things, and is no sign that this call is over.
      for (const { literal, next } of endings.filter((ending) => ending.literal.length > 1))
        reach.arrivals.push({
          literal,
          back: 0,
          leaving: [],
          ops: [],
          next: op({ op: 'end-call' }, next),
          opens: undefined,
        })
      this.fillScan(resync, reach)
      resync.edges = resync.edges.map((edge) => this.stopping(edge))
    })
    return { spot, construct }
  }

  /** Adds the opener, and returns how to start inside. */
  private reasoning(dialect: Dialect, template: Template, calls: readonly Entry[]): () => State {
    const builder = new SpotBuilder(dialect, this.options.tools)
    const { nodes } = template
    const at = nodes.findIndex((node) => node.kind === 'text')
    const opener = nodes.findIndex((node) => node.kind === 'literal')
    const closer = nodes.slice(at + 1).find((node) => node.kind === 'literal')
    if (at === -1 || opener === -1 || opener > at || closer === undefined)
      throw builder.error('reasoning needs an opening marker, ${text} and a closing marker', nodes)
    const scan: Spot = {
      at: 'scan',
      channel: 'reasoning',
      verbatim: false,
      cdata: false,
      next: builder.sequence(nodes.slice(at + 1), this.toContent(), (index, spot) =>
        index === 0 ? op({ op: 'close-reasoning' }, spot) : spot,
      )[0]!,
    }
    const state = this.addScan('reasoning')
    this.stateOf.set(scan, state)
    this.unfilled.push(() => {
      const reach = this.reach([
        ...interrupts,
        ...dialect.ignore.map((markup) => this.drop(dialect, markup, () => state)),
        ...(dialect.dropEndsReasoning ? dialect.drop : []).map((markup) =>
          this.drop(dialect, markup, () => this.text),
        ),
      ])
      this.follow(reach, scan.next, [], undefined, true)
      this.fillScan(state, reach)
    })
    // Calls that are left as text end reasoning all the same: at their opener, which is then read as text.
    const interrupts = !dialect.callEndsReasoning
      ? []
      : this.options.calls
        ? calls
        : this.openersAsText(dialect)
    const body = builder.sequence(nodes.slice(opener + 1, at), scan)[0]!
    const openerNodes = nodes.slice(0, opener + 1)
    const spot = builder.sequence(openerNodes, op({ op: 'open-reasoning' }, body))[0]!
    this.checkOpener(dialect, template, spot, false)
    this.openers.push({ spot, construct: this.addConstruct('reasoning', dialect) })
    if (dialect.strayCloser === 'drop' && closer.kind === 'literal')
      this.openers.push(this.markup(dialect, closer.forms, op(report('stray-closer'), this.toContent())))
    return () => {
      // The opener was pre-filled. One that the model writes all the same is swallowed.
      const again = builder.sequence(openerNodes, op(report('repeated-opener'), body))[0]!
      const without: Spot = { at: 'leave', to: () => this.state(body), again: () => [] }
      return this.state({
        at: 'space',
        next: { at: 'split', branches: [{ spot: again }, { spot: without }] },
      })
    }
  }

  private openersAsText(dialect: Dialect): Entry[] {
    const builder = new SpotBuilder(dialect, this.options.tools)
    const spots = dialect.calls.map(({ nodes }) => builder.calls(nodes, this.toText(), []))
    const literals = new Set(
      this.reach(spots.map((spot) => ({ spot, construct: undefined }))).arrivals.map(
        ({ literal }) => literal,
      ),
    )
    return [...literals].map((literal) => {
      const spot = literalSpot([literal], op({ op: 'close-reasoning' }, this.toText()), literal.length)
      return { spot, construct: undefined }
    })
  }

  private result(dialect: Dialect, template: Template): void {
    const spot = new SpotBuilder(dialect, this.options.tools).sequence(template.nodes, this.toText())[0]!
    this.checkOpener(dialect, template, spot, false)
    this.openers.push({ spot, construct: this.addConstruct('result', dialect) })
  }

  /** Markup that means nothing: read to its end, and then the machine is where it was. */
  private drop(dialect: Dialect, template: Template, back: () => State): Entry {
    const leave: Spot = { at: 'leave', to: back, again: () => [] }
    // Back in the text nothing is thought any longer.
    const next = back() === this.text ? op({ op: 'close-reasoning' }, leave) : leave
    const spot = new SpotBuilder(dialect, this.options.tools).sequence(
      template.nodes,
      op({ op: 'drop' }, next),
    )[0]!
    this.checkOpener(dialect, template, spot, false)
    return { spot, construct: this.addConstruct('markup', dialect) }
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

  private toText(): Spot {
    return { at: 'leave', to: () => this.text, again: () => [] }
  }

  private toContent(): Spot {
    return { at: 'leave', to: () => this.content, again: () => [] }
  }

  private free(spot: Spot): Entry {
    return { spot: { at: 'space', next: spot }, construct: undefined }
  }

  /** An opener that could be empty would turn a closer, or nothing at all, into an opener. */
  private checkOpener(dialect: Dialect, template: Template, spot: Spot, weak: boolean): void {
    const reach = this.reach([{ spot, construct: undefined }])
    const empty = reach.defaults.length > 0 && !weak
    if (
      empty ||
      reach.arrivals.some((arrival) =>
        arrival.ops.some(
          (op) => op.op === 'end-call' || (op.op === 'report' && op.code === 'missing-closer'),
        ),
      )
    )
      throw new SluiceError(
        'invalid-template',
        `In the dialect '${dialect.name}', a construct must begin with a marker that is always there; this one can be empty up to its closer: ${showTemplate(template.nodes)}`,
      )
  }

  // ── what can come next ─────────────────────────────────────────────────────────────────────────

  private reach(entries: readonly Entry[]): Reach {
    const reach = new Reach()
    for (const { spot, construct } of entries) this.follow(reach, spot, [], construct, false)
    return reach
  }

  /**
   * Follows a spot without reading. `inScan`: for the end of a capture that takes any text, where free
   * whitespace cannot be markup and only a literal can end it.
   */
  private follow(
    reach: Reach,
    spot: Spot,
    ops: readonly Op[],
    opens: Construct | undefined,
    inScan: boolean,
    seen: readonly Spot[] = [],
    leaving: readonly Op[] = [],
  ): void {
    const onward = (next: Spot, nextOps = ops, nextSeen = seen) =>
      this.follow(reach, next, nextOps, opens, inScan, nextSeen, leaving)
    switch (spot.at) {
      case 'op':
        onward(spot.next, [...ops, spot.op])
        return
      case 'begin': {
        // Inside a value nothing begins a call, whatever closers are missing.
        if (inScan) return
        const home = spot.interlude && (this.state(spot.interlude) as ScanState)
        onward(spot.next, [...ops, { op: 'begin-call', home }])
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
        if (!inScan) reach.arrivals.push({ literal: '\n', back: 0, leaving, ops, next: spot.next, opens })
        return
      }
      case 'split':
        if (seen.includes(spot))
          throw new SluiceError('invalid-template', 'What is repeated must not be able to be empty.')
        for (const branch of spot.branches) {
          const inValue = ops.some(({ op }) => op === 'close-value')
          const reported =
            branch.report === undefined
              ? ops
              : [...ops, report(branch.report, inValue || branch.isGuess === true)]
          onward(branch.spot, reported, [...seen, spot])
        }
        return
      case 'literal':
        for (const [literal, next, back] of spelledOut(spot))
          reach.arrivals.push({ literal, back, leaving, ops, next, opens })
        return
      case 'leave': {
        const stillOpen = ops.some(({ op }) => op === 'end-call')
        if (!stillOpen) reach.defaults.push({ spot, ops, opens })
        // The closer of an open call is missing and a new call begins: that ends it, but never inside a value.
        else if (!inScan)
          for (const entry of spot.again())
            this.follow(
              reach,
              entry.spot,
              [],
              entry.construct,
              false,
              [...seen, spot],
              [...ops, report('new-call-before-end')],
            )
        return
      }
      case 'interlude':
        // Only between calls: text inside one is no end of it.
        if (!ops.some(({ op }) => op === 'end-call')) reach.defaults.push({ spot, ops, opens })
        return
      default:
        reach.defaults.push({ spot, ops, opens })
    }
  }

  // ── states ─────────────────────────────────────────────────────────────────────────────────────

  private addScan(channel: Channel, verbatim = false): ScanState {
    const state: ScanState = {
      kind: 'scan',
      index: this.states.length,
      channel,
      verbatim,
      literals: NO_LITERALS,
      edges: [],
    }
    this.states.push(state)
    return state
  }

  private addExpect(): ExpectState {
    const state: ExpectState = {
      kind: 'expect',
      index: this.states.length,
      space: false,
      literals: NO_LITERALS,
      edges: [],
      fallbacks: [],
    }
    this.states.push(state)
    return state
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
          const reach = new Reach()
          this.follow(reach, spot.next, [], undefined, true)
          if (spot.cdata)
            reach.arrivals.push({
              literal: '<![CDATA[',
              back: 0,
              leaving: [],
              ops: [],
              next: cdata(spot),
              opens: undefined,
            })
          this.fillScan(state, reach)
        })
        return state
      }
      case 'word': {
        const state: State = {
          kind: 'word',
          index,
          role: spot.role,
          split: spot.split,
          stops: '',
          next: this.text,
        }
        this.states.push(state)
        this.unfilled.push(() => {
          const reach = new Reach()
          this.follow(reach, spot.next, [], undefined, false)
          state.next = this.expect(spot.next, reach)
          const ends = reach.arrivals.map(({ literal }) => literal[0]!)
          for (const { spot: next } of reach.defaults) if (next.at === 'read') ends.push(...next.type.first)
          state.stops = [
            ...new Set([
              ...ends,
              '<',
              '>',
              '\n',
              '\r',
              ...(spot.role === 'key' && !reach.space ? [] : [' ', '\t']),
              ...(spot.role === 'name' ? ['{', '"'] : []),
            ]),
          ].join('')
        })
        return state
      }
      case 'read': {
        this.textArguments ??= spot.type.textArguments
        const way: Way = { ops: [], next: this.text }
        const state: State = { kind: 'read', index, type: spot.type, after: way, selfClosed: undefined }
        this.states.push(state)
        this.unfilled.push(() => {
          state.after = this.way(spot.next)
          state.selfClosed = spot.selfClosed && this.way(spot.selfClosed)
        })
        return state
      }
      case 'interlude': {
        const state = this.addScan('text')
        this.unfilled.push(() => {
          const reach = this.reach(this.openers)
          this.follow(reach, spot.section, [], undefined, false)
          reach.arrivals.reverse() // what the section itself can go on with comes before what could begin anew
          this.fillScan(state, reach)
        })
        return state
      }
      default: {
        const reach = new Reach()
        this.follow(reach, spot, [], undefined, false)
        return this.expect(spot, reach)
      }
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
    state.literals = new Literals(
      state.edges.map(({ literal }) => literal),
      { anchored: false, ignoreCase: this.ignoreCase },
    )
  }

  private fillExpect(state: ExpectState, reach: Reach, space: boolean): void {
    state.space = space || reach.space
    state.edges = this.edges(reach.arrivals).map((edge) => this.stopping(edge))
    state.literals = new Literals(
      state.edges.map(({ literal }) => literal),
      { anchored: true, ignoreCase: this.ignoreCase },
    )
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
    const { ops: after, next } = this.way(arrival.next)
    const { literal, leaving, ops: before, opens, back } = arrival
    return {
      literal,
      leaving,
      before,
      after,
      next,
      opens,
      back,
      alternatives: rivals.map((rival) => this.edge(rival, [])),
    }
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

function report(code: DiagnosticCode, inValue = false): Op {
  return { op: 'report', code, inValue }
}

/** Inside CDATA: the value goes on, verbatim, until the section ends. */
function cdata(value: Spot): Spot {
  return { at: 'scan', channel: 'value', verbatim: true, cdata: false, next: literalSpot([']]>'], value) }
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
