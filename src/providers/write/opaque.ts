/** Reads what events carry that is not ours: what providers attached, errors, answers. */

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

/** What a tool answered: a value where it is written as one, and otherwise its text. */
export function answerOf(content: string): unknown {
  if (!/^\s*[{[]/.test(content)) return content
  try {
    return JSON.parse(content)
  } catch {
    return content
  }
}
