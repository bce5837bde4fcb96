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
// Inside a string:
export const STRING = 8 //        {"a":"te|xt"
export const KEY_STRING = 9 //    {"a|b":1
// Here the rest of a chunk does not go to the canonical text as it is (it is parked):
export const NUMBER = 16 //       1|2
export const LITERAL = 17 //      tr|ue
export const BARE = 18 //         hel|lo,
export const BARE_KEY = 19 //     {pa|th:
export const NUMBER_KEY = 20 //   {1|2:
export const EQUALS = 21 //       {"a"=|>
export const LINE_COMMENT = 22 // // …|
export const BLOCK_COMMENT = 23 // /* …|
export const FENCE = 24 //        ```js|on
export const MAYBE_CLOSED = 25 // "text"|         only where a delimiter closes strings

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
export const GREATER = 62
export const BRACKET_OPEN = 91
export const BACKSLASH = 92
export const BRACKET_CLOSE = 93
export const BACKTICK = 96
export const LETTER_E = 101
export const LETTER_U = 117
export const BRACE_OPEN = 123
export const BRACE_CLOSE = 125

export function isSpace(c: number): boolean {
  return c === SPACE || c === NEWLINE || c === RETURN || c === TAB
}
