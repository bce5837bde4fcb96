/**
 * A call as an element, from its opening tag to its closing one. What is inside depends on the tool.
 *
 *     <tool name="lookup"><arguments><term>owl</term></arguments></tool>           arguments as elements
 *     <tool name="write_file"><arg name="path">a.ts</arg><arg name="content">…     and one of them is the content
 *     <write_file path="a.ts">let a = 1</write_file>                               the tag is the tool
 *
 * A call that goes wrong after it was certain is read on to its closing tag, so that what follows is not lost.
 */

import type { Call } from '../../../calls/call.ts'
import type { JsonValue } from '../../../event.ts'
import { elements } from '../../../wire/elements.ts'
import type { Reader, ReaderSettings, ReaderType } from '../../../wire/reader.ts'
import { type Node, Template } from '../../../wire/template.ts'
import { TagReader, type TagReaderState } from '../../../xml/tag.ts'
import { readValue } from '../../../xml/value.ts'
import { hinted, type SegmentHints } from '../hints.ts'
import { detailNamed, readDetail, type ToolSyntax, type ToolSyntaxRegistry } from '../tool-syntax.ts'
import { type StreamedShape, type StreamedState, StreamedValue } from './streamed-value.ts'

const WRAPPER = 'arguments'
const ARGUMENTS = elements('tool', { nameAttribute: 'name', wrapper: WRAPPER, numbers: false }) as Node & {
  kind: 'reader'
}

type Place =
  | 'tag' //        <tool |name="write_file">
  | 'generic' //    <tool name="lookup">|<term>owl</term></tool>
  | 'between' //    <tool name="write_file">|<arg name="path">
  | 'name' //       <ar|g name="path">   or   </to|ol>
  | 'attributes' // <arg |name="path">
  | 'other' //      <arg name="path">a.|ts</arg>
  | 'streamed' //   <arg name="content">let |a = 1</arg>
  | 'body' //       <write_file path="a.ts">let |a = 1</write_file>
  | 'lost' //       <tool name="lookup">what| is this</tool>
  | 'elsewhere' //  <tool name="mine">|…           a user's own state reads this

interface Saved {
  readonly place: Place
  readonly tool: string
  readonly key: string
  readonly element: string
  readonly held: string
  readonly kept: string
  readonly depth: number
  readonly opened: number
  readonly attributes: readonly string[]
  readonly hasContent: boolean
  readonly tag: TagReaderState | null
  readonly inner: unknown
  readonly value: StreamedState | null
}

export interface ToolElementOptions {
  /** How the tool is read, whatever the registry says; null: by its source. */
  readonly syntax?: ToolSyntax | null | undefined
  /** Code of a user's that reads the insides of some tools. */
  readonly states?: ToolStates | undefined
}

/** Reads the insides of tools in the place of this reader. */
export interface ToolStates {
  has(toolName: string): boolean
  /** The opening tag was read. `id`: what the call is known by. */
  begin(toolName: string, openingTag: string, id: string): void
  /** Takes the next piece of text. Answers whether this is the reader's again: then nothing of it was taken. */
  take(text: string): boolean
}

class ToolElementReader implements Reader {
  status: Reader['status'] = 'open'
  private readonly registry: ToolSyntaxRegistry
  private readonly options: ToolElementOptions
  /** The tag: `tool`, or the name of a tool that has a tag of its own. */
  private readonly tagName: string
  private readonly settings: ReaderSettings
  private place: Place = 'tag'
  private tag: TagReader | null
  private tool = ''
  private syntax: ToolSyntax | undefined
  /** Characters of the opening tag. */
  private opened: number
  /** The element that is open inside and the argument it is, what was read of a tag, and the element's source. */
  private element = ''
  private key = ''
  private held = ''
  private kept = ''
  private depth = 0
  /** Arguments that attributes gave: they count before elements of the same name. */
  private attributes: readonly string[] = []
  private hasContent = false
  private inner: Reader | null = null
  private value: StreamedValue | null = null

  constructor(
    registry: ToolSyntaxRegistry,
    tagName: string,
    settings: ReaderSettings,
    options: ToolElementOptions,
  ) {
    this.options = options
    this.registry = registry
    this.tagName = tagName
    this.settings = settings
    this.tag = new TagReader({ limit: settings.limits.tag })
    this.opened = tagName.length + 1
  }

  read(text: string, from: number, to: number, call: Call): number {
    let at = from
    while (at < to && this.status === 'open') {
      const next = this.step(text, at, to, call)
      if (next === -1) this.status = 'failed'
      else at = next
    }
    return at
  }

  private step(text: string, at: number, to: number, call: Call): number {
    switch (this.place) {
      case 'tag':
        return this.readTag(text, at, to, call)
      case 'generic':
        return this.readGeneric(text, at, to, call)
      case 'between':
        return this.readBetween(text[at]!, at, call)
      case 'name':
        return this.readName(text[at]!, at, call)
      case 'attributes':
        return this.readAttributes(text, at, to, call)
      case 'other':
        return this.readOther(text, at, to, call)
      case 'streamed':
        return this.readStreamed(text, at, to, call)
      case 'elsewhere':
        if (!this.options.states?.take(text.slice(at, to))) return to
        this.status = 'done'
        return at
      case 'body':
      case 'lost':
        return this.readUpToClose(text, at, to, call)
    }
  }

  // ── the opening tag ────────────────────────────────────────────────────────────────────────────

  private readTag(text: string, from: number, to: number, call: Call): number {
    const tag = this.tag!
    const at = tag.read(text, from, to)
    this.opened += at - from
    if (this.options.states !== undefined) this.kept += text.slice(from, at)
    if (tag.isTooLong)
      call.limitReached(`A tag may have ${this.settings.limits.tag} characters.`, call.offsetOf(at))
    if (tag.status === 'open') return at
    if (tag.status === 'failed' || !this.begin(tag, call)) {
      this.status = 'failed'
      return at
    }
    this.tag = null
    if (tag.selfClosing) this.finish(call)
    return at
  }

  private begin(tag: TagReader, call: Call): boolean {
    const isShorthand = this.tagName !== 'tool'
    const name = isShorthand ? this.tagName : (tag.get('name') ?? '')
    if (!isShorthand && this.options.states?.has(name) && !tag.selfClosing) return this.leave(name, call)
    const given = this.options.syntax
    const syntax = given === undefined ? this.registry.get(name) : (given ?? undefined)
    const isOwn = syntax?.streams !== undefined && syntax.runs !== false
    this.tool = isOwn ? syntax.name : name
    this.syntax = isOwn ? syntax : undefined
    const metadata = isOwn ? attributesFor(syntax, tag) : {}
    if (isShorthand && syntax?.headlines?.some((key) => metadata[key] === undefined)) return false
    const window = { opener: this.opened, closer: `</${this.tagName.toLowerCase()}>` }
    const hints: SegmentHints = isOwn
      ? { toolName: isShorthand ? null : name, metadata, syntax, ...window }
      : { toolName: name, generic: true, ...window }
    if (this.tool === '' || !call.word('name', this.tool)) return false
    call.metadata = hinted(hints)
    if (!call.start()) return false
    for (const [key, value] of Object.entries(metadata)) call.argument(key, value)
    if (isOwn && tag.repeated !== undefined)
      call.fail('duplicate-key', `The attribute '${tag.repeated}' is there twice.`, call.origin)
    this.attributes = Object.keys(metadata)
    this.place = !isOwn ? 'generic' : isShorthand ? 'body' : 'between'
    if (this.place === 'body') this.openContent(call)
    return true
  }

  /** Someone else reads the inside, and says what it is. */
  private leave(name: string, call: Call): boolean {
    call.metadata = hinted({ silent: true })
    if (!call.word('name', name) || !call.start()) return false
    this.place = 'elsewhere'
    this.options.states?.begin(name, `<${this.tagName}${this.kept}`, call.id)
    return true
  }

  private pass(key: string, value: JsonValue, call: Call): void {
    if (!this.attributes.includes(key)) call.argument(key, value)
  }

  private openContent(call: Call): void {
    const { streams, entities } = this.syntax!
    this.hasContent = true
    call.openValue({ key: streams!, entities: entities ?? false })
  }

  // ── arguments as elements ──────────────────────────────────────────────────────────────────────

  private readGeneric(text: string, from: number, to: number, call: Call): number {
    this.inner ??= ARGUMENTS.type.create(this.settings)
    const at = this.inner.read(text, from, to, call)
    if (this.inner.status === 'done') this.status = 'done'
    else if (this.inner.status === 'failed') this.lose(call, at)
    return at
  }

  private readBetween(character: string, at: number, call: Call): number {
    if (character === '<') {
      this.held = character
      this.place = 'name'
      return at + 1
    }
    return character.trim() === '' ? at + 1 : this.lose(call, at)
  }

  private readName(character: string, at: number, call: Call): number {
    const isClosing = this.held.startsWith('</')
    const isBoundary =
      character === '>' || character.trim() === '' || (character === '/' && this.held !== '<')
    if (!isBoundary || isClosing) {
      this.held += character
      const held = this.held.toLowerCase()
      if (held === '</tool>') return this.finish(call, at + 1)
      if (held === `</${WRAPPER}>`) return this.goBetween(at + 1)
      const isPossible = isClosing || held === '</' ? isClosingPrefix(held) : character !== '<'
      return isPossible && held.length <= this.settings.limits.name ? at + 1 : this.lose(call, at)
    }
    this.element = this.held.slice(1)
    if (this.element === '') return this.lose(call, at)
    this.held = ''
    this.kept = `<${this.element}`
    this.tag = new TagReader({ limit: this.settings.limits.tag })
    this.place = 'attributes'
    return at
  }

  private goBetween(at: number): number {
    this.held = ''
    this.kept = ''
    this.place = 'between'
    return at
  }

  private readAttributes(text: string, from: number, to: number, call: Call): number {
    const tag = this.tag!
    const at = tag.read(text, from, to)
    this.kept += text.slice(from, at)
    if (tag.status === 'open') return at
    this.tag = null
    if (tag.status === 'failed') return this.lose(call, at)
    if (this.element.toLowerCase() === WRAPPER) return this.goBetween(at)
    this.key = tag.get('name') ?? this.element
    this.depth = 0
    if (this.key === this.syntax!.streams) {
      this.openContent(call)
      this.value = new StreamedValue(this.shape())
      this.place = 'streamed'
      return tag.selfClosing ? this.closeContent(at, call) : at
    }
    this.place = 'other'
    return tag.selfClosing ? this.gotOther(at, call) : at
  }

  private shape(): StreamedShape {
    const element = this.element.toLowerCase()
    const endings = [`</${WRAPPER}>`, '</tool>']
    // An argument behind this one is written like it.
    const next = element === 'arg' ? ['<arg ', '<arg\n', '<arg\t'] : ['<']
    return {
      close: `</${element}>`,
      endings,
      follows: element === 'arg' ? [...endings, ...next] : next,
      markers: this.syntax?.markers,
      limit: this.settings.limits.undecided,
    }
  }

  private readStreamed(text: string, from: number, to: number, call: Call): number {
    const value = this.value!
    const at = value.read(text, from, to, (content) => call.valueText(content))
    return value.isClosed ? this.closeContent(at, call) : at
  }

  private closeContent(at: number, call: Call): number {
    const rest = this.value?.rest ?? ''
    this.value = null
    call.closeValue()
    this.goBetween(at)
    if (rest !== '') this.read(rest, 0, rest.length, call)
    return at
  }

  /** An argument that is no content: kept until it is whole. */
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
      if (this.held.length > this.settings.limits.tag) this.held = ''
      return from + 1
    }
    const tag = this.held.toLowerCase()
    const element = this.element.toLowerCase()
    this.held = ''
    if (tag === `</${element}>`) {
      if (this.depth-- === 0) return this.gotOther(from + 1, call)
    } else if (opens(tag, element)) this.depth++
    return from + 1
  }

  private gotOther(at: number, call: Call): number {
    const { kept } = this
    const syntax = this.syntax!
    const { value, problems } = readValue(kept, {
      schema: call.schema,
      nameAttribute: 'name',
      numbers: false,
    })
    for (const problem of problems)
      if (problem.code !== 'ignored-attribute') call.repaired(problem.code, 'guess', call.origin)
    const detail = detailNamed(syntax, this.key)
    for (const [key, argument] of Object.entries(value as { [key: string]: JsonValue })) {
      if (detail !== undefined && typeof argument === 'string') {
        const read = readDetail(syntax.details![detail]!.kind, argument)
        if (read !== undefined) this.pass(detail, read, call)
      } else if (syntax.headlines?.includes(key) && typeof argument === 'string')
        this.pass(key, argument.trim(), call)
      else this.pass(key, argument, call)
    }
    return this.goBetween(at)
  }

  // ── text up to the closing tag ─────────────────────────────────────────────────────────────────

  private readUpToClose(text: string, from: number, to: number, call: Call): number {
    if (this.held === '') {
      const found = text.indexOf('<', from)
      const end = found === -1 || found >= to ? to : found
      if (end > from && this.place === 'body') call.valueText(text.slice(from, end))
      if (end === to) return to
      this.held = '<'
      return end + 1
    }
    const close = `</${this.tagName.toLowerCase()}>`
    const sofar = this.held + text[from]!
    if (close.startsWith(sofar.toLowerCase())) {
      this.held = sofar
      if (sofar.length < close.length) return from + 1
      this.held = ''
      if (this.place === 'body') call.closeValue()
      this.status = 'done'
      return from + 1
    }
    // A closer has one `<`, so nothing of what was held can begin another.
    if (this.place === 'body') call.valueText(this.held)
    this.held = ''
    return from
  }

  /** This cannot be what was meant. It is read on to its closing tag all the same. */
  private lose(call: Call, at: number): number {
    call.fail(
      'malformed',
      `The call of '${call.name}' holds something that is no argument.`,
      call.offsetOf(at),
    )
    const { held } = this
    this.held = ''
    this.place = 'lost'
    for (let index = 0; index < held.length && this.status === 'open'; )
      index = this.readUpToClose(held, index, held.length, call)
    return at
  }

  private finish(call: Call, at = 0): number {
    if (this.place === 'body') call.closeValue()
    else if (this.syntax?.streams !== undefined && !this.hasContent) call.argument(this.syntax.streams, '')
    this.status = 'done'
    return at
  }

  end(call: Call): void {
    if (this.place === 'streamed') this.value?.end((content) => call.valueText(content))
    else if (this.place === 'body' && this.held !== '') call.valueText(this.held)
  }

  save(): Saved {
    const { place, tool, key, element, held, kept, depth, opened, attributes, hasContent } = this
    return {
      ...{ place, tool, key, element, held, kept, depth, opened, attributes, hasContent },
      tag: this.tag?.save() ?? null,
      inner: this.inner?.save() ?? null,
      value: this.value?.save() ?? null,
    }
  }

  static restore(
    saved: Saved,
    registry: ToolSyntaxRegistry,
    tagName: string,
    settings: ReaderSettings,
    options: ToolElementOptions,
  ): ToolElementReader {
    const { tag, inner, value, ...plain } = saved
    const reader = new ToolElementReader(registry, tagName, settings, options)
    Object.assign(reader, plain)
    if (plain.place !== 'generic' && plain.tool !== '')
      reader.syntax = options.syntax ?? registry.get(plain.tool)
    reader.tag = tag === null ? null : TagReader.restore(tag)
    reader.inner = inner === null ? null : ARGUMENTS.type.restore(inner, settings)
    reader.value = value === null ? null : StreamedValue.restore(value, reader.shape())
    return reader
  }
}

/** The attributes that are arguments of this tool; others mean nothing. */
function attributesFor(syntax: ToolSyntax, tag: TagReader): { [key: string]: JsonValue } {
  const found: { [key: string]: JsonValue } = {}
  for (const [attribute, text] of tag.attributes) {
    const key = detailNamed(syntax, attribute) ?? attribute
    const detail = syntax.details?.[key]
    const isArgument = detail !== undefined || syntax.headlines?.includes(key)
    const value = isArgument ? readDetail(detail?.kind ?? 'text', text) : undefined
    if (value !== undefined && !Object.hasOwn(found, key)) found[key] = value
  }
  return found
}

function isClosingPrefix(held: string): boolean {
  return '</tool>'.startsWith(held) || `</${WRAPPER}>`.startsWith(held)
}

/** Is this the opening tag of an element of that name, and not one that closes itself? */
function opens(tag: string, name: string): boolean {
  const boundary = tag[name.length + 1]
  const isBoundary = boundary === '>' || boundary === ' ' || boundary === '\n' || boundary === '\t'
  return tag.startsWith(`<${name}`) && isBoundary && !tag.endsWith('/>')
}

export function toolElementType(
  registry: ToolSyntaxRegistry,
  tagName: string,
  options: ToolElementOptions = {},
): ReaderType {
  return {
    name: 'toolElement',
    first: '',
    namesCall: true,
    create: (settings) => new ToolElementReader(registry, tagName, settings, options),
    restore: (saved, settings) =>
      ToolElementReader.restore(saved as Saved, registry, tagName, settings, options),
    render: () => '',
    show: '${toolElement}',
  }
}

/** The element `tagName`, as a template of its own. */
export function toolElement(
  registry: ToolSyntaxRegistry,
  tagName: string,
  options?: ToolElementOptions,
): Template {
  const type = toolElementType(registry, tagName, options)
  return new Template([{ kind: 'tag', names: [tagName], type, header: true }])
}
