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

import type { JsonValue } from '../../base/event.ts'
import { checkOption, checkOptions, type KnownOptions } from '../../base/options.ts'
import {
  type Check,
  isString,
  listOf,
  nullable,
  oneOf,
  recordOf,
  type Shape,
  scalarsLike,
} from '../../base/plain-state.ts'
import { isHighSurrogate } from '../../base/surrogates.ts'
import { isSpace, leadingSpace } from '../../base/whitespace.ts'
import { writtenNumber } from '../../values/numbers/written.ts'
import { isSchemaObject, type JsonSchema } from '../../values/schema/json-schema.ts'
import { CDATA, CDATA_END, nestsSection } from '../../values/xml/cdata.ts'
import { escapeText } from '../../values/xml/entities.ts'
import { openTag, readTag, TAG, type TagState } from '../../values/xml/opening-tag.ts'
import { beginsTag, withoutSpace } from '../../values/xml/spaced-tag.ts'
import { NOT_IN_NAMES } from '../../values/xml/tree.ts'
import { readValue } from '../../values/xml/value.ts'
import type { Call } from '../calls/call.ts'
import { TextArguments } from '../calls/text-arguments.ts'
import { toolArgument } from '../calls/tool-arguments.ts'
import {
  type ElementsOptions,
  renderArguments,
  type StreamedElement,
  type StreamedElements,
} from './elements-syntax.ts'
import { type FastPath, ValueFastPath } from './fast-path.ts'
import { Literals } from './literals.ts'
import type { Reader, ReaderSettings, ReaderType } from './reader.ts'
import { refuseAttribute, renderAttributes } from './tag.ts'
import type { TentativeState, TentativeSyntax, TentativeText } from './tentative-text.ts'
import { UNTIL, type UntilState, until, untilStart } from './until.ts'

const KNOWN: KnownOptions<ElementsOptions> = {
  nameAttribute: 'string',
  wrapper: 'string',
  numbers: 'boolean',
  strings: 'boolean',
  trimmed: 'boolean',
  padded: 'boolean',
  prefix: 'string',
  once: 'boolean',
}

const ANYWHERE = { anchored: false, ignoreCase: false, spacedTags: true }

interface Syntax {
  readonly close: string
  readonly options: ElementsOptions
  readonly streams: StreamedElements | undefined
  /** Made once, when it is needed. */
  openers(): Literals
  /** What ends a string in an element of this name: its own closer, or that of the call where its own is missing. */
  closersOf(name: string, isLined: boolean, hasSections: boolean): Literals
}

/** Where a CDATA section begins, among what ends a string. */
const SECTION = 2
const SECTION_END = new Literals([CDATA_END], { anchored: false, ignoreCase: false })

/** So many names are remembered with what ends their strings. */
const MOST_NAMES = 64

/** Attributes with these values name the type of a value. */
const TYPES: readonly string[] = ['string', 'number', 'integer', 'boolean', 'object', 'array', 'null']

/** Arguments are an object even where all of them are called `item`, as the parts of a list are. */
export function schemaOfArguments(schema: JsonSchema = true): JsonSchema {
  return { type: 'object', allOf: [schema] }
}

const PLACES = [
  'between', //    <city>Paris</city>|<days>
  'tag', //        <ci|ty>        or </get_|weather>
  'start', //      <city>|<![CDATA[Paris]]></city>
  'section', //    <city><![CDATA[Pa|ris]]></city>
  'string', //     <city>Pa|ris</city>
  'other', //      <days>|2</days>
  'other-tag', //  <days>2</da|ys>
  'cdata', //      <days><![CDATA[</da|ys>]]></days>
] as const

export interface ElementsState {
  place: (typeof PLACES)[number]
  /** The open element's name, and the argument it is. */
  name: string
  key: string
  /** A tag, or a part of one, that is not complete. */
  held: string
  /** The attributes, while they are read: `<arg |name="city">`. */
  tag: TagState | null
  /** The open string, or the text between the tags of another element. */
  text: UntilState
  /** The source of the open element, and of those that wait for the end of the call. */
  kept: string
  later: string
  /** How many elements of the open one's name are open inside it, and how many of the call's. */
  depth: number
  depthOfCall: number
  /** Nothing of the open string was read yet. */
  fresh: boolean
  /** A line break stands before the open string, and is markup. */
  lined: boolean
  /** The open string begins with a CDATA section; nothing but white space stands behind the last one so far. */
  hasSections: boolean
  isBehindSection: boolean
  /** The arguments that attributes gave, which come first, if one of the others is the content. */
  given: readonly string[] | null
  hasContent: boolean
  /** The content, while it is read: `<content>let |a = 1</content>`. */
  content: TentativeState | null
}

export function initialElements(): ElementsState {
  return {
    place: 'between',
    name: '',
    key: '',
    held: '',
    tag: null,
    text: untilStart(),
    kept: '',
    later: '',
    depth: 0,
    depthOfCall: 0,
    fresh: false,
    lined: false,
    hasSections: false,
    isBehindSection: false,
    given: null,
    hasContent: false,
    content: null,
  }
}

const isNull: Check<null> = (value) => value === null

function shapeOf(streams: StreamedElements | undefined): Shape<ElementsState> {
  return {
    ...scalarsLike(initialElements()),
    place: oneOf(...PLACES),
    tag: nullable(recordOf(TAG)),
    text: recordOf(UNTIL),
    given: nullable(listOf(isString)),
    content: streams === undefined ? isNull : nullable(recordOf(streams.text.shape)),
  }
}

class ElementsReader implements Reader<ElementsState> {
  status: Reader['status'] = 'open'
  readonly state: ElementsState
  private readonly close: string
  private readonly options: ElementsOptions
  private readonly streams: StreamedElements | undefined
  private readonly settings: ReaderSettings
  /** Finds what every tag begins with. */
  private readonly openers: () => Literals
  private readonly closersOf: Syntax['closersOf']
  private readonly prefix: string
  /** What every tag begins with. */
  private readonly open: string
  /** What closes the open string. */
  private closers: Literals | null = null
  private call: Call | null = null
  /** The argument that is the content, once the call is known, and its text, while that is read. */
  private streamed: StreamedElement | undefined
  private content: TentativeText | null = null

  constructor(syntax: Syntax, settings: ReaderSettings, state: ElementsState) {
    const { close, options, streams, openers, closersOf } = syntax
    this.state = state
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
    this.state.given ??= call.textArguments.keys
    if (this.state.content !== null)
      this.content = new this.streams!.text(this.syntaxOf(this.streamed), this.state.content)
  }

  /** A string is ended by its closer alone, as the value of a template is by what follows it. */
  get fastPath(): FastPath | null {
    const stops = this.content?.stops
    if (stops && this.call !== null) return ValueFastPath.from(untilStart(), stops, this.call.textArguments)
    if (this.state.place === 'other' && this.state.text.held === '')
      return { take: (chunk) => this.keeps(chunk) }
    if (this.call === null || this.state.isBehindSection) return null
    if (this.state.place === 'section')
      return ValueFastPath.from(this.state.text, SECTION_END, this.call.textArguments, true)
    if (this.state.place !== 'string' || this.state.fresh) return null
    return ValueFastPath.from(this.state.text, this.stringClosers(), this.call.textArguments)
  }

  /** What closes the open element. */
  private get closer(): string {
    return `</${this.state.name}>`
  }

  private stringClosers(): Literals {
    this.closers ??= this.closersOf(this.state.name, this.state.lined, this.state.hasSections)
    return this.closers
  }

  private step(text: string, at: number, to: number, call: Call): number {
    const { place, tag } = this.state
    if (tag !== null) return this.readAttributes(tag, text, at, to, call)
    if (this.content !== null) return this.readContent(this.content, text, at, to, call)
    switch (place) {
      case 'between':
        return this.readBetween(text[at]!, at)
      case 'tag':
        return this.readTag(text[at]!, at, call)
      case 'start':
        return this.readStart(text, at, to, call)
      case 'section':
        return this.readSection(text, at, to, call)
      case 'string':
        return this.readString(text, at, to, call)
      case 'other':
        return this.readOther(text, at, to)
      case 'other-tag':
        return this.readOtherTag(text, at, to, call)
      case 'cdata':
        return this.readCdata(text, at, to)
    }
  }

  private readBetween(character: string, at: number): number {
    const { open } = this
    const { held } = this.state
    if (character !== open[held.length]) return held === '' && character.trim() === '' ? at + 1 : -1
    this.state.held += character
    if (this.state.held === open) {
      this.state.held = '<'
      this.state.place = 'tag'
    }
    return at + 1
  }

  private readTag(character: string, at: number, call: Call): number {
    const { held } = this.state
    const isClosing = held.startsWith('</') || (held === '<' && character === '/')
    if (isClosing) {
      this.state.held += character
      const inCase = call.style.ignoreCase ? inLowerCase : (tag: string) => tag
      const tag = withoutSpace(inCase(this.state.held))
      const close = inCase(this.close)
      const wrapper = inCase(`</${this.options.wrapper}>`)
      if (tag === close) return this.finish(at, call)
      if (tag === wrapper) return this.goBetween(at)
      return beginsTag(tag, close) || beginsTag(tag, wrapper) ? at + 1 : -1
    }
    if (character === '>' || character === '/' || character.trim() === '') {
      this.state.name = held.slice(1)
      if (this.state.name === '') return -1
      this.state.held = ''
      this.state.tag = openTag({ limit: this.settings.limits.tag })
      this.state.kept = `<${this.state.name}`
      return at
    }
    // What begins a comment or a declaration begins no argument, which would never end.
    if (NOT_IN_NAMES.includes(character)) return -1
    this.state.held += character
    return this.state.held.length > this.settings.limits.name ? -1 : at + 1
  }

  private goBetween(at: number): number {
    this.state.held = ''
    this.closers = null
    this.state.kept = ''
    this.state.place = 'between'
    return at + 1
  }

  private readAttributes(tag: TagState, text: string, from: number, to: number, call: Call): number {
    const at = readTag(tag, text, from, to)
    this.state.kept += text.slice(from, at)
    if (tag.status === 'failed') {
      this.status = 'failed'
      return at
    }
    if (tag.status === 'open') return at
    this.state.tag = null
    return this.opened(tag, at, call)
  }

  private opened(tag: TagState, at: number, call: Call): number {
    const { nameAttribute, wrapper } = this.options
    const isNamedLikeIt = call.style.ignoreCase
      ? wrapper !== undefined && inLowerCase(this.state.name) === inLowerCase(wrapper)
      : this.state.name === wrapper
    // The tool may have an argument of that name, too. The wrapper comes before all arguments.
    const isAmbiguous = wrapper !== undefined && isDeclared(wrapper, call)
    const hasOthers = isAmbiguous && (call.textArguments.hasAny || this.state.later !== '')
    const isWrapper = isNamedLikeIt && !hasOthers
    const named = nameAttribute === undefined ? undefined : tag.attributes.get(nameAttribute)
    this.state.key = named ?? this.state.name
    if (tag.attributes.size > (named === undefined || isWrapper ? 0 : 1))
      this.refuseAttributes(tag, isWrapper, call)
    if (tag.repeated !== null)
      call.fail('duplicate-key', `The attribute '${tag.repeated}' appears twice.`, call.origin)
    if (isWrapper) return this.goBetween(at - 1)
    if (isAmbiguous && named === undefined && !isDeclared(this.state.key, call))
      call.repairedArguments('wrapped-arguments', call.origin)
    this.state.depth = 0
    this.state.depthOfCall = 0
    if (this.streamed !== undefined) return this.openedStreamed(this.streamed, tag.selfClosing, at, call)
    if (call.textArguments.isText(this.state.key, this.options.strings ?? false)) {
      const isXml = !this.options.trimmed && this.prefix === ''
      const element = `${this.open}${this.state.name}`
      // A line break before it may be markup.
      const start = this.options.trimmed ? undefined : call.offsetOf(at)
      const { padded = false } = this.options
      call.textArguments.openValue({ key: this.state.key, entities: isXml, isXml, element, padded }, start)
      this.state.fresh = true
      this.state.hasSections = false
      if (!tag.selfClosing) this.state.place = isXml ? 'start' : 'string'
      else {
        call.textArguments.closeValue()
        return this.goBetween(at - 1)
      }
    } else if (tag.selfClosing) return this.gotOther(at, call)
    else this.state.place = 'other'
    return at
  }

  /**
   * No attribute but the name is read. One that could be an argument fails the call, as it does beside the call's name;
   * one that only describes the value is lossless where something else says what the value is; any other is lost.
   */
  private refuseAttributes(tag: TagState, isWrapper: boolean, call: Call): void {
    const { nameAttribute } = this.options
    const { key, name } = this.state
    const { schema } = call
    const mayHaveAny = !isSchemaObject(schema) || schema.properties === undefined
    for (const [attribute, value] of tag.attributes) {
      if (attribute === nameAttribute && !isWrapper) continue
      const isXml = attribute.startsWith('xml:')
      if (isXml || (attribute === 'type' && TYPES.includes(value))) {
        const isLossless = isXml || isWrapper || isDeclared(key, call)
        call.repaired('ignored-attribute', isLossless ? 'lossless' : 'guess', call.origin)
      } else if (mayHaveAny || tag.selfClosing || isDeclared(attribute, call))
        refuseAttribute(attribute, call)
      else loseAttribute(call)
    }
    // `readValue` would report them again.
    const named = key === name ? '' : renderAttributes([[nameAttribute!, key]])
    this.state.kept = `<${name}${named}${tag.selfClosing ? '/' : ''}>`
  }

  // ── the content ────────────────────────────────────────────────────────────────────────────────

  private openedStreamed(streamed: StreamedElement, isEmpty: boolean, at: number, call: Call): number {
    const { key, entities = false } = streamed
    if (this.state.key !== key) {
      this.state.place = 'other'
      return isEmpty ? this.gotOther(at, call) : at
    }
    this.state.hasContent = true
    // A second element of its name nests nothing: a closer counts by what follows it.
    call.textArguments.openValue({ key, entities })
    this.content = new this.streams!.text(this.syntaxOf(streamed))
    this.state.content = this.content.state
    return isEmpty ? this.closeContent(this.content, at, call) : at
  }

  private syntaxOf({ markers }: StreamedElement): TentativeSyntax {
    const name = inLowerCase(this.state.name)
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

  private readContent(content: TentativeText, text: string, from: number, to: number, call: Call): number {
    const at = content.read(text, from, to, (piece) => call.textArguments.valueText(piece))
    return content.isClosed ? this.closeContent(content, at, call) : at
  }

  private closeContent({ rest, isUnclosed }: TentativeText, at: number, call: Call): number {
    this.content = null
    this.state.content = null
    call.textArguments.closeValue()
    if (isUnclosed) call.endsInValue(call.offsetOf(at))
    this.goBetween(at)
    if (rest !== '') this.read(rest, 0, rest.length, call)
    return at
  }

  // ── strings ────────────────────────────────────────────────────────────────────────────────────

  /** The beginning of a string: white space and a CDATA section, which are markup, or its text. */
  private readStart(text: string, from: number, to: number, call: Call): number {
    const { state } = this
    let at = from
    for (; at < to; at++) {
      const space = leadingSpace(state.held)
      const isMarkup = isSpace(text[at]!)
        ? space === state.held.length && space < this.settings.limits.name
        : CDATA.startsWith(state.held.slice(space) + text[at]!)
      if (!isMarkup) {
        const { held } = state
        state.held = ''
        state.place = 'string'
        if (held !== '') this.writeString(held, 0, held.length, call)
        return at
      }
      state.held += text[at]!
      if (state.held.endsWith(CDATA)) {
        state.hasSections = true
        return this.beginSection(at + 1, call)
      }
    }
    return at
  }

  private beginSection(at: number, call: Call): number {
    call.textArguments.settleValue()
    call.textArguments.leaveSource()
    this.state.held = ''
    this.state.isBehindSection = false
    this.state.place = 'section'
    return at
  }

  private readSection(text: string, from: number, to: number, call: Call): number {
    const { state } = this
    const at = until(state.text, SECTION_END, text, from, to, (piece) =>
      call.textArguments.valueText(piece, true),
    )
    if (state.text.found === -1) return at
    state.place = 'string'
    state.isBehindSection = true
    return at
  }

  /** Reads text of a string. White space behind a section is kept until it is clear whether text follows. */
  private writeString(text: string, from: number, to: number, call: Call): number {
    const { state } = this
    return until(state.text, this.stringClosers(), text, from, to, (piece) => {
      const space = state.isBehindSection ? leadingSpace(piece) : 0
      const isText = space < piece.length || state.held.length + space > this.settings.limits.name
      if (!isText) state.held += piece
      else {
        call.textArguments.valueText(state.held + piece)
        state.held = ''
        state.isBehindSection = false
      }
    })
  }

  /** A string: text up to its own closer, or the end of the call. */
  private readString(text: string, from: number, to: number, call: Call): number {
    const { trimmed } = this.options
    if (this.state.fresh) {
      this.state.fresh = false
      this.state.lined = trimmed === true && text[from] === '\n'
      if (this.state.lined) return from + 1
    }
    if (this.closers === null && this.state.text.held === '' && !this.state.hasSections) {
      const end = this.endOfString(text, from, to, call)
      if (end !== -1) return this.goBetween(end - 1)
    }
    const at = this.writeString(text, from, to, call)
    const { found } = this.state.text
    if (found === -1) return at
    if (this.state.hasSections && found === SECTION) {
      if (this.state.held !== '') call.textArguments.valueText(this.state.held)
      return this.beginSection(at, call)
    }
    this.state.isBehindSection = false
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
    const isUnpaired = this.state.lined && !hasBreak
    call.textArguments.closeValue(isUnpaired ? call.offsetOf(end) - this.closer.length : undefined)
  }

  /** Most strings are short, and end in the piece in which they began. Where it ends, or -1. */
  private endOfString(text: string, from: number, to: number, call: Call): number {
    const closer = this.prefix + this.closer
    const found = text.indexOf(closer.slice(0, -1), from)
    const end = found + closer.length
    if (found === -1 || end > to || text[end - 1] !== '>') return -1
    // Looked for no further than it matters: behind that it would be found again for every argument.
    const before = text.slice(from, found)
    if (before.includes((this.prefix + this.close).slice(0, -1)) || before.includes('</ ')) return -1
    const hasBreak = this.state.lined && found > from && text[found - 1] === '\n'
    const textEnd = hasBreak ? found - 1 : found
    if (textEnd > from) call.textArguments.valueText(text.slice(from, textEnd))
    this.closeString(call, hasBreak, end)
    return end
  }

  /** Anything else: kept, with the prefixes of tags left out and all that is no tag made sure to be none. */
  private readOther(text: string, from: number, to: number): number {
    const at = until(this.state.text, this.openers(), text, from, to, (piece) => {
      this.state.kept += this.prefix === '' ? piece : escapeText(piece)
    })
    if (this.state.text.found === -1) return at
    this.state.held = '<'
    this.state.kept += '<'
    this.state.place = 'other-tag'
    return at
  }

  /** Keeps a chunk in which no tag begins; false: nothing was done. */
  private keeps(chunk: string): boolean {
    const { length } = chunk
    if (isHighSurrogate(chunk.charCodeAt(length - 1))) return false
    if (this.openers().skip(chunk, 0, length) < length) return false
    this.state.kept += this.prefix === '' ? chunk : escapeText(chunk)
    return true
  }

  private readOtherTag(text: string, from: number, to: number, call: Call): number {
    const { limits } = this.settings
    const start = this.open[0]
    const most = Math.min(to, from + limits.tag + 1 - this.state.held.length)
    let at = from
    while (at < most && text[at] !== '>' && text[at] !== start) at++
    const isWhole = at < most && text[at] === '>'
    if (isWhole) at++
    const piece = text.slice(from, at)
    const tag = this.state.held + piece
    this.state.kept += piece
    this.state.held = tag
    if (this.prefix === '' && tag.startsWith(CDATA)) {
      this.goOnInOther(at)
      if (tag.endsWith(CDATA_END)) return at
      this.state.place = 'cdata'
      this.state.held = tag.slice(-CDATA_END.length)
      return at
    }
    // It goes on; or it is none, because another begins, or because of its length.
    if (!isWhole) return at < to || tag.length > limits.tag ? this.goOnInOther(at) : at
    this.goOnInOther(at)
    const inCase = this.streamed === undefined ? asItIs : inLowerCase
    const marker = withoutSpace(inCase(tag))
    if (marker === inCase(this.closer)) {
      if (this.state.depth-- > 0) return at
      // `readValue` pairs tags of the same case.
      this.state.kept = this.state.kept.slice(0, -tag.length) + this.closer
      return this.gotOther(at, call)
    }
    if (opens(marker, inCase(this.state.name))) this.state.depth++
    else if (marker === this.close) {
      if (this.state.depthOfCall-- === 0) return this.otherEndsEarly(tag, at, call)
    } else if (opens(marker, this.close.slice(2, -1))) this.state.depthOfCall++
    return at
  }

  private otherEndsEarly(tag: string, at: number, call: Call): number {
    this.state.kept = this.state.kept.slice(0, -tag.length) + this.closer
    this.gotOther(at, call)
    return this.finishEarly(at - 1, call)
  }

  /** What looks like a tag in a CDATA section is none. */
  private readCdata(text: string, from: number, to: number): number {
    const found = text.indexOf('>', from)
    const end = found === -1 || found >= to ? to : found + 1
    const piece = text.slice(from, end)
    this.state.kept += piece
    this.state.held = (this.state.held + piece).slice(-CDATA_END.length)
    return this.state.held === CDATA_END ? this.goOnInOther(end) : end
  }

  private goOnInOther(at: number): number {
    this.state.held = ''
    this.state.place = 'other'
    return at
  }

  /** An element that is not a string is complete. */
  private gotOther(at: number, call: Call): number {
    const { kept, key } = this.state
    if (this.streamed === undefined && !this.options.once && call.textArguments.mayRepeat(key))
      this.state.later += kept
    else this.pass(kept, call)
    return this.goBetween(at - 1)
  }

  private pass(xml: string, call: Call): void {
    const { nameAttribute, numbers, padded, trimmed } = this.options
    const schema = schemaOfArguments(call.schema)
    const { value, problems } = readValue(xml, {
      ...{ schema, root: call.schema, nameAttribute, numbers, padded },
      // They may be part of a file.
      ...{ comments: true, instructions: true },
    })
    if (nestsSection(xml)) call.losesPlace()
    for (const { code } of problems)
      if (code === 'ignored-attribute') loseAttribute(call)
      else call.repairedArguments(code, call.origin)
    const { streamed } = this
    const { given } = this.state
    for (const [key, argument] of Object.entries(value as { [key: string]: JsonValue })) {
      const [name, meant] = streamed === undefined ? [key, argument] : (streamed.other(key, argument) ?? [])
      if (name !== undefined && meant !== undefined && !given?.includes(name))
        call.textArguments.argument(
          name,
          trimmed ? withoutBreaks(meant) : meant,
          writtenNumber(value as object, key),
        )
    }
  }

  private finish(at: number, call: Call): number {
    if (this.state.later !== '') this.pass(this.state.later, call)
    // No content is an empty one.
    if (this.streamed !== undefined && !this.state.hasContent)
      call.textArguments.argument(this.streamed.key, '')
    this.status = 'done'
    return at + 1
  }

  end(call: Call): void {
    if (this.call === null) this.begin(call)
    if (this.content === null) return
    this.content.end((piece) => call.textArguments.valueText(piece))
    call.textArguments.settleValue()
  }
}

/** A string without the line breaks on both sides of it. */
function withoutBreaks(value: JsonValue): JsonValue {
  if (typeof value !== 'string' || value.length < 2) return value
  return value.startsWith('\n') && value.endsWith('\n') ? value.slice(1, -1) : value
}

const asItIs = (tag: string): string => tag

/** ASCII letters alone: a marker has no other case. */
function inLowerCase(tag: string): string {
  return tag.replace(/[A-Z]/g, (letter) => letter.toLowerCase())
}

/** An attribute is not in the input. */
function loseAttribute(call: Call): void {
  call.note('arguments-repaired', 'An attribute in the arguments was left out.', call.origin)
  call.repaired('ignored-attribute', 'lossy', call.origin)
}

function isDeclared(argument: string, { tool }: Call): boolean {
  return toolArgument(tool, argument).schema !== undefined
}

/** Is this the opening tag of an element of that name, and not one that closes itself? */
function opens(tag: string, name: string): boolean {
  const boundary = tag[name.length + 1]
  return tag.startsWith(`<${name}`) && (boundary === '>' || isSpace(boundary ?? '')) && !tag.endsWith('/>')
}

/** The arguments as elements, up to the closing tag of the element `tag`. */
export function elements(
  tag: string,
  options: ElementsOptions = {},
  streams?: StreamedElements,
): { readonly kind: 'reader'; readonly type: ReaderType<ElementsState> } {
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
  const closersOf = (name: string, isLined: boolean, hasSections: boolean) => {
    const key = `${isLined ? '\n' : ''}${hasSections ? '<' : ''}${name}`
    let closers = known.get(key)
    if (closers === undefined) {
      const ends = [`${prefix}</${name}>`, `${prefix}${close}`]
      // Strings in lines hold no sections.
      const more = isLined ? ends.map((end) => `\n${end}`) : hasSections ? [CDATA] : []
      closers = new Literals([...ends, ...more], ANYWHERE)
      if (known.size === MOST_NAMES) known.clear()
      known.set(key, closers)
    }
    return closers
  }
  const syntax: Syntax = { close, options, streams, openers, closersOf }
  const type: ReaderType<ElementsState> = {
    name: 'elements',
    first: '',
    namesCall: false,
    textArguments: TextArguments,
    shape: shapeOf(streams),
    create: (settings, state = initialElements()) => new ElementsReader(syntax, settings, state),
    render: ({ input }) => renderArguments(input, options, close),
    closer: `${prefix}${close}`,
    show: `\${elements}${prefix}${close}`,
  }
  return { kind: 'reader', type }
}
