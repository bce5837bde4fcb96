/** The errors of five APIs, in their own words: what a caller can tell from them. */

import { expect, test } from 'vitest'
import {
  anthropicModel,
  geminiModel,
  ollamaModel,
  openaiChatModel,
  openaiResponsesModel,
  runTurn,
  type TurnErrorKind,
} from '../../src/turn/index.ts'
import { turnError } from '../../src/turn/turn-error.ts'
import { ManualClock } from './manual-clock.ts'
import { ModelServer, type Reply } from './model-server.ts'

const MODELS = {
  'openai-chat': openaiChatModel,
  'openai-responses': openaiResponsesModel,
  anthropic: anthropicModel,
  gemini: geminiModel,
  ollama: ollamaModel,
}

/** The body of an error, by the word that the provider has for it and the status. */
type Body = (code: string, status: number) => unknown

const openai: Body = (code) => ({ error: { message: 'Why.', type: 'some_type', param: null, code } })
const openaiType: Body = (type) => ({ error: { message: 'Why.', type, param: null, code: null } })
const llamaServer: Body = (type, code) => ({ error: { message: 'Why.', type, code } })
const anthropic: Body = (type) => ({ type: 'error', error: { type, message: 'Why.' } })
const gemini: Body = (status, code) => ({ error: { code, message: 'Why.', status } })
const geminiList: Body = (status, code) => [gemini(status, code)]
const failed = (code: string): object => ({
  type: 'response.failed',
  response: { id: 'r', status: 'failed', error: { code, message: 'Why.' } },
})

async function errorOf(api: keyof typeof MODELS, reply: Reply): Promise<unknown> {
  const server = await ModelServer.start([reply])
  const model = MODELS[api]({ baseUrl: server.url, model: 'm' })
  return runTurn({ model, conversation: 'Hi', maxRetries: 0 }).then(
    () => 'no error',
    (error: unknown) => error,
  )
}

test.each<[status: number, api: keyof typeof MODELS, code: string, kind: TurnErrorKind, body: Body]>([
  [400, 'openai-chat', 'context_length_exceeded', 'context-length', openai],
  [400, 'openai-chat', 'content_policy_violation', 'refused', openai],
  [400, 'openai-chat', 'invalid_request_error', 'invalid-request', openaiType],
  [401, 'openai-chat', 'invalid_api_key', 'auth', openai],
  [404, 'openai-chat', 'model_not_found', 'not-found', openai],
  [429, 'openai-chat', 'insufficient_quota', 'quota', openai],
  [429, 'openai-chat', 'rate_limit_exceeded', 'rate-limit', openai],
  [500, 'openai-chat', 'server_error', 'server', openaiType],
  [400, 'openai-chat', 'exceed_context_size_error', 'context-length', llamaServer],
  [503, 'openai-chat', 'unavailable_error', 'overloaded', llamaServer],
  [400, 'openai-responses', 'context_length_exceeded', 'context-length', openai],
  [429, 'openai-responses', 'insufficient_quota', 'quota', openai],
  [400, 'anthropic', 'invalid_request_error', 'invalid-request', anthropic],
  [401, 'anthropic', 'authentication_error', 'auth', anthropic],
  [403, 'anthropic', 'permission_error', 'auth', anthropic],
  [404, 'anthropic', 'not_found_error', 'not-found', anthropic],
  [413, 'anthropic', 'request_too_large', 'context-length', anthropic],
  [429, 'anthropic', 'rate_limit_error', 'rate-limit', anthropic],
  [500, 'anthropic', 'api_error', 'server', anthropic],
  [504, 'anthropic', 'timeout_error', 'timeout', anthropic],
  [529, 'anthropic', 'overloaded_error', 'overloaded', anthropic],
  [400, 'gemini', 'INVALID_ARGUMENT', 'invalid-request', gemini],
  [403, 'gemini', 'PERMISSION_DENIED', 'auth', gemini],
  [429, 'gemini', 'RESOURCE_EXHAUSTED', 'rate-limit', gemini],
  [429, 'gemini', 'RESOURCE_EXHAUSTED', 'rate-limit', geminiList],
  [503, 'gemini', 'UNAVAILABLE', 'overloaded', gemini],
  [504, 'gemini', 'DEADLINE_EXCEEDED', 'timeout', gemini],
])('%i from %s, %s: %s', async (status, api, code, kind, body) => {
  const headers = { 'content-type': 'application/json' }
  const chunks = [JSON.stringify(body(code, status))]
  const message = expect.stringMatching(/^The server answered .*: Why\.$/)
  expect(await errorOf(api, { status, headers, chunks })).toMatchObject({ kind, code, status, message })
})

test.each<[status: number, code: string, kind: TurnErrorKind, retryable: boolean]>([
  [399, 'api_error', 'server', true],
  [400, 'api_error', 'invalid-request', false],
  [401, 'api_error', 'auth', false],
  [403, 'server_error', 'auth', false],
  [404, 'internal', 'not-found', false],
  [404, 'internal_error', 'not-found', false],
  [422, 'INTERNAL_SERVER_ERROR', 'invalid-request', false],
  [401, 'invalid_request_error', 'auth', false],
  [402, 'invalid_request_error', 'quota', false],
  [499, 'api_error', 'invalid-request', false],
  [500, 'invalid_request_error', 'invalid-request', false],
  [408, 'api_error', 'server', true],
  [409, 'api_error', 'server', true],
  [425, 'api_error', 'server', true],
  [429, 'api_error', 'server', true],
  [400, 'rate_limit_exceeded', 'rate-limit', true],
  [403, 'insufficient_quota', 'quota', false],
  [400, 'malformed_tool_use', 'server', true],
])(
  'a status that blames the request counts more than a generic code: %i, %s: %s',
  (status, code, kind, retryable) => {
    const error = Object.assign(new Error('Why.'), { status, code })
    expect(turnError(error, undefined, undefined)).toMatchObject({ kind, retryable, status, code })
  },
)

test('a request that the server refuses is sent once, whatever its error is called', async () => {
  const reply = { status: 401, chunks: ['{"error":{"message":"no","type":"api_error"}}'] }
  const server = await ModelServer.start([reply, reply])
  const model = openaiChatModel({ baseUrl: server.url, model: 'm' })
  await expect(runTurn({ model, conversation: 'Hi' })).rejects.toMatchObject({
    kind: 'auth',
    retryable: false,
  })
  expect(server.requests.length).toBe(1)
})

test.each<[status: number, kind: TurnErrorKind]>([
  [400, 'invalid-request'],
  [404, 'not-found'],
  [500, 'server'],
  [503, 'overloaded'],
])('Ollama has no codes: %i is %s', async (status, kind) => {
  const headers = { 'content-type': 'application/json' }
  const error = await errorOf('ollama', { status, headers, chunks: ['{"error":"Why."}'] })
  expect(error).toMatchObject({ kind, status, message: expect.stringMatching(/: Why\.$/) })
})

test.each<[api: keyof typeof MODELS, kind: TurnErrorKind, body: unknown]>([
  ['openai-chat', 'rate-limit', { error: { code: 429, message: 'Why.' } }],
  ['openai-chat', 'server', { error: { code: 'server_error', message: 'Why.' } }],
  ['openai-responses', 'rate-limit', failed('rate_limit_exceeded')],
  ['openai-responses', 'context-length', failed('context_length_exceeded')],
  ['openai-responses', 'quota', { type: 'error', code: 'insufficient_quota', message: 'Why.' }],
  [
    'openai-responses',
    'overloaded',
    { type: 'error', error: { code: 'server_is_overloaded', message: 'Why.' } },
  ],
  ['anthropic', 'overloaded', anthropic('overloaded_error', 529)],
  ['gemini', 'overloaded', gemini('UNAVAILABLE', 503)],
  ['gemini', 'rate-limit', gemini('RESOURCE_EXHAUSTED', 429)],
])('in the stream of %s: %s', async (api, kind, body) => {
  const error = await errorOf(api, { chunks: [`data: ${JSON.stringify(body)}\n\n`] })
  expect(error).toMatchObject({ name: 'TurnError', kind, message: 'Why.' })
})

test('Ollama has no codes in its stream either: what fails there failed on the server', async () => {
  const lines = ['{"message":{"role":"assistant","content":""},"done":false}\n', '{"error":"Why."}\n']
  const server = await ModelServer.start([
    { chunks: lines },
    { chunks: ['{"message":{"content":"Hi"},"done":true,"done_reason":"stop"}\n'] },
  ])
  const clock = new ManualClock()
  const retries: unknown[] = []
  const turn = runTurn({
    model: ollamaModel({ baseUrl: server.url, model: 'm' }),
    conversation: 'Hi',
    clock,
    random: () => 1,
    onEvent: (event) => {
      if (event.type === 'retry') retries.push(event.error)
    },
  })
  await clock.pass(1000)
  expect((await turn).text).toBe('Hi')
  expect(retries).toEqual([{ name: 'TurnError', kind: 'server', message: 'Why.', status: 500 }])
})

test('Ollama may say the status of an error in its stream', async () => {
  const error = await errorOf('ollama', { chunks: ['{"error":"Why.","status_code":429}\n'] })
  expect(error).toMatchObject({ kind: 'rate-limit', status: 429, retryable: true })
})

test.each([
  ['in the body of an answer', (body: string) => ({ status: 429, chunks: [body] })],
  ['in the stream', (body: string) => ({ chunks: [`data: ${body}\n\n`] })],
])('Gemini says when to ask again, %s', async (_, reply) => {
  const details = [{ '@type': 'type.googleapis.com/google.rpc.RetryInfo', retryDelay: '3.5s' }]
  const { error } = gemini('RESOURCE_EXHAUSTED', 429) as { error: object }
  const server = await ModelServer.start([
    reply(JSON.stringify({ error: { ...error, details } })),
    { chunks: ['data: {"candidates":[{"content":{"parts":[{"text":"Hi"}]},"finishReason":"STOP"}]}\n\n'] },
  ])
  const clock = new ManualClock()
  const turn = runTurn({
    model: geminiModel({ baseUrl: server.url, model: 'm' }),
    conversation: 'Hi',
    clock,
  })
  await clock.pass(3500)
  expect((await turn).text).toBe('Hi')
})

test('a response that ends with an error, and says no more about it', async () => {
  const body = { candidates: [{ content: { parts: [] }, finishReason: 'MALFORMED_FUNCTION_CALL' }] }
  const error = await errorOf('gemini', { chunks: [`data: ${JSON.stringify(body)}\n\n`] })
  expect(error).toMatchObject({
    kind: 'server',
    code: 'MALFORMED_FUNCTION_CALL',
    retryable: true,
    message: 'The response ended with MALFORMED_FUNCTION_CALL.',
  })
})
