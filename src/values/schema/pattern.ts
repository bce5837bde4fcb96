/**
 * The regular expressions of a schema.
 *
 * A schema's `pattern` may come from anywhere, and JavaScript's engine backtracks: `^(a+)+$` takes longer than the
 * universe on forty characters. So patterns are followed by an automaton instead, one step per character. What it
 * cannot follow is not run.
 */

import { checkText } from '../../base/errors.ts'
import { Automaton, type Budget } from '../pattern/automaton.ts'

/** Steps that all patterns together may take to be prepared for texts. Nothing but an attack needs as many. */
const MAX_STEPS = 8_000_000
/** Characters that can be looked up in the time of one such step. */
const CHARACTERS_PER_STEP = 16

/** Patterns that were read, to be run on many texts. */
export class Patterns {
  private readonly budget: Budget = { left: MAX_STEPS }
  private readonly known = new Map<string, Automaton | undefined>()

  /** Whether all steps are used up, so that no more patterns are run. */
  get isSpent(): boolean {
    return this.budget.left < 0
  }

  /** Whether a pattern matches somewhere in the text; undefined when it cannot be run. */
  matches(pattern: string, text: string): boolean | undefined {
    if (!this.known.has(pattern)) this.known.set(pattern, this.read(pattern))
    try {
      this.budget.left -= text.length / CHARACTERS_PER_STEP
      return this.budget.left < 0 ? undefined : this.known.get(pattern)?.matches(text)
    } catch {
      // It would have to remember too much of this text.
      return undefined
    }
  }

  private read(pattern: string): Automaton | undefined {
    const expression = toExpression(pattern)
    try {
      return expression && new Automaton(expression, this.budget)
    } catch {
      return undefined
    }
  }
}

/** With the unicode flag that JSON Schema asks for, where the pattern takes it. */
function toExpression(source: string): RegExp | undefined {
  for (const flags of ['u', '']) {
    try {
      return new RegExp(source, flags)
    } catch {
      // Many patterns in the wild escape what needs no escape, which only the older syntax takes.
    }
  }
  return undefined
}

/**
 * Whether a pattern matches somewhere in the text, as `validate` would say. Time is proportional to the text,
 * whatever the pattern is. Undefined for a pattern that cannot be run like this: one with backreferences,
 * lookarounds or properties of Unicode, one of more than 1024 characters, one that is broken.
 *
 *     matchesPattern('^(a+)+$', 'aaaa!')  // false
 *     matchesPattern('^(a)\\1$', 'aa')    // undefined
 */
export function matchesPattern(pattern: string, text: string): boolean | undefined {
  checkText(pattern, 'A pattern is read from')
  checkText(text, 'A match is looked for in')
  return new Patterns().matches(pattern, text)
}
