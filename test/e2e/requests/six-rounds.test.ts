/** Conversations with servers that are as strict as the real ones, in every protocol and from each to every other. */

import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import type { Fields } from '../../../src/base/fields.ts'
import {
  aiSdkUiRequest,
  appendUser,
  type ConversationPart,
  type ModelRequest,
  readRequest,
  writeRequest,
} from '../../../src/providers/requests.ts'
import { PageApp } from './page-app.ts'
import { PROTOCOLS, type Protocol, type Servers } from './protocols.ts'
import { answer, ask, converse, HOSTILE, ROUNDS, TOOLS } from './six-rounds.ts'
import { StrictServer } from './strict-server.ts'

let servers: Servers

beforeAll(async () => {
  const strict = await StrictServer.open()
  servers = { strict, page: await PageApp.open(strict.url, TOOLS) }
})
afterAll(async () => {
  await servers.page.close()
  await servers.strict.close()
})

/** The last request that a server of the protocol has taken, as it came over the network. */
const lastTaken = ({ format }: Protocol): Fields => {
  const { page, strict } = servers
  return (format.name === 'ai-sdk-ui' ? page : strict).accepted.at(-1) as Fields
}

/** What was said, whoever carries it: without ids, and without what belongs to a provider. */
function said({ messages }: ModelRequest): unknown[] {
  return messages.map(({ role, parts }) => [role, ...parts.flatMap(saidIn)])
}

function saidIn(part: ConversationPart): unknown[] {
  if (part.type === 'text') return part.text === '' ? [] : [part.text]
  if (part.type === 'call') return [{ [part.toolName]: part.input }]
  if (part.type === 'file') return ['an image']
  if (part.type !== 'result') return []
  const mark = part.isError ? 'failed:' : '='
  return [[mark, ...(typeof part.content === 'string' ? [part.content] : part.content.flatMap(saidIn))]]
}

/** The last request, in every protocol that can say all of it. */
const SAID = [
  ['system', 'Be brief.'],
  ['user', 'What is this, and what else is there?', 'an image'],
  ['assistant', 'I look 🔎.', { look: { path: 'a "quoted".png' } }, { list: { path: '.' } }],
  ['tool', ['=', 'A dot.'], ['=', 'Also a dot:', 'an image']],
  ['assistant', { remove: { path: 'b.png' } }],
  ['tool', ['failed:', 'The user denied this call.']],
  ['assistant', 'As you wish.', { list: { path: '/none' } }],
  ['tool', ['failed:', 'There is no such folder.']],
  ['assistant', 'A red dot, twice.'],
  ['user', 'And the other folders?'],
  ['assistant', { list: { path: 'x' } }, { list: { path: 'y' } }, { look: { path: 'z' } }],
  ['tool', ['=', HOSTILE], ['=', ''], ['=', '{"size":3}']],
]

/** What some protocols cannot say. */
const unmarked = (entry: unknown): unknown =>
  Array.isArray(entry) ? entry.map(unmarked) : entry === 'failed:' ? '=' : entry

const moved = (whose: string): unknown[] =>
  SAID.flatMap((message, index) =>
    index !== 3
      ? [message]
      : [
          ['tool', ['=', 'A dot.'], ['=', 'Also a dot:']],
          ['user', `The files in the result of the call '${whose}' of 'list':`, 'an image'],
        ],
  )

const ERRORS = (name: string) => `That results are errors is left out: '${name}' has no place for it.`
const MOVED = (id: string, name: string) =>
  `The files in the result of the call '${id}' are moved to a message of the user: '${name}' takes none in results.`

/** What is taken back of the second call, whose id is the server's. */
const secondCall = ({ messages }: ModelRequest): string =>
  messages[2]!.parts.filter((part) => part.type === 'call')[1]!.id!

interface Outcome {
  readonly said: unknown
  readonly diagnostics: readonly string[]
}

const textOnly =
  (name: string) =>
  (request: ModelRequest): Outcome => ({
    said: unmarked(moved(secondCall(request))),
    diagnostics: [MOVED(secondCall(request), name), ERRORS(name)],
  })

const WANTED: Readonly<Record<string, (request: ModelRequest) => Outcome>> = {
  'openai-chat': textOnly('openai-chat'),
  ollama: textOnly('ollama'),
  'openai-responses': () => ({
    said: unmarked(SAID),
    diagnostics: ["'openai-responses' has no mark for results that are errors: only their text is sent."],
  }),
  anthropic: () => ({ said: SAID, diagnostics: [] }),
  gemini: () => ({ said: SAID, diagnostics: [] }),
  'ai-sdk-ui': () => ({
    said: SAID,
    diagnostics: ["The tools are left out: a server that 'ai-sdk-ui' speaks to has its own."],
  }),
}

describe.each(PROTOCOLS)('$name', (protocol) => {
  const { format } = protocol

  test('takes six rounds, and gives them back', async () => {
    const { request, diagnostics } = await converse(protocol, servers)
    const wanted = WANTED[format.name]!(request)
    expect([...new Set(diagnostics.map(({ message }) => message))]).toEqual(wanted.diagnostics)
    const body = lastTaken(protocol)
    const back = readRequest(format, body, { path: format.path({ ...request, ...protocol.about }) })
    expect(back.diagnostics).toEqual([])
    expect(said(back.request)).toEqual(wanted.said)
    expect(writeRequest(format, back.request)).toMatchObject({ body, diagnostics: [] })
    expect(writeRequest(format, back.request).body).toEqual(body)
  })

  test.each(PROTOCOLS)('goes on in $name and back, in the middle of a turn', async (other) => {
    const { request } = await converse(protocol, servers, ROUNDS.slice(0, 3))
    const there = await ask(request, other, servers, ROUNDS[4]!.turn)
    const back = await ask(answer(there.request, ROUNDS[4]!.results!), protocol, servers, ROUNDS[0]!.turn)
    const again = await ask(answer(back.request, ROUNDS[0]!.results!), other, servers, ROUNDS[5]!.turn)
    expect(again.request.messages.filter(({ role }) => role === 'assistant')).toHaveLength(6)
  })

  test.each(PROTOCOLS)('goes on in $name and back, between two turns', async (other) => {
    const { request } = await converse(protocol, servers)
    const there = await ask(appendUser(request, 'Go on.'), other, servers, ROUNDS[0]!.turn)
    const answered = answer(there.request, ROUNDS[0]!.results!)
    const done = await ask(answered, other, servers, ROUNDS[3]!.turn)
    const back = await ask(appendUser(done.request, 'And now?'), protocol, servers, ROUNDS[5]!.turn)
    expect(back.request.messages.filter(({ role }) => role === 'assistant')).toHaveLength(9)
  })
})

test.each(PROTOCOLS)('a call that a person denied on a page is told as such: $name', async (protocol) => {
  const denied = {
    type: 'tool-remove',
    toolCallId: 'c1',
    state: 'output-denied',
    input: { path: 'b.png' },
    approval: { id: 'a1', approved: false, reason: 'Not today.' },
  }
  const page = {
    messages: [
      { id: 'm1', role: 'user', parts: [{ type: 'text', text: 'Remove it.' }] },
      { id: 'm2', role: 'assistant', parts: [{ type: 'step-start' }, denied] },
    ],
  }
  const { request } = readRequest(aiSdkUiRequest, page)
  await ask({ ...request, tools: TOOLS }, protocol, servers, ROUNDS[3]!.turn)
  expect(JSON.stringify(lastTaken(protocol))).toContain('Not today.')
})
