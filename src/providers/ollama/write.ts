/**
 * Writes Ollama's chat, one JSON object per line.
 *
 * Calls are whole objects here, so a call is written when it is judged, and only if it may run. There is no place for tools that a provider ran, nor for their results.
 */

import type { FinishReason, SluiceEvent } from '../../base/event.ts'
import { asLine, asRefusal, type Payload, type PayloadWriter, type WireFormat } from '../wire-format.ts'
import { inputOf, mayBeWhole } from '../written-calls.ts'

/** Writes Ollama's chat. */
export const ollamaWriter: WireFormat<'ollama'> = {
  name: 'ollama',
  contentType: 'application/x-ndjson',
  frame: asLine,
  end: '',
  refuse: ({ message }) => asRefusal({ error: message }),
  open({ model, created, allow }): PayloadWriter {
    const created_at = new Date(created * 1000).toISOString()
    const line = (message: Payload, done = false): Payload => ({
      model,
      created_at,
      message: { role: 'assistant', content: '', ...message },
      done,
    })
    let hasFailed = false
    return {
      write(event: SluiceEvent): readonly Payload[] {
        switch (event.type) {
          case 'text-delta':
            return [line({ content: event.delta })]
          case 'reasoning-delta':
            return [line({ thinking: event.delta })]
          case 'tool-call': {
            if (event.providerExecuted || !mayBeWhole(event, { allow })) return []
            const input = inputOf(event)
            const args = typeof input === 'object' ? input : { input }
            return [
              line({ tool_calls: [{ id: event.id, function: { name: event.toolName, arguments: args } }] }),
            ]
          }
          case 'custom':
            return event.kind === 'images' ? [line({ images: event.value })] : []
          case 'error':
            hasFailed = true
            return [{ error: event.error.message }]
          case 'finish': {
            if (hasFailed) return []
            if (event.reason === 'error' || event.reason === 'aborted')
              return [{ error: 'The response broke off.' }]
            const { inputTokens, outputTokens } = event.usage ?? {}
            return [
              {
                ...line({}, true),
                done_reason: REASONS[event.reason] ?? 'stop',
                ...(inputTokens !== undefined && { prompt_eval_count: inputTokens }),
                ...(outputTokens !== undefined && { eval_count: outputTokens }),
              },
            ]
          }
          default:
            return []
        }
      },
    }
  },
}

const REASONS: { readonly [Reason in FinishReason]?: string } = { length: 'length' }
