/**
 * The inside of a call that is an element, up to its closing tag. What is there depends on the tool.
 *
 *     <arguments><term>owl</term></arguments></tool>                            arguments as elements
 *     <arg name="path">a.ts</arg><arg name="content">let a = 1</arg></tool>     and one of them is the content
 *     let a = 1</write_file>                                                    all of it is the content
 *
 * Where a user registered a state for the tool, that reads it.
 */

import type { Call } from '../../../calls/call.ts'
import { elements } from '../../../wire/elements.ts'
import type { StreamedElement } from '../../../wire/elements-syntax.ts'
import { type FastPath, ValueFastPath } from '../../../wire/fast-path.ts'
import { Literals } from '../../../wire/literals.ts'
import type { Reader, ReaderSettings } from '../../../wire/reader.ts'
import { TentativeText } from '../../../wire/tentative-text.ts'
import { type UntilState, until, untilEnd, untilStart } from '../../../wire/until.ts'
import { detailNamed, readDetail, type ToolSyntax } from '../tool-syntax.ts'

/** Reads the insides of tools in the place of the parser. */
export interface ToolStates {
  has(toolName: string): boolean
  /** The opening tag was read. `id`: what the call is known by. */
  begin(toolName: string, openingTag: string, id: string): void
  /** Takes the next piece of text. Answers whether this is the parser's again: then nothing of it was taken. */
  take(text: string): boolean
}

type Place =
  | 'arguments' //  <tool name="lookup">|<term>owl</term></tool>
  | 'content' //    <write_file path="a.ts">let |a = 1</write_file>
  | 'lost' //       <tool name="lookup">what| is this</tool>

interface Saved {
  readonly place: Place
  readonly text: UntilState
  readonly inner: unknown
}

class InsideReader implements Reader {
  status: Reader['status'] = 'open'
  private readonly closer: Literals
  /** Reads arguments; null where all of it is the content. */
  private readonly inner: Reader | null
  private place: Place
  private text = untilStart()
  private call: Call | null = null

  constructor(closer: Literals, inner: Reader | null, saved: Saved | undefined) {
    this.closer = closer
    this.inner = inner
    this.place = saved?.place ?? (inner === null ? 'content' : 'arguments')
    if (saved !== undefined) this.text = { ...saved.text }
  }

  read(text: string, from: number, to: number, call: Call): number {
    this.call = call
    const at = this.place === 'arguments' ? this.readArguments(this.inner!, text, from, to, call) : from
    return this.place === 'arguments' || at === to ? at : this.readText(text, at, to, call)
  }

  private readArguments(inner: Reader, text: string, from: number, to: number, call: Call): number {
    const at = inner.read(text, from, to, call)
    if (inner.status === 'done') this.status = 'done'
    if (inner.status !== 'failed') return at
    const message = `The call of '${call.name}' holds something that is no argument.`
    call.fail('malformed', message, call.offsetOf(at))
    // It is read on to its closing tag all the same, so that what follows is not lost.
    this.place = 'lost'
    return at
  }

  private readText(text: string, from: number, to: number, call: Call): number {
    const isContent = this.place === 'content'
    const at = until(this.text, this.closer, text, from, to, (piece) => {
      if (isContent) call.textArguments.valueText(piece)
    })
    if (this.text.found === -1) return at
    if (isContent) call.textArguments.closeValue()
    this.status = 'done'
    return at
  }

  get fastPath(): FastPath | null {
    if (this.place === 'arguments') return this.inner?.fastPath ?? null
    if (this.place === 'lost' || this.call === null) return null
    return ValueFastPath.from(this.text, this.closer, this.call.textArguments, false)
  }

  end(call: Call): void {
    if (this.place === 'arguments') this.inner?.end(call)
    if (this.place !== 'content') return
    untilEnd(this.text, (piece) => call.textArguments.valueText(piece))
    call.textArguments.settleValue()
  }

  save(): Saved {
    return { place: this.place, text: { ...this.text }, inner: this.inner?.save() }
  }
}

/** A user's state has the floor. */
class StateReader implements Reader {
  status: Reader['status'] = 'open'
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

  save(): null {
    return null
  }
}

export const stateReader = (states: ToolStates): Reader => new StateReader(states)

export interface Inside {
  open(settings: ReaderSettings, saved?: unknown): Reader
}

function closerOf(tagName: string): Literals {
  return new Literals([`</${tagName}>`], { anchored: false, ignoreCase: true })
}

/** Everything up to the closing tag is the content. */
export function contentInside(tagName: string): Inside {
  const closer = closerOf(tagName)
  return { open: (_, saved) => new InsideReader(closer, null, saved as Saved | undefined) }
}

/** Arguments up to the closing tag. */
export function argumentsInside(syntaxOf: (toolName: string) => ToolSyntax | undefined): Inside {
  const closer = closerOf('tool')
  const { type } = elements(
    'tool',
    { nameAttribute: 'name', wrapper: 'arguments', numbers: false },
    { text: TentativeText, of: ({ name }) => streamedBy(syntaxOf(name)) },
  )
  return {
    open(settings, saved) {
      const inner =
        saved === undefined ? type.create(settings) : type.restore((saved as Saved).inner, settings)
      return new InsideReader(closer, inner, saved as Saved | undefined)
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
