/** Rejects a wrong definition of a tool when it is given. */

import { SluiceError } from '../../../base/errors.ts'
import { checkOption } from '../../../base/options.ts'
import type { SegmentToolDefinition } from './tool-syntax.ts'

export function checkTool(name: string, definition: SegmentToolDefinition): void {
  const { shorthand, api, entities, details, segmentType } = definition
  const refuse = (problem: string): never => {
    throw new SluiceError('invalid-option', problem)
  }
  for (const [field, value] of Object.entries({ shorthand, api, entities }))
    if (value !== undefined && typeof value !== 'boolean')
      refuse(`\`${field}\` of the tool '${name}' must be true or false.`)
  for (const field of ['requires', 'aliases', 'streamedAs'] as const)
    if (!areNames(definition[field])) refuse(`\`${field}\` of the tool '${name}' must be a list of names.`)
  if (segmentType === 'text' || segmentType === 'reasoning')
    refuse(`The segments of the tool '${name}' cannot be of the type '${segmentType}', which never runs.`)
  if (shorthand && (!/^[a-z_][\w.-]*$/i.test(name) || name.toLowerCase() === 'tool'))
    refuse(`The tool '${name}' has a shorthand, but its name cannot be a tag.`)
  if (details !== undefined) checkOption(`details of the tool '${name}'`, details, 'object')
  for (const [detail, given] of Object.entries(details ?? {})) {
    const kind: unknown = given?.kind
    if (kind !== 'text' && kind !== 'flag' && kind !== 'positive')
      refuse(
        `The detail '${detail}' of the tool '${name}' is 'text', 'flag' or 'positive', not ${JSON.stringify(kind)}.`,
      )
    if (!areNames(given.aliases))
      refuse(`The aliases of the detail '${detail}' of the tool '${name}' must be a list of names.`)
  }
}

function areNames(value: unknown): boolean {
  return value === undefined || (Array.isArray(value) && value.every((name) => typeof name === 'string'))
}
