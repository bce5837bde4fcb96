/**
 * The pages of the documentation, and what is in them.
 *
 * @reads README.md CONTRIBUTING.md docs/
 */

import { readdirSync, readFileSync } from 'node:fs'
import { fileURLToPath } from 'node:url'

export const ROOT = fileURLToPath(new URL('../..', import.meta.url))

/** A fenced block: its language, the words behind it, and what it holds. */
export interface Block {
  readonly page: string
  readonly line: number
  readonly language: string
  readonly words: readonly string[]
  readonly content: string
}

export interface Page {
  /** From the root, such as `docs/parser.md`. */
  readonly name: string
  readonly text: string
  readonly blocks: readonly Block[]
  readonly headings: readonly string[]
  /** The text without its fenced blocks. */
  readonly prose: string
}

function readPage(name: string): Page {
  const text = readFileSync(`${ROOT}${name}`, 'utf8')
  const blocks: Block[] = []
  const prose: string[] = []
  let open: { fence: string; line: number; info: string; lines: string[] } | undefined
  for (const [index, line] of text.split('\n').entries()) {
    const fence = /^`{3,}/.exec(line)?.[0]
    if (open === undefined && fence !== undefined)
      open = { fence, line: index + 1, info: line.slice(fence.length), lines: [] }
    else if (open === undefined) prose.push(line)
    else if (line === open.fence) {
      const [language = '', ...words] = open.info.split(' ')
      blocks.push({ page: name, line: open.line, language, words, content: open.lines.join('\n') })
      open = undefined
    } else open.lines.push(line)
  }
  const headings = prose.flatMap((line) => /^#+ (.*)$/.exec(line)?.[1] ?? [])
  return { name, text, blocks, headings, prose: prose.join('\n') }
}

const docs = readdirSync(`${ROOT}docs`).filter((name) => name.endsWith('.md'))

export const PAGES: readonly Page[] = [
  'README.md',
  'CONTRIBUTING.md',
  ...docs.sort().map((name) => `docs/${name}`),
].map(readPage)

/** All programs but those that are marked as a part of one. */
export const PROGRAMS: readonly Block[] = PAGES.flatMap(({ blocks }) =>
  blocks.filter(({ language, words }) => language === 'ts' && !words.includes('fragment')),
)

/** The fragment by which a heading is linked to. */
export function anchorOf(heading: string): string {
  return heading
    .toLowerCase()
    .replaceAll(/[^\p{L}\p{N} _-]/gu, '')
    .replaceAll(' ', '-')
}
