// The types of a tool's arguments, taken from its schema: what they are, and which pointers lead to them.
//
//     { path: string; edits: { old: string }[] }    '/path' | '/edits' | '/edits/*' | '/edits/*/old'

import type { JsonValue } from '../../event.ts'
import type { InferInput, StandardSchemaV1 } from '../../schema/standard.ts'

/** The type that a JSON Schema written as a literal describes. What is not known is any JSON value. */
export type FromJsonSchema<Schema> = Schema extends { readonly const: infer Value }
  ? Value
  : Schema extends { readonly enum: readonly (infer Value)[] }
    ? Value
    : Schema extends { readonly anyOf: readonly (infer Option)[] }
      ? FromJsonSchema<Option>
      : Schema extends { readonly oneOf: readonly (infer Option)[] }
        ? FromJsonSchema<Option>
        : Schema extends { readonly type: readonly (infer Type)[] }
          ? Type extends string
            ? FromType<Type, Schema>
            : JsonValue
          : Schema extends { readonly type: infer Type }
            ? FromType<Type, Schema>
            : Schema extends { readonly properties: unknown }
              ? FromType<'object', Schema>
              : JsonValue

type FromType<Type, Schema> = Type extends 'string'
  ? string
  : Type extends 'number' | 'integer'
    ? number
    : Type extends 'boolean'
      ? boolean
      : Type extends 'null'
        ? null
        : Type extends 'array'
          ? Schema extends { readonly items: infer Items }
            ? FromJsonSchema<Items>[]
            : JsonValue[]
          : Type extends 'object'
            ? Schema extends { readonly properties: infer Properties }
              ? { -readonly [Key in keyof Properties]?: FromJsonSchema<Properties[Key]> }
              : { [key: string]: JsonValue }
            : JsonValue

type FromSchema<Schema> = Schema extends StandardSchemaV1
  ? InferInput<Schema>
  : Schema extends { readonly jsonSchema: infer Inner }
    ? FromJsonSchema<Inner>
    : FromJsonSchema<Schema>

/** What the model is asked to write for a tool, in whatever form the tool is declared. */
export type InputOf<Tool> = Tool extends { readonly inputSchema: infer Schema }
  ? FromSchema<Schema>
  : Tool extends { readonly input_schema: infer Schema }
    ? FromSchema<Schema>
    : Tool extends { readonly parameters: infer Schema }
      ? FromSchema<Schema>
      : Tool extends { readonly function: infer Inner }
        ? InputOf<Inner>
        : JsonValue

// ── pointers ─────────────────────────────────────────────────────────────────────────────────────

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
