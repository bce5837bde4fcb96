/** The `sluice` command: finds the command that is meant, and says what went wrong. */

import { createRequire } from 'node:module'
import { SluiceError } from '../../base/errors.ts'
import { unknownName } from '../../base/options.ts'
import { Failure, UsageError } from './command.ts'
import { inCommandWords } from './command-words.ts'
import { COMMANDS } from './commands.ts'
import { type Io, withSafeMessages, write } from './io.ts'

/**
 * Runs `sluice` with these arguments and answers its exit code: 0, 1 when it could not do its work, 2 when it
 * was called wrongly.
 */
export async function run(argv: readonly string[], outside: Io): Promise<number> {
  const io = withSafeMessages(outside)
  const [name, ...args] = argv
  const command = COMMANDS.find((one) => one.name === name)
  try {
    if (command !== undefined) {
      const { help, run } = await command.load()
      if (!asksForHelp(args)) return await run(args, io)
      await write(io.stdout, help)
    } else await write(io.stdout, await answerTo(name, args))
    return 0
  } catch (error) {
    const who = command === undefined ? 'sluice' : `sluice ${command.name}`
    const message = error instanceof Error ? inCommandWords(error.message) : ''
    // The library was called wrongly because the command was.
    const isAdvice = error instanceof SluiceError && message !== error.message
    if (error instanceof UsageError || isAdvice) {
      const help = command === undefined ? 'sluice --help' : `sluice help ${command.name}`
      await write(io.stderr, `${who}: ${message.replace(/\.$/, '')} (see '${help}').\n`)
      return 2
    }
    if (!(error instanceof Failure) && !(error instanceof SluiceError)) throw error
    await write(io.stderr, `${who}: ${error.message}\n`)
    return 1
  }
}

function asksForHelp(args: readonly string[]): boolean {
  const end = args.indexOf('--')
  const options = end < 0 ? args : args.slice(0, end)
  return options.includes('--help') || options.includes('-h')
}

async function answerTo(name: string | undefined, [topic]: readonly string[]): Promise<string> {
  if (name === undefined || name === '--help' || name === '-h') return HELP
  if (name === '--version' || name === '-v') return `${version()}\n`
  if (name === 'help') return topic === undefined || asksForHelp([topic]) ? HELP : helpOn(topic)
  throw unknownCommand(name)
}

async function helpOn(name: string): Promise<string> {
  const command = COMMANDS.find((one) => one.name === name)
  if (command === undefined) throw unknownCommand(name)
  return (await command.load()).help
}

function unknownCommand(name: string): UsageError {
  const known = [...COMMANDS.map((one) => one.name), 'help']
  return new UsageError(unknownName('There is no command', name, known))
}

const HELP = `Usage: sluice COMMAND [options]

Parses a language model's response while it streams.

${COMMANDS.map(({ name, summary }) => `  ${name.padEnd(12)} ${summary}\n`).join('')}
  help COMMAND   says more about a command
  --version      says which version this is

Examples:
  curl -N https://api.openai.com/v1/chat/completions -H "authorization: Bearer $KEY" --json @request.json | sluice watch
  sluice parse --dialect hermes answer.txt
  sluice help watch
`

function version(): string {
  // By the name of the package: the built command is in another folder than its source.
  const { version } = createRequire(import.meta.url)('sluice/package.json') as { version: string }
  return version
}
