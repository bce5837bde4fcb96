/**
 * The calls that a writer is writing: what they are, and how much of their input may be written.
 *
 * Clients run a call as soon as its arguments parse, some of them in the middle of the stream. So the `}` that makes
 * the arguments whole waits for the verdict, and is never written for a call that may not run.
 */

import { SluiceError } from '../base/errors.ts'
import type { JsonValue, Metadata, SluiceEvent, ToolCall } from '../base/event.ts'
import { type ExecutableOptions, isExecutable, isWhole } from '../engine/calls/verdict.ts'
import { inputJson, writtenInput } from '../engine/calls/written-input.ts'
import { parseWritten } from '../values/numbers/written.ts'
import { withoutLastBrace } from './last-brace.ts'

export interface WrittenCall {
  readonly id: string
  readonly toolName: string
  readonly providerExecuted: boolean
  readonly metadata: Metadata | undefined
  /** Its place in the output; undefined until something of it is written. */
  index: number | undefined
  /** The input is a string and not an object: a tool that takes free text. Known with the first character. */
  isText: boolean
}

interface OpenCall extends WrittenCall {
  /** Its `{` was written before any of its input came, to keep its place before a later call. */
  isAhead: boolean
  /** The first character of the input, which tells an object from a string and from anything else. */
  first: string
  /** The end of the input that is not written yet. */
  held: string
}

/** The verdict, with the input that is still to be written. */
export interface JudgedCall {
  readonly call: WrittenCall
  readonly rest: string
  /** Whether the client may have the whole call. */
  readonly isGood: boolean
}

export interface WrittenCallsOptions extends ExecutableOptions {
  /** Free text waits for the verdict, because the format has no way to leave it open. */
  readonly holdsText?: boolean
}

/** What an earlier call needs before anything of a later one is written. */
export type Precedence = { readonly announced: readonly WrittenCall[]; readonly isBlocked: boolean }

export class WrittenCalls {
  private readonly calls = new Map<string, OpenCall>()
  /** Calls for the client of which nothing is written yet, in their order, and some that were written since. */
  private readonly unwritten = new Set<OpenCall>()
  private readonly options: WrittenCallsOptions

  constructor(options: WrittenCallsOptions) {
    this.options = options
  }

  begin({
    id,
    toolName,
    providerExecuted = false,
    metadata,
  }: SluiceEvent & { type: 'tool-input-start' }): WrittenCall {
    const call = {
      id,
      toolName,
      providerExecuted,
      metadata,
      index: undefined,
      isText: false,
      isAhead: false,
      first: '',
      held: '',
    }
    this.calls.set(id, call)
    if (!providerExecuted) this.unwritten.add(call)
    return call
  }

  /** Nothing of the call is written. */
  forget({ id }: WrittenCall): void {
    this.remove(id)
  }

  private remove(id: string): void {
    this.unwritten.delete(this.calls.get(id)!)
    this.calls.delete(id)
  }

  /**
   * Clients run calls in the order in which they are written, so that a call that began earlier is written first. One
   * without any input so far is announced by its `{`: alone, that never parses. Of one whose input waits for its verdict
   * nothing can be written, so that later calls wait, too.
   */
  precede(id: string): Precedence {
    const announced: OpenCall[] = []
    for (const call of this.unwritten) {
      if (call.id === id) break
      if (call.index !== undefined) this.unwritten.delete(call)
      else if (call.first !== '') return { announced, isBlocked: true }
      else {
        call.isAhead = true
        this.unwritten.delete(call)
        announced.push(call)
      }
    }
    return { announced, isBlocked: false }
  }

  /** The earliest call of which nothing is written yet. */
  get firstUnwritten(): string | undefined {
    for (const call of this.unwritten) {
      if (call.index === undefined) return call.id
      this.unwritten.delete(call)
    }
    return undefined
  }

  /** Whether something of the call is written, so that its place is certain. True of calls that are not written at all. */
  hasPlace(id: string): boolean {
    const call = this.calls.get(id)
    return call === undefined || call.providerExecuted || call.index !== undefined
  }

  /**
   * The call that a piece of input belongs to, and as much of the input as may be written now. `isBlocked`: it waits for an
   * earlier call.
   */
  grow(
    { id, delta }: SluiceEvent & { type: 'tool-input-delta' },
    isBlocked: boolean,
  ): { readonly call: WrittenCall; readonly text: string } | undefined {
    const call = this.calls.get(id)
    if (call === undefined) return undefined
    let more = delta
    if (call.first === '') {
      call.first = delta.trimStart().charAt(0)
      call.isText = call.first === '"'
      if (call.isAhead && call.first === '{') more = delta.trimStart().slice(1)
    }
    return { call, text: this.release(call, more, isBlocked) }
  }

  private release(call: OpenCall, delta: string, isBlocked: boolean): string {
    // It was announced as a call with an object.
    const isOther = call.isAhead && call.first !== '{'
    if (isBlocked || isOther) {
      call.held += delta
      return ''
    }
    if (call.providerExecuted || (call.isText && !this.options.holdsText)) {
      const text = call.held + delta
      call.held = ''
      return text
    }
    if (call.first === '{') return withoutLastBrace(call, delta)
    // A list or a number may be whole after any character.
    call.held += delta
    return ''
  }

  /** The call that is judged. It is forgotten. */
  end(event: ToolCall): JudgedCall | undefined {
    const call = this.calls.get(event.id)
    if (call === undefined) return undefined
    this.remove(event.id)
    // It was announced as a call for the client, and only now it is known that it is none.
    const isTheirs = event.providerExecuted === true && !call.providerExecuted
    const isOther = call.isAhead && call.first !== '' && call.first !== '{'
    if (isTheirs || isOther || !mayBeWhole(event, this.options)) return { call, rest: '', isGood: false }
    if (call.first !== '') return { call, rest: call.held, isGood: true }
    call.isText = typeof inputOf(event) === 'string'
    const json = inputJson(event)
    if (!call.isAhead) return { call, rest: json, isGood: true }
    return json.startsWith('{')
      ? { call, rest: json.slice(1), isGood: true }
      : { call, rest: '', isGood: false }
  }
}

/** Whether a client may have the whole call: it may run, or the provider has run it. */
export function mayBeWhole(call: ToolCall, options: ExecutableOptions): boolean {
  if (call.providerExecuted) return isWhole(call)
  // The input of a call that was written in pieces need not have been kept.
  return isExecutable(call.input === null ? { ...call, input: {} } : call, options)
}

/** A call without its input would be written as one without arguments, and that is another call. */
export function inputOf(call: ToolCall): Exclude<JsonValue, null> {
  const input = writtenInput(call)
  if (input !== null) return input
  throw new SluiceError(
    'unrepresentable',
    `The call of '${call.toolName}' came without its input; leave emit.input and emit.json on for a writer.`,
  )
}

/** The same of a call whose input may be in its deltas alone. `json`: all of them. */
export function inputValue(event: ToolCall, json: string): JsonValue {
  if (event.input !== null || json === '') return inputOf(event)
  return parseWritten(json) as JsonValue
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
