/**
 * Elements in a complete text, as a tree.
 *
 *     <edit><path>a.ts</path><line>3</line></edit>
 *
 * Made for what models write, not for documents: a `<` that opens nothing is text, an element that is
 * never closed is text, and so is a closer without an opener. Each of these is reported.
 */

import { checkText } from '../../base/errors.ts'
import { DEFAULT_LIMITS } from '../../base/limits.ts'
import { checkOptions, type KnownOptions } from '../../base/options.ts'
import { CDATA, CDATA_END } from './cdata.ts'
import { decodeEntities } from './entities.ts'
import { openTag, readTag } from './opening-tag.ts'

/** Text between elements. */
export interface XmlText {
  readonly type: 'text'
  readonly text: string
}

/** An element with its attributes and children. */
export interface XmlElement {
  readonly type: 'element'
  readonly name: string
  readonly attributes: readonly (readonly [name: string, value: string])[]
  readonly children: readonly XmlNode[]
  /** Everything between its tags, as it is written. */
  readonly inner: string
  /** Where its tag opens. */
  readonly offset: number
}

/** An element, or text. */
export type XmlNode = XmlElement | XmlText

/** What is wrong with a text of elements. Stable. */
export type XmlProblemCode =
  | 'stray-closer'
  | 'unclosed-element'
  | 'duplicate-string-tag'
  | 'repeated-key'
  | 'mixed-text'
  | 'ignored-attribute'
  | 'miscased-tag'

/** Something in the text that is not as it should be. Nothing is ever lost without one. */
export interface XmlProblem {
  readonly code: XmlProblemCode
  /** The element it is about. */
  readonly name: string
  readonly offset: number
}

/** Options of `readElements`. */
export interface ReadElementsOptions {
  /** Decode character references in text and attributes, once. Default true. */
  readonly entities?: boolean | undefined
  /** Whether what an element holds is text up to its closer, whatever it looks like. Default: never. */
  readonly isText?: ((element: OpenElement, parent: OpenElement | undefined) => boolean) | undefined
  /** Elements that hold nothing and need no closer, such as `br`. */
  readonly empty?: readonly string[] | undefined
  /** Comments are text. Default: they are left out. */
  readonly comments?: boolean | undefined
  /** Processing instructions, such as `<?php … ?>`, are text. Default: they are left out. */
  readonly instructions?: boolean | undefined
  readonly onProblem?: ((problem: XmlProblem) => void) | undefined
}

const OPTIONS: KnownOptions<ReadElementsOptions> = {
  entities: 'boolean',
  isText: 'function',
  empty: 'list',
  comments: 'boolean',
  instructions: 'boolean',
  onProblem: 'function',
}

/** An element whose opening tag was read. */
export type OpenElement = Pick<XmlElement, 'name' | 'attributes' | 'offset'>

/**
 * Reads all elements and the text around them. Takes time in proportion to the text, and any depth.
 *
 *     readElements('a <b>c</b>')
 *     // [{ type: 'text', text: 'a ' }, { type: 'element', name: 'b', inner: 'c', … }]
 */
export function readElements(xml: string, options: ReadElementsOptions = {}): XmlNode[] {
  checkText(xml, 'Elements are read from')
  checkOptions(options, OPTIONS)
  return new TreeReader(xml, options).read()
}

interface MutableElement {
  readonly type: 'element'
  readonly name: string
  readonly attributes: readonly (readonly [name: string, value: string])[]
  readonly children: XmlNode[]
  inner: string
  readonly offset: number
}

class TreeReader {
  private readonly xml: string
  private readonly options: ReadElementsOptions
  private readonly entities: boolean
  private readonly nodes: XmlNode[] = []
  private readonly open: { readonly element: MutableElement; readonly innerStart: number }[] = []
  /** How many elements of a name are open. */
  private readonly openNames = new Map<string, number>()
  /** Where each name is closed for the last time: an element that opens after that is never closed. */
  private readonly lastClosers: ReadonlyMap<string, number>
  private at = 0
  private textStart = 0
  /** Texts that were looked for and are not in the rest; looking again each time would be quadratic. */
  private readonly absent = new Set<string>()

  constructor(xml: string, options: ReadElementsOptions) {
    this.xml = xml
    this.options = options
    this.entities = options.entities ?? true
    this.lastClosers = findLastClosers(xml)
  }

  read(): XmlNode[] {
    for (;;) {
      const bracket = this.xml.indexOf('<', this.at)
      if (bracket === -1) break
      this.at = this.readMarkup(bracket) ?? bracket + 1
    }
    this.flushText(this.xml.length)
    while (this.open.length > 0) this.closeUnclosed(this.xml.length)
    return this.nodes
  }

  /** Reads what starts with this bracket and says where it ends; undefined when it is only text. */
  private readMarkup(bracket: number): number | undefined {
    switch (this.xml[bracket + 1]) {
      case '/':
        return this.readCloser(bracket)
      case '!':
        return this.skip(bracket, '<!--', '-->', this.options.comments) ?? this.readCdata(bracket)
      case '?':
        return this.skip(bracket, '<?', '?>', this.options.instructions)
      default:
        return this.readOpener(bracket)
    }
  }

  private get children(): XmlNode[] {
    return this.open.at(-1)?.element.children ?? this.nodes
  }

  private flushText(end: number): void {
    if (end > this.textStart) {
      const text = this.xml.slice(this.textStart, end)
      this.children.push({ type: 'text', text: this.entities ? decodeEntities(text) : text })
    }
  }

  private report(code: XmlProblemCode, name: string, offset: number): void {
    this.options.onProblem?.({ code, name, offset })
  }

  private find(text: string, from: number): number {
    if (this.absent.has(text)) return -1
    const found = this.xml.indexOf(text, from)
    if (found === -1) this.absent.add(text)
    return found
  }

  // ── comments and CDATA ─────────────────────────────────────────────────────────────────────────

  private skip(bracket: number, opener: string, closer: string, isText = false): number | undefined {
    if (!this.xml.startsWith(opener, bracket)) return undefined
    const end = this.find(closer, bracket + opener.length)
    if (end === -1) return undefined
    if (isText) return end + closer.length
    this.flushText(bracket)
    this.textStart = end + closer.length
    return this.textStart
  }

  private readCdata(bracket: number): number | undefined {
    const end = this.endOfCdata(bracket)
    if (end === undefined) return undefined
    this.flushText(bracket)
    if (end - bracket > CDATA.length + CDATA_END.length)
      this.children.push({
        type: 'text',
        text: this.xml.slice(bracket + CDATA.length, end - CDATA_END.length),
      })
    this.textStart = end
    return end
  }

  private endOfCdata(bracket: number): number | undefined {
    if (!this.xml.startsWith(CDATA, bracket)) return undefined
    const end = this.find(CDATA_END, bracket + CDATA.length)
    return end === -1 ? undefined : end + CDATA_END.length
  }

  // ── tags ───────────────────────────────────────────────────────────────────────────────────────

  private readOpener(bracket: number): number | undefined {
    const tag = openerAt(this.xml, bracket, this.entities)
    if (tag === undefined) return undefined
    const isEmpty = tag.isSelfClosing || this.options.empty?.includes(tag.name) === true
    const isClosed = isEmpty || (this.lastClosers.get(tag.name) ?? -1) >= tag.end
    if (!isClosed) {
      this.report('unclosed-element', tag.name, bracket)
      return undefined
    }
    this.flushText(bracket)
    const { name, attributes } = tag
    const element: MutableElement = {
      type: 'element',
      name,
      attributes,
      children: [],
      inner: '',
      offset: bracket,
    }
    const parent = this.open.at(-1)?.element
    this.children.push(element)
    this.textStart = tag.end
    if (isEmpty) return tag.end
    if (this.options.isText?.(element, parent) === true) return this.readTextElement(element, tag.end)
    this.open.push({ element, innerStart: tag.end })
    this.openNames.set(name, (this.openNames.get(name) ?? 0) + 1)
    return tag.end
  }

  /** Its text goes up to its own closer; elements of the same name inside it are balanced. */
  private readTextElement(element: MutableElement, innerStart: number): number {
    const last = this.lastClosers.get(element.name)!
    let depth = 1
    let at = innerStart
    while (at < last) {
      const bracket = this.xml.indexOf('<', at)
      if (bracket >= last) break
      at = bracket + 1
      const closer = readCloser(this.xml, bracket)
      if (closer?.name === element.name && --depth === 0)
        return this.endTextElement(element, innerStart, bracket)
      if (closer !== undefined) continue
      const tag = this.xml.startsWith(element.name, bracket + 1)
        ? openerAt(this.xml, bracket, false)
        : undefined
      if (tag?.name === element.name && !tag.isSelfClosing) depth++
      at = this.endOfCdata(bracket) ?? at
    }
    if (depth > 1) this.report('unclosed-element', element.name, element.offset)
    return this.endTextElement(element, innerStart, last)
  }

  private endTextElement(element: MutableElement, innerStart: number, innerEnd: number): number {
    element.inner = this.xml.slice(innerStart, innerEnd)
    if (innerEnd > innerStart)
      element.children.push({
        type: 'text',
        text: this.entities ? decodeEntities(element.inner) : element.inner,
      })
    this.textStart = readCloser(this.xml, innerEnd)!.end
    return this.textStart
  }

  private readCloser(bracket: number): number | undefined {
    const closer = readCloser(this.xml, bracket)
    if (closer === undefined) return undefined
    if ((this.openNames.get(closer.name) ?? 0) === 0) {
      this.report('stray-closer', closer.name, bracket)
      return undefined
    }
    this.flushText(bracket)
    while (this.open.at(-1)!.element.name !== closer.name) this.closeUnclosed(bracket)
    this.close(bracket)
    this.textStart = closer.end
    return closer.end
  }

  private closeUnclosed(innerEnd: number): void {
    const { name, offset } = this.open.at(-1)!.element
    this.report('unclosed-element', name, offset)
    this.close(innerEnd)
  }

  private close(innerEnd: number): void {
    const { element, innerStart } = this.open.pop()!
    element.inner = this.xml.slice(innerStart, innerEnd)
    this.openNames.set(element.name, this.openNames.get(element.name)! - 1)
  }
}

function findLastClosers(xml: string): Map<string, number> {
  const closers = new Map<string, number>()
  for (let at = xml.indexOf('</'); at !== -1; at = xml.indexOf('</', at + 2)) {
    const closer = readCloser(xml, at)
    if (closer !== undefined) closers.set(closer.name, at)
  }
  return closers
}

interface Tag {
  readonly name: string
  readonly attributes: readonly (readonly [name: string, value: string])[]
  readonly isSelfClosing: boolean
  readonly end: number
}

function openerAt(xml: string, bracket: number, entities: boolean): Tag | undefined {
  const nameEnd = endOfName(xml, bracket + 1)
  if (nameEnd === bracket + 1) return undefined
  const tag = openTag({ limit: DEFAULT_LIMITS.tag, entities })
  const end = readTag(tag, xml, nameEnd, xml.length)
  if (tag.status !== 'done') return undefined
  const attributes = [...tag.attributes]
  return { name: xml.slice(bracket + 1, nameEnd), attributes, isSelfClosing: tag.selfClosing, end }
}

/** `</name>`, with space allowed inside. */
function readCloser(
  xml: string,
  bracket: number,
): { readonly name: string; readonly end: number } | undefined {
  if (xml[bracket + 1] !== '/') return undefined
  const nameStart = skipSpace(xml, bracket + 2)
  const nameEnd = endOfName(xml, nameStart)
  const end = skipSpace(xml, nameEnd)
  if (nameEnd === nameStart || xml[end] !== '>') return undefined
  return { name: xml.slice(nameStart, nameEnd), end: end + 1 }
}

/** The name of the opener or closer that this bracket may begin. */
export function tagNameAt(xml: string, bracket: number): string {
  const from = xml[bracket + 1] === '/' ? skipSpace(xml, bracket + 2) : bracket + 1
  return xml.slice(from, endOfName(xml, from))
}

function skipSpace(xml: string, from: number): number {
  let at = from
  while (at < xml.length && SPACE.includes(xml[at]!)) at++
  return at
}

const SPACE = ' \n\t\r\f'
/** What no name of an element has. */
export const NOT_IN_NAMES = `${SPACE}<>/="'&!?`

/** Whether a key can be the name of an element. */
export function isElementName(key: string): boolean {
  return key !== '' && endOfName(key, 0) === key.length
}

function endOfName(xml: string, from: number): number {
  let at = from
  while (at < xml.length && !NOT_IN_NAMES.includes(xml[at]!)) at++
  return at
}
