/** What a model says in a turn, as the servers of each protocol stream it, with everything that they sign. */

import type { Fields } from '../../../src/base/fields.ts'
import { redact, signThinking } from './rules/anthropic.ts'
import { signPart } from './rules/gemini.ts'
import { type ReasoningRule, signDetail, type Thoughts } from './rules/openai-chat.ts'
import { encrypt, type Issued } from './rules/openai-responses.ts'

export interface Turn {
  readonly thought: string
  readonly text?: string
  readonly calls?: readonly { readonly toolName: string; readonly input: Fields }[]
}

/** Makes ids, each once. */
export class Ids {
  private count = 0
  next(prefix: string): string {
    return `${prefix}${String(++this.count).padStart(6, '0')}`
  }
}

const halves = (text: string): string[] => {
  const middle = Math.ceil(text.length / 2)
  return [text.slice(0, middle), text.slice(middle)].filter((half) => half !== '')
}

const data = (payload: unknown): string => `data: ${JSON.stringify(payload)}\n\n`
const named = (payload: { readonly type: string }): string => `event: ${payload.type}\n${data(payload)}`

// ── Anthropic ────────────────────────────────────────────────────────────────────────────────────

export function anthropicAnswer({ thought, text, calls = [] }: Turn, ids: Ids): string {
  const blocks: { start: Fields; deltas: Fields[] }[] = [
    {
      start: { type: 'thinking', thinking: '', signature: '' },
      deltas: [
        ...halves(thought).map((thinking) => ({ type: 'thinking_delta', thinking })),
        { type: 'signature_delta', signature: signThinking(thought) },
      ],
    },
    { start: { type: 'redacted_thinking', data: redact(thought) }, deltas: [] },
    ...(text === undefined
      ? []
      : [
          {
            start: { type: 'text', text: '' },
            deltas: halves(text).map((text) => ({ type: 'text_delta', text })),
          },
        ]),
    ...calls.map(({ toolName: name, input }) => ({
      start: { type: 'tool_use', id: ids.next('toolu_01'), name, input: {} },
      deltas: halves(JSON.stringify(input)).map((partial_json) => ({
        type: 'input_json_delta',
        partial_json,
      })),
    })),
  ]
  const message = {
    ...{ id: ids.next('msg_01'), type: 'message', role: 'assistant', model: 'claude-opus-4-5', content: [] },
    ...{ stop_reason: null, stop_sequence: null, usage: { input_tokens: 10, output_tokens: 1 } },
  }
  const stop_reason = calls.length > 0 ? 'tool_use' : 'end_turn'
  return [
    named({ type: 'message_start', message } as { type: string }),
    ...blocks.flatMap(({ start, deltas }, index) => [
      named({ type: 'content_block_start', index, content_block: start } as { type: string }),
      ...deltas.map((delta) => named({ type: 'content_block_delta', index, delta } as { type: string })),
      named({ type: 'content_block_stop', index } as { type: string }),
    ]),
    named({
      type: 'message_delta',
      delta: { stop_reason, stop_sequence: null },
      usage: { output_tokens: 20 },
    } as { type: string }),
    named({ type: 'message_stop' }),
  ].join('')
}

// ── Chat Completions ─────────────────────────────────────────────────────────────────────────────

export function openaiChatAnswer(
  { thought, text, calls = [] }: Turn,
  ids: Ids,
  rule: ReasoningRule,
  thoughts: Thoughts,
): string {
  const given = calls.map((call) => ({ ...call, id: ids.next('call_') }))
  if (rule === 'text') for (const { id } of given) thoughts.set(id, thought)
  const chunk = (delta: Fields, finish_reason: string | null = null): string =>
    data({
      ...{ id: 'chatcmpl-1', object: 'chat.completion.chunk', created: 1, model: 'm' },
      choices: [{ index: 0, delta, finish_reason }],
    })
  const detail = { type: 'reasoning.text', format: 'anthropic-claude-v1', index: 0 }
  const deltas: Fields[] =
    rule === 'none'
      ? []
      : rule === 'text'
        ? halves(thought).map((reasoning_content) => ({ reasoning_content }))
        : [
            ...halves(thought).map((half) => ({
              reasoning: half,
              reasoning_details: [{ ...detail, text: half }],
            })),
            { reasoning_details: [{ ...detail, signature: signDetail(thought) }] },
            {
              reasoning_details: [
                {
                  type: 'reasoning.encrypted',
                  data: signDetail('encrypted'),
                  format: 'anthropic-claude-v1',
                  index: 1,
                },
              ],
            },
          ]
  return [
    chunk({ role: 'assistant', content: '' }),
    ...deltas.map((delta) => chunk(delta)),
    ...halves(text ?? '').map((content) => chunk({ content })),
    ...given.flatMap(({ id, toolName: name, input }, index) => [
      chunk({
        tool_calls: [{ index, id, type: 'function', function: { name, arguments: '' } }],
      }),
      ...halves(JSON.stringify(input)).map((half) =>
        chunk({ tool_calls: [{ index, function: { arguments: half } }] }),
      ),
    ]),
    chunk({}, calls.length > 0 ? 'tool_calls' : 'stop'),
    'data: [DONE]\n\n',
  ].join('')
}

// ── Responses ────────────────────────────────────────────────────────────────────────────────────

export function openaiResponsesAnswer({ thought, text, calls = [] }: Turn, ids: Ids, issued: Issued): string {
  const rs = ids.next('rs_')
  const summary = [{ type: 'summary_text', text: thought }]
  const items: { item: Fields; start: Fields; deltas: Fields[] }[] = [
    {
      start: { id: rs, type: 'reasoning', summary: [] },
      deltas: [
        {
          type: 'response.reasoning_summary_part.added',
          summary_index: 0,
          part: { type: 'summary_text', text: '' },
        },
        ...halves(thought).map((delta) => ({
          type: 'response.reasoning_summary_text.delta',
          summary_index: 0,
          delta,
        })),
        { type: 'response.reasoning_summary_text.done', summary_index: 0, text: thought },
        { type: 'response.reasoning_summary_part.done', summary_index: 0, part: summary[0] },
      ],
      item: { id: rs, type: 'reasoning', summary, encrypted_content: encrypt(rs) },
    },
  ]
  if (text !== undefined) {
    const message = { id: ids.next('msg_'), type: 'message', role: 'assistant' }
    const part = { type: 'output_text', annotations: [], logprobs: [], text }
    items.push({
      start: { ...message, status: 'in_progress', content: [] },
      deltas: [
        { type: 'response.content_part.added', content_index: 0, part: { ...part, text: '' } },
        ...halves(text).map((delta) => ({
          type: 'response.output_text.delta',
          content_index: 0,
          delta,
          logprobs: [],
        })),
        { type: 'response.output_text.done', content_index: 0, text, logprobs: [] },
        { type: 'response.content_part.done', content_index: 0, part },
      ],
      item: { ...message, status: 'completed', content: [part] },
    })
  }
  for (const { toolName: name, input } of calls) {
    const call = { id: ids.next('fc_'), type: 'function_call', call_id: ids.next('call_'), name }
    const written = JSON.stringify(input)
    items.push({
      start: { ...call, status: 'in_progress', arguments: '' },
      deltas: [
        ...halves(written).map((delta) => ({ type: 'response.function_call_arguments.delta', delta })),
        { type: 'response.function_call_arguments.done', name, arguments: written },
      ],
      item: { ...call, status: 'completed', arguments: written },
    })
  }
  for (const { item } of items) if (item.id !== rs) issued.reasoningOf.set(String(item.id), rs)
  const response = (status: string, output: readonly unknown[]) => ({
    ...{ id: 'resp_1', object: 'response', created_at: 1, status, model: 'gpt-5', output },
    ...{ error: null, incomplete_details: null, usage: null },
  })
  const events: Fields[] = [
    { type: 'response.created', response: response('in_progress', []) },
    ...items.flatMap(({ item, start, deltas }, output_index) => [
      { type: 'response.output_item.added', output_index, item: start },
      ...deltas.map((delta) => ({ ...delta, output_index, item_id: item.id })),
      { type: 'response.output_item.done', output_index, item },
    ]),
    {
      type: 'response.completed',
      response: response(
        'completed',
        items.map(({ item }) => item),
      ),
    },
  ]
  return events
    .map((event, sequence_number) => named({ ...event, sequence_number } as unknown as { type: string }))
    .join('')
}

// ── Gemini ───────────────────────────────────────────────────────────────────────────────────────

/** The first of several calls is signed; a text is signed behind its end. */
export function geminiAnswer({ thought, text, calls = [] }: Turn, ids: Ids): string {
  const parts: Fields[] = [
    ...halves(thought).map((half) => ({ text: half, thought: true })),
    ...halves(text ?? '').map((half) => ({ text: half })),
    ...calls.map(({ toolName: name, input: args }, index) => {
      const part = { functionCall: { id: ids.next('fn'), name, args } }
      return index === 0 ? { ...part, thoughtSignature: signPart(part) } : part
    }),
    ...(calls.length === 0 ? [{ text: '', thoughtSignature: signPart({}) }] : []),
  ]
  return parts
    .map((part, index) =>
      data({
        candidates: [
          {
            content: { parts: [part], role: 'model' },
            index: 0,
            ...(index === parts.length - 1 && { finishReason: 'STOP' }),
          },
        ],
        usageMetadata: { promptTokenCount: 10, candidatesTokenCount: 5, totalTokenCount: 15 },
        modelVersion: 'gemini-3-flash',
        responseId: 'r1',
      }),
    )
    .join('')
}

// ── Ollama ───────────────────────────────────────────────────────────────────────────────────────

export function ollamaAnswer({ thought, text, calls = [] }: Turn, ids: Ids): string {
  const line = (message: Fields, rest: Fields = { done: false }): string =>
    `${JSON.stringify({ model: 'qwen3', created_at: '2026-11-15T09:00:00Z', message: { role: 'assistant', content: '', ...message }, ...rest })}\n`
  return [
    ...halves(thought).map((thinking) => line({ thinking })),
    ...halves(text ?? '').map((content) => line({ content })),
    ...calls.map(({ toolName: name, input }, index) =>
      line({ tool_calls: [{ id: ids.next('call_'), function: { index, name, arguments: input } }] }),
    ),
    line({}, { done: true, done_reason: 'stop', prompt_eval_count: 10, eval_count: 5 }),
  ].join('')
}
