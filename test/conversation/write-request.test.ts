import { expect, test } from 'vitest'
import type { CheckedRequest, RequestFormat } from '../../src/conversation/request-format.ts'
import { writeRequest } from '../../src/conversation/write-request.ts'

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
