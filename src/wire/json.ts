/**
 * Calls that are written as JSON, in a template:
 *
 *     args      {"city": "Paris"}                                    the arguments alone
 *     object    {"name": "get_weather", "arguments": {"city": …}}    the whole call
 */

import type { Call } from '../calls/call.ts'
import { JsonArguments, jsonLimitsOf } from '../calls/json-arguments.ts'
import type { JsonFastPath } from '../calls/json-fast-path.ts'
import { JsonScanner } from '../json/scanner.ts'
import type { Limits } from '../limits.ts'
import { type CallObjectKeys, CallObjectReader, type NameAsKey } from './call-object.ts'
import type { Reader, ReaderType } from './reader.ts'
import type { Node } from './template.ts'

class ArgumentsReader extends JsonArguments implements Reader {
  constructor(limits: Limits) {
    super(null, new JsonScanner(jsonLimitsOf(limits)), -1)
  }

  get status(): Reader['status'] {
    return this.scanner.status
  }

  /** Not before it knows its call. */
  override get fastPath(): JsonFastPath | null {
    return this.call === undefined ? null : super.fastPath
  }

  read(text: string, from: number, to: number, call: Call): number {
    this.attach(call, from)
    return this.scanner.read(text, from, to, this)
  }

  end(call: Call): void {
    this.attach(call, 0)
    this.scanner.end(this)
  }

  override save() {
    return { ...super.save(), scanner: this.scanner.save() }
  }

  restore(saved: ReturnType<ArgumentsReader['save']>): this {
    this.scanner.resume(saved.scanner)
    return this.resume(saved)
  }
}

const argumentsType: ReaderType = {
  name: 'args',
  first: '{"',
  namesCall: false,
  endsAtBracket: true,
  create: ({ limits }) => new ArgumentsReader(limits),
  restore: (saved, { limits }) =>
    new ArgumentsReader(limits).restore(saved as ReturnType<ArgumentsReader['save']>),
  render: ({ input }) => JSON.stringify(input),
}

/** The arguments as a JSON object. */
export const args: Node = { kind: 'reader', type: argumentsType }

/** A whole call as one JSON object. `plain` reads one that is no call, where nothing marks calls. */
export function object(keys: CallObjectKeys | NameAsKey, plain?: ReaderType): Node {
  const type: ReaderType = {
    name: 'object',
    first: '{',
    namesCall: true,
    endsAtBracket: true,
    ...(plain && { plain }),
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
