/** How arguments are elements, and how they are written as such. */

import type { JsonValue } from '../../base/event.ts'
import { decodeEntities, escapeText } from '../../values/xml/entities.ts'
import { renderElements } from '../../values/xml/render-elements.ts'
import type { Call } from '../calls/call.ts'
import { argumentsOf } from '../calls/values.ts'
import { renderAttributes } from './tag.ts'
import type { TentativeText } from './tentative-text.ts'

/** Options of `elements`. */
export interface ElementsOptions {
  /** The attribute that names an argument, as in `<arg name="city">`. */
  readonly nameAttribute?: string
  /** An optional element around all arguments. */
  readonly wrapper?: string
  /** Without a schema, text that looks like a number is a number. Default true. */
  readonly numbers?: boolean
  /** Without a schema, arguments are strings and stream. Default false. */
  readonly strings?: boolean
  /** Line breaks on both sides of a string are markup. Default false. */
  readonly trimmed?: boolean
  /** Whitespace around a value is markup. Default false. */
  readonly padded?: boolean
  /** Text before every tag. A tag without it is text. */
  readonly prefix?: string
  /** An argument is never repeated, so it does not wait for more of its name; a list is written as `<item>`s. Default false. */
  readonly once?: boolean
}

/** Calls may have a content. What reads it comes along, because most formats need nothing of this. */
export interface StreamedElements {
  readonly text: typeof TentativeText
  /** The argument that is the content of a call, if it has one. */
  of(call: Call): StreamedElement | undefined
}

/**
 * An argument that streams as it is written. It is not escaped, so its closer counts only before what can follow it.
 * The other arguments of the call wait for their closers.
 */
export interface StreamedElement {
  readonly key: string
  readonly entities?: boolean | undefined
  /** What may stand around it. */
  readonly markers?: { readonly start: string; readonly end: string } | undefined
  /** What another argument stands for; nothing where it is left out. */
  other(key: string, value: JsonValue): readonly [key: string, value: JsonValue] | undefined
}

/** White space at either end of a string. */
const OUTER_SPACE = /^\s|\s$/g

function asEntity(character: string): string {
  return `&#${character.charCodeAt(0)};`
}

/** All arguments, up to the tag that closes them. */
export function renderArguments(input: JsonValue, options: ElementsOptions, close: string): string {
  const { nameAttribute, wrapper, trimmed, padded, prefix } = options
  const line = prefix === undefined ? '\n' : ''
  const written = argumentsOf(input).map(([key, value]) => {
    const name = nameAttribute === undefined ? key : 'arg'
    const open = nameAttribute === undefined ? `<${key}>` : `<arg${renderAttributes([[nameAttribute, key]])}>`
    if (trimmed && typeof value === 'string') return `${line}${open}\n${value}\n</${name}>`
    if (padded && typeof value === 'string')
      return `${line}${open}\n${escapeText(value).replace(OUTER_SPACE, asEntity)}\n</${name}>`
    return `${line}${open}${renderElements(name, value).slice(`<${name}>`.length)}`
  })
  const all = written.join('')
  const xml = `${wrapper === undefined ? all : `${line}<${wrapper}>${all}${line}</${wrapper}>`}${line}${close}`
  if (prefix === undefined) return xml
  // Every `<` is a tag, because those in texts are escaped. Behind a prefix they need not be.
  return xml.split('<').map(decodeEntities).join(`${prefix}<`)
}
