/** `sluice dialects`: which dialects there are, and what a call looks like in each. */

import { SluiceError } from '../../base/errors.ts'
import { type Detection, type Dialect, detect } from '../../dialects/index.ts'
import { render } from '../../engine/render.ts'
import { showTemplate } from '../../engine/wire/template.ts'
import { allDialects, findDialect } from './all-dialects.ts'
import { type Command, readArguments, UsageError } from './command.ts'
import { inCommandWords } from './command-words.ts'
import { write } from './io.ts'

const HELP = `Usage: sluice dialects [--json]

Lists the dialects: their names, the names others have for them, and a call in each.

  --json   writes the list as JSON

Examples:
  sluice dialects
  sluice dialects --json | jq -r '.[].name'
`

const OPTIONS = { json: { type: 'boolean' } } as const

export const dialects: Command = {
  help: HELP,
  options: OPTIONS,
  async run(args, io) {
    const { values } = readArguments(args, OPTIONS)
    const list = (await allDialects()).map((dialect) => ({
      name: dialect.name,
      aliases: dialect.aliases,
      example: exampleOf(dialect),
    }))
    if (values.json) await write(io.stdout, `${JSON.stringify(list, null, 2)}\n`)
    else await write(io.stdout, list.map(inWords).join('\n'))
    return 0
  },
}

/** What `--dialect` says: names with commas between them, or `auto`. */
export async function dialectOption(value: string): Promise<Detection | Dialect[]> {
  return value.trim() === AUTO ? detect() : findDialects(value.split(','))
}

/** The name under which a dialect is found out. */
export const AUTO = 'auto'

/** The dialects of these names; an unknown one is an error of use. */
export async function findDialects(names: readonly string[]): Promise<Dialect[]> {
  try {
    return await Promise.all(names.map((name) => findDialect(checked(name.trim()))))
  } catch (error) {
    throw error instanceof SluiceError ? new UsageError(inCommandWords(error.message)) : error
  }
}

function checked(name: string): string {
  if (name !== '') return name
  throw new UsageError(
    "'--dialect' is a name, or several with commas between them, and one of them is empty.",
  )
}

function inWords({
  name,
  aliases,
  example,
}: {
  name: string
  aliases: readonly string[]
  example: string
}): string {
  const title = aliases.length === 0 ? name : `${name} (also ${aliases.join(', ')})`
  return `${title}\n${example.replace(/^(?=.)/gm, '    ')}\n`
}

/** Its own example, or a call as it writes one, with an id where it needs one, or else the template. */
export function exampleOf(dialect: Dialect): string {
  if (dialect.example !== '') return dialect.example
  for (const id of [{}, { id: 'call_1' }])
    try {
      const call = { type: 'call', ...id, toolName: 'get_weather', input: { city: 'Paris' } } as const
      return render([call], { dialect, tools: [GET_WEATHER] })
    } catch {
      // Not without an id.
    }
  const template = dialect.calls[0] ?? dialect.weakCalls[0] ?? dialect.reasoning[0]
  return template === undefined ? '' : showTemplate(template.nodes)
}

const GET_WEATHER = {
  name: 'get_weather',
  inputSchema: { type: 'object', properties: { city: { type: 'string' } } },
} as const
