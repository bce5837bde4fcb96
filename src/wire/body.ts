/**
 * Arguments in a notation that only makes sense as a whole: everything up to the closing tag is handed to a
 * function once it is complete.
 *
 *     <write_file>
 *     path: src/main.rs
 *     content: |
 *       fn main() {}
 *     </write_file>
 */

import type { Call } from '../calls/call.ts'
import { TextArguments } from '../calls/text-arguments.ts'
import { isStringAt } from '../calls/tool-arguments.ts'
import type { JsonValue } from '../event.ts'
import { checkOption } from '../options.ts'
import { Literals } from './literals.ts'
import type { Reader, ReaderType } from './reader.ts'
import type { Node } from './template.ts'

export interface BodyNotation {
  readonly name: string
  /**
   * The arguments a body stands for; undefined where it stands for none. Must not throw. `isString` tells whether
   * the tool's schema allows nothing but a string at a path, so that the text there is to be kept as it is written.
   */
  read(
    body: string,
    isString: (path: readonly (string | number)[]) => boolean,
  ): { [key: string]: JsonValue } | undefined
  write(input: JsonValue): string
}

class BodyReader implements Reader {
  status: Reader['status'] = 'open'
  private readonly close: string
  private readonly notation: BodyNotation
  private closer: Literals | null = null
  private body = ''
  private node = 0

  constructor(close: string, notation: BodyNotation) {
    this.close = close
    this.notation = notation
  }

  read(text: string, from: number, to: number, call: Call): number {
    this.closer ??= new Literals([this.close], {
      anchored: false,
      ignoreCase: call.style.ignoreCase ?? false,
    })
    for (let at = from; at < to; at++) {
      this.node = this.closer.step(this.node, text.charCodeAt(at))
      if (this.closer.found[this.node] === -1) continue
      this.body += text.slice(from, at + 1)
      this.status = this.apply(this.body.slice(0, -this.close.length), call) ? 'done' : 'failed'
      return at + 1
    }
    this.body += text.slice(from, to)
    return to
  }

  private apply(body: string, call: Call): boolean {
    const { watch } = call.host
    watch?.begin({})
    watch?.read(body)
    watch?.end()
    const input = this.notation.read(body, (path) => isStringAt(call.tool, path))
    if (input === undefined) {
      // The call is over all the same: its closer was found.
      call.fail('body', `The body of the call is not ${this.notation.name}.`, call.origin)
      return true
    }
    for (const [key, value] of Object.entries(input)) call.textArguments.argument(key, value)
    return true
  }

  end(): void {}

  save(): { body: string; node: number } {
    return { body: this.body, node: this.node }
  }

  static restore(saved: { body: string; node: number }, close: string, notation: BodyNotation): BodyReader {
    const reader = new BodyReader(close, notation)
    reader.body = saved.body
    reader.node = saved.node
    return reader
  }
}

/** The arguments in some notation, up to the closing tag of the element `tag`. */
export function body(tag: string, notation: BodyNotation): Node {
  checkOption('tag', tag, 'string')
  checkOption('notation', notation, 'object')
  checkOption('read', notation.read, 'function')
  checkOption('write', notation.write, 'function')
  const close = `</${tag}>`
  const type: ReaderType = {
    name: 'body',
    first: '',
    namesCall: false,
    textArguments: TextArguments,
    create: () => new BodyReader(close, notation),
    restore: (saved) => BodyReader.restore(saved as { body: string; node: number }, close, notation),
    render: ({ input }) => `\n${notation.write(input)}${close}`,
    closer: close,
    show: `\${${notation.name}}${close}`,
  }
  return { kind: 'reader', type }
}
