/**
 * A template as a graph of spots: the places between its parts, and what can be read from each.
 *
 *     <function=|name|>            three spots
 */

import type { TextArguments } from '../calls/text-arguments.ts'
import { SluiceError } from '../errors.ts'
import type { DiagnosticCode } from '../event.ts'
import type { Dialect } from './dialect.ts'
import type { Channel, Construct, Op, State } from './program.ts'
import type { ReaderType } from './reader.ts'
import { type Node, showTemplate, type ToolOnTheWire, type WordRole, type WordSplit } from './template.ts'

export type Spot =
  | { readonly at: 'literal'; readonly forms: readonly string[]; readonly back: number; readonly next: Spot }
  | { readonly at: 'space'; readonly next: Spot }
  /** At most one line break. */
  | { readonly at: 'newline'; readonly next: Spot }
  | {
      readonly at: 'word'
      readonly role: WordRole
      readonly split: WordSplit | undefined
      readonly next: Spot
    }
  | ScanSpot
  | {
      readonly at: 'read'
      readonly type: ReaderType
      readonly next: Spot
      readonly selfClosed: Spot | undefined
    }
  | SplitSpot
  | { readonly at: 'op'; readonly op: Op; readonly next: Spot }
  /** Another call of a section begins. `interlude`: where its source goes if it turns out to be none. */
  | { readonly at: 'begin'; readonly interlude: Spot | undefined; readonly next: Spot }
  /** The construct is over. `again`: what may begin anew here. */
  | { readonly at: 'leave'; readonly to: () => State; readonly again: () => readonly Entry[] }
  /** Something came between the calls of a section that belongs to neither of them. */
  | { readonly at: 'interlude'; readonly section: Spot }

interface ScanSpot {
  readonly at: 'scan'
  readonly channel: Channel
  readonly next: Spot
  readonly verbatim?: boolean
  readonly cdata?: boolean | undefined
  /** What takes the value of an argument. */
  readonly textArguments?: typeof TextArguments
}

interface SplitSpot {
  readonly at: 'split'
  branches: readonly Branch[]
}

interface Branch {
  readonly spot: Spot
  /** Taking it is a recovery, and this is what it is called. */
  readonly report?: DiagnosticCode
  /** What it passes over may have held something. */
  readonly isGuess?: boolean
}

/** A spot together with what begins there. */
export interface Entry {
  readonly spot: Spot
  /** What the machine must know of it; absent where nothing is opened. */
  readonly construct: Construct | undefined
}

/** Where a literal that ends a construct leads. */
export interface Ending {
  readonly literal: string
  readonly next: Spot
}

export const op = (operation: Op, next: Spot): Spot => ({ at: 'op', op: operation, next })

export const literalSpot = (forms: readonly string[], next: Spot, back = 0): Spot => ({
  at: 'literal',
  forms,
  back,
  next,
})

export const scanSpot = (channel: Channel, next: Spot): ScanSpot => ({ at: 'scan', channel, next })

export const readSpot = (type: ReaderType, next: Spot, selfClosed?: Spot): Spot => ({
  at: 'read',
  type,
  next,
  selfClosed,
})

export const split = (...branches: Branch[]): SplitSpot => ({ at: 'split', branches })

export const leaveTo = (to: () => State, again: () => readonly Entry[] = () => []): Spot => ({
  at: 'leave',
  to,
  again,
})

/** Builds the spots of one template. */
export class SpotBuilder {
  private readonly dialect: Dialect
  private readonly tools: readonly ToolOnTheWire[]

  constructor(dialect: Dialect, tools: readonly ToolOnTheWire[]) {
    this.dialect = dialect
    this.tools = tools
  }

  error(problem: string, nodes: readonly Node[]): SluiceError {
    return new SluiceError(
      'invalid-template',
      `In the dialect '${this.dialect.name}', ${problem}: ${showTemplate(nodes)}`,
    )
  }

  /** A whole call template: a single call, or a section of several. */
  calls(nodes: readonly Node[], leave: Spot, endings: Ending[]): Spot {
    const perTool = nodes.findIndex((node) => node.kind === 'per-tool')
    if (perTool !== -1) return this.perTool(nodes, perTool, leave, endings)
    const section = nodes.findIndex((node) => node.kind === 'each' && namesCall(node.body))
    if (section === -1) return this.call(nodes, leave, endings)
    const each = nodes[section] as Node & { kind: 'each' }
    const rest = this.sequence(nodes.slice(section + 1), leave)
    collectEndings(nodes.slice(section + 1), rest, endings)
    return this.first(nodes.slice(0, section), this.section(each, rest[0]!, endings))
  }

  private perTool(nodes: readonly Node[], at: number, leave: Spot, endings: Ending[]): Spot {
    const node = nodes[at] as Node & { kind: 'per-tool' }
    const branches = this.tools.map((tool) => {
      const whole = [...nodes.slice(0, at), ...node.make(tool).nodes, ...nodes.slice(at + 1)]
      return { spot: op({ op: 'named', name: tool.name }, this.call(whole, leave, endings, tool.name)) }
    })
    return split(...branches)
  }

  /** `call (separator call)* rest` */
  private section(each: Node & { kind: 'each' }, rest: Spot, endings: Ending[]): Spot {
    const loop = split({ spot: rest })
    const call = this.calls(each.body, loop, endings)
    // With a separator between the calls, anything else is the end of the section.
    const interlude: Spot | undefined =
      each.separator.length === 0 ? { at: 'interlude', section: loop } : undefined
    const next = this.first(each.separator, { at: 'begin', interlude, next: call })
    loop.branches = [{ spot: next }, ...loop.branches, ...(interlude ? [{ spot: interlude }] : [])]
    return call
  }

  /** One call. It is over when its last part that cannot be missing was read; closers come after. */
  private call(nodes: readonly Node[], next: Spot, endings: Ending[], tool?: string): Spot {
    const isTail = (node: Node): boolean =>
      node.kind === 'closer' ||
      node.kind === 'space' ||
      node.kind === 'newline' ||
      (node.kind === 'optional' &&
        !node.isInside &&
        node.body.every((part) => part.kind === 'literal' || isTail(part)))
    let tail = nodes.length
    while (tail > 0 && isTail(nodes[tail - 1]!)) tail--
    let endAt = tail
    if (tail > 0 && !endsByItself(nodes[tail - 1]!)) {
      const close = nodes.findIndex((node, index) => index >= tail && node.kind === 'closer')
      if (close === -1) throw this.error('nothing says where the last part ends', nodes)
      endAt = close + 1
    }
    const certainAfter = this.certainAfter(nodes, tool)
    const spots = this.sequence(nodes, next, (index, spot) => {
      let result = spot
      if (index === endAt) result = op({ op: 'end-call' }, result)
      if (certainAfter !== -1 && index === certainAfter + 1) result = op({ op: 'certain' }, result)
      return result
    })
    let lastCapture = nodes.length - 1
    while (lastCapture >= 0 && (isTail(nodes[lastCapture]!) || nodes[lastCapture]!.kind === 'literal'))
      lastCapture--
    const last = nodes[lastCapture]
    if (last?.kind === 'reader' && last.type.closer !== undefined)
      endings.push({ literal: last.type.closer, next: spots[lastCapture + 1]! })
    collectEndings(nodes.slice(lastCapture + 1), spots.slice(lastCapture + 1), endings)
    return spots[0]!
  }

  /**
   * The part after which the call's name (and its id, where that comes first) is known; -1 where a reader knows.
   * Where the markup was made for one tool, that is the first part that holds the tool's name.
   */
  private certainAfter(nodes: readonly Node[], tool: string | undefined): number {
    let last = -1
    let reached: Node[] = []
    let isNamed = tool === undefined
    for (const [index, node] of nodes.entries()) {
      reached = [node]
      if (node.kind === 'each' || node.kind === 'value' || node.kind === 'reader') break
      if (!isNamed || namesCall(reached)) last = index
      isNamed ||= showTemplate(reached).includes(tool!)
    }
    if (last === -1 && !namesCall(reached))
      throw this.error('no part of a call gives its name before its arguments', nodes)
    return last
  }

  /** The spots before each part and after the last. `mark` may put operations at an index. */
  sequence(
    nodes: readonly Node[],
    next: Spot,
    mark: (index: number, spot: Spot) => Spot = (_, spot) => spot,
  ): Spot[] {
    const spots: Spot[] = new Array(nodes.length + 1)
    spots[nodes.length] = mark(nodes.length, next)
    for (let index = nodes.length - 1; index >= 0; index--)
      spots[index] = mark(index, this.part(nodes, index, spots))
    return spots
  }

  /** The spot before the first of these parts. */
  first(nodes: readonly Node[], next: Spot): Spot {
    return this.sequence(nodes, next)[0]!
  }

  /** `<tag/>`: whatever stood between it and its closer is empty. */
  private selfClosed(between: readonly Node[], next: Spot): Spot {
    const value = between.find((node) => node.kind === 'value')
    const after =
      value === undefined
        ? next
        : op({ op: 'open-value', options: value.options }, op({ op: 'close-value' }, next))
    return op({ op: 'certain' }, after)
  }

  private part(nodes: readonly Node[], index: number, spots: readonly Spot[]): Spot {
    const node = nodes[index]!
    const next = spots[index + 1]!
    switch (node.kind) {
      case 'literal':
        return literalSpot(node.forms, next, node.back)
      case 'space':
      case 'newline':
        return { at: node.kind, next }
      case 'word':
        return { at: 'word', role: node.role, split: node.split, next }
      case 'value': {
        const { options, textArguments } = node
        const scan = scanSpot('value', op({ op: 'close-value' }, next))
        return op({ op: 'open-value', options }, { ...scan, cdata: options.cdata, textArguments })
      }
      case 'text':
        return op({ op: 'open-result' }, scanSpot('result', op({ op: 'close-result' }, next)))
      case 'skip':
        return scanSpot('nowhere', next)
      case 'reader':
        return readSpot(node.type, next)
      case 'tag': {
        const closes = nodes.findIndex(
          (other, at) =>
            at > index && formsOf(other).some((form) => node.closers.some((start) => form.startsWith(start))),
        )
        const follows = nodes[index + 1]
        let selfClosed: Spot | undefined
        if (closes !== -1) {
          const behind = spots[closes + 1]!
          // A call that was over before its closer is over here, too.
          const after = spots.slice(index + 1, closes + 1).some(endsCall)
            ? op({ op: 'end-call' }, behind)
            : behind
          selfClosed = this.selfClosed(nodes.slice(index + 1, closes), after)
        } else if (follows?.kind === 'reader' && follows.type.closer !== undefined)
          selfClosed = this.selfClosed([], spots[index + 2]!)
        return literalSpot(node.forms, readSpot(node.type, next, selfClosed), 1)
      }
      case 'each': {
        const loop = split({ spot: next })
        const body = this.first(node.body, loop)
        loop.branches = [{ spot: this.first(node.separator, body) }, ...loop.branches]
        return node.atLeastOne ? body : split({ spot: body }, { spot: next })
      }
      case 'optional':
        return split({ spot: this.first(node.body, next) }, { spot: next })
      case 'wrapper':
        return split({ spot: this.first(node.body, next) }, { spot: next, report: 'call-without-wrapper' })
      case 'extra': {
        const loop = split({ spot: next })
        loop.branches = [{ spot: this.first(node.body, loop), report: 'repeated-opener' }, ...loop.branches]
        return loop
      }
      case 'closer': {
        const isGuess = node.body.some(({ kind }) => kind === 'value')
        return split({ spot: this.first(node.body, next) }, { spot: next, report: 'missing-closer', isGuess })
      }
      case 'either':
        return split(...node.choices.map((choice) => ({ spot: this.first(choice, next) })))
      case 'per-tool':
        throw this.error('a template per tool can only stand at the top of a call', nodes)
    }
  }
}

/** Does one of these parts give the call's name, or the id it comes with? */
export function namesCall(nodes: readonly Node[]): boolean {
  return nodes.some((node) => {
    switch (node.kind) {
      case 'word':
        return node.role !== 'key'
      case 'tag':
        return node.header
      case 'reader':
        return node.type.namesCall
      case 'per-tool':
        return true
      case 'each':
      case 'optional':
      case 'wrapper':
      case 'closer':
        return namesCall(node.body)
      case 'either':
        return node.choices.some(namesCall)
      default:
        return false
    }
  })
}

/** Is the call over as soon as this spot is reached? */
function endsCall(spot: Spot): boolean {
  return spot.at === 'op' && (spot.op.op === 'end-call' || endsCall(spot.next))
}

/** A part whose end is seen without looking at what follows. */
function endsByItself(node: Node): boolean {
  switch (node.kind) {
    case 'literal':
    case 'reader':
    case 'tag':
      return true
    case 'optional':
      return node.isInside === true
    case 'closer':
      return node.body.length > 0 && endsByItself(node.body.at(-1)!)
    case 'either':
      return node.choices.every((choice) => choice.length > 0 && endsByItself(choice.at(-1)!))
    default:
      return false
  }
}

function formsOf(node: Node): readonly string[] {
  if (node.kind === 'literal') return node.forms
  return node.kind === 'closer' && node.body[0] !== undefined ? formsOf(node.body[0]) : []
}

/** The markers at the end of a construct, each with the spot behind it: where a failed call is over. */
function collectEndings(nodes: readonly Node[], spots: readonly Spot[], endings: Ending[]): void {
  for (const [index, node] of nodes.entries())
    for (const form of formsOf(node))
      if (!endings.some((ending) => ending.literal === form))
        endings.push({ literal: form, next: spots[index + 1]! })
}
