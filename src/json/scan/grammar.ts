/** The states of the scanner and the characters it looks for. */

// Where the scanner stands. Between tokens, where whitespace means nothing:
export const ROOT = 0 //          |{…
export const VALUE = 1 //         {"a":|1
export const ARRAY_FIRST = 2 //   [|1
export const ARRAY_NEXT = 3 //    [1,|2
export const OBJECT_FIRST = 4 //  {|"a":1
export const KEY = 5 //           {"a":1,|"b":2
export const COLON = 6 //         {"a"|:1
export const AFTER = 7 //         {"a":1|,
// Inside a string, of a value or of a key:
export const STRING = 8 //        "te|xt"
// Here the rest of a chunk does not go to the canonical text as it is (it is parked):
export const ESCAPE = 16 //       "\|n"
export const ESCAPE_2 = 17 //     \"\\|n\"        only in an escaped document
export const ESCAPE_3 = 18 //     \"\\\|"\"       only in an escaped document
export const HEX = 19 //          "\u26|3a"
export const MAYBE_CLOSED = 20 // "text"|         only with stringClose 'delimiter'
export const NUMBER = 21 //       1|2
export const LITERAL = 22 //      tr|ue
// Only in tolerant reading:
export const BARE = 23 //         hel|lo,
export const BARE_SLASH = 24 //   12/|* a comment, or 12/31 *|/
export const BARE_KEY = 25 //     {pa|th:
export const SLASH = 26 //        /|* or //
export const LINE_COMMENT = 27
export const BLOCK_COMMENT = 28
export const BLOCK_STAR = 29 //   /* … *|/
export const BACKSLASH_OUTSIDE = 30 // {\|n
export const EQUALS = 31 //       {"a"=|>
export const TICKS = 32 //        `|``json
export const FENCE = 33 //        ```js|on
export const DOTS = 34 //         {"a":1,.|..

// How far into a number:
export const NUMBER_START = 0
export const MINUS = 1
export const ZERO = 2
export const INTEGER = 3
export const DOT = 4
export const FRACTION = 5
export const EXPONENT = 6
export const EXPONENT_SIGN = 7
export const EXPONENT_DIGITS = 8

const TAB = 9
export const NEWLINE = 10
export const RETURN = 13
export const SPACE = 32
export const QUOTE = 34
export const HASH = 35
export const APOSTROPHE = 39
export const STAR = 42
export const PLUS = 43
export const COMMA = 44
export const HYPHEN = 45
export const PERIOD = 46
export const SOLIDUS = 47
export const ZERO_DIGIT = 48
export const NINE_DIGIT = 57
export const COLON_SIGN = 58
export const EQUALS_SIGN = 61
export const GREATER = 62
export const BRACKET_OPEN = 91
export const BACKSLASH = 92
export const BRACKET_CLOSE = 93
export const BACKTICK = 96
export const LETTER_U = 117
export const BRACE_OPEN = 123
export const BRACE_CLOSE = 125

export function isSpace(c: number): boolean {
  return c === SPACE || c === NEWLINE || c === RETURN || c === TAB
}
