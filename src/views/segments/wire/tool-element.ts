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
import { TextArguments } from '../../../calls/text-arguments.ts'
import type { JsonValue } from '../../../event.ts'
import { elements } from '../../../wire/elements.ts'
import type { Reader, ReaderSettings, ReaderType } from '../../../wire/reader.ts'
import { tagNode } from '../../../wire/tag.ts'
import { type Node, Template } from '../../../wire/template.ts'
import { TagReader, type TagReaderState } from '../../../xml/tag.ts'
import type { SegmentHints } from '../hints.ts'
import { detailNamed, readDetail, type ToolSyntax, type ToolSyntaxRegistry } from '../tool-syntax.ts'
import { ClosingText, type ClosingTextState } from './closing-text.ts'
import { ContentArguments, type ContentArgumentsState, WRAPPER } from './content-arguments.ts'

const ARGUMENTS = elements('tool', { nameAttribute: 'name', wrapper: WRAPPER, numbers: false }) as Node & {
  kind: 'reader'
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

type Place =
  | 'tag' //        <tool |name="write_file">
  | 'generic' //    <tool name="lookup">|<term>owl</term></tool>
  | 'arguments' //  <tool name="write_file">|<arg name="path">
  | 'body' //       <write_file path="a.ts">let |a = 1</write_file>
  | 'elsewhere' //  <tool name="mine">|…           a user's own state reads this
  | 'lost' //       <tool name="lookup">what| is this</tool>

interface Saved {
  readonly place: Place
  readonly tool: string
  readonly given: readonly string[]
  readonly opened: number
  readonly tagSource: string
  readonly tag: TagReaderState
  readonly generic: unknown
  readonly arguments: ContentArgumentsState | null
  readonly text: ClosingTextState
}

class ToolElementReader implements Reader {
  status: Reader['status'] = 'open'
  private readonly registry: ToolSyntaxRegistry
  private readonly options: ToolElementOptions
  /** The tag: `tool`, or the name of a tool that has a tag of its own. */
  private readonly tagName: string
  private readonly settings: ReaderSettings
  private place: Place = 'tag'
  private tool = ''
  /** Arguments that attributes gave. */
  private given: readonly string[] = []
  /** Characters of the opening tag, and its source where a state wants it. */
  private opened: number
  private tagSource = ''

  private tag: TagReader
  private generic: Reader | null = null
  private arguments: ContentArguments | null = null
  private text: ClosingText

  constructor(
    registry: ToolSyntaxRegistry,
    tagName: string,
    settings: ReaderSettings,
    options: ToolElementOptions,
  ) {
    this.registry = registry
    this.tagName = tagName
    this.settings = settings
    this.options = options
    this.opened = tagName.length + 1
    this.tag = new TagReader({ limit: settings.limits.tag })
    this.text = new ClosingText(tagName)
  }

  read(text: string, from: number, to: number, call: Call): number {
    let at = from
    while (at < to && this.status === 'open') at = this.step(text, at, to, call)
    return at
  }

  private step(text: string, at: number, to: number, call: Call): number {
    switch (this.place) {
      case 'tag':
        return this.readTag(text, at, to, call)
      case 'generic':
        this.generic ??= ARGUMENTS.type.create(this.settings)
        return this.readGeneric(this.generic, text, at, to, call)
      case 'arguments':
        return this.readArguments(this.arguments!, text, at, to, call)
      case 'body':
        return this.readText(text, at, to, (content) => call.textArguments.valueText(content), call)
      case 'lost':
        return this.readText(text, at, to, () => {}, call)
      case 'elsewhere':
        if (!this.options.states?.take(text.slice(at, to))) return to
        this.status = 'done'
        return at
    }
  }

  // ── the opening tag ────────────────────────────────────────────────────────────────────────────

  private readTag(text: string, from: number, to: number, call: Call): number {
    const { tag } = this
    const at = tag.read(text, from, to)
    this.opened += at - from
    if (tag.hasAttributes) call.hasBegun = true
    if (this.options.states !== undefined) this.tagSource += text.slice(from, at)
    if (tag.isTooLong)
      call.limitReached(`A tag may have ${this.settings.limits.tag} characters.`, call.offsetOf(at))
    if (tag.status === 'open') return at
    if (tag.status === 'failed' || !this.begin(call)) this.status = 'failed'
    else if (tag.selfClosing) this.closeAtOnce(call)
    return at
  }

  private begin(call: Call): boolean {
    const { tag, tagName } = this
    const isShorthand = tagName !== 'tool'
    const name = isShorthand ? tagName : (tag.get('name') ?? '')
    if (!isShorthand && this.options.states?.has(name) && !tag.selfClosing) return this.leave(name, call)
    const syntax = this.syntaxOf(name)
    const metadata = syntax === undefined ? {} : attributesFor(syntax, tag)
    if (isShorthand && syntax?.headlines?.some((key) => metadata[key] === undefined)) return false
    this.tool = syntax?.name ?? name
    if (this.tool === '' || !call.word('name', this.tool)) return false
    const window = { opener: this.opened, closer: `</${tagName.toLowerCase()}>` }
    call.about = (
      syntax === undefined
        ? { toolName: name, generic: true, ...window }
        : { toolName: isShorthand ? null : name, metadata, syntax, ...window }
    ) satisfies SegmentHints
    if (!call.start()) return false
    for (const [key, value] of Object.entries(metadata)) call.textArguments.argument(key, value)
    if (tag.repeated !== undefined)
      call.fail('duplicate-key', `The attribute '${tag.repeated}' is there twice.`, call.origin)
    this.given = Object.keys(metadata)
    this.enter(syntax, isShorthand, call)
    return true
  }

  /** How the tool is read; nothing where it is shown by its source. */
  private syntaxOf(name: string): ToolSyntax | undefined {
    const { syntax = this.registry.get(name) } = this.options
    return syntax?.streams !== undefined && syntax.runs !== false ? syntax : undefined
  }

  private enter(syntax: ToolSyntax | undefined, isShorthand: boolean, call: Call): void {
    if (syntax === undefined) this.place = 'generic'
    else if (isShorthand) {
      this.place = 'body'
      call.textArguments.openValue({ key: syntax.streams!, entities: syntax.entities ?? false })
    } else {
      this.place = 'arguments'
      this.arguments = new ContentArguments(syntax, this.given, this.settings.limits)
    }
  }

  /** Someone else reads the inside, and says what it is. */
  private leave(name: string, call: Call): boolean {
    call.about = { silent: true } satisfies SegmentHints
    if (!call.word('name', name) || !call.start()) return false
    this.place = 'elsewhere'
    this.options.states?.begin(name, `<${this.tagName}${this.tagSource}`, call.id)
    return true
  }

  /** The tag closes itself: there is nothing inside. */
  private closeAtOnce(call: Call): void {
    const nothing = '</tool>'
    if (this.place === 'body') call.textArguments.closeValue()
    else if (this.place === 'arguments') this.arguments?.read(nothing, 0, nothing.length, call)
    this.status = 'done'
  }

  // ── the inside ─────────────────────────────────────────────────────────────────────────────────

  private readGeneric(generic: Reader, text: string, from: number, to: number, call: Call): number {
    const at = generic.read(text, from, to, call)
    // Beside it the closing tag is looked for, in case that it fails in the middle of one.
    for (let next = from; next < at; ) {
      next = this.text.read(text, next, at, () => {})
      if (this.text.isClosed) this.text = new ClosingText(this.tagName)
    }
    if (generic.status === 'done') this.status = 'done'
    else if (generic.status === 'failed') this.lose(call, at)
    return at
  }

  private readArguments(
    inside: ContentArguments,
    text: string,
    from: number,
    to: number,
    call: Call,
  ): number {
    const at = inside.read(text, from, to, call)
    if (inside.status === 'done') this.status = 'done'
    if (inside.status !== 'failed') return at
    this.lose(call, at)
    // The beginning of a tag that does not fit may be that of the closing one.
    this.text.read(inside.held, 0, inside.held.length, () => {})
    return at
  }

  private readText(text: string, from: number, to: number, say: (text: string) => void, call: Call): number {
    const at = this.text.read(text, from, to, say)
    if (!this.text.isClosed) return at
    if (this.place === 'body') call.textArguments.closeValue()
    this.status = 'done'
    return at
  }

  /** This cannot be what was meant. It is read on to its closing tag all the same. */
  private lose(call: Call, at: number): void {
    call.fail(
      'malformed',
      `The call of '${call.name}' holds something that is no argument.`,
      call.offsetOf(at),
    )
    this.place = 'lost'
  }

  end(call: Call): void {
    if (this.place === 'arguments') this.arguments?.end(call)
    else if (this.place === 'body') {
      this.text.end((content) => call.textArguments.valueText(content))
      call.textArguments.settleValue()
    }
  }

  // ── snapshots ──────────────────────────────────────────────────────────────────────────────────

  save(): Saved {
    const { place, tool, given, opened, tagSource } = this
    return {
      ...{ place, tool, given, opened, tagSource },
      tag: this.tag.save(),
      generic: this.generic?.save() ?? null,
      arguments: this.arguments?.save() ?? null,
      text: this.text.save(),
    }
  }

  restore({ tag, generic, arguments: inside, text, ...plain }: Saved): this {
    Object.assign(this, plain)
    this.tag = TagReader.restore(tag)
    this.text = ClosingText.restore(text, this.tagName)
    if (generic !== null) this.generic = ARGUMENTS.type.restore(generic, this.settings)
    const syntax = this.syntaxOf(this.tool)
    if (inside !== null && syntax !== undefined)
      this.arguments = new ContentArguments(syntax, this.given, this.settings.limits).restore(inside)
    return this
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

export function toolElementType(
  registry: ToolSyntaxRegistry,
  tagName: string,
  options: ToolElementOptions = {},
): ReaderType {
  return {
    name: 'toolElement',
    first: '',
    namesCall: true,
    textArguments: TextArguments,
    create: (settings) => new ToolElementReader(registry, tagName, settings, options),
    restore: (saved, settings) =>
      new ToolElementReader(registry, tagName, settings, options).restore(saved as Saved),
    render: () => '',
    show: `<${tagName}\${toolElement}>`,
  }
}

/** The element `tagName`, as a template of its own. */
export function toolElement(
  registry: ToolSyntaxRegistry,
  tagName: string,
  options?: ToolElementOptions,
): Template {
  const type = toolElementType(registry, tagName, options)
  return new Template([tagNode([tagName], type, true)])
}
