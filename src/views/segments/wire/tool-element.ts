/**
 * A call as an element, from its opening tag to its closing one. The tag names the tool, or is named like it, and its
 * attributes are arguments.
 *
 *     <tool name="write_file" path="a.ts"><arg name="content">let a = 1</arg></tool>
 *     <write_file path="a.ts">let a = 1</write_file>
 */

import type { Call } from '../../../calls/call.ts'
import { TextArguments } from '../../../calls/text-arguments.ts'
import type { JsonValue } from '../../../event.ts'
import type { FastPath } from '../../../wire/fast-path.ts'
import type { Reader, ReaderSettings, ReaderType } from '../../../wire/reader.ts'
import { tagNode } from '../../../wire/tag.ts'
import { Template } from '../../../wire/template.ts'
import { TagReader, type TagReaderState } from '../../../xml/tag.ts'
import type { SegmentHints } from '../hints.ts'
import { detailNamed, readDetail, type ToolSyntax } from '../tool-syntax.ts'
import { argumentsInside, contentInside, type Inside, stateReader, type ToolStates } from './tool-inside.ts'

export interface ToolElementOptions {
  /** The tag: `tool`, or the name of a tool that has a tag of its own. */
  readonly name: string
  /** How a tool is shown; nothing where it is shown by its source. */
  syntaxOf(toolName: string): ToolSyntax | undefined
  /** Code of a user's that reads the insides of some tools. */
  readonly states?: ToolStates | undefined
}

interface Saved {
  readonly tag: TagReaderState
  readonly source: string
  readonly inside: unknown
}

class ToolElementReader implements Reader {
  status: Reader['status'] = 'open'
  private readonly options: ToolElementOptions
  private readonly kind: Inside
  private readonly settings: ReaderSettings
  private readonly tag: TagReader
  /** The tag as it was written, where a state wants it. */
  private source: string
  private inside: Reader | null = null

  constructor(options: ToolElementOptions, kind: Inside, settings: ReaderSettings, saved?: Saved) {
    this.options = options
    this.kind = kind
    this.settings = settings
    const { limits } = settings
    this.tag = saved === undefined ? new TagReader({ limit: limits.tag }) : TagReader.restore(saved.tag)
    this.source = saved?.source ?? `<${options.name}`
    if (saved?.inside !== undefined) this.inside = kind.open(settings, saved.inside)
  }

  get fastPath(): FastPath | null {
    return this.inside?.fastPath ?? null
  }

  read(text: string, from: number, to: number, call: Call): number {
    const at = this.inside === null ? this.readTag(text, from, to, call) : from
    const { inside } = this
    if (inside === null || at === to) return at
    const end = inside.read(text, at, to, call)
    this.status = inside.status
    return end
  }

  // ── the opening tag ────────────────────────────────────────────────────────────────────────────

  private readTag(text: string, from: number, to: number, call: Call): number {
    const { tag, settings } = this
    const at = tag.read(text, from, to)
    if (tag.hasAttributes) call.s.hasBegun = true
    if (this.options.states !== undefined) this.source += text.slice(from, at)
    if (tag.isTooLong)
      call.limitReached(`A tag may have ${settings.limits.tag} characters.`, call.offsetOf(at))
    if (tag.status === 'open') return at
    if (tag.status === 'failed' || !this.begin(call, call.offsetOf(at) - call.origin)) this.status = 'failed'
    else if (tag.selfClosing) this.status = 'done'
    return at
  }

  /** `opener`: how many characters the whole tag has. */
  private begin(call: Call, opener: number): boolean {
    const { tag, options } = this
    const isShorthand = options.name !== 'tool'
    const name = isShorthand ? options.name : (tag.get('name') ?? '')
    if (!isShorthand && options.states?.has(name) && !tag.selfClosing)
      return this.leave(options.states, name, call)
    const syntax = options.syntaxOf(name)
    const metadata = syntax === undefined ? {} : attributesFor(syntax, tag)
    if (isShorthand && syntax?.headlines?.some((key) => metadata[key] === undefined)) return false
    const toolName = syntax?.name ?? name
    if (toolName === '' || !call.word('name', toolName)) return false
    const window = { opener, closer: `</${options.name.toLowerCase()}>` }
    call.about = (
      syntax === undefined
        ? { toolName: name, generic: true, ...window }
        : { toolName: isShorthand ? null : name, metadata, syntax, ...window }
    ) satisfies SegmentHints
    call.s.isSourceHidden = syntax !== undefined
    if (!call.start()) return false
    for (const [key, value] of Object.entries(metadata)) call.textArguments.argument(key, value)
    if (tag.repeated !== undefined)
      call.fail('duplicate-key', `The attribute '${tag.repeated}' is there twice.`, call.origin)
    this.enter(syntax, isShorthand, call)
    return true
  }

  private enter(syntax: ToolSyntax | undefined, isShorthand: boolean, call: Call): void {
    const { streams: key, entities = false } = syntax ?? {}
    if (this.tag.selfClosing) {
      if (key !== undefined) call.textArguments.argument(key, '')
      return
    }
    if (isShorthand && key !== undefined) call.textArguments.openValue({ key, entities })
    this.inside = this.kind.open(this.settings)
  }

  /** Someone else reads the inside, and says what it is. */
  private leave(states: ToolStates, name: string, call: Call): boolean {
    call.about = { silent: true } satisfies SegmentHints
    if (!call.word('name', name) || !call.start()) return false
    this.inside = stateReader(states)
    states.begin(name, this.source, call.id)
    return true
  }

  end(call: Call): void {
    this.inside?.end(call)
  }

  save(): Saved {
    return { tag: this.tag.save(), source: this.source, inside: this.inside?.save() }
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

export function toolElementType(options: ToolElementOptions): ReaderType {
  const { name, syntaxOf } = options
  const inside = name === 'tool' ? argumentsInside(syntaxOf) : contentInside(name)
  return {
    name: 'toolElement',
    first: '',
    namesCall: true,
    textArguments: TextArguments,
    create: (settings) => new ToolElementReader(options, inside, settings),
    restore: (saved, settings) => new ToolElementReader(options, inside, settings, saved as Saved),
    render: () => '',
    show: `<${name}\${toolElement}>`,
  }
}

/** The element, as a template of its own. */
export function toolElement(options: ToolElementOptions): Template {
  return new Template([tagNode([options.name], toolElementType(options), true)])
}
