/**
 * A JSON object that says which tool is called, and holds its arguments beside that.
 *
 *     [[SEG_START {"type": "write_file", "path": "a.txt"}]]hello[[SEG_END]]
 *                 ^ from here                            ^ to here
 */

import type { JsonValue } from '../../base/event.ts'
import type { Limits } from '../../base/limits.ts'
import { checkOption, checkOptions, type KnownOptions } from '../../base/options.ts'
import { writtenNumber } from '../../values/numbers/written.ts'
import type { Call } from '../calls/call.ts'
import { TextArguments } from '../calls/text-arguments.ts'
import { argumentsOf } from '../calls/values.ts'
import type { Reader, ReaderType } from './reader.ts'
import type { Node } from './template.ts'
import { WHOLE_JSON, WholeJson, type WholeJsonState, wholeJsonStart } from './whole-json.ts'

export interface HeaderKeys {
  /** Where the name may stand; the first that is there counts. */
  readonly name: readonly [string, ...string[]]
  /** Where an object of further arguments may stand. */
  readonly arguments: string
  /** Keys that are no arguments. */
  readonly others?: readonly string[]
}

const KNOWN: KnownOptions<HeaderKeys> = { name: 'list', arguments: 'string', others: 'list' }

class HeaderReader implements Reader<WholeJsonState> {
  status: Reader['status'] = 'open'
  readonly state: WholeJsonState
  private readonly keys: HeaderKeys
  private readonly json: WholeJson

  constructor(keys: HeaderKeys, limits: Limits, state: WholeJsonState) {
    this.keys = keys
    this.state = state
    this.json = new WholeJson(state, limits)
  }

  read(text: string, from: number, to: number, call: Call): number {
    call.s.hasBegun = true
    const at = this.json.read(text, from, to)
    this.status = this.json.status
    if (this.status === 'done' && !this.apply(call)) this.status = 'failed'
    return at
  }

  private apply(call: Call): boolean {
    const header = this.json.value ?? null
    if (header === null || typeof header !== 'object' || Array.isArray(header)) return false
    const { keys } = this
    const name = keys.name.map((key) => own(header, key)).find((value) => typeof value === 'string')
    if (typeof name !== 'string' || name === '') return false
    call.word('name', name)
    if (!call.start()) return false
    const given = own(header, keys.arguments) ?? null
    if (given !== null && (typeof given !== 'object' || Array.isArray(given))) call.s.isObject = false
    const isBeside = (key: string): boolean =>
      key !== keys.arguments && !keys.name.includes(key) && keys.others?.includes(key) !== true
    for (const [key, value] of Object.entries(header))
      if (isBeside(key)) call.textArguments.argument(key, value, writtenNumber(header, key))
    for (const [key, value] of argumentsOf(given))
      call.textArguments.argument(key, value, writtenNumber(given as object, key))
    return true
  }

  end(): void {}
}

function own(object: { [key: string]: JsonValue }, key: string): JsonValue | undefined {
  return Object.hasOwn(object, key) ? object[key] : undefined
}

/** A JSON object with the name and arguments. */
export function header(keys: HeaderKeys): Node {
  checkOptions(keys, KNOWN, 'key of a header')
  checkOption('name', keys.name, KNOWN.name)
  checkOption('arguments', keys.arguments, KNOWN.arguments)
  const type: ReaderType<WholeJsonState> = {
    name: 'header',
    first: '{',
    namesCall: true,
    textArguments: TextArguments,
    shape: WHOLE_JSON,
    create: ({ limits }, state = wholeJsonStart()) => new HeaderReader(keys, limits, state),
    render: ({ toolName, input }) => JSON.stringify({ [keys.name[0]]: toolName, [keys.arguments]: input }),
    show: '${header}',
  }
  return { kind: 'reader', type }
}
