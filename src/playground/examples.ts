/** One message, as each dialect and each provider's stream has it. */

import { allDialects, type Dialect } from '../dialects/index.ts'
import type { SluiceEvent } from '../event.ts'
import { createParser } from '../parser.ts'
import type { Part } from '../part.ts'
import { allProviders, allWriters } from '../providers/any.ts'
import { createWriter } from '../providers/index.ts'
import { render } from '../render.ts'
import { HANDWRITTEN } from './provider-examples.ts'
import type { Sample } from './settings.ts'

export const EXAMPLE_TOOLS = [
  {
    name: 'get_weather',
    description: 'The weather of a city',
    inputSchema: {
      type: 'object',
      properties: { city: { type: 'string' }, days: { type: 'integer' } },
      required: ['city'],
    },
  },
  {
    name: 'write_file',
    description: 'Writes a file',
    streams: 'content',
    headlines: ['path'],
    inputSchema: {
      type: 'object',
      properties: { path: { type: 'string' }, content: { type: 'string' } },
      required: ['path', 'content'],
    },
  },
] as const

const REASONING: Part = { type: 'reasoning', text: 'The weather first, then a note.' }
const TEXT: Part = { type: 'text', text: 'Let me look.\n' }
const WEATHER: Part = { type: 'call', id: 'a1', toolName: 'get_weather', input: { city: 'Paris', days: 2 } }
const NOTE: Part = {
  type: 'call',
  id: 'a2',
  toolName: 'write_file',
  input: { path: 'note.md', content: '# Paris\n\nSunny, 21° 🌤\n' },
}

/** From all of the message to one call: the first that a dialect can write. */
const MESSAGES: readonly (readonly Part[])[] = [
  [REASONING, TEXT, WEATHER, NOTE],
  [TEXT, WEATHER, NOTE],
  [TEXT, WEATHER],
  [WEATHER],
]

export function dialectExample(dialect: Dialect): Sample {
  return {
    form: 'text',
    dialect: dialect.name,
    start: 'text',
    tools: EXAMPLE_TOOLS,
    text: writtenIn(dialect),
  }
}

function writtenIn(dialect: Dialect): string {
  for (const message of MESSAGES)
    try {
      return render(message, { dialect, tools: EXAMPLE_TOOLS })
    } catch {
      // It cannot write this one.
    }
  return dialect.example
}

export function providerExample(name: string): Sample {
  const writer = allWriters.find((one) => one.name === name)
  const text = writer === undefined ? HANDWRITTEN[name]! : written(name)
  return { form: name, dialect: 'auto', start: 'text', tools: EXAMPLE_TOOLS, text }
}

function written(name: string): string {
  const writer = createWriter(allWriters.find((one) => one.name === name)!, {
    id: 'example',
    model: 'example',
    created: 1_700_000_000,
  })
  return exampleEvents()
    .map((event) => writer.add(event))
    .join('')
}

/** The message as events, in the pieces that a model would send. */
function exampleEvents(): SluiceEvent[] {
  const hermes = allDialects.find((one) => one.name === 'hermes')!
  const text = render(MESSAGES[0]!, { dialect: hermes, tools: EXAMPLE_TOOLS })
  const parser = createParser({ dialect: hermes, tools: EXAMPLE_TOOLS })
  const events: SluiceEvent[] = []
  for (let at = 0; at < text.length; at += 12) events.push(...parser.push(text.slice(at, at + 12)))
  return [...events, ...parser.end()]
}

export const DIALECT_NAMES: readonly string[] = allDialects.map(({ name }) => name)
export const PROVIDER_NAMES: readonly string[] = allProviders.map(({ name }) => name)
