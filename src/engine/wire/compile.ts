/**
 * Turns dialects into a program, the way a compiler of regular expressions does it:
 *
 *     template ─► graph            an NFA, by Thompson's construction            compile/fragments.ts, compile/graph.ts
 *     graph    ─► closures         what can be reached without consuming input   compile/closure.ts
 *     closures ─► table of states  nearly the subset construction                compile/states.ts
 *
 * `compile/constructs.ts` builds calls, reasoning and other constructs. `compile/checks.ts` refuses mistakes of users
 * in templates; it is not bundled with the library's own dialects.
 */

import { CallHints, HINT_STARTS } from './call-hints.ts'
import {
  addReasoning,
  beginsLike,
  callConstruct,
  dropConstruct,
  emptyCallConstruct,
  isPrefixOf,
  type Marking,
  pauseAt,
  promptedReasoning,
  resultConstruct,
  stopConstruct,
  strayClosers,
} from './compile/constructs.ts'
import { entry, leaveTo, literalNode, type OpenNode, readNode, recovery, split } from './compile/graph.ts'
import {
  addState,
  type Checks,
  type Compilation,
  type CompileOptions,
  createCompilation,
  fillStates,
  stateFor,
} from './compile/states.ts'
import { type Dialect, define } from './dialect.ts'
import { type LiteralOptions, Literals } from './literals.ts'
import { Markers } from './markers.ts'
import type { Edge, ExpectState, Program, ScanState, State } from './program.ts'
import { isPerTool, type Node, type Template } from './template.ts'

export function compile(dialects: readonly Dialect[], options: CompileOptions): Program {
  if (options.calls) for (const dialect of dialects) dialect.check?.(dialect, options.tools)
  const program = compileStates(dialects, options)
  // The matching tables of each state: most of the work, in which no dialect can be wrong.
  // States that wait for the same literals share one.
  const how = matchingOf(dialects)
  const tables = new Map<string, Literals>()
  for (const state of program.states)
    if (state.kind === 'scan' || state.kind === 'expect') {
      const literals = state.edges.map(({ literal }) => literal)
      const hints = options.calls && state.kind === 'scan' && state.channel === 'text'
      const key = JSON.stringify([state.kind, hints, literals])
      state.literals =
        tables.get(key) ??
        new Literals(literals, { ...how, anchored: state.kind === 'expect', stops: hints ? HINT_STARTS : [] })
      tables.set(key, state.literals)
    } else if (state.kind === 'word' && state.isFree) {
      const ends = state.next.edges.map(({ literal }) => literal)
      state.literals = new Literals([...new Set([...ends, '\n', '\r'])], { ...how, anchored: false })
    }
  return program
}

/** How markers are found. What one of the dialects needs holds for all of them. */
function matchingOf(dialects: readonly Dialect[]): Omit<LiteralOptions, 'anchored'> {
  return {
    ignoreCase: dialects.some((dialect) => dialect.ignoreCase),
    spacedTags: dialects.some((dialect) => dialect.spacedTags),
  }
}

/** The program without its matching tables. */
export function compileStates(
  dialects: readonly Dialect[],
  options: CompileOptions,
  checks?: Checks,
): Program {
  const compilation = createCompilation(dialects, options, checks)
  const { openers, stops, toText } = compilation
  // What stops the response does so even where it is markup of a dialect.
  const stopping = define('stop', {})
  for (const marker of new Set(options.stop)) stops.push(stopConstruct(compilation, stopping, marker))
  openers.branches.push(...stops)
  for (const dialect of dialects) addDialect(compilation, dialect)
  const spacedCalls = dialects.length > 0 && dialects.every((dialect) => dialect.spacedCalls)
  if (spacedCalls) compilation.weakCalls.branches.push(compilation.nextCalls)
  if (options.pauses) {
    openers.branches.push(...options.pauses.text.map((literal) => pauseAt(literal, toText)))
    compilation.weakCalls.branches.push(...options.pauses.content.map((literal) => pauseAt(literal, toText)))
  }
  // `[` is no opener where `[THINK]` is one.
  openers.branches.push(
    ...[...compilation.lineCalls, ...compilation.guessedCalls].filter(
      (call) => !isPrefixOf(compilation, call, openers.branches),
    ),
  )
  if (options.code) {
    const { reader, openers: literals } = options.code
    const code = readNode(reader, toText)
    for (const literal of literals) openers.branches.push(literalNode([literal], code, literal.length))
  }
  compilation.behindCalls.branches.push(...compilation.nextCalls.branches, ...strayClosers(compilation))
  const content = stateFor(compilation, compilation.content)
  const afterCall = stateFor(compilation, compilation.afterCall)
  // White space is markup before a call, wherever nothing else stands before it.
  const later = stateFor(compilation, spacedCalls ? entry(compilation.nextCalls) : compilation.text)
  const reasoning = promptedReasoning(compilation)
  fillStates(compilation)
  const { states, constructs, edges, textArguments } = compilation
  const text = stateFor(compilation, compilation.text) as ScanState
  const marked = edges.length
  const start = startState(compilation, text, content)
  const tracksLines =
    options.code !== undefined || constructs.some(({ atLineStart, isLoose }) => atLineStart || isLoose)
  let made: Markers | undefined
  const markers = () => {
    made ??= new Markers(
      callMarkers(compilation.endings, edges.slice(0, marked)),
      compilation.owns,
      matchingOf(dialects),
    )
    return made
  }
  let hinted: CallHints | null = null
  const hints = () => {
    if (options.calls) hinted ??= new CallHints(constructs.map(({ dialect }) => dialect.name))
    return hinted
  }
  return {
    ...{ states, constructs, edges, start, text, content, laterContent: later, afterCall },
    ...{ textArguments, reasoning, markers, tracksLines, tokens: dialects.flatMap(({ tokens }) => tokens) },
    ...{
      hints,
      spacedCalls,
      strayReasoning: [...compilation.strayReasoning],
    },
  }
}

function addDialect(compilation: Compilation, dialect: Dialect): void {
  const { options, openers, weakCalls, nextCalls, lineCalls, guessedCalls, toText } = compilation
  const restarts = split()
  const leave = leaveTo(compilation.afterCall, restarts)
  const callsOf = (templates: readonly Template[], how: Marking): OpenNode[] =>
    options.calls
      ? templates.map((template) => callConstruct(compilation, dialect, template, leave, how))
      : []
  const calls = [...callsOf(dialect.calls, 'marked'), ...callsOf(dialect.looseCalls, 'loose')]
  // Where code is protected, nothing in a fence is a call.
  const unprotected = ({ nodes }: Template): boolean => options.code === undefined || !isFenced(nodes)
  const weak = dialect.weakCalls.filter(unprotected)
  weakCalls.branches.push(...callsOf(weak, 'weak'))
  // Behind text nothing but the name of a known tool tells a weak call from prose.
  const hasTools = options.tools.length > 0
  // The name alone, such as `search(`, begins too many lines.
  if (hasTools && dialect.weakCallInLines)
    lineCalls.push(
      ...callsOf(
        weak.filter(({ nodes }) => !isPerTool(nodes)),
        'line',
      ),
    )
  const guesses = hasTools ? callsOf(dialect.guessedCalls.filter(unprotected), 'guessed') : []
  guessedCalls.push(...guesses)
  for (const call of calls) restarts.branches.push(recovery('new-call-before-end', call))
  openers.branches.push(...calls)
  nextCalls.branches.push(...calls, ...guesses.filter((guess) => beginsLike(compilation, guess, calls)))
  if (options.reasoning)
    for (const template of [...dialect.reasoning, ...dialect.weakReasoning])
      addReasoning(compilation, dialect, template, calls)
  if (dialect.result && options.calls)
    openers.branches.push(resultConstruct(compilation, dialect, dialect.result))
  if (!options.calls && !options.reasoning) return
  for (const marker of dialect.endOfTurn.filter((token) => !options.stop.includes(token))) {
    const stop = stopConstruct(compilation, dialect, marker)
    openers.branches.push(stop)
    if (calls.length > 0) nextCalls.branches.push(stop)
  }
  if (options.calls)
    for (const template of dialect.emptyCalls) {
      const empty = emptyCallConstruct(compilation, dialect, template)
      openers.branches.push(empty)
      nextCalls.branches.push(empty)
    }
  for (const { nodes } of dialect.weakDrop)
    weakCalls.branches.push(dropConstruct(compilation, dialect, nodes, toText, 'weak'))
  for (const { nodes } of [...dialect.drop, ...dialect.ignore]) {
    const drop = dropConstruct(compilation, dialect, nodes)
    openers.branches.push(drop)
    // Behind a call it is looked for only where a call may begin alike.
    if (beginsLike(compilation, drop, calls)) nextCalls.branches.push(drop)
  }
}

/**
 * Where a response begins. If the prompt ends inside a marker, the rest of that marker opens what the marker opens.
 *
 *     >>>|all⏎Hello.        the prompt ends with `>>>`
 */
function startState(compilation: Compilation, { edges }: ScanState, content: State): State {
  const rests = edges.flatMap((edge) => restOf(compilation, edge) ?? [])
  if (rests.length === 0) return content
  const leave = { first: '', ops: [], next: content, opens: undefined, atEnd: true }
  return addState<ExpectState>(compilation, {
    kind: 'expect',
    space: false,
    edges: rests,
    fallbacks: [leave],
  })
}

/** The same edge on what the prompt has left of its literal; undefined if that is all of it, or nothing. */
function restOf(compilation: Compilation, edge: Edge): Edge | undefined {
  const { prefilled = '' } = edge.opens?.dialect ?? {}
  const literal = edge.literal.slice(prefilled.length)
  if (prefilled === '' || literal === '' || !edge.literal.startsWith(prefilled)) return undefined
  const alternatives = edge.alternatives.flatMap((other) => restOf(compilation, other) ?? [])
  const rest = { ...edge, index: compilation.edges.length, literal, alternatives }
  compilation.edges.push(rest)
  return rest
}

function isFenced([first]: readonly Node[]): boolean {
  return first?.kind === 'literal' && first.forms.some((form) => form.startsWith('`'))
}

/** The markers that open or close a call. A single character is none, and neither is the beginning of a weak call. */
function callMarkers(endings: ReadonlySet<string>, edges: readonly Edge[]): Set<string> {
  const found = new Set(endings)
  for (const { literal, opens, before } of edges) {
    const isOpener = opens?.kind === 'call' && !opens.weak
    const isNext = before.some(({ op }) => op === 'begin-call')
    if ((isOpener || isNext) && literal.trim().length > 1) found.add(literal.trimStart())
  }
  return found
}
