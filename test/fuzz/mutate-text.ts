/** Changes to text that keep most of its structure: what is changed are the pieces that a reader would see. */

import type { Random } from './random.ts'

/** Tags, markers, brackets, quotes, words and white space. */
const PIECES =
  /<\|[^|<>]*\|>|<[^<>]*>|\[[A-Z_/]+\]|```\w*|[{}[\]():,"'=`]|\\u[\da-fA-F]{4}|\\.|\s+|[^\s<>{}[\]():,"'=`\\]+|[<>\\]/gs

/** What breaks readers of text. */
const AWKWARD = [
  ...['\ud83d', '\ude00', '😀', '\ufeff', '\u0000', '\u2028', '\u00a0', '\r', '\r\n', '\u202e', 'é', 'İ'],
  ...['\\', '\\"', '\\u', '\\u00', '\\ud83d', '\\ud83d\\ude00', '"', "'", '`', '```', '```json\n', '"""'],
  ...['<', '</', '<!', '<![CDATA[', ']]>', '<!--', '&lt;', '&', '&#60;', '<|', '|>', '<?', '/>'],
  ...['{', '}', '[', ']', '{}', '[]', ',', ',,', ':', '//', '/*', '*/', '#', '=', '(', ')', ';'],
  ...[
    'null',
    'true',
    'True',
    'None',
    'NaN',
    '-',
    '-0',
    '1e999',
    '0x1',
    '01',
    '.5',
    '1.',
    '1e',
    '9'.repeat(30),
  ],
  ...['__proto__', 'constructor', 'name', 'arguments', 'parameters', '\n', '\n\n', ' ', '\t', 'x'],
]

const WHITE = ['', ' ', '\n', '\n\n', '\t', ' \n ', '\r\n']

type Change = (pieces: string[], at: number, random: Random, others: Others) => void

export interface Others {
  /** Another text of the corpus. */
  readonly text: string
  /** Markup of the format, and of others. */
  readonly markup: readonly string[]
}

const piecesOf = (text: string): string[] => text.match(PIECES) ?? []

/** Some pieces in a row, from a random place. */
function someOf(pieces: readonly string[], random: Random): string[] {
  const from = random.below(pieces.length)
  return pieces.slice(from, from + 1 + random.below(6))
}

const CHANGES: readonly Change[] = [
  (pieces, at, random) => pieces.splice(at, 1 + random.below(4)),
  (pieces, at, random) => pieces.splice(at, 0, ...someOf(pieces, random)),
  (pieces, at, random) => pieces.splice(at, 0, ...pieces.splice(random.below(pieces.length), 1)),
  (pieces, at, random, { text }) => pieces.splice(at, random.below(3), ...someOf(piecesOf(text), random)),
  (pieces, at, random, { text }) =>
    pieces.splice(at, pieces.length, ...piecesOf(text).slice(random.below(20))),
  (pieces, at, random, { markup }) => pieces.splice(at, random.below(2), random.of(markup)),
  (pieces, at, random) => pieces.splice(at, random.below(2), random.of(AWKWARD)),
  (pieces, at, random) => pieces.splice(at, 0, random.of(WHITE)),
  (pieces, at) => pieces.splice(at, pieces.length),
  (pieces, at, random) => {
    const piece = pieces[at]!
    pieces.splice(at, pieces.length, piece.slice(0, random.below(piece.length + 1)))
  },
  (pieces, at, random) => {
    const piece = pieces[at]!
    const cut = random.below(piece.length + 1)
    pieces[at] = piece.slice(0, cut) + random.of(AWKWARD) + piece.slice(cut)
  },
  (pieces, at, random) => {
    const piece = pieces[at]!
    const cut = random.below(piece.length)
    pieces[at] = piece.slice(0, cut) + piece.slice(cut + 1)
  },
  (pieces, at) => {
    const piece = pieces[at]!
    pieces[at] = piece === piece.toUpperCase() ? piece.toLowerCase() : piece.toUpperCase()
  },
  // A text inside a string of the text.
  (pieces, at, _, { text }) => pieces.splice(at, 0, JSON.stringify(text).slice(1, -1)),
  // What stands between quotes, changed to something else.
  (pieces, at, random, { text }) => {
    const open = pieces.indexOf('"', at)
    const close = pieces.indexOf('"', open + 1)
    if (open !== -1 && close !== -1)
      pieces.splice(
        open + 1,
        close - open - 1,
        JSON.stringify(someOf(piecesOf(text), random).join('')).slice(1, -1),
      )
  },
]

/** A text with one to four changes, and not longer than this. */
export function mutateText(text: string, random: Random, others: Others, longest: number): string {
  const pieces = piecesOf(text)
  for (let count = 1 + random.below(4); count > 0; count--) {
    if (pieces.length === 0) pieces.push(random.of(others.markup))
    if (others.text === '' && pieces.length === 0) break
    random.of(CHANGES)(pieces, random.below(pieces.length), random, {
      ...others,
      text: others.text === '' ? text : others.text,
    })
  }
  return pieces.join('').slice(0, longest)
}

/** Shorter texts that may show the same: without half of it, a quarter, …, one piece, one character. */
export function* shorterTexts(text: string): Generator<string> {
  for (const split of [piecesOf, (whole: string) => whole.split('')]) {
    const pieces = split(text)
    for (let size = pieces.length >> 1; size >= 1; size >>= 1)
      for (let at = 0; at < pieces.length; at += size)
        yield [...pieces.slice(0, at), ...pieces.slice(at + size)].join('')
  }
}
