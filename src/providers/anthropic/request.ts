import type { RequestFormat } from '../../requests/conversation/request-format.ts'
import { fieldsIn } from '../payload-fields.ts'

import { readBody } from './read-body.ts'
import { writeBody } from './write-body.ts'

const NAME = 'anthropic'

/** The request format of Anthropic Messages. */
export const anthropicRequest: RequestFormat<typeof NAME> = {
  name: NAME,
  toolNames: { forbidden: /[^\w-]/g, maxLength: 128 },
  callIds: { forbidden: /[^\w-]/g, maxLength: 64 },
  path: () => '/v1/messages',
  detect: ({ messages, max_tokens, system, tools }) =>
    Array.isArray(messages) &&
    (Array.isArray(system) ||
      fieldsIn(tools).some(({ input_schema }) => input_schema !== undefined) ||
      fieldsIn(messages).some(({ content }) => fieldsIn(content).some(({ type }) => BLOCKS.has(type))) ||
      (max_tokens !== undefined && typeof system === 'string')),
  read: readBody,
  write: writeBody,
}

/** Types of blocks that only this protocol has. */
const BLOCKS: ReadonlySet<unknown> = new Set([
  'tool_use',
  'tool_result',
  'thinking',
  'redacted_thinking',
  'document',
])
