import type { RequestFormat } from '../../requests/conversation/request-format.ts'

import { readBody } from './read-body.ts'
import { writeBody } from './write-body.ts'

const NAME = 'gemini'

const FOLDER = /^(models|tunedModels)\//

/** A name as one segment of a path, whatever it holds. */
const segmentOf = (name: string): string => encodeURIComponent(name.replace(/\p{Surrogate}/gu, '\ufffd'))

/** The request format of Gemini's `generateContent`. */
export const geminiRequest: RequestFormat<typeof NAME> = {
  name: NAME,
  toolNames: { forbidden: /^[^a-zA-Z_]|[^\w.:-]/g, maxLength: 64 },
  callIds: { forbidden: /[^!-~]/g, maxLength: 64 },
  /** The model is in the path, as is the choice of a stream: `{model}` stands there as long as none is given. */
  path({ model, stream }) {
    const [prefix = 'models/'] = FOLDER.exec(model ?? '') ?? []
    const name = model === undefined ? '{model}' : segmentOf(model.replace(FOLDER, ''))
    return `/v1beta/${prefix}${name}:${stream ? 'streamGenerateContent?alt=sse' : 'generateContent'}`
  },
  isContinued: ({ providerOptions }) => providerOptions?.[NAME]?.cachedContent !== undefined,
  detect: ({ contents, systemInstruction, system_instruction }) =>
    Array.isArray(contents) || systemInstruction !== undefined || system_instruction !== undefined,
  read: readBody,
  write: writeBody,
}
