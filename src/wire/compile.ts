/**
 * Turns dialects into a program. Each spot of a template at which the machine can wait becomes a state:
 * following the graph without reading anything gives the literals that can come next, what taking each
 * of them does, and what happens when none of them comes.
 *
 * The compiler is one class in three rooms, each built on the one before: `compile/states.ts` makes states,
 * `compile/constructs.ts` makes calls, reasoning and the like of them, and here they become one program. What can
 * come next is found by `compile/reach.ts`.
 */

import { ConstructCompiler } from './compile/constructs.ts'
import { entryOf } from './compile/reach.ts'
import type { CompileOptions } from './compile/states.ts'
import type { Dialect } from './dialect.ts'
import type { Program, State } from './program.ts'
import { type Entry, leaveTo, literalSpot, op, readSpot } from './spots.ts'

export function compile(dialects: readonly Dialect[], options: CompileOptions): Program {
  const compiler = new Compiler(dialects, options)
  const program = compiler.compile()
  compiler.makeTables()
  return program
}

/** Throws if the dialect cannot be compiled. */
export function checkCompiles(dialect: Dialect, options: CompileOptions): void {
  new Compiler([dialect], options).compile()
}

class Compiler extends ConstructCompiler {
  compile(): Program {
    const weak: Entry[] = []
    const everyCall: Entry[] = []
    let reasoning: State | undefined
    for (const dialect of this.dialects) {
      const calls: Entry[] = []
      const afterCall = this.addExpect()
      const leaveCall = leaveTo(
        () => (everyCall.length > 0 ? afterCall : this.text),
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
}
