/** One message, as each dialect has it. */

import type { Part } from '../../base/part.ts'
import { allDialects, type Dialect } from '../../dialects/index.ts'
import { render } from '../../engine/render.ts'
import type { ProviderName } from '../../providers/any.ts'
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
export const MESSAGES: readonly (readonly Part[])[] = [
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

export const DIALECT_NAMES: readonly string[] = allDialects.map(({ name }) => name)

/** The names of the library's providers, which are in a part of the page that is loaded later. */
export const PROVIDER_NAMES: readonly ProviderName[] = [
  'ag-ui',
  'ai-sdk',
  'ai-sdk-ui',
  'anthropic',
  'bedrock',
  'claude-code',
  'codex',
  'cohere',
  'gemini',
  'langchain',
  'ollama',
  'openai-chat',
  'openai-responses',
]
