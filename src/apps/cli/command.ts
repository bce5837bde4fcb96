/** What the commands have in common. */

import { parseArgs } from 'node:util'
import { unknownName } from '../../base/options.ts'
import type { Io } from './io.ts'

export interface Command {
  /** What `sluice help NAME` says. */
  readonly help: string
  /** What completions offer. */
  readonly options?: Options
  /** Answers the exit code. */
  run(args: string[], io: Io): Promise<number>
}

/** A command in the list of commands. What it needs is loaded when it is run. */
export interface ListedCommand {
  readonly name: string
  /** One line of `sluice --help`. */
  readonly summary: string
  load(): Promise<Command>
}

/** The command was called wrongly: exit code 2. */
export class UsageError extends Error {}

/** The command was called rightly and cannot do its work: exit code 1. */
export class Failure extends Error {}

/** The exit code by which a shell knows that Ctrl-C ended a program. */
export const INTERRUPTED = 130

/** Options by their name. */
export type Options = Readonly<Record<string, Option>>

interface Option {
  readonly type: 'string' | 'boolean'
  /** It may be there several times. */
  readonly multiple?: true
}

type Values<Declared extends Options> = {
  readonly [Name in keyof Declared]?: Declared[Name]['type'] extends 'string'
    ? Declared[Name]['multiple'] extends true
      ? readonly string[]
      : string
    : boolean
}

/** What stands before `--`, and what stands behind it; undefined where it is not there. */
export function splitAtDashes(args: readonly string[]): [before: string[], behind: string[] | undefined] {
  const at = args.indexOf('--')
  return at < 0 ? [[...args], undefined] : [args.slice(0, at), args.slice(at + 1)]
}

/** Reads arguments by their declaration: options, and at most one file. */
export function readArguments<const Declared extends Options>(
  args: string[],
  options: Declared,
  takesFile = false,
): { values: Values<Declared>; file?: string | undefined } {
  // Not strict: the errors are reported here, in the same words with every version of Node.
  const known = Object.fromEntries(Object.entries(options).map(([name, { type }]) => [name, { type }]))
  const { tokens } = parseArgs({ args, options: known, allowPositionals: true, strict: false, tokens: true })
  const values: Record<string, string | boolean | string[]> = {}
  const files: string[] = []
  for (const token of tokens) {
    if (token.kind === 'positional') files.push(token.value)
    if (token.kind !== 'option') continue
    const { name, rawName, value, inlineValue = false } = token
    if (!Object.hasOwn(options, name)) throw unknownOption(rawName, options)
    const { type, multiple } = options[name]!
    if (multiple) {
      const list = (values[name] ?? []) as string[]
      values[name] = [...list, readValue(rawName, value, inlineValue)]
      continue
    }
    if (Object.hasOwn(values, name)) throw new UsageError(`'${rawName}' appears twice.`)
    values[name] = type === 'string' ? readValue(rawName, value, inlineValue) : readFlag(rawName, value)
  }
  const unexpected = files[takesFile ? 1 : 0]
  if (unexpected !== undefined)
    throw new UsageError(
      `'${unexpected}' is an extra argument${takesFile ? '; the command takes one file' : ''}.`,
    )
  return { values: values as Values<Declared>, file: files[0] }
}

function unknownOption(rawName: string, options: Options): UsageError {
  const known = Object.keys(options).map((name) => `--${name}`)
  return new UsageError(unknownName('There is no option', rawName, [...known, '--help']))
}

/** Another option in its place means that it was forgotten; a number below zero is for others to judge. */
function readValue(rawName: string, value: string | undefined, isInline: boolean): string {
  if (value === undefined || (!isInline && /^-[^\d]/.test(value)))
    throw new UsageError(`'${rawName}' needs a value.`)
  return value
}

function readFlag(rawName: string, value: string | undefined): true {
  if (value !== undefined) throw new UsageError(`'${rawName}' takes no value.`)
  return true
}

/** One of several words. */
export function readChoice<const Choice extends string>(
  option: string,
  value: string | undefined,
  choices: readonly Choice[],
): Choice | undefined {
  if (value === undefined) return undefined
  const choice = choices.find((one) => one === value)
  if (choice === undefined) throw new UsageError(`'${option}' is ${inWords(choices)}, not '${value}'.`)
  return choice
}

function inWords(choices: readonly string[]): string {
  return `${choices.slice(0, -1).join(', ')} or ${choices.at(-1)}`
}
