/**
 * Reads the arguments of one call from pieces of JSON text, and gives each top-level pair when it is complete.
 *
 *     {"path":"/tmp/foo.rs"          path is complete at its closing quote, before any comma
 *     {"path":"/tmp/foo.rs","n":30   n is not: it could still become 300
 */

import type { JsonValue } from '../../../base/event.ts'
import { type Limits, resolveLimits } from '../../../base/limits.ts'
import { checkOptions, type KnownOptions } from '../../../base/options.ts'
import type { JsonEvent } from '../../../values/json/events.ts'
import { createJsonParser, type JsonParser } from '../../../values/json/json-parser.ts'

/** Options of `IncrementalArgParser`. */
export interface ArgParserOptions {
  /** `strict` (the default) reads JSON, `tolerant` also what models write in its place. */
  readonly mode?: 'strict' | 'tolerant'
  /** Some of the limits: `call`, `depth`, `keys`, `number`, `bare` and `repairs` count here. */
  readonly limits?: Partial<Limits>
}

export const ARG_PARSER_OPTIONS: KnownOptions<ArgParserOptions> = {
  mode: ['strict', 'tolerant'],
  limits: 'object',
}

/** What became of the arguments. */
export interface ParsedArguments {
  readonly status: 'complete' | 'repaired' | 'truncated' | 'invalid'
  /** The arguments, or what there was of them. None at all are `{}`. */
  readonly value: JsonValue
  /** There were none. */
  readonly isEmpty: boolean
  /** Whatever was put right cannot have changed what was meant. */
  readonly isLossless: boolean
  /** Why they are invalid. */
  readonly message?: string
  /** The value that was being written when the text ended, and how many characters of it, if it is a string. */
  readonly inFlight?: { readonly path: string; readonly characters: number }
  /** The last value that came whole. */
  readonly lastComplete?: { readonly path: string; readonly value: JsonValue }
}

/** Parses the arguments of one call from pieces of JSON text, and reports each top-level pair as soon as it is complete. */
export class IncrementalArgParser {
  /** Whether the arguments are an object; undefined until that is known. */
  isObject: boolean | undefined

  private readonly parser: JsonParser
  private pairs: [key: string, value: JsonValue][] = []
  private message: string | undefined
  /** Something else than space has come. */
  private hasBegun = false
  private isLossless = true
  /** Of the string that is open. */
  private length = 0
  private incomplete = ''
  private lastComplete: ParsedArguments['lastComplete']

  constructor(options: ArgParserOptions = {}) {
    checkOptions(options, ARG_PARSER_OPTIONS)
    const { mode = 'strict' } = options
    const limits = resolveLimits(options.limits)
    this.parser = createJsonParser({
      mode,
      // The first value may have been acted on already.
      duplicateKeys: 'error',
      limits: {
        depth: limits.depth,
        keysPerObject: limits.keys,
        numberLength: limits.number,
        bareLength: limits.bare,
        repairs: limits.repairs,
        totalLength: limits.call,
      },
      onEvent: (event) => this.note(event),
    })
  }

  /** Reads the next piece and gives the pairs that it completed. */
  push(chunk: string): [key: string, value: JsonValue][] {
    this.append(chunk)
    return this.tryParseNext()
  }

  /** Reads the next piece; what it completed waits. */
  append(chunk: string): void {
    if (!this.hasBegun) this.begin(chunk)
    this.parser.push(chunk)
  }

  /** The pairs that are complete and were not given yet. */
  tryParseNext(): [key: string, value: JsonValue][] {
    const { pairs } = this
    if (pairs.length > 0) this.pairs = []
    return pairs
  }

  /** The text is over. */
  end(): ParsedArguments {
    this.parser.end()
    const { value, status } = this.parser
    const { isLossless, message, lastComplete, incomplete, length } = this
    if (status === 'empty') return { status: 'complete', value: {}, isEmpty: true, isLossless }
    return {
      status: status === 'open' ? 'truncated' : status,
      value: value ?? {},
      isEmpty: false,
      isLossless,
      ...(message !== undefined && { message }),
      ...(incomplete !== '' && { inFlight: { path: incomplete, characters: length } }),
      ...(lastComplete !== undefined && { lastComplete }),
    }
  }

  /** Only the very first character decides what follows; behind a comment or a fence the parser does. */
  private begin(chunk: string): void {
    const first = /[^ \t\n\r]/.exec(chunk)?.[0]
    if (first === undefined) return
    this.hasBegun = true
    if (first === '{') this.isObject = true
    else if ('["-0123456789tfn'.includes(first)) this.isObject = false
  }

  private note(event: JsonEvent): void {
    switch (event.type) {
      case 'open':
        if (event.path.depth === 0) this.isObject = event.kind === 'object'
        this.length = 0
        break
      case 'delta':
        this.length = event.offset + event.text.length
        break
      case 'value':
        this.completed(event)
        break
      case 'repair':
        if (event.class !== 'lossless') this.isLossless = false
        break
      case 'error':
        this.isObject ??= false
        this.message = event.message
        break
      case 'end':
        // The whole input is not an argument.
        this.incomplete = event.incomplete.at(-1)?.pointer ?? ''
        break
    }
  }

  private completed({ path, value }: JsonEvent & { type: 'value' }): void {
    this.length = 0
    if (path.depth === 0) this.isObject ??= false
    if (path.depth !== 1) return
    this.lastComplete = { path: path.pointer, value }
    if (this.isObject && typeof path.key === 'string') this.pairs.push([path.key, value])
  }
}
