/**
 * What a model asks a person before its call runs. Gemini's computer use asks in the arguments of the call itself, so that
 * the question arrives through every format that its calls are passed on in.
 *
 *     {"x":60,"safety_decision":{"decision":"require_confirmation","explanation":"It accepts a cookie banner."}}
 */

import { fieldsOf, wordOf } from './payload-fields.ts'

/** Why a call with these arguments may not run before a person has agreed; undefined if nothing is asked. */
export function confirmationIn(json: string): string | undefined {
  // An escape may hide the name of the field.
  if (!json.includes('safety_decision') && !json.includes('\\u')) return undefined
  const { decision, explanation } = decisionIn(json)
  if (decision !== 'require_confirmation') return undefined
  const told = wordOf(explanation)
  return `A person has to confirm this before it runs${told === undefined ? '.' : `: ${told}`}`
}

/** Arguments that have to be repaired may ask, too, and nobody could answer: the words alone are a question then. */
function decisionIn(json: string): Readonly<Record<string, unknown>> {
  try {
    const value: unknown = JSON.parse(json)
    // Some servers encode arguments twice.
    return typeof value === 'string' ? decisionIn(value) : fieldsOf(fieldsOf(value).safety_decision)
  } catch {
    return { decision: /require_confirmation/.exec(json)?.[0] }
  }
}
