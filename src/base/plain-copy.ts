/** Copies of plain data that nobody else holds. */

/** Containers in each other; a value that holds itself ends here. */
const MAX_DEPTH = 10_000

interface Waiting {
  readonly from: object
  readonly to: object
  readonly depth: number
}

/**
 * A copy of a value that is plain data: texts, numbers, bigints, booleans and null in lists and objects that are nothing
 * else. Undefined for any other value. Whatever the value is made of, a getter or a proxy, is asked once, and the copy is
 * made of what it answered.
 */
export function plainCopy<Value>(value: Value, isFrozen = false): Value | undefined {
  try {
    return copied(value, isFrozen) as Value
  } catch {
    // A getter or a proxy threw, or something in it is no plain data.
    return undefined
  }
}

/** The same, and no part of it can be changed. */
export function frozenCopy<Value>(value: Value): Value | undefined {
  return plainCopy(value, true)
}

/** No recursion: values can be deep. */
function copied(root: unknown, isFrozen: boolean): unknown {
  const copies = new Map<object, object>()
  const open: Waiting[] = []
  const copyOf = (value: unknown, depth: number): unknown => {
    if (typeof value !== 'object' || value === null) {
      if (isScalar(value)) return value
      throw new TypeError('not plain')
    }
    let copy = copies.get(value)
    if (copy === undefined) {
      if (depth > MAX_DEPTH || !isPlainContainer(value)) throw new TypeError('not plain')
      copy = Array.isArray(value) ? [] : {}
      copies.set(value, copy)
      open.push({ from: value, to: copy, depth })
    }
    return copy
  }
  const result = copyOf(root, 0)
  for (const { from, to, depth } of open) {
    for (const key of Object.keys(from)) {
      const value = copyOf((from as Record<string, unknown>)[key], depth + 1)
      Object.defineProperty(to, key, { value, writable: true, enumerable: true, configurable: true })
    }
    // A list with holes, or one that has more than items.
    if (
      Array.isArray(from) &&
      (Object.keys(to).length !== from.length || (to as unknown[]).length !== from.length)
    )
      throw new TypeError('not plain')
  }
  if (isFrozen) for (const copy of copies.values()) Object.freeze(copy)
  return result
}

/** A key without a value is as good as none. */
function isScalar(value: unknown): boolean {
  if (typeof value === 'number') return Number.isFinite(value)
  return value === undefined || value === null || ['string', 'boolean', 'bigint'].includes(typeof value)
}

/** A list, or an object that is nothing else: no instance of a class, and without anything that only some can see. */
function isPlainContainer(value: object): boolean {
  const isList = Array.isArray(value)
  let above = 0
  for (let at = Object.getPrototypeOf(value); at !== null; at = Object.getPrototypeOf(at)) above++
  const hidden = Reflect.ownKeys(value).length - Object.keys(value).length
  return (isList ? above === 2 : above < 2) && hidden === (isList ? 1 : 0)
}
