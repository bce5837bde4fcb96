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

import {
  addReasoning,
  beginsLike,
  callConstruct,
  dropConstruct,
  emptyCallConstruct,
  isPrefixOf,
  type Marking,
  resultConstruct,
  stopConstruct,
} from './compile/constructs.ts'
import { leaveTo, literalNode, type OpenNode, readNode, recovery, split } from './compile/graph.ts'
import {
  type Checks,
  type Compilation,
  type CompileOptions,
  createCompilation,
  fillStates,
  stateFor,
} from './compile/states.ts'
import { type Dialect, define } from './dialect.ts'
import { Literals } from './literals.ts'
import { Markers } from './markers.ts'
import type { Program, ScanState } from './program.ts'
import type { Node, Template } from './template.ts'

export function compile(dialects: readonly Dialect[], options: CompileOptions): Program {
  if (options.calls) for (const dialect of dialects) dialect.check?.(dialect, options.tools)
  const program = compileStates(dialects, options)
  // The matching tables of each state: most of the work, in which no dialect can be wrong.
  const ignoreCase = isCaseIgnored(dialects)
  for (const state of program.states)
    if (state.kind === 'scan' || state.kind === 'expect')
      state.literals = new Literals(
        state.edges.map(({ literal }) => literal),
        { anchored: state.kind === 'expect', ignoreCase },
      )
  return program
}

function isCaseIgnored(dialects: readonly Dialect[]): boolean {
  return dialects.some((dialect) => dialect.ignoreCase)
}

/** The program without its matching tables. */
export function compileStates(
  dialects: readonly Dialect[],
  options: CompileOptions,
  checks?: Checks,
): Program {
  const compilation = createCompilation(options, checks)
  const { openers, stops, toText } = compilation
  // What stops the response does so even where it is markup of a dialect.
  const stopping = define('stop', {})
  for (const marker of new Set(options.stop)) stops.push(stopConstruct(compilation, stopping, marker))
  openers.branches.push(...stops)
  for (const dialect of dialects) addDialect(compilation, dialect)
  // `[` is no opener where `[THINK]` is one.
  openers.branches.push(
    ...compilation.lineCalls.filter((call) => !isPrefixOf(compilation, call, openers.branches)),
  )
  if (options.code) {
    const { reader, openers: literals } = options.code
    const code = readNode(reader, toText)
    for (const literal of literals) openers.branches.push(literalNode([literal], code, literal.length))
  }
  const content = stateFor(compilation, compilation.content)
  const afterCall = stateFor(compilation, compilation.afterCall)
  fillStates(compilation)
  const { states, constructs, edges, textArguments, inReasoning: reasoning } = compilation
  const text = stateFor(compilation, compilation.text) as ScanState
  const tracksLines = options.code !== undefined || constructs.some(({ atLineStart }) => atLineStart)
  let made: Markers | undefined
  const markers = () => {
    made ??= new Markers(callMarkers(compilation), compilation.owns, isCaseIgnored(dialects))
    return made
  }
  return {
    ...{ states, constructs, edges, text, content, afterCall },
    ...{ textArguments, reasoning, markers, tracksLines, tokens: dialects.flatMap(({ tokens }) => tokens) },
  }
}

function addDialect(compilation: Compilation, dialect: Dialect): void {
  const { options, openers, weakCalls, nextCalls, lineCalls } = compilation
  const restarts = split()
  const leave = leaveTo(compilation.afterCall, restarts)
  const callsOf = (templates: readonly Template[], how: Marking): OpenNode[] =>
    options.calls
      ? templates.map((template) => callConstruct(compilation, dialect, template, leave, how))
      : []
  const calls = [...callsOf(dialect.calls, 'marked'), ...callsOf(dialect.looseCalls, 'loose')]
  // Where code is protected, nothing in a fence is a call.
  const weak = dialect.weakCalls.filter(({ nodes }) => options.code === undefined || !isFenced(nodes))
  weakCalls.branches.push(...callsOf(weak, 'weak'))
  // Behind text nothing but the name of a known tool tells a weak call from prose.
  if (options.tools.length > 0 && dialect.weakCallInLines) lineCalls.push(...callsOf(weak, 'line'))
  for (const call of calls) restarts.branches.push(recovery('new-call-before-end', call))
  openers.branches.push(...calls)
  nextCalls.branches.push(...calls)
  if (options.reasoning)
    for (const template of dialect.reasoning) addReasoning(compilation, dialect, template, calls)
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
  for (const { nodes } of [...dialect.drop, ...dialect.ignore]) {
    const drop = dropConstruct(compilation, dialect, nodes)
    openers.branches.push(drop)
    // Behind a call it is looked for only where a call may begin alike.
    if (beginsLike(compilation, drop, calls)) nextCalls.branches.push(drop)
  }
}

function isFenced([first]: readonly Node[]): boolean {
  return first?.kind === 'literal' && first.forms.some((form) => form.startsWith('`'))
}

/** The markers that open or close a call. A single character is none, and neither is the beginning of a weak call. */
function callMarkers({ endings, edges }: Compilation): Set<string> {
  const found = new Set(endings)
  for (const { literal, opens, before } of edges) {
    const isOpener = opens?.kind === 'call' && !opens.weak
    const isNext = before.some(({ op }) => op === 'begin-call')
    if ((isOpener || isNext) && literal.trim().length > 1) found.add(literal.trimStart())
  }
  return found
}
