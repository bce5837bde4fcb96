/** The rules of one tool, as places to look out for while the arguments of a call come. */

import { PointerPatterns } from '../../views/compat/progress/pointer-pattern.ts'
import type { Decision } from './decision.ts'
import type { ReadRule } from './rule.ts'

/** What a place means to a rule. */
export interface Post {
  /** Its number among the rules of the tool. */
  readonly rule: number
  /** A value of the rule stands here. */
  readonly isValue: boolean
  /** The rule is settled when the value here is complete; it can come only once. */
  readonly isScope: boolean
  readonly number: number
}

/** The rules of one tool, ready to be followed. */
export class ToolRules {
  readonly rules: readonly ReadRule[]
  readonly otherwise: Decision
  readonly patterns = new PointerPatterns<Post>()

  constructor(rules: readonly ReadRule[], otherwise: Decision) {
    this.rules = rules
    this.otherwise = otherwise
    let number = 0
    for (const [rule, { keys }] of rules.entries()) {
      const end = keys.findIndex((key) => typeof key !== 'string')
      const scope = end === -1 ? keys.length : end
      for (let length = 1; length <= keys.length; length++) {
        const [isScope, isValue] = [length <= scope, length === keys.length]
        if (isScope || isValue)
          this.patterns.add(keys.slice(0, length), { rule, isValue, isScope, number: number++ })
      }
    }
  }
}
