import type { RequestFormat } from '../../conversation/request-format.ts'

import { readBody } from './read-body.ts'
import { writeBody } from './write-body.ts'

const NAME = 'gemini'

export const geminiRequest: RequestFormat<typeof NAME> = {
  name: NAME,
  toolNames: { forbidden: /^[^a-zA-Z_]|[^\w.:-]/g, maxLength: 64 },
  callIds: { forbidden: /[^!-~]/g, maxLength: 64 },
  /** The model is in the path, as is the choice of a stream: `{model}` stands there as long as none is given. */
  path({ model = '{model}', stream }) {
    const name = /^(models|tunedModels)\//.test(model) ? model : `models/${model}`
    return `/v1beta/${name}:${stream ? 'streamGenerateContent?alt=sse' : 'generateContent'}`
  },
  isContinued: ({ providerOptions }) => providerOptions?.[NAME]?.cachedContent !== undefined,
  detect: ({ contents, systemInstruction, system_instruction }) =>
    Array.isArray(contents) || systemInstruction !== undefined || system_instruction !== undefined,
  read: readBody,
  write: writeBody,
}
