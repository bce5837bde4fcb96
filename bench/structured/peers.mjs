/**
 * Readers of an answer with a schema, each used as its documentation says.
 *
 * `read(text)` gives the object, or throws where it refuses. `grow(chunks)` gives what is shown after each chunk.
 */

import { streamObject } from 'ai'
import { MockLanguageModelV3, simulateReadableStream } from 'ai/test'
import { jsonrepair } from 'jsonrepair'
import { z } from 'zod'
import { parseObject, watchObject } from '../../dist/values/json/index.js'
import { loadBaml } from './baml.mjs'

const ticket = z.object({
  title: z.string(),
  severity: z.enum(['low', 'medium', 'high']),
  status: z.enum(['open', 'in_progress', 'on_hold']),
  due_days: z.int().optional(),
  price: z.number(),
  isUrgent: z.boolean(),
  tags: z.array(z.string()),
  owner: z.object({ name: z.string(), age: z.int().optional() }).nullable(),
})
const tickets = z.object({ tickets: z.array(ticket) })

/** The same in the language of BAML. */
const BAML = `
client<llm> None {
  provider openai
  options {
    model "none"
    api_key "none"
  }
}

enum Severity {
  Low @alias("low")
  Medium @alias("medium")
  High @alias("high")
}

enum Status {
  Open @alias("open")
  InProgress @alias("in_progress")
  OnHold @alias("on_hold")
}

class Owner {
  name string
  age int?
}

class Ticket {
  title string
  severity Severity
  status Status
  due_days int?
  price float
  isUrgent bool
  tags string[]
  owner Owner?
}

class Tickets {
  tickets Ticket[]
}

function ReadTicket(text: string) -> Ticket {
  client None
  prompt #"{{ text }}"#
}

function ReadTickets(text: string) -> Tickets {
  client None
  prompt #"{{ text }}"#
}
`

const { BamlRuntime } = await loadBaml()
/** Its names for constants begin with capitals. */
const CONSTANTS = {
  Low: 'low',
  Medium: 'medium',
  High: 'high',
  Open: 'open',
  InProgress: 'in_progress',
  OnHold: 'on_hold',
}

const runtime = BamlRuntime.fromFiles('/', { 'main.baml': BAML }, { BAML_LOG: 'off' })

function baml(text, isPartial, name) {
  const context = runtime.createContextManager()
  return withoutNulls(runtime.parseLlmResponse(name, text, isPartial, context, null, null, {}), isPartial)
}

/** BAML gives null for what is missing; only a whole answer without an owner has it for the owner. */
function withoutNulls(value, isPartial) {
  if (Array.isArray(value)) return value.map((item) => withoutNulls(item, isPartial))
  if (typeof value !== 'object' || value === null) return CONSTANTS[value] ?? value
  const members = Object.entries(value).filter(
    ([key, inner]) => inner !== null || (key === 'owner' && !isPartial),
  )
  return Object.fromEntries(members.map(([key, inner]) => [key, withoutNulls(inner, isPartial)]))
}

const attempt = (read) => {
  try {
    return read()
  } catch {
    return undefined
  }
}

const sluice = (name, options) => ({
  name,
  read(text) {
    const result = parseObject(text, ticket, options)
    if (!result.ok) throw new Error(result.error.message)
    return result.value
  },
  async grow(chunks, isList = false) {
    const shown = []
    for await (const { value } of watchObject(chunks, isList ? tickets : ticket, options)) shown.push(value)
    return shown
  },
})

async function objects(chunks, schema) {
  const parts = [
    { type: 'stream-start', warnings: [] },
    { type: 'text-start', id: '1' },
    ...chunks.map((delta) => ({ type: 'text-delta', id: '1', delta })),
    { type: 'text-end', id: '1' },
    {
      type: 'finish',
      finishReason: { unified: 'stop', raw: 'stop' },
      usage: { inputTokens: {}, outputTokens: {} },
    },
  ]
  const model = new MockLanguageModelV3({
    doStream: async () => ({
      stream: simulateReadableStream({ chunks: parts, initialDelayInMs: null, chunkDelayInMs: null }),
    }),
  })
  const { partialObjectStream, object } = streamObject({ model, schema, prompt: '', onError() {} })
  const shown = []
  object.catch(() => {})
  for await (const value of partialObjectStream) shown.push(structuredClone(value))
  return { shown, object }
}

export const PEERS = [
  sluice('Sluice', {}),
  sluice('Sluice, `numbers` and `unwrap`', { numbers: 'formatted', unwrap: true }),
  {
    name: 'BAML',
    read: (text) => baml(text, false, 'ReadTicket'),
    async grow(chunks, isList = false) {
      let text = ''
      return chunks.map((chunk) => {
        text += chunk
        return attempt(() => baml(text, true, isList ? 'ReadTickets' : 'ReadTicket'))
      })
    },
    once: (text) => baml(text, false, 'ReadTickets'),
  },
  {
    name: 'jsonrepair + zod',
    read: (text) => ticket.parse(JSON.parse(jsonrepair(text))),
    async grow(chunks) {
      let text = ''
      return chunks.map((chunk) => {
        text += chunk
        return attempt(() => JSON.parse(jsonrepair(text)))
      })
    },
    once: (text) => tickets.parse(JSON.parse(jsonrepair(text))),
  },
  {
    name: 'AI SDK `streamObject`',
    read: async (text) => (await objects([text], ticket)).object,
    grow: async (chunks, isList = false) => (await objects(chunks, isList ? tickets : ticket)).shown,
    once: async (text) => (await objects([text], tickets)).object,
  },
]
PEERS[0].once = (text) => {
  const result = parseObject(text, tickets)
  if (!result.ok) throw new Error(result.error.message)
  return result.value
}
