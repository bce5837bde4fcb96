/**
 * Finds literals in text that arrives in pieces: one table, one lookup per character, nothing scanned twice.
 *
 * `free` automata (Aho–Corasick) look anywhere in the text; the depth of the current node is exactly the
 * length of the suffix that could still become a literal, so it is what must be held back, and no more.
 * `anchored` ones (a plain trie) look only at the place where they started.
 */

import { MOST_SPACE } from '../../values/xml/spaced-tag.ts'

export interface LiteralOptions {
  readonly anchored: boolean
  /** ASCII letters match in either case. */
  readonly ignoreCase: boolean
  /** In literals that are tags, white space may stand before the `>`, as XML has it, and one space behind `</`. */
  readonly spacedTags?: boolean
  /** Other characters at which `skip` stops: something else is looked for there. */
  readonly stops?: readonly number[]
}

const SPACES = [32, 10, 9, 13]
const BRACKET = 62

/** Leads nowhere: an anchored automaton saw a character that no literal has here. */
export const DEAD = -1

const NEWLINE = 10

export class Literals {
  /** Next node by `node * width + class of the character`. */
  readonly table: Int32Array
  readonly width: number
  /** Class of each ASCII character; 0 is 'in no literal'. */
  readonly ascii: Uint16Array
  private readonly others: ReadonlyMap<number, number>
  /** How many characters lead to a node. */
  readonly depth: Int32Array
  /** Index of the literal that is complete at a node, or -1, and how many characters were read of it. */
  readonly found: Int32Array
  readonly length: Int32Array
  /** How many characters the longest literal can have. */
  readonly longest: number
  /**
   * The characters to look for where a literal may begin. A line break whose literals go on with another of them
   * (`\n</parameter>` beside `</parameter>`) is not among them: it is found by looking back.
   */
  readonly starts: readonly number[]
  private readonly startTexts: readonly string[]
  private readonly looksBack: boolean
  /** Whether `skip` stops there, for each ASCII character. */
  readonly begins: Uint8Array

  constructor(written: readonly string[], options: LiteralOptions) {
    const spaced = options.spacedTags ? written.flatMap(spacedCloser) : []
    const literals = [...written, ...spaced.map(({ literal }) => literal)]
    const indexOf = (at: number): number => spaced[at - written.length]?.index ?? at
    const fold = options.ignoreCase ? foldCase : (code: number) => code
    const classes = new Map<number, number>()
    for (const literal of literals)
      for (let i = 0; i < literal.length; i++) {
        const code = fold(literal.charCodeAt(i))
        if (!classes.has(code)) classes.set(code, classes.size + 1)
      }
    const tags = options.spacedTags ? literals.filter(isTag).length : 0
    if (tags > 0) for (const code of SPACES) if (!classes.has(code)) classes.set(code, classes.size + 1)
    this.width = classes.size + 1

    // The trie, in a table that has room for every character of every literal …
    const spaces = spaceClasses(literals, classes)
    const most =
      literals.reduce((sum, literal) => sum + literal.length, 1) + tags * MOST_SPACE * spaces.length * 2
    const table = new Int32Array(most * this.width).fill(DEAD)
    const depth = new Int32Array(most)
    const found = new Int32Array(most).fill(-1)
    const length = new Int32Array(most)
    let count = 1
    /** The node that a character of this class leads to. It is made if there is none. */
    const next = (node: number, index: number): number => {
      const at = node * this.width + index
      if (table[at] === DEAD) {
        depth[count] = depth[node]! + 1
        table[at] = count++
      }
      return table[at]!
    }
    const end = (node: number, index: number): void => {
      if (found[node] !== -1) return
      found[node] = index
      length[node] = depth[node]!
    }
    const last: number[] = []
    literals.forEach((literal, index) => {
      let node = 0
      for (let i = 0; i < literal.length; i++) {
        last[index] = node
        node = next(node, classes.get(fold(literal.charCodeAt(i)))!)
      }
      end(node, indexOf(index))
    })
    // … then white space in tags, behind each amount of which the tag may end …
    if (tags > 0)
      literals.forEach((literal, index) => {
        const name = last[index]!
        const isLiteral = spaces.flat().some((space) => table[name * this.width + space] !== DEAD)
        if (isLiteral || !isTag(literal)) return
        let level = [name]
        for (let amount = 1; amount <= MOST_SPACE; amount++)
          level = spaces.map((group) => {
            const node = next(level[0]!, group[0]!)
            for (const from of level) for (const space of group) table[from * this.width + space] = node
            end(next(node, classes.get(BRACKET)!), indexOf(index))
            return node
          })
      })
    // … and, for free search, what is left of a failed match: the longest suffix that still is a prefix.
    if (!options.anchored) addFallbacks(table, this.width, found, length, count)

    this.table = table.slice(0, count * this.width)
    this.depth = depth.slice(0, count)
    this.found = found.slice(0, count)
    this.length = length.slice(0, count)
    this.longest = this.depth.reduce((most, depth) => Math.max(most, depth), 0)

    this.ascii = new Uint16Array(128)
    const others = new Map<number, number>()
    const starts = new Set<number>()
    for (const [code, index] of classes)
      for (const spelling of options.ignoreCase && isLower(code) ? [code, code - 32] : [code]) {
        if (spelling < 128) this.ascii[spelling] = index
        else others.set(spelling, index)
        if (table[index]! > 0) starts.add(spelling)
      }
    this.others = others
    this.begins = Uint8Array.from(this.ascii, (index) => (table[index]! > 0 ? 1 : 0))
    for (const code of options.stops ?? []) {
      this.begins[code] = 1
      starts.add(code)
    }
    const hadLines = starts.delete(NEWLINE)
    this.looksBack =
      hadLines && literals.every((literal) => literal[0] !== '\n' || starts.has(literal.charCodeAt(1)))
    if (hadLines && !this.looksBack) starts.add(NEWLINE)
    this.starts = [...starts]
    this.startTexts = this.starts.map((code) => String.fromCharCode(code))
  }

  /** Whether `skip` stops at each of these characters. */
  startAt(codes: readonly number[]): boolean {
    return codes.every((code) => this.starts.includes(code))
  }

  step(node: number, code: number): number {
    return this.table[node * this.width + (code < 128 ? this.ascii[code]! : this.classOf(code))]!
  }

  /** The node that a text leads to. */
  after(text: string): number {
    let node = 0
    for (let at = 0; at < text.length; at++) node = this.step(node, text.charCodeAt(at))
    return node
  }

  classOf(code: number): number {
    return this.others.size === 0 ? 0 : (this.others.get(code) ?? 0)
  }

  /** Whether a literal may begin at an index and go on behind it, as far as two characters tell. */
  mayBeginAt(text: string, at: number): boolean {
    const node = this.step(0, text.charCodeAt(at))
    return node !== 0 && at + 1 < text.length && this.depth[this.step(node, text.charCodeAt(at + 1))] === 2
  }

  /** The next index at which a literal could begin, or `to`. */
  skip(text: string, from: number, to: number): number {
    if (to - from >= FAR && this.starts.length <= FEW) return this.searchStart(text, from, to)
    const { begins } = this
    for (let i = from; i < to; i++) {
      const code = text.charCodeAt(i)
      if (code < 128 ? begins[code] !== 0 : this.table[this.classOf(code)]! > 0) return i
    }
    return to
  }

  /** The same for long text, where only a few characters can begin a literal. */
  private searchStart(text: string, from: number, to: number): number {
    const { startTexts } = this
    if (startTexts.length === 0) return to
    for (let start = from; start < to; start += WINDOW) {
      const end = Math.min(to, start + WINDOW)
      // Where the window ends with the text, nothing has to be cut out.
      const isLast = end === text.length
      const window = isLast ? text : text.slice(start, end)
      let at = -1
      for (let index = 0; index < startTexts.length; index++) {
        const other = window.indexOf(startTexts[index]!, isLast ? start : 0)
        if (other !== -1 && (at === -1 || other < at)) at = other
      }
      if (at !== -1) return this.lineBefore(text, from, isLast ? at : start + at)
    }
    return this.lineBefore(text, from, to)
  }

  /** The line break right before `at`, if it may belong to a literal. */
  private lineBefore(text: string, from: number, at: number): number {
    return this.looksBack && at > from && text.charCodeAt(at - 1) === NEWLINE ? at - 1 : at
  }
}

const tables = new Map<string, Literals>()

/** The table that finds these anywhere in text, made once. */
export function tableOf(...literals: readonly string[]): Literals {
  const key = literals.join('\0')
  let table = tables.get(key)
  if (table === undefined) {
    table = new Literals(literals, { anchored: false, ignoreCase: false })
    if (tables.size === MOST_TABLES) tables.clear()
    tables.set(key, table)
  }
  return table
}

/** Tables that are kept. There are as many as there are notations. */
const MOST_TABLES = 64

/** From here on a search by the platform is faster than looking at each character. */
const FAR = 16

/** With more characters to look for, it is not. */
const FEW = 3

/** A search looks no further ahead than this: one that finds nothing would be made again and again. */
const WINDOW = 512

function addFallbacks(
  table: Int32Array,
  width: number,
  found: Int32Array,
  length: Int32Array,
  count: number,
): void {
  // Several characters of white space lead to the same node, which is looked at once.
  const fallback = new Int32Array(count).fill(DEAD)
  const queue: number[] = []
  for (let at = 0; at < width; at++) {
    if (table[at] === DEAD) table[at] = 0
    else {
      fallback[table[at]!] = 0
      queue.push(table[at]!)
    }
  }
  for (let head = 0; head < queue.length; head++) {
    const node = queue[head]!
    const behind = fallback[node]!
    if (found[node] === -1) {
      found[node] = found[behind]!
      length[node] = length[behind]!
    }
    for (let at = 0; at < width; at++) {
      const child = table[node * width + at]!
      const instead = table[behind * width + at]!
      if (child === DEAD) table[node * width + at] = instead
      else if (fallback[child] === DEAD) {
        fallback[child] = instead
        queue.push(child)
      }
    }
  }
}

/** `</city>`, also behind a prefix. */
function isTag(literal: string): boolean {
  return /<(?:\/ ?)?[\p{L}\w:.-]+>$/u.test(literal)
}

/** The same tag as some models write it: `</ city>`. */
function spacedCloser(
  literal: string,
  index: number,
): { readonly literal: string; readonly index: number }[] {
  return isTag(literal) && literal.includes('</') ? [{ literal: literal.replace('</', '</ '), index }] : []
}

/** White space by its classes. What begins a literal stands alone: a tag that it breaks may go on as that literal. */
function spaceClasses(literals: readonly string[], classes: ReadonlyMap<number, number>): number[][] {
  const begins = new Set(literals.map((literal) => literal.charCodeAt(0)))
  const classesOf = (codes: readonly number[]) => codes.map((code) => classes.get(code) ?? 0)
  const alone = SPACES.filter((code) => begins.has(code)).map((code) => classesOf([code]))
  return [classesOf(SPACES.filter((code) => !begins.has(code))), ...alone].filter(({ length }) => length > 0)
}

function foldCase(code: number): number {
  return isLower(code + 32) ? code + 32 : code
}

function isLower(code: number): boolean {
  return code >= 97 && code <= 122
}
