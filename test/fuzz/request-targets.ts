/** Every protocol's request: bodies that are changed, read, written again and read again. */

import { SluiceError } from '../../src/base/errors.ts'
import type { JsonValue } from '../../src/base/event.ts'
import * as formats from '../../src/providers/named-requests.ts'
import {
  type ModelRequest,
  type RequestFormat,
  readRequest,
  writeRequest,
} from '../../src/providers/requests.ts'
import { sorted } from '../laws/laws.ts'
import { changedByJson } from '../laws/plain.ts'
import { mutateList, smallerLists } from './mutate-json.ts'
import type { Target } from './target.ts'

const FORMATS: readonly RequestFormat[] = Object.values(formats)

const REQUESTS: readonly ModelRequest[] = [
  { messages: [{ role: 'user', parts: [{ type: 'text', text: 'Hello' }] }] },
  {
    model: 'm',
    settings: { maxOutputTokens: 100, temperature: 0.5, stopSequences: ['x'] },
    tools: [
      {
        name: 'ls',
        description: 'Lists.',
        inputSchema: { type: 'object', properties: { path: { type: 'string' } } },
      },
    ],
    toolChoice: { toolName: 'ls' },
    messages: [
      { role: 'system', parts: [{ type: 'text', text: 'Be short.' }] },
      {
        role: 'user',
        parts: [
          { type: 'text', text: 'Look.' },
          { type: 'file', mediaType: 'image/png', content: { base64: 'iVBORw0=' } },
        ],
      },
      {
        role: 'assistant',
        parts: [
          { type: 'text', text: 'I look.' },
          { type: 'call', id: 'c1', toolName: 'ls', input: { path: '.' } },
          { type: 'call', id: 'c2', toolName: 'ls', input: {} },
        ],
      },
      {
        role: 'tool',
        parts: [
          { type: 'result', id: 'c1', toolName: 'ls', content: 'a.ts' },
          { type: 'result', id: 'c2', toolName: 'ls', content: 'no', isError: true },
        ],
      },
      { role: 'user', parts: [{ type: 'text', text: 'And now?' }] },
    ],
  },
]

/** The body and path of a request, as a list of one, so that it is changed like payloads are. */
const bodies = (format: RequestFormat): JsonValue[][] =>
  REQUESTS.map((request) => [JSON.parse(JSON.stringify(writeRequest(format, request).body)) as JsonValue])

/** What is read of a body; undefined where it is refused with an error that says so. */
function readOf(format: RequestFormat, body: JsonValue): ModelRequest | undefined {
  try {
    return readRequest(format, body, { path: format.path(REQUESTS[1]!) }).request
  } catch (error) {
    if (error instanceof SluiceError) return undefined
    throw error
  }
}

function violation(format: RequestFormat, body: JsonValue): string | undefined {
  const request = readOf(format, body)
  if (request === undefined) return undefined
  const unplain = changedByJson([request])
  if (unplain !== undefined) return `14. plain: ${unplain}`
  // What was read can be written in every format, or is refused with an error that says so.
  for (const other of FORMATS) {
    try {
      const written = writeRequest(other, request)
      if (other !== format) continue
      const again = readRequest(other, JSON.parse(JSON.stringify(written.body)), {
        path: written.path,
      }).request
      const twice = writeRequest(other, again)
      const [first, second] = [written.body, twice.body].map((one) =>
        JSON.stringify(sorted(one as JsonValue)),
      )
      if (first !== second)
        return `12. written, read and written again:\n  first  ${first}\n  second ${second}`
    } catch (error) {
      if (!(error instanceof SluiceError)) return `10. total: ${other.name}: ${(error as Error).stack}`
    }
  }
  return undefined
}

/** Which roles and parts there are. */
const outline = (request: ModelRequest | undefined): string =>
  request === undefined
    ? 'refused'
    : request.messages
        .map(
          ({ role, parts }) =>
            `${role} ${parts.map((part) => `${part.type}${'metadata' in part ? '+' : ''}`).join(' ')}`,
        )
        .join(', ')

export const REQUEST_TARGETS: readonly Target<JsonValue[]>[] = FORMATS.map((format) => ({
  name: `request ${format.name}`,
  seeds: () => bodies(format),
  mutate: (list, random, other) =>
    mutateList(list, random, random.onceIn(5) ? bodies(random.of(FORMATS)).flat() : other).slice(0, 1),
  violation: (list) => (list.length === 0 ? undefined : violation(format, list[0]!)),
  outline: (list) => (list.length === 0 ? 'empty' : outline(readOf(format, list[0]!))),
  smaller: smallerLists,
}))
