/**
 * Where a value stands inside a document: an immutable list of keys and indices.
 *
 * A linked list, because every value of a deeply nested document has a path and most are never looked
 * at: making a child costs the same at any depth, and the pointer is spelled out only when it is read.
 */
export class Path implements Iterable<string | number> {
  static readonly root = new Path(null, '', 0)

  readonly parent: Path | null
  readonly key: string | number
  readonly depth: number

  private constructor(parent: Path | null, key: string | number, depth: number) {
    this.parent = parent
    this.key = key
    this.depth = depth
  }

  static of(...keys: (string | number)[]): Path {
    return keys.reduce((path: Path, key) => path.child(key), Path.root)
  }

  child(key: string | number): Path {
    return new Path(this, key, this.depth + 1)
  }

  get keys(): (string | number)[] {
    const keys = new Array<string | number>(this.depth)
    for (let path: Path = this; path.parent !== null; path = path.parent) keys[path.depth - 1] = path.key
    return keys
  }

  /** The JSON pointer (RFC 6901): `/edits/0/path`; the root is the empty string. */
  get pointer(): string {
    return pointer(this.keys)
  }

  [Symbol.iterator](): Iterator<string | number> {
    return this.keys[Symbol.iterator]()
  }

  toString(): string {
    return this.pointer
  }

  toJSON(): (string | number)[] {
    return this.keys
  }
}

/**
 * The JSON pointer (RFC 6901) for a list of keys and indices. The root, an empty list, is the empty string.
 *
 *     pointer(['edits', 0, 'path'])   // '/edits/0/path'
 */
export function pointer(path: readonly (string | number)[]): string {
  return path.map((key) => `/${String(key).replaceAll('~', '~0').replaceAll('/', '~1')}`).join('')
}

/** The keys of a JSON pointer. */
export function keysOf(pointer: string): string[] {
  return pointer.split('/').slice(1).map(keyOf)
}

/** The key that a part of a JSON pointer stands for: `a~1b` is `a/b`. */
export function keyOf(part: string): string {
  return part.replaceAll('~1', '/').replaceAll('~0', '~')
}
