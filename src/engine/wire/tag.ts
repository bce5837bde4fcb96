/**
 * An opening tag whose attributes say something about the call.
 *
 *     <invoke name="get_weather">
 *     <parameter name="days" string="false">
 *     <|open|>argument key="days" type="number"<|sep|>
 */

import { SluiceError } from '../../base/errors.ts'
import { checkOption, checkOptions, type KnownOptions, shown } from '../../base/options.ts'
import { escapeAttribute } from '../../values/xml/entities.ts'
import {
  hasAttributes,
  isTooLong,
  markerBehind,
  openTag,
  readTag,
  TAG,
  type TagState,
} from '../../values/xml/opening-tag.ts'
import type { Call } from '../calls/call.ts'
import { TextArguments } from '../calls/text-arguments.ts'
import { toolArgument } from '../calls/tool-arguments.ts'
import { argumentsOf } from '../calls/values.ts'
import { plainElement } from './plain-element.ts'
import type { Reader, ReaderType, RenderedCall } from './reader.ts'
import { type Node, Template } from './template.ts'

/**
 * The role of an attribute: the call's name or id, an argument's key, or the type of its value. With `is-string`, `false`
 * is JSON; with `type`, anything but `string` is JSON. `index` is the number of the call, from 1; it is ignored when read.
 */
export type AttributeRole = 'name' | 'id' | 'key' | 'is-string' | 'type' | 'index'

/** Where tags begin and end. */
export interface TagBrackets {
  /** The spellings of the opening bracket; the first is written. */
  readonly open: readonly [string, ...string[]]
  readonly close: string
  /** Markers before which models leave out `close`. Where they do, the call is a guess. */
  readonly before?: readonly string[]
}

const XML: TagBrackets = { open: ['<'], close: '>' }

export interface TagOptions {
  /** Attributes without a role: `arguments` of the call, or `none`, so that a tag that has one does not match. */
  readonly others?: 'arguments' | 'none'
  /** Optional attributes. */
  readonly optional?: readonly string[]
  /** What follows is a result that reports a failure. */
  readonly isError?: boolean
  /** Brackets other than `<` and `>`. Only a tag that ends with `>` can close itself. */
  readonly brackets?: TagBrackets
}

const KNOWN: KnownOptions<TagOptions> = {
  others: 'any',
  optional: 'list',
  isError: 'boolean',
  brackets: 'object',
}

export type TagRoles = Readonly<Record<string, AttributeRole>>

class AttributesReader implements Reader<TagState> {
  status: Reader['status'] = 'open'
  readonly state: TagState
  private readonly roles: TagRoles
  private readonly options: TagOptions

  constructor(state: TagState, roles: TagRoles, options: TagOptions) {
    this.state = state
    this.roles = roles
    this.options = options
  }

  get selfClosing(): boolean {
    return this.state.selfClosing
  }

  get undecided(): string {
    return this.options.brackets?.before === undefined ? '' : markerBehind(this.state)
  }

  read(text: string, from: number, to: number, call: Call): number {
    const { state } = this
    const at = this.options.others === 'none' ? this.readBare(text, from, to) : readTag(state, text, from, to)
    this.status = state.status
    if (hasAttributes(state)) call.s.hasBegun = true
    if (isTooLong(state))
      call.limitReached(`A tag may have ${call.limits.tag} characters.`, call.offsetOf(at))
    const isCut = this.status === 'done' && this.undecided !== ''
    // Without its end, nothing tells a tag's other attributes from text.
    if (this.status === 'done' && ((isCut && this.hasOthers()) || !this.apply(call))) this.status = 'failed'
    if (isCut && this.status === 'done') {
      const offset = call.offsetOf(at) - this.undecided.length
      call.note('missing-token', 'A token of a marker is missing.', offset)
      call.repaired('missing-token', 'guess', offset)
    }
    return at
  }

  /** A tag without other attributes: it fails at the first character that belongs to one. */
  private readBare(text: string, from: number, to: number): number {
    const { state } = this
    let at = from
    while (at < to && state.status === 'open') {
      const next = readTag(state, text, at, at + 1)
      if (hasAttributes(state) && this.hasOthers()) state.status = 'failed'
      else at = next
    }
    return at
  }

  private hasOthers(): boolean {
    const { attributes, name } = this.state
    const known = Object.keys(this.roles)
    return (
      !known.some((attribute) => attribute.startsWith(name)) ||
      [...attributes.keys()].some((attribute) => !known.includes(attribute))
    )
  }

  private apply(call: Call): boolean {
    const { roles, options } = this
    const { attributes, repeated } = this.state
    for (const [attribute, role] of Object.entries(roles)) {
      const value = attributes.get(attribute)
      if (value === undefined) {
        if (options.optional?.includes(attribute)) continue
        return false
      }
      if (role === 'is-string') call.textArguments.typed(value === 'false' ? 'json' : 'string')
      else if (role === 'type') call.textArguments.typed(value === 'string' ? 'string' : 'json')
      else if (role !== 'index' && (value === '' || !call.word(role, value))) return false
    }
    if (options.others === 'arguments')
      for (const [attribute, value] of attributes)
        if (!Object.hasOwn(roles, attribute)) call.textArguments.argumentText(attribute, value)
    if (options.others === undefined && Object.values(roles).includes('name')) this.refuseArguments(call)
    if (repeated !== null)
      call.fail('duplicate-key', `The attribute '${repeated}' appears twice.`, call.origin)
    if (options.isError) call.s.isError = true
    return true
  }

  /** Attributes beside the name mean nothing; but one that is named like an argument would be an argument left out. */
  private refuseArguments(call: Call): void {
    const tool = call.host.settings.tools.get(call.name)
    for (const attribute of this.state.attributes.keys())
      if (!Object.hasOwn(this.roles, attribute) && toolArgument(tool, attribute).schema !== undefined)
        refuseAttribute(attribute, call)
  }

  end(): void {}
}

/** An argument would be left out. */
export function refuseAttribute(attribute: string, call: Call): void {
  call.fail(
    'unknown-key',
    `The argument '${attribute}' is an attribute, which this format does not read.`,
    call.origin,
  )
}

/** An opening tag by its exact name, or names; the first is written. */
export function tag(
  names: string | readonly [string, ...string[]],
  roles: TagRoles = {},
  options: TagOptions = {},
): Template {
  checkOptions(options, KNOWN, 'option of a tag')
  if (options.others !== undefined && !['arguments', 'none'].includes(options.others))
    throw new SluiceError(
      'invalid-option',
      `'others' must be 'arguments' or 'none', not ${shown(options.others)}.`,
    )
  const { brackets = XML } = options
  const { close, before } = brackets
  checkOption('open', brackets.open, 'list')
  checkOption('close', close, 'string')
  if (brackets.open.length === 0 || close === '')
    throw new SluiceError(
      'invalid-option',
      "'brackets' must have a list of opening brackets and a closing bracket; write { open: ['['], close: ']' }.",
    )
  const all = typeof names === 'string' ? [names] : names
  const begin = `${brackets.open[0]}${all[0]}`
  const type: ReaderType<TagState> = {
    name: 'tag',
    first: '',
    namesCall: false,
    textArguments: TextArguments,
    ...(begin[0] === '<' && close === '>' && { plain: plainElement }),
    shape: TAG,
    create: ({ limits }, state = openTag({ limit: limits.tag, close, ...(before && { before }) })) =>
      new AttributesReader(state, roles, options),
    render(call) {
      const attributes = writtenAttributes(call, roles, options)
      return attributes && begin + renderAttributes(attributes) + close
    },
    attributes: roles,
    optionalAttributes: options.optional ?? [],
    writesOthers: options.others === 'arguments',
    show: `${begin}${Object.entries(roles)
      .map(([attribute, role]) => ` ${attribute}="\${${role}}"`)
      .join('')}${close}`,
  }
  const header = Object.values(roles).some((role) => role === 'name' || role === 'id')
  return new Template([tagNode(all, type, header, brackets)])
}

/** The part of a template that a tag is. Its name is exact: whitespace must follow it, or the end of the tag. */
export function tagNode(
  names: readonly string[],
  type: ReaderType,
  header: boolean,
  { open, close }: TagBrackets = XML,
): Node {
  const ends = [close[0], ' ', '\n', '\t', '\r', ...(close === '>' ? ['/'] : [])]
  const forms = open.flatMap((bracket) => names.flatMap((name) => ends.map((end) => bracket + name + end)))
  const closers = names.map((name) => `${open[0]}/${name}`)
  return { kind: 'tag', names, forms, closers, type, header }
}

/** Undefined if one is missing that must be there. */
function writtenAttributes(
  call: RenderedCall,
  roles: TagRoles,
  { optional, others }: TagOptions,
): [string, string][] | undefined {
  const written: [string, string][] = []
  for (const [attribute, role] of Object.entries(roles)) {
    const mayBeMissing = optional?.includes(attribute)
    const value = writtenAs(role, call, mayBeMissing)
    if (value !== undefined) written.push([attribute, value])
    else if (!mayBeMissing) return undefined
  }
  if (others === 'arguments')
    for (const [key, value] of argumentsOf(call.input))
      written.push([key, typeof value === 'string' ? value : JSON.stringify(value)])
  return written
}

function writtenAs(
  role: AttributeRole,
  { word, argument, position = 0 }: RenderedCall,
  mayBeMissing = false,
): string | undefined {
  const value = argument?.[1]
  switch (role) {
    case 'is-string':
      return String(typeof value === 'string')
    case 'type':
      return value === null ? 'null' : Array.isArray(value) ? 'array' : typeof value
    case 'index':
      return String(position + 1)
    default:
      return mayBeMissing ? word?.(role, true) : word?.(role)
  }
}

/** Writes a tag's attributes. */
export function renderAttributes(attributes: Iterable<readonly [string, string]>): string {
  return [...attributes].map(([attribute, value]) => ` ${attribute}="${escapeAttribute(value)}"`).join('')
}
