/**
 * Sentinels: a JSON header says what kind of segment it is, and its content stands between markers.
 *
 *     [[SEG_START {"type":"write_file","path":"/a.ts"}]]let a = 1[[SEG_END]]
 *     [[SEG_START {"type":"tool","tool_name":"mk","arguments":{"k":[1,2]}}]][[SEG_END]]
 *
 * The header is read by the JSON engine, so a `]]` inside it is data. A header that is no JSON, or says nothing that
 * is known, is text with all that follows.
 */

import type { JsonValue } from '../../../../base/event.ts'
import { isRope, nullable, oneOf, recordOf, type Shape, scalarsLike } from '../../../../base/plain-state.ts'
import { Rope } from '../../../../base/rope.ts'
import type { Call } from '../../../../engine/calls/call.ts'
import { TextArguments } from '../../../../engine/calls/text-arguments.ts'
import { type FastPath, ValueFastPath } from '../../../../engine/wire/fast-path.ts'
import { Literals } from '../../../../engine/wire/literals.ts'
import type { Reader, ReaderSettings, ReaderType } from '../../../../engine/wire/reader.ts'
import { type Node, space, type Template, wire } from '../../../../engine/wire/template.ts'
import { UNTIL, type UntilState, until, untilEnd, untilStart } from '../../../../engine/wire/until.ts'
import {
  WHOLE_JSON,
  WholeJson,
  type WholeJsonState,
  wholeJsonStart,
} from '../../../../engine/wire/whole-json.ts'
import type { SegmentHints } from '../hints.ts'
import { argumentNamed, type ToolSyntax, type ToolSyntaxRegistry } from '../tool-syntax.ts'
import { isObject, readArguments } from './read-arguments.ts'

const CLOSE = '[[SEG_END]]'
const CLOSER = new Literals([CLOSE], { anchored: false, ignoreCase: false })

/** Segments that are no tools. */
const PLAIN: ReadonlyMap<string, ToolSyntax> = new Map(
  ['text', 'reasoning'].map((type) => [
    type,
    { name: type, segmentType: type, streams: 'content', runs: false },
  ]),
)

const PLACES = [
  'header', //        [[SEG_START {"type": |"run_bash"}]]
  'after-header', //  [[SEG_START {"type": "run_bash"} ]|]
  'body', //          [[SEG_START {"type": "run_bash"}]]l|s[[SEG_END]]
] as const

interface SentinelState {
  place: (typeof PLACES)[number]
  header: WholeJsonState
  /** The first of the two brackets behind the header was read. */
  isClosing: boolean
  text: UntilState
  /** The argument that is the content, where the header had it already and nothing followed. */
  late: string
  /** The content of a tool that is shown by its source: its arguments, unless they stand in the header. */
  body: Rope | null
}

function initialState(): SentinelState {
  return {
    place: 'header',
    header: wholeJsonStart(),
    isClosing: false,
    text: untilStart(),
    late: '',
    body: null,
  }
}

const SENTINEL: Shape<SentinelState> = {
  ...scalarsLike(initialState()),
  place: oneOf(...PLACES),
  header: recordOf(WHOLE_JSON),
  text: recordOf(UNTIL),
  body: nullable(isRope),
}

class SentinelReader implements Reader<SentinelState> {
  status: Reader['status'] = 'open'
  readonly state: SentinelState
  private readonly registry: ToolSyntaxRegistry
  private readonly header: WholeJson
  private call: Call | null = null

  constructor(registry: ToolSyntaxRegistry, { limits }: ReaderSettings, state: SentinelState) {
    this.registry = registry
    this.state = state
    this.header = new WholeJson(state.header, limits)
  }

  read(text: string, from: number, to: number, call: Call): number {
    this.call = call
    let at = from
    if (this.state.place === 'header') at = this.readHeader(text, at, to, call)
    while (this.state.place === 'after-header' && at < to && this.status === 'open')
      this.closeHeader(text[at]!, at++, call)
    // The character that cannot be there is not taken.
    if (this.status === 'failed' && this.state.place === 'after-header') return at - 1
    return this.state.place === 'body' && this.status === 'open' && at < to
      ? this.readBody(text, at, to, call)
      : at
  }

  private readHeader(text: string, from: number, to: number, call: Call): number {
    call.s.hasBegun = true
    const at = this.header.read(text, from, to)
    if (this.header.status === 'done') this.state.place = 'after-header'
    else if (this.header.status === 'failed') this.status = 'failed'
    return at
  }

  private closeHeader(character: string, at: number, call: Call): void {
    if (character === ']') {
      if (!this.state.isClosing) this.state.isClosing = true
      else {
        this.state.place = 'body'
        if (!this.begin(call, call.offsetOf(at + 1) - call.origin)) this.status = 'failed'
      }
    } else if (this.state.isClosing || character.trim() !== '') this.status = 'failed'
  }

  private begin(call: Call, opened: number): boolean {
    const { value } = this.header
    if (!isObject(value)) return false
    const { type, ...header } = value
    if (typeof type !== 'string') return false
    const kind = type.toLowerCase()
    const isTool = kind === 'tool' || kind === 'tool_call'
    const syntax = isTool ? undefined : (PLAIN.get(kind) ?? this.registry.get(kind))
    const isKnown = syntax !== undefined || this.registry.table.has(type)
    const name = isTool ? header.tool_name : isKnown ? (syntax?.name ?? type) : undefined
    if (typeof name !== 'string' || name === '') return false
    const streams = syntax?.streams
    // Where neither the type of the segment nor its content says which tool it is, its metadata does.
    const metadata = streams === undefined ? { tool_name: name, ...header } : header
    call.word('name', name)
    call.annotation = {
      ...{ toolName: null, metadata, opener: opened, closer: CLOSER },
      ...(streams === undefined ? { generic: isTool } : { syntax: syntax! }),
    } satisfies SegmentHints
    call.s.isSourceHidden = streams !== undefined
    if (!call.start()) return false
    const { arguments: inner, tool_name: _, ...beside } = header
    const given = [...Object.entries(beside), ...Object.entries(this.inner(inner, call))]
    for (const [key, value] of given) {
      const name = argumentNamed(syntax, key)
      call.textArguments.argument(name, value)
      // Behind a content in the header nothing should follow: if something does, there are two.
      if (name === streams) this.state.late = name
    }
    if (this.state.late !== '') return true
    // What stands between sentinels is no XML, whatever it is in other strategies: it means what it says.
    if (streams !== undefined) call.textArguments.openValue({ key: streams })
    else this.state.body = new Rope()
    return true
  }

  /** What the header has as `arguments`: an object, or a text that holds one. */
  private inner(value: JsonValue | undefined, call: Call): { [key: string]: JsonValue } {
    const given = typeof value === 'string' ? readArguments(value, call.schema) : (value ?? {})
    if (isObject(given)) return given
    call.fail('malformed', 'The arguments in the header are not an object.', call.origin)
    return {}
  }

  private readBody(text: string, from: number, to: number, call: Call): number {
    const at = until(this.state.text, CLOSER, text, from, to, (piece) => this.content(piece, call))
    if (this.state.text.found !== -1) this.finish(call)
    return at
  }

  get fastPath(): FastPath | null {
    if (
      this.state.place !== 'body' ||
      this.state.late !== '' ||
      this.state.body !== null ||
      this.call === null
    )
      return null
    return ValueFastPath.from(this.state.text, CLOSER, this.call.textArguments)
  }

  private content(text: string, call: Call): void {
    if (this.state.late !== '') call.textArguments.openValue({ key: this.state.late })
    this.state.late = ''
    if (this.state.body === null) call.textArguments.valueText(text)
    else this.state.body.add(text)
  }

  private finish(call: Call): void {
    this.status = 'done'
    call.textArguments.closeValue()
    const body = this.state.body?.toString() ?? ''
    const { watch } = call.host
    watch?.begin({})
    watch?.read(body)
    watch?.end()
    const given = readArguments(body, call.schema)
    if (body.trim() !== '' && this.hasArguments)
      call.fail('malformed', 'The call has arguments in its header and a content behind it.', call.origin)
    else if (given === undefined) call.fail('malformed', 'The content holds no arguments.', call.origin)
    else for (const [key, value] of Object.entries(given)) call.textArguments.argument(key, value)
  }

  /** The header has arguments, even if there are none among them. */
  private get hasArguments(): boolean {
    const { value } = this.header
    return isObject(value) && Object.keys(value).some((key) => key !== 'type' && key !== 'tool_name')
  }

  end(call: Call): void {
    untilEnd(this.state.text, (piece) => this.content(piece, call))
  }
}

export function sentinelSegment(registry: ToolSyntaxRegistry): Template {
  const type: ReaderType<SentinelState> = {
    name: 'sentinelSegment',
    first: '{',
    namesCall: true,
    textArguments: TextArguments,
    shape: SENTINEL,
    create: (settings, state = initialState()) => new SentinelReader(registry, settings, state),
    render: () => '',
    closer: CLOSE,
    show: '${sentinelSegment}',
  }
  const node: Node = { kind: 'reader', type }
  return wire`[[SEG_START${space}${node}`
}
