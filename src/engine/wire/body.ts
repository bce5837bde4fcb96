/**
 * Arguments in a notation that only makes sense as a whole: everything up to the closing tag is handed to a
 * function once it is complete.
 *
 *     <write_file>
 *     path: src/main.rs
 *     content: |
 *       fn main() {}
 *     </write_file>
 *
 * Nothing is escaped, so a value may hold the closing tag. On a line of its own, indented no further than the body, the tag
 * is in no value. Anywhere else, what follows it decides whether the call is certain:
 *
 *     <ls>path: src</ls>|⏎                the end of the line, or another call: it is the end
 *     <ls>path: see </ls> h|ere           text: it may be part of the value
 *     content: |⏎  </write_file>⏎  m|ore  a line that is indented: it may be part of the block
 */

import type { JsonValue } from '../../base/event.ts'
import { checkOption, excerpt } from '../../base/options.ts'
import { isInteger, isString, nullable, oneOf, recordOf, type Shape } from '../../base/plain-state.ts'
import { isSpace } from '../../base/whitespace.ts'
import { writtenNumber } from '../../values/numbers/written.ts'
import type { Call } from '../calls/call.ts'
import { TextArguments } from '../calls/text-arguments.ts'
import { isStringAt } from '../calls/tool-arguments.ts'
import { Literals } from './literals.ts'
import type { Reader, ReaderSettings, ReaderType } from './reader.ts'
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
  /** White space behind a closer that may be part of a value, and what may begin a tag behind that; null: there is none. */
  behind: string | null
  tag: '' | '<'
  /** How far the body is indented where that closer was found; `ONE_LINE`: it has one line. */
  indent: number
}

const ONE_LINE = -1

const SHAPE: Shape<BodyState> = {
  body: isString,
  text: recordOf(UNTIL),
  behind: nullable(isString),
  tag: oneOf('', '<'),
  indent: isInteger,
}

const begin = (): BodyState => ({ body: '', text: untilStart(), behind: null, tag: '', indent: 0 })

class BodyReader implements Reader<BodyState> {
  status: Reader['status'] = 'open'
  readonly state: BodyState
  private readonly close: string
  private readonly notation: BodyNotation
  private readonly limit: number
  private closer: Literals | null = null

  constructor(close: string, notation: BodyNotation, { limits }: ReaderSettings, state: BodyState) {
    this.state = state
    this.close = close
    this.notation = notation
    this.limit = limits.undecided
  }

  /** What stands behind the call is read again. */
  get undecided(): string {
    return (this.state.behind ?? '') + this.state.tag
  }

  read(text: string, from: number, to: number, call: Call): number {
    this.closer ??= new Literals([this.close], {
      anchored: false,
      ignoreCase: call.style.ignoreCase ?? false,
      spacedTags: true,
    })
    const { state } = this
    if (state.behind !== null) return this.readBehind(text, from, to, call)
    const at = until(state.text, this.closer, text, from, to, (piece) => {
      state.body += piece
    })
    if (state.text.found === -1) return at
    if (endsByItself(state.body)) {
      this.apply(call)
      return at
    }
    state.behind = ''
    state.indent = state.body.includes('\n') ? indentOf(state.body) : ONE_LINE
    return this.readBehind(text, at, to, call)
  }

  /** Up to the character that decides, which is read again. */
  private readBehind(text: string, from: number, to: number, call: Call): number {
    const { state } = this
    const behind = state.behind!
    const most = Math.min(to, from + this.limit - behind.length)
    let at = from
    while (at < most && state.tag === '' && this.passes(text[at]!)) at++
    state.behind = behind + text.slice(from, at)
    const isFull = state.behind.length >= this.limit
    if (!isFull && at < to && state.tag === '' && text[at] === '<' && !this.isInBody(state.behind)) {
      state.tag = '<'
      at++
    }
    if (!isFull && at === to) return at
    const isMeant = !isFull && (state.tag === '' ? text[at] === '\n' : IS_NAME.test(text[at]!))
    if (!isMeant) call.losesPlace()
    this.apply(call)
    return at
  }

  /** White space that does not decide. */
  private passes(character: string): boolean {
    return isSpace(character) && !(character === '\n' && this.state.indent === ONE_LINE)
  }

  /** Whether what follows this white space may be a part of the body. */
  private isInBody(space: string): boolean {
    const { indent } = this.state
    const line = space.lastIndexOf('\n')
    return indent !== ONE_LINE && (line === -1 || space.length - line - 1 > indent)
  }

  private apply(call: Call): void {
    const { body } = this.state
    this.status = 'done'
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

  end(call: Call): void {
    const { behind, tag } = this.state
    if (behind === null) return
    if (tag !== '') call.losesPlace()
    this.apply(call)
  }
}

/** The closer behind this body can be part of no value. */
function endsByItself(body: string): boolean {
  const last = body.slice(body.lastIndexOf('\n') + 1)
  return body.trim() === '' || (body.includes('\n') && last.trim() === '' && last.length <= indentOf(body))
}

/** How far the first line of a body is indented. What stands on the line of the opener is not. */
function indentOf(body: string): number {
  const start = body.search(/\S/)
  const line = body.lastIndexOf('\n', start)
  return line === -1 ? 0 : start - line - 1
}

/** What follows the bracket of a tag that opens something. */
const IS_NAME = /^[\p{L}_]/u

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
    shape: SHAPE,
    create: (settings, state = begin()) => new BodyReader(close, notation, settings, state),
    render: ({ input }) => `\n${notation.write(input)}${close}`,
    closer: close,
    show: `\${${notation.name}}${close}`,
  }
  return { kind: 'reader', type }
}
