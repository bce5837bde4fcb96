/** Requests: what is written is read as it was, in every protocol and through every pair of them. */

import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import * as formats from '../../src/providers/named-requests.ts'
import {
  type ConversationMessage,
  type ConversationPart,
  type ModelRequest,
  type RequestFormat,
  readRequest,
  type ToolChoice,
  writeRequest,
} from '../../src/providers/requests.ts'
import { runs, SEED } from '../effort.ts'

const FORMATS: readonly RequestFormat[] = Object.values(formats)

/** What a protocol may have no place for. Each is taken out of a request before two are compared. */
const LOSSES = {
  ids: eachPart((part) => (part.type === 'call' || part.type === 'result' ? without(part, 'id') : part)),
  'errors of results': eachPart((part) => (part.type === 'result' ? without(part, 'isError') : part)),
  'names in results': eachPart((part) => (part.type === 'result' ? without(part, 'toolName') : part)),
  'types of images': eachPart((part) => (part.type === 'file' ? { ...part, mediaType: 'image/*' } : part)),
  model: (request: ModelRequest) => without(request, 'model'),
  settings: (request: ModelRequest) => without(request, 'settings'),
  tools: (request: ModelRequest) => without(without(request, 'tools'), 'toolChoice'),
  'tool choice': (request: ModelRequest) => without(request, 'toolChoice'),
  'system messages': (request: ModelRequest) => ({
    ...request,
    messages: request.messages.filter(({ role }) => role !== 'system'),
  }),
} as const

type Loss = keyof typeof LOSSES

/** What each protocol cannot carry, besides what it may not: reasoning, and fields of other providers. */
const CANNOT: Readonly<Record<string, readonly Loss[]>> = {
  'ai-sdk-ui': ['settings', 'tools'],
  anthropic: ['names in results'],
  ollama: ['errors of results', 'types of images', 'tools'],
  'openai-chat': ['names in results', 'errors of results'],
  'openai-responses': ['errors of results', 'names in results', 'settings'],
}

function without<T extends object>(value: T, field: string): T {
  const { [field as keyof T]: _, ...rest } = value
  return rest as T
}

function eachPart(change: (part: ConversationPart) => ConversationPart) {
  return (request: ModelRequest): ModelRequest => ({
    ...request,
    messages: request.messages.map((message) => ({ ...message, parts: message.parts.map(change) })),
  })
}

/** The request without what says where it has been. */
function plain(request: ModelRequest, losses: Iterable<Loss>): ModelRequest {
  let result = without(without(request, 'providerOptions'), 'stream')
  result = {
    ...result,
    messages: result.messages.map(
      (message): ConversationMessage => without(without(message, 'provider'), 'metadata'),
    ),
  }
  result = eachPart((part) => without(part, 'metadata'))(result)
  for (const loss of losses) result = LOSSES[loss](result)
  return result
}

// ── conversations ────────────────────────────────────────────────────────────────────────────────

const word = fc.stringMatching(/^[a-z][a-z0-9_]{0,7}$/)
const sentence = fc
  .string({ unit: 'grapheme', minLength: 1, maxLength: 20 })
  .filter((text) => text.trim() === text)
const json = fc.dictionary(
  word,
  fc.oneof(sentence, fc.integer(), fc.boolean(), fc.constant(null), fc.array(sentence)),
)

const text = sentence.map((text) => ({ type: 'text', text }) as const)
const image = fc
  .constantFrom('iVBORw0=', 'AAAA')
  .map((base64) => ({ type: 'file', mediaType: 'image/png', content: { base64 } }) as const)
const user = fc
  .tuple(text, fc.option(image, { nil: undefined, freq: 4 }))
  .map(([said, file]): ConversationMessage => ({ role: 'user', parts: file ? [said, file] : [said] }))

/** What the model says, and the results of its calls. */
const round = fc
  .record({
    said: fc.option(text, { nil: undefined }),
    calls: fc.array(
      fc.record({
        toolName: fc.constantFrom('ls', 'read_file'),
        input: json,
        answer: sentence,
        isError: fc.boolean(),
      }),
      { maxLength: 3 },
    ),
  })
  .filter(({ said, calls }) => said !== undefined || calls.length > 0)

const request = fc
  .record({
    model: fc.constantFrom('model-a', 'model-b'),
    system: fc.option(text, { nil: undefined }),
    rounds: fc.array(fc.tuple(user, round), { maxLength: 4 }),
    last: user,
    toolChoice: fc.constantFrom<ToolChoice | undefined>(undefined, 'auto', 'none', 'required', {
      toolName: 'ls',
    }),
    settings: fc.record({
      maxOutputTokens: fc.integer({ min: 1, max: 100_000 }),
      temperature: fc.constantFrom(0, 0.5, 1),
      stopSequences: fc.uniqueArray(word, { minLength: 1, maxLength: 4 }),
    }),
  })
  .map(({ model, system, rounds, last, toolChoice, settings }): ModelRequest => {
    let count = 0
    const turns = rounds.flatMap(([asked, { said, calls }]): ConversationMessage[] => {
      const made = calls.map(({ toolName, input, answer, isError }) => {
        const id = `call_${count++}`
        const failed = isError ? { isError: true } : {}
        return {
          call: { type: 'call', id, toolName, input } as const,
          result: { type: 'result', id, toolName, content: answer, ...failed } as const,
        }
      })
      const parts = [...(said ? [said] : []), ...made.map(({ call }) => call)]
      const results = made.map(({ result }) => result)
      return [
        asked,
        { role: 'assistant', parts },
        ...(results.length > 0 ? [{ role: 'tool', parts: results } as const] : []),
      ]
    })
    return {
      model,
      messages: [...(system ? [{ role: 'system', parts: [system] } as const] : []), ...turns, last],
      tools: TOOLS,
      ...(toolChoice && { toolChoice }),
      settings,
    }
  })

const TOOLS = [
  {
    name: 'ls',
    description: 'Lists.',
    inputSchema: { type: 'object', properties: { path: { type: 'string' } } },
  },
  { name: 'read_file', inputSchema: { type: 'object', properties: {}, required: [] } },
] as const

const through = (format: RequestFormat, given: ModelRequest): ModelRequest => {
  const { body, path } = writeRequest(format, given)
  // What a client sends is JSON.
  return readRequest(format, JSON.parse(JSON.stringify(body)), { path }).request
}

const settings = { numRuns: runs(400), seed: SEED }

describe('a request', () => {
  test.each(FORMATS.map((format) => [format.name, format] as const))('comes back from %s', (name, format) => {
    const losses = CANNOT[name] ?? []
    fc.assert(
      fc.property(request, (given) => {
        expect(plain(through(format, given), losses)).toEqual(plain(given, losses))
      }),
      settings,
    )
  })

  test.each(FORMATS.map((format) => [format.name, format] as const))(
    'says what it loses: %s',
    (name, format) => {
      // The list of losses is no longer than it has to be.
      for (const loss of CANNOT[name] ?? []) {
        const others = (CANNOT[name] ?? []).filter((other) => other !== loss)
        const isLost = fc.check(
          fc.property(request, (given) => {
            expect(plain(through(format, given), others)).toEqual(plain(given, others))
          }),
          { ...settings, numRuns: 400 },
        ).failed
        expect(isLost, loss).toBe(true)
      }
    },
  )

  const pairs = FORMATS.flatMap((first) =>
    FORMATS.map((second) => [first.name, second.name, first, second] as const),
  )
  test.each(pairs)('comes through %s and %s', (_, __, first, second) => {
    const losses = new Set([first, second].flatMap(({ name }) => CANNOT[name] ?? []))
    fc.assert(
      fc.property(request, (given) => {
        expect(plain(through(second, through(first, given)), losses)).toEqual(plain(given, losses))
      }),
      { ...settings, numRuns: runs(200) },
    )
  })

  test.each(FORMATS.map((format) => [format.name, format] as const))(
    'is written and read without a change: %s',
    (_, format) => {
      fc.assert(
        fc.property(request, (given) => {
          const { body } = writeRequest(format, given)
          const again = writeRequest(format, readRequest(format, body, { path: format.path(given) }).request)
          expect(again.body).toEqual(body)
          expect(again.diagnostics).toEqual([])
        }),
        settings,
      )
    },
  )

  test.each(FORMATS.map((format) => [format.name, format] as const))(
    'is recognised as one of %s',
    (_, format) => {
      const body = writeRequest(format, {
        messages: [{ role: 'user', parts: [{ type: 'text', text: 'Hi' }] }],
        tools: TOOLS,
      }).body
      expect(FORMATS.filter((other) => other.detect(body)).map(({ name }) => name)).toContain(format.name)
    },
  )
})
