/**
 * Calls as JSON in a shape of the user's own: patterns match its beginning, and a parser returns the call.
 *
 *     {"cmd": "ls", "with": {"d": "/"}}        patterns: ['{"cmd":']
 *
 * Which call it is shows only when it is whole, so all of it is shown then. Whitespace outside of strings means nothing
 * to a pattern.
 */

import type { JsonValue } from '../../../../base/event.ts'
import { isBoolean, isString, recordOf } from '../../../../base/plain-state.ts'
import type { Call } from '../../../../engine/calls/call.ts'
import { TextArguments } from '../../../../engine/calls/text-arguments.ts'
import { isExecutable } from '../../../../engine/calls/verdict.ts'
import { writtenInput } from '../../../../engine/calls/written-input.ts'
import { parse } from '../../../../engine/message.ts'
import { type Dialect, define } from '../../../../engine/wire/dialect.ts'
import { plainJson } from '../../../../engine/wire/plain-json.ts'
import type { Reader, ReaderSettings, ReaderType } from '../../../../engine/wire/reader.ts'
import { Template } from '../../../../engine/wire/template.ts'
import {
  WHOLE_JSON,
  WholeJson,
  type WholeJsonState,
  wholeJsonStart,
} from '../../../../engine/wire/whole-json.ts'
import { jsonCalls } from './json-call.ts'
import { isObject } from './read-arguments.ts'

/** A call that was read from JSON. */
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
    const input = call && writtenInput(call)
    if (call === undefined || !isExecutable(call) || !isObject(input)) return []
    return [{ name: call.toolName, arguments: input }]
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

interface JsonPatternState {
  json: WholeJsonState
  /** The prefix of a pattern that was read, without whitespace. */
  prefix: string
  /** A pattern was read. */
  isCall: boolean
}

class JsonPatternReader implements Reader<JsonPatternState> {
  status: Reader['status'] = 'open'
  readonly state: JsonPatternState
  private readonly options: JsonPatterns
  private readonly json: WholeJson

  constructor(options: JsonPatterns, { limits }: ReaderSettings, state: JsonPatternState) {
    this.options = options
    this.state = state
    this.json = new WholeJson(state.json, limits)
  }

  read(text: string, from: number, to: number, call: Call): number {
    let at = from
    for (; at < to && !this.state.isCall; at++)
      if (!this.begins(text[at]!)) {
        this.status = 'failed'
        return at
      }
    at = this.json.read(text, from, to)
    this.status = this.json.status
    if (this.status === 'done' && !(this.state.isCall && this.apply(call))) this.status = 'failed'
    return at
  }

  /** Takes a character that a pattern has here. */
  private begins(character: string): boolean {
    if (character.trim() === '') return true
    const { state } = this
    const { patterns } = this.options
    state.prefix += character
    state.isCall = patterns.includes(state.prefix)
    return state.isCall || patterns.some((pattern) => pattern.startsWith(state.prefix))
  }

  private apply(call: Call): boolean {
    const found = firstCall(this.options.parser, this.state.json.source)
    if (found === undefined || !call.word('name', found.name) || !call.start()) return false
    for (const [key, value] of Object.entries(found.arguments)) call.textArguments.argument(key, value)
    return true
  }

  end(): void {}
}

const SPACES = [' ', '\n', '\t', '\r']

export function patternCalls({ patterns, parser }: JsonPatterns): Dialect {
  const options = { patterns: patterns.map((pattern) => pattern.replace(/\s+/g, '')), parser }
  const type: ReaderType<JsonPatternState> = {
    name: 'jsonPattern',
    first: '',
    namesCall: true,
    endsAtBracket: true,
    textArguments: TextArguments,
    plain: plainJson,
    shape: { json: recordOf(WHOLE_JSON), prefix: isString, isCall: isBoolean },
    create: (settings, state = { json: wholeJsonStart(), prefix: '', isCall: false }) =>
      new JsonPatternReader(options, settings, state),
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
  const dialect = define('segments-json-patterns', {
    looseCall: [
      ...(objects ? [behind(['{'])] : []),
      ...(lists.length > 0 ? [behind([...seconds].map((second) => `[${second}`))] : []),
    ],
  })
  return { ...dialect, looseCallsAreMeant: true }
}
