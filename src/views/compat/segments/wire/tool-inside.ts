/**
 * The inside of a call that is an element, up to its closing tag. What is there depends on the tool.
 *
 *     <arguments><term>owl</term></arguments></tool>                            arguments as elements
 *     <arg name="path">a.ts</arg><arg name="content">let a = 1</arg></tool>     and one of them is the content
 *     let a = 1</write_file>                                                    all of it is the content
 *
 * Where a user registered a state for the tool, that reads it.
 */

import { isBoolean, type PlainRecord, recordOf } from '../../../../base/plain-state.ts'
import type { Call } from '../../../../engine/calls/call.ts'
import { type ElementsState, elements, initialElements } from '../../../../engine/wire/elements.ts'
import type { StreamedElement } from '../../../../engine/wire/elements-syntax.ts'
import { type FastPath, ValueFastPath } from '../../../../engine/wire/fast-path.ts'
import { Literals } from '../../../../engine/wire/literals.ts'
import type { Reader, ReaderType } from '../../../../engine/wire/reader.ts'
import { TentativeText } from '../../../../engine/wire/tentative-text.ts'
import { UNTIL, type UntilState, until, untilEnd, untilStart } from '../../../../engine/wire/until.ts'
import { detailNamed, readDetail, type ToolSyntax } from '../tool-syntax.ts'

/** Reads the insides of tools in the place of the parser. */
export interface ToolStates {
  has(toolName: string): boolean
  /** The opening tag was read. `id`: what the call is known by. */
  begin(toolName: string, openingTag: string, id: string): void
  /** Takes the next piece of text. Answers whether this is the parser's again: then nothing of it was taken. */
  take(text: string): boolean
}

/** All of it is the content. */
class ContentReader implements Reader<UntilState> {
  status: Reader['status'] = 'open'
  readonly state: UntilState
  private readonly closer: Literals
  private call: Call | null = null

  constructor(closer: Literals, state: UntilState) {
    this.closer = closer
    this.state = state
  }

  read(text: string, from: number, to: number, call: Call): number {
    this.call = call
    const at = until(this.state, this.closer, text, from, to, (piece) => call.textArguments.valueText(piece))
    if (this.state.found === -1) return at
    call.textArguments.closeValue()
    this.status = 'done'
    return at
  }

  get fastPath(): FastPath | null {
    if (this.call === null) return null
    return ValueFastPath.from(this.state, this.closer, this.call.textArguments)
  }

  end(call: Call): void {
    untilEnd(this.state, (piece) => call.textArguments.valueText(piece))
    call.textArguments.settleValue()
  }
}

interface ToolArgumentsState {
  elements: ElementsState
  /** Something that is no argument was found. What follows it, up to the closing tag, is skipped. */
  isSkipping: boolean
  text: UntilState
}

class ToolArgumentsReader implements Reader<ToolArgumentsState> {
  status: Reader['status'] = 'open'
  readonly state: ToolArgumentsState
  private readonly closer: Literals
  private readonly elements: Reader

  constructor(closer: Literals, elements: Reader, state: ToolArgumentsState) {
    this.closer = closer
    this.elements = elements
    this.state = state
  }

  read(text: string, from: number, to: number, call: Call): number {
    const at = this.state.isSkipping ? from : this.readArguments(text, from, to, call)
    return this.state.isSkipping ? this.skip(text, at, to) : at
  }

  private readArguments(text: string, from: number, to: number, call: Call): number {
    const at = this.elements.read(text, from, to, call)
    const { status } = this.elements
    if (status !== 'failed') {
      this.status = status
      return at
    }
    const message = `The call of '${call.name}' holds something that is not an argument.`
    call.fail('malformed', message, call.offsetOf(at))
    this.state.isSkipping = true
    return at
  }

  private skip(text: string, from: number, to: number): number {
    const { state } = this
    const at = until(state.text, this.closer, text, from, to, () => {})
    if (state.text.found !== -1) this.status = 'done'
    return at
  }

  get fastPath(): FastPath | null {
    return this.state.isSkipping ? null : (this.elements.fastPath ?? null)
  }

  end(call: Call): void {
    if (!this.state.isSkipping) this.elements.end(call)
  }
}

/** A state that a user registered reads the inside. */
class StateReader implements Reader {
  status: Reader['status'] = 'open'
  /** A user's state remembers by itself. */
  readonly state = {}
  private readonly states: ToolStates

  constructor(states: ToolStates) {
    this.states = states
  }

  read(text: string, from: number, to: number): number {
    if (!this.states.take(text.slice(from, to))) return to
    this.status = 'done'
    return from
  }

  end(): void {}
}

export const stateReader = (states: ToolStates): Reader => new StateReader(states)

/** What reads the inside. */
export interface Inside<State extends PlainRecord<State> = object>
  extends Pick<ReaderType<State>, 'shape' | 'create'> {
  /** What ends it: the closing tag. */
  readonly closer: Literals
}

function closerOf(tagName: string): Literals {
  return new Literals([`</${tagName}>`], { anchored: false, ignoreCase: true, spacedTags: true })
}

/** Everything up to the closing tag is the content. */
export function contentInside(tagName: string): Inside<UntilState> {
  const closer = closerOf(tagName)
  return {
    closer,
    shape: UNTIL,
    create: (_, state = untilStart()) => new ContentReader(closer, state),
  }
}

/** Arguments up to the closing tag. */
export function argumentsInside(
  syntaxOf: (toolName: string) => ToolSyntax | undefined,
): Inside<ToolArgumentsState> {
  const closer = closerOf('tool')
  const { type } = elements(
    'tool',
    { nameAttribute: 'name', wrapper: 'arguments', numbers: false },
    { text: TentativeText, of: ({ name }) => streamedBy(syntaxOf(name)) },
  )
  return {
    closer,
    shape: { elements: recordOf(type.shape), isSkipping: isBoolean, text: recordOf(UNTIL) },
    create(settings, state = { elements: initialElements(), isSkipping: false, text: untilStart() }) {
      return new ToolArgumentsReader(closer, type.create(settings, state.elements), state)
    },
  }
}

function streamedBy(syntax: ToolSyntax | undefined): StreamedElement | undefined {
  if (syntax?.streams === undefined) return undefined
  const { streams, entities, markers, headlines, details } = syntax
  return {
    ...{ key: streams, entities, markers },
    other(key, value) {
      if (typeof value !== 'string') return [key, value]
      const detail = detailNamed(syntax, key)
      if (detail === undefined) return [key, headlines?.includes(key) ? value.trim() : value]
      const read = readDetail(details![detail]!.kind, value)
      return read === undefined ? undefined : [detail, read]
    },
  }
}
