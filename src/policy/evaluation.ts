/**
 * A policy at work on one call, value by value while they come.
 *
 * Each rule is open until it is certain whether it holds. One that forbids or asks holds as soon as one value makes
 * it hold. One that allows holds only when no further value can come that might speak against it: when the value at
 * the last key before any `*` is complete. What is never there is known to be missing when what it would be in is
 * complete.
 */

import type { ArgumentKind, JsonValue } from '../event.ts'
import type { Path } from '../path.ts'
import type { PatternCursor } from '../views/progress/pointer-pattern.ts'
import { type Decision, isStricter } from './decision.ts'
import type { Answer, Reading } from './matcher.ts'
import type { ReadRule } from './rule.ts'
import { Standing } from './standing.ts'
import type { Post, ToolRules } from './tool-rules.ts'

/** Why a decision is what it is. */
export interface Cause {
  readonly decision: Decision
  readonly code: 'rule' | 'no-rule' | 'unreadable' | 'repeated-key'
  /** The rule that holds, or the last one that does not. */
  readonly rule: ReadRule | undefined
  /** The value with which it became certain. */
  readonly path: Path | undefined
  /** For a string: after how many of its characters it was certain. */
  readonly characters: number | undefined
}

interface OpenReading {
  readonly rule: number
  readonly reading: Reading
}

interface Certain extends OpenReading {
  readonly answer: Answer
  /** After how many characters of the delta. */
  readonly at: number
}

const NONE: readonly OpenReading[] = []

export class Evaluation {
  /** The mildest that can still become of the call. Undefined as long as that is anything. */
  cause: Cause | undefined

  private readonly tool: ToolRules
  private readonly standing: Standing
  private readonly cursor: PatternCursor<Post>
  /** Values that are being read, by their depth: at each depth there is one value open. */
  private readonly open: (readonly OpenReading[])[] = []
  private readonly seen = new Set<number>()
  private readonly onRaise: (cause: Cause) => void

  /** `onRaise` is called each time the possible outcome of the call became stricter, or certain. */
  constructor(tool: ToolRules, onRaise: (cause: Cause) => void = () => {}) {
    this.tool = tool
    this.onRaise = onRaise
    this.cursor = tool.patterns.cursor()
    this.standing = new Standing(tool)
    this.decide(undefined, undefined)
  }

  start(path: Path, kind: ArgumentKind): void {
    let readings: OpenReading[] | undefined
    for (const post of this.cursor.at(path)) {
      if (post.isScope && this.isRepeated(post, path)) return
      readings ??= []
      if (post.isValue) this.begin(post.rule, path, kind, readings)
      // Nothing can be inside a string or a number.
      else if (kind === 'string' || kind === 'scalar') this.settle(post.rule, path)
    }
    this.open[path.depth] = readings ?? NONE
  }

  /** Answers after how many characters of the delta the call was denied; -1 if it was not. */
  delta(path: Path, delta: string): number {
    const readings = this.open[path.depth]
    if (readings === undefined || readings.length === 0) return -1
    let certain: Certain[] | undefined
    for (const { rule, reading } of readings) {
      const before = reading.characters
      const answer = pushTo(reading, delta)
      if (answer === 'not-yet') continue
      certain ??= []
      certain.push({ rule, reading, answer, at: Math.min(delta.length, reading.characters - before) })
    }
    if (certain === undefined) return -1
    const done = new Set(certain.map(({ reading }) => reading))
    this.open[path.depth] = readings.filter(({ reading }) => !done.has(reading))
    // In the order of the text, so that it does not matter how that was cut.
    certain.sort((one, other) => one.at - other.at)
    for (const { rule, reading, answer, at } of certain) {
      this.take(rule, answer, path, reading.characters)
      if (this.cause?.decision === 'deny') return at
    }
    return -1
  }

  end(path: Path, value: JsonValue): void {
    for (const { rule, reading } of this.open[path.depth] ?? NONE) {
      const answer = certainly(() => reading.end(value))
      this.take(rule, answer === 'not-yet' ? 'unreadable' : answer, path, undefined)
    }
    this.open[path.depth] = NONE
    for (const post of this.cursor.at(path)) if (post.isScope) this.settle(post.rule, path)
  }

  /** No value comes any more. */
  finish(): Decision {
    for (const rule of this.standing.states.keys()) this.settle(rule, undefined)
    return this.cause?.decision ?? this.tool.otherwise
  }

  /** What is not certain at once is read on, with the other readings. */
  private begin(rule: number, path: Path, kind: ArgumentKind, readings: OpenReading[]): void {
    const {
      rule: { is },
      isDeep,
    } = this.tool.rules[rule]!
    if (isDeep && (kind === 'object' || kind === 'array')) return
    let reading: Reading | undefined
    const answer = certainly(() => {
      reading = is?.open()
      return reading?.start(kind) ?? 'yes'
    })
    this.standing.states[rule]!.hasValue = true
    if (answer === 'not-yet' && reading !== undefined) readings.push({ rule, reading })
    else this.take(rule, answer, path, undefined)
  }

  /** The first of two values with one key may have been acted on. */
  private isRepeated({ number }: Post, path: Path): boolean {
    if (!this.seen.has(number)) {
      this.seen.add(number)
      return false
    }
    this.raise({ decision: 'deny', code: 'repeated-key', rule: undefined, path, characters: undefined })
    return true
  }

  /** Takes an answer that is certain. */
  private take(rule: number, answer: Answer, path: Path, characters: number | undefined): void {
    const state = this.standing.states[rule]!
    if (state.status !== 'open') return
    const { isPermissive, isSingle } = this.tool.rules[rule]!
    if (isPermissive) {
      if (answer === 'yes') return // the others have to match, too
      state.status = 'no'
    } else {
      // Nothing changes while other values may still come.
      if (!isSingle && (answer === 'no' || (answer === 'unreadable' && state.isUnsure))) return
      if (answer === 'yes') state.status = 'yes'
      else if (isSingle) state.status = 'no'
      if (answer === 'unreadable') state.isUnsure = true
    }
    this.decide(path, characters, this.tool.rules[rule], answer)
  }

  /** All values of the rule have come. */
  private settle(rule: number, path: Path | undefined): void {
    const state = this.standing.states[rule]!
    if (state.status !== 'open') return
    const { isPermissive } = this.tool.rules[rule]!
    state.status = isPermissive && state.hasValue ? 'yes' : 'no'
    this.decide(path, undefined, this.tool.rules[rule])
  }

  // ── what follows from it ───────────────────────────────────────────────────────────────────────

  private decide(
    path: Path | undefined,
    characters: number | undefined,
    rule?: ReadRule,
    answer?: Answer,
  ): void {
    const least = this.standing.least()
    // That a call is allowed is reported only when it is certain; that it is not, as soon as it can be known.
    if (least === 'allow' && this.standing.most() !== 'allow') return
    const held = this.standing.holding(least)
    const code = held !== undefined ? 'rule' : answer === 'unreadable' ? 'unreadable' : 'no-rule'
    this.raise({ decision: least, code, rule: held ?? rule, path, characters })
  }

  private raise(cause: Cause): void {
    if (this.cause !== undefined && !isStricter(cause.decision, this.cause.decision)) return
    this.cause = cause
    this.onRaise(cause)
  }
}

/** A custom matcher that throws, or gives another answer, has not read the value. */
function certainly(ask: () => Answer): Answer {
  try {
    return known(ask())
  } catch {
    return 'unreadable'
  }
}

/** The same, without a function for each of a million deltas. */
function pushTo(reading: Reading, delta: string): Answer {
  try {
    return known(reading.push(delta))
  } catch {
    return 'unreadable'
  }
}

function known(answer: Answer): Answer {
  return answer === 'yes' || answer === 'no' || answer === 'not-yet' ? answer : 'unreadable'
}
