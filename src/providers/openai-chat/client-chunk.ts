/**
 * The chunks of `@mistralai/mistralai`, which wraps them and names their fields in camel case.
 *
 *     { data: { id: '1', choices: [{ index: 0, delta: { toolCalls: [] }, finishReason: null }] } }
 */

import { type Fields, isFields } from '../../base/fields.ts'
import { fieldsIn, fieldsOf } from '../payload-fields.ts'
import { snakeCased, snakeCasedIf } from '../snake-case.ts'

/** The chunk inside the wrapper of a client. */
export function unwrapped(payload: Fields): Fields {
  return isFields(payload.data) && Array.isArray(payload.data.choices) ? payload.data : payload
}

/** A chunk as it is on the wire. The one with the figures may have no choices. */
export function wireChunk(payload: Fields): Fields {
  const chunk = unwrapped(payload)
  const choices = fieldsIn(chunk.choices)
  const usage = fieldsOf(chunk.usage)
  const isRenamed = choices.some((choice) => 'finishReason' in choice) || 'promptTokens' in usage
  if (!isRenamed) return chunk
  return {
    ...chunk,
    choices: choices.map((one) => ({
      ...snakeCased(one),
      ...(isFields(one.delta) && { delta: snakeCased(one.delta) }),
      ...(isFields(one.message) && { message: snakeCased(one.message) }),
    })),
    ...(isFields(chunk.usage) && { usage: usageOf(usage) }),
  }
}

function usageOf(given: Fields): Fields {
  const usage = snakeCased(given)
  return { ...usage, prompt_tokens_details: snakeCasedIf(fieldsOf(usage.prompt_tokens_details)) }
}
