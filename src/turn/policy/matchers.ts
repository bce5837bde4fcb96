/** The matchers: what a rule can ask of one value. */

import { SluiceError } from '../../base/errors.ts'
import type { ArgumentKind, JsonValue } from '../../base/event.ts'
import { shown } from '../../base/options.ts'
import { canonical } from '../../values/schema/canonical.ts'
import { isSameJson } from '../../values/schema/json-values.ts'
import { GrowingPattern } from './growing-pattern.ts'
import { type Answer, type CharacterReader, type Matcher, type Reading, readCharacters } from './matcher.ts'

/** The value is exactly this. */
export function equals(value: JsonValue): Matcher {
  checkValues([value])
  return { about: `is ${JSON.stringify(value)}`, open: () => new ChoiceReading([value]) }
}

/** The value is one of these. */
export function oneOf(...values: JsonValue[]): Matcher {
  checkValues(values)
  const listed = values.map((value) => JSON.stringify(value)).join(', ')
  return { about: `is one of ${listed}`, open: () => new ChoiceReading(values) }
}

/** What is not there, such as a setting that is missing, equals nothing: a rule would never hold. */
function checkValues(values: readonly JsonValue[]): void {
  if (values.length === 0) throw new SluiceError('invalid-rule', 'oneOf takes at least one value.')
  for (const value of values)
    if (canonical(value) === undefined)
      throw new SluiceError('invalid-rule', `A value can be compared with JSON, not with ${shown(value)}.`)
}

/**
 * A string is certain not to be among them at its first character that none of them has there.
 *
 * A value of a type that none of them has is unreadable, because it may become one of them on its way: `['prod']` or
 * `1` as text. Where all of them are strings, a number, `true` or `null` is one only if its text is.
 */
class ChoiceReading implements Reading {
  characters = 0
  private readonly values: readonly JsonValue[]
  private left: readonly string[]

  constructor(values: readonly JsonValue[]) {
    this.values = values
    this.left = values.filter((value) => typeof value === 'string')
  }

  start(kind: ArgumentKind): Answer {
    return kind === 'scalar' || this.values.some((value) => kindOf(value) === kind) ? 'not-yet' : 'unreadable'
  }

  push(delta: string): Answer {
    for (let at = 0; at < delta.length; at++) {
      const code = delta.charCodeAt(at)
      this.left = this.left.filter((value) => value.charCodeAt(this.characters) === code)
      this.characters++
      if (this.left.length === 0) return 'no'
    }
    return 'not-yet'
  }

  end(value: JsonValue): Answer {
    if (this.values.some((one) => isSameJson(one, value))) return 'yes'
    return kindOf(value) === 'scalar' && this.isOfAnotherType(value) ? 'unreadable' : 'no'
  }

  private isOfAnotherType(scalar: JsonValue): boolean {
    if (this.left.includes(JSON.stringify(scalar))) return true
    const types = new Set(this.values.map(typeOf))
    return !types.has(typeOf(scalar)) && (types.size > 1 || !types.has('string'))
  }
}

function typeOf(value: JsonValue): string | null {
  return value === null ? null : typeof value
}

function kindOf(value: JsonValue): ArgumentKind {
  if (typeof value === 'string') return 'string'
  if (value === null || typeof value !== 'object') return 'scalar'
  return Array.isArray(value) ? 'array' : 'object'
}

/** The string begins with this. For paths there is `within`, because `src/../x` begins with `src/`, too. */
export function prefix(text: string): Matcher {
  if (typeof text !== 'string')
    throw new SluiceError('invalid-rule', `A prefix is a string, not ${shown(text)}.`)
  return { about: `begins with ${JSON.stringify(text)}`, open: () => readCharacters(prefixReader(text)) }
}

function prefixReader(text: string): CharacterReader {
  return {
    first: () => (text === '' ? 'yes' : 'not-yet'),
    read(code, count) {
      if (text.charCodeAt(count - 1) !== code) return 'no'
      return count === text.length ? 'yes' : 'not-yet'
    },
    last: () => 'no',
  }
}

/**
 * The regular expression matches somewhere in the string, as `test` would find.
 *
 * It is answered at the first character after which no continuation could change the answer, in time that is
 * proportional to the text. What cannot be followed in this way is refused: looking around, referring back, and
 * patterns that have to remember too much.
 */
export function pattern(expression: RegExp | string): Matcher {
  const growing = new GrowingPattern(toExpression(expression))
  return { about: `matches ${String(expression)}`, open: () => readCharacters(patternReader(growing)) }
}

/** Of what is no expression, `RegExp` would make one that matches everything. */
function toExpression(expression: RegExp | string): RegExp {
  if (typeof expression !== 'string' && Object.prototype.toString.call(expression) !== '[object RegExp]')
    throw new SluiceError('invalid-rule', `A pattern is a regular expression, not ${shown(expression)}.`)
  try {
    return new RegExp(expression)
  } catch (error) {
    throw new SluiceError('invalid-rule', `${String(expression)} is not a regular expression.`, {
      cause: error,
    })
  }
}

function patternReader(growing: GrowingPattern): CharacterReader {
  let state = growing.start
  return {
    first: () => growing.certainty(state),
    read(code) {
      state = growing.next(state, code)
      return growing.certainty(state)
    },
    last: () => (growing.isMatch(state) ? 'yes' : 'no'),
  }
}

/** The number is not smaller than this. */
export function minimum(least: number): Matcher {
  return numeric(`is at least ${least}`, least, (value) => value >= least)
}

/** The number is not greater than this. */
export function maximum(most: number): Matcher {
  return numeric(`is at most ${most}`, most, (value) => value <= most)
}

function numeric(about: string, bound: number, judge: (value: number) => boolean): Matcher {
  if (typeof bound !== 'number' || Number.isNaN(bound))
    throw new SluiceError('invalid-rule', `A minimum or maximum is a number, not ${String(bound)}.`)
  const reading: Reading = {
    characters: 0,
    start: (kind) => (kind === 'scalar' ? 'not-yet' : 'unreadable'),
    push: () => 'not-yet',
    end: (value) => (typeof value !== 'number' ? 'unreadable' : judge(value) ? 'yes' : 'no'),
  }
  return { about, open: () => reading }
}

/**
 * Your own test of a complete value. Where `growing` is given, it is asked of each piece of a string before: the
 * function it gives answers what is certain by then.
 *
 *     custom((value) => isCheap(value))
 *
 * If it throws, the value is unreadable.
 */
export function custom(
  complete: (value: JsonValue) => boolean,
  growing?: () => (delta: string) => Answer,
): Matcher {
  for (const given of [complete, growing ?? complete])
    if (typeof given !== 'function')
      throw new SluiceError('invalid-rule', `custom takes a function, not ${shown(given)}.`)
  return { about: 'is what the rule asks for', open: () => new CustomReading(complete, growing?.()) }
}

class CustomReading implements Reading {
  characters = 0
  private readonly complete: (value: JsonValue) => boolean
  private readonly growing: ((delta: string) => Answer) | undefined

  constructor(complete: (value: JsonValue) => boolean, growing: ((delta: string) => Answer) | undefined) {
    this.complete = complete
    this.growing = growing
  }

  start(): Answer {
    return 'not-yet'
  }

  push(delta: string): Answer {
    if (this.growing === undefined) return 'not-yet'
    // One character at a time, so that the answer does not depend on how the text was cut.
    for (const character of delta) {
      this.characters += character.length
      const answer = this.growing(character)
      if (answer !== 'not-yet') return answer
    }
    return 'not-yet'
  }

  end(value: JsonValue): Answer {
    return this.complete(value) ? 'yes' : 'no'
  }
}
