/**
 * Turns dialects into a program. Each spot of a template at which the machine can wait becomes a state:
 * following the graph without reading anything gives the literals that can come next, what taking each
 * of them does, and what happens when none of them comes.
 *
 * The compiler is one class in three rooms, each built on the one before: `compile/states.ts` makes states,
 * `compile/constructs.ts` makes calls, reasoning and the like of them, and here they become one program. What can
 * come next is found by `compile/reach.ts`. Whatever a user may have got wrong in a template is looked for by
 * `compile/checked.ts`, which is not here where the dialects are the library's own.
 */

import { ConstructCompiler, type Marking } from './compile/constructs.ts'
import type { CompileOptions } from './compile/states.ts'
import { type Dialect, define } from './dialect.ts'
import { Literals } from './literals.ts'
import { Markers } from './markers.ts'
import type { Program } from './program.ts'
import { leaveTo, literalSpot, type Opener, op, readSpot, recovery, split } from './spots.ts'
import type { Template } from './template.ts'

export function compile(dialects: readonly Dialect[], options: CompileOptions): Program {
  if (options.calls) for (const dialect of dialects) dialect.check?.(dialect, options.tools)
  const program = new Compiler(options).compile(dialects)
  // The tables by which the literals of each state are found: most of the work, and no dialect can be wrong in it.
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

/** Makes the program, but for its tables. */
export class Compiler extends ConstructCompiler {
  compile(dialects: readonly Dialect[]): Program {
    const { options } = this
    const openers = this.openers.ways
    // What stops the response does so even where a dialect has it for markup.
    const stopping = define('stop', {})
    const stops = [...new Set(options.stop)].map((marker) => this.stop(stopping, marker))
    openers.push(...stops)
    const everyCall = split()
    const afterCall = this.whereMayBegin(everyCall)
    for (const dialect of dialects) {
      const again = split()
      const leave = leaveTo(afterCall, again)
      const callsOf = (templates: readonly Template[], how: Marking): Opener[] =>
        options.calls ? templates.map((template) => this.call(dialect, template, leave, how)) : []
      const calls = [...callsOf(dialect.calls, 'marked'), ...callsOf(dialect.looseCalls, 'loose')]
      this.weak.ways.push(...callsOf(dialect.weakCalls, 'weak'))
      for (const call of calls) again.ways.push(recovery('new-call-before-end', call))
      openers.push(...calls)
      everyCall.ways.push(...calls)
      if (options.reasoning)
        for (const template of dialect.reasoning) this.reasoning(dialect, template, calls, stops)
      // Where there is no result in it after all, what was read of it is nothing.
      if (dialect.result && options.calls)
        openers.push(this.opener('result', dialect, dialect.result.nodes, op({ op: 'drop' }, this.toText)))
      if (options.calls || options.reasoning)
        for (const marker of dialect.endOfTurn.filter((token) => !options.stop.includes(token))) {
          const stop = this.stop(dialect, marker)
          openers.push(stop)
          if (calls.length > 0) everyCall.ways.push(stop)
        }
      if (options.calls || options.reasoning)
        for (const { nodes } of [...dialect.drop, ...dialect.ignore]) {
          const drop = this.drop(dialect, nodes)
          openers.push(drop)
          // Behind a call it is looked for only where it may as well be one.
          if (this.beginsLike(drop, calls)) everyCall.ways.push(drop)
        }
    }
    if (options.code) {
      const { reader, openers: literals } = options.code
      const code = readSpot(reader, this.toText)
      for (const literal of literals) openers.push(literalSpot([literal], code, literal.length))
    }
    const content = this.content()
    const behindCall = afterCall()
    // Filling one state makes others, which are filled in their turn.
    for (const fill of this.unfilled) fill()
    const { states, constructs, edges, text, textArguments, inReasoning: reasoning } = this
    let made: Markers | undefined
    const markers = () => {
      made ??= new Markers(this.markersOfCalls(), this.owns, isCaseIgnored(dialects))
      return made
    }
    return {
      ...{ states, constructs, edges, text, content, afterCall: behindCall },
      ...{ textArguments, reasoning, markers },
    }
  }

  /** What opens or closes a call. A bracket does many things, and what nothing marks has no markers. */
  private markersOfCalls(): Set<string> {
    const found = new Set(this.endings)
    for (const { literal, opens, before } of this.edges) {
      const isOpener = opens?.kind === 'call' && !opens.weak
      const isNext = before.some(({ op }) => op === 'begin-call')
      if ((isOpener || isNext) && literal.trim().length > 1) found.add(literal.trimStart())
    }
    return found
  }
}
