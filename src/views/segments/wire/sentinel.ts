/**
 * Sentinels: a JSON header says what kind of segment it is, and its content stands between markers.
 *
 *     [[SEG_START {"type":"write_file","path":"/a.ts"}]]let a = 1[[SEG_END]]
 *     [[SEG_START {"type":"tool","tool_name":"mk","arguments":{"k":[1,2]}}]][[SEG_END]]
 *
 * The header is read by the JSON engine, so a `]]` inside it is data. A header that is no JSON, or says nothing that
 * is known, is text with all that follows.
 */

import type { Call } from '../../../calls/call.ts'
import { jsonLimitsOf } from '../../../calls/json-arguments.ts'
import { TextArguments } from '../../../calls/text-arguments.ts'
import type { JsonValue } from '../../../event.ts'
import { JsonBuilder, type JsonBuilderState } from '../../../json/builder.ts'
import { STRICT_UNIQUE } from '../../../json/rules.ts'
import { JsonScanner, type JsonScannerState } from '../../../json/scanner.ts'
import { Rope } from '../../../rope.ts'
import type { Reader, ReaderSettings, ReaderType } from '../../../wire/reader.ts'
import { type Node, type Template, wire } from '../../../wire/template.ts'
import type { SegmentHints } from '../hints.ts'
import { argumentNamed, type ToolSyntax, type ToolSyntaxRegistry } from '../tool-syntax.ts'
import { isObject, readArguments } from './read-arguments.ts'

const OPEN = '[[SEG_START'
const CLOSE = '[[SEG_END]]'

/** Segments that are no tools. */
const PLAIN: ReadonlyMap<string, ToolSyntax> = new Map(
  ['text', 'reasoning'].map((type) => [
    type,
    { name: type, segmentType: type, streams: 'content', runs: false },
  ]),
)

type Place = 'before-header' | 'header' | 'after-header' | 'body'

interface Saved {
  readonly place: Place
  readonly opened: number
  readonly held: string
  readonly late: string
  readonly body: string | null
  readonly scanner: JsonScannerState
  readonly builder: JsonBuilderState
}

class SentinelReader implements Reader {
  status: Reader['status'] = 'open'
  private readonly registry: ToolSyntaxRegistry
  private place: Place = 'before-header'
  private scanner: JsonScanner
  private builder = new JsonBuilder()
  private opened = OPEN.length
  private held = ''
  /** The argument that is the content, where the header had it already and nothing followed. */
  private late = ''
  /** The content of a tool whose arguments stand there and not in the header. */
  private body: Rope | null = null

  constructor(registry: ToolSyntaxRegistry, settings: ReaderSettings) {
    this.registry = registry
    this.scanner = scannerFor(settings)
  }

  read(text: string, from: number, to: number, call: Call): number {
    let at = from
    while (at < to && this.status === 'open') {
      if (this.place === 'body') at = this.readBody(text, at, to, call)
      else {
        const next = this.place === 'header' ? this.readHeader(text, at, to) : this.step(text[at]!, at, call)
        this.opened += next - at
        at = next
      }
    }
    return at
  }

  private step(character: string, at: number, call: Call): number {
    const isSpace = character.trim() === ''
    if (this.place === 'before-header') {
      if (isSpace) return at + 1
      if (character === '{') {
        this.place = 'header'
        call.hasBegun = true
      } else this.status = 'failed'
      return at
    }
    if (isSpace && this.held === '') return at + 1
    if (character !== ']') {
      this.status = 'failed'
      return at
    }
    this.held += character
    if (this.held === ']]') {
      this.held = ''
      this.place = 'body'
      // The character is counted by whoever called, but the call is told of it here.
      if (!this.begin(call, this.opened + 1)) this.status = 'failed'
    }
    return at + 1
  }

  private readHeader(text: string, from: number, to: number): number {
    const at = this.scanner.read(text, from, to, this.builder)
    if (this.scanner.status === 'done') this.place = 'after-header'
    else if (this.scanner.status === 'failed') this.status = 'failed'
    return at
  }

  private begin(call: Call, opened: number): boolean {
    const { type, ...header } = this.builder.value as { [key: string]: JsonValue }
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
    call.about = {
      ...{ toolName: null, metadata, opener: opened, closer: CLOSE },
      ...(streams === undefined ? { generic: isTool } : { syntax: syntax! }),
    } satisfies SegmentHints
    if (!call.start()) return false
    const { arguments: inner, tool_name: _, ...beside } = header
    const given = [...Object.entries(beside), ...Object.entries(this.inner(inner, call))]
    for (const [key, value] of given) {
      const name = argumentNamed(syntax, key)
      call.textArguments.argument(name, value)
      // Behind a content in the header nothing should follow: if something does, there are two.
      if (name === streams) this.late = name
    }
    if (this.late !== '') return true
    // What stands between sentinels is no XML, whatever it is in other strategies: it means what it says.
    if (streams !== undefined) call.textArguments.openValue({ key: streams })
    else if (given.length === 0 && inner === undefined) this.body = new Rope()
    return true
  }

  /** What the header has as `arguments`: an object, or a text that holds one. */
  private inner(value: JsonValue | undefined, call: Call): { [key: string]: JsonValue } {
    const given = typeof value === 'string' ? readArguments(value, call.schema) : (value ?? {})
    if (isObject(given)) return given
    call.fail('malformed', 'The arguments in the header are no object.', call.origin)
    return {}
  }

  private readBody(text: string, from: number, to: number, call: Call): number {
    if (this.held === '') {
      const found = text.indexOf('[', from)
      const end = found === -1 || found >= to ? to : found
      if (end > from) this.content(text.slice(from, end), call)
      if (end === to) return to
      this.held = '['
      return end + 1
    }
    this.held += text[from]!
    while (!CLOSE.startsWith(this.held)) {
      this.content(this.held[0]!, call)
      this.held = this.held.slice(1)
    }
    if (this.held === CLOSE) {
      this.held = ''
      this.finish(call)
    }
    return from + 1
  }

  private content(text: string, call: Call): void {
    if (this.late !== '') call.textArguments.openValue({ key: this.late })
    this.late = ''
    if (this.body === null) call.textArguments.valueText(text)
    else this.body.add(text)
  }

  private finish(call: Call): void {
    this.status = 'done'
    call.textArguments.closeValue()
    const body = this.body?.toString() ?? ''
    const { watch } = call.host
    watch?.begin({})
    watch?.read(body)
    watch?.end()
    const given = readArguments(body, call.schema)
    if (given === undefined) call.fail('malformed', 'The content holds no arguments.', call.origin)
    else for (const [key, value] of Object.entries(given)) call.textArguments.argument(key, value)
  }

  end(call: Call): void {
    if (this.place === 'body' && this.held !== '') this.content(this.held, call)
  }

  save(): Saved {
    const { place, opened, held, late } = this
    return {
      ...{ place, opened, held, late },
      body: this.body?.toString() ?? null,
      scanner: this.scanner.save(),
      builder: this.builder.save(),
    }
  }

  static restore(saved: Saved, registry: ToolSyntaxRegistry, settings: ReaderSettings): SentinelReader {
    const { scanner, builder, body, ...plain } = saved
    const reader = new SentinelReader(registry, settings)
    Object.assign(reader, plain)
    reader.scanner = scannerFor(settings).resume(scanner)
    reader.builder = JsonBuilder.restore(builder)
    reader.body = body === null ? null : new Rope(body)
    return reader
  }
}

function scannerFor({ limits }: ReaderSettings): JsonScanner {
  return new JsonScanner(jsonLimitsOf(limits), STRICT_UNIQUE)
}

export function sentinelSegment(registry: ToolSyntaxRegistry): Template {
  const type: ReaderType = {
    name: 'sentinelSegment',
    first: '',
    namesCall: true,
    textArguments: TextArguments,
    create: (settings) => new SentinelReader(registry, settings),
    restore: (saved, settings) => SentinelReader.restore(saved as Saved, registry, settings),
    render: () => '',
    closer: CLOSE,
    show: '${sentinelSegment}',
  }
  const node: Node = { kind: 'reader', type }
  return wire`${OPEN}${node}`
}
