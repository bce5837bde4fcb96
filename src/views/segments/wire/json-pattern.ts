/**
 * Calls as JSON in a shape of the user's own: patterns say how it begins, and a parser says which call it is.
 *
 *     {"cmd": "ls", "with": {"d": "/"}}        patterns: ['{"cmd":']
 *
 * Which call it is shows only when it is whole, so all of it is shown then. Whitespace outside of strings means nothing
 * to a pattern.
 */

import type { Call } from '../../../calls/call.ts'
import { jsonLimitsOf } from '../../../calls/json-arguments.ts'
import { TextArguments } from '../../../calls/text-arguments.ts'
import { isExecutable } from '../../../calls/verdict.ts'
import type { JsonValue } from '../../../event.ts'
import { JsonBuilder, type JsonBuilderState } from '../../../json/builder.ts'
import { STRICT_UNIQUE } from '../../../json/rules.ts'
import { JsonScanner, type JsonScannerState } from '../../../json/scanner.ts'
import { parse } from '../../../message.ts'
import { type Dialect, define } from '../../../wire/dialect.ts'
import { plainJson } from '../../../wire/plain-json.ts'
import type { Reader, ReaderSettings, ReaderType } from '../../../wire/reader.ts'
import { Template } from '../../../wire/template.ts'
import { jsonCalls } from './json-call.ts'
import { isObject } from './read-arguments.ts'

export interface ParsedJsonToolCall {
  readonly name: string
  readonly arguments: { readonly [key: string]: JsonValue }
}

/** Reads the calls of a JSON text. One that holds none is text. */
export interface JsonToolParser {
  parse(json: string): readonly ParsedJsonToolCall[]
}

export interface JsonPatterns {
  readonly patterns: readonly string[]
  readonly parser: JsonToolParser
}

/** The calls of any provider's shape. */
export const ANY_CALL: JsonToolParser = {
  parse(json) {
    // The first calls of a list are shown with the bracket that opens it; the comma says that they are over.
    const [call] = parse(`${json},`, { dialect: jsonCalls('any', false) }).toolCalls
    if (call === undefined || !isExecutable(call) || !isObject(call.input)) return []
    return [{ name: call.toolName, arguments: call.input }]
  },
}

/** The first of its calls. What a parser throws, or makes of a text that is none, is no call. */
export function firstCall(parser: JsonToolParser, json: string): ParsedJsonToolCall | undefined {
  try {
    const [call] = parser.parse(json)
    const isCall = typeof call?.name === 'string' && call.name !== '' && isObject(call.arguments)
    return isCall ? call : undefined
  } catch {
    return undefined
  }
}

interface Saved {
  readonly source: string
  readonly beginning: string
  readonly isCall: boolean
  readonly scanner: JsonScannerState
  readonly builder: JsonBuilderState
}

class JsonPatternReader implements Reader {
  status: Reader['status'] = 'open'
  private readonly options: JsonPatterns
  private readonly scanner: JsonScanner
  private readonly builder: JsonBuilder
  private source: string
  /** What was read of a pattern. */
  private beginning: string
  private isCall: boolean

  constructor(options: JsonPatterns, { limits }: ReaderSettings, saved?: Saved) {
    this.options = options
    this.scanner = new JsonScanner(jsonLimitsOf(limits), STRICT_UNIQUE)
    if (saved !== undefined) this.scanner.resume(saved.scanner)
    this.builder = saved === undefined ? new JsonBuilder() : JsonBuilder.restore(saved.builder)
    this.source = saved?.source ?? ''
    this.beginning = saved?.beginning ?? ''
    this.isCall = saved?.isCall ?? false
  }

  read(text: string, from: number, to: number, call: Call): number {
    let at = from
    for (; at < to && !this.isCall; at++)
      if (!this.begins(text[at]!)) {
        this.status = 'failed'
        return at
      }
    at = this.scanner.read(text, from, to, this.builder)
    this.source += text.slice(from, at)
    if (this.scanner.status === 'failed') this.status = 'failed'
    else if (this.scanner.status === 'done') this.status = this.isCall && this.apply(call) ? 'done' : 'failed'
    return at
  }

  /** Takes a character that a pattern has here. */
  private begins(character: string): boolean {
    if (character.trim() === '') return true
    this.beginning += character
    const { patterns } = this.options
    this.isCall = patterns.includes(this.beginning)
    return this.isCall || patterns.some((pattern) => pattern.startsWith(this.beginning))
  }

  private apply(call: Call): boolean {
    const found = firstCall(this.options.parser, this.source)
    if (found === undefined || !call.word('name', found.name) || !call.start()) return false
    for (const [key, value] of Object.entries(found.arguments)) call.textArguments.argument(key, value)
    return true
  }

  end(): void {}

  save(): Saved {
    const { source, beginning, isCall } = this
    return { source, beginning, isCall, scanner: this.scanner.save(), builder: this.builder.save() }
  }
}

const SPACES = [' ', '\n', '\t', '\r']

export function patternCalls({ patterns, parser }: JsonPatterns): Dialect {
  const options = { patterns: patterns.map((pattern) => pattern.replace(/\s+/g, '')), parser }
  const type: ReaderType = {
    name: 'jsonPattern',
    first: '',
    namesCall: true,
    endsAtBracket: true,
    textArguments: TextArguments,
    plain: plainJson,
    create: (settings) => new JsonPatternReader(options, settings),
    restore: (saved, settings) => new JsonPatternReader(options, settings, saved as Saved),
    render: () => '',
    show: '${jsonPattern}',
  }
  const behind = (forms: readonly string[]) =>
    new Template([
      { kind: 'literal', forms, back: forms[0]!.length },
      { kind: 'reader', type },
    ])
  const objects = options.patterns.some((pattern) => pattern[0] === '{')
  const lists = options.patterns.filter((pattern) => pattern[0] === '[')
  // The bracket alone would hide markers that begin with two.
  const seconds = new Set([...lists.map((pattern) => pattern[1]!), ...SPACES])
  return define('segments-json-patterns', {
    looseCall: [
      ...(objects ? [behind(['{'])] : []),
      ...(lists.length > 0 ? [behind([...seconds].map((second) => `[${second}`))] : []),
    ],
  })
}
