import type { RequestFormat } from '../../requests/conversation/request-format.ts'

import { readBody } from './read-body.ts'
import { writeBody } from './write-body.ts'

const NAME = 'openai-responses'

/** The request format of OpenAI's Responses. */
export const openaiResponsesRequest: RequestFormat<typeof NAME> = {
  name: NAME,
  toolNames: { forbidden: /[^\w-]/g, maxLength: 64 },
  callIds: { forbidden: /[^!-~]/g, maxLength: 64 },
  path: () => '/v1/responses',
  /** Items that are only referred to may be calls. */
  isContinued: ({ messages, providerOptions }) =>
    providerOptions?.[NAME]?.conversation !== undefined ||
    messages.some(({ parts }) =>
      parts.some((part) => part.type === 'custom' && part.kind === 'item_reference'),
    ),
  detect: ({ input, messages, instructions, prompt, previous_response_id }) =>
    messages === undefined &&
    (typeof input === 'string' ||
      Array.isArray(input) ||
      [instructions, prompt, previous_response_id].some((field) => field !== undefined)),
  read: readBody,
  write: writeBody,
}
