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
  const expression = new RegExp(written, 'u')
  const set: [number, number][] = []
  for (let code = 0; code <= LAST; code++) {
    if (!expression.test(String.fromCodePoint(code))) continue
    const last = set.at(-1)
    if (last?.[1] === code - 1) last[1] = code
    else set.push([code, code])
  }
  properties.set(written, set)
  return set
}

/** There are a few hundred properties. */
const properties = new Map<string, Characters>()

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
