/** What a tool's own schema says: types for untyped text, coercion of typed values, validation. */

export type { CoercedText, CoerceTextOptions, Untyped } from './coerce-text.ts'
export { coerceText, readUntyped } from './coerce-text.ts'
export type { Change, CoercedValue, CoerceValueOptions } from './coerce-value.ts'
export { coerceValue } from './coerce-value.ts'
export { describeType } from './describe-type.ts'
export type { JsonSchema, JsonSchemaMap, JsonSchemaObject } from './json-schema.ts'
export { itemSchema, propertySchema, resolve } from './json-schema.ts'
export { expects } from './kinds.ts'
export { matchesPattern } from './pattern.ts'
export type {
  InferInput,
  InferOutput,
  StandardIssue,
  StandardJsonSchema,
  StandardProps,
  StandardResult,
  StandardSchemaV1,
} from './standard.ts'
export { isStandardSchema, toJsonSchema } from './standard.ts'
export type { Issue, ValidateOptions } from './validate.ts'
export { validate } from './validate.ts'
