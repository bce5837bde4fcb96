/**
 * A template as a graph of spots: the places between its parts, and what can be read from each.
 *
 *     <function=|name|>            three spots
 */

import type { TextArguments } from '../calls/text-arguments.ts'
import type { OwnOpener } from '../calls/value-watch.ts'
import type { DiagnosticCode } from '../event.ts'
import type { BeginCall, Channel, Construct, Op, State } from './program.ts'
import type { ReaderType } from './reader.ts'
import {
  insideOf,
  type Node,
  showTemplate,
  type ToolOnTheWire,
  type WordRole,
  type WordSplit,
} from './template.ts'

export type Spot =
  | { readonly at: 'literal'; readonly forms: readonly string[]; readonly back: number; readonly next: Spot }
  | { readonly at: 'space'; readonly next: Spot }
  /** At most one line break. `isPaired`: there is one before the value that ends here. */
  | { readonly at: 'newline'; readonly next: Spot; readonly isPaired?: true }
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
  | Opener
  /** The construct is over. `again`: what may begin anew here although the call before it was not closed. */
  | { readonly at: 'leave'; readonly to: () => State; readonly again: SplitSpot }
  /** Something came between the calls of a section that belongs to neither of them. `begin`: how the next one begins. */
  | { readonly at: 'interlude'; readonly section: Spot; readonly begin: BeginCall }

interface ScanSpot {
  readonly at: 'scan'
  readonly channel: Channel
  readonly next: Spot
  readonly verbatim?: boolean
  /** The marker before it. */
  readonly own?: OwnOpener | undefined
  /** What is read behind a call that ended this reasoning. */
  readonly behindCall?: Spot
  /** Literals that stop the response if they end it. */
  readonly stops?: readonly string[]
  /** What takes the value of an argument. */
  readonly textArguments?: typeof TextArguments
}

/** One of several ways to go on. Some of them are known only when all else is made. */
export interface SplitSpot {
  readonly at: 'split'
  readonly ways: Spot[]
}

/** Something begins. All that was passed on the way here is what becomes of the call before it. */
export interface Opener {
  readonly at: 'open'
  readonly opens: Construct
  readonly next: Spot
}

/** The markers that end a call, each with the spot behind it: where a call that failed is over. */
export type Endings = Map<string, Spot>

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

export const split = (...ways: Spot[]): SplitSpot => ({ at: 'split', ways })

/** A way that is a recovery. `isGuess`: what it passes over may have held something. */
export const recovery = (code: DiagnosticCode, next: Spot, isGuess = false): Spot =>
  op({ op: 'report', code, inValue: isGuess }, next)

export const leaveTo = (to: () => State, again = split()): Spot => ({ at: 'leave', to, again })

// ── calls ────────────────────────────────────────────────────────────────────────────────────────

/** A whole call template: a single call, one for each tool, or a section of several. */
export function callSpots(
  nodes: readonly Node[],
  tools: readonly ToolOnTheWire[],
  leave: Spot,
  endings: Endings,
): Spot {
  for (const [at, node] of nodes.entries()) {
    const before = nodes.slice(0, at)
    const behind = nodes.slice(at + 1)
    if (node.kind === 'per-tool')
      return split(
        ...tools.map((tool) => {
          const whole = [...before, ...node.make(tool).nodes, ...behind]
          return op({ op: 'named', name: tool.name }, callSpot(whole, leave, endings, tool.name))
        }),
      )
    if (isSection(node)) {
      // `call (separator call)* rest`
      const rest = spotsOf(behind, leave)
      const loop = split(rest[0]!)
      collectEndings(behind, rest, 0, endings)
      const call = callSpots(node.body, tools, loop, endings)
      const begin: BeginCall = { op: 'begin-call', home: undefined }
      loop.ways.unshift(firstSpot(node.separator, op(begin, call)))
      // With a separator between the calls, anything else is the end of the section.
      if (node.separator.length === 0)
        loop.ways.push(recovery('unexpected-text', { at: 'interlude', section: loop, begin }))
      return firstSpot(before, call)
    }
  }
  return callSpot(nodes, leave, endings)
}

/** Whole calls that are repeated. */
export function isSection(node: Node): node is Node & { kind: 'each' } {
  return node.kind === 'each' && namesCall(node.body)
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
      default:
        return insideOf(node).some(namesCall)
    }
  })
}

/** One call. It is over when its last part that cannot be missing was read; closers come after. */
function callSpot(nodes: readonly Node[], next: Spot, endings: Endings, tool = ''): Spot {
  const end = endOf(nodes)
  const certain = certainAt(nodes, tool)
  const spots = spotsOf(nodes, next, (index, spot) => {
    const here = index === end ? op({ op: 'end-call' }, spot) : spot
    return index === certain ? op({ op: 'certain' }, here) : here
  })
  collectEndings(nodes, spots, countUpTo(nodes, isMarkup) - 1, endings)
  return spots[0]!
}

/** How many parts of a call have been read when it is over; 0 if nothing says where the last one ends. */
export function endOf(nodes: readonly Node[]): number {
  const last = countUpTo(nodes, isTail)
  if (endsByItself(nodes.slice(0, last))) return last
  return nodes.findIndex((node, index) => index >= last && node.kind === 'closer') + 1
}

/** How many parts there are up to the last one that is not like this. */
function countUpTo(nodes: readonly Node[], isLikeThis: (node: Node) => boolean): number {
  let count = nodes.length
  while (count > 0 && isLikeThis(nodes[count - 1]!)) count--
  return count
}

/** What may be missing behind a call. */
function isTail(node: Node): boolean {
  return (
    node.kind === 'closer' ||
    node.kind === 'space' ||
    node.kind === 'newline' ||
    (node.kind === 'optional' && !node.isInside && node.body.every(isMarkup))
  )
}

function isMarkup(node: Node): boolean {
  return node.kind === 'literal' || isTail(node)
}

/** Is the end of the last part seen without looking at what follows? */
function endsByItself(nodes: readonly Node[]): boolean {
  const last = nodes.at(-1)
  switch (last?.kind) {
    case 'literal':
    case 'reader':
    case 'tag':
      return true
    case 'optional':
      return last.isInside === true
    case 'closer':
      return endsByItself(last.body)
    case 'either':
      return last.choices.every(endsByItself)
    default:
      return false
  }
}

/**
 * How many parts have been read when the call's name (and its id, where that comes first) is known; -1 where a reader
 * knows. Where the markup was made for one tool, that is behind the first part that holds the tool's name.
 */
function certainAt(nodes: readonly Node[], tool: string): number {
  let certain = -1
  let isNamed = tool === ''
  for (const [index, node] of nodes.entries()) {
    if (node.kind === 'each' || node.kind === 'value' || node.kind === 'reader') break
    if (!isNamed || namesCall([node])) certain = index + 1
    isNamed ||= showTemplate([node]).includes(tool)
  }
  return certain
}

/** The first of several that end alike is the one that counts. */
function collectEndings(
  nodes: readonly Node[],
  spots: readonly Spot[],
  from: number,
  endings: Endings,
): void {
  for (const [index, node] of nodes.entries())
    if (index >= from)
      for (const marker of endMarkers(node)) if (!endings.has(marker)) endings.set(marker, spots[index + 1]!)
}

/** The spellings of a marker that may end something: one that stands there, or the one that a reader reads itself. */
function endMarkers(node: Node | undefined): readonly string[] {
  if (node?.kind === 'literal') return node.forms
  if (node?.kind === 'reader' && node.type.closer !== undefined) return [node.type.closer]
  return node?.kind === 'closer' ? endMarkers(node.body[0]) : []
}

// ── parts ────────────────────────────────────────────────────────────────────────────────────────

/** The spots before each part and after the last. `mark` may put operations at an index. */
function spotsOf(
  nodes: readonly Node[],
  next: Spot,
  mark: (index: number, spot: Spot) => Spot = (_, spot) => spot,
): Spot[] {
  const spots: Spot[] = new Array(nodes.length + 1)
  spots[nodes.length] = mark(nodes.length, next)
  for (let index = nodes.length - 1; index >= 0; index--)
    spots[index] = mark(index, spotBefore(nodes, index, spots))
  return spots
}

/** The spot before the first of these parts. */
export function firstSpot(nodes: readonly Node[], next: Spot): Spot {
  return spotsOf(nodes, next)[0]!
}

function spotBefore(nodes: readonly Node[], index: number, spots: readonly Spot[]): Spot {
  const node = nodes[index]!
  const next = spots[index + 1]!
  switch (node.kind) {
    case 'literal':
      return literalSpot(node.forms, next, node.back)
    case 'newline': {
      const value = nodes[index + 1]
      if (value?.kind === 'value' && nodes[index + 2]?.kind === 'newline')
        return linedValue(value, spots[index + 3]!, ownOpener(nodes, index + 1))
      return { at: 'newline', next }
    }
    case 'space':
      return { at: 'space', next }
    case 'word':
      return { at: 'word', role: node.role, split: node.split, next }
    case 'value':
      return valueSpot(node, next, ownOpener(nodes, index))
    case 'text': {
      const scan: Spot = {
        ...scanSpot('result', op({ op: 'close-result' }, next)),
        own: ownOpener(nodes, index),
      }
      return op({ op: 'open-result' }, scan)
    }
    case 'skip':
      return { ...scanSpot('nowhere', next), own: ownOpener(nodes, index) ?? NO_OPENER }
    case 'reader':
      return readSpot(node.type, next)
    case 'tag': {
      const isCloser = (marker: string) => node.closers.some((start) => marker.startsWith(start))
      const closes = nodes.findIndex((other, at) => at > index && endMarkers(other).some(isCloser))
      const selfClosed = closes === -1 ? undefined : emptySpot(nodes, index + 1, closes, spots)
      return literalSpot(node.forms, readSpot(node.type, next, selfClosed), 1)
    }
    case 'each': {
      const loop = split(next)
      const body = firstSpot(node.body, loop)
      loop.ways.unshift(firstSpot(node.separator, body))
      return node.atLeastOne ? body : loop
    }
    case 'extra': {
      const loop = split(next)
      loop.ways.unshift(recovery('repeated-opener', firstSpot(node.body, loop)))
      return loop
    }
    case 'optional':
      return split(firstSpot(node.body, next), next)
    case 'wrapper':
      return split(firstSpot(node.body, next), recovery('call-without-wrapper', next))
    case 'closer': {
      const isGuess = node.body.some(({ kind }) => kind === 'value')
      return split(firstSpot(node.body, next), recovery('missing-closer', next, isGuess))
    }
    case 'either':
      return split(...node.choices.map((choice) => firstSpot(choice, next)))
    case 'per-tool':
      return next // it stands at the top of a call, or is refused
  }
}

function valueSpot(
  { options, textArguments }: Node & { kind: 'value' },
  next: Spot,
  own: OwnOpener | undefined,
): Spot {
  const ends = split(op({ op: 'close-value' }, next))
  const scan: Spot = { ...scanSpot('value', ends), own, textArguments }
  if (options.cdata) {
    // Inside CDATA the value goes on, verbatim, until the section ends.
    const verbatim: Spot = { ...scanSpot('value', literalSpot([']]>'], scan)), verbatim: true }
    ends.ways.push(literalSpot(['<![CDATA['], verbatim))
  }
  return op({ op: 'open-value', options: { ...options, opener: own } }, scan)
}

/**
 * A value with optional line breaks around it. The one at its end is markup only if there is one at its start.
 *
 *     <parameter=text>⏎a⏎</parameter>      a
 *     <parameter=text>a⏎</parameter>       a⏎
 */
function linedValue(value: Node & { kind: 'value' }, next: Spot, own: OwnOpener | undefined): Spot {
  const lined = valueSpot(value, { at: 'newline', next, isPaired: true }, own)
  return split(literalSpot(['\n'], lined), valueSpot(value, next, own))
}

/** The marker before raw text, and those that close it. */
const NO_OPENER: OwnOpener = { forms: [], closers: [], isTag: false, isSpeech: false }

export function ownOpener(nodes: readonly Node[], index: number): OwnOpener | undefined {
  const before = nodes.slice(0, index).filter(({ kind }) => kind !== 'space' && kind !== 'newline')
  // What follows a key or a header only ends that: `<parameter=city>` begins with `<parameter=`.
  const opener = before.reverse().find((node, at) => {
    const kind = before[at + 1]?.kind
    return node.kind === 'tag' || (node.kind === 'literal' && kind !== 'word' && kind !== 'reader')
  })
  if (opener?.kind !== 'tag' && opener?.kind !== 'literal') return undefined
  return {
    forms: opener.forms,
    closers: endMarkers(nodes.slice(index + 1).find((node) => endMarkers(node).length > 0)),
    isTag: opener.kind === 'tag' && opener.forms.some((form) => form.endsWith('/')),
    isSpeech: nodes[index]!.kind === 'text',
  }
}

/** `<tag/>`: whatever stood between it and its closer is empty. */
function emptySpot(nodes: readonly Node[], from: number, closes: number, spots: readonly Spot[]): Spot {
  const behind = spots[closes + 1]!
  // A call that was over before its closer is over here, too.
  const after = spots.slice(from, closes + 1).some(endsCall) ? op({ op: 'end-call' }, behind) : behind
  const value = nodes.slice(from, closes).find((node) => node.kind === 'value')
  const empty = value
    ? op({ op: 'open-value', options: value.options }, op({ op: 'close-value' }, after))
    : after
  return op({ op: 'certain' }, empty)
}

/** Is the call over as soon as this spot is reached? */
function endsCall(spot: Spot): boolean {
  return spot.at === 'op' && (spot.op.op === 'end-call' || endsCall(spot.next))
}
