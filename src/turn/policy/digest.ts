/** A fingerprint of a call, so that a decision applies to exactly the call that is executed. */

import { SluiceError } from '../../base/errors.ts'
import type { JsonValue } from '../../base/event.ts'
import { canonical } from '../../values/schema/canonical.ts'
import { sha256 } from './sha256.ts'

/**
 * The same for two calls exactly if they call the same tool with the same input; the order of keys does not count.
 *
 *     if (digestOf(call) !== verdict.digest) throw new Error('not what was approved')
 */
export function digestOf(call: { readonly toolName: string; readonly input: JsonValue }): string {
  const text = canonical([call.toolName, call.input], Infinity, '-0')
  if (text === undefined)
    throw new SluiceError(
      'unrepresentable',
      `The input of '${call.toolName}' is not JSON, so it has no digest.`,
    )
  return sha256(text)
}
