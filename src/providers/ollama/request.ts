import { isFields } from '../../base/fields.ts'
import type { RequestFormat } from '../../requests/conversation/request-format.ts'
import { fieldsIn, fieldsOf } from '../payload-fields.ts'

import { readBody } from './read-body.ts'
import { writeBody } from './write-body.ts'

const NAME = 'ollama'

/** Ollama's `/api/chat`. Tools are known by their names; newer servers also take ids. */
export const ollamaRequest: RequestFormat<typeof NAME> = {
  name: NAME,
  toolNames: { forbidden: /[^a-zA-Z0-9_-]/g, maxLength: 64 },
  callIds: { forbidden: /\s/g, maxLength: 64 },
  path: () => '/api/chat',
  // The plainest of requests is also one of Chat Completions.
  detect: (body) =>
    Array.isArray(body.messages) &&
    !FOREIGN.some((field) => field in body) &&
    fieldsIn(body.messages).every(
      ({ content, parts, tool_calls, tool_call_id, tool_name }) =>
        parts === undefined &&
        (content === undefined || typeof content === 'string') &&
        (tool_call_id === undefined || tool_name !== undefined) &&
        fieldsIn(tool_calls).every((call) => isFields(fieldsOf(call.function).arguments)),
    ) &&
    fieldsIn(body.tools).every(({ type }) => type === 'function'),
  read: readBody,
  write: writeBody,
}

/** Fields of other protocols, which stand in `options` here, or have other names. */
const FOREIGN = [
  ...['system', 'temperature', 'top_p', 'top_k', 'stop', 'stop_sequences', 'seed', 'max_tokens', 'trigger'],
  ...['max_completion_tokens', 'response_format', 'tool_choice', 'stream_options', 'reasoning_effort', 'n'],
]
