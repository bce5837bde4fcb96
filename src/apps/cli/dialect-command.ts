/** `sluice dialect`: what a dialect is like, found by its name, by a model's name, or from a chat template. */

import { existsSync } from 'node:fs'
import { SluiceError } from '../../base/errors.ts'
import { type Dialect, dialectFor } from '../../dialects/index.ts'
import { showTemplate, type Template } from '../../engine/wire/template.ts'
import type { ProbeResult, TemplateOptions } from '../../requests/templates/index.ts'
import { findDialect } from './all-dialects.ts'
import { type Command, Failure, readArguments, readChoice, UsageError } from './command.ts'
import { exampleOf } from './dialects.ts'
import { inOneLine, nameOf, textOf } from './files.ts'
import { type Io, write } from './io.ts'
import { loadTemplates } from './load-templates.ts'

const HELP = `Usage: sluice dialect NAME|FILE [--thinking on|off] [--json]

Shows one dialect: a call in it, its reasoning markers, where a response begins, what ends a turn.

  NAME                the name of a dialect or of a model
  FILE                a chat template: chat_template.jinja, tokenizer_config.json or chat_template.json; - reads stdin

  --thinking on|off   whether reasoning is switched on in the request
  --json              writes what was found as JSON

Examples:
  sluice dialect hermes
  sluice dialect Qwen/Qwen3-Coder-30B-A3B-Instruct
  sluice dialect ./chat_template.jinja --json | jq -r .name
`

const OPTIONS = { thinking: { type: 'string' }, json: { type: 'boolean' } } as const

/** Where a dialect comes from. */
type Origin = 'name' | 'model' | 'detected' | 'derived'

interface Found {
  readonly dialect: Dialect
  readonly origin: Origin
  /** Undefined where it depends on the prompt. */
  readonly start: 'text' | 'reasoning' | undefined
  readonly alternatives?: readonly string[]
  readonly probes?: readonly ProbeResult[]
}

export const dialect: Command = {
  help: HELP,
  options: OPTIONS,
  async run(args, io) {
    const { values, file } = readArguments(args, OPTIONS, true)
    if (file === undefined) throw new UsageError('Name a dialect, a model, or a file with a chat template.')
    const thinking = readChoice('--thinking', values.thinking, ['on', 'off'])
    const found = await find(file, thinking === undefined ? {} : { thinking: thinking === 'on' }, io)
    await write(io.stdout, values.json ? `${JSON.stringify(asJson(found), null, 2)}\n` : inWords(found, file))
    return 0
  },
}

/** A name of a dialect first, then a file that is there, then the name of a model. */
async function find(given: string, options: TemplateOptions, io: Io): Promise<Found> {
  const named = await unlessUnknown(() => findDialect(given))
  if (named !== undefined) {
    const start = named.reasoning.length === 0 ? 'text' : undefined
    return { dialect: named, origin: 'name', start }
  }
  if (given === '-' || existsSync(given)) return fromTemplate(given, options, io)
  const model = await unlessUnknown(async () => dialectFor(given, options))
  if (model !== undefined) return { dialect: model.dialect, origin: 'model', start: model.start }
  throw new UsageError(
    `'${given}' is not a dialect, a file or a known model; 'sluice dialects' lists the dialects.`,
  )
}

async function unlessUnknown<T>(look: () => Promise<T>): Promise<T | undefined> {
  try {
    return await look()
  } catch (error) {
    if (error instanceof SluiceError) return undefined
    throw error
  }
}

async function fromTemplate(file: string, options: TemplateOptions, io: Io): Promise<Found> {
  const text = await textOf(file, io)
  const { dialectOfTemplate } = await loadTemplates()
  try {
    return dialectOfTemplate(text, options)
  } catch (error) {
    throw error instanceof SluiceError ? new Failure(`${nameOf(file)}: ${inOneLine(error)}`) : error
  }
}

function shown(templates: readonly Template[]): string[] {
  return templates.map(({ nodes }) => showTemplate(nodes))
}

function asJson({ dialect, origin, start, alternatives = [], probes = [] }: Found) {
  const { name, calls, weakCalls, looseCalls, reasoning, endOfTurn } = dialect
  return {
    ...{ name, origin, start, example: exampleOf(dialect) },
    calls: shown([...calls, ...weakCalls, ...looseCalls]),
    reasoning: shown(reasoning),
    ...{ endOfTurn, alternatives, probes },
  }
}

function inWords(found: Found, given: string): string {
  const { name, example, calls, reasoning, endOfTurn, alternatives, probes } = asJson(found)
  const proved = probes.filter(({ problem }) => problem === undefined).map((one) => one.name)
  const others = probes.filter(({ problem }) => problem !== undefined)
  const rows: readonly (readonly [string, string])[] = [
    ['Reasoning', reasoning.map(withDots).join(', ') || 'no markers'],
    ['A response', BEGINS[found.start ?? 'unknown']],
    ['End of turn', endOfTurn.join(', ') || 'no marker'],
    ['Also read by', alternatives.join(', ')],
    ['Proved by', proved.join(', ')],
    ['Not tried', others.map((one) => `${one.name} (${one.problem})`).join(', ')],
  ]
  const template =
    found.origin === 'derived' ? `\nIn the template language\n${indented(calls.join('\n'))}\n` : ''
  const lines = rows
    .filter(([, value]) => value !== '')
    .map(([title, value]) => `${title.padEnd(14)} ${value}`)
  return `${name}: ${ORIGINS[found.origin](given)}\n\nA call\n${indented(example)}\n${template}\n${lines.join('\n')}\n`
}

const BEGINS = {
  text: 'begins in text',
  reasoning: 'begins inside reasoning',
  unknown: 'begins in text, or inside reasoning if the prompt opens it',
} as const

const ORIGINS: Readonly<Record<Origin, (given: string) => string>> = {
  name: () => 'a dialect of the library',
  model: (given) => `the dialect of ${given}`,
  detected: (given) => `the dialect that reads what ${nameOf(given)} writes`,
  derived: (given) =>
    `a dialect made from ${nameOf(given)}, because none of the library reads what it writes`,
}

/** `<think>${newline}${text}${newline}</think>` as `<think>…</think>`. */
function withDots(template: string): string {
  return template.replaceAll('${newline}', '').replaceAll('${text}', '…')
}

function indented(text: string): string {
  return text.replace(/^(?=.)/gm, '    ')
}
