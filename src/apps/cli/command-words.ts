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
  ['If you know its dialect, pass that', "If you know its dialect, name it with '--dialect'"],
  [
    "allDialects of 'sluice/dialects' lists the dialects; detectDialect of 'sluice/templates' finds one by the model's chat template, and detect() by what the model writes",
    "'sluice dialects' lists the dialects; 'sluice dialect FILE' finds one by the model's chat template, and '--dialect auto' by what the model writes",
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
