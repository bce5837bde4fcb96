/** What a model says, as the servers of each protocol stream it. Written by hand: our own writers are what is tested. */

import type { UpstreamProtocol } from '../../../src/gateway/gateway-config.ts'
import { asCalls, chunk, type ScriptedAnswer } from './upstream.ts'

export interface Said {
  readonly reasoning?: string
  readonly text?: string
  /** The arguments come in the pieces that are given. */
  readonly calls?: readonly (readonly [name: string, ...pieces: string[]])[]
  /** How many characters of the text a server sends at once (4). */
  readonly pieceLength?: number
  /** The limit of tokens was reached. */
  readonly isCut?: true
}

type Payload = Readonly<Record<string, unknown>>

const data = (payload: Payload): string => `data: ${JSON.stringify(payload)}\n\n`
const named = (payload: Payload): string => `event: ${String(payload.type)}\n${data(payload)}`
const piecesOf = (text = '', length = 4): string[] =>
  text.match(new RegExp(`[\\s\\S]{1,${length}}`, 'g')) ?? []
const argumentsOf = (pieces: readonly string[]): Payload =>
  pieces.length === 0 ? {} : (JSON.parse(pieces.join('')) as Payload)

function chat({ reasoning, text, calls = [], isCut, pieceLength }: Said): ScriptedAnswer {
  const finish = isCut ? 'length' : calls.length > 0 ? 'tool_calls' : 'stop'
  const { chunks } = asCalls('', calls, finish)
  return {
    chunks: [
      ...piecesOf(reasoning).map((reasoning_content) => chunk({ reasoning_content })),
      ...piecesOf(text, pieceLength).map((content) => chunk({ content })),
      ...chunks,
    ],
  }
}

function responses({ reasoning, text, calls = [], isCut, pieceLength }: Said): ScriptedAnswer {
  const items: { start: Payload; deltas: readonly Payload[]; item: Payload }[] = []
  if (reasoning !== undefined) {
    const part = { type: 'summary_text', text: reasoning }
    items.push({
      start: { id: 'rs_1', type: 'reasoning', summary: [] },
      deltas: [
        { type: 'response.reasoning_summary_part.added', summary_index: 0, part: { ...part, text: '' } },
        ...piecesOf(reasoning).map((delta) => ({
          type: 'response.reasoning_summary_text.delta',
          summary_index: 0,
          delta,
        })),
        { type: 'response.reasoning_summary_text.done', summary_index: 0, text: reasoning },
        { type: 'response.reasoning_summary_part.done', summary_index: 0, part },
      ],
      item: { id: 'rs_1', type: 'reasoning', summary: [part] },
    })
  }
  if (text !== undefined) {
    const part = { type: 'output_text', annotations: [], logprobs: [], text }
    const message = { id: 'msg_1', type: 'message', role: 'assistant' }
    items.push({
      start: { ...message, status: 'in_progress', content: [] },
      deltas: [
        { type: 'response.content_part.added', content_index: 0, part: { ...part, text: '' } },
        ...piecesOf(text, pieceLength).map((delta) => ({
          type: 'response.output_text.delta',
          content_index: 0,
          delta,
        })),
        { type: 'response.output_text.done', content_index: 0, text },
        { type: 'response.content_part.done', content_index: 0, part },
      ],
      item: { ...message, status: 'completed', content: [part] },
    })
  }
  for (const [at, [name, ...pieces]] of calls.entries()) {
    const call = { id: `fc_${at}`, type: 'function_call', call_id: `call_${at}`, name }
    const isOpen = isCut && at === calls.length - 1
    items.push({
      start: { ...call, status: 'in_progress', arguments: '' },
      deltas: [
        ...pieces.map((delta) => ({ type: 'response.function_call_arguments.delta', delta })),
        { type: 'response.function_call_arguments.done', arguments: pieces.join('') },
      ],
      item: { ...call, status: isOpen ? 'incomplete' : 'completed', arguments: pieces.join('') },
    })
  }
  const status = isCut ? 'incomplete' : 'completed'
  const response = (status: string, output: readonly unknown[]): Payload => ({
    ...{ id: 'resp_1', object: 'response', created_at: 1, status, model: 'm', output, error: null },
    incomplete_details: status === 'incomplete' ? { reason: 'max_output_tokens' } : null,
  })
  const events: Payload[] = [
    { type: 'response.created', response: response('in_progress', []) },
    ...items.flatMap(({ start, deltas, item }, output_index) => [
      { type: 'response.output_item.added', output_index, item: start },
      ...deltas.map((delta) => ({ ...delta, output_index, item_id: item.id })),
      { type: 'response.output_item.done', output_index, item },
    ]),
    {
      type: `response.${status}`,
      response: response(
        status,
        items.map(({ item }) => item),
      ),
    },
  ]
  return { chunks: events.map((event, sequence_number) => named({ ...event, sequence_number })) }
}

function anthropic({ reasoning, text, calls = [], isCut, pieceLength }: Said): ScriptedAnswer {
  const blocks: (readonly [start: Payload, deltas: readonly Payload[]])[] = [
    ...(reasoning === undefined
      ? []
      : [
          [
            { type: 'thinking', thinking: '', signature: '' },
            [
              ...piecesOf(reasoning).map((thinking) => ({ type: 'thinking_delta', thinking })),
              { type: 'signature_delta', signature: 'c2lnbmVk' },
            ],
          ] as const,
        ]),
    ...(text === undefined
      ? []
      : [
          [
            { type: 'text', text: '' },
            piecesOf(text, pieceLength).map((piece) => ({ type: 'text_delta', text: piece })),
          ] as const,
        ]),
    ...calls.map(
      ([name, ...pieces], at) =>
        [
          { type: 'tool_use', id: `toolu_${at}`, name, input: {} },
          // The first delta of each call is empty.
          ['', ...pieces].map((partial_json) => ({ type: 'input_json_delta', partial_json })),
        ] as const,
    ),
  ]
  const message = {
    ...{ id: 'msg_1', type: 'message', role: 'assistant', model: 'm', content: [], stop_reason: null },
    ...{ stop_sequence: null, usage: { input_tokens: 10, output_tokens: 1 } },
  }
  const stop_reason = isCut ? 'max_tokens' : calls.length > 0 ? 'tool_use' : 'end_turn'
  return {
    chunks: [
      { type: 'message_start', message },
      ...blocks.flatMap(([content_block, deltas], index) => [
        { type: 'content_block_start', index, content_block },
        ...deltas.map((delta) => ({ type: 'content_block_delta', index, delta })),
        { type: 'content_block_stop', index },
      ]),
      {
        type: 'message_delta',
        delta: { stop_reason, stop_sequence: null },
        usage: { output_tokens: 20 },
      },
      { type: 'message_stop' },
    ].map(named),
  }
}

function gemini({ reasoning, text, calls = [], isCut, pieceLength }: Said): ScriptedAnswer {
  const parts: readonly Payload[] = [
    ...piecesOf(reasoning).map((piece) => ({ text: piece, thought: true })),
    ...piecesOf(text, pieceLength).map((piece) => ({ text: piece })),
    ...calls.map(([name, ...pieces]) => ({ functionCall: { name, args: argumentsOf(pieces) } })),
  ]
  return {
    chunks: parts.map((part, at) => {
      const isLast = at === parts.length - 1
      const content = { parts: [part], role: 'model' }
      const end = isLast && { finishReason: isCut ? 'MAX_TOKENS' : 'STOP' }
      return data({ candidates: [{ content, index: 0, ...end }], modelVersion: 'm', responseId: 'r' })
    }),
  }
}

function ollama({ reasoning, text, calls = [], isCut, pieceLength }: Said): ScriptedAnswer {
  const line = (message: Payload, end: Payload = { done: false }): string =>
    `${JSON.stringify({
      ...{ model: 'm', created_at: '2026-11-15T09:00:00Z' },
      message: { role: 'assistant', content: '', ...message },
      ...end,
    })}\n`
  return {
    contentType: 'application/x-ndjson',
    chunks: [
      ...piecesOf(reasoning).map((thinking) => line({ thinking })),
      ...piecesOf(text, pieceLength).map((content) => line({ content })),
      ...calls.map(([name, ...pieces]) =>
        line({ tool_calls: [{ function: { name, arguments: argumentsOf(pieces) } }] }),
      ),
      line({}, { done: true, done_reason: isCut ? 'length' : 'stop', prompt_eval_count: 9, eval_count: 5 }),
    ],
  }
}

export const WIRES: Readonly<Record<UpstreamProtocol, (said: Said) => ScriptedAnswer>> = {
  'openai-chat': chat,
  'openai-responses': responses,
  anthropic,
  gemini,
  ollama,
}

/** Whether a server of the protocol can say this: some send the arguments of a call as a value, and not as text. */
export function canSay(protocol: UpstreamProtocol, { calls = [] }: Said): boolean {
  if (protocol !== 'gemini' && protocol !== 'ollama') return true
  try {
    for (const [, ...pieces] of calls) argumentsOf(pieces)
    return true
  } catch {
    return false
  }
}
