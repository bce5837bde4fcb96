/** The constructs of a dialect (calls, reasoning, results, markup without meaning), each from its template. */

import type { OwnOpener } from '../../calls/value-watch.ts'
import type { Dialect } from '../dialect.ts'
import type { Construct, ReadState, ScanState, State } from '../program.ts'
import { insideOf, type Node, type Template, type ToolOnTheWire } from '../template.ts'
import { callsGraph, type Endings, graphOf, ownOpener } from './fragments.ts'
import {
  type GraphNode,
  leaveTo,
  literalNode,
  type OpenNode,
  op,
  readNode,
  recovery,
  type ScanNode,
  type SplitNode,
  scanNode,
  split,
} from './graph.ts'
import { type Compilation, closureFrom, stateFor } from './states.ts'

/**
 * How calls are recognised: by a marker, by what they look like, or by where they stand. `line`: a weak call behind text,
 * at the start of a line. `guessed`: nothing but the name of its tool tells that it is one. `stray`: not a call, but the
 * closer of one.
 */
export type Marking = 'marked' | 'loose' | 'weak' | 'line' | 'guessed' | 'stray'

// ── calls ────────────────────────────────────────────────────────────────────────────────────────

export function callConstruct(
  compilation: Compilation,
  dialect: Dialect,
  { nodes }: Template,
  leave: GraphNode,
  how: Marking,
): OpenNode {
  const endings: Endings = new Map()
  const graph = callsGraph(nodes, toolsOf(compilation, dialect), leave, endings)
  // A call that fails after it is certain: everything up to a closer, or the next opener, is its source.
  const ends = split()
  const endsInReasoning = split(ends)
  const resync = resyncState(compilation, ends)
  const resyncInReasoning = dialect.callEndsReasoning ? resyncState(compilation, endsInReasoning) : resync
  const isTriggered = how === 'loose' || how === 'line' || how === 'guessed'
  const call = open(compilation, isTriggered ? triggered(graph) : graph, 'call', dialect, how, {
    resync,
    resyncInReasoning,
    // What is found inside what was no guess is read as if there were none.
    plain:
      how === 'guessed'
        ? undefined
        : plainState(compilation, isTriggered ? nodes : openingTag(nodes, compilation)),
  })
  compilation.endsInReasoning.set(call.opens, { ends: endsInReasoning, endings })
  if (how === 'marked') ends.branches.push(op({ op: 'end-call' }, call))
  // A bracket ends many things, and does not mean that this call is over.
  for (const [marker, next] of endings)
    if (marker.length > 1) {
      ends.branches.push(literalNode([marker], op({ op: 'end-call' }, next)))
      // What ends only guesses is ordinary text elsewhere, such as a fence in a file.
      if (how !== 'guessed') compilation.endings.add(marker)
    }
  compilation.checks?.opener(call, nodes)
  return call
}

/** The tools that the dialect can call. */
function toolsOf({ options }: Compilation, { reservedNames }: Dialect): readonly ToolOnTheWire[] {
  return options.tools.filter(({ name }) => !reservedNames.includes(name))
}

function resyncState(compilation: Compilation, ends: SplitNode): ScanState {
  const scan: ScanNode = { ...scanNode('nowhere', ends), stops: compilation.options.stop }
  return stateFor(compilation, scan) as ScanState
}

/** The tag that calls begin with, if they do. */
function openingTag([first]: readonly Node[], compilation: Compilation): readonly Node[] {
  if (first?.kind === 'tag') return [first]
  const [tool] = compilation.options.tools
  return first?.kind === 'per-tool' && tool !== undefined
    ? openingTag(first.make(tool).nodes, compilation)
    : []
}

/** Where a call is read as text if it is none: one that no marker opens, or one that is an element. */
function plainState(compilation: Compilation, nodes: readonly Node[]): ReadState | undefined {
  for (const node of nodes) {
    const type = node.kind === 'reader' || node.kind === 'tag' ? node.type.plain : undefined
    if (type !== undefined) return stateFor(compilation, readNode(type, compilation.toText)) as ReadState
    for (const inside of insideOf(node)) {
      const found = plainState(compilation, inside)
      if (found !== undefined) return found
    }
  }
  return undefined
}

/** A reader that may begin anywhere in text: the characters it can begin with are its openers. */
function triggered(node: GraphNode): GraphNode {
  if (node.kind === 'read' && node.type.first !== '') return literalNode([...node.type.first], node, 1)
  if (node.kind === 'op') return op(node.op, triggered(node.next))
  return node
}

// ── reasoning ────────────────────────────────────────────────────────────────────────────────────

/** Reasoning as one template of a dialect marks it. */
export interface ReasoningForm {
  readonly dialect: Dialect
  readonly template: Template
  /** The calls that may end it. */
  readonly calls: readonly OpenNode[]
  /** Its markers before the text, and what is skipped behind them. */
  readonly opener: readonly Node[]
  readonly lead: readonly Node[]
  readonly own: OwnOpener | undefined
  /** Its closer, and the end of the reasoning. */
  readonly closes: GraphNode
}

/** The same, where a prompt may have opened it. `again`: the opener comes once more. `begin`: it may. */
export type PromptedForm = ReasoningForm & { readonly again: GraphNode; readonly begin: GraphNode }

export function addReasoning(
  compilation: Compilation,
  dialect: Dialect,
  template: Template,
  calls: readonly OpenNode[],
): void {
  const { content, openers, weakCalls, nextCalls } = compilation
  const isWeak = dialect.weakReasoning.includes(template)
  const { nodes } = template
  const at = nodes.findIndex((node) => node.kind === 'text')
  const kinds = nodes.slice(0, at).map(({ kind }) => kind)
  const opener = nodes.slice(0, kinds.lastIndexOf('literal') + 1)
  const closer = nodes.slice(at + 1).find((node) => node.kind === 'literal')
  const end = graphOf(nodes.slice(at + 1), leaveTo(content))
  const endsOfCalls = calls.map(({ opens }) => compilation.endsInReasoning.get(opens)!)
  // A marker that closes both belongs to the call, and behind a call that failed nothing tells which of them it closed.
  const isOfCall = endsOfCalls.some(({ endings }) => closer?.forms.some((form) => endings.has(form)))
  const behind = isOfCall ? end : op({ op: 'reasoning-closer' }, end)
  if (!isOfCall) for (const { ends } of endsOfCalls) ends.branches.push(op({ op: 'end-call' }, behind))
  const form: ReasoningForm = {
    ...{ dialect, template, calls, opener, lead: nodes.slice(opener.length, at), own: ownOpener(nodes, at) },
    closes: op({ op: 'close-reasoning' }, behind),
  }
  const body = graphOf(form.lead, reasoningText(compilation, [form]))
  // Where its closer stands alone, it is text like any other, and no prompt ends with its opener.
  if (isWeak) {
    const begun = op({ op: 'open-reasoning', hasHeader: true }, body)
    weakCalls.branches.push(dropConstruct(compilation, dialect, opener, begun, 'weak'))
    return
  }
  const again = graphOf(opener, recovery('repeated-opener', body))
  const begin: GraphNode = { kind: 'space', next: split(again, leaveTo(body)) }
  compilation.reasoningForms.push({ ...form, again, begin })
  const isMarker = kinds.indexOf('literal') === opener.length - 1 && !kinds.includes('reader')
  if (isMarker)
    openers.branches.push(
      construct(compilation, 'reasoning', dialect, opener, op({ op: 'open-reasoning' }, begin)),
    )
  else {
    // Its first marker may turn out to be another's: up to the last it is markup like any other.
    const header = dropConstruct(
      compilation,
      dialect,
      opener,
      op({ op: 'open-reasoning', hasHeader: true }, body),
    )
    openers.branches.push(header)
    if (beginsLike(compilation, header, calls)) nextCalls.branches.push(header)
  }
  if (closer === undefined || dialect.strayCloser === 'text') return
  for (const form of closer.forms) compilation.strayReasoning.add(form)
  if (dialect.strayCloser === 'drop') {
    const dropped = op({ op: 'reasoning-closer' }, recovery('stray-closer', leaveTo(content)))
    openers.branches.push(
      dropConstruct(compilation, dialect, [closer], op({ op: 'unopened-closer' }, dropped)),
    )
  }
}

/** Where the prompt opened reasoning, in a form that is not known: the closer of any form ends it. */
export function promptedReasoning(compilation: Compilation): State | undefined {
  const all = compilation.reasoningForms
  const forms = all.filter(
    ({ own }, at) => all.findIndex((form) => String(form.own?.closers) === String(own?.closers)) === at,
  )
  const [first] = forms
  if (first === undefined) return undefined
  if (forms.length === 1) return stateFor(compilation, first.begin)
  const body = graphOf(first.lead, reasoningText(compilation, forms))
  // If the model writes an opener again, it is swallowed, and the form is known.
  const again = forms.map((form) => form.again)
  return stateFor(compilation, { kind: 'space', next: split(...again, leaveTo(body)) })
}

/** The text of reasoning, up to what ends it in any of these forms. */
function reasoningText(compilation: Compilation, forms: readonly ReasoningForm[]): ScanNode {
  const { options, stops } = compilation
  const ends = split()
  const behindCall = split()
  const toBehindCall: GraphNode = { kind: 'space', next: behindCall }
  const scan: ScanNode = {
    ...scanNode('reasoning', ends),
    ...(forms.some(({ dialect }) => dialect.callEndsReasoning) && { behindCall: toBehindCall }),
    own: commonOpener(forms),
  }
  const onward = leaveTo(scan)
  // Tokens behind a call do not tell whether it was meant, so the machine stays in its state.
  const stay = leaveTo(toBehindCall)
  const callsOf = new Map(forms.map(({ dialect, calls }) => [dialect, calls]))
  behindCall.branches.push(...[...callsOf.values()].flat(), ...stops)
  // Calls that are left as text end reasoning all the same: at their opener, which is then read as text.
  for (const [dialect, calls] of callsOf)
    if (dialect.callEndsReasoning)
      ends.branches.push(...(options.calls ? calls : openersAsText(compilation, dialect)))
  const pauses = new Set(forms.flatMap(({ template }) => options.pauses?.reasoning(template) ?? []))
  for (const literal of pauses) ends.branches.push(pauseAt(literal, onward))
  for (const dialect of callsOf.keys()) {
    for (const token of ignoredInReasoning(dialect)) {
      ends.branches.push(dropConstruct(compilation, dialect, token, onward))
      behindCall.branches.push(dropConstruct(compilation, dialect, token, stay))
    }
    if (dialect.dropEndsReasoning)
      for (const drop of dialect.drop) ends.branches.push(dropConstruct(compilation, dialect, drop.nodes))
  }
  // Inside reasoning, what stops the response does so only behind a call.
  behindCall.branches.push(onward)
  ends.branches.push(...forms.map(({ closes }) => closes))
  return scan
}

function commonOpener(forms: readonly ReasoningForm[]): OwnOpener | undefined {
  const owns = forms.flatMap(({ own }) => own ?? [])
  if (owns.length < 2) return owns[0]
  const markers = {
    forms: owns.flatMap(({ forms }) => forms),
    closers: owns.flatMap(({ closers }) => closers),
  }
  return { ...markers, isTag: false, isSpeech: true }
}

function openersAsText(compilation: Compilation, dialect: Dialect): GraphNode[] {
  const { toText } = compilation
  const tools = toolsOf(compilation, dialect)
  const calls = dialect.calls.map(({ nodes }) => callsGraph(nodes, tools, toText, new Map()))
  return [...firstLiterals(compilation, calls)].map((literal) =>
    literalNode([literal], op({ op: 'close-reasoning' }, toText), literal.length),
  )
}

/** The tokens without meaning inside reasoning. A token that ends the turn is only mentioned there. */
function ignoredInReasoning({ ignore, endOfTurn }: Dialect): (readonly Node[])[] {
  return [...ignore.map(({ nodes }) => nodes), ...endOfTurn.map(literally)]
}

// ── results and markup ───────────────────────────────────────────────────────────────────────────

/** A result. Where its markers hold none, they are dropped. */
export function resultConstruct(compilation: Compilation, dialect: Dialect, { nodes }: Template): OpenNode {
  return construct(compilation, 'result', dialect, nodes, op({ op: 'drop' }, compilation.toText))
}

/** Markup without meaning, read to its end, and then reported, if it should be. Behind it, reasoning is over. */
export function dropConstruct(
  compilation: Compilation,
  dialect: Dialect,
  nodes: readonly Node[],
  next: GraphNode = op({ op: 'close-reasoning' }, compilation.toText),
  how: Marking = 'marked',
): OpenNode {
  const markup = nodes.filter(({ kind }) => kind !== 'reported')
  const last = markup.at(-1)
  const seen = (last?.kind === 'literal' && last.back) || 0
  const behind = nodes.reduce(
    (to, node) =>
      node.kind === 'reported' ? op({ op: 'report', code: node.code, inValue: false, seen }, to) : to,
    next,
  )
  return construct(compilation, 'markup', dialect, markup, op({ op: 'drop' }, behind), how)
}

/** The markers of a call without one, or its opener at the end of the text. */
export function emptyCallConstruct(
  compilation: Compilation,
  dialect: Dialect,
  { nodes }: Template,
): OpenNode {
  const [opener, ...closers] = nodes
  const dropped = op({ op: 'drop' }, recovery('empty-call', compilation.toText))
  const behind = split(graphOf(closers, dropped), { kind: 'end', next: dropped })
  return construct(compilation, 'markup', dialect, [opener!], { kind: 'space', next: behind })
}

/**
 * The markers that end calls, where they stand directly behind a call and close nothing. Left out are words and fences,
 * which text may begin with, and what could be taken for an opener, or for a part of one.
 *
 *     <tool_call>{"name": "ls"}</tool_call>|</tool_call>
 */
export function strayClosers(compilation: Compilation): OpenNode[] {
  const { openers, endsInReasoning, afterCall } = compilation
  const openings = [...firstLiterals(compilation, openers.branches)].map((literal) => literal.toLowerCase())
  const found = new Map<string, Dialect>()
  for (const [{ dialect, isGuess }, { endings }] of endsInReasoning)
    if (dialect.strayCloser === 'drop' && !isGuess)
      for (const marker of endings.keys())
        if (STRAY_CLOSER.test(marker) && !found.has(marker)) found.set(marker, dialect)
  const markers = [...found.keys()]
  return [...found].flatMap(([marker, dialect]) => {
    const own = marker.toLowerCase()
    const isOpening = openings.some((literal) => literal.startsWith(own) || own.startsWith(literal))
    const isShared = markers.some((other) => other !== marker && other.toLowerCase().startsWith(own))
    const dropped = recovery('stray-closer', leaveTo(afterCall))
    return isOpening || isShared
      ? []
      : dropConstruct(compilation, dialect, literally(marker), dropped, 'stray')
  })
}

const STRAY_CLOSER = /^[^\p{L}\p{N}\s`]./u

/** A literal that stops the response: nothing behind it is read. */
export function stopConstruct(compilation: Compilation, dialect: Dialect, marker: string): OpenNode {
  return dropConstruct(compilation, dialect, literally(marker), op({ op: 'stop' }, compilation.toText))
}

/** A literal that belongs to what is around it, and makes the machine pause. */
export function pauseAt(literal: string, next: GraphNode): GraphNode {
  return literalNode([literal], op({ op: 'pause' }, next))
}

function literally(marker: string): readonly Node[] {
  return [{ kind: 'literal', forms: [marker] }]
}

/** Can this begin with the same literal as one of the others? */
export function beginsLike(compilation: Compilation, node: GraphNode, others: readonly GraphNode[]): boolean {
  const literals = firstLiterals(compilation, others)
  return [...firstLiterals(compilation, [node])].some((literal) => literals.has(literal))
}

/** Does this begin with a literal with which one of the others only begins? */
export function isPrefixOf(compilation: Compilation, node: GraphNode, others: readonly GraphNode[]): boolean {
  const literals = [...firstLiterals(compilation, others)]
  return [...firstLiterals(compilation, [node])].some((short) =>
    literals.some((literal) => literal !== short && literal.startsWith(short)),
  )
}

/** The literals with which these can begin. */
function firstLiterals(compilation: Compilation, nodes: readonly GraphNode[]): Set<string> {
  return new Set(closureFrom(compilation, split(...nodes)).transitions.map(({ literal }) => literal))
}

// ── openers ──────────────────────────────────────────────────────────────────────────────────────

/** What begins with these parts and continues at `next`. */
function construct(
  compilation: Compilation,
  kind: Construct['kind'],
  dialect: Dialect,
  nodes: readonly Node[],
  next: GraphNode,
  how?: Marking,
): OpenNode {
  const opener = open(compilation, graphOf(nodes, next), kind, dialect, how)
  compilation.checks?.opener(opener, nodes)
  return opener
}

function open(
  { constructs }: Compilation,
  next: GraphNode,
  kind: Construct['kind'],
  dialect: Dialect,
  how: Marking = 'marked',
  failed: Pick<Construct, 'resync' | 'resyncInReasoning' | 'plain'> = NO_CALL,
): OpenNode {
  const index = constructs.length
  const opens: Construct = {
    index,
    kind,
    dialect,
    weak: how !== 'marked' && how !== 'stray',
    isLoose: how === 'loose',
    atStart: how === 'weak',
    atLineStart: how === 'line',
    isGuess: how === 'guessed',
    isStray: how === 'stray',
    ...failed,
  }
  constructs.push(opens)
  return { kind: 'open', opens, next }
}

const NO_CALL = { resync: undefined, resyncInReasoning: undefined, plain: undefined }
