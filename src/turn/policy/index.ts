/** Decisions about calls, taken while their arguments still come. */

export { allOf, anyOf, not } from './combine.ts'
export type { Decision } from './decision.ts'
export { digestOf } from './digest.ts'
export { createGuard, type Guard, type GuardDecision, type GuardOptions } from './guard.ts'
export { guardEvents } from './guard-events.ts'
export type { Answer, Matcher, Reading } from './matcher.ts'
export { custom, equals, maximum, minimum, oneOf, pattern, prefix } from './matchers.ts'
export { type ApprovableCall, createPolicy, type Policy, type PolicyOptions } from './policy.ts'
export type { Verdict } from './policy-verdict.ts'
export type { Rule } from './rule.ts'
export { type WithinOptions, within } from './within.ts'
