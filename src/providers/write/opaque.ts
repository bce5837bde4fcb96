/** Reads what providers attached to events, whatever provider it was. */

import type { Metadata } from '../../event.ts'
import { type Fields, fieldsOf } from '../fields.ts'

export function ofProvider(metadata: Metadata | undefined, provider: string): Fields {
  return fieldsOf(metadata?.[provider])
}

/** Whether text is a refusal, which two of the formats say apart. */
export function isRefusal(metadata: Metadata | undefined): boolean {
  return ['openai-chat', 'openai-responses'].some((name) => ofProvider(metadata, name).refusal === true)
}

/** What an error is called, for people. */
export function messageOf(error: unknown): string {
  if (error instanceof Error) return error.message
  const { message } = fieldsOf(error)
  return typeof message === 'string' ? message : String(error)
}

export function codeOf(error: unknown): string | undefined {
  const { code } = fieldsOf(error)
  return typeof code === 'string' ? code : undefined
}
