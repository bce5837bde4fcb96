/**
 * The loop: take an input that was kept, change it, hold it against the laws, and keep it if something else happened
 * than with any before. What breaks a law is made as small as it goes.
 */

import type { JsonValue } from '../../src/base/event.ts'
import { Random } from './random.ts'
import type { Target } from './target.ts'

export interface Find {
  readonly target: string
  readonly input: JsonValue
  readonly violation: string
}

/** So many inputs are kept for a target: the shortest with each outline, the oldest forgotten first. */
const MOST_KEPT = 400

/** Steps that may be taken to make an input smaller. */
const MOST_STEPS = 600

/** What is wrong, where an error that was thrown is wrong, too. */
export function judged<Input extends JsonValue>(
  target: Target<Input>,
  input: Input,
  isQuick = false,
): string | undefined {
  try {
    return target.violation(input, isQuick)
  } catch (error) {
    return `10. total: ${error instanceof Error ? error.stack : String(error)}`
  }
}

/** What happened; an error that was thrown is for `judged` to tell. */
function outlined<Input extends JsonValue>(target: Target<Input>, input: Input): string | undefined {
  try {
    return target.outline(input)
  } catch {
    return undefined
  }
}

/** The law that a violation is of: while an input is made smaller, it must be the same one. */
const lawOf = (violation: string): string => violation.slice(0, violation.indexOf(':') + 1)

/** The smallest input that breaks the same law. */
function smallest<Input extends JsonValue>(target: Target<Input>, input: Input, violation: string): Find {
  let best = { input, violation }
  let steps = 0
  for (let hasShrunk = true; hasShrunk && steps < MOST_STEPS; ) {
    hasShrunk = false
    for (const candidate of target.smaller(best.input)) {
      if (++steps > MOST_STEPS) break
      if (JSON.stringify(candidate).length >= JSON.stringify(best.input).length) continue
      const found = judged(target, candidate)
      if (found === undefined || lawOf(found) !== lawOf(violation)) continue
      best = { input: candidate, violation: found }
      hasShrunk = true
      break
    }
  }
  return { target: target.name, ...best }
}

/** A target on its way. */
export class Fuzzing<Input extends JsonValue = JsonValue> {
  readonly kept = new Map<string, Input>()
  tried = 0
  private readonly target: Target<Input>
  private readonly random: Random

  constructor(target: Target<Input>, seed: number, corpus: readonly Input[] = []) {
    this.target = target
    this.random = new Random(seed ^ hash(target.name))
    for (const input of [...target.seeds(this.random), ...corpus]) this.keep(input)
  }

  /** One input. */
  step(): Find | undefined {
    const inputs = [...this.kept.values()]
    const [input, other] = [this.random.of(inputs), this.random.of(inputs)]
    const changed = this.target.mutate(input, this.random, other)
    this.tried++
    // Where nothing new happens, all laws are tried now and then.
    const isQuick = !this.keep(changed) && !this.random.onceIn(6)
    const violation = judged(this.target, changed, isQuick)
    return violation === undefined ? undefined : smallest(this.target, changed, violation)
  }

  /** Keeps an input with which something happens that has not happened before, or not with one so short. */
  private keep(input: Input): boolean {
    const outline = outlined(this.target, input)
    if (outline === undefined) return false
    const before = this.kept.get(outline)
    if (before !== undefined && JSON.stringify(before).length <= JSON.stringify(input).length) return false
    this.kept.set(outline, input)
    if (this.kept.size > MOST_KEPT) this.kept.delete(this.kept.keys().next().value!)
    return before === undefined
  }
}

/** A number for a name. */
function hash(name: string): number {
  let value = 0
  for (let at = 0; at < name.length; at++) value = (Math.imul(value, 31) + name.charCodeAt(at)) | 0
  return value
}
