/**
 * An opening tag whose attributes say something about the call.
 *
 *     <invoke name="get_weather">
 *     <parameter name="days" string="false">
 */

import type { Call } from '../calls/call.ts'
import { TextArguments } from '../calls/text-arguments.ts'
import { SluiceError } from '../errors.ts'
import { checkOptions, type KnownOptions, shown } from '../options.ts'
import { escapeAttribute } from '../xml/entities.ts'
import { TagReader, type TagReaderState } from '../xml/tag.ts'
import type { Reader, ReaderType, RenderedCall } from './reader.ts'
import { type Node, Template } from './template.ts'

/**
 * What an attribute gives: the call's name or id, an argument's key, or whether the argument's value is a
 * string (`true`) or JSON (`false`).
 */
export type AttributeRole = 'name' | 'id' | 'key' | 'is-string'

export interface TagOptions {
  /** Every attribute without a role is an argument of the call. */
  readonly others?: 'arguments'
  /** Attributes that need not be there. */
  readonly optional?: readonly string[]
  /** What follows is a result that reports a failure. */
  readonly isError?: boolean
}

const KNOWN: KnownOptions<TagOptions> = { others: 'any', optional: 'list', isError: 'boolean' }

export type TagRoles = Readonly<Record<string, AttributeRole>>

class AttributesReader implements Reader {
  status: Reader['status'] = 'open'
  private readonly tag: TagReader
  private readonly roles: TagRoles
  private readonly options: TagOptions

  constructor(tag: TagReader, roles: TagRoles, options: TagOptions) {
    this.tag = tag
    this.roles = roles
    this.options = options
  }

  get selfClosing(): boolean {
    return this.tag.selfClosing
  }

  read(text: string, from: number, to: number, call: Call): number {
    const at = this.tag.read(text, from, to)
    this.status = this.tag.status
    if (this.tag.isTooLong)
      call.limitReached(`A tag may have ${call.limits.tag} characters.`, call.offsetOf(at))
    if (this.status === 'done' && !this.apply(call)) this.status = 'failed'
    return at
  }

  private apply(call: Call): boolean {
    const { roles, options } = this
    const given = new Map(this.tag.attributes)
    for (const [attribute, role] of Object.entries(roles)) {
      const value = given.get(attribute)
      if (value === undefined) {
        if (options.optional?.includes(attribute)) continue
        return false
      }
      if (role === 'is-string') call.textArguments.typed(value === 'false' ? 'json' : 'string')
      else if (value === '' || !call.word(role, value)) return false
    }
    if (options.others === 'arguments')
      for (const [attribute, value] of given)
        if (!Object.hasOwn(roles, attribute)) call.textArguments.argumentText(attribute, value)
    if (this.tag.repeated !== undefined && options.others === 'arguments')
      call.fail('duplicate-key', `The attribute '${this.tag.repeated}' is there twice.`, call.origin)
    if (options.isError) call.isError = true
    return true
  }

  end(): void {}

  save(): TagReaderState {
    return this.tag.save()
  }
}

/** An opening tag by its exact name, or names; the first is the one that is written. */
export function tag(
  names: string | readonly [string, ...string[]],
  roles: TagRoles = {},
  options: TagOptions = {},
): Template {
  checkOptions(options, KNOWN, 'option of a tag')
  if (options.others !== undefined && options.others !== 'arguments')
    throw new SluiceError('invalid-option', `'others' is 'arguments', not ${shown(options.others)}.`)
  const type: ReaderType = {
    name: 'tag',
    first: '',
    namesCall: false,
    textArguments: TextArguments,
    create: ({ limits }) => new AttributesReader(new TagReader({ limit: limits.tag }), roles, options),
    restore: (saved) => new AttributesReader(TagReader.restore(saved as TagReaderState), roles, options),
    render(call) {
      const attributes = writtenAttributes(call, roles, options)
      return attributes && `<${typeof names === 'string' ? names : names[0]}${renderAttributes(attributes)}>`
    },
    attributes: roles,
    optionalAttributes: options.optional ?? [],
    writesOthers: options.others === 'arguments',
    show: Object.entries(roles)
      .map(([attribute, role]) => ` ${attribute}="\${${role}}"`)
      .join(''),
  }
  const header = Object.values(roles).some((role) => role === 'name' || role === 'id')
  const node: Node = { kind: 'tag', names: typeof names === 'string' ? [names] : names, type, header }
  return new Template([node])
}

/** Undefined if one is missing that must be there. */
function writtenAttributes(
  { input, word }: RenderedCall,
  roles: TagRoles,
  { optional, others }: TagOptions,
): [string, string][] | undefined {
  const written: [string, string][] = []
  for (const [attribute, role] of Object.entries(roles)) {
    const mayBeMissing = optional?.includes(attribute)
    const value = mayBeMissing ? word?.(role, true) : word?.(role)
    if (value !== undefined) written.push([attribute, value])
    else if (!mayBeMissing) return undefined
  }
  if (others === 'arguments' && input !== null && typeof input === 'object')
    for (const [key, value] of Object.entries(input))
      written.push([key, typeof value === 'string' ? value : JSON.stringify(value)])
  return written
}

/** Writes a tag's attributes. */
export function renderAttributes(attributes: Iterable<readonly [string, string]>): string {
  return [...attributes].map(([attribute, value]) => ` ${attribute}="${escapeAttribute(value)}"`).join('')
}
