/**
 * A policy at work on one call, value by value while they come.
 *
 * Each rule is open until it is certain whether it holds. One that forbids or asks holds as soon as one value makes
 * it hold. One that allows holds only when no further value can come that might speak against it: when the value at
 * the last key before any `*` is complete. What is never there is known to be missing when what it would be in is
 * complete.
 */

import type { ArgumentKind, ArgumentPath, JsonValue } from '../../base/event.ts'
import type { PatternCursor } from '../../views/compat/progress/pointer-pattern.ts'
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
  readonly path: ArgumentPath | undefined
  /** For a string: after how many of its characters it was certain. */
  readonly characters: number | undefined
  /** Why the value was unreadable, if its matcher tells. */
  readonly problem?: string | undefined
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
  /** Where the value stands that is spoken of. Empty before the first and behind the last. */
  private keys: (string | number)[] = []
  /** The path that it moved to last. */
  private path: ArgumentPath | undefined
  /** What was asked for that value. */
  private posts: readonly Post[] = []
  private readonly onRaise: (cause: Cause) => void

  /** `onRaise` is called each time the possible outcome of the call became stricter, or certain. */
  constructor(tool: ToolRules, onRaise: (cause: Cause) => void = () => {}) {
    this.tool = tool
    this.onRaise = onRaise
    this.cursor = tool.patterns.cursor()
    this.standing = new Standing(tool)
    this.decide()
  }

  /** Moves to a value inside the last one that was entered a level above. */
  enter(depth: number, key: string | number): void {
    this.keys.length = depth - 1
    this.keys.push(key)
    this.posts = this.cursor.enter(depth, key)
  }

  /** Moves back to a value that something was inside of. */
  leaveTo(depth: number): void {
    this.keys.length = depth
    this.posts = this.cursor.at(depth)
  }

  /** Moves to a value that may be anywhere. The events of one string share their path. */
  goTo(path: ArgumentPath): void {
    if (path === this.path) return
    this.path = path
    this.keys = [...path]
    this.posts = this.cursor.goTo(path)
  }

  /** The value begins to which it moved. */
  start(kind: ArgumentKind): void {
    let readings: OpenReading[] | undefined
    for (const post of this.posts) {
      if (post.isScope && this.isRepeated(post)) return
      readings ??= []
      if (post.isValue) this.begin(post.rule, kind, readings)
      // Nothing can be inside a string or a number.
      else if (kind === 'string' || kind === 'scalar') this.settle(post.rule)
    }
    this.open[this.keys.length] = readings ?? NONE
  }

  /** Answers after how many characters of the delta the call was denied; -1 if it was not. */
  delta(delta: string): number {
    const depth = this.keys.length
    const readings = this.open[depth]
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
    this.open[depth] = readings.filter(({ reading }) => !done.has(reading))
    // In the order of the text, so that it does not matter how that was cut.
    certain.sort((one, other) => one.at - other.at)
    for (const { rule, reading, answer, at } of certain) {
      this.take(rule, answer, reading, reading.characters)
      if (this.cause?.decision === 'deny') return at
    }
    return -1
  }

  end(value: JsonValue): void {
    const depth = this.keys.length
    for (const { rule, reading } of this.open[depth] ?? NONE) {
      const answer = certainly(() => reading.end(value))
      this.take(rule, answer === 'not-yet' ? 'unreadable' : answer, reading)
    }
    this.open[depth] = NONE
    for (const post of this.posts) if (post.isScope) this.settle(post.rule)
  }

  /** No value comes any more. */
  finish(): void {
    this.keys = []
    for (const rule of this.standing.states.keys()) this.settle(rule)
  }

  /** What is not certain at once is read on, with the other readings. */
  private begin(rule: number, kind: ArgumentKind, readings: OpenReading[]): void {
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
    else this.take(rule, answer, reading)
  }

  /** The first of two values with one key may have been acted on. */
  private isRepeated({ number }: Post): boolean {
    if (!this.seen.has(number)) {
      this.seen.add(number)
      return false
    }
    this.raise({ decision: 'deny', code: 'repeated-key', rule: undefined, characters: undefined })
    return true
  }

  /** Takes an answer that is certain. */
  private take(rule: number, answer: Answer, reading?: Reading, characters?: number): void {
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
    this.decide(this.tool.rules[rule], answer, reading?.problem, characters)
  }

  /** All values of the rule have come. */
  private settle(rule: number): void {
    const state = this.standing.states[rule]!
    if (state.status !== 'open') return
    const { isPermissive } = this.tool.rules[rule]!
    state.status = isPermissive && state.hasValue ? 'yes' : 'no'
    this.decide(this.tool.rules[rule])
  }

  // ── what follows from it ───────────────────────────────────────────────────────────────────────

  private decide(rule?: ReadRule, answer?: Answer, problem?: string, characters?: number): void {
    const least = this.standing.least()
    // That a call is allowed is reported only when it is certain; that it is not, as soon as it can be known.
    if (least === 'allow' && this.standing.most() !== 'allow') return
    const held = this.standing.holding(least)
    const code = held !== undefined ? 'rule' : answer === 'unreadable' ? 'unreadable' : 'no-rule'
    this.raise({ decision: least, code, rule: held ?? rule, characters, problem })
  }

  private raise(what: Omit<Cause, 'path'>): void {
    const { cause: before } = this
    const isRaised = before === undefined || isStricter(what.decision, before.decision)
    if (!isRaised && !isClearer(what, before)) return
    this.cause = { ...what, path: this.keys.length === 0 ? undefined : [...this.keys] }
    if (isRaised) this.onRaise(this.cause)
  }
}

/** Whether a cause of the same decision says more: that no rule applies is known before any value is. */
function isClearer({ code }: Pick<Cause, 'code'>, before: Cause): boolean {
  if (before.code === 'no-rule') return code !== 'no-rule'
  return before.code === 'unreadable' && code === 'rule'
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
