/** What a rule asks of a value, and how it is answered while the value grows. */

import type { ArgumentKind, JsonValue } from '../../base/event.ts'

/**
 * `yes` and `no` are certain: nothing that still comes can change them. `unreadable` is certain, too: the matcher
 * cannot tell, because the value is of another type or could be read in several ways.
 */
export type Answer = 'yes' | 'no' | 'unreadable' | 'not-yet'

/**
 * One value while it is read. After an answer that is certain nothing more is asked.
 *
 *     start string   push 'x; rm -r'   push 'f /'   …   end 'x; rm -rf /'
 */
export interface Reading {
  start(kind: ArgumentKind): Answer
  /** A string grew. */
  push(delta: string): Answer
  /** The value is complete. `not-yet` is no answer any more, and counts as `unreadable`. */
  end(value: JsonValue): Answer
  /** For a string: after how many characters of it the answer was certain. */
  readonly characters: number
  /** Why the value is unreadable, if that needs to be said. */
  readonly problem?: string | undefined
}

/** A condition on a value, such as `prefix('src/')`. It decides while the value still grows. */
export interface Matcher {
  /** What it asks, to be read after the place: `is within src`. */
  readonly about: string
  open(): Reading
}

/** What a matcher does with the characters of a string. */
export interface CharacterReader {
  /** What is certain of every string. Default: nothing. */
  first?(): Answer
  /** The next character. `count`: how many there were, this one included. */
  read(code: number, count: number): Answer
  /** The string ends here. */
  last(): Answer
  readonly problem?: string | undefined
}

/**
 * Reads strings one character after the other. A number, `true` or `null` may become its text somewhere on its way, so
 * it is unreadable, unless not even its text can match.
 */
export function readCharacters(reader: CharacterReader): Reading {
  const first = (): Answer => reader.first?.() ?? 'not-yet'
  const reading = {
    characters: 0,
    get problem(): string | undefined {
      return reader.problem
    },
    start(kind: ArgumentKind): Answer {
      if (kind === 'string') return first()
      return kind === 'scalar' ? 'not-yet' : 'unreadable'
    },
    push(delta: string): Answer {
      for (let at = 0; at < delta.length; at++) {
        const answer = reader.read(delta.charCodeAt(at), ++reading.characters)
        if (answer !== 'not-yet') return answer
      }
      return 'not-yet'
    },
    end(value: JsonValue): Answer {
      if (typeof value === 'string') return reader.last()
      const certain = first()
      const pushed = certain === 'not-yet' ? reading.push(JSON.stringify(value)) : certain
      return (pushed === 'not-yet' ? reader.last() : pushed) === 'no' ? 'no' : 'unreadable'
    },
  }
  return reading
}
