/** The JSON object that most formats put a call into. */

import { list, space, wire } from '../engine/wire/index.ts'
import { object } from '../engine/wire/json.ts'

export const callObject = object({ name: ['name'], arguments: ['arguments', 'parameters'], id: ['id'] })

/** `{"tool_calls": [ … ]}`, or with another key. */
export const listUnder = (
  key: string,
  call: ReturnType<typeof object> = callObject,
) => wire`{${space}"${key}"${space}:${space}[
  ${list(call)}
  ]
  }`
