// Draws the folders of src/ and their imports into docs/architecture.md, as a Mermaid diagram.
import { readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { entryOf, importsBelow, LAYERS } from './check-imports.mjs'

const PAGE = 'docs/architecture.md'
const DIAGRAM = /(?<=^```mermaid\n)[\s\S]*?(?=^```$)/m

/** The files of the first layer, which import nothing from the others, are one box. */
const BASE = 'base'

/** @param {string} entry */
const boxOf = (entry) => (LAYERS[0]?.includes(entry) ? BASE : entry)

/**
 * The diagram of the package at `root`. An arrow that follows from two others is left out.
 *
 * @param {string} root
 */
export function drawImports(root) {
  /** @type {Map<string, Set<string>>} */
  const arrows = new Map()
  for (const [file, { inside }] of importsBelow(root)) {
    const from = boxOf(entryOf(file))
    const targets = arrows.get(from) ?? new Set()
    arrows.set(from, targets)
    for (const target of inside) if (boxOf(entryOf(target)) !== from) targets.add(boxOf(entryOf(target)))
  }

  /** Everything that a box reaches. @param {string} from @returns {Set<string>} */
  function reach(from, reached = new Set()) {
    for (const to of arrows.get(from) ?? []) if (!reached.has(to)) reach(to, reached.add(to))
    return reached
  }

  const boxes = [...new Set(LAYERS.flat().map(boxOf))].filter((box) => arrows.has(box)).reverse()
  const lines = boxes.flatMap((from) => {
    const targets = [...(arrows.get(from) ?? [])]
    return targets
      .filter((to) => !targets.some((other) => reach(other).has(to)))
      .sort((a, b) => boxes.indexOf(a) - boxes.indexOf(b))
      .map((to) => `  ${from} --> ${to}\n`)
  })
  const { length } = [...importsBelow(root).keys()].filter((file) => boxOf(entryOf(file)) === BASE)
  return `flowchart TD\n  ${BASE}["${length} files: event, errors, limits, …"]\n${lines.join('')}`
}

if (process.argv[1] === fileURLToPath(import.meta.url)) {
  const root = fileURLToPath(new URL('..', import.meta.url))
  const page = readFileSync(join(root, PAGE), 'utf8')
  writeFileSync(
    join(root, PAGE),
    page.replace(DIAGRAM, () => drawImports(root)),
  )
}
