/** What the commands have in common. */

import { parseArgs } from 'node:util'
import type { Io } from './io.ts'

export interface Command {
  readonly name: string
  /** One line of `sluice --help`. */
  readonly summary: string
  /** What `sluice help NAME` says. */
  readonly help: string
  /** Answers the exit code. */
  run(args: string[], io: Io): Promise<number>
}

/** The command was called wrongly: exit code 2. */
export class UsageError extends Error {}

/** The command was called rightly and cannot do its work: exit code 1. */
export class Failure extends Error {}

/** Options by their name. */
type Options = Readonly<Record<string, { readonly type: 'string' | 'boolean' }>>

type Values<Declared extends Options> = {
  readonly [Name in keyof Declared]?: Declared[Name]['type'] extends 'string' ? string : boolean
}

/** Reads arguments by their declaration: options, and at most one file. */
export function readArguments<const Declared extends Options>(
  args: string[],
  options: Declared,
  takesFile = false,
): { values: Values<Declared>; file?: string | undefined } {
  // Not strict: the errors are reported here, in the same words with every version of Node.
  const { tokens } = parseArgs({ args, options, allowPositionals: true, strict: false, tokens: true })
  const values: Record<string, string | boolean> = {}
  const files: string[] = []
  for (const token of tokens) {
    if (token.kind === 'positional') files.push(token.value)
    if (token.kind !== 'option') continue
    const { name, rawName, value, inlineValue = false } = token
    if (!Object.hasOwn(options, name)) throw unknownOption(rawName, options)
    if (Object.hasOwn(values, name)) throw new UsageError(`'${rawName}' is there twice.`)
    values[name] =
      options[name]?.type === 'string' ? readValue(rawName, value, inlineValue) : readFlag(rawName, value)
  }
  const unexpected = files[takesFile ? 1 : 0]
  if (unexpected !== undefined)
    throw new UsageError(`'${unexpected}' is one argument too many${takesFile ? ': it takes one file' : ''}.`)
  return { values: values as Values<Declared>, file: files[0] }
}

function unknownOption(rawName: string, options: Options): UsageError {
  const known = Object.keys(options).map((name) => `--${name}`)
  return new UsageError(`There is no option '${rawName}'; there are ${known.join(', ')} and --help.`)
}

/** Another option in its place means that it was forgotten; a number below zero is for others to judge. */
function readValue(rawName: string, value: string | undefined, isInline: boolean): string {
  if (value === undefined || (!isInline && /^-[^\d]/.test(value)))
    throw new UsageError(`'${rawName}' needs a value behind it.`)
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
