import {
  type Check,
  either,
  isString,
  listOf,
  nullable,
  oneOf,
  recordOf,
  type Shape,
  scalarsLike,
  setOf,
} from '../../../base/plain-state.ts'
import { QUOTE, ROOT } from './grammar.ts'

// On the stack: a mark for each container, and behind the mark of an object its keys.
export const ARRAY = 0
export const OBJECT = 1

/** The keys of an object stand on the stack one by one, or in a set if there are many. */
export type StackEntry = typeof ARRAY | typeof OBJECT | string | Set<string>

export interface JsonState {
  status: 'open' | 'done' | 'failed'
  /** Whether `handler.delta` is wanted; a handler may switch it inside `openString`. */
  decoding: boolean
  /** Absolute offset of the next character to be read; while a chunk is read, of its index 0. */
  offset: number
  /** The position in the grammar. */
  mode: number
  /** The position to return to after a comment, a fence or an ellipsis. */
  returnMode: number

  stack: StackEntry[]
  /** Index of the mark of the innermost container, -1 if there is none. */
  top: number
  /** Open containers. A container that is announced or closed is counted. */
  depth: number

  /** The part that earlier chunks had of a key, number, literal or unquoted value. */
  token: string
  /** Absolute offset of that token, or of the value that is announced. */
  tokenStart: number
  /** The end of the last chunk, if only the next one tells what it is: half an escape, a solidus. */
  held: string
  /** How far into a number (strict). */
  numberPart: number

  /** What closes the open string, and after a key whether it was quoted (0: it was not). */
  quote: number
  /** The repairs that are reported once per string, or once, and what is known of the open string. */
  reported: number
  /** Decoded length of the open string. */
  stringLength: number
  /** A quote that may close its string, and the text behind it. */
  lookahead: string
  /** Whether a comma is part of the lookahead, so that a key must follow. */
  lookaheadHasComma: boolean

  /** Whether space, a closer or a comment precedes the next token, so that a comma may be missing. */
  spaced: boolean
  /** Whether an ellipsis was left out: the comma behind it is not an extra one. */
  afterEllipsis: boolean
  commaAt: number
  /** Offset of the last whitespace that JSON does not have. */
  unicodeSpaceAt: number
  repairs: number

  /** Null while nothing is copied. Otherwise the canonical text that may not be handed out yet. */
  uncertain: string | null
}

export function initialState(): JsonState {
  return {
    status: 'open',
    decoding: true,
    offset: 0,
    mode: ROOT,
    returnMode: ROOT,
    // An array that grows from nothing takes memory for seventeen entries. Unused ones hold `ARRAY`.
    stack: [ARRAY, ARRAY, ARRAY, ARRAY, ARRAY, ARRAY],
    top: -1,
    depth: 0,
    token: '',
    tokenStart: 0,
    held: '',
    numberPart: 0,
    quote: QUOTE,
    reported: 0,
    stringLength: 0,
    lookahead: '',
    lookaheadHasComma: false,
    spaced: false,
    afterEllipsis: false,
    commaAt: 0,
    unicodeSpaceAt: -2,
    repairs: 0,
    uncertain: null,
  }
}

const SHAPE: Shape<JsonState> = {
  ...scalarsLike(initialState()),
  status: oneOf('open', 'done', 'failed'),
  stack: listOf(either(oneOf(ARRAY, OBJECT), either(isString, setOf(isString)))),
  uncertain: nullable(isString),
}

const hasShape = recordOf(SHAPE)

/** For a record that has the state of a scanner in it. */
export const isJsonState: Check<JsonState> = (value): value is JsonState =>
  hasShape(value) && isStackWhole(value)

function isStackWhole({ stack, top, depth }: JsonState): boolean {
  const marks = stack.slice(0, top + 1).filter((entry) => typeof entry === 'number')
  return marks.length === depth && top < stack.length
}
