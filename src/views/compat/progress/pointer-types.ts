// The pointers that lead to a tool's arguments, and the types of what they lead to.
//
//     { path: string; edits: { old: string }[] }    '/path' | '/edits' | '/edits/*' | '/edits/*/old'

import type { JsonValue } from '../../../base/event.ts'

/** How deep the pointers of a type are spelled out; types may refer to themselves. */
type Levels = [1, 1, 1, 1, 1]
type Fewer<Left extends unknown[]> = Left extends [unknown, ...infer Rest] ? Rest : []

type Written<Key extends string> = Key extends `${infer Head}~${infer Tail}`
  ? `${Slashed<Head>}~0${Written<Tail>}`
  : Slashed<Key>
type Slashed<Key extends string> = Key extends `${infer Head}/${infer Tail}`
  ? `${Head}~1${Slashed<Tail>}`
  : Key

type Read<Key extends string> = Key extends `${infer Head}~1${infer Tail}`
  ? `${Tilded<Head>}/${Read<Tail>}`
  : Tilded<Key>
type Tilded<Key extends string> = Key extends `${infer Head}~0${infer Tail}` ? `${Head}~${Tilded<Tail>}` : Key

/** True for types of which nothing is known, so that any pointer may lead somewhere. */
type IsUnknown<Value> = unknown extends Value ? true : JsonValue extends Value ? true : false

/** Every pointer that leads to a value of this type. */
export type PointerOf<Value, Left extends unknown[] = Levels> =
  IsUnknown<Value> extends true ? `/${string}` : Left extends [] ? never : Members<NonNullable<Value>, Left>

type Members<Value, Left extends unknown[]> = Value extends readonly (infer Element)[]
  ? `/${'*' | number}` | `/${'*' | number}${PointerOf<Element, Fewer<Left>>}`
  : Value extends object
    ? string extends keyof Value
      ? `/${string}`
      : {
          [Key in keyof Value & string]:
            | `/${Written<Key>}`
            | `/${Written<Key>}${PointerOf<Value[Key], Fewer<Left>>}`
        }[keyof Value & string]
    : never

/** The type of the value that a pointer leads to. */
export type ValueAt<Value, Pointer extends string> =
  IsUnknown<Value> extends true
    ? JsonValue
    : Pointer extends `/${infer Key}/${infer Rest}`
      ? ValueAt<Member<NonNullable<Value>, Read<Key>>, `/${Rest}`>
      : Pointer extends `/${infer Key}`
        ? Member<NonNullable<Value>, Read<Key>>
        : never

type Member<Value, Key extends string> = Value extends readonly (infer Element)[]
  ? Element
  : Value extends object
    ? Key extends keyof Value
      ? Exclude<Value[Key], undefined>
      : string extends keyof Value
        ? Value[keyof Value]
        : Key extends '*'
          ? Value[keyof Value]
          : JsonValue
    : never
