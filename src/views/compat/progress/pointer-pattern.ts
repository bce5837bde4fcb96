// Compiled subscriptions to places in a call's input, such as `/path` or `/edits/*/path`.
//
// A pattern is a JSON pointer in which `*` stands for any key or index, and `**` for any number of them. All patterns of
// a subscriber become one tree; a cursor walks it along the paths of events, one step per value and none per delta. No
// pointer is ever spelled out, and below a place that no pattern names nothing is looked up.

import { SluiceError } from '../../../base/errors.ts'
import type { ArgumentPath } from '../../../base/event.ts'
import { keyOf } from '../../../base/path.ts'

/** Any key, any index. */
export const ANY = Symbol('any key')

/** Any number of keys; at the end of a pattern at least one. */
export const DEEP = Symbol('any keys')

export type PatternKey = string | typeof ANY | typeof DEEP

/** The keys of a pattern; throws for what is no pointer. */
export function readPointer(pointer: string): PatternKey[] {
  if (typeof pointer !== 'string' || !pointer.startsWith('/'))
    throw new SluiceError(
      'invalid-pointer',
      `A pointer begins with a slash, such as '/path' or '/edits/*/path', unlike ${JSON.stringify(pointer)}.`,
    )
  return pointer.slice(1).split('/').map(readKey)
}

function readKey(written: string): PatternKey {
  if (written === '*') return ANY
  if (written === '**') return DEEP
  if (/~(?![01])/.test(written))
    throw new SluiceError(
      'invalid-pointer',
      `In a pointer '~' is written '~0' and '/' is written '~1'; ${JSON.stringify(written)} has a '~' that is neither.`,
    )
  return keyOf(written)
}

/** A place in the tree of all patterns. */
class PatternNode<T> {
  readonly children = new Map<string, PatternNode<T>>()
  any: PatternNode<T> | null = null
  deep: PatternNode<T> | null = null
  readonly values: T[] = []
  /** Every key leads back to it. */
  readonly isDeep: boolean

  constructor(isDeep: boolean) {
    this.isDeep = isDeep
  }
}

export class PointerPatterns<T> {
  private readonly root = new PatternNode<T>(false)
  private start: Places<T> | null = null

  /** Adds a value for the places that the pattern matches. */
  add(pattern: readonly PatternKey[], value: T): void {
    let node = this.root
    for (const key of pattern) node = childOf(node, key)
    node.values.push(value)
    this.start = null
  }

  /** A cursor for the values of one call. */
  cursor(): PatternCursor<T> {
    this.start ??= new Places([this.root])
    return new PatternCursor(this.start)
  }
}

function childOf<T>(node: PatternNode<T>, key: PatternKey): PatternNode<T> {
  if (key === ANY) {
    node.any ??= new PatternNode<T>(false)
    return node.any
  }
  if (key === DEEP) {
    node.deep ??= new PatternNode<T>(true)
    return node.deep
  }
  const child = node.children.get(key) ?? new PatternNode<T>(false)
  node.children.set(key, child)
  return child
}

/** All places of the tree where a path stands at once: more than one, because `*` and a key may both match. */
class Places<T> {
  readonly values: readonly T[]
  /** Nothing of interest lies below. */
  readonly isLeaf: boolean
  /** What each key leads to that some pattern names, and what every other key leads to: found out when needed. */
  private readonly named = new Map<string, Places<T> | null>()
  private unnamed: Places<T> | null = null
  /** Where the next key may be looked for: `**` may also stand for no key at all. */
  private readonly nodes: readonly PatternNode<T>[]

  constructor(nodes: readonly PatternNode<T>[]) {
    this.values = nodes.flatMap((node) => node.values)
    this.nodes = withDeep(nodes)
    for (const node of this.nodes) for (const key of node.children.keys()) this.named.set(key, null)
    this.isLeaf = this.nodes.every(
      ({ any, children, isDeep }) => any === null && children.size === 0 && !isDeep,
    )
  }

  below(key: string | number): Places<T> {
    if (this.isLeaf) return NOWHERE as Places<T>
    const name = this.named.size === 0 ? undefined : String(key)
    const known = name === undefined ? undefined : this.named.get(name)
    if (known === undefined) {
      this.unnamed ??= this.join(undefined)
      return this.unnamed
    }
    if (known !== null) return known
    const joined = this.join(name)
    this.named.set(name!, joined)
    return joined
  }

  private join(key: string | undefined): Places<T> {
    const below = new Set<PatternNode<T>>()
    for (const node of this.nodes) {
      const named = key === undefined ? undefined : node.children.get(key)
      if (named !== undefined) below.add(named)
      if (node.any !== null) below.add(node.any)
      if (node.isDeep) below.add(node)
    }
    if (below.size === 0) return NOWHERE as Places<T>
    const isSame = below.size === this.nodes.length && this.nodes.every((node) => below.has(node))
    // Below `**` every level is like the one before it.
    return isSame && this.values.length === valuesOf(below) ? this : new Places([...below])
  }
}

function withDeep<T>(nodes: readonly PatternNode<T>[]): PatternNode<T>[] {
  const all = new Set(nodes)
  for (const node of all) if (node.deep !== null) all.add(node.deep)
  return [...all]
}

function valuesOf<T>(nodes: ReadonlySet<PatternNode<T>>): number {
  let count = 0
  for (const node of nodes) count += node.values.length
  return count
}

const NOWHERE: Places<never> = new Places<never>([])

/**
 * Goes through the values of a document in their order.
 *
 *     const cursor = patterns.cursor()
 *     cursor.enter(1, 'edits')   // what was added for /edits
 *     cursor.enter(2, 0)         // … for /edits/0
 *     cursor.at(1)               // … for /edits again
 */
export class PatternCursor<T> {
  /** From the root down to the value that was entered last. */
  private readonly places: Places<T>[]

  constructor(start: Places<T>) {
    this.places = [start]
  }

  /** A value begins, so many levels deep, inside the last one that began a level above. */
  enter(depth: number, key: string | number): readonly T[] {
    const place = this.places[depth - 1]!.below(key)
    this.places.length = depth
    this.places.push(place)
    return place.values
  }

  /** What was added for a value that may be anywhere, as when a document is picked up in its middle. */
  goTo(path: ArgumentPath): readonly T[] {
    path.forEach((key, index) => {
      this.enter(index + 1, key)
    })
    return this.at(path.length)
  }

  /** What was added for the last value that began at this depth. */
  at(depth: number): readonly T[] {
    return this.places[depth]!.values
  }
}
