/** Where line breaks are pauses: at lists, headings and paragraphs. */

/** Behind these at the start of a line, and a space, stands an item of a list. */
const BULLETS = '-*+•·–'

/**
 * Whether a line break ends a sentence. Undefined if more of the next line is needed to know.
 *
 *     One⏎two        no: a line was wrapped
 *     One⏎⏎two       yes: a new paragraph
 *     Two things:⏎   yes
 *     - one⏎- two    yes
 */
export function endsLine(line: string, next: string): boolean | undefined {
  const text = line.trim()
  if (text === '') return false
  if (text.endsWith(':') || isStructured(line)) return true
  const follows = next.trimStart()
  if (follows === '') return next.includes('\n') ? true : undefined
  if (next.slice(0, next.length - follows.length).includes('\n')) return true
  return beginsStructure(follows)
}

/** `1`, `a` or `iv` at the start of a line: the full stop behind it belongs to a list. */
export function isListMarker(line: string | undefined): boolean {
  return (
    line !== undefined &&
    /^\s*(?:\d{1,3}|\p{L}|[ivxlcIVXLC]{1,5})$/u.test(line.slice(-40)) &&
    line.length <= 40
  )
}

/** A heading, an item of a list, a quotation, a row of a table: such a line is complete by itself. */
function isStructured(line: string): boolean {
  return beginsStructure(`${line.trimStart()} `) === true
}

function beginsStructure(text: string): boolean | undefined {
  const [first = '', second] = text
  if (first === '#' || first === '>' || first === '|') return true
  if (BULLETS.includes(first)) return second === undefined ? undefined : second === ' ' || second === '\t'
  const [marker] = /^(?:\d{1,3}|\p{Lowercase_Letter})/u.exec(text) ?? []
  if (marker === undefined) return false
  const rest = text.slice(marker.length)
  if (rest.length < 2) return rest === '' || '.)'.includes(rest[0]!) ? undefined : false
  return '.)'.includes(rest[0]!) && (rest[1] === ' ' || rest[1] === '\t')
}
