/**
 * Standard Schema: the interface that Zod, Valibot, ArkType and others share (https://standardschema.dev),
 * reduced to what is used here.
 */

import { isSchema, isSchemaObject, type JsonSchema } from './json-schema.ts'

/** A schema of any library that follows Standard Schema, such as Zod, Valibot or ArkType. */
export interface StandardSchemaV1<Input = unknown, Output = Input> {
  readonly '~standard': StandardProps<Input, Output>
}

/** What a Standard Schema has under `~standard`. */
export interface StandardProps<Input = unknown, Output = Input> {
  readonly version: 1
  readonly vendor: string
  readonly validate: (value: unknown) => StandardResult<Output> | Promise<StandardResult<Output>>
  readonly types?: { readonly input: Input; readonly output: Output } | undefined
  /** Since version 1.1 of the specification: the schema can also be had as JSON Schema. */
  readonly jsonSchema?: StandardJsonSchema | undefined
}

/** The answer of a Standard Schema: a value, or what is wrong. */
export type StandardResult<Output> =
  | { readonly value: Output; readonly issues?: undefined }
  | { readonly issues: readonly StandardIssue[] }

/** One thing that a Standard Schema found wrong. */
export interface StandardIssue {
  readonly message: string
  readonly path?: readonly (PropertyKey | { readonly key: PropertyKey })[] | undefined
}

/** The part of a Standard Schema that gives JSON Schema. */
export interface StandardJsonSchema {
  readonly input: (options: StandardJsonSchemaOptions) => Record<string, unknown>
}

interface StandardJsonSchemaOptions {
  readonly target: 'draft-2020-12' | 'draft-07'
  readonly libraryOptions?: Readonly<Record<string, unknown>>
}

/** The type of values that a Standard Schema takes. */
export type InferInput<Schema extends StandardSchemaV1> = NonNullable<Schema['~standard']['types']>['input']
/** The type of values that a Standard Schema returns. */
export type InferOutput<Schema extends StandardSchemaV1> = NonNullable<Schema['~standard']['types']>['output']

/** ArkType's schemas are functions, so a function may be one too. */
export function isStandardSchema(value: unknown): value is StandardSchemaV1 {
  return typeof standardProps(value)?.validate === 'function'
}

function standardProps(value: unknown): Record<string, unknown> | undefined {
  const standard = Object(value) === value ? (value as Record<string, unknown>)['~standard'] : undefined
  return typeof standard === 'object' && standard !== null ? (standard as Record<string, unknown>) : undefined
}

/**
 * The JSON Schema of whatever a tool was given: JSON Schema itself, a Standard Schema that can say it,
 * or an object that holds it under `jsonSchema`, as the AI SDK's own wrapper does. Undefined when there
 * is none to be had; never throws.
 */
export function toJsonSchema(schema: unknown): JsonSchema | undefined {
  try {
    const standard = standardProps(schema)
    if (standard !== undefined) return convert(standard.jsonSchema)
    if (isSchemaObject(schema) && 'jsonSchema' in schema) return settled(schema.jsonSchema)
    return isSchema(schema) ? schema : undefined
  } catch {
    return undefined
  }
}

/**
 * Zod throws for a whole object if JSON Schema has no word for one field, such as a date. With this option of Zod the
 * field accepts anything, and the others keep their types.
 */
const LENIENT = { libraryOptions: { unrepresentable: 'any' } } as const

/** In the order in which they are tried: not every vendor knows every draft. */
const CONVERSIONS: readonly StandardJsonSchemaOptions[] = [
  { target: 'draft-2020-12' },
  { target: 'draft-07' },
  { target: 'draft-2020-12', ...LENIENT },
]

function convert(converter: unknown): JsonSchema | undefined {
  for (const options of CONVERSIONS) {
    try {
      const converted = settled((converter as StandardJsonSchema).input(options))
      if (converted !== undefined) return converted
    } catch {
      // The next conversion may succeed. Some vendors have none, and some types have no JSON Schema at all.
    }
  }
  return undefined
}

/** A schema that is there already: a promised one is not waited for. */
function settled(schema: unknown): JsonSchema | undefined {
  const isThere = isSchema(schema) && typeof (schema as { then?: unknown }).then !== 'function'
  return isThere ? schema : undefined
}
