/** What was decided about a call, and why. */

import { pointer } from '../../base/path.ts'
import type { Decision } from './decision.ts'
import type { Cause } from './evaluation.ts'
import type { Rule } from './rule.ts'

/** The decision of a policy about a call, with its reason. */
export interface Verdict {
  readonly decision: Decision
  /** Why, in a sentence for people and for the model. */
  readonly reason: string
  /** The rule that decided; absent where none did. */
  readonly rule?: Rule
  /** The value that decided, as a JSON pointer. */
  readonly path?: string
  /** What this is about: `digestOf` the call. Run nothing that has another. */
  readonly digest: string
}

/** The sentence for a cause. */
export function reasonOf({ decision, code, rule, path, problem }: Cause, toolName: string): string {
  const given = code === 'rule' ? rule?.rule.reason : undefined
  if (given !== undefined) return given
  const place = path === undefined ? (rule?.rule.at ?? '') : pointer(path)
  const about = rule?.rule.is?.about ?? 'is there'
  switch (code) {
    case 'rule':
      return place === '' ? `A rule says so of every call of ${toolName}.` : `${place} ${about}.`
    case 'unreadable':
      return `It cannot be decided whether ${place} ${about}${problem === undefined ? '' : `: ${problem}`}.`
    case 'repeated-key':
      return `${place} appears twice.`
    case 'no-rule':
      if (decision === 'allow') return `No rule is against this call of ${toolName}.`
      if (rule === undefined || !rule.isPermissive) return `No rule allows this call of ${toolName}.`
      return `A call of ${toolName} is allowed only if ${rule.rule.at} ${about}.`
  }
}
