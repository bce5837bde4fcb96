/** A fingerprint of a call, so that a decision applies to exactly the call that is executed. */

import { SluiceError } from '../../base/errors.ts'
import type { JsonValue } from '../../base/event.ts'
import { type WrittenInput, writtenInput } from '../../engine/calls/written-input.ts'
import { canonical } from '../../values/schema/canonical.ts'
import { sha256 } from './sha256.ts'

/**
 * The same for two calls exactly if they call the same tool with the same input, written alike but for the order of keys
 * and white space. `output`: what the tool would get.
 *
 *     if (digestOf(call) !== verdict.digest) throw new Error('not what was approved')
 */
export function digestOf(
  call: WrittenInput & { readonly toolName: string },
  ...output: readonly [] | readonly [JsonValue]
): string {
  const text = canonical([call.toolName, writtenInput(call), ...output], Infinity, 'written')
  if (text === undefined)
    throw new SluiceError(
      'unrepresentable',
      `The input of '${call.toolName}' is not JSON, so it has no digest.`,
    )
  return sha256(text)
}
