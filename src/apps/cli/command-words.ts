/** The library's advice for programs, as advice for those who type commands. */

import type { SluiceEvent } from '../../base/event.ts'

/** Each is part of a message of the library. */
export const WORDS: readonly (readonly [library: string, command: string])[] = [
  ['if it is one, pass that dialect', 'to read it, add --dialect auto'],
  ["use sluice() of 'sluice'", "use 'sluice parse' without '--provider'"],
  [
    "Pass the provider whose stream it is, or anyProvider of 'sluice/providers/any'",
    "Name the provider whose stream it is, or 'auto'",
  ],
  ["pass 'tools', or an empty list if there are none", "add '--tools FILE'"],
  [
    "pass that; allDialects of 'sluice/dialects' lists them all",
    "name it with '--dialect'; 'sluice dialects' lists them all",
  ],
  [
    "read its stream with readProvider of 'sluice/providers', without a dialect",
    "read its stream with '--provider', without '--model'",
  ],
]

export function inCommandWords(message: string): string {
  for (const [library, command] of WORDS) message = message.replace(library, command)
  return message
}

/** The same event, with such a message. */
export function eventInCommandWords(event: SluiceEvent): SluiceEvent {
  if (event.type === 'diagnostic') return { ...event, message: inCommandWords(event.message) }
  if (event.type !== 'error') return event
  return { ...event, error: { ...event.error, message: inCommandWords(event.error.message) } }
}
