/**
 * Answers that are not streamed, put together from the payloads of a stream, as a client of the protocol would. There are
 * no calls in them that may not run: `gather` leaves those out.
 */

import { type Fields, isFields } from '../base/fields.ts'
import type { Payload } from '../providers/wire-format.ts'
import { parseWritten } from '../values/numbers/written.ts'
import type { RunAbout } from './run-about.ts'

const fieldsOf = (value: unknown): Fields => (isFields(value) ? value : {})
const listOf = (value: unknown): readonly unknown[] => (Array.isArray(value) ? (value as unknown[]) : [])
const textOf = (value: unknown): string => (typeof value === 'string' ? value : '')

/** Adds a piece to what is there: texts and lists grow, anything else is replaced. */
function grown(before: unknown, piece: unknown): unknown {
  if (typeof before === 'string' && typeof piece === 'string') return before + piece
  if (Array.isArray(before) && Array.isArray(piece))
    return [...(before as unknown[]), ...(piece as unknown[])]
  return piece
}

// ── Chat Completions ─────────────────────────────────────────────────────────────────────────────

export function wholeChat(payloads: readonly Payload[]): Payload {
  const [first] = payloads
  const message: Record<string, unknown> = { role: 'assistant', content: null }
  const calls: Record<string, unknown>[] = []
  const beside: Record<string, unknown> = {}
  let finish_reason: unknown = null
  let logprobs: Record<string, unknown> | null = null
  for (const { choices, id: _id, object: _object, created: _created, model: _model, ...more } of payloads) {
    Object.assign(beside, more)
    const choice = fieldsOf(listOf(choices)[0])
    if (typeof choice.finish_reason === 'string') finish_reason = choice.finish_reason
    if (isFields(choice.logprobs)) {
      logprobs ??= {}
      for (const [field, piece] of Object.entries(choice.logprobs))
        logprobs[field] = grown(logprobs[field], piece)
    }
    const { tool_calls, role: _role, ...delta } = fieldsOf(choice.delta)
    for (const [field, piece] of Object.entries(delta)) message[field] = grown(message[field], piece)
    for (const piece of listOf(tool_calls)) addCall(calls, fieldsOf(piece))
  }
  return {
    id: first?.id,
    object: 'chat.completion',
    created: first?.created,
    model: first?.model,
    choices: [
      {
        index: 0,
        message: { ...message, ...(calls.length > 0 && { tool_calls: calls }) },
        logprobs,
        finish_reason,
      },
    ],
    ...beside,
  }
}

function addCall(calls: Record<string, unknown>[], { index, ...piece }: Fields): void {
  const at = Number(index)
  calls[at] ??= {}
  const call = calls[at]
  for (const [field, value] of Object.entries(piece))
    call[field] = isFields(value) ? joined(fieldsOf(call[field]), value) : value
}

function joined(before: Fields, piece: Fields): Fields {
  const result: Record<string, unknown> = { ...before }
  for (const [field, value] of Object.entries(piece)) result[field] = grown(result[field], value)
  return result
}

// ── Responses ────────────────────────────────────────────────────────────────────────────────────

/** A response of which nothing is known yet. */
export function begunResponse(about: RunAbout): Payload {
  return {
    id: about.id.replace(/^run_/, 'resp_'),
    object: 'response',
    created_at: Math.floor(about.created / 1000),
    status: 'in_progress',
    background: true,
    model: about.model,
    output: [],
    error: null,
    incomplete_details: null,
  }
}

export function wholeResponse(payloads: readonly Payload[]): Payload {
  return fieldsOf(payloads.filter(({ response }) => isFields(response)).at(-1)?.response)
}

// ── Anthropic Messages ───────────────────────────────────────────────────────────────────────────

export function wholeAnthropic(payloads: readonly Payload[]): Payload {
  let message: Record<string, unknown> = {}
  const blocks = new Map<unknown, Record<string, unknown>>()
  const inputs = new Map<unknown, string>()
  for (const payload of payloads) {
    const { type, index } = payload
    const delta = fieldsOf(payload.delta)
    const block = blocks.get(index)
    if (type === 'message_start') message = { ...fieldsOf(payload.message) }
    else if (type === 'content_block_start') blocks.set(index, { ...fieldsOf(payload.content_block) })
    else if (type === 'content_block_delta' && block !== undefined) {
      if (delta.type === 'input_json_delta')
        inputs.set(index, (inputs.get(index) ?? '') + textOf(delta.partial_json))
      else if (delta.type === 'citations_delta')
        block.citations = [...listOf(block.citations), delta.citation]
      else
        for (const field of ['text', 'thinking', 'signature'])
          if (typeof delta[field] === 'string') block[field] = textOf(block[field]) + textOf(delta[field])
    } else if (type === 'message_delta') {
      Object.assign(message, delta)
      message.usage = { ...fieldsOf(message.usage), ...fieldsOf(payload.usage) }
    }
  }
  const content = [...blocks].map(([index, block]) => {
    const json = inputs.get(index)
    return json === undefined || json === '' ? block : { ...block, input: parseWritten(json) }
  })
  return { ...message, content }
}

// ── Ollama ───────────────────────────────────────────────────────────────────────────────────────

export function wholeOllama(payloads: readonly Payload[]): Payload {
  const message: Record<string, unknown> = { role: 'assistant', content: '' }
  for (const payload of payloads)
    for (const [field, piece] of Object.entries(fieldsOf(payload.message)))
      if (field !== 'role') message[field] = grown(message[field], piece)
  return { ...payloads.at(-1), message }
}

export function wholeGenerated(payloads: readonly Payload[]): Payload {
  const texts: Record<string, unknown> = { response: '' }
  for (const payload of payloads)
    for (const field of ['response', 'thinking'])
      if (payload[field] !== undefined) texts[field] = grown(texts[field], payload[field])
  return { ...payloads.at(-1), ...texts }
}
