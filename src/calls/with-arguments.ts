/**
 * Makes argument events of the input's JSON text, for views that need them: they are the same whichever of both the
 * parser emits.
 *
 *     tool-input-delta  {"path":"a.ts","con       argument-start /path, argument-delta a.ts, argument-end a.ts
 */

import type { Sink, ToolInputDelta } from '../event.ts'
import { JsonBuilder } from '../json/builder.ts'
import { createScanner, type JsonScanner } from '../json/scanner.ts'
import { ArgumentEvents } from './argument-events.ts'

/** The input of a call whose arguments were not heard of, while it is read. */
interface ReadInput {
  readonly scanner: JsonScanner
  readonly builder: JsonBuilder
  /** One of its arguments has begun, so that the parser's own events would be the second ones. */
  hasBegun: boolean
}

/**
 * What of a call comes first decides: if its JSON text tells of an argument before the parser does, all its arguments
 * come from there.
 *
 *     const sink = withArguments((event) => view.add(event))
 */
export function withArguments(sink: Sink): Sink {
  /** The open calls; null where the parser emits the arguments itself. */
  const calls = new Map<string, ReadInput | null>()
  /** The last of those: its events mostly come in a row. */
  let heard: string | undefined

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
        if (event.id === heard) break
        if (calls.get(event.id)?.hasBegun) return
        calls.set(event.id, null)
        heard = event.id
        break
      case 'tool-input-delta':
        if (event.id !== heard) read(event)
        break
      case 'tool-call':
        calls.delete(event.id)
        heard = undefined
        break
    }
    sink(event)
  }
}
