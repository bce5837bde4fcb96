/**
 * XTML, the markup of Kimi K3: every tag is three tokens, between which some servers put spaces.
 *
 *     <|open|>response<|sep|>Hello.<|close|>response<|sep|>
 *     <|open|> response <|sep|>Hello.<|close|> response <|sep|>
 */

import { literal } from '../wire/index.ts'

export const XTML_BRACKETS = { open: ['<|open|>', '<|open|> '], close: '<|sep|>' } as const

/** The tag that opens an element without attributes. */
export const xtmlOpen = (name: string) => tokens('<|open|>', name)
/** The tag that closes an element. */
export const xtmlClose = (name: string) => tokens('<|close|>', name)

function tokens(first: string, name: string) {
  return literal(
    `${first}${name}<|sep|>`,
    `${first} ${name} <|sep|>`,
    `${first} ${name}<|sep|>`,
    `${first}${name} <|sep|>`,
  )
}
