/**
 * From a call that was read to a call that can run: is it whole, is there such a tool, and does the input fit the
 * tool's schema.
 */

import { messageOf } from '../../base/errors.ts'
import type { JsonValue, ToolCall } from '../../base/event.ts'
import { checkOptions, type KnownOptions } from '../../base/options.ts'
import type { Path } from '../../base/path.ts'
import { plainCopy } from '../../base/plain-copy.ts'
import { type Change, coerceValue } from '../../values/schema/coerce-value.ts'
import { itemSchema, type JsonSchema, propertySchema } from '../../values/schema/json-schema.ts'
import { kindsOf, STRING } from '../../values/schema/kinds.ts'
import { bigIntsIn, lostNumbersIn, withBigInts } from '../../values/schema/lost-numbers.ts'
import type { StandardIssue, StandardResult } from '../../values/schema/standard.ts'
import { FORMAT_OPTIONS, type FormatOptions, type Issue, validate } from '../../values/schema/validate.ts'
import { checkSchemas } from './check-schemas.ts'
import type { NameOf, OutputOf } from './tool-types.ts'
import { createToolTable, type Tool, type ToolDefinitions, type ToolTable } from './tools.ts'
import { EXECUTABLE_OPTIONS, type ExecutableOptions, explain, isExecutable } from './verdict.ts'
import { type WrittenInput, writtenInput } from './written-input.ts'

/** One thing that is wrong with the input. */
export type CallIssue = StandardIssue | Issue

/** The input of a call under the schema of its tool. */
export interface CheckedInput {
  /** As the model wrote it, but of the types that the schema wants. */
  readonly coerced: JsonValue
  readonly changes: readonly Change[]
  /** What the schema's own library made of it. */
  readonly output: unknown
  readonly issues: readonly CallIssue[]
}

/** Options of `prepareCall`. */
export interface PrepareOptions extends ExecutableOptions, FormatOptions {}

const OPTIONS: KnownOptions<PrepareOptions> = { ...EXECUTABLE_OPTIONS, ...FORMAT_OPTIONS }

/** A call that can run. */
export interface RunnableCall<Name extends string = string, Input = unknown> {
  readonly ok: true
  readonly toolName: Name
  /** What the schema's own library made of the input; without one, the input with the types of its JSON Schema. */
  readonly input: Input
  /** What had another type than the schema wants, and was converted. */
  readonly changes: readonly Change[]
}

/** A call that must not run. */
export interface RefusedCall {
  readonly ok: false
  /** What the schema finds wrong with the input; empty if the call was refused before that. */
  readonly issues: readonly CallIssue[]
  /** What to tell the model. */
  readonly message: string
}

/**
 * The answer of `prepareCall`: a call that may run, with its typed input, or a refusal with a message for the
 * model.
 */
export type PreparedCall<Tools extends ToolDefinitions = ToolDefinitions> = Runnable<Tools> | RefusedCall

type Runnable<Tools> = Tools extends readonly (infer Listed)[]
  ? RunnableListed<Listed>
  : { [Name in keyof Tools & string]: RunnableCall<Name, OutputOf<Tools[Name]>> }[keyof Tools & string]

/** A union of calls, so that the name of a tool narrows the input. */
type RunnableListed<Listed> = Listed extends unknown ? NamedCall<NameOf<Listed>, Listed> : never

type NamedCall<Name, Listed> = Name extends string ? RunnableCall<Name, OutputOf<Listed>> : never

/**
 * Decides whether a call may run, and with which input. It refuses what `isExecutable` refuses and calls of unknown
 * tools, converts values to the types of the schema, and validates the result: with the schema's own library where
 * the tool has a Standard Schema, by its JSON Schema otherwise.
 *
 *     const prepared = await prepareCall(call, tools)
 *     if (prepared.ok) run(prepared.toolName, prepared.input)
 *     else tellModel(prepared.message)
 */
export async function prepareCall<const Tools extends ToolDefinitions>(
  call: ToolCall,
  tools: Tools | ToolTable,
  options: PrepareOptions = {},
): Promise<PreparedCall<Tools>> {
  return (await prepareInStep(call, checkSchemas(createToolTable(tools)), options)) as PreparedCall<Tools>
}

/** `prepareCall` without a promise where the schema validates synchronously. */
export function prepareInStep(
  call: ToolCall,
  table: ToolTable,
  options: PrepareOptions,
): PreparedCall | Promise<PreparedCall> {
  checkOptions(options, OPTIONS)
  const { allow = [], ...formats } = options
  const tool = table.get(call.toolName)
  if (tool === undefined || !isExecutable(call, { allow }))
    return { ok: false, issues: [], message: explain(call, { tools: table }) }
  const prepared = ({ output, changes, issues }: CheckedInput): PreparedCall =>
    issues.length > 0
      ? { ok: false, issues, message: explain(call, { tools: table, issues }) }
      : { ok: true, toolName: tool.name, input: output, changes }
  const checked = checkInput(call, tool, formats)
  return checked instanceof Promise ? checked.then(prepared) : prepared(checked)
}

/**
 * Converts an input to the types of the tool's schema, and validates it. A promise only where the schema gives one.
 * `keepsDigits`: the tool does not get this value but its JSON text, in which numbers are as they were written.
 *
 * Nobody else has the value that it works on: what a schema's library makes of it, and what a tool does with it, changes
 * nothing else.
 */
function checkInput(
  written: WrittenInput,
  tool: Tool,
  formats: FormatOptions,
  keepsDigits = false,
): CheckedInput | Promise<CheckedInput> {
  const { schema, standard, bigint = false } = tool
  const given = writtenInput(written)
  const own = given === written.input ? (plainCopy(given) ?? given) : given
  withBigInts(own, bigint)
  const asText = (path: Path): boolean => mayBeText(schema, path)
  const lost = lostNumbersIn(own, asText)
  const { format } = formats
  const { value: coerced, changes } =
    schema === undefined ? { value: own, changes: [] } : coerceValue(own, schema, { bigint, format })
  if (!bigint) lost.push(...bigIntsIn(coerced, asText))
  if (lost.length > 0 && !keepsDigits) return { coerced, changes, output: undefined, issues: lost }
  if (standard === undefined) {
    const issues = schema === undefined ? [] : validate(coerced, schema, formats)
    return { coerced, changes, output: coerced, issues }
  }
  const checked = (result: StandardResult<unknown>): CheckedInput =>
    result.issues === undefined
      ? { coerced, changes, output: result.value, issues: [] }
      : { coerced, changes, output: undefined, issues: result.issues.length > 0 ? result.issues : [UNNAMED] }
  // A validator that throws has not approved of the input.
  const failed = (error: unknown): CheckedInput => checked({ issues: [{ message: failureOf(error) }] })
  try {
    const result = standard['~standard'].validate(coerced)
    return 'then' in result ? Promise.resolve(result).then(checked).catch(failed) : checked(result)
  } catch (error) {
    return failed(error)
  }
}

/** An issue of a library that names none. */
const UNNAMED: StandardIssue = { message: 'it does not match the schema' }

/** The same without waiting: a schema whose library validates asynchronously is read as the JSON Schema that it gives. */
export function checkInputNow(written: WrittenInput, tool: Tool, keepsDigits = false): CheckedInput {
  const checked = checkInput(written, tool, {}, keepsDigits)
  if (!(checked instanceof Promise)) return checked
  return checkInputNow(written, { ...tool, standard: undefined }, keepsDigits)
}

/** Whether a string may stand at a place: where no schema says, one may. */
function mayBeText(root: JsonSchema | undefined, { keys }: Path): boolean {
  let schema = root
  for (const key of keys)
    schema =
      schema && (typeof key === 'number' ? itemSchema(schema, key, root) : propertySchema(schema, key, root))
  return schema === undefined || (kindsOf(schema, root) & STRING) !== 0
}

function failureOf(error: unknown): string {
  return `it could not be checked (${messageOf(error)})`
}
