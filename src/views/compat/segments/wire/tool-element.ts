/**
 * A call as an element, from its opening tag to its closing one. The tag names the tool, or is named like it, and its
 * attributes are arguments.
 *
 *     <tool name="write_file" path="a.ts"><arg name="content">let a = 1</arg></tool>
 *     <write_file path="a.ts">let a = 1</write_file>
 */

import type { JsonValue } from '../../../../base/event.ts'
import { isString, nullable, recordOf } from '../../../../base/plain-state.ts'
import type { Call } from '../../../../engine/calls/call.ts'
import { TextArguments } from '../../../../engine/calls/text-arguments.ts'
import { toolArgument } from '../../../../engine/calls/tool-arguments.ts'
import type { FastPath } from '../../../../engine/wire/fast-path.ts'
import { plainElement } from '../../../../engine/wire/plain-element.ts'
import type { Reader, ReaderSettings, ReaderType } from '../../../../engine/wire/reader.ts'
import { refuseAttribute, tagNode } from '../../../../engine/wire/tag.ts'
import { Template } from '../../../../engine/wire/template.ts'
import {
  hasAttributes,
  isTooLong,
  openTag,
  readTag,
  TAG,
  type TagState,
} from '../../../../values/xml/opening-tag.ts'
import type { SegmentHints } from '../hints.ts'
import { argumentNamed, detailNamed, readDetail, type ToolSyntax } from '../tool-syntax.ts'
import { argumentsInside, contentInside, type Inside, stateReader, type ToolStates } from './tool-inside.ts'

export interface ToolElementOptions {
  /** The tag: `tool`, or the name of a tool that has a tag of its own. */
  readonly name: string
  /** How a tool is shown; nothing where it is shown by its source. */
  syntaxOf(toolName: string): ToolSyntax | undefined
  /** Code of a user's that reads the insides of some tools. */
  readonly states?: ToolStates | undefined
}

interface ToolElementState {
  tag: TagState
  /** The tag as it was written, where a state wants it. */
  source: string
  /** The record of what reads the inside, once the tag is complete. */
  inside: object | null
}

class ToolElementReader implements Reader<ToolElementState> {
  status: Reader['status'] = 'open'
  readonly state: ToolElementState
  private readonly options: ToolElementOptions
  private readonly kind: Inside
  private readonly settings: ReaderSettings
  private inside: Reader | null

  constructor(options: ToolElementOptions, kind: Inside, settings: ReaderSettings, state: ToolElementState) {
    this.options = options
    this.kind = kind
    this.settings = settings
    this.state = state
    this.inside = state.inside === null ? null : kind.create(settings, state.inside)
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
    const { state, settings } = this
    const { tag } = state
    const at = readTag(tag, text, from, to)
    if (hasAttributes(tag)) call.s.hasBegun = true
    if (this.options.states !== undefined) state.source += text.slice(from, at)
    if (isTooLong(tag))
      call.limitReached(`A tag may have ${settings.limits.tag} characters.`, call.offsetOf(at))
    if (tag.status === 'open') return at
    if (tag.status === 'failed' || !this.begin(call, call.offsetOf(at) - call.origin)) this.status = 'failed'
    else if (tag.selfClosing) this.status = 'done'
    return at
  }

  /** `opener`: how many characters the whole tag has. */
  private begin(call: Call, opener: number): boolean {
    const { options } = this
    const { tag } = this.state
    const isShorthand = options.name !== 'tool'
    const name = isShorthand ? options.name : (tag.attributes.get('name') ?? '')
    if (!isShorthand && options.states?.has(name) && !tag.selfClosing)
      return this.leave(options.states, name, call)
    const syntax = options.syntaxOf(name)
    const { read: metadata, unread } = attributesFor(syntax, tag, isShorthand)
    if (isShorthand && syntax?.headlines?.some((key) => metadata[key] === undefined)) {
      // It names a tool, so that it is more than prose, and nothing inside it is a call.
      call.s.hasBegun = true
      return false
    }
    const toolName = syntax?.name ?? name
    if (toolName === '' || !call.word('name', toolName)) return false
    const window = { opener, closer: this.kind.closer }
    call.annotation = (
      syntax === undefined
        ? { toolName: name, generic: true, ...window }
        : { toolName: isShorthand ? null : name, metadata, syntax, ...window }
    ) satisfies SegmentHints
    call.s.isSourceHidden = syntax !== undefined
    if (!call.start()) return false
    for (const [key, value] of Object.entries(metadata)) call.textArguments.argument(key, value)
    if (tag.repeated !== null)
      call.fail('duplicate-key', `The attribute '${tag.repeated}' appears twice.`, call.origin)
    for (const attribute of unread)
      if (!isShorthand || isArgument(attribute, syntax, call)) refuseAttribute(attribute, call)
    this.enter(syntax, isShorthand, call)
    return true
  }

  private enter(syntax: ToolSyntax | undefined, isShorthand: boolean, call: Call): void {
    const { streams: key, entities = false } = syntax ?? {}
    if (this.state.tag.selfClosing) {
      if (key !== undefined) call.textArguments.argument(key, '')
      return
    }
    if (isShorthand && key !== undefined) call.textArguments.openValue({ key, entities })
    this.inside = this.kind.create(this.settings)
    this.state.inside = this.inside.state
  }

  /** A state that a user registered reads the inside, and says what it is. */
  private leave(states: ToolStates, name: string, call: Call): boolean {
    call.annotation = { silent: true } satisfies SegmentHints
    if (!call.word('name', name) || !call.start()) return false
    this.inside = stateReader(states)
    states.begin(name, this.state.source, call.id)
    return true
  }

  end(call: Call): void {
    this.inside?.end(call)
  }
}

interface Attributes {
  /** Those that are arguments, by the names of the arguments. */
  readonly read: { [key: string]: JsonValue }
  /** The others, except for the tool's name. */
  readonly unread: readonly string[]
}

function attributesFor(syntax: ToolSyntax | undefined, tag: TagState, isShorthand: boolean): Attributes {
  const read: { [key: string]: JsonValue } = {}
  const unread: string[] = []
  for (const [attribute, text] of tag.attributes) {
    if (attribute === 'name' && !isShorthand) continue
    const detail = syntax && detailNamed(syntax, attribute)
    const key = detail ?? attribute
    if (detail === undefined && !syntax?.headlines?.includes(key)) {
      unread.push(attribute)
      continue
    }
    const value = readDetail(detail === undefined ? 'text' : syntax!.details![detail]!.kind, text)
    if (value !== undefined && !Object.hasOwn(read, key)) read[key] = value
  }
  return { read, unread }
}

/** In a tag of the tool's own, other attributes mean nothing; but one that is named like an argument would be left out. */
function isArgument(attribute: string, syntax: ToolSyntax | undefined, { tool }: Call): boolean {
  return (
    argumentNamed(syntax, attribute) === syntax?.streams || toolArgument(tool, attribute).schema !== undefined
  )
}

export function toolElementType(options: ToolElementOptions): ReaderType<ToolElementState> {
  const { name, syntaxOf } = options
  const inside: Inside = name === 'tool' ? argumentsInside(syntaxOf) : contentInside(name)
  return {
    name: 'toolElement',
    first: '',
    namesCall: true,
    textArguments: TextArguments,
    plain: plainElement,
    shape: { tag: recordOf(TAG), source: isString, inside: nullable(recordOf(inside.shape)) },
    create(settings, state) {
      const { tag } = settings.limits
      const initial = { tag: openTag({ limit: tag }), source: `<${name}`, inside: null }
      return new ToolElementReader(options, inside, settings, state ?? initial)
    },
    render: () => '',
    show: `<${name}\${toolElement}>`,
  }
}

/** The element, as a template of its own. */
export function toolElement(options: ToolElementOptions): Template {
  return new Template([tagNode([options.name], toolElementType(options), true)])
}
