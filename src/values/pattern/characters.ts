/** Sets of characters: UTF-16 code units, or with the `u` flag code points. */

/** Sorted, and apart from each other. Both ends are in it. */
export type Characters = readonly (readonly [from: number, to: number])[]

const LAST_UNIT = 0xffff
const LAST = 0x10ffff

export const NEWLINES: Characters = [
  [10, 10],
  [13, 13],
  [0x2028, 0x2029],
]
export const DIGITS: Characters = [[48, 57]]
export const WORDS: Characters = [
  [48, 57],
  [65, 90],
  [95, 95],
  [97, 122],
]
export const SPACES: Characters = [
  [9, 13],
  [32, 32],
  [0xa0, 0xa0],
  [0x1680, 0x1680],
  [0x2000, 0x200a],
  [0x2028, 0x2029],
  [0x202f, 0x202f],
  [0x205f, 0x205f],
  [0x3000, 0x3000],
  [0xfeff, 0xfeff],
]

export function character(code: number): Characters {
  return [[code, code]]
}

/** All that is in one of them. */
export function union(sets: readonly Characters[]): Characters {
  const sorted = sets.flat().sort(([a], [b]) => a - b)
  const joined: [number, number][] = []
  for (const [from, to] of sorted) {
    const last = joined.at(-1)
    if (last !== undefined && from <= last[1] + 1) last[1] = Math.max(last[1], to)
    else joined.push([from, to])
  }
  return joined
}

/** All that is not in it. */
export function except(set: Characters): Characters {
  const rest: [number, number][] = []
  let next = 0
  for (const [from, to] of set) {
    if (from > next) rest.push([next, from - 1])
    next = to + 1
  }
  if (next <= LAST) rest.push([next, LAST])
  return rest
}

/** The characters with a property of Unicode, such as `\\p{L}`, or without it: `\\P{L}`. */
export function propertyOf(written: string): Characters {
  const known = properties.get(written)
  if (known !== undefined) return known
  const all = allCharacters()
  const runs = [...all.matchAll(new RegExp(`${written}+`, 'gu'))].map(
    ({ index, 0: run }) => [all.codePointAt(index)!, lastCodeOf(run)] as const,
  )
  // All surrogates have the same properties.
  const set = new RegExp(written, 'u').test('\ud800')
    ? union([runs, SURROGATES])
    : except(union([except(runs), SURROGATES]))
  properties.set(written, set)
  return set
}

/** There are a few hundred properties. */
const properties = new Map<string, Characters>()

const SURROGATES: Characters = [[0xd800, 0xdfff]]
let everyCharacter: string | undefined

/** All characters but surrogates, in their order. */
function allCharacters(): string {
  if (everyCharacter !== undefined) return everyCharacter
  const pieces: string[] = []
  for (const [from, to] of except(SURROGATES))
    for (let code = from; code <= to; code += PIECE)
      pieces.push(String.fromCodePoint(...Array.from({ length: PIECE }, (_, index) => code + index)))
  everyCharacter = pieces.join('')
  return everyCharacter
}

/** Divides the lengths of both parts. */
const PIECE = 2048

function lastCodeOf(text: string): number {
  const code = text.codePointAt(text.length - 2)!
  return code > LAST_UNIT ? code : text.charCodeAt(text.length - 1)
}

/** With the `i` flag, and without the `u` flag: all that is equal to something in it, but for upper and lower case. */
export function ignoringCase(set: Characters): Characters {
  const isIn = (code: number): boolean => set.some(([from, to]) => from <= code && code <= to)
  return union([
    set,
    ...casesOf()
      .filter((cases) => cases.some(isIn))
      .flat()
      .map(character),
  ])
}

/** The groups of characters that the `i` flag takes for equal. */
let groups: readonly (readonly number[])[] | undefined

function casesOf(): readonly (readonly number[])[] {
  if (groups !== undefined) return groups
  const byUpper = new Map<number, number[]>()
  for (let code = 0; code <= LAST_UNIT; code++) {
    const upper = upperOf(code)
    const group = byUpper.get(upper)
    if (group === undefined) byUpper.set(upper, [code])
    else group.push(code)
  }
  groups = [...byUpper.values()].filter((group) => group.length > 1)
  return groups
}

/** As the language defines it: one character stays one, and nothing outside ASCII becomes something in it. */
function upperOf(code: number): number {
  const upper = String.fromCharCode(code).toUpperCase()
  if (upper.length !== 1) return code
  const upperCode = upper.charCodeAt(0)
  return code >= 128 && upperCode < 128 ? code : upperCode
}
