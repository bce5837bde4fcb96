/** `sluice render`: writes a message in a dialect. */

import type { JsonValue } from '../../base/event.ts'
import { type Fields, isFields } from '../../base/fields.ts'
import { choice } from '../../base/options.ts'
import type { Part } from '../../base/part.ts'
import { render as renderParts } from '../../engine/render.ts'
import { sanitise } from '../terminal/sanitise.ts'
import { type Command, Failure, readArguments, readChoice, UsageError } from './command.ts'
import { findDialects } from './dialects.ts'
import { nameOf, parseJson, readTools, textOf } from './files.ts'
import { write } from './io.ts'

const HELP = `Usage: sluice render --dialect NAME [options] [file]

Writes a message the way a dialect would. The message is JSON, from a file or from stdin: either
what 'sluice parse --json' writes,

    {"reasoning": "…", "text": "…", "toolCalls": [{"name": "ls", "input": {}}]}

or its parts in order:

    [{"type": "text", "text": "…"}, {"type": "call", "toolName": "ls", "input": {}}]

  --dialect NAME   how to write it; 'sluice dialects' lists the names
  --tools FILE     the tools, as a JSON array, for dialects that need to know them
  --malformed refuse|raw
                   what becomes of a call that failed: it is refused (the default), or its source is written

Examples:
  sluice render --dialect hermes message.json
  sluice parse --dialect hermes --json answer.txt | sluice render --dialect qwen3-coder
`

const OPTIONS = {
  dialect: { type: 'string' },
  tools: { type: 'string' },
  malformed: { type: 'string' },
} as const

export const render: Command = {
  help: HELP,
  options: OPTIONS,
  async run(args, io) {
    const { values, file } = readArguments(args, OPTIONS, true)
    if (values.dialect === undefined)
      throw new UsageError("'--dialect NAME' is missing; 'sluice dialects' lists the names.")
    if (values.dialect.includes(','))
      throw new UsageError("'--dialect' takes one dialect here, because a message is written in one dialect.")
    const [dialect] = await findDialects([values.dialect])
    const tools = values.tools === undefined ? {} : { tools: await readTools(values.tools) }
    const malformed = readChoice('--malformed', values.malformed, ['refuse', 'raw'])
    const parts = readMessage(parseJson(await textOf(file, io), nameOf(file)))
    const text = renderParts(parts, { dialect: dialect!, ...tools, ...(malformed && { malformed }) })
    // Exactly the text, so that it can be piped on. A terminal gets what it can show, and a person's prompt belongs on
    // a line of its own.
    const shown = io.stdout.isTTY ? sanitise(text, 'visualise').replace(/\n?$/, '\n') : text
    await write(io.stdout, shown)
    return 0
  },
}

function readMessage(message: unknown): Part[] {
  if (Array.isArray(message)) return message.map((part, index) => readPart(part, `Part ${index + 1}`))
  if (!isFields(message))
    throw new Failure("A message is a list of parts, or an object with 'text' and 'toolCalls'.")
  if (!FIELDS.some((field) => field in message))
    throw new UsageError(
      `A message has ${choice(FIELDS)}, such as {"text": "Hi", "toolCalls": [{"name": "ls", "input": {}}]}.`,
    )
  const { reasoning = '', text = '', toolCalls = [], results = [] } = message
  if (!Array.isArray(toolCalls)) throw new Failure("'toolCalls' is a list of calls.")
  if (!Array.isArray(results)) throw new Failure("'results' is a list of results.")
  return [
    ...readText('reasoning', reasoning),
    ...readText('text', text),
    ...toolCalls.map((call, index) => readCall(call, `Call ${index + 1}`)),
    ...results.map((result, index) => readResult(result, `Result ${index + 1}`)),
  ]
}

const FIELDS = ['text', 'reasoning', 'toolCalls', 'results']

function readText(type: 'text' | 'reasoning', text: unknown): Part[] {
  if (typeof text !== 'string') throw new Failure(`'${type}' is a string, not ${JSON.stringify(text)}.`)
  return text === '' ? [] : [{ type, text }]
}

function readPart(part: unknown, which: string): Part {
  const type = isFields(part) ? part.type : undefined
  if (type === 'call') return readCall(part, which)
  if (type === 'result') return readResult(part, which)
  if (type !== 'text' && type !== 'reasoning')
    throw new Failure(
      `${which} ${type === undefined ? 'has no type' : `is of the type ${JSON.stringify(type)}`}; a part is of the type text, reasoning, call or result.`,
    )
  const { text } = part as Fields
  if (typeof text !== 'string') throw new Failure(`${which} has no 'text'.`)
  return { type, text }
}

/** What says how the call was read goes along, so that `render` can refuse a call that failed. */
function readCall(call: unknown, which: string): Part {
  const { id, toolName, name = toolName, input = {}, ...rest } = isFields(call) ? call : {}
  if (typeof name !== 'string' || name === '') throw new Failure(`${which} has no 'name' or 'toolName'.`)
  return { ...rest, type: 'call', ...readId(id), toolName: name, input: input as JsonValue }
}

function readResult(result: unknown, which: string): Part {
  const { id, toolName, content, isError } = isFields(result) ? result : {}
  if (typeof content !== 'string') throw new Failure(`${which} has no 'content'.`)
  return {
    type: 'result',
    ...readId(id),
    ...(typeof toolName === 'string' && { toolName }),
    content,
    ...(typeof isError === 'boolean' && { isError }),
  }
}

const readId = (id: unknown): { id?: string } => (typeof id === 'string' ? { id } : {})
