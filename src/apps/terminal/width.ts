/**
 * How many cells of a terminal a text takes. Terminals disagree about joined emoji; each of their parts is counted here,
 * because a row that is thought too wide is wrapped early, and one that is thought too narrow would break the screen.
 */

/** Cells of one character: none for a mark or a joiner, two for a wide one. */
function cellsOf(character: string): number {
  const code = character.codePointAt(0)!
  if (code < 0x300) return code < 0x20 || (code >= 0x7f && code < 0xa0) || code === 0xad ? 0 : 1
  // It makes an emoji of a sign of one cell.
  if (code === 0xfe0f) return 1
  if (NO_CELLS.test(character)) return 0
  return isWide(code) || EMOJI.test(character) ? 2 : 1
}

const NO_CELLS = /^[\p{Mn}\p{Me}\p{Cf}]$/u
const EMOJI = /^\p{Emoji_Presentation}$/u

/** East Asian letters, signs and full-width forms. */
function isWide(code: number): boolean {
  return (
    (code >= 0x1100 && code <= 0x115f) ||
    (code >= 0x2e80 && code <= 0xa4cf && code !== 0x303f) ||
    (code >= 0xa960 && code <= 0xa97f) ||
    (code >= 0xac00 && code <= 0xd7a3) ||
    (code >= 0xf900 && code <= 0xfaff) ||
    (code >= 0xfe10 && code <= 0xfe19) ||
    (code >= 0xfe30 && code <= 0xfe6f) ||
    (code >= 0xff00 && code <= 0xff60) ||
    (code >= 0xffe0 && code <= 0xffe6) ||
    (code >= 0x16fe0 && code <= 0x1b2ff) ||
    (code >= 0x1f200 && code <= 0x1f320) ||
    (code >= 0x1f900 && code <= 0x1faff) ||
    (code >= 0x20000 && code <= 0x3fffd)
  )
}

/** Most text, with the gutters and marks that each frame is full of. */
const ONE_CELL_EACH = /^[ -~\xa0-\xac\xae-\u02ff\u2500-\u257f…⋮▸◂◦✓✗]*$/

/** Cells of a text without newlines and tabs. */
export function widthOf(text: string): number {
  if (ONE_CELL_EACH.test(text)) return text.length
  let cells = 0
  for (const character of text) cells += cellsOf(character)
  return cells
}

/** Whether each character is one that can be seen, and takes one cell. */
export const isPrintableAscii = (text: string): boolean => /^[ -~]*$/.test(text)

/** The rows that a terminal of so many columns breaks a row into by itself. */
export function rowsOf(text: string, columns: number): number {
  let rows = 1
  let column = 0
  for (const character of text) {
    const cells = cellsOf(character)
    if (column + cells > columns) {
      rows++
      column = 0
    }
    column += cells
  }
  return rows
}
