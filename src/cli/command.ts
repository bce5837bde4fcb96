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
  const { values, positionals } = readStrictly(args, options)
  const [file, extra] = positionals
  const unexpected = takesFile ? extra : file
  if (unexpected !== undefined)
    throw new UsageError(`'${unexpected}' is one argument too many${takesFile ? ': it takes one file' : ''}.`)
  return { values: values as Values<Declared>, file }
}

function readStrictly(args: string[], options: Options) {
  try {
    return parseArgs({ args, options, allowPositionals: true, strict: true })
  } catch (error) {
    // Node's own messages go on with advice for whoever wrote the program.
    if (error instanceof TypeError && 'code' in error)
      throw new UsageError(`${error.message.split(/\. |\n/)[0]}.`)
    throw error
  }
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
