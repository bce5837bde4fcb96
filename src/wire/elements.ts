/**
 * Arguments as elements: the tag is the argument's name, or carries it in an attribute.
 *
 *     <get_weather><city>Paris</city><days>2</days></get_weather>
 *     <tool name="get_weather"><arguments><arg name="city">Paris</arg></arguments></tool>
 *     ~<get_weather>~<city>Paris~</city>~</get_weather>                with a prefix before every tag
 *
 * An argument whose schema is exactly a string passes as it comes; its inside is text, whatever it holds.
 * Any other is kept until its element closes, or, where more elements of its name could follow and make it
 * a list, until the call does.
 */

import type { Call } from '../calls/call.ts'
import { TextArguments } from '../calls/text-arguments.ts'
import type { JsonValue } from '../event.ts'
import { checkOption, checkOptions, type KnownOptions } from '../options.ts'
import type { JsonSchema } from '../schema/json-schema.ts'
import { isHighSurrogate } from '../surrogates.ts'
import { escapeText } from '../xml/entities.ts'
import { TagReader, type TagReaderState } from '../xml/tag.ts'
import { CDATA, CDATA_END } from '../xml/tree.ts'
import { readValue } from '../xml/value.ts'
import {
  type ElementsOptions,
  renderArguments,
  type StreamedElement,
  type StreamedElements,
} from './elements-syntax.ts'
import { type FastPath, ValueFastPath } from './fast-path.ts'
import { Literals } from './literals.ts'
import type { Reader, ReaderSettings, ReaderType } from './reader.ts'
import type { Node } from './template.ts'
import type { TentativeShape, TentativeState, TentativeText } from './tentative-text.ts'
import { type UntilState, until, untilStart } from './until.ts'

const KNOWN: KnownOptions<ElementsOptions> = {
  nameAttribute: 'string',
  wrapper: 'string',
  numbers: 'boolean',
  strings: 'boolean',
  trimmed: 'boolean',
  prefix: 'string',
  once: 'boolean',
}

const ANYWHERE = { anchored: false, ignoreCase: false }

interface Syntax {
  readonly close: string
  readonly options: ElementsOptions
  readonly streams: StreamedElements | undefined
  /** Made once, when it is needed. */
  openers(): Literals
  /** What ends a string in an element of this name: its own closer, or that of the call where its own is missing. */
  closersOf(name: string, isLined: boolean): Literals
}

/** So many names are remembered with what ends their strings. */
const MOST_NAMES = 64

/** Arguments are an object even where all of them are called `item`, as the parts of a list are. */
export const ARGUMENTS: JsonSchema = { type: 'object' }

/** What begins a comment or a declaration begins no argument, which would never end. */
const NEVER_IN_A_NAME = '<"\'=!?'

type Place =
  | 'between' //    <city>Paris</city>|<days>
  | 'tag' //        <ci|ty>        or </get_|weather>
  | 'attributes' // <arg |name="city">
  | 'string' //     <city>Pa|ris</city>
  | 'content' //    <content>let |a = 1</content>
  | 'other' //      <days>|2</days>
  | 'other-tag' //  <days>2</da|ys>
  | 'cdata' //      <days><![CDATA[</da|ys>]]></days>

interface Saved {
  readonly place: Place
  readonly name: string
  readonly key: string
  readonly held: string
  readonly kept: string
  readonly later: string
  readonly depth: number
  readonly depthOfCall: number
  readonly fresh: boolean
  readonly lined: boolean
  readonly text: UntilState
  readonly given: readonly string[] | null
  readonly hasContent: boolean
  readonly content: TentativeState | null
  readonly tag: TagReaderState | null
}

class ElementsReader implements Reader {
  status: Reader['status'] = 'open'
  private readonly close: string
  private readonly options: ElementsOptions
  private readonly streams: StreamedElements | undefined
  private readonly settings: ReaderSettings
  /** Finds what every tag begins with. */
  private readonly openers: () => Literals
  private readonly closersOf: (name: string, isLined: boolean) => Literals
  private readonly prefix: string
  /** What every tag begins with. */
  private readonly open: string
  private place: Place = 'between'
  /** The open element's name, and the argument it is. */
  private name = ''
  private key = ''
  /** A tag, or a part of one, that is not complete. */
  private held = ''
  /** What closes the open string. */
  private closers: Literals | null = null
  /** The open string, or the text between the tags of another element. */
  private text = untilStart()
  private call: Call | null = null
  /** The source of the open element, and of those that wait for the end of the call. */
  private kept = ''
  private later = ''
  /** How many elements of the open one's name are open inside it, and how many of the call's. */
  private depth = 0
  private depthOfCall = 0
  /** Nothing of the open string was read yet. */
  private fresh = false
  /** A line break stands before the open string, and is markup. */
  private lined = false
  private tag: TagReader | null = null
  /** The argument that is the content, once that is known; and the arguments that attributes gave, which come first. */
  private streamed: StreamedElement | undefined
  private given: readonly string[] | null = null
  private hasContent = false
  private content: TentativeText | null = null
  /** The content of a reader that was restored, and does not know its call yet. */
  private resumed: TentativeState | null = null

  constructor({ close, options, streams, openers, closersOf }: Syntax, settings: ReaderSettings) {
    this.close = close
    this.options = options
    this.streams = streams
    this.openers = openers
    this.closersOf = closersOf
    this.settings = settings
    this.prefix = options.prefix ?? ''
    this.open = `${this.prefix}<`
  }

  read(text: string, from: number, to: number, call: Call): number {
    if (this.call === null) this.begin(call)
    let at = from
    while (at < to && this.status === 'open') {
      const next = this.step(text, at, to, call)
      if (next === -1) this.status = 'failed'
      else at = next
    }
    return at
  }

  private begin(call: Call): void {
    this.call = call
    this.streamed = this.streams?.of(call)
    if (this.streamed === undefined) return
    this.given ??= call.textArguments.keys
    if (this.resumed !== null)
      this.content = this.streams!.text.restore(this.resumed, this.shape(this.streamed))
    this.resumed = null
  }

  /** A string is ended by its closer alone, as the value of a template is by what follows it. */
  get fastPath(): FastPath | null {
    const stops = this.content?.stops
    if (stops && this.call !== null)
      return ValueFastPath.from(untilStart(), stops, this.call.textArguments, false)
    if (this.place === 'other' && this.text.held === '') return { take: (chunk) => this.keeps(chunk) }
    if (this.place !== 'string' || this.fresh || this.call === null) return null
    return ValueFastPath.from(this.text, this.stringClosers(), this.call.textArguments, false)
  }

  /** What closes the open element. */
  private get closer(): string {
    return `</${this.name}>`
  }

  private stringClosers(): Literals {
    this.closers ??= this.closersOf(this.name, this.lined)
    return this.closers
  }

  private step(text: string, at: number, to: number, call: Call): number {
    switch (this.place) {
      case 'between':
        return this.readBetween(text[at]!, at)
      case 'tag':
        return this.readTag(text[at]!, at, call)
      case 'attributes':
        return this.readAttributes(text, at, to, call)
      case 'string':
        return this.readString(text, at, to, call)
      case 'content':
        return this.readContent(text, at, to, call)
      case 'other':
        return this.readOther(text, at, to)
      case 'other-tag':
        return this.readOtherTag(text, at, to, call)
      case 'cdata':
        return this.readCdata(text, at, to)
    }
  }

  private readBetween(character: string, at: number): number {
    const { held, open } = this
    if (character !== open[held.length]) return held === '' && character.trim() === '' ? at + 1 : -1
    this.held += character
    if (this.held === open) {
      this.held = '<'
      this.place = 'tag'
    }
    return at + 1
  }

  private readTag(character: string, at: number, call: Call): number {
    const { held } = this
    const isClosing = held.startsWith('</') || (held === '<' && character === '/')
    if (isClosing) {
      this.held += character
      const inCase = call.style.ignoreCase ? inLowerCase : (tag: string) => tag
      const tag = inCase(this.held)
      const close = inCase(this.close)
      const wrapper = inCase(`</${this.options.wrapper}>`)
      if (tag === close) return this.finish(at, call)
      if (tag === wrapper) return this.goBetween(at)
      return close.startsWith(tag) || wrapper.startsWith(tag) ? at + 1 : -1
    }
    if (character === '>' || character === '/' || character.trim() === '') {
      this.name = held.slice(1)
      if (this.name === '') return -1
      this.held = ''
      this.tag = new TagReader({ limit: this.settings.limits.tag })
      this.kept = `<${this.name}`
      this.place = 'attributes'
      return at
    }
    if (NEVER_IN_A_NAME.includes(character)) return -1
    this.held += character
    return this.held.length > this.settings.limits.name ? -1 : at + 1
  }

  private goBetween(at: number): number {
    this.held = ''
    this.closers = null
    this.kept = ''
    this.place = 'between'
    return at + 1
  }

  private readAttributes(text: string, from: number, to: number, call: Call): number {
    const tag = this.tag!
    const at = tag.read(text, from, to)
    this.kept += text.slice(from, at)
    if (tag.status === 'failed') {
      this.status = 'failed'
      return at
    }
    if (tag.status === 'open') return at
    this.tag = null
    return this.opened(tag, at, call)
  }

  private opened(tag: TagReader, at: number, call: Call): number {
    const { nameAttribute, wrapper } = this.options
    const isWrapper = call.style.ignoreCase
      ? wrapper !== undefined && inLowerCase(this.name) === inLowerCase(wrapper)
      : this.name === wrapper
    if (isWrapper) return this.goBetween(at - 1)
    const named = nameAttribute === undefined ? undefined : new Map(tag.attributes).get(nameAttribute)
    this.key = named ?? this.name
    this.depth = 0
    this.depthOfCall = 0
    if (this.streamed !== undefined) return this.openedStreamed(this.streamed, tag.selfClosing, at, call)
    if (call.textArguments.isText(this.key, this.options.strings ?? false)) {
      const isXml = !this.options.trimmed && this.prefix === ''
      const element = `${this.open}${this.name}`
      call.textArguments.openValue({ key: this.key, entities: isXml, isXml, element })
      this.fresh = true
      if (!tag.selfClosing) this.place = 'string'
      else {
        call.textArguments.closeValue()
        return this.goBetween(at - 1)
      }
    } else if (tag.selfClosing) return this.gotOther(at, call)
    else this.place = 'other'
    return at
  }

  // ── the content ────────────────────────────────────────────────────────────────────────────────

  private openedStreamed(streamed: StreamedElement, isEmpty: boolean, at: number, call: Call): number {
    const { key, entities = false } = streamed
    if (this.key !== key) {
      this.place = 'other'
      return isEmpty ? this.gotOther(at, call) : at
    }
    this.hasContent = true
    // A second element of its name nests nothing: a closer counts by what follows it.
    call.textArguments.openValue({ key, entities })
    this.content = new this.streams!.text(this.shape(streamed))
    this.place = 'content'
    return isEmpty ? this.closeContent(at, call) : at
  }

  private shape({ markers }: StreamedElement): TentativeShape {
    const name = inLowerCase(this.name)
    const { wrapper } = this.options
    const endings = wrapper === undefined ? [this.close] : [`</${wrapper}>`, this.close]
    return {
      close: `</${name}>`,
      end: this.close,
      endings,
      // An argument behind this one is written like it.
      follows: name === 'arg' ? [...endings, '<arg ', '<arg\n', '<arg\t', '<arg\r'] : ['<'],
      markers,
      limit: this.settings.limits.undecided,
    }
  }

  private readContent(text: string, from: number, to: number, call: Call): number {
    const content = this.content!
    const at = content.read(text, from, to, (piece) => call.textArguments.valueText(piece))
    return content.isClosed ? this.closeContent(at, call) : at
  }

  private closeContent(at: number, call: Call): number {
    const { rest, isUnclosed } = this.content!
    this.content = null
    call.textArguments.closeValue()
    if (isUnclosed) call.endsInValue(call.offsetOf(at))
    this.goBetween(at)
    if (rest !== '') this.read(rest, 0, rest.length, call)
    return at
  }

  // ── strings ────────────────────────────────────────────────────────────────────────────────────

  /** A string: text up to its own closer, or the end of the call. */
  private readString(text: string, from: number, to: number, call: Call): number {
    const { trimmed } = this.options
    if (this.fresh) {
      this.fresh = false
      this.lined = trimmed === true && text[from] === '\n'
      if (this.lined) return from + 1
    }
    if (this.closers === null && this.text.held === '') {
      const end = this.endOfString(text, from, to, call)
      if (end !== -1) return this.goBetween(end - 1)
    }
    const closers = this.stringClosers()
    const at = until(this.text, closers, text, from, to, (piece) => call.textArguments.valueText(piece))
    const { found } = this.text
    if (found === -1) return at
    // Every other one is the end of the call; those with a line break come last.
    this.closeString(call, found >= 2, at)
    return found % 2 === 0 ? this.goBetween(at - 1) : this.finishEarly(at - 1, call)
  }

  /** The call ends inside an element that was not closed. */
  private finishEarly(at: number, call: Call): number {
    call.endsInValue(call.offsetOf(at))
    return this.finish(at, call)
  }

  /** `hasBreak`: a line break stands before the closer, which ends at an index of the piece. */
  private closeString(call: Call, hasBreak: boolean, end: number): void {
    const isUnpaired = this.lined && !hasBreak
    call.textArguments.closeValue(isUnpaired ? call.offsetOf(end) - this.closer.length : undefined)
  }

  /** Most strings are short, and end in the piece in which they began. Where it ends, or -1. */
  private endOfString(text: string, from: number, to: number, call: Call): number {
    const closer = this.prefix + this.closer
    const found = text.indexOf(closer, from)
    if (found === -1 || found + closer.length > to) return -1
    // Looked for no further than it matters: behind that it would be found again for every argument.
    if (text.slice(from, found).includes(this.prefix + this.close)) return -1
    const hasBreak = this.lined && found > from && text[found - 1] === '\n'
    const end = hasBreak ? found - 1 : found
    if (end > from) call.textArguments.valueText(text.slice(from, end))
    this.closeString(call, hasBreak, found + closer.length)
    return found + closer.length
  }

  /** Anything else: kept, with the prefixes of tags left out and all that is no tag made sure to be none. */
  private readOther(text: string, from: number, to: number): number {
    const at = until(this.text, this.openers(), text, from, to, (piece) => {
      this.kept += this.prefix === '' ? piece : escapeText(piece)
    })
    if (this.text.found === -1) return at
    this.held = '<'
    this.kept += '<'
    this.place = 'other-tag'
    return at
  }

  /** Keeps a chunk in which no tag begins; false: nothing was done. */
  private keeps(chunk: string): boolean {
    const { length } = chunk
    if (isHighSurrogate(chunk.charCodeAt(length - 1))) return false
    if (this.openers().skip(chunk, 0, length) < length) return false
    this.kept += this.prefix === '' ? chunk : escapeText(chunk)
    return true
  }

  private readOtherTag(text: string, from: number, to: number, call: Call): number {
    const { limits } = this.settings
    const start = this.open[0]
    const most = Math.min(to, from + limits.tag + 1 - this.held.length)
    let at = from
    while (at < most && text[at] !== '>' && text[at] !== start) at++
    const isWhole = at < most && text[at] === '>'
    if (isWhole) at++
    const piece = text.slice(from, at)
    const tag = this.held + piece
    this.kept += piece
    this.held = tag
    if (this.prefix === '' && tag.startsWith(CDATA)) {
      this.goOnInOther(at)
      if (tag.endsWith(CDATA_END)) return at
      this.place = 'cdata'
      this.held = tag.slice(-CDATA_END.length)
      return at
    }
    // It goes on; or it is none, because another begins, or because of its length.
    if (!isWhole) return at < to || tag.length > limits.tag ? this.goOnInOther(at) : at
    this.goOnInOther(at)
    const inCase = this.streamed === undefined ? asItIs : inLowerCase
    const marker = inCase(tag)
    if (marker === inCase(this.closer)) {
      if (this.depth-- > 0) return at
      // Whoever reads the element wants its tags in the same case.
      this.kept = this.kept.slice(0, -tag.length) + this.closer
      return this.gotOther(at, call)
    }
    if (opens(marker, inCase(this.name))) this.depth++
    else if (marker === this.close) {
      if (this.depthOfCall-- === 0) return this.otherEndsEarly(tag, at, call)
    } else if (opens(marker, this.close.slice(2, -1))) this.depthOfCall++
    return at
  }

  private otherEndsEarly(tag: string, at: number, call: Call): number {
    this.kept = this.kept.slice(0, -tag.length) + this.closer
    this.gotOther(at, call)
    return this.finishEarly(at - 1, call)
  }

  /** What looks like a tag in a CDATA section is none. */
  private readCdata(text: string, from: number, to: number): number {
    const found = text.indexOf('>', from)
    const end = found === -1 || found >= to ? to : found + 1
    const piece = text.slice(from, end)
    this.kept += piece
    this.held = (this.held + piece).slice(-CDATA_END.length)
    return this.held === CDATA_END ? this.goOnInOther(end) : end
  }

  private goOnInOther(at: number): number {
    this.held = ''
    this.place = 'other'
    return at
  }

  /** An element that is not a string is complete. */
  private gotOther(at: number, call: Call): number {
    const { kept, key } = this
    if (this.streamed === undefined && !this.options.once && call.textArguments.mayRepeat(key))
      this.later += kept
    else this.pass(kept, call)
    return this.goBetween(at - 1)
  }

  private pass(xml: string, call: Call): void {
    const { nameAttribute, numbers } = this.options
    const { schema = ARGUMENTS } = call
    const { value, problems } = readValue(xml, { schema, nameAttribute, numbers })
    for (const problem of problems)
      if (problem.code !== 'ignored-attribute') call.repaired(problem.code, 'guess', call.origin)
    const { streamed, given } = this
    for (const [key, argument] of Object.entries(value as { [key: string]: JsonValue })) {
      const [name, meant] = streamed === undefined ? [key, argument] : (streamed.other(key, argument) ?? [])
      if (name !== undefined && meant !== undefined && !given?.includes(name))
        call.textArguments.argument(name, meant)
    }
  }

  private finish(at: number, call: Call): number {
    if (this.later !== '') this.pass(this.later, call)
    // No content is an empty one.
    if (this.streamed !== undefined && !this.hasContent) call.textArguments.argument(this.streamed.key, '')
    this.status = 'done'
    return at + 1
  }

  end(call: Call): void {
    if (this.call === null) this.begin(call)
    if (this.content === null) return
    this.content.end((piece) => call.textArguments.valueText(piece))
    call.textArguments.settleValue()
  }

  save(): Saved {
    const { place, name, key, held, kept, later, depth, depthOfCall, fresh, lined } = this
    const { given, hasContent } = this
    return {
      ...{ place, name, key, held, kept, later, depth, depthOfCall, fresh, lined },
      ...{ given, hasContent },
      text: { ...this.text },
      content: this.content?.save() ?? this.resumed,
      tag: this.tag?.save() ?? null,
    }
  }

  static restore(
    { text, tag, content, ...plain }: Saved,
    syntax: Syntax,
    settings: ReaderSettings,
  ): ElementsReader {
    const reader = new ElementsReader(syntax, settings)
    Object.assign(reader, plain)
    reader.text = { ...text }
    reader.resumed = content
    reader.tag = tag === null ? null : TagReader.restore(tag)
    return reader
  }
}

const asItIs = (tag: string): string => tag

/** ASCII letters alone: a marker has no other case. */
function inLowerCase(tag: string): string {
  return tag.replace(/[A-Z]/g, (letter) => letter.toLowerCase())
}

/** Is this the opening tag of an element of that name, and not one that closes itself? */
function opens(tag: string, name: string): boolean {
  const boundary = tag[name.length + 1]
  return (
    tag.startsWith(`<${name}`) &&
    (boundary === '>' || boundary === ' ' || boundary === '\n' || boundary === '\t') &&
    !tag.endsWith('/>')
  )
}

/** The arguments as elements, up to the closing tag of the element `tag`. */
export function elements(
  tag: string,
  options: ElementsOptions = {},
  streams?: StreamedElements,
): Node & { kind: 'reader' } {
  checkOption('tag', tag, 'string')
  checkOptions(options, KNOWN, 'option of elements')
  const { prefix = '' } = options
  const close = `</${tag}>`
  let opener: Literals | undefined
  const openers = () => {
    opener ??= new Literals([`${prefix}<`], ANYWHERE)
    return opener
  }
  const known = new Map<string, Literals>()
  const closersOf = (name: string, isLined: boolean) => {
    const key = `${isLined ? '\n' : ''}${name}`
    let closers = known.get(key)
    if (closers === undefined) {
      const ends = [`${prefix}</${name}>`, `${prefix}${close}`]
      closers = new Literals(isLined ? [...ends, ...ends.map((end) => `\n${end}`)] : ends, ANYWHERE)
      if (known.size === MOST_NAMES) known.clear()
      known.set(key, closers)
    }
    return closers
  }
  const syntax: Syntax = { close, options, streams, openers, closersOf }
  const type: ReaderType = {
    name: 'elements',
    first: '',
    namesCall: false,
    textArguments: TextArguments,
    create: (settings) => new ElementsReader(syntax, settings),
    restore: (saved, settings) => ElementsReader.restore(saved as Saved, syntax, settings),
    render: ({ input }) => renderArguments(input, options, close),
    closer: `${prefix}${close}`,
    show: `\${elements}${prefix}${close}`,
  }
  return { kind: 'reader', type }
}
