/** What a rule asks of a value, and how it is answered while the value grows. */

import type { ArgumentKind, JsonValue } from '../event.ts'

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
}

export interface Matcher {
  /** What it asks, to be read after the place: `is within src`. */
  readonly about: string
  open(): Reading
}

/**
 * Reads strings one character after the other. A number, `true` or `null` may become its text somewhere on its way, so
 * nobody can tell whether it is what is asked for, unless not even its text is.
 */
export abstract class TextReading implements Reading {
  characters = 0

  start(kind: ArgumentKind): Answer {
    if (kind === 'string') return this.first()
    return kind === 'scalar' ? 'not-yet' : 'unreadable'
  }

  push(delta: string): Answer {
    for (let at = 0; at < delta.length; at++) {
      this.characters++
      const answer = this.read(delta.charCodeAt(at))
      if (answer !== 'not-yet') return answer
    }
    return 'not-yet'
  }

  end(value: JsonValue): Answer {
    if (typeof value === 'string') return this.last()
    const first = this.first()
    const pushed = first === 'not-yet' ? this.push(JSON.stringify(value)) : first
    return (pushed === 'not-yet' ? this.last() : pushed) === 'no' ? 'no' : 'unreadable'
  }

  /** What is certain of every string. */
  protected first(): Answer {
    return 'not-yet'
  }
  protected abstract read(code: number): Answer
  /** The string ends here. */
  protected abstract last(): Answer
}

/** Reads a value only when it is complete. */
export class WholeReading implements Reading {
  readonly characters: number = 0
  private readonly judge: (value: JsonValue) => Answer

  constructor(judge: (value: JsonValue) => Answer) {
    this.judge = judge
  }

  start(_kind: ArgumentKind): Answer {
    return 'not-yet'
  }
  push(_delta: string): Answer {
    return 'not-yet'
  }
  end(value: JsonValue): Answer {
    return this.judge(value)
  }
}
