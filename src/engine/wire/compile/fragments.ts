/**
 * From templates to graphs, by Thompson's construction: the parts are taken from the last to the first, and each
 * becomes a fragment that leads to the node behind it.
 *
 *     each`A`  ─►  loop = split ─► A ─► loop
 *                         └─────► next
 */

import type { OwnOpener } from '../../calls/value-watch.ts'
import { certainAt, endMarkers, endOf, firstEnding, isSection } from '../call-layout.ts'
import type { BeginCall } from '../program.ts'
import { insideOf, type Node, type ToolOnTheWire } from '../template.ts'
import { type GraphNode, literalNode, op, readNode, recovery, scanNode, split } from './graph.ts'

/** The markers that end a call, each with the node behind it: where a call that failed is over. */
export type Endings = Map<string, GraphNode>

// ── calls ────────────────────────────────────────────────────────────────────────────────────────

/** The graph of a whole call template: a single call, one for each tool, or a section of several. */
export function callsGraph(
  nodes: readonly Node[],
  tools: readonly ToolOnTheWire[],
  leave: GraphNode,
  endings: Endings,
): GraphNode {
  for (const [at, node] of nodes.entries()) {
    const before = nodes.slice(0, at)
    const behind = nodes.slice(at + 1)
    if (node.kind === 'per-tool')
      return split(
        ...tools.map((tool) => {
          const whole = [...before, ...node.make(tool).nodes, ...behind]
          return op({ op: 'named', name: tool.name }, callGraph(whole, leave, endings, tool.name))
        }),
      )
    if (isSection(node)) {
      // call (separator call)* rest
      const rest = positions(behind, leave)
      const loop = split(rest[0]!)
      collectEndings(behind, rest, 0, endings)
      const call = callsGraph(node.body, tools, loop, endings)
      const begin: BeginCall = { op: 'begin-call', returnState: undefined }
      const another = op(begin, call)
      loop.branches.unshift(graphOf(node.separator, node.mayTrail ? split(rest[0]!, another) : another))
      // With a separator between the calls, anything else ends the section.
      if (node.separator.length === 0)
        loop.branches.push(recovery('unexpected-text', { kind: 'interlude', section: loop, begin }))
      return graphOf(before, call)
    }
  }
  return callGraph(nodes, leave, endings)
}

/** The graph of one call, with operations where the call is certain and where it is over. */
function callGraph(nodes: readonly Node[], next: GraphNode, endings: Endings, tool = ''): GraphNode {
  const end = endOf(nodes)
  const certain = certainAt(nodes, tool)
  const call = positions(nodes, next, (index, node) => {
    const here = index === end ? op({ op: 'end-call' }, node) : node
    return index === certain ? op({ op: 'certain' }, here) : here
  })
  collectEndings(nodes, call, firstEnding(nodes), endings)
  return call[0]!
}

/** Where several parts end alike, the first counts. */
function collectEndings(
  nodes: readonly Node[],
  graph: readonly GraphNode[],
  from: number,
  endings: Endings,
): void {
  for (const [index, node] of nodes.entries())
    if (index >= from)
      for (const marker of endMarkers(node)) if (!endings.has(marker)) endings.set(marker, graph[index + 1]!)
}

// ── parts ────────────────────────────────────────────────────────────────────────────────────────

/** The graph of these parts, which continues at `next`. */
export function graphOf(nodes: readonly Node[], next: GraphNode): GraphNode {
  return positions(nodes, next)[0]!
}

/** The graph nodes before each part and behind the last. `mark` may add operations at an index. */
function positions(
  nodes: readonly Node[],
  next: GraphNode,
  mark: (index: number, node: GraphNode) => GraphNode = (_, node) => node,
): GraphNode[] {
  const graph: GraphNode[] = new Array(nodes.length + 1)
  graph[nodes.length] = mark(nodes.length, next)
  for (let index = nodes.length - 1; index >= 0; index--)
    graph[index] = mark(index, fragment(nodes, index, graph))
  return graph
}

/** One part. `graph` is complete behind it. */
function fragment(nodes: readonly Node[], index: number, graph: readonly GraphNode[]): GraphNode {
  const node = nodes[index]!
  const next = graph[index + 1]!
  switch (node.kind) {
    case 'literal':
      return literalNode(node.forms, next, node.back)
    case 'newline': {
      const value = nodes[index + 1]
      if (value?.kind === 'value' && nodes[index + 2]?.kind === 'newline')
        return valueBetweenNewlines(value, graph[index + 3]!, ownOpener(nodes, index + 1))
      return { kind: 'newline', next }
    }
    case 'space':
      return { kind: 'space', next }
    case 'word':
      return {
        ...{ kind: 'word', role: node.role, split: node.split, isInTag: node.isInTag, isFree: node.isFree },
        next,
      }
    case 'unnamed':
      return op({ op: 'unnamed' }, next)
    case 'value':
      return valueFragment(node, next, ownOpener(nodes, index))
    case 'text': {
      const scan: GraphNode = {
        ...scanNode('result', op({ op: 'close-result' }, next)),
        own: ownOpener(nodes, index),
      }
      return op({ op: 'open-result' }, scan)
    }
    case 'skip':
      return { ...scanNode('nowhere', next), own: ownOpener(nodes, index) ?? NO_OPENER }
    case 'reader':
      return readNode(node.type, next)
    case 'tag': {
      const isCloser = (marker: string) => node.closers.some((start) => marker.startsWith(start))
      const closes = nodes.findIndex((other, at) => at > index && endMarkers(other).some(isCloser))
      const selfClosed = closes === -1 ? undefined : emptyElement(nodes, index + 1, closes, graph)
      return literalNode(node.forms, readNode(node.type, next, selfClosed), 1)
    }
    case 'each': {
      const loop = split(next)
      const body = graphOf(node.body, loop)
      loop.branches.unshift(graphOf(node.separator, body))
      return node.atLeastOne ? body : loop
    }
    case 'extra': {
      const loop = split(next)
      loop.branches.unshift(recovery(node.code, graphOf(node.body, loop)))
      return loop
    }
    case 'again': {
      const loop = split(next)
      const begin: BeginCall = { op: 'begin-call', returnState: undefined }
      const call = callGraph(node.body, loop, new Map())
      loop.branches.unshift({ kind: 'space', next: op(begin, recovery('call-without-wrapper', call)) })
      return loop
    }
    case 'optional':
      return split(graphOf(node.body, next), next)
    case 'wrapper':
      return split(graphOf(node.body, next), recovery('call-without-wrapper', next))
    case 'reported':
      return recovery(node.code, next, node.code !== 'empty-arguments')
    case 'closer': {
      return split(graphOf(node.body, next), recovery('missing-closer', next, holdsValue(node.body)))
    }
    case 'either':
      return split(...node.choices.map((choice) => graphOf(choice, next)))
    case 'per-tool':
      return next // `callsGraph` expands it at the top of a call; the checks refuse it elsewhere
  }
}

/** Without these parts, a value is missing, too. */
function holdsValue(nodes: readonly Node[]): boolean {
  return nodes.some((node) => node.kind === 'value' || insideOf(node).some(holdsValue))
}

function valueFragment(
  { options, textArguments }: Node & { kind: 'value' },
  next: GraphNode,
  own: OwnOpener | undefined,
): GraphNode {
  const ends = split(op({ op: 'close-value' }, next))
  const scan: GraphNode = { ...scanNode('value', ends), own, textArguments }
  if (options.cdata) {
    // Inside CDATA the value continues, verbatim, up to the end of the section.
    const verbatim: GraphNode = { ...scanNode('value', literalNode([']]>'], scan)), verbatim: true }
    ends.branches.push(literalNode(['<![CDATA['], verbatim))
  }
  return op({ op: 'open-value', options: { ...options, opener: own } }, scan)
}

/**
 * A value with optional line breaks around it. The one behind it is markup only if there is one before it.
 *
 *     <parameter=text>⏎a⏎</parameter>      a
 *     <parameter=text>a⏎</parameter>       a⏎
 */
function valueBetweenNewlines(
  value: Node & { kind: 'value' },
  next: GraphNode,
  own: OwnOpener | undefined,
): GraphNode {
  const paired = valueFragment(value, { kind: 'newline', next, isPaired: true }, own)
  return split(literalNode(['\n'], paired), valueFragment(value, next, own))
}

/** Of text that is skipped behind no marker. */
const NO_OPENER: OwnOpener = { forms: [], closers: [], isTag: false, isSpeech: false }

/** The marker before raw text, and those that close it. */
export function ownOpener(nodes: readonly Node[], index: number): OwnOpener | undefined {
  const before = nodes.slice(0, index).filter(({ kind }) => kind !== 'space' && kind !== 'newline')
  // A literal behind a key or a header only ends that: `<parameter=city>` begins with `<parameter=`.
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

/** `<tag/>`: all that stands between the tag and its closer is empty. */
function emptyElement(
  nodes: readonly Node[],
  from: number,
  closes: number,
  graph: readonly GraphNode[],
): GraphNode {
  const behind = graph[closes + 1]!
  // A call that would be over before its closer is over here, too.
  const after = graph.slice(from, closes + 1).some(endsCall) ? op({ op: 'end-call' }, behind) : behind
  const value = nodes.slice(from, closes).find((node) => node.kind === 'value')
  const empty = value
    ? op({ op: 'open-value', options: value.options }, op({ op: 'close-value' }, after))
    : after
  return op({ op: 'certain' }, empty)
}

/** Is the call over as soon as this node is reached? */
function endsCall(node: GraphNode): boolean {
  return node.kind === 'op' && (node.op.op === 'end-call' || endsCall(node.next))
}
