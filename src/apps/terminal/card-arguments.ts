/**
 * The arguments of a call, in the order in which they came: short ones behind the name, the others below it as lines.
 *
 *     ▸ write_file  src/rate-limit.ts
 *       │ export class RateLimit {
 *       │ }
 */

import type { JsonValue, ToolCall } from '../../base/event.ts'
import type { ToolPresentation } from '../../engine/calls/tools.ts'
import { GrowingLines } from './growing-lines.ts'
import { sanitise } from './sanitise.ts'
import { isPrintableAscii } from './width.ts'

/** Characters of an argument that fit behind the tool's name; a longer one, or one of several lines, gets its own. */
const INLINE_LENGTH = 60

export interface CardArgument {
  readonly key: string
  /** What it says so far, as long as it may still fit behind the name. */
  text: string
  /** Null as long as it may still fit behind the name. */
  lines: GrowingLines | null
  isDone: boolean
  /** It was cut off. */
  isCut: boolean
}

export class CardArguments {
  readonly all: CardArgument[] = []
  /** The argument that is shown while it grows. */
  streamed: CardArgument | undefined
  private readonly presentation: ToolPresentation
  private current: CardArgument | null = null
  /** Arguments that may be the path, from the first that is one. */
  private readonly paths: CardArgument[] = []

  constructor(presentation: ToolPresentation) {
    this.presentation = presentation
  }

  start(key: string): CardArgument {
    this.current = { key, text: '', lines: null, isDone: false, isCut: false }
    this.all.push(this.current)
    if (key === this.presentation.streams) this.streamed ??= this.current
    if (this.isHeadline(key) || key === 'path') this.paths.push(this.current)
    return this.current
  }

  grow(key: string, delta: string): void {
    const argument = this.argument(key)
    if (argument.lines === null) {
      argument.text += delta
      if (key !== this.presentation.streams && fitsInline(argument.text)) return
      // What a call will do must be seen as it is: nothing in it is dropped.
      argument.lines = new GrowingLines('visualise', false)
      delta = argument.text
    }
    argument.lines.push(delta)
  }

  complete(key: string, value: JsonValue): void {
    const argument = this.argument(key)
    this.current = null
    argument.isDone = true
    if (argument.lines === null) {
      argument.text = typeof value === 'string' && value !== '' ? value : JSON.stringify(value)
      const isStreamed = key === this.presentation.streams && typeof value === 'string' && value !== ''
      if (isStreamed || !fitsInline(argument.text)) {
        argument.lines = new GrowingLines('visualise', false)
        argument.lines.push(typeof value === 'string' ? value : JSON.stringify(value, null, 2))
      }
    }
    argument.lines?.end()
  }

  /**
   * The verdict: what was not complete is what the verdict says, and what was never announced comes now. What a call
   * that failed has announced may be more than its verdict keeps of it.
   */
  settle({ input, status, error }: ToolCall): void {
    const values = new Map(entriesOf(input))
    const isCut = (key: string): boolean =>
      status === 'truncated' && error?.path?.split('/')[1] === escaped(key)
    for (const argument of this.all) {
      const value = values.get(argument.key)
      values.delete(argument.key)
      if (argument.isDone) continue
      this.current = argument
      if (value !== undefined) this.complete(argument.key, value)
      argument.lines?.end()
      argument.isDone = true
      argument.isCut = isCut(argument.key)
    }
    for (const [key, value] of values) {
      this.start(key)
      this.complete(key, value)
      this.all.at(-1)!.isCut = isCut(key)
    }
    this.current = null
  }

  isHeadline(key: string): boolean {
    return key === '' || this.presentation.headlines?.includes(key) === true
  }

  /** The path, or whatever the call is about. */
  get path(): string | undefined {
    // One that is too long for the header never becomes shorter.
    while (this.paths[0] !== undefined && this.paths[0].lines !== null) this.paths.shift()
    return this.paths[0]?.text
  }

  private argument(key: string): CardArgument {
    return this.current?.key === key ? this.current : this.start(key)
  }
}

/** An input that is no object is shown without a key. */
function entriesOf(input: JsonValue): [string, JsonValue][] {
  if (input === null) return []
  return typeof input === 'object' ? Object.entries(input) : [['', input]]
}

/** A key as part of a JSON pointer. */
const escaped = (key: string): string => key.replaceAll('~', '~0').replaceAll('/', '~1')

function fitsInline(text: string): boolean {
  return text.length <= INLINE_LENGTH && !text.includes('\n')
}

/** What comes from outside, for one line of the page. */
export function inOneLine(text: string): string {
  if (isPrintableAscii(text)) return text
  return sanitise(text, 'visualise').replaceAll('\n', '␊')
}
