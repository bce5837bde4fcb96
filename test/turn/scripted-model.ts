/** A model that says what a script says, in one dialect, cut as a test likes. */

import type { JsonValue } from '../../src/base/event.ts'
import { hermes } from '../../src/dialects/hermes.ts'
import type { ParserOptions } from '../../src/engine/parser.ts'
import { sluice } from '../../src/engine/stream.ts'
import type { ModelRequest } from '../../src/requests/conversation/model-request.ts'
import type { Model } from '../../src/turn/index.ts'

export interface ScriptedModel extends Model {
  readonly requests: ModelRequest[]
}

/** One text for each response. Beyond the last one, the last one again. */
export function scripted(...texts: readonly string[]): ScriptedModel {
  return scriptedPieces(texts.map((text) => [text]))
}

/** `start`: what is known of where its responses begin. */
export function scriptedPieces(
  responses: readonly (readonly string[])[],
  start?: ParserOptions['start'],
): ScriptedModel {
  const requests: ModelRequest[] = []
  const model: Model = (request, { reading }) => {
    requests.push(request)
    const pieces = responses[Math.min(requests.length, responses.length) - 1]!
    return sluice(pieces, { ...reading, dialect: hermes, ...(start && { start }) })
  }
  return Object.assign(model, { requests })
}

/** A call as the model writes it. */
export const calling = (name: string, input: JsonValue = {}): string =>
  `<tool_call>${JSON.stringify({ name, arguments: input })}</tool_call>`
