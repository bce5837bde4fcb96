/**
 * Calls that are written as JSON, in a template:
 *
 *     args      {"city": "Paris"}                                    the arguments alone
 *     object    {"name": "get_weather", "arguments": {"city": …}}    the whole call
 */

import { recordOf } from '../../base/plain-state.ts'
import { TOLERANT } from '../../values/json/rules.ts'
import { initialState, isJsonState, type JsonState } from '../../values/json/scan/json-state.ts'
import { JsonScanner } from '../../values/json/scanner.ts'
import type { Call } from '../calls/call.ts'
import {
  JSON_ARGUMENTS,
  JsonArguments,
  type JsonArgumentsState,
  jsonArguments,
  jsonLimitsOf,
} from '../calls/json-arguments.ts'
import type { JsonFastPath } from '../calls/json-fast-path.ts'
import {
  CALL_OBJECT,
  type CallObjectKeys,
  CallObjectReader,
  type CallObjectState,
  type NameAsKey,
} from './call-object-reader.ts'
import type { Reader, ReaderSettings, ReaderType } from './reader.ts'
import type { Node } from './template.ts'

interface ArgumentsState {
  json: JsonState
  arguments: JsonArgumentsState
}

const begin = (): ArgumentsState => ({ json: initialState(), arguments: jsonArguments('source', -1) })

class ArgumentsReader implements Reader<ArgumentsState> {
  readonly state: ArgumentsState
  private readonly scanner: JsonScanner
  private readonly arguments: JsonArguments

  constructor({ limits, markers }: ReaderSettings, state = begin()) {
    this.state = state
    this.scanner = new JsonScanner(jsonLimitsOf(limits), TOLERANT, state.json, markers)
    this.arguments = new JsonArguments(this.scanner, state.arguments)
  }

  get status(): Reader['status'] {
    return this.scanner.status
  }

  get undecided(): string {
    return this.scanner.undecided
  }

  get fastPath(): JsonFastPath | null {
    return this.arguments.fastPath
  }

  read(text: string, from: number, to: number, call: Call): number {
    return this.scanner.read(text, from, to, this.arguments.attach(call, from))
  }

  end(call: Call): void {
    this.scanner.end(this.arguments.attach(call))
  }

  completion(): string {
    return this.arguments.completion()
  }
}

const argumentsType: ReaderType<ArgumentsState> = {
  name: 'args',
  first: '{"',
  namesCall: false,
  endsAtBracket: true,
  shape: { json: isJsonState, arguments: recordOf(JSON_ARGUMENTS) },
  create: (settings, state) => new ArgumentsReader(settings, state),
  render: ({ input }) => JSON.stringify(input),
}

/** The arguments as a JSON object. */
export const args: Node = { kind: 'reader', type: argumentsType }

/** A whole call as one JSON object. `plain` reads one that is no call, where nothing marks calls. */
export function object(keys: CallObjectKeys | NameAsKey, plain?: ReaderType): Node {
  const type: ReaderType<CallObjectState> = {
    name: 'object',
    first: '{',
    namesCall: true,
    endsAtBracket: true,
    ...(plain && { plain }),
    shape: CALL_OBJECT,
    create: (settings, state) => new CallObjectReader(keys, settings, state),
    render({ id, toolName, input }) {
      if ('nameAsKey' in keys) return JSON.stringify({ [toolName]: input })
      const call = { [keys.name[0]]: toolName, [keys.arguments[0]]: input }
      const [idKey] = keys.id ?? []
      const whole = idKey === undefined || id === '' ? call : { ...call, [idKey]: id }
      return JSON.stringify(keys.within?.[0] === undefined ? whole : { [keys.within[0]]: whole })
    },
    show:
      'nameAsKey' in keys
        ? '${object({ nameAsKey: true })}'
        : `\${object({ ${keys.name[0]}, ${keys.arguments[0]} })}`,
  }
  return { kind: 'reader', type }
}
