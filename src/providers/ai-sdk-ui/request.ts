import type { RequestFormat } from '../../requests/conversation/request-format.ts'
import { fieldsIn } from '../payload-fields.ts'

import { readBody } from './read-body.ts'
import { writeBody } from './write-body.ts'

const NAME = 'ai-sdk-ui'

/** Names and ids are whatever the server's own tools and models have. */
const ANY = { forbidden: /(?!)/g, maxLength: Number.POSITIVE_INFINITY }

/** What the AI SDK's `useChat` posts: `{ id, messages, trigger, messageId }`, and what the application adds. */
export const aiSdkUiRequest: RequestFormat<typeof NAME> = {
  name: NAME,
  toolNames: ANY,
  callIds: ANY,
  // A call may wait for a person, or for the page to run it.
  takesOpenCalls: true,
  path: () => '/api/chat',
  detect: ({ messages }) =>
    Array.isArray(messages) &&
    (messages as unknown[]).length > 0 &&
    fieldsIn(messages).every(({ parts }) => Array.isArray(parts)),
  read: readBody,
  write: writeBody,
}
