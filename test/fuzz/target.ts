/** What is fuzzed: something that reads inputs of one kind, and the laws that it must keep whatever they are. */

import type { JsonValue } from '../../src/base/event.ts'
import type { Random } from './random.ts'

export interface Target<Input extends JsonValue = JsonValue> {
  readonly name: string
  /** Valid inputs, to begin with. */
  seeds(random: Random): Input[]
  /** An input that differs a little. `other` is another one that was kept. */
  mutate(input: Input, random: Random, other: Input): Input
  /**
   * What law an input breaks, or nothing. What it throws is a violation, too. `isQuick`: without the laws that take
   * the square of its length.
   */
  violation(input: Input, isQuick?: boolean): string | undefined
  /** What happened, without the contents: inputs with which something else happens are kept and changed further. */
  outline(input: Input): string
  /** Smaller inputs, to find the smallest that breaks a law. */
  smaller(input: Input): Iterable<Input>
}
