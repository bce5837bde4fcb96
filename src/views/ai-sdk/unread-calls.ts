/**
 * Notices calls that came out as text because they never came to a name, so that someone is told of them:
 *
 *     <tool_call>not JSON</tool_call>
 *
 * The engine has given such a call back as the text it is. What stands here only looks at that text: where the
 * marker that begins a call is in it, a call was meant.
 */

import type { Event } from '../../event.ts'
import { FIXED_LIMITS } from '../../limits.ts'
import { Rope } from '../../rope.ts'
import type { OnError } from './failures.ts'
import type { MarkerPair } from './markers.ts'

export class UnreadCalls {
  private readonly pairs: readonly MarkerPair[]
  private readonly onError: OnError
  /** Characters of the longest marker that begins a call. */
  private readonly longest: number
  /** The characters that those markers begin with: often one, however many tools there are. */
  private readonly firsts: readonly string[]
  /** The end of the text that was seen, in which a marker may have begun. */
  private tail = ''
  private open: MarkerPair | null = null
  private found: Rope | null = null

  constructor(pairs: readonly MarkerPair[], onError: OnError) {
    this.pairs = pairs
    this.longest = Math.max(0, ...this.pairs.map(({ open }) => open.length))
    this.firsts = [...new Set(this.pairs.map(({ open }) => open.charAt(0)))]
    this.onError = onError
  }

  add(event: Event): void {
    if (event.type === 'text-delta') this.read(event.delta)
    else if (event.type === 'text-end') this.end()
  }

  private read(delta: string): void {
    const text = this.tail + delta
    if (this.open === null && !this.firsts.some((first) => text.includes(first))) {
      this.tail = ''
      return
    }
    const search = new Search(this.pairs, text)
    let from = 0
    for (;;) {
      if (this.open === null) {
        const next = search.earliest(from)
        if (next === undefined) break
        this.open = next.pair
        this.found = new Rope(next.pair.open)
        from = next.at + next.pair.open.length
      }
      const { close } = this.open
      const at = text.indexOf(close, from)
      if (at === -1) break
      this.found!.add(text.slice(from, at + close.length))
      from = at + close.length
      this.report('malformed')
    }
    const kept = this.open === null ? this.longest : this.open.close.length
    const rest = Math.max(from, text.length - kept + 1)
    if (this.found !== null && this.found.length < FIXED_LIMITS.unreadCall)
      this.found.add(text.slice(from, rest))
    this.tail = text.slice(rest)
  }

  /** The text is over. */
  end(): void {
    if (this.open !== null) {
      this.found!.add(this.tail)
      this.report('truncated')
    }
    this.tail = ''
  }

  private report(reason: 'malformed' | 'truncated'): void {
    const toolCall = this.found!.toString()
    this.open = null
    this.found = null
    const message =
      reason === 'truncated'
        ? 'The text ends in a call that says no tool.'
        : 'The call cannot be read: it says no tool.'
    this.onError(message, { toolCall, toolName: '', toolCallId: '', reason })
  }
}

/** Where the markers are in a text. Each is looked for once, from the place where it was last found. */
class Search {
  private readonly pairs: readonly MarkerPair[]
  private readonly text: string
  private readonly places: number[]

  constructor(pairs: readonly MarkerPair[], text: string) {
    this.pairs = pairs
    this.text = text
    this.places = pairs.map(({ open }) => text.indexOf(open))
  }

  earliest(from: number): { readonly pair: MarkerPair; readonly at: number } | undefined {
    let first: { pair: MarkerPair; at: number } | undefined
    for (const [index, pair] of this.pairs.entries()) {
      let at = this.places[index]!
      if (at !== -1 && at < from) at = this.places[index] = this.text.indexOf(pair.open, from)
      if (at !== -1 && (first === undefined || at < first.at)) first = { pair, at }
    }
    return first
  }
}
