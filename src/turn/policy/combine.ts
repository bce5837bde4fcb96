/** Matchers made of others: not this one, all of these, any of these. */

import { SluiceError } from '../../base/errors.ts'
import type { ArgumentKind, JsonValue } from '../../base/event.ts'
import type { Answer, Matcher, Reading } from './matcher.ts'

/** The matcher answers no. What it cannot read, this cannot read either. */
export function not(matcher: Matcher): Matcher {
  checkMatchers([matcher])
  return {
    about: `not (${matcher.about})`,
    open: () => new CombinedReading([matcher.open()], ([answer]) => opposite(answer!)),
  }
}

function opposite(answer: Answer): Answer {
  if (answer === 'yes') return 'no'
  return answer === 'no' ? 'yes' : answer
}

/** All of them answer yes. */
export function allOf(...matchers: Matcher[]): Matcher {
  return combined(matchers, 'and', (answers) => strongest(answers, 'no', 'yes'))
}

/** At least one of them answers yes. */
export function anyOf(...matchers: Matcher[]): Matcher {
  return combined(matchers, 'or', (answers) => strongest(answers, 'yes', 'no'))
}

function combined(matchers: readonly Matcher[], word: string, combine: Combine): Matcher {
  checkMatchers(matchers)
  return {
    about: matchers.map(({ about }) => about).join(` ${word} `),
    open: () =>
      new CombinedReading(
        matchers.map((matcher) => matcher.open()),
        combine,
      ),
  }
}

/** One `decisive` answer is enough; without one, all have to be certain. */
function strongest(answers: readonly Answer[], decisive: Answer, other: Answer): Answer {
  for (const answer of [decisive, 'not-yet', 'unreadable'] as const)
    if (answers.includes(answer)) return answer
  return other
}

/**
 * A value that is read in several ways at once, where it is certain only if all ways agree. When they do not, it is
 * unreadable.
 */
export function agreeing(readings: readonly Reading[]): Reading {
  return new CombinedReading(readings, (answers) => {
    if (answers.includes('unreadable')) return 'unreadable'
    const certain = new Set(answers.filter((answer) => answer !== 'not-yet'))
    if (certain.size > 1) return 'unreadable'
    return answers.includes('not-yet') ? 'not-yet' : [...certain][0]!
  })
}

type Combine = (answers: readonly Answer[]) => Answer

/** Asks each of its readings until that is certain, character by character so that all of them are at one place. */
class CombinedReading implements Reading {
  characters = 0
  private readonly readings: readonly Reading[]
  private readonly answers: Answer[]
  private readonly combine: Combine

  constructor(readings: readonly Reading[], combine: Combine) {
    this.readings = readings
    this.answers = readings.map(() => 'not-yet')
    this.combine = combine
  }

  get problem(): string | undefined {
    return this.readings.find(({ problem }) => problem !== undefined)?.problem
  }

  start(kind: ArgumentKind): Answer {
    return this.ask((reading) => reading.start(kind))
  }

  push(delta: string): Answer {
    for (const character of delta) {
      this.characters += character.length
      const answer = this.ask((reading) => reading.push(character))
      if (answer !== 'not-yet') return answer
    }
    return 'not-yet'
  }

  end(value: JsonValue): Answer {
    return this.ask((reading) => {
      const answer = reading.end(value)
      return answer === 'not-yet' ? 'unreadable' : answer
    })
  }

  private ask(question: (reading: Reading) => Answer): Answer {
    for (const [index, reading] of this.readings.entries())
      if (this.answers[index] === 'not-yet') this.answers[index] = question(reading)
    return this.combine(this.answers)
  }
}

export function isMatcher(value: unknown): value is Matcher {
  return typeof value === 'object' && value !== null && 'open' in value && typeof value.open === 'function'
}

function checkMatchers(matchers: readonly unknown[]): void {
  if (matchers.length === 0 || !matchers.every(isMatcher))
    throw new SluiceError('invalid-rule', 'not, allOf and anyOf take matchers, such as prefix(…).')
}
