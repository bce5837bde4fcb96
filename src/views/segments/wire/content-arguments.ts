/**
 * The arguments of a tool that has a content, up to the closing tag of the tool. The content streams; any other
 * argument waits until its element is whole.
 *
 *     <arguments><arg name="path">a.ts</arg><arg name="content">let a = 1</arg></arguments></tool>
 */

import type { Call } from '../../../calls/call.ts'
import type { JsonValue } from '../../../event.ts'
import type { Limits } from '../../../limits.ts'
import { ARGUMENTS } from '../../../wire/elements.ts'
import { TagReader, type TagReaderState } from '../../../xml/tag.ts'
import { readValue } from '../../../xml/value.ts'
import { detailNamed, readDetail, type ToolSyntax } from '../tool-syntax.ts'
import { type StreamedShape, type StreamedState, StreamedValue } from './streamed-value.ts'

export const WRAPPER = 'arguments'
const TOOL_END = '</tool>'

type Place =
  | 'between' //    |<arg name="path">
  | 'name' //       <ar|g name="path">   or   </to|ol>
  | 'attributes' // <arg |name="path">
  | 'other' //      <arg name="path">a.|ts</arg>
  | 'content' //    <arg name="content">let |a = 1</arg>

export interface ContentArgumentsState {
  readonly place: Place
  readonly element: string
  readonly key: string
  readonly held: string
  readonly kept: string
  readonly depth: number
  readonly depthOfCall: number
  readonly hasContent: boolean
  readonly tag: TagReaderState | null
  readonly value: StreamedState | null
}

export class ContentArguments {
  status: 'open' | 'done' | 'failed' = 'open'
  /** What was read of a tag and does not fit. */
  held = ''
  private readonly syntax: ToolSyntax
  /** Arguments that are there already, as attributes: they count before elements of the same name. */
  private readonly given: readonly string[]
  private readonly limits: Readonly<Limits>
  private place: Place = 'between'
  /** The open element, the argument it is, its source, and how many of its name and of the call's are open inside it. */
  private element = ''
  private key = ''
  private kept = ''
  private depth = 0
  private depthOfCall = 0
  private hasContent = false
  private tag: TagReader | null = null
  private value: StreamedValue | null = null

  constructor(syntax: ToolSyntax, given: readonly string[], limits: Readonly<Limits>) {
    this.syntax = syntax
    this.given = given
    this.limits = limits
  }

  read(text: string, from: number, to: number, call: Call): number {
    let at = from
    while (at < to && this.status === 'open') at = this.step(text, at, to, call)
    return at
  }

  private step(text: string, at: number, to: number, call: Call): number {
    switch (this.place) {
      case 'between':
        return this.readBetween(text[at]!, at)
      case 'name':
        return this.readName(text[at]!, at, call)
      case 'attributes':
        return this.readAttributes(text, at, to, call)
      case 'other':
        return this.readOther(text, at, to, call)
      case 'content':
        return this.readContent(text, at, to, call)
    }
  }

  private fail(at: number): number {
    this.status = 'failed'
    return at
  }

  private goBetween(at: number): number {
    this.held = ''
    this.kept = ''
    this.place = 'between'
    return at
  }

  // ── tags ───────────────────────────────────────────────────────────────────────────────────────

  private readBetween(character: string, at: number): number {
    if (character === '<') {
      this.held = character
      this.place = 'name'
      return at + 1
    }
    return character.trim() === '' ? at + 1 : this.fail(at)
  }

  private readName(character: string, at: number, call: Call): number {
    const isClosing = this.held.startsWith('</')
    const isBoundary =
      character === '>' || character.trim() === '' || (character === '/' && this.held !== '<')
    if (isBoundary && !isClosing) return this.beginElement(at)
    const held = (this.held + character).toLowerCase()
    const isPossible = held.startsWith('</')
      ? isClosingPrefix(held)
      : character !== '<' && character !== '!' && character !== '?'
    if (!isPossible || held.length > this.limits.name) return this.fail(at)
    this.held += character
    if (held === `</${WRAPPER}>`) return this.goBetween(at + 1)
    if (held === TOOL_END) this.finish(call)
    return at + 1
  }

  private beginElement(at: number): number {
    this.element = this.held.slice(1)
    if (this.element === '') return this.fail(at)
    this.held = ''
    this.kept = `<${this.element}`
    this.tag = new TagReader({ limit: this.limits.tag })
    this.place = 'attributes'
    return at
  }

  private readAttributes(text: string, from: number, to: number, call: Call): number {
    const tag = this.tag!
    const at = tag.read(text, from, to)
    this.kept += text.slice(from, at)
    if (tag.status === 'open') return at
    this.tag = null
    if (tag.status === 'failed') return this.fail(at)
    if (this.element.toLowerCase() === WRAPPER) return this.goBetween(at)
    this.key = tag.get('name') ?? this.element
    this.depth = 0
    this.depthOfCall = 0
    if (this.key === this.syntax.streams) {
      this.beginContent(call)
      return tag.selfClosing ? this.closeContent(at, call) : at
    }
    this.place = 'other'
    return tag.selfClosing ? this.gotOther(at, call) : at
  }

  /** No content is an empty one. */
  private finish(call: Call): void {
    if (!this.hasContent) call.textArguments.argument(this.syntax.streams!, '')
    this.status = 'done'
  }

  // ── the content ────────────────────────────────────────────────────────────────────────────────

  private beginContent(call: Call): void {
    const { streams, entities } = this.syntax
    this.hasContent = true
    // A second element of its name nests nothing: a closer counts by what follows it.
    call.textArguments.openValue({ key: streams!, entities: entities ?? false })
    this.value = new StreamedValue(this.shape())
    this.place = 'content'
  }

  private shape(): StreamedShape {
    const element = this.element.toLowerCase()
    const endings = [`</${WRAPPER}>`, TOOL_END]
    return {
      close: `</${element}>`,
      end: TOOL_END,
      endings,
      // An argument behind this one is written like it.
      follows: element === 'arg' ? [...endings, '<arg ', '<arg\n', '<arg\t', '<arg\r'] : ['<'],
      markers: this.syntax.markers,
      limit: this.limits.undecided,
    }
  }

  private readContent(text: string, from: number, to: number, call: Call): number {
    const value = this.value!
    const at = value.read(text, from, to, (content) => call.textArguments.valueText(content))
    return value.isClosed ? this.closeContent(at, call) : at
  }

  private closeContent(at: number, call: Call): number {
    const { rest = '', isUnclosed = false } = this.value ?? {}
    this.value = null
    call.textArguments.closeValue()
    if (isUnclosed) call.endsInValue(call.offsetOf(at))
    this.goBetween(at)
    if (rest !== '') this.read(rest, 0, rest.length, call)
    return at
  }

  // ── other arguments ────────────────────────────────────────────────────────────────────────────

  private readOther(text: string, from: number, to: number, call: Call): number {
    const character = text[from]!
    if (this.held === '' || character === '<') {
      const found = text.indexOf('<', from)
      const end = found === -1 || found >= to ? to : found
      this.kept += text.slice(from, end)
      this.held = end === to ? '' : '<'
      this.kept += this.held
      return end === to ? to : end + 1
    }
    this.kept += character
    this.held += character
    if (character !== '>') {
      if (this.held.length > this.limits.tag) this.held = ''
      return from + 1
    }
    const tag = this.held.toLowerCase()
    const element = this.element.toLowerCase()
    this.held = ''
    if (tag === `</${element}>`) {
      if (this.depth-- > 0) return from + 1
      // Whoever reads the element wants its tags in the same case.
      this.kept = `${this.kept.slice(0, -tag.length)}</${this.element}>`
      return this.gotOther(from + 1, call)
    }
    if (opens(tag, element)) this.depth++
    else if (opens(tag, 'tool')) this.depthOfCall++
    else if (tag === TOOL_END && this.depthOfCall-- === 0) {
      this.kept = `${this.kept.slice(0, -tag.length)}</${this.element}>`
      call.endsInValue(call.offsetOf(from))
      this.gotOther(from, call)
      this.finish(call)
    }
    return from + 1
  }

  private gotOther(at: number, call: Call): number {
    const { syntax } = this
    const options = { schema: call.schema ?? ARGUMENTS, nameAttribute: 'name', numbers: false }
    const { value, problems } = readValue(this.kept, options)
    for (const problem of problems)
      if (problem.code !== 'ignored-attribute') call.repaired(problem.code, 'guess', call.origin)
    const detail = detailNamed(syntax, this.key)
    for (const [key, argument] of Object.entries(value as { [key: string]: JsonValue })) {
      if (typeof argument !== 'string') this.pass(key, argument, call)
      else if (detail !== undefined)
        this.pass(detail, readDetail(syntax.details![detail]!.kind, argument), call)
      else this.pass(key, syntax.headlines?.includes(key) ? argument.trim() : argument, call)
    }
    return this.goBetween(at)
  }

  private pass(key: string, value: JsonValue | undefined, call: Call): void {
    if (value !== undefined && !this.given.includes(key)) call.textArguments.argument(key, value)
  }

  end(call: Call): void {
    if (this.value === null) return
    this.value.end((content) => call.textArguments.valueText(content))
    call.textArguments.settleValue()
  }

  save(): ContentArgumentsState {
    const { place, element, key, held, kept, depth, depthOfCall, hasContent } = this
    return {
      ...{ place, element, key, held, kept, depth, depthOfCall, hasContent },
      tag: this.tag?.save() ?? null,
      value: this.value?.save() ?? null,
    }
  }

  restore({ tag, value, ...plain }: ContentArgumentsState): this {
    Object.assign(this, plain)
    this.tag = tag === null ? null : TagReader.restore(tag)
    this.value = value === null ? null : StreamedValue.restore(value, this.shape())
    return this
  }
}

function isClosingPrefix(held: string): boolean {
  return TOOL_END.startsWith(held) || `</${WRAPPER}>`.startsWith(held)
}

/** Is this the opening tag of an element of that name, and not one that closes itself? */
function opens(tag: string, name: string): boolean {
  const boundary = tag[name.length + 1]
  const isBoundary = boundary === '>' || boundary === ' ' || boundary === '\n' || boundary === '\t'
  return tag.startsWith(`<${name}`) && isBoundary && !tag.endsWith('/>')
}
