/**
 * The type that a JSON Schema describes, where it is written as a literal (`as const`).
 *
 *     { type: 'object', properties: { path: { type: 'string' } }, required: ['path'] }    { path: string }
 */

import type { JsonValue } from '../../base/event.ts'

/** What is not known of a schema is any JSON value. */
export type FromJsonSchema<Schema> = 0 extends 1 & Schema
  ? JsonValue
  : Schema extends { readonly const: infer Value }
    ? Value
    : Schema extends { readonly enum: readonly (infer Value)[] }
      ? Value
      : Schema extends { readonly anyOf: readonly (infer Option)[] }
        ? FromJsonSchema<Option>
        : Schema extends { readonly oneOf: readonly (infer Option)[] }
          ? FromJsonSchema<Option>
          : Schema extends { readonly type: readonly (infer Type)[] }
            ? FromType<Type, Schema>
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
          ? FromArray<Schema>
          : Type extends 'object'
            ? FromObject<Schema>
            : JsonValue

type FromArray<Schema> = Schema extends { readonly prefixItems: unknown }
  ? JsonValue[]
  : Schema extends { readonly items: infer Items }
    ? FromJsonSchema<Items>[]
    : JsonValue[]

type FromObject<Schema> = Schema extends { readonly properties: infer Properties }
  ? Flat<
      { -readonly [Key in keyof Properties & RequiredKeys<Schema>]: FromJsonSchema<Properties[Key]> } & {
        -readonly [Key in Exclude<keyof Properties, RequiredKeys<Schema>>]?: FromJsonSchema<Properties[Key]>
      }
    >
  : Schema extends { readonly additionalProperties: infer Value }
    ? { [key: string]: FromJsonSchema<Value> }
    : { [key: string]: JsonValue }

/** Which keys are required is known only where each is a literal. */
type RequiredKeys<Schema> = Schema extends { readonly required: readonly (infer Key)[] }
  ? string extends Key
    ? never
    : Key
  : never

type Flat<Value> = { [Key in keyof Value]: Value[Key] }
