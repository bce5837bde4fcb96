/**
 * Calls that are written as JSON, in a template:
 *
 *     args      {"city": "Paris"}                                    the arguments alone
 *     object    {"name": "get_weather", "arguments": {"city": …}}    the whole call
 */

import type { Call } from '../calls/call.ts'
import { JsonArguments, type JsonArgumentsState, scannerOptions } from '../calls/json-arguments.ts'
import { JsonScanner, type JsonScannerState } from '../json/scanner.ts'
import { type CallObjectKeys, CallObjectReader, type NameAsKey } from './call-object.ts'
import type { Reader, ReaderType } from './reader.ts'
import type { Node } from './template.ts'

class ArgumentsReader implements Reader {
  status: Reader['status'] = 'open'
  private readonly scanner: JsonScanner
  private handler: JsonArguments | null = null
  private saved: JsonArgumentsState | null = null

  constructor(scanner: JsonScanner, saved: JsonArgumentsState | null = null) {
    this.scanner = scanner
    this.saved = saved
  }

  read(text: string, from: number, to: number, call: Call): number {
    this.handler ??= this.attach(call, from)
    const at = this.scanner.read(text, from, to, this.handler)
    this.status = this.scanner.status
    return at
  }

  get flow(): JsonArguments | null {
    return this.handler
  }

  private attach(call: Call, from: number): JsonArguments {
    return this.saved === null
      ? new JsonArguments(call, this.scanner, call.offsetOf(from))
      : JsonArguments.restore(this.saved, call, this.scanner)
  }

  end(call: Call): void {
    this.handler ??= this.attach(call, 0)
    this.scanner.end(this.handler)
    this.status = this.scanner.status
  }

  completion(): string {
    return this.handler?.completion() ?? ''
  }

  save(): { scanner: JsonScannerState; handler: JsonArgumentsState | null } {
    return { scanner: this.scanner.save(), handler: this.handler?.save() ?? this.saved }
  }
}

const argumentsType: ReaderType = {
  name: 'args',
  first: '{"',
  namesCall: false,
  create: ({ limits }) => new ArgumentsReader(new JsonScanner(scannerOptions(limits))),
  restore(saved, { limits }) {
    const { scanner, handler } = saved as ReturnType<ArgumentsReader['save']>
    return new ArgumentsReader(JsonScanner.restore(scanner, scannerOptions(limits)), handler)
  },
  render: ({ input }) => JSON.stringify(input),
}

/** The arguments as a JSON object. */
export const args: Node = { kind: 'reader', type: argumentsType }

/** A whole call as one JSON object. */
export function object(keys: CallObjectKeys | NameAsKey): Node {
  const type: ReaderType = {
    name: 'object',
    first: '{',
    namesCall: true,
    create: (settings) => new CallObjectReader(keys, settings),
    restore: (saved, settings) =>
      new CallObjectReader(keys, settings).restore(saved as ReturnType<CallObjectReader['save']>),
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
