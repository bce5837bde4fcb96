/** Arbitrary JSON texts for the laws: valid ones in every spelling, and valid ones that were edited. */

import fc from 'fast-check'

const key = fc.oneof(
  fc.constantFrom('a', 'b', 'path', '__proto__', 'constructor', 'toString', '', '0', '10', 'a/b~c', 'ключ'),
  fc.string({ unit: 'binary', maxLength: 6 }),
)

const number = fc.oneof(
  fc.integer({ min: -1000, max: 100_000 }),
  fc.double({ noNaN: true, noDefaultInfinity: true }),
  fc.constantFrom(-0, 1e21, 5e-324, 2 ** 70),
)

const string = fc.oneof(
  fc.string({ unit: 'binary', maxLength: 12 }),
  fc.constantFrom(
    '😀',
    '\ud83d',
    'a\ude00',
    'line\nline\ttab',
    'C:\\new\\table',
    '{"a":[1,}',
    'say "hi"',
    '\u2028',
  ),
)

/** A value without holes: JSON can say it. */
export const value = fc.letrec((tie) => ({
  value: fc.oneof(
    { depthSize: 'small', maxDepth: 5 },
    fc.oneof(string, number, fc.constantFrom(true, false, null)),
    fc.array(tie('value'), { maxLength: 4 }),
    fc.array(fc.tuple(key, tie('value')), { maxLength: 4 }).map(objectOf),
  ),
})).value

function objectOf(entries: readonly (readonly [string, unknown])[]): object {
  const object = {}
  for (const [name, member] of entries) {
    Object.defineProperty(object, name, {
      value: member,
      writable: true,
      enumerable: true,
      configurable: true,
    })
  }
  return object
}

/** The tokens of a valid text, in one of its many spellings: escapes, exponents, spaces. */
const tokens = fc.tuple(value, fc.nat()).map(([root, seed]) => {
  const random = randomFrom(seed)
  const written: string[] = []
  write(root, written, random)
  return written
})

export const text = tokens.map((written) => written.join(''))

function write(root: unknown, out: string[], random: () => number): void {
  const space = () => {
    if (random() < 0.15) out.push([' ', '\n', '\t', '\r\n  '][Math.floor(random() * 4)]!)
  }
  space()
  if (Array.isArray(root)) {
    out.push('[')
    root.forEach((element, index) => {
      if (index > 0) out.push(',')
      write(element, out, random)
    })
    space()
    out.push(']')
  } else if (typeof root === 'object' && root !== null) {
    out.push('{')
    Object.entries(root).forEach(([name, member], index) => {
      if (index > 0) out.push(',')
      space()
      out.push(spelled(name, random))
      space()
      out.push(':')
      write(member, out, random)
    })
    space()
    out.push('}')
  } else if (typeof root === 'string') out.push(spelled(root, random))
  else if (Object.is(root, -0)) out.push('-0')
  else if (typeof root === 'number' && random() < 0.3)
    out.push(root.toExponential().replace('+', random() < 0.5 ? '+' : ''))
  else out.push(JSON.stringify(root))
  space()
}

function spelled(content: string, random: () => number): string {
  let inside = ''
  for (const unit of content.split('')) {
    const plain = JSON.stringify(unit).slice(1, -1)
    if (unit === '/' && random() < 0.3) inside += '\\/'
    else if (plain.length > 1 || random() > 0.15) inside += plain
    else inside += `\\u${unit.charCodeAt(0).toString(16).padStart(4, '0')}`
  }
  return `"${inside}"`
}

/** What a model, or a hurried hand, puts where it does not belong. */
const oddities = [
  ...[
    ',',
    ':',
    '{',
    '}',
    '[',
    ']',
    '"',
    "'",
    '`',
    '“',
    '”',
    '‘',
    '\\',
    '\\"',
    '\\n',
    '\\u00',
    '\\ud83d',
    '\\ude00',
  ],
  ...[
    '\ud83d',
    '\ude00',
    '\ufeff',
    '\u00a0',
    '\u0001',
    ' ',
    '\n',
    '//c\n',
    '/*d*/',
    '/',
    '#e\n',
    '```json\n',
    '```',
  ],
  ...[
    '...',
    '=',
    '=>',
    'True',
    'None',
    'tru',
    'NaN',
    '-Infinity',
    '+5',
    '.5',
    '5.',
    '01',
    '1e',
    '-',
    '0x1F',
    'foo',
    'foo bar',
  ],
  ...[
    '12/31',
    '"k"',
    '"k":1',
    "'it\\'s'",
    '`x`',
    '“y”',
    'key:',
    '\\d',
    "\\'",
    '😀',
    '\t',
    '"say "hi" now"',
    '"C:\\temp"',
  ],
]

/** What stands behind a key or a value and is known only by its second character, which may be in another chunk. */
const twoCharacters = ['\\"', '\\n', '//', '/*', '/1', '=>', '``', '..']

type Edit = readonly [
  'drop' | 'double' | 'swap' | 'cut' | 'insert' | 'cut inside' | 'after a token',
  number,
  number,
]

const edit: fc.Arbitrary<Edit> = fc.tuple(
  fc.constantFrom('drop', 'double', 'swap', 'cut', 'insert', 'insert', 'cut inside', 'after a token'),
  fc.nat(1000),
  fc.nat(1000),
)

/** A valid text with one to four things done to it. */
export const edited = fc
  .tuple(tokens, fc.array(edit, { minLength: 1, maxLength: 4 }))
  .map(([written, edits]) => {
    let pieces = [...written]
    for (const [what, a, b] of edits) {
      const at = a % (pieces.length + 1)
      const piece = pieces[at] ?? ''
      if (what === 'drop') pieces.splice(at, 1)
      else if (what === 'double') pieces.splice(at, 0, piece)
      else if (what === 'swap') pieces.splice(at, 2, ...pieces.slice(at, at + 2).reverse())
      else if (what === 'cut') pieces = pieces.slice(0, at)
      else if (what === 'insert') pieces.splice(at, 0, oddities[b % oddities.length]!)
      else if (what === 'after a token') replaceSign(pieces, a, twoCharacters[b % twoCharacters.length]!)
      else pieces.splice(at, 1, piece.slice(0, b % (piece.length + 1)))
    }
    return pieces.join('')
  })

/** In place of a colon, a comma or a closer. */
function replaceSign(pieces: string[], at: number, by: string): void {
  const signs = pieces.flatMap((piece, index) => (/^[:,}\]]$/.test(piece) ? [index] : []))
  if (signs.length > 0) pieces[signs[at % signs.length]!] = by
}

/** Text that has nothing to do with JSON, except for its characters. */
export const noise = fc
  .array(fc.constantFrom(...oddities, 'a', '1', 'true', '"x"'), { maxLength: 16 })
  .map((all) => all.join(''))

/** A string that may end anywhere, of the characters that it treats in a special way. */
export const openString = fc
  .tuple(
    fc.constantFrom('"', '["', '{"a": "', '{"', "'", '\\"'),
    fc.array(
      fc.constantFrom(
        ...[
          'a',
          'xxtrue1',
          '"',
          "'",
          '”',
          '\ud83d',
          '\ude00',
          '😀',
          '\\',
          '\\"',
          '\\n',
          '\\d',
          '\\ud83d',
          '\\ude00',
        ],
        ...['\\u00', ', ', ':', '}', '\n'],
      ),
      { maxLength: 10 },
    ),
  )
  .map(([before, pieces]) => before + pieces.join(''))

export const anyText = fc.oneof({ weight: 2, arbitrary: edited }, text, noise)

/** The text in pieces of random sizes. */
export function cutAt(whole: string, sizes: readonly number[]): string[] {
  const chunks: string[] = []
  let from = 0
  for (let k = 0; from < whole.length; k++) {
    const size = sizes.length === 0 ? whole.length : (sizes[k % sizes.length] ?? 1)
    chunks.push(whole.slice(from, from + size))
    from += size
  }
  return chunks
}

export const sizes = fc.array(fc.integer({ min: 1, max: 7 }), { maxLength: 6 })

export function randomFrom(seed: number): () => number {
  let state = seed | 1
  return () => {
    state ^= state << 13
    state ^= state >>> 17
    state ^= state << 5
    return (state >>> 0) / 2 ** 32
  }
}
