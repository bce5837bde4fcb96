/**
 * What the model was shown before it answers. A call that stands in a tool's result word for word may be repeated and
 * not meant, and so may the examples of a prompt in an answer that repeats the prompt from its beginning.
 *
 *     the result    Try [rm(path="/")] next.
 *     the answer    [rm(path="/")]              it may be data: its place is uncertain
 *
 * White space does not count, so that text is found that was wrapped or indented anew.
 */

import { begun, count, integer, resumed, type StateOf } from '../../base/declared-state.ts'
import { checkOption, checkOptions, type KnownOptions } from '../../base/options.ts'

/** Text of the prompt that is not the model's own. */
export interface Shown {
  /** What the tools answered, as they gave it. */
  readonly results?: readonly string[]
  /** What the prompt says about the tools, with examples of calls. */
  readonly instructions?: string
}

const OPTIONS: KnownOptions<Shown> = { results: 'list', instructions: 'string' }

const STATE = {
  /** How much of the answer was compared with the instructions. */
  read: count,
  /** How much of the instructions the answer repeats so far; -1: it says something else. */
  matched: integer,
  /** Up to this offset the answer repeats them. */
  repeatedTo: count,
}

const SPACE = /\s+/g

export class ShownText {
  s: StateOf<typeof STATE> = begun(STATE)
  private readonly instructions: string
  private readonly given: readonly string[]
  /** The results without white space. Made when the first call asks. */
  private results: string | undefined

  constructor(shown: Shown) {
    checkOptions(shown, OPTIONS, 'text that is shown')
    const { results = [], instructions = '' } = shown
    for (const result of results) checkOption('results', result, 'string')
    this.given = results
    this.instructions = instructions.replace(SPACE, '')
  }

  restore(saved: unknown): void {
    this.s = resumed(STATE, saved)
  }

  /** The next piece of the answer. */
  read(chunk: string): void {
    const { s, instructions } = this
    for (let at = 0; at < chunk.length && s.matched >= 0; at++) {
      const character = chunk[at]!
      if (character.trim() === '') continue
      s.matched = character === instructions[s.matched] ? s.matched + 1 : -1
      if (s.matched > 0) s.repeatedTo = s.read + at + 1
    }
    s.read += chunk.length
  }

  /** Whether a call that ends at this offset stands in what was shown. */
  has(source: string, end: number): boolean {
    if (end <= this.s.repeatedTo) return true
    if (this.given.length === 0) return false
    // No source has the line break between two results.
    this.results ??= this.given.map((result) => result.replace(SPACE, '')).join('\n')
    return includes(this.results, source.replace(SPACE, ''))
  }
}

/** Longer texts are searched for by their ends first, so that nearly every search is one of the platform. */
const SHORT = 64

/** `text.includes(wanted)`, in time that is proportional to both, whatever they hold. */
export function includes(text: string, wanted: string): boolean {
  if (wanted.length <= SHORT) return text.includes(wanted)
  if (!text.includes(wanted.slice(0, SHORT)) || !text.includes(wanted.slice(-SHORT))) return false
  // Knuth, Morris and Pratt: for each prefix, how much of it is known to match after a mismatch.
  const known = new Uint32Array(wanted.length)
  for (let at = 1, length = 0; at < wanted.length; at++) {
    while (length > 0 && wanted[at] !== wanted[length]) length = known[length - 1]!
    if (wanted[at] === wanted[length]) length++
    known[at] = length
  }
  for (let at = 0, length = 0; at < text.length; at++) {
    while (length > 0 && text[at] !== wanted[length]) length = known[length - 1]!
    if (text[at] === wanted[length]) length++
    if (length === wanted.length) return true
  }
  return false
}
