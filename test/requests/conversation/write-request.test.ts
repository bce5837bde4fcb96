import { expect, test } from 'vitest'
import {
  anthropicRequest,
  openaiChatRequest,
  openaiResponsesRequest,
  readRequest,
} from '../../../src/providers/requests.ts'
import { appendResponse } from '../../../src/requests/conversation/append.ts'
import type { ConversationMessage, ModelRequest } from '../../../src/requests/conversation/model-request.ts'
import type { CheckedRequest, RequestFormat } from '../../../src/requests/conversation/request-format.ts'
import { writeRequest } from '../../../src/requests/conversation/write-request.ts'

/** A protocol that writes what it is given. */
const plain: RequestFormat = {
  name: 'plain',
  toolNames: { forbidden: /[^\w-]/g, maxLength: 64 },
  callIds: { forbidden: /[^\w-]/g, maxLength: 64 },
  path: () => '/',
  isContinued: ({ providerOptions }) => providerOptions?.plain?.conversation !== undefined,
  detect: () => false,
  read: () => ({ messages: [] }),
  write: ({ messages }: CheckedRequest) => ({ messages }),
}

const result = { role: 'tool', parts: [{ type: 'result', id: 'a', content: 'ok' }] } as const

test.each([
  ['a response', { previousResponseId: 'resp_1' }],
  ['a conversation', { providerOptions: { plain: { conversation: 'conv_1' } } }],
])('a result may answer a call of %s that the server has kept', (_, more) => {
  const { body, diagnostics } = writeRequest(plain, { messages: [result], ...more })
  expect(body.messages).toEqual([result])
  expect(diagnostics).toEqual([])
})

test('a result without a call is left out where the server has kept nothing', () => {
  const { body, diagnostics } = writeRequest(plain, { messages: [result] })
  expect(body.messages).toEqual([])
  expect(diagnostics.map(({ code }) => code)).toEqual(['result-without-call'])
})

test('what a provider ran keeps its name', () => {
  const ran = {
    role: 'assistant',
    parts: [
      { type: 'call', id: 'mcp_1', toolName: 'docs.search', input: {}, providerExecuted: true },
      { type: 'result', id: 'mcp_1', toolName: 'docs.search', content: 'ok' },
    ],
  } as const
  const { body, toolNames, diagnostics } = writeRequest(plain, { messages: [ran] })
  expect(body.messages).toEqual([ran])
  expect(toolNames).toEqual({})
  expect(diagnostics).toEqual([])
})

test('a call without a name gets one, which the answer maps back', () => {
  const { body, toolNames } = writeRequest(plain, {
    messages: [
      { role: 'assistant', parts: [{ type: 'call', id: 'a', toolName: '', input: {} }] },
      { role: 'tool', parts: [{ type: 'result', id: 'a', content: 'ok' }] },
    ],
  })
  expect(body.messages).toMatchObject([
    { parts: [{ toolName: 'unnamed' }] },
    { parts: [{ toolName: 'unnamed' }] },
  ])
  expect(toolNames).toEqual({ unnamed: '' })
})

test('a response is appended with the model that was asked', () => {
  const request = { model: 'm-1', messages: [] }
  const finish = { type: 'finish', reason: 'stop', metadata: { anthropic: {} } } as const
  expect(appendResponse(request, { parts: [], finish }).messages).toEqual([
    { role: 'assistant', parts: [], provider: 'anthropic', model: 'm-1' },
  ])
})

test.each<[sentence: string, id: string | undefined, results: readonly string[], answers: readonly string[]]>(
  [
    ['the same id', 'call_0', ['r1', 'r2'], ['r1', 'r2']],
    ['an empty id', '', ['r1', 'r2'], ['r1', 'r2']],
    ['the same id, and one result', 'call_0', ['r1'], ['r1', 'No result: the call was not run.']],
  ],
)('calls of one message with %s get their results in order', (_, id, results, answers) => {
  const { body, diagnostics } = writeRequest(plain, {
    messages: [
      { role: 'assistant', parts: [1, 2].map((x) => ({ type: 'call', id, toolName: 't', input: { x } })) },
      ...results.map((content) => ({ role: 'tool', parts: [{ type: 'result', id, content }] })),
    ] as ConversationMessage[],
  })
  const [calls, answered] = body.messages as ConversationMessage[]
  expect(answered?.parts.map((part) => part.type === 'result' && part.content)).toEqual(answers)
  expect(answered?.parts.map((part) => 'id' in part && part.id)).toEqual(
    calls?.parts.map((part) => 'id' in part && part.id),
  )
  expect(diagnostics).toHaveLength(2 - results.length)
})

test('a result answers the call of the last message, where an earlier one with its id was never answered', () => {
  const call = (x: number) => ({ type: 'call', id: 'call_0', toolName: 't', input: { x } }) as const
  const { body } = writeRequest(plain, {
    messages: [
      { role: 'assistant', parts: [call(1)] },
      { role: 'assistant', parts: [call(2)] },
      { role: 'tool', parts: [{ type: 'result', id: 'call_0', content: 'r' }] },
    ],
  })
  expect(body.messages).toMatchObject([
    { role: 'assistant' },
    { parts: [{ content: 'No result: the call was not run.' }] },
    { role: 'assistant' },
    { parts: [{ content: 'r' }] },
  ])
})

test.each<[providerOptions: ModelRequest['providerOptions'], messages: readonly string[]]>([
  [
    { 'openai-chat': { logit_bias: { 5: 1 }, user: 'u', max_tokens: 5 } },
    [
      "'logit_bias' of 'openai-chat' is left out: 'plain' does not have it.",
      "'user' of 'openai-chat' is left out: 'plain' does not have it.",
    ],
  ],
  [
    { 'openai-responses': { prompt: { id: 'p' } } },
    ["'prompt' of 'openai-responses' is left out: 'plain' does not have it."],
  ],
  [{ plain: { user: 'u' } }, []],
  [undefined, []],
])('%#: options of another protocol are reported', (providerOptions, messages) => {
  const { diagnostics } = writeRequest(plain, {
    messages: [],
    ...(providerOptions && { providerOptions }),
  })
  expect(diagnostics).toEqual(messages.map((message) => ({ code: 'setting-left-out', message })))
})

test.each<[format: RequestFormat, more: object, settings: readonly string[]]>([
  [
    openaiChatRequest,
    { messages: [], logit_bias: { 5: 1 }, web_search_options: {}, user: 'u', service_tier: 'flex', seed: 5 },
    ['logit_bias', 'web_search_options', 'user', 'service_tier', 'seed'],
  ],
  [openaiChatRequest, { messages: [], max_tokens: 5, stop: 'x', functions: [] }, []],
  [openaiResponsesRequest, { input: 'a', prompt: { id: 'p' } }, ['prompt']],
])('%#: no setting of a client is lost without a word', (format, more, settings) => {
  const { request } = readRequest(format, { model: 'm', ...more })
  const { diagnostics } = writeRequest(anthropicRequest, request)
  const left = diagnostics.filter(({ code }) => code === 'setting-left-out')
  expect(left.map(({ message }) => message.split("'")[1])).toEqual(settings)
})
