/**
 * The regular expressions of a schema.
 *
 * A schema's `pattern` may come from anywhere, and JavaScript's engine backtracks without a limit: `^(a+)+$` takes longer
 * than the universe on forty characters. So patterns are followed by an automaton instead, one step per character, and
 * those that look around or back by a search that counts its steps.
 */

import { checkText, SluiceError } from '../../base/errors.ts'
import { Automaton, type Budget } from '../pattern/automaton.ts'
import { Backtracker } from '../pattern/backtracker.ts'
import { readPattern, unsafe } from '../pattern/syntax.ts'

/** Steps that all patterns together may take. Nothing but an attack, or a very long text, needs as many. */
const MAX_STEPS = 8_000_000
/** Characters that can be looked up in the time of one such step. */
const CHARACTERS_PER_STEP = 16
/** What it takes to find out which characters have a property of Unicode. */
const PROPERTY_COST = 200_000

type Matcher = Pick<Automaton, 'matches'>

/** Patterns that were read, to be run on many texts. */
export class Patterns {
  private readonly budget: Budget = { left: MAX_STEPS }
  private readonly known = new Map<string, Matcher | undefined>()

  /** Whether all steps are used up, so that no more patterns are run. */
  get isSpent(): boolean {
    return this.budget.left < 0
  }

  /** Whether a pattern matches somewhere in the text; undefined when it cannot be run. */
  matches(pattern: string, text: string): boolean | undefined {
    if (!this.known.has(pattern)) this.known.set(pattern, this.read(pattern))
    try {
      this.budget.left -= text.length / CHARACTERS_PER_STEP
      return this.isSpent ? undefined : this.known.get(pattern)?.matches(text)
    } catch {
      return undefined
    }
  }

  private read(pattern: string): Matcher | undefined {
    try {
      return matcherOf(pattern, this.budget)
    } catch {
      return undefined
    }
  }
}

/** Throws for a pattern that is broken or not understood, and when the budget is used up. */
function matcherOf(pattern: string, budget: Budget): Matcher {
  const expression = toExpression(pattern)
  const syntax = readPattern(expression)
  const { properties, sets, hasLooks, hasBackreferences } = syntax
  const ranges = sets.reduce((sum, { length }) => sum + length, 0)
  budget.left -= properties * PROPERTY_COST + sets.length * ranges
  if (budget.left < 0) throw unsafe(expression, 'has too many characters in its classes.')
  return hasLooks || hasBackreferences
    ? new Backtracker(expression, budget, syntax)
    : new Automaton(expression, budget, syntax)
}

/** With the unicode flag that JSON Schema asks for, where the pattern takes it. */
function toExpression(source: string): RegExp {
  for (const flags of ['u', '']) {
    try {
      return new RegExp(source, flags)
    } catch {
      // Many patterns in the wild escape what needs no escape, which only the older syntax takes.
    }
  }
  throw new SluiceError('unsafe-pattern', `The pattern ${source} is not a regular expression.`)
}

/** Why a pattern cannot be run on any text; undefined for one that can. */
export function problemOfPattern(pattern: string): string | undefined {
  try {
    matcherOf(pattern, { left: MAX_STEPS })
    return undefined
  } catch (error) {
    return error instanceof SluiceError ? error.message : undefined
  }
}

/**
 * Whether a pattern matches somewhere in the text, as `validate` would say. Time is limited, whatever the pattern is, and
 * proportional to the text unless the pattern looks around or back. Undefined for a pattern that cannot be run, because it is
 * broken or has more than 1024 characters, and for one that takes too many steps on this text.
 *
 *     matchesPattern('^(a+)+$', 'aaaa!')  // false
 *     matchesPattern('^(?!rm )', 'rm -r') // false
 */
export function matchesPattern(pattern: string, text: string): boolean | undefined {
  checkText(pattern, 'A pattern is read from')
  checkText(text, 'A match is looked for in')
  return new Patterns().matches(pattern, text)
}
