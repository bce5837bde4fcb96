/** What a view must offer to be under the laws, and the laws as they are for views. */

import type { JsonValue, SluiceEvent } from '../../src/base/event.ts'
import { isExecutable } from '../../src/engine/calls/verdict.ts'
import { parse } from '../../src/engine/message.ts'
import { createSinkParser, type ParserOptions } from '../../src/engine/parser.ts'
import { sorted, unlessWritten } from './laws.ts'
import { characters, inPieces } from './observe.ts'
import { changedByJson } from './plain.ts'

export interface ViewUnderLaw {
  readonly name: string
  /** What the view needs of the parser, besides dialect and tools: emit flags and the like. */
  readonly options?: Partial<ParserOptions>
  /** It says the same if the parser emits the JSON text of the input in place of arguments. */
  readonly takesJson?: boolean
  /** The view waits for more than the engine does, such as the end of a sentence. */
  readonly lags?: boolean
  open(): OpenView
}

export interface OpenView {
  add(event: SluiceEvent): void
  /** All that the view has said so far, as plain data, adjacent pieces of one thing joined. */
  said(): readonly unknown[]
  /** The same where it is said in several lists, each in the order of time. */
  lists?(): readonly (readonly unknown[])[]
  /** What a person or a program would understand of it. A view that says nothing of a channel leaves it out. */
  told(): Told
  /** What is wrong with the form of what was said (starts, ends, ids, order, content), or nothing. After the end. */
  check(): string | undefined
}

export interface Told {
  readonly text?: string
  readonly reasoning?: string
  /** The calls that it would let run. */
  readonly calls?: readonly { readonly toolName: string; readonly input: JsonValue }[]
}

type Violation = string | undefined

/** What the engine's own events say, in the same terms. */
class EngineTold {
  text = ''
  reasoning = ''
  readonly calls: { toolName: string; input: JsonValue }[] = []
  /** Calls whose verdicts wait. */
  readonly waiting = new Set<string>()

  add(event: SluiceEvent): void {
    if (event.type === 'tool-input-start' && event.tentative) this.waiting.add(event.id)
    if (event.type === 'tool-call') this.waiting.delete(event.id)
    if (event.type === 'text-delta') this.text += event.delta
    else if (event.type === 'reasoning-delta') this.reasoning += event.delta
    else if (event.type === 'tool-call' && isExecutable(event))
      this.calls.push({ toolName: event.toolName, input: event.input! })
  }
}

/** 2, 3, 5, 8. After each piece the view has told what the engine has: no more, no less, no later. */
function disagreement(engine: EngineTold, told: Told, lags: boolean): Violation {
  for (const channel of ['text', 'reasoning'] as const) {
    const [said, meant] = [told[channel], engine[channel]]
    if (said === undefined || said === meant || (lags && meant.startsWith(said))) continue
    // A view that has no late verdicts keeps the white space behind a call until the verdict is there.
    if (engine.waiting.size > 0 && meant.startsWith(said) && meant.slice(said.length).trim() === '') continue
    return `the ${channel} is ${JSON.stringify(meant)}, the view says ${JSON.stringify(said)}`
  }
  if (told.calls === undefined || (lags && told.calls.length < engine.calls.length)) return undefined
  const [said, meant] = [told.calls, engine.calls].map((calls) =>
    JSON.stringify(calls.map(({ toolName, input }) => [toolName, sorted(input)])),
  )
  return said === meant ? undefined : `the calls to run are ${meant}, the view lets run ${said}`
}

/** Shows a text that came in these pieces; answers what was said, or what is wrong with it. */
function show(
  view: ViewUnderLaw,
  options: ParserOptions,
  chunks: readonly string[],
): { said: string; violation: Violation } {
  const open = view.open()
  const engine = new EngineTold()
  const parser = createSinkParser(
    (event) => {
      engine.add(event)
      open.add(event)
    },
    { ...options, ...view.options },
  )
  let violation: Violation
  /** What was settled after a chunk: of each list all but the last thing, which may still grow. */
  const settled: string[][][] = []
  const lists = () => (open.lists?.() ?? [open.said()]).map((list) => list.map(shown))
  for (const chunk of chunks) {
    parser.push(chunk)
    violation ??= disagreement(engine, open.told(), view.lags ?? false)
    if (chunk.length > 1) settled.push(lists().map((list) => list.slice(0, -1)))
  }
  parser.end()
  const said = open.said().map(shown)
  violation ??=
    disagreement(engine, open.told(), false) ??
    unlessWritten(open.check(), chunks.join('')) ??
    regret(settled, lists())
  // How the text was cut makes no difference to what JSON can hold.
  if (chunks.length === 1) violation ??= changedByJson(open.said())
  return { said: said.join('\n'), violation }
}

const shown = (one: unknown): string => JSON.stringify(one)

/** 4. What was settled once is the beginning of what was said in the end. */
function regret(settled: readonly (readonly string[][])[], lists: readonly string[][]): Violation {
  for (const before of settled)
    for (const [list, things] of before.entries()) {
      const changed = things.findIndex((one, index) => one !== lists[list]![index])
      if (changed !== -1) return `${things[changed]} became ${lists[list]![changed]}`
    }
  return undefined
}

/** All laws that a view can break, on one text. `cuts`: places where it is cut in two. */
export function viewLaws(
  view: ViewUnderLaw,
  options: ParserOptions,
  text: string,
  cuts: readonly number[],
): Violation {
  try {
    const whole = show(view, options, [text])
    if (whole.violation !== undefined) return whole.violation
    // However the parser emits the input, the view lets run what the engine does, and is well formed.
    const fromJson = show({ ...view, options: { ...view.options, emit: {} } }, options, characters(text))
    if (fromJson.violation !== undefined) return `${fromJson.violation}\n  from JSON text`
    // Of a call that fails, its JSON text may tell less: a number is known to be whole only when something follows it.
    const isWhole = parse(text, options).toolCalls.every(({ error }) => error === undefined)
    if (view.takesJson && isWhole && fromJson.said !== whole.said)
      return `from JSON ${fromJson.said}\n  from arguments ${whole.said}`
    const pieces = [3, 17].map((size) => inPieces(text, size))
    const halves = cuts.map((cut) => [text.slice(0, cut), text.slice(cut)])
    for (const chunks of [characters(text), ...pieces, ...halves]) {
      const cut = show(view, options, chunks)
      if (cut.violation !== undefined) return `${cut.violation}\n  cut as ${JSON.stringify(chunks)}`
      if (cut.said !== whole.said)
        return `cut as ${JSON.stringify(chunks)}\n  whole ${whole.said}\n  cut   ${cut.said}`
    }
    return undefined
  } catch (error) {
    return String(error instanceof Error ? error.stack : error)
  }
}
