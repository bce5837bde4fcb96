/** What a provider attaches to its text comes through a model that writes its calls in text. */

import { expect, test } from 'vitest'
import type { Part } from '../../src/base/part.ts'
import { hermes } from '../../src/dialects/hermes.ts'
import { collect } from '../../src/engine/message.ts'
import { gemini } from '../../src/providers/gemini/read.ts'
import { openaiResponses } from '../../src/providers/openai-responses/read.ts'
import { readProvider } from '../../src/providers/read-provider.ts'
import {
  geminiModel,
  type Model,
  openaiResponsesModel,
  promptedModel,
  runTurn,
} from '../../src/turn/index.ts'
import { ModelServer } from './model-server.ts'
import { calling } from './scripted-model.ts'

const framed = (payloads: readonly object[]): string[] =>
  payloads.map((payload) => `data: ${JSON.stringify(payload)}\n\n`)

/** Messages of the Responses API, each an item with an id. */
function items(...texts: readonly string[]): string[] {
  const payloads = texts.flatMap((text, at) => {
    const item = { type: 'message', id: `msg_${at}`, role: 'assistant' }
    const about = { output_index: at, item_id: item.id, content_index: 0 }
    return [
      { type: 'response.output_item.added', output_index: at, item: { ...item, content: [] } },
      ...[text.slice(0, 5), text.slice(5)].map((delta) => ({
        ...about,
        type: 'response.output_text.delta',
        delta,
      })),
      {
        type: 'response.output_item.done',
        output_index: at,
        item: { ...item, content: [{ type: 'output_text', text, annotations: [] }] },
      },
    ]
  })
  return framed([...payloads, { type: 'response.completed', response: { status: 'completed', output: [] } }])
}

/** Parts of Gemini, each with its signature. */
const signed = (...parts: readonly (readonly [text: string, signature?: string])[]): string[] =>
  framed(
    parts.map(([text, thoughtSignature], at) => ({
      candidates: [
        {
          content: { role: 'model', parts: [{ text, ...(thoughtSignature && { thoughtSignature }) }] },
          ...(at === parts.length - 1 && { finishReason: 'STOP' }),
        },
      ],
    })),
  )

const CALL = calling('go', { x: 1 })
const tools = { go: {} }

const textsOf = (parts: readonly { type: string }[]): unknown[] =>
  (parts as readonly Part[]).flatMap((part) => (part.type === 'text' ? [[part.text, part.metadata]] : []))

const item = (id: string): object => ({ 'openai-responses': { itemId: id } })
const signature = (thoughtSignature: string): object => ({ gemini: { thoughtSignature } })

test.each([
  ['the id of an item', 'responses', items('Let me look.'), [['Let me look.', item('msg_0')]]],
  [
    'the ids of two items',
    'responses',
    items('One.', 'Two.'),
    [
      ['One.', item('msg_0')],
      ['Two.', item('msg_1')],
    ],
  ],
  ['the id of an item with a call', 'responses', items(`Go.${CALL}`), [['Go.', item('msg_0')]]],
  ['no id of an item that is nothing but a call', 'responses', items(CALL), []],
  ['the id of the item behind that', 'responses', items(CALL, 'Now.'), [['Now.', item('msg_1')]]],
  ['a signature', 'gemini', signed(['Hi'], [' you.', 'abc']), [['Hi you.', signature('abc')]]],
  ['a signature of nothing but a call', 'gemini', signed([CALL, 'abc']), [['', signature('abc')]]],
] as const)('%s', async (_, kind, chunks, texts) => {
  const server = await ModelServer.start([{ chunks }])
  const options = { baseUrl: server.url, model: 'm' }
  const native: Model = kind === 'gemini' ? geminiModel(options) : openaiResponsesModel(options)
  const { content } = await runTurn({
    model: promptedModel(native, { dialect: hermes }),
    conversation: 'Hi',
    tools,
  })
  expect(textsOf(content)).toEqual(texts)
  // The reader of the provider, which reads calls in text itself, says the same.
  const provider = kind === 'gemini' ? gemini : openaiResponses
  const read = await collect(readProvider([...chunks], { provider, dialect: hermes, tools }))
  expect(textsOf(content)).toEqual(textsOf(read.parts))
})
