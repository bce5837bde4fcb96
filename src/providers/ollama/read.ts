/**
 * Ollama's chat and generate, one JSON object per line. Calls come whole, usually without an id.
 *
 *     {"message":{"role":"assistant","content":"","thinking":"Hm"},"done":false}
 *     {"message":{"role":"assistant","content":"","tool_calls":[{"function":{"name":"ls","arguments":{"path":"."}}}]},"done":false}
 *     {"message":{"role":"assistant","content":""},"done":true,"done_reason":"stop","eval_count":12}
 */

import { type Fields, isFields } from '../../base/fields.ts'
import { normaliseReason, type ReasonTable } from '../finish-reasons.ts'
import { under } from '../metadata.ts'
import {
  fieldsIn,
  fieldsOf,
  isOtherRole,
  listOf,
  numberOf,
  textOf,
  wholeArguments,
  wordOf,
} from '../payload-fields.ts'
import type { Provider } from '../provider.ts'
import { reportErrorIn } from '../provider-error.ts'

const NAME = 'ollama'

/** Reads Ollama's chat and generate. */
export const ollama: Provider<typeof NAME> = {
  name: NAME,
  framing: 'lines',
  // Ollama answers a bad request before the stream begins. What fails later, failed on the server.
  errorStatus: 500,
  detect: ({ message, response, done }) =>
    typeof done === 'boolean' && (isFields(message) || typeof response === 'string'),
  open(out) {
    return {
      read(payload) {
        reportErrorIn(payload, ollama, out)
        // `generate` has no message, and its text is the response.
        const message = isFields(payload.message) ? payload.message : payload
        if (isOtherRole(message.role)) out.custom(textOf(message.role), message)
        else readMessage(message, payload)
        if (payload.done === true) readEnd(payload)
        for (const field of Object.keys(payload))
          if (!KNOWN.has(field)) out.unknown(field, payload[field], true)
      },
    }

    function readMessage(message: Fields, { created_at }: Fields): void {
      out.reasoning(textOf(message.thinking))
      out.text(textOf(message.content) || textOf(message.response))
      // Each one is a call of its own, even if all have the same index.
      for (const [position, call] of fieldsIn(message.tool_calls).entries()) {
        const { name, arguments: args } = fieldsOf(call.function)
        const sent = typeof created_at === 'string' ? `${created_at} ${position}` : undefined
        const input = wholeArguments(args, { ...call, ...fieldsOf(call.function) }, CALL)
        out.wholeCall({ id: wordOf(call.id), name: wordOf(name), arguments: input, sent })
      }
      if (listOf(message.images).length > 0) out.custom('images', message.images)
    }

    function readEnd(payload: Fields): void {
      const raw = wordOf(payload.done_reason)
      out.finish(raw === undefined ? 'stop' : normaliseReason(raw, REASONS), raw)
      out.usage({
        inputTokens: numberOf(payload.prompt_eval_count),
        outputTokens: numberOf(payload.eval_count),
      })
      out.metadata(under(NAME, { model: wordOf(payload.model), context: payload.context }))
    }
  },
}

const REASONS: ReasonTable = { stop: 'stop', length: 'length', load: 'other', unload: 'other' }

const CALL = new Set(['id', 'type', 'function', 'index', 'name', 'arguments'])

const KNOWN = new Set(
  `model created_at message response thinking done done_reason context error type total_duration load_duration
   prompt_eval_count prompt_eval_duration eval_count eval_duration images tool_calls content role remote_model
   remote_host logprobs`.split(/\s+/),
)
