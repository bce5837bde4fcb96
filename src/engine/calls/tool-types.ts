/** The names and the inputs of tools as types, taken from their definitions in whatever form these are written. */

import type { JsonValue } from '../../base/event.ts'
import type { FromJsonSchema } from '../../values/schema/from-json-schema.ts'
import type { InferInput, InferOutput, StandardSchemaV1 } from '../../values/schema/standard.ts'

/** The name of a tool in a list; never for one that its provider runs. */
export type NameOf<Listed> = Listed extends { readonly name: infer Name extends string }
  ? Name
  : Listed extends { readonly function: infer Inner } | { readonly custom: infer Inner }
    ? NameOf<Inner>
    : never

/** What the model is asked to write for a tool. */
export type InputOf<Tool> = InputBySchema<Tool, 'input'>

/** What a tool is run with: the input as the library of its schema gives it. */
export type OutputOf<Tool> = InputBySchema<Tool, 'output'>

type Side = 'input' | 'output'

type InputBySchema<Tool, From extends Side> = Tool extends { readonly custom: object }
  ? string
  : Tool extends { readonly function: infer Inner extends object }
    ? InputBySchema<Inner, From>
    : FromSchema<SchemaOf<Tool>, From>

/** In the order in which a table of tools looks for it. */
type SchemaOf<Tool> = Tool extends { readonly inputSchema: infer Schema extends object }
  ? Schema
  : Tool extends { readonly parameters: infer Schema extends object }
    ? Schema
    : Tool extends { readonly input_schema: infer Schema extends object }
      ? Schema
      : Tool extends { readonly inputSchema?: infer Schema }
        ? Schema
        : undefined

/** A Standard Schema may be a function, too; any other function gives the schema when it is first wanted. */
type FromSchema<Schema, From extends Side> = Schema extends StandardSchemaV1
  ? From extends 'input'
    ? InferInput<Schema>
    : InferOutput<Schema>
  : Schema extends () => infer Given
    ? FromSchema<Given, From>
    : Schema extends { readonly _type: infer Type; readonly jsonSchema: unknown }
      ? Type
      : Schema extends { readonly jsonSchema: infer Inner }
        ? FromJsonSchema<Inner>
        : Schema extends object
          ? FromJsonSchema<Schema>
          : JsonValue
