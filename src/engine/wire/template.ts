/**
 * The template language: a template looks like the format that it parses and writes.
 *
 *     wire`<tool_call>
 *       ${object({ name: ['name'], arguments: ['arguments'] })}
 *       ${closer`</tool_call>`}`
 *
 * A newline in a template, with the indentation around it, is optional whitespace. Everything else
 * that is not a placeholder is literal.
 */

import { SluiceError } from '../../base/errors.ts'
import type { WordSplit } from '../calls/call.ts'
import { type OpenValueOptions, TextArguments } from '../calls/text-arguments.ts'
import type { ReaderType } from './reader.ts'

export type { WordSplit }

/** What a word is. It ends at whitespace, `<`, `>` or the first character of what follows it in the template. */
export type WordRole = 'name' | 'id' | 'key'

/** What `perTool` gets of a tool. */
export interface ToolOnTheWire {
  readonly name: string
  /** The argument that streams, for formats that write it as the body of a tag. */
  readonly streams?: string | undefined
}

export type Node =
  /** One of several spellings; the first is written. `back`: the number of characters at its end that are only looked at. */
  | { readonly kind: 'literal'; readonly forms: readonly string[]; readonly back?: number }
  /** Any amount of whitespace, or none; `written` is what is put there. */
  | { readonly kind: 'space'; readonly written: string }
  /**
   * One line break that belongs to the markup, if it is there. Always written, so nothing is lost. With one on either
   * side of a value, both are markup where both stand; otherwise the value keeps its line break.
   */
  | { readonly kind: 'newline' }
  /** `isInTag`: it is the rest of a tag's name. `isFree`: it may hold any character. */
  | {
      readonly kind: 'word'
      readonly role: WordRole
      readonly split?: WordSplit
      readonly isInTag?: boolean
      readonly isFree?: boolean
    }
  /** In the place of a name: the wire gives none. */
  | { readonly kind: 'unnamed' }
  /** An argument's value: everything up to what follows is the value's own text. */
  | { readonly kind: 'value'; readonly options: ValueOptions; readonly textArguments: typeof TextArguments }
  /** The text of reasoning or of a result. */
  | { readonly kind: 'text' }
  /** Text that means nothing here, up to what follows. */
  | { readonly kind: 'skip' }
  | { readonly kind: 'reader'; readonly type: ReaderType }
  | {
      readonly kind: 'each'
      readonly body: readonly Node[]
      readonly separator: readonly Node[]
      readonly atLeastOne: boolean
      /** The separator may also stand behind the last. */
      readonly mayTrail?: boolean
    }
  /** `isInside`: at the end of a call it is part of it, and the call is over behind it. */
  | { readonly kind: 'optional'; readonly body: readonly Node[]; readonly isInside?: boolean }
  /** An opening marker around calls that may be missing, if the tool is known; its absence is reported. */
  | { readonly kind: 'wrapper'; readonly body: readonly Node[] }
  /** May be there although it should not, any number of times; its presence is reported with this code. */
  | { readonly kind: 'extra'; readonly body: readonly Node[]; readonly code: ExtraCode }
  /** Another call of the same form, although nothing marks it; its presence is reported. */
  | { readonly kind: 'again'; readonly body: readonly Node[] }
  /** Written like this, it is reported with this code. A call is a guess then. */
  | { readonly kind: 'reported'; readonly code: ReportedCode }
  /** May be missing; its absence is reported. */
  | { readonly kind: 'closer'; readonly body: readonly Node[] }
  | { readonly kind: 'either'; readonly choices: readonly (readonly Node[])[] }
  /** An opening tag: its name exactly, then attributes, read by `type`. */
  | {
      readonly kind: 'tag'
      readonly names: readonly string[]
      /** How it can begin: up to the character that ends its name, which the reader sees, too. */
      readonly forms: readonly string[]
      /** How what closes it begins. A tag that closes itself leads behind that. */
      readonly closers: readonly string[]
      readonly type: ReaderType
      readonly header: boolean
    }
  /** One way of writing per tool that was given, because the tool's name is part of the markup. */
  | { readonly kind: 'per-tool'; readonly make: (tool: ToolOnTheWire) => Template }

/** What something that should not be there is: the opener once more, or markup that belongs to nothing. */
export type ExtraCode = 'repeated-opener' | 'stray-markup'

/** How something is written that is not as its format has it. */
export type ReportedCode =
  | 'empty-arguments'
  | 'missing-opener'
  | 'missing-token'
  | 'stray-markup'
  | 'stripped-tokens'

export interface ValueOptions extends OpenValueOptions {
  /** Read `<![CDATA[…]]>` as the text inside it. */
  readonly cdata?: boolean
}

/** What `wire` returns: the parts of a format, in order. */
export class Template {
  readonly nodes: readonly Node[]

  constructor(nodes: readonly Node[]) {
    this.nodes = nodes
  }
}

type Placeholder = Node | Template | string

/** The text of a tagged template, or the first argument of a plain call. */
type Strings = TemplateStringsArray | Placeholder

/**
 * A template: literal text with placeholders.
 *
 *     wire`<call ${name}>${args}</call>`
 */
export function wire(strings: Strings, ...placeholders: Placeholder[]): Template {
  const nodes: Node[] = []
  const isTagged = Array.isArray(strings)
  const parts = isTagged ? placeholders : [strings as Placeholder, ...placeholders]
  const texts: readonly string[] = isTagged ? strings : parts.map(() => '')
  texts.forEach((string, index) => {
    pushWire(nodes, string)
    const placeholder = parts[index]
    if (index === parts.length) return
    if (typeof placeholder === 'string') pushLiteral(nodes, placeholder)
    else if (placeholder instanceof Template) nodes.push(...placeholder.nodes)
    else if (placeholder?.kind) nodes.push(placeholder)
    else
      throw new SluiceError(
        'invalid-template',
        `A template takes strings, templates and placeholders such as \`name\`, not ${String(placeholder).split('(')[0]} after ${JSON.stringify(string.slice(-20))}.`,
      )
  })
  return new Template(nodes)
}

function pushWire(nodes: Node[], text: string): void {
  // A run of whitespace that holds a line break is layout; a plain space is the wire's own.
  for (const piece of text.split(/(\s*\n\s*)/))
    if (!piece.includes('\n')) pushLiteral(nodes, piece)
    else if (nodes.at(-1)?.kind !== 'space') nodes.push({ kind: 'space', written: '\n' })
}

function pushLiteral(nodes: Node[], text: string): void {
  if (text === '') return
  const last = nodes.at(-1)
  const isJoined = last?.kind === 'literal' && last.forms.length === 1 && !last.back
  if (isJoined) nodes.pop()
  nodes.push({ kind: 'literal', forms: [isJoined ? last.forms[0] + text : text] })
}

// ── placeholders ─────────────────────────────────────────────────────────────────────────────────

/** The tool's name. */
export const name: Node = { kind: 'word', role: 'name' }
/**
 * The name in a tag, `<function=ls>`, without the whitespace and quotes around it and the slash of a self-closing tag.
 */
export const nameInTag: Node = { kind: 'word', role: 'name', isInTag: true }
/** The call's id. */
export const id: Node = { kind: 'word', role: 'id' }
/** An argument's key. */
export const key: Node = { kind: 'word', role: 'key' }
/** The key in a tag, `<parameter=path>`, without the whitespace and quotes around it. */
export const keyInTag: Node = { kind: 'word', role: 'key', isInTag: true }
/** A key that may hold any character: it ends where a marker begins that can follow it, or at a line break. */
export const freeKey: Node = { kind: 'word', role: 'key', isFree: true }
/**
 * A call without a name. If there is only one tool, the call is taken for one of that tool, as a guess; otherwise it is
 * invalid.
 */
export const unnamed: Node = { kind: 'unnamed' }
/** An argument's value, up to its closing marker. */
export const value: Node = { kind: 'value', options: {}, textArguments: TextArguments }
/** The text of reasoning or of a result. */
export const text: Node = { kind: 'text' }
/** Ignored text, up to the next literal. */
export const skip: Node = { kind: 'skip' }
/** One line break next to a value that is markup, if it is there. */
export const newline: Node = { kind: 'newline' }
/** Optional whitespace, without a line break in the template. */
export const space: Node = { kind: 'space', written: '' }

/** An argument's value, with options. */
export function valueWith(options: ValueOptions): Node {
  return { kind: 'value', options, textArguments: TextArguments }
}

/** An id that contains the tool's name, as in `functions.ls:0`: `idWithName('functions.', ':')`. A number alone contains none. */
export function idWithName(prefix: string, suffix: string): Node {
  const nameIn = (word: string): string => {
    const end = word.lastIndexOf(suffix)
    const isNumbered = /^\d+$/.test(word.slice(end === -1 ? 0 : end + suffix.length))
    if (isNumbered && end === -1) return ''
    return word.slice(word.startsWith(prefix) ? prefix.length : 0, isNumbered ? end : word.length)
  }
  return { kind: 'word', role: 'id', split: { prefix, suffix, nameIn } }
}

/** Alternative spellings of a marker; `render` writes the first. */
export function literal(...forms: [string, ...string[]]): Node {
  return { kind: 'literal', forms }
}

/** A marker that counts only before one of these characters, which are read after it: `ahead('[', '{ ')`. */
export function ahead(marker: string | readonly string[], characters: string): Node {
  const forms = [marker].flat().flatMap((form) => [...characters].map((next) => form + next))
  return { kind: 'literal', forms, back: 1 }
}

/** A repeated part, any number of times; around whole calls, at least once. */
export function each(strings: Strings, ...placeholders: Placeholder[]): Node {
  return { kind: 'each', body: wire(strings, ...placeholders).nodes, separator: [], atLeastOne: false }
}

/** A part that is repeated at least once, with a separator. */
export function list(body: Placeholder, separator: string | Template = ','): Node {
  const after: Node = { kind: 'space', written: ' ' }
  const between = typeof separator === 'string' ? wire`${space}${separator}${after}` : separator
  return { kind: 'each', body: nodesOf(body), separator: between.nodes, atLeastOne: true }
}

/** The same, and the separator may also stand behind the last, as Python has it: `[f(), g(),]`. */
export function listWithTrailing(body: Placeholder, separator: string | Template = ','): Node {
  return { ...list(body, separator), mayTrail: true } as Node
}

/** An optional part. */
export function optional(strings: Strings, ...placeholders: Placeholder[]): Node {
  return { kind: 'optional', body: wire(strings, ...placeholders).nodes }
}

/** An opening marker around calls that models forget. Without it, a call must name one of the `tools`, if there are any. */
export function wrapper(strings: Strings, ...placeholders: Placeholder[]): Node {
  return { kind: 'wrapper', body: wire(strings, ...placeholders).nodes }
}

/** Markup that models repeat: skipped and reported as `repeated-opener`. */
export function extra(strings: Strings, ...placeholders: Placeholder[]): Node {
  return { kind: 'extra', body: wire(strings, ...placeholders).nodes, code: 'repeated-opener' }
}

/**
 * Text that models wrongly write after a call, such as an extra bracket: skipped and reported as `stray-markup`. If a
 * bracket directly follows the call's own, the call is a guess, unless it is one brace and the call's closer follows.
 */
export function stray(strings: Strings, ...placeholders: Placeholder[]): Node {
  return { kind: 'extra', body: wire(strings, ...placeholders).nodes, code: 'stray-markup' }
}

/**
 * After a call: more calls of this form between the markers of one. They are reported, and must name one of the `tools`,
 * if there are any.
 */
export function again(strings: Strings, ...placeholders: Placeholder[]): Node {
  return { kind: 'again', body: wire(strings, ...placeholders).nodes }
}

/**
 * Reports a deviation from the format with this code, and gives the call a repair of the class `guess`; for
 * `empty-arguments`, where nothing can be lost, `lossless`.
 */
export function reported(code: ReportedCode): Node {
  return { kind: 'reported', code }
}

/** A closing marker that models forget. If it is missing, `missing-closer` is reported. */
export function closer(strings: Strings, ...placeholders: Placeholder[]): Node {
  return { kind: 'closer', body: wire(strings, ...placeholders).nodes }
}

/** Alternatives; they must begin differently. */
export function either(...choices: Placeholder[]): Node {
  return { kind: 'either', choices: choices.map(nodesOf) }
}

/** One template for each of the `tools`, for formats in which the tool's name is the markup. */
export function perTool(make: (tool: ToolOnTheWire) => Template): Node {
  return { kind: 'per-tool', make }
}

function nodesOf(body: Placeholder): readonly Node[] {
  return wire`${body}`.nodes
}

/** The parts inside a part; several lists where one of them is chosen. */
export function insideOf(node: Node): readonly (readonly Node[])[] {
  if (node.kind === 'either') return node.choices
  return 'body' in node ? [node.body] : []
}

/** Does one of these parts depend on the tools? */
export function isPerTool(nodes: readonly Node[]): boolean {
  return nodes.some((node) => node.kind === 'per-tool' || insideOf(node).some(isPerTool))
}

// ── showing a template ───────────────────────────────────────────────────────────────────────────

/** The template as a person would write it, for messages and documentation. */
export function showTemplate(nodes: readonly Node[]): string {
  return nodes.map(showNode).join('')
}

function showNode(node: Node): string {
  switch (node.kind) {
    case 'literal':
      return node.forms[0]?.slice(0, node.back && -node.back) ?? ''
    case 'space':
      return node.written === '\n' ? '\n' : '${space}'
    case 'word':
      return `\${${node.split ? `idWithName('${node.split.prefix}', '${node.split.suffix}')` : node.role}}`
    case 'reported':
      return `\${reported('${node.code}')}`
    case 'reader':
    case 'tag':
      return node.type.show ?? `\${${node.type.name}}`
    case 'each': {
      const separator = showTemplate(node.separator.filter(({ kind }) => kind !== 'space'))
      if (separator !== '') return `\${list(${showTemplate(node.body)}, '${separator}')}`
      break
    }
    case 'per-tool':
      return showTemplate(node.make({ name: '${name}', streams: '…' }).nodes)
    case 'either':
      return `\${either(${node.choices.map((choice) => `\`${showTemplate(choice)}\``).join(', ')})}`
  }
  const name = node.kind === 'extra' && node.code === 'stray-markup' ? 'stray' : node.kind
  return 'body' in node ? `\${${name}\`${showTemplate(node.body)}\`}` : `\${${name}}`
}
