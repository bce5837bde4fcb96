/** How the rules stand while a call comes, and what can become of the call because of that. */

import { type Decision, stricter } from './decision.ts'
import type { ReadRule } from './rule.ts'
import type { ToolRules } from './tool-rules.ts'

export class RuleState {
  /** `yes`: it holds. `no`: it does not, and cannot any more. */
  status: 'open' | 'yes' | 'no' = 'open'
  hasValue = false
  /** A value could not be read. */
  isUnsure = false
}

export class Standing {
  readonly states: readonly RuleState[]
  private readonly tool: ToolRules

  constructor(tool: ToolRules) {
    this.tool = tool
    this.states = tool.rules.map(({ keys }) => {
      const state = new RuleState()
      if (keys.length === 0) state.status = 'yes'
      return state
    })
  }

  /** A rule that holds, and from which this decision follows. */
  holding(decision: Decision): ReadRule | undefined {
    return this.tool.rules.find(
      ({ rule }, index) => this.states[index]!.status === 'yes' && rule.decision === decision,
    )
  }

  /** The mildest that can still become of the call. */
  least(): Decision {
    return stricter(this.isUnsure() ? 'ask' : 'allow', this.leastByRules())
  }

  private leastByRules(): Decision {
    const { otherwise } = this.tool
    if (this.has('deny', 'yes')) return 'deny'
    if (this.has('ask', 'yes')) return 'ask'
    if (this.has('allow', 'yes', 'open')) return 'allow'
    // No rule allows it any more. One may still ask, which is milder than to deny whatever no rule is about.
    return otherwise === 'deny' && this.has('ask', 'open') ? 'ask' : otherwise
  }

  /** The strictest. */
  most(): Decision {
    if (this.has('deny', 'yes', 'open')) return 'deny'
    const byRules: Decision = this.has('ask', 'yes', 'open') || this.isUnsure() ? 'ask' : 'allow'
    return this.has('allow', 'yes') || this.has('ask', 'yes')
      ? byRules
      : stricter(byRules, this.tool.otherwise)
  }

  private isUnsure(): boolean {
    return this.states.some(({ isUnsure }) => isUnsure)
  }

  private has(decision: Decision, ...statuses: RuleState['status'][]): boolean {
    return this.tool.rules.some(
      ({ rule }, index) => rule.decision === decision && statuses.includes(this.states[index]!.status),
    )
  }
}
