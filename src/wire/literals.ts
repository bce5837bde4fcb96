/**
 * Finds literals in text that arrives in pieces: one table, one lookup per character, nothing scanned twice.
 *
 * `free` automata (Aho–Corasick) look anywhere in the text; the depth of the current node is exactly the
 * length of the suffix that could still become a literal, so it is what must be held back, and no more.
 * `anchored` ones (a plain trie) look only at the place where they started.
 */

import { type Stops, type StopsSource, stopsAt, type Treatment } from '../run.ts'

export interface LiteralOptions {
  readonly anchored: boolean
  /** ASCII letters match in either case. */
  readonly ignoreCase: boolean
}

/** Leads nowhere: an anchored automaton saw a character that no literal has here. */
export const DEAD = -1

const NEWLINE = 10

export class Literals implements StopsSource {
  /** Next node by `node * width + class of the character`. */
  readonly table: Int32Array
  readonly width: number
  /** Class of each ASCII character; 0 is 'in no literal'. */
  readonly ascii: Uint16Array
  private readonly others: ReadonlyMap<number, number>
  /** How many characters lead to a node. */
  readonly depth: Int32Array
  /** Index of the literal that is complete at a node, or -1. */
  readonly found: Int32Array
  readonly literals: readonly string[]
  /**
   * The characters to look for where a literal may begin. A line break whose literals go on with another of them
   * (`\n</parameter>` beside `</parameter>`) is not among them: it is found by looking back.
   */
  private readonly starts: readonly number[]
  private readonly looksBack: boolean
  private readonly stopsByTreatment = new Map<Treatment, Stops | null>()

  constructor(literals: readonly string[], options: LiteralOptions) {
    this.literals = literals
    const fold = options.ignoreCase ? foldCase : (code: number) => code
    const classes = new Map<number, number>()
    for (const literal of literals)
      for (let i = 0; i < literal.length; i++) {
        const code = fold(literal.charCodeAt(i))
        if (!classes.has(code)) classes.set(code, classes.size + 1)
      }
    this.width = classes.size + 1
    this.ascii = new Uint16Array(128)
    const others = new Map<number, number>()
    for (const [code, index] of classes) {
      if (code >= 128) others.set(code, index)
      else this.ascii[code] = index
      if (options.ignoreCase && code >= 97 && code <= 122) this.ascii[code - 32] = index
    }
    this.others = others

    // The trie …
    const next: number[][] = [new Array<number>(this.width).fill(DEAD)]
    const depth = [0]
    const found = [-1]
    literals.forEach((literal, index) => {
      let node = 0
      for (let i = 0; i < literal.length; i++) {
        const at = classes.get(fold(literal.charCodeAt(i)))!
        let child = next[node]![at]!
        if (child === DEAD) {
          child = next.length
          next[node]![at] = child
          next.push(new Array<number>(this.width).fill(DEAD))
          depth.push(depth[node]! + 1)
          found.push(-1)
        }
        node = child
      }
      if (found[node] === -1) found[node] = index
    })
    // … and, for free search, what is left of a failed match: the longest suffix that still is a prefix.
    if (!options.anchored) addFallbacks(next, found)

    this.table = Int32Array.from(next.flat())
    this.depth = Int32Array.from(depth)
    this.found = Int32Array.from(found)
    const starts = new Set(
      literals.flatMap((literal) => spellings(literal.charCodeAt(0), options.ignoreCase)),
    )
    const hadLines = starts.delete(NEWLINE)
    this.looksBack =
      hadLines && literals.every((literal) => literal[0] !== '\n' || starts.has(literal.charCodeAt(1)))
    if (hadLines && !this.looksBack) starts.add(NEWLINE)
    this.starts = [...starts]
  }

  /** Where a run over the text between literals must stop; null if there is no such run. */
  stops(treatment: Treatment): Stops | null {
    let stops = this.stopsByTreatment.get(treatment)
    if (stops === undefined) {
      const last = this.looksBack ? { last: NEWLINE } : {}
      stops =
        treatment === 'as JSON'
          ? stopsAt([...this.starts, ...QUOTES], { ...JSON_RANGE, ...last })
          : stopsAt(treatment === 'decoded' ? [...this.starts, AMPERSAND] : this.starts, last)
      this.stopsByTreatment.set(treatment, stops)
    }
    return stops
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

  /** The next index at which a literal could begin, or `to`. */
  skip(text: string, from: number, to: number): number {
    const { ascii, table } = this
    if (this.starts.length <= 2 && to - from >= FAR) return this.searchStart(text, from, to)
    const plain = this.others.size === 0
    for (let i = from; i < to; i++) {
      const code = text.charCodeAt(i)
      const at = code < 128 ? ascii[code]! : plain ? 0 : this.classOf(code)
      if (at !== 0 && table[at]! > 0) return i
    }
    return to
  }

  /** The same for long text, where no more than two characters can begin a literal. */
  private searchStart(text: string, from: number, to: number): number {
    const [first, second] = this.starts
    if (first === undefined) return to
    for (let start = from; start < to; start += WINDOW) {
      const end = Math.min(to, start + WINDOW)
      const window = start === 0 && end === text.length ? text : text.slice(start, end)
      let at = window.indexOf(String.fromCharCode(first))
      if (second !== undefined) {
        const other = window.indexOf(String.fromCharCode(second))
        if (other !== -1 && (at === -1 || other < at)) at = other
      }
      if (at !== -1) return this.lineBefore(text, from, start + at)
    }
    return this.lineBefore(text, from, to)
  }

  /** The line break right before `at`, if it may belong to a literal. */
  private lineBefore(text: string, from: number, at: number): number {
    return this.looksBack && at > from && text.charCodeAt(at - 1) === NEWLINE ? at - 1 : at
  }
}

const AMPERSAND = 38
const QUOTES = [34, 92]
/** What stands in a JSON string as it is, besides the quotes. */
const JSON_RANGE = { low: 32, high: 0xd7ff }

/** From here on a search by the platform is faster than looking at each character. */
const FAR = 16

/** A search looks no further ahead than this: one that finds nothing would be made again and again. */
const WINDOW = 512

function spellings(code: number, ignoreCase: boolean): number[] {
  const isLetter = (code >= 65 && code <= 90) || (code >= 97 && code <= 122)
  return ignoreCase && isLetter ? [code, code ^ 32] : [code]
}

function addFallbacks(next: number[][], found: number[]): void {
  const fallback = new Array<number>(next.length).fill(0)
  const queue: number[] = []
  const width = next[0]!.length
  for (let at = 0; at < width; at++) {
    const child = next[0]![at]!
    if (child === DEAD) next[0]![at] = 0
    else queue.push(child)
  }
  for (let head = 0; head < queue.length; head++) {
    const node = queue[head]!
    const behind = fallback[node]!
    if (found[node] === -1) found[node] = found[behind]!
    for (let at = 0; at < width; at++) {
      const child = next[node]![at]!
      if (child === DEAD) next[node]![at] = next[behind]![at]!
      else {
        fallback[child] = next[behind]![at]!
        queue.push(child)
      }
    }
  }
}

function foldCase(code: number): number {
  return code >= 65 && code <= 90 ? code + 32 : code
}
