/**
 * The rest of an opening tag, read as it arrives: from the character after the name to its `>`, or to whatever else
 * ends a tag in the format.
 *
 *     <invoke name="get_weather" string=true>
 *            ^ from here                    ^ to here
 *     <|open|>call tool="get_weather"<|sep|>
 *                 ^ from here              ^ to here
 *
 * Each character is looked at once, and where a tag fails does not depend on how the text was cut.
 */

import {
  type Check,
  isString,
  listOf,
  mapOf,
  nullable,
  oneOf,
  type Shape,
  scalarsLike,
} from '../../base/plain-state.ts'
import { isSpace as isCommonSpace } from '../../base/whitespace.ts'
import { decodeEntities } from './entities.ts'

/** How far an opening tag has been read. */
export type TagStatus = 'open' | 'done' | 'failed'

const PLACES = [
  'after-tag-name',
  'between',
  'in-name',
  'after-name',
  'before-value',
  'in-double-quotes',
  'in-single-quotes',
  'in-unquoted',
  'after-unquoted-slash',
  'after-slash',
  'in-close',
] as const

/** Options of `TagReader`. */
export interface TagReaderOptions {
  /** Characters the rest of the tag may have, its end included. */
  readonly limit: number
  /** Decode character references in attribute values, once. Default true. */
  readonly entities?: boolean
  /** What ends the tag, in formats whose tags have other brackets. Such a tag cannot close itself. Default `>`. */
  readonly close?: string
  /** Markers before which that may be missing. They are read, and belong to what follows. */
  readonly before?: readonly string[]
}

export interface TagState {
  readonly limit: number
  readonly entities: boolean
  readonly close: string
  readonly before: readonly string[]
  /** `done` at its end; `failed` where it cannot be a tag. */
  status: TagStatus
  selfClosing: boolean
  /** An attribute that is there twice, if any is. */
  repeated: string | null
  /** In the order they were written. Of two attributes with one name the first counts. */
  attributes: Map<string, string>
  place: (typeof PLACES)[number]
  /** How many characters were read. */
  taken: number
  /** The attribute that is being read. */
  name: string
  value: string
  /** What was read of the tag's end, or of a marker before which that is missing. */
  ending: string
}

export function openTag({ limit, entities, close, before }: TagReaderOptions): TagState {
  return {
    limit,
    entities: entities ?? true,
    close: close ?? '>',
    before: before ?? [],
    status: 'open',
    selfClosing: false,
    repeated: null,
    attributes: new Map(),
    place: 'after-tag-name',
    taken: 0,
    name: '',
    value: '',
    ending: '',
  }
}

const isLimit: Check<number> = (value): value is number => typeof value === 'number' && value >= 0

export const TAG: Shape<TagState> = {
  ...scalarsLike(openTag({ limit: 0 })),
  limit: isLimit,
  before: listOf(isString),
  status: oneOf('open', 'done', 'failed'),
  repeated: nullable(isString),
  attributes: mapOf(isString, isString),
  place: oneOf(...PLACES),
}

/** The tag failed because it is longer than the limit. */
export function isTooLong({ status, taken, limit }: TagState): boolean {
  return status === 'failed' && taken >= limit
}

/** More than the tag's name was read. */
export function hasAttributes({ attributes, name }: TagState): boolean {
  return attributes.size > 0 || name !== ''
}

/** Reads `text[from, to)` and returns the index after the last character taken, or of the one that made the tag fail. */
export function readTag(tag: TagState, text: string, from: number, to: number): number {
  if (tag.status !== 'open') return from
  const end = Math.min(to, from + tag.limit - tag.taken)
  let at = from
  while (at < end && tag.status === 'open') {
    if (tag.place === 'in-double-quotes' || tag.place === 'in-single-quotes')
      at = readQuoted(tag, text, at, end)
    else if (take(tag, text[at]!)) at++
  }
  if (tag.status === 'open' && end < to) tag.status = 'failed'
  tag.taken += at - from
  return at
}

/** Everything up to the same quote is the value; it is copied in one piece. */
function readQuoted(tag: TagState, text: string, from: number, end: number): number {
  const quote = tag.place === 'in-double-quotes' ? '"' : "'"
  let at = from
  while (at < end && text[at] !== quote) at++
  tag.value += text.slice(from, at)
  if (at === end) return at
  finishAttribute(tag)
  tag.place = 'between'
  return at + 1
}

/** Takes one character outside quotes; false when it does not belong here, and then it is not taken. */
function take(tag: TagState, character: string): boolean {
  switch (tag.place) {
    //   <invoke| name="x">
    case 'after-tag-name':
      if (isSpace(character)) tag.place = 'between'
      else if (isSlash(tag, character)) tag.place = 'after-slash'
      else return takeClose(tag, character)
      return true

    //   <invoke |name="x"|>
    case 'between':
      if (isSpace(character)) return true
      if (isSlash(tag, character)) tag.place = 'after-slash'
      else if (isNameCharacter(character) && character !== tag.close[0]) {
        tag.name = character
        tag.place = 'in-name'
      } else return takeClose(tag, character)
      return true

    //   <invoke na|me="x">
    case 'in-name':
      if (isNameCharacter(character) && character !== tag.close[0]) {
        tag.name += character
        return true
      }
      tag.place = 'after-name'
      return take(tag, character)

    //   <invoke name |= "x">, or an attribute without a value
    case 'after-name':
      if (isSpace(character)) return true
      if (character === '=') {
        tag.place = 'before-value'
        return true
      }
      finishAttribute(tag)
      tag.place = 'between'
      return take(tag, character)

    //   <invoke name=|"x">
    case 'before-value':
      if (isSpace(character)) return true
      if (character === '"') tag.place = 'in-double-quotes'
      else if (character === "'") tag.place = 'in-single-quotes'
      else {
        tag.place = 'in-unquoted'
        return take(tag, character)
      }
      return true

    //   <invoke name=ge|t_weather>
    case 'in-unquoted':
      if (character === tag.close[0] || isSpace(character)) {
        finishAttribute(tag)
        tag.place = 'between'
        return take(tag, character)
      }
      if (character === '<') return fail(tag)
      if (isSlash(tag, character)) tag.place = 'after-unquoted-slash'
      else tag.value += character
      return true

    //   <invoke path=a/|b>, or the end of <invoke name=x/|>
    case 'after-unquoted-slash':
      if (character === '>') {
        finishAttribute(tag)
        tag.selfClosing = true
        return finish(tag)
      }
      tag.value += '/'
      tag.place = 'in-unquoted'
      return take(tag, character)

    //   <invoke name="x" /|>
    case 'after-slash':
      if (isSpace(character)) return true
      if (character !== '>') return fail(tag)
      tag.selfClosing = true
      return finish(tag)

    //   <|open|>call tool="x"<|s|ep|>
    case 'in-close':
      return takeClose(tag, character)

    default:
      return fail(tag)
  }
}

/** Takes the next character of what ends the tag. */
function takeClose(tag: TagState, character: string): boolean {
  const ending = tag.ending + character
  const isEnding = (marker: string) => marker.startsWith(ending)
  if (!isEnding(tag.close) && !tag.before.some(isEnding)) return fail(tag)
  tag.place = 'in-close'
  tag.ending = ending
  return (ending !== tag.close && !tag.before.includes(ending)) || finish(tag)
}

/** The marker behind a tag whose own end is missing, or the part of the tag's end that may become one. */
export function markerBehind({ ending, close }: TagState): string {
  return ending === close ? '' : ending
}

/** A slash before the end closes the tag, where tags are XML's. */
function isSlash(tag: TagState, character: string): boolean {
  return character === '/' && tag.close === '>'
}

function finishAttribute(tag: TagState): void {
  if (tag.attributes.has(tag.name)) tag.repeated ??= tag.name
  else tag.attributes.set(tag.name, tag.entities ? decodeEntities(tag.value) : tag.value)
  tag.name = ''
  tag.value = ''
}

function finish(tag: TagState): true {
  tag.status = 'done'
  return true
}

function fail(tag: TagState): false {
  tag.status = 'failed'
  return false
}

function isSpace(character: string): boolean {
  return isCommonSpace(character) || character === '\f'
}

function isNameCharacter(character: string): boolean {
  switch (character) {
    case '=':
    case '>':
    case '/':
    case '<':
    case '"':
    case "'":
      return false
    default:
      return !isSpace(character)
  }
}
