/**
 * A reader takes over where a template cannot say character by character what comes: JSON, an opening
 * tag with attributes, a python call. It is the machine's own small interface, and the way in for a
 * format that does not fit a template.
 */

import type { JsonValue } from '../../base/event.ts'
import type { Limits } from '../../base/limits.ts'
import type { PlainRecord, Shape } from '../../base/plain-state.ts'
import type { Call } from '../calls/call.ts'
import type { TextArguments } from '../calls/text-arguments.ts'
import type { FastPath } from './fast-path.ts'
import type { Markers } from './markers.ts'

export interface Reader<State extends object = object> {
  /** All that it remembers between two chunks, as plain data. A snapshot holds a copy of it. */
  readonly state: State
  /** `done` right after the last character it wants; `failed` at the character that cannot be. */
  status: 'open' | 'done' | 'failed'
  /** Only for an opening tag: it was `<tag/>`. */
  readonly selfClosing?: boolean
  /**
   * Reads `text[from, to)` and returns the index after the last character taken. When it fails, that is
   * the index of the offending character itself, whatever the chunking.
   */
  read(text: string, from: number, to: number, call: Call): number
  /** The fast path from here on; null: there is none. It stays valid until `read` is called again. */
  readonly fastPath?: FastPath | null
  /** The text ends here. A reader that can accept that sets `status` to `done`. */
  end(call: Call): void
  /** The response ends here. What was read may show that this is a call, although its name is missing; then it starts it. */
  cutOff?(call: Call): void
  /**
   * The end of what it read that may become a marker of something else; when it is over, that marker. Whatever comes next
   * reads it again.
   */
  readonly undecided?: string
  /** For JSON: what would make the text that was passed on complete. */
  completion?(): string
}

export interface ReaderType<State extends PlainRecord<State> = object> {
  readonly name: string
  /** The characters it can begin with; empty when any will do. */
  readonly first: string
  /** What it reads is visible text all the same. */
  readonly visible?: boolean
  /** What it reads is markup: it gives a call neither a name nor an argument. */
  readonly givesNothing?: true
  /** Reads what turned out to be no call as text to its end, so that nothing inside it is a call. */
  readonly plain?: ReaderType
  /** The closing tag that it reads itself, where it does. */
  readonly closer?: string
  /** What takes the arguments, where the reader writes them one by one. */
  readonly textArguments?: typeof TextArguments
  /** It finds the call's name itself. */
  readonly namesCall: boolean
  /** It is over at a bracket of its own, whatever follows. */
  readonly endsAtBracket?: boolean
  /** What its record looks like. A snapshot whose record looks different is refused. */
  readonly shape: Shape<State>
  /** `state`: the record of a reader that was saved, checked. The reader goes on from there. */
  create(settings: ReaderSettings, state?: State): Reader<State>
  /** Writes what the reader would read; undefined where there is nothing to write. */
  render(call: RenderedCall): string | undefined
  /** For a tag: what its attributes give. */
  readonly attributes?: Readonly<Record<string, string>>
  /** For a tag: attributes that need not be there. */
  readonly optionalAttributes?: readonly string[]
  /** For a tag: arguments are written as attributes. */
  readonly writesOthers?: boolean
  /** How it reads in a template that is shown to people. */
  readonly show?: string
}

export interface ReaderSettings {
  /** The construct began with something that ordinary text may hold, too: be strict until the name is certain. */
  readonly weak: boolean
  readonly limits: Limits
  /** Where it begins, as an offset of the text channel. */
  readonly offset: number
  /** The markers that open and close calls. */
  readonly markers?: () => Markers
  /** Visible text before it ended at the start of a line, or there was none. */
  readonly isAtLineStart?: boolean
}

export interface RenderedCall {
  readonly id: string
  readonly toolName: string
  /** Without the arguments that other parts of the template write. */
  readonly input: JsonValue
  /** For a tag: what stands for one of its roles. It throws if there is nothing, unless that may be. */
  word?(role: string, isOptional?: true): string | undefined
  /** For a tag: the argument that is being written. */
  readonly argument?: readonly [key: string, value: JsonValue] | undefined
  /** How many calls of the message come before it. */
  readonly position?: number
}
