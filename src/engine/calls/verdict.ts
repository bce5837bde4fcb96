/** What may be run of what a model asked for, and what to tell the model about the rest. */

import type { FinishReason, JsonValue, Repair, ToolCall } from '../../base/event.ts'
import { checkOption, type KnownOptions } from '../../base/options.ts'
import { keysOf } from '../../base/path.ts'
import { isLowSurrogate } from '../../base/surrogates.ts'
import type { StandardIssue } from '../../values/schema/standard.ts'
import type { Issue } from '../../values/schema/validate.ts'
import { adviceFor } from './advice.ts'
import { createToolTable, type ToolDefinitions, type ToolTable, UNKNOWN_TOOL } from './tools.ts'

export interface ExecutableOptions {
  /**
   * Repairs that are accepted although they may have changed what was meant. `guess`: the model wrote the call, and
   * what it means had to be guessed. `place-uncertain`: the model may not have made the call at all; text that it only
   * quotes, such as the content of a file, can then run.
   */
  readonly allow?: readonly ('guess' | 'place-uncertain')[]
}

/**
 * Whether a call is on the wire what it was meant to be: it came whole, and whatever was put right in it cannot have
 * changed its meaning. A call that was cut off never is, nor one that its provider runs, nor one whose input was not
 * kept. It does not look at the tool's schema: before you run a call, ask `prepareCall`.
 *
 *     if (!isExecutable(call)) tellModel(explain(call))
 */
export function isExecutable(call: ToolCall, options: ExecutableOptions = {}): boolean {
  const { allow = [] } = options
  if (allow.length > 0) checkAllow(allow)
  if (call.providerExecuted || call.input === null || !isWhole(call)) return false
  return call.repairs.every((repair) => {
    if (isUncertainPlace(repair)) return allow.includes('place-uncertain')
    return repair.class === 'lossless' || (repair.class === 'guess' && allow.includes('guess'))
  })
}

const ALLOWED = ['guess', 'place-uncertain']

function checkAllow(allow: readonly string[]): void {
  checkOption('allow', allow, 'list')
  for (const repair of allow) checkOption('allow', repair, ALLOWED)
}

/** Whether the call came to its end and could be read. */
export function isWhole({ status }: ToolCall): boolean {
  return status === 'complete' || status === 'repaired'
}

export const EXECUTABLE_OPTIONS: KnownOptions<ExecutableOptions> = { allow: 'list' }

export interface ExplainOptions {
  /** The tools there are: a call of another is told which it could have called. */
  readonly tools?: ToolDefinitions | ToolTable
  /** What the tool's schema finds wrong with the input. */
  readonly issues?: readonly (StandardIssue | Issue)[]
  /** Why the response ended: a call that was cut off at `length` is told so, and one that the model left open how to close it. */
  readonly finish?: FinishReason
}

/**
 * What a model should be told about its call, in sentences it can learn from.
 *
 *     explain(call)
 *     // The call of `write_file` was cut off: the argument `content` ends at "fn main() {". It was not run.
 *     // Send the whole call again, with less text before it.
 */
export function explain(call: ToolCall, options: ExplainOptions = {}): string {
  const tool = nameOf(call)
  if (call.providerExecuted) return `The provider runs ${tool} itself.`
  if (call.error?.code === 'denied') return explainDenial(call.error.message)
  const tools = options.tools === undefined ? undefined : createToolTable(options.tools)
  const unknown = unknownTool(call, tools)
  const problems = [
    ...unknown,
    ...(call.error?.code === UNKNOWN_TOOL ? [] : failure(call, tool, options.finish)),
    ...guessesIn(call),
    ...(isWhole(call) && call.input === null ? [`The call of ${tool} has no input.`] : []),
    ...(options.issues ?? []).map(issueSentence),
  ]
  if (problems.length === 0) return `The call of ${tool} is complete.`
  return [
    ...problems,
    'It was not run.',
    adviceFor(call, unknown.length > 0 ? tools?.names.length : undefined, options.finish),
  ].join(' ')
}

const nameOf = ({ toolName }: ToolCall): string =>
  toolName === '' ? 'a tool without a name' : `\`${toolName}\``

/** What a model should be told about a call that a policy denies. */
export function explainDenial(reason: string): string {
  return `The call was denied: ${reason} It was not run. Do without it.`
}

function unknownTool({ toolName, error }: ToolCall, tools: ToolTable | undefined): string[] {
  if (tools === undefined) return error?.code === UNKNOWN_TOOL ? [`There is no tool \`${toolName}\`.`] : []
  if (toolName === '') return []
  if (tools.has(toolName)) return []
  const known = tools.names.map((name) => `\`${name}\``)
  const listed =
    known.length === 0
      ? 'There are no tools.'
      : `The ${known.length === 1 ? 'only tool is' : 'tools are'} ${inWords(known)}.`
  return [`There is no tool \`${toolName}\`. ${listed}`]
}

function failure(
  { status, error, input, raw }: ToolCall,
  tool: string,
  finish: FinishReason | undefined,
): string[] {
  if (status === 'invalid')
    return [`The call of ${tool} is not valid.`, ...(error === undefined ? [] : [error.message])]
  if (status !== 'truncated') return []
  const cutOff = `The call of ${tool} was cut off${finish === 'length' ? ', because the response reached its maximum length' : ''}`
  if (error?.path !== undefined) {
    const keys = keysOf(error.path)
    const value = valueAt(input, keys)
    const where = typeof value === 'string' && value !== '' ? `ends at ${tailOf(value)}` : 'is not complete'
    return [`${cutOff}: the argument ${argumentName(keys)} ${where}.`]
  }
  return [`${cutOff}${raw ? `: it ends at ${tailOf(raw)}` : ''}.`]
}

/** What had to be guessed of a call that came whole, a sentence each. */
export function guessesIn(call: ToolCall): string[] {
  if (!isWhole(call)) return []
  const tool = nameOf(call)
  const unsure = call.repairs.filter((repair) => repair.class !== 'lossless' && !isUncertainPlace(repair))
  const codes = new Set(unsure.map((repair) => repair.code))
  const isMentioned = codes.delete('inside-reasoning')
  const isInText = codes.delete('text-behind-call')
  return [
    ...(isMentioned
      ? [`The call of ${tool} stands inside reasoning that went on behind it, so it may only be mentioned.`]
      : []),
    ...(isInText ? [`Text follows the call of ${tool}, so it may only be mentioned.`] : []),
    ...(codes.size === 0
      ? []
      : [
          `The call of ${tool} was not written correctly, and what it means had to be guessed (${[...codes].join(', ')}).`,
        ]),
    // What stands behind a call's last bracket is why its place is uncertain.
    ...(call.repairs.some(isUncertainPlace) && !codes.has('trailing-content')
      ? [
          `The call of ${tool} may be part of other text: an earlier call is broken, an argument contains the markers of calls, or the call repeats a result.`,
        ]
      : []),
  ]
}

/** Nothing says for certain that the call was meant, and is not data that something else holds. */
function isUncertainPlace({ code }: Repair): boolean {
  return code === 'place-uncertain'
}

function issueSentence({ path = [], message }: StandardIssue | Issue): string {
  // Our own issues have a JSON pointer, those of a Standard Schema a list of keys.
  const keys =
    typeof path === 'string'
      ? keysOf(path)
      : path.map((part) => String(typeof part === 'object' ? part.key : part))
  const subject = keys.length === 0 ? 'The input' : `The argument ${argumentName(keys)}`
  return `${subject} is not valid: ${message}${/[.!?]$/.test(message) ? '' : '.'}`
}

const TAIL_LENGTH = 40

/** The last characters, quoted; never half of a pair of surrogates. */
function tailOf(text: string): string {
  if (text.length <= TAIL_LENGTH) return JSON.stringify(text)
  const tail = text.slice(-TAIL_LENGTH)
  return JSON.stringify(`…${isLowSurrogate(tail.charCodeAt(0)) ? tail.slice(1) : tail}`)
}

function valueAt(input: JsonValue, keys: readonly string[]): JsonValue | undefined {
  let value: JsonValue | undefined = input
  for (const key of keys) {
    if (typeof value !== 'object' || value === null || !Object.hasOwn(value, key)) return undefined
    value = (value as { [key: string]: JsonValue })[key]
  }
  return value
}

/** As a model would write it: `edits[0].path`. */
function argumentName(keys: readonly string[]): string {
  const [first = '', ...rest] = keys
  return `\`${first}${rest.map((key) => (/^\d+$/.test(key) ? `[${key}]` : `.${key}`)).join('')}\``
}

function inWords(names: readonly string[]): string {
  return names.length < 2 ? names.join() : `${names.slice(0, -1).join(', ')} and ${names.at(-1)}`
}
