/** The texts that are read, made from a fixed seed so that every run reads the same. */

/** @param {number} seed */
function random(seed) {
  let state = seed
  return () => {
    state = (Math.imul(state, 1664525) + 1013904223) >>> 0
    return state / 2 ** 32
  }
}

const WORDS = (
  'the model says what it sees and then it calls a tool with arguments that grow while you watch ' +
  'because nobody wants to wait for a whole file before the first line of it is on the screen'
).split(' ')
const CODE = [
  'export function add(a: number, b: number): number {',
  '  return a + b',
  '}',
  "import { readFile } from 'node:fs/promises'",
  'const table = new Map<string, number>()',
  'for (const [key, value] of table) console.log(`${key}: ${value}`)',
  '  if (value < limit && value > 0) total += value',
  '// a comment that says why, not what',
  '',
  '\tconsole.log("total: " + total)',
  '  const lines = text.split("\\n").filter((line) => !/^\\s*$/.test(line))',
]
const KANJI = 'これは日本語の文章です。ツールを呼び出す前に、少し考えます。'

const until = (length, piece) => {
  const pieces = []
  let size = 0
  while (size < length) {
    const next = piece()
    pieces.push(next)
    size += next.length
  }
  return pieces.join('').slice(0, length)
}

export function prose(length) {
  const next = random(1)
  return until(length, () => {
    const word = WORDS[Math.floor(next() * WORDS.length)]
    return next() < 0.08 ? `${word}.\n` : `${word} `
  })
}

export const nonLatinProse = (length) => until(length, () => KANJI)

/** A `<` about every dozen characters, and most of them the beginning of something that it never becomes. */
export function falseStarts(length) {
  const next = random(2)
  const starts = [
    '<',
    'a < b ',
    '<tool',
    '<tool_cal ',
    '<b>',
    '</',
    '<div class="x">',
    '<tool_call ',
    '<|',
    '{"na',
  ]
  return until(length, () =>
    next() < 0.4
      ? starts[Math.floor(next() * starts.length)]
      : `${WORDS[Math.floor(next() * WORDS.length)]} `,
  )
}

/** Source code, with the quotes, tabs and backslashes that it has: what long arguments are. */
export function code(length) {
  const next = random(3)
  return until(length, () => `${CODE[Math.floor(next() * CODE.length)]}\n`)
}

/** @param {string} text @param {number} size 0: in one piece */
export function cut(text, size) {
  if (size === 0) return [text]
  const chunks = []
  for (let at = 0; at < text.length; at += size) {
    // A flat copy, as it comes from a decoder: a slice would keep the whole text, and be slower to look at.
    const bytes = Buffer.from(text.slice(at, at + size))
    chunks.push(bytes.toString(bytes.length === size ? 'latin1' : 'utf8'))
  }
  return chunks
}
