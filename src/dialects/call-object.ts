/** The JSON object that most formats put a call into. */

import { object } from '../engine/wire/json.ts'

export const callObject = object({ name: ['name'], arguments: ['arguments', 'parameters'], id: ['id'] })
