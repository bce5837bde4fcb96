// Draws the rooms of src/ into docs/architecture.md and CONTRIBUTING.md, as the floors of a house.
import { readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { FILES, placeOf, ROOMS, sourcesOf } from './check-imports.mjs'

/** The pages, and whether their picture shows what is inside the rooms. */
const PAGES = /** @type {const} */ ([
  ['docs/architecture.md', true],
  ['CONTRIBUTING.md', false],
])
const DRAWING = /(?<=^```text floors\n)[\s\S]*?(?=^```$)/m

/** @typedef {import('./check-imports.mjs').Place} Place */

/** How wide the part beside the names of the rooms is. */
const WIDTH = 92
const NAME = Math.max(...ROOMS.map(({ name }) => name.length))

/**
 * The floors of the package at `root`, the first room at the top. `isOpen`: below what a room is for are its places, in
 * the order in which they may be imported.
 *
 * @param {string} root @param {boolean} isOpen
 */
export function drawFloors(root, isOpen) {
  const places = sourcesOf(root).flatMap((file) => placeOf(file) ?? [])
  const floors = ROOMS.map((room) => {
    const inside = isOpen ? orderOf(places.filter((one) => one.room === room)) : ''
    return [...wrapped(room.what), ...wrapped(inside)]
      .map((line, at) => `│ ${(at === 0 ? room.name : '').padEnd(NAME)}  ${line.padEnd(WIDTH)} │\n`)
      .join('')
  })
  const edge = '─'.repeat(NAME + WIDTH + 4)
  return `┌${edge}┐\n${floors.join(isOpen ? `├${edge}┤\n` : '')}└${edge}┘\n`
}

/** The places of a room, `a → b` where b may import a; nothing for a room of one place. @param {Place[]} places */
function orderOf(places) {
  const rows = [...new Set(places.map(({ row }) => row))].sort((a, b) => a - b)
  const shown = rows.map((row) =>
    [...new Set(places.filter((one) => one.row === row).map(({ place }) => place.replace(/\/$/, '')))].sort(),
  )
  if (shown.flat().length < 2) return ''
  return shown.map((names) => names.join(', ').replace(FILES, 'its files')).join(' → ')
}

/** @param {string} text */
function wrapped(text) {
  /** @type {string[]} */
  const lines = []
  for (const word of text.split(' ').filter(Boolean)) {
    const line = lines.at(-1)
    if (line === undefined || line.length + 1 + word.length > WIDTH) lines.push(word)
    else lines[lines.length - 1] = `${line} ${word}`
  }
  return lines
}

if (process.argv[1] === fileURLToPath(import.meta.url)) {
  const root = fileURLToPath(new URL('..', import.meta.url))
  for (const [page, isOpen] of PAGES) {
    const text = readFileSync(join(root, page), 'utf8')
    writeFileSync(
      join(root, page),
      text.replace(DRAWING, () => drawFloors(root, isOpen)),
    )
  }
}
