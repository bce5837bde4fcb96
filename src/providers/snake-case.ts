/**
 * Some providers' own clients give the wire's fields in camel case: `toolCalls` for `tool_calls`. Readers read the wire,
 * so what such a client yields is given its names back, level by level; inputs of tools are never renamed.
 */

import { type Fields, isFields } from '../base/fields.ts'

/** The fields of one object under the names that they have on the wire. */
export function snakeCased(value: unknown): Fields {
  if (!isFields(value)) return {}
  const named = Object.entries(value).map(([name, field]) => [
    name.replace(/[A-Z]/g, (letter) => `_${letter.toLowerCase()}`),
    field,
  ])
  return Object.fromEntries(named)
}

/** The same for an object that need not be there. */
export function snakeCasedIf(value: unknown): unknown {
  return isFields(value) ? snakeCased(value) : value
}
