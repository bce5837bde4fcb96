/** What a provider attaches for itself, under the provider's name: `{ anthropic: { signature: '…' } }`. */

import type { Metadata } from '../base/event.ts'
import type { Fields } from '../base/fields.ts'
import { fieldsOf, present } from './payload-fields.ts'

/** Fields under a provider's name; undefined where none of them is there. */
export function under(name: string, fields: Fields): Metadata | undefined {
  const found = present(fields)
  return found === undefined ? undefined : { [name]: found }
}

/** The fields under a provider's name. */
export function ofProvider(metadata: Metadata | undefined, provider: string): Fields {
  return fieldsOf(metadata?.[provider])
}

/** Whether text is a refusal, which two of the formats mark as one. */
export function isRefusal(metadata: Metadata | undefined): boolean {
  return ['openai-chat', 'openai-responses'].some((name) => ofProvider(metadata, name).refusal === true)
}
