/** What a writer must remember of the calls it writes: their places, and how much of the input it has written. */

import { SluiceError } from '../../errors.ts'
import type { Event, JsonValue, ToolCall } from '../../event.ts'

export interface WrittenCall {
  readonly id: string
  readonly toolName: string
  readonly index: number
  readonly providerExecuted: boolean
  /** The input is a string and not an object: a tool that takes free text. Known with the first piece. */
  isText: boolean
  hasInput: boolean
}

export class WrittenCalls {
  private readonly calls = new Map<string, WrittenCall>()

  begin(event: Event & { type: 'tool-input-start' }, index: number): WrittenCall {
    const { id, toolName, providerExecuted = false } = event
    const call = { id, toolName, index, providerExecuted, isText: false, hasInput: false }
    this.calls.set(id, call)
    return call
  }

  get(id: string): WrittenCall | undefined {
    return this.calls.get(id)
  }

  /** The call that a piece of input belongs to. */
  grow(event: Event & { type: 'tool-input-delta' }): WrittenCall | undefined {
    const call = this.calls.get(event.id)
    if (call === undefined) return undefined
    if (!call.hasInput) call.isText = event.delta.startsWith('"')
    call.hasInput = true
    return call
  }

  /** The call that is judged, with the input that was not written in pieces. It is forgotten. */
  end(event: ToolCall): { readonly call: WrittenCall; readonly rest: string } | undefined {
    const call = this.calls.get(event.id)
    if (call === undefined) return undefined
    this.calls.delete(event.id)
    if (call.hasInput) return { call, rest: '' }
    // Without any input it would look like the call of a tool that needs none.
    if (!isWhole(event)) return { call, rest: event.raw || '{' }
    const input = inputOf(event)
    call.isText = typeof input === 'string'
    return { call, rest: JSON.stringify(input) }
  }
}

/** A call without its input would be written as one without arguments, and that is another call. */
export function inputOf({ input, toolName }: ToolCall): Exclude<JsonValue, null> {
  if (input !== null) return input
  throw new SluiceError(
    'unrepresentable',
    `The call of '${toolName}' came without its input; leave emit.input and emit.json on for a writer.`,
  )
}

export function isWhole({ status }: ToolCall): boolean {
  return status === 'complete' || status === 'repaired'
}

/** The text of a piece of a JSON string, with or without its quotes. */
export function unquoted(piece: string): string {
  const from = piece.startsWith('"') ? 1 : 0
  const to = piece.length > from && endsInQuote(piece) ? -1 : piece.length
  try {
    return JSON.parse(`"${piece.slice(from, to)}"`) as string
  } catch {
    return ''
  }
}

/** A quote behind an odd number of backslashes is text. */
function endsInQuote(piece: string): boolean {
  let at = piece.length - 1
  if (piece[at] !== '"') return false
  while (at > 0 && piece[at - 1] === '\\') at--
  return (piece.length - 1 - at) % 2 === 0
}
