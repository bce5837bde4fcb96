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
import { type UntilState, until, untilStart } from './until.ts'

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

interface Saved {
  readonly body: string
  readonly text: UntilState
}

class BodyReader implements Reader {
  status: Reader['status'] = 'open'
  private readonly close: string
  private readonly notation: BodyNotation
  private closer: Literals | null = null
  private body = ''
  private text = untilStart()

  constructor(close: string, notation: BodyNotation) {
    this.close = close
    this.notation = notation
  }

  read(text: string, from: number, to: number, call: Call): number {
    this.closer ??= new Literals([this.close], {
      anchored: false,
      ignoreCase: call.style.ignoreCase ?? false,
    })
    const at = until(this.text, this.closer, text, from, to, (piece) => {
      this.body += piece
    })
    if (this.text.found === -1) return at
    this.apply(this.body, call)
    this.status = 'done'
    return at
  }

  private apply(body: string, call: Call): void {
    const { watch } = call.host
    watch?.begin({})
    watch?.read(body)
    watch?.end()
    const input = this.notation.read(body, (path) => isStringAt(call.tool, path))
    // The call is over all the same: its closer was found.
    if (input === undefined)
      call.fail('body', `The body of the call is not ${this.notation.name}.`, call.origin)
    else for (const [key, value] of Object.entries(input)) call.textArguments.argument(key, value)
  }

  end(): void {}

  save(): Saved {
    return { body: this.body, text: { ...this.text } }
  }

  static restore({ body, text }: Saved, close: string, notation: BodyNotation): BodyReader {
    const reader = new BodyReader(close, notation)
    reader.body = body
    reader.text = { ...text }
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
    restore: (saved) => BodyReader.restore(saved as Saved, close, notation),
    render: ({ input }) => `\n${notation.write(input)}${close}`,
    closer: close,
    show: `\${${notation.name}}${close}`,
  }
  return { kind: 'reader', type }
}
