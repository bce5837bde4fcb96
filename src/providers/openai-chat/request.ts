import { isFields } from '../../base/fields.ts'
import type { RequestFormat } from '../../requests/conversation/request-format.ts'
import { fieldsIn, fieldsOf, listOf } from '../payload-fields.ts'

import { readBody } from './read-body.ts'
import { writeBody } from './write-body.ts'

const NAME = 'openai-chat'

/**
 * Chat Completions, of OpenAI and of all that imitate them.
 *
 * Ids of calls that other providers gave are cut to 40 characters, which OpenAI takes. Mistral wants nine letters and
 * digits, which only its own ids are.
 */
export const openaiChatRequest: RequestFormat<typeof NAME> = {
  name: NAME,
  toolNames: { forbidden: /[^a-zA-Z0-9_-]/g, maxLength: 64 },
  callIds: { forbidden: /\s/g, maxLength: 40 },
  path: () => '/v1/chat/completions',
  // The plainest of requests is also one of other protocols, and most of all one of these.
  detect: (body) =>
    Array.isArray(body.messages) &&
    !FOREIGN.some((field) => field in body) &&
    fieldsIn(body.tools).every(({ input_schema }) => input_schema === undefined) &&
    fieldsIn(body.messages).every(
      (message) =>
        !FOREIGN_IN_MESSAGES.some((field) => field in message) &&
        !listOf(message.images).some((image) => typeof image === 'string') &&
        fieldsIn(message.tool_calls).every((call) => !isFields(fieldsOf(call.function).arguments)) &&
        fieldsIn(message.content).every(({ type }) => !FOREIGN_TYPES.has(type)),
    ),
  read: readBody,
  write: writeBody,
}

/** Fields of other protocols that also have messages. */
const FOREIGN = ['system', 'options', 'keep_alive', 'think', 'format', 'trigger']
const FOREIGN_IN_MESSAGES = ['parts', 'tool_name']
const FOREIGN_TYPES: ReadonlySet<unknown> = new Set(['tool_use', 'tool_result', 'image', 'document'])
