/**
 * Makes argument events of the input's JSON text, for views that need them: they are the same whichever of both the
 * parser emits.
 *
 *     tool-input-delta  {"path":"a.ts","con       argument-start /path, argument-delta a.ts, argument-end a.ts
 */

import type { Sink, ToolInputDelta } from '../../base/event.ts'
import { JsonBuilder } from '../../values/json/builder.ts'
import { createScanner, type JsonScanner } from '../../values/json/scanner.ts'
import { ArgumentEvents } from './argument-events.ts'

/** The input of a call for which the parser has emitted no argument event, read from its JSON text. */
interface ReadInput {
  readonly scanner: JsonScanner
  readonly builder: JsonBuilder
  /** One of its arguments has begun, so that the parser's own events would repeat it. */
  hasBegun: boolean
}

/**
 * The first event of a call decides: if its JSON text holds an argument before the parser emits one, all its arguments
 * come from the JSON text.
 *
 *     const sink = withArguments((event) => view.add(event))
 */
export function withArguments(sink: Sink): Sink {
  /** The open calls; null where the parser emits the arguments itself. */
  const calls = new Map<string, ReadInput | null>()
  /** The last call of which the parser emits the arguments: its events mostly come in a row. */
  let current: string | undefined

  const open = (id: string): ReadInput => {
    const emit: Sink = (event) => {
      input.hasBegun = true
      sink(event)
    }
    const input: ReadInput = {
      scanner: createScanner({}),
      builder: new JsonBuilder(new ArgumentEvents(id, { emit })),
      hasBegun: false,
    }
    calls.set(id, input)
    return input
  }

  const read = ({ id, delta }: ToolInputDelta): void => {
    const known = calls.get(id)
    if (known === null) return
    const { scanner, builder } = known ?? open(id)
    if (scanner.status === 'open') scanner.read(delta, 0, delta.length, builder)
  }

  return (event) => {
    switch (event.type) {
      case 'argument-start':
      case 'argument-delta':
      case 'argument-end':
        if (event.id === current) break
        if (calls.get(event.id)?.hasBegun) return
        calls.set(event.id, null)
        current = event.id
        break
      case 'tool-input-delta':
        if (event.id !== current) read(event)
        break
      case 'tool-call':
        calls.delete(event.id)
        current = undefined
        break
    }
    sink(event)
  }
}
