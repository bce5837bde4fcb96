/** The type of a value that is still being written. */

/**
 * A value that is still being written: members and items may be missing, and a string may be cut off. Numbers, booleans and
 * constants are whole. What is `Held` appears only when it is complete: it is a union of JSON pointers, in which `*` is any key
 * or index, and of `'string'`, `'object'` and `'array'`.
 *
 *     Growing<{ title: string; days: number[] }, '/days'>   // { readonly title?: string; readonly days?: number[] }
 */
export type Growing<T, Held extends string = never> = T extends string
  ? GrowingText<T>
  : T extends readonly unknown[]
    ? number extends T['length']
      ? readonly GrowingAt<T[number], Below<Held, '*'>, Held>[]
      : { readonly [Index in keyof T]?: GrowingAt<T[Index], Below<Held, '*'>, Held> }
    : T extends object
      ? { readonly [Key in keyof T]?: GrowingAt<T[Key], Below<Held, Key>, Held> }
      : T

/** Texts that a pattern describes may be cut off; the few texts of an enum are whole. */
type GrowingText<T extends string> = Record<never, 1> extends Record<T, 1> ? string : T

/** A part, for which `Inner` is what is held of it. */
type GrowingAt<T, Inner extends string, Held extends string> = '' extends Inner
  ? T
  : T extends readonly unknown[]
    ? 'array' extends Held
      ? T
      : Growing<T, Inner>
    : T extends string
      ? 'string' extends Held
        ? T
        : Growing<T, Inner>
      : T extends object
        ? 'object' extends Held
          ? T
          : Growing<T, Inner>
        : T

/** What is held inside the value of a key: the rest of each pointer that goes there, and the types. */
type Below<Held extends string, Key> = Held extends `/${infer First}/${infer Rest}`
  ? First extends '*' | PointerKey<Key>
    ? `/${Rest}`
    : never
  : Held extends `/${infer Last}`
    ? Last extends '*' | PointerKey<Key>
      ? ''
      : never
    : Held

type PointerKey<Key> = Key extends string | number ? `${Key}` : never
