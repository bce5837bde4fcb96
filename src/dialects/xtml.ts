/**
 * XTML, the markup of Kimi K3: every tag is three tokens, between which some servers put spaces.
 *
 *     <|open|>response<|sep|>Hello.<|close|>response<|sep|>
 *     <|open|> response <|sep|>Hello.<|close|> response <|sep|>
 */

import { either, literal, wire } from '../engine/wire/index.ts'
import { seen } from '../engine/wire/seen.ts'
import { reported } from '../engine/wire/template.ts'

export const XTML_BRACKETS = {
  open: ['<|open|>', '<|open|> '],
  close: '<|sep|>',
  before: ['<|open|>', '<|close|>'],
} as const

/** The tag that opens an element without attributes. */
export const xtmlOpen = (name: string) => tokens('<|open|>', name)
/** The tag that closes an element. */
export const xtmlClose = (name: string) => tokens('<|close|>', name)

/** The same without its last token, which may be missing before another tag. */
export const xtmlUnfinished = (name: string) =>
  ['<|open|>', '<|close|>', '<|end_of_msg|>'].map(
    (next) => wire`${reported('missing-token')}<|close|>${name}${seen(next)}`,
  )
/** Either of them. */
export const xtmlClosed = (name: string) => either(xtmlClose(name), ...xtmlUnfinished(name))

/** The tag that opens an element of elements. Its last token may be missing before the first of them. */
export const xtmlOpened = (name: string) =>
  either(xtmlOpen(name), wire`${reported('missing-token')}<|open|>${name}${seen('<|open|>')}`)

function tokens(first: string, name: string) {
  return literal(
    `${first}${name}<|sep|>`,
    `${first} ${name} <|sep|>`,
    `${first} ${name}<|sep|>`,
    `${first}${name} <|sep|>`,
  )
}
