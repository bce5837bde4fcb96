/** What a policy is made of: a place in a call's input, what is asked of it, and what follows from that. */

import { SluiceError } from '../../base/errors.ts'
import { DEEP, type PatternKey, readPointer } from '../../views/compat/progress/pointer-pattern.ts'
import { isMatcher } from './combine.ts'
import { DECISIONS, type Decision } from './decision.ts'
import type { Matcher } from './matcher.ts'

/**
 * A rule of a policy.
 *
 *     { tool: 'shell', at: '/command', is: pattern(/\brm\b/), decision: 'deny' }
 */
export interface Rule {
  /** The tools it is about; without it, all. */
  readonly tool?: string | readonly string[]
  /**
   * The values it is about, as a JSON pointer in which `*` is any key or index and `**` any number of them; without it,
   * the call as such.
   */
  readonly at?: string
  /** What is asked of each of them; without it, only that there is one. */
  readonly is?: Matcher
  readonly decision: Decision
  /** Why, for people and for the model. */
  readonly reason?: string
}

/** A rule that was understood. */
export interface ReadRule {
  readonly rule: Rule
  readonly keys: readonly PatternKey[]
  /** An `allow` has to hold for all values; anything stricter follows from one. */
  readonly isPermissive: boolean
  /** There is at most one value that it is about. */
  readonly isSingle: boolean
  /** It is about everything below some place, so that a list is nothing to it but what is in it. */
  readonly isDeep: boolean
  isAbout(toolName: string): boolean
}

const FIELDS = ['tool', 'at', 'is', 'decision', 'reason']

export function readRule(rule: Rule, number: number): ReadRule {
  const fail = (why: string): never => {
    throw new SluiceError('invalid-rule', `Rule ${number} ${why}`)
  }
  if (typeof rule !== 'object' || rule === null) return fail('is not an object.')
  const unknown = Object.keys(rule).find((field) => !FIELDS.includes(field))
  if (unknown !== undefined) fail(`has an unknown field '${unknown}'; use one of ${FIELDS.join(', ')}.`)
  const { tool, at, is, decision, reason } = rule
  if (!DECISIONS.includes(decision))
    fail(`has the decision ${JSON.stringify(decision)}; use allow, ask or deny.`)
  if (reason !== undefined && typeof reason !== 'string') fail("has a 'reason' that is not a string.")
  if (is !== undefined && !isMatcher(is)) fail("has an 'is' that is not a matcher, such as prefix(…).")
  if (is !== undefined && at === undefined) fail("says what a value is, but not where: give it an 'at'.")
  const tools = tool === undefined ? undefined : [tool].flat()
  if (tools?.length === 0 || tools?.some((name) => typeof name !== 'string' || name === ''))
    fail("has a 'tool' that is neither a name nor a list of names.")
  const keys = at === undefined ? [] : readPointer(at)
  return {
    rule,
    keys,
    isSingle: keys.every((key) => typeof key === 'string'),
    isDeep: keys.at(-1) === DEEP,
    isPermissive: decision === 'allow',
    isAbout: (toolName) => tools === undefined || tools.includes(toolName),
  }
}
