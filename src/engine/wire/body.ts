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

import type { JsonValue } from '../../base/event.ts'
import { checkOption, excerpt } from '../../base/options.ts'
import { isString, recordOf } from '../../base/plain-state.ts'
import { writtenNumber } from '../../values/numbers/written.ts'
import type { Call } from '../calls/call.ts'
import { TextArguments } from '../calls/text-arguments.ts'
import { isStringAt } from '../calls/tool-arguments.ts'
import { Literals } from './literals.ts'
import type { Reader, ReaderType } from './reader.ts'
import type { Node } from './template.ts'
import { UNTIL, type UntilState, until, untilStart } from './until.ts'

/** A notation for all arguments of a call at once, such as YAML. */
export interface BodyNotation {
  readonly name: string
  /**
   * Returns the arguments. If it cannot read the body, it returns a sentence that tells the model why, or undefined. Must
   * not throw. `isString` tells whether the tool's schema allows a string at a path, and neither a number nor a boolean.
   */
  read(
    body: string,
    isString: (path: readonly (string | number)[]) => boolean,
  ): { [key: string]: JsonValue } | string | undefined
  write(input: JsonValue): string
}

/** A message may quote the body, which may be long. */
const MOST_SAID = 200

interface BodyState {
  body: string
  text: UntilState
}

class BodyReader implements Reader<BodyState> {
  status: Reader['status'] = 'open'
  readonly state: BodyState
  private readonly close: string
  private readonly notation: BodyNotation
  private closer: Literals | null = null

  constructor(close: string, notation: BodyNotation, state: BodyState) {
    this.state = state
    this.close = close
    this.notation = notation
  }

  read(text: string, from: number, to: number, call: Call): number {
    this.closer ??= new Literals([this.close], {
      anchored: false,
      ignoreCase: call.style.ignoreCase ?? false,
      spacedTags: true,
    })
    const { state } = this
    const at = until(state.text, this.closer, text, from, to, (piece) => {
      state.body += piece
    })
    if (state.text.found === -1) return at
    this.apply(state.body, call)
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
    if (input === undefined || typeof input === 'string') {
      const why = input === undefined ? '' : ` ${excerpt(input, MOST_SAID)}`
      call.fail('body', `The body of the call is not ${this.notation.name}.${why}`, call.origin)
    } else
      for (const [key, value] of Object.entries(input))
        call.textArguments.argument(key, value, writtenNumber(input, key))
  }

  end(): void {}
}

/** The arguments in some notation, up to the closing tag of the element `tag`. */
export function body(tag: string, notation: BodyNotation): Node {
  checkOption('tag', tag, 'string')
  checkOption('notation', notation, 'object')
  checkOption('read', notation.read, 'function')
  checkOption('write', notation.write, 'function')
  const close = `</${tag}>`
  const type: ReaderType<BodyState> = {
    name: 'body',
    first: '',
    namesCall: false,
    textArguments: TextArguments,
    shape: { body: isString, text: recordOf(UNTIL) },
    create: (_, state = { body: '', text: untilStart() }) => new BodyReader(close, notation, state),
    render: ({ input }) => `\n${notation.write(input)}${close}`,
    closer: close,
    show: `\${${notation.name}}${close}`,
  }
  return { kind: 'reader', type }
}
