/**
 * Recognises a provider's stream where the text of a model is expected, so that its JSON is not shown as that text.
 *
 *     data: {"choices":[{"delta":{"content":"Hello"}}]}
 */

import { SluiceError } from './errors.ts'

/** Comments and other fields of server-sent events may stand before the first `data`. */
const FIELDS = String.raw`^\s*(?:(?:event|id|retry)?:[^\n]*\n\s*)*`

/** How the stream of a provider begins: so that no model which writes prose, YAML or JSON of its own begins alike. */
const BEGINNINGS: readonly (readonly [provider: string, text: RegExp])[] = [
  [
    'openai-chat',
    inSse(String.raw`"choices"\s*:\s*\[\s*(?:\{\s*"(?:index|delta|finish_reason|logprobs)"|\],)`),
  ],
  ['openai-chat', inSse(String.raw`"object"\s*:\s*"chat\.completion`)],
  ['openai-chat', /^\s*\{\s*"id"\s*:\s*"chatcmpl-/],
  ['openai-responses', inSse(String.raw`"type"\s*:\s*"response\.(?:created|queued|in_progress)"`)],
  ['openai-responses', named('response.created')],
  ['anthropic', inSse(String.raw`"type"\s*:\s*"message_start"`)],
  ['anthropic', named('message_start')],
  ['anthropic', /^\s*\{\s*"id"\s*:\s*"msg_\w+"\s*,\s*"type"\s*:\s*"message"/],
  ['gemini', inSse(String.raw`"candidates"\s*:\s*\[\s*\{\s*"(?:content|index|finishReason)"`)],
  ['gemini', inSse(String.raw`"event_type"\s*:\s*"interaction\.`)],
  ['gemini', /^\s*\[?\s*\{\s*"candidates"\s*:\s*\[\s*\{\s*"content"\s*:\s*\{\s*"(?:parts|role)"/],
  ['langchain', /^\s*\{"lc":1,"type":"constructor","id":\["langchain/],
  ['langchain', /^\s*event: ?metadata\r?\ndata: ?\{"run_id":"/],
  ['langchain', new RegExp(String.raw`${FIELDS}data:\s*\[?\{[^\n]*?"type"\s*:\s*"AIMessageChunk"`)],
  [
    'ollama',
    /^\s*\{"model":"[^"]*"(?:,"remote_\w+":"[^"]*")*,"created_at":"[^"]*","(?:message":\{"role"|response":")/,
  ],
  // Frames of bytes: the length of a frame, and the names of its headers.
  ['bedrock', /^\0[\s\S]{0,80}?:(?:event|message)-type/],
  ['bedrock', /^\s*\{"messageStart":\{"role":"assistant"/],
  ['claude-code', /^\s*\{"type":"system","subtype":"/],
  ['codex', /^\s*\{"type":"thread\.started","thread_id":"/],
  ['cohere', inSse(String.raw`"type"\s*:\s*"message-start"`)],
  ['cohere', named('message-start')],
  ['ai-sdk', /^\s*\{"type":"stream-start","warnings":\[/],
  ['ag-ui', inSse(String.raw`"type"\s*:\s*"RUN_STARTED"`)],
  ['ai-sdk-ui', inSse(String.raw`"type"\s*:\s*"(?:start|start-step)"`)],
]

/** Within the first object of server-sent events. */
function inSse(json: string): RegExp {
  return new RegExp(String.raw`${FIELDS}data:\s*\{[^\n]*?${json}`)
}

/** By the name of the first server-sent event. */
function named(event: string): RegExp {
  return new RegExp(String.raw`^\s*event: ?${event}\r?\ndata:`)
}

/** Every beginning fits in so many characters. */
const LONGEST_BEGINNING = 1024

/** What every beginning has in front, or all that has come yet. */
const FIRST_CHARACTERS = /^\s*(?:[deir:{[\0]|$)/

/** Looks at the beginning of a text, however it is cut. */
export class TextStart {
  /** Why nothing behind the text that was accepted can be read as text. */
  refusal: SluiceError | undefined
  /** The beginning as far as it came; null where it is decided. */
  private seen: string | null = ''

  /** The next piece, up to where the text is known to be no text of a model. */
  accept(piece: string): string {
    if (this.seen === null) return piece
    const before = this.seen.length
    const seen = this.seen + piece.slice(0, LONGEST_BEGINNING - before)
    const found = beginningOf(seen)
    this.seen =
      found !== undefined || seen.length >= LONGEST_BEGINNING || !FIRST_CHARACTERS.test(seen) ? null : seen
    if (found === undefined) return piece
    this.refusal = refusal(`the stream of a provider (${found.provider})`)
    return piece.slice(0, found.length - before)
  }
}

/** The shortest beginning of a provider's stream that is a prefix of the text. */
function beginningOf(text: string): { readonly provider: string; readonly length: number } | undefined {
  let shortest: { readonly provider: string; readonly length: number } | undefined
  for (const [provider, beginning] of BEGINNINGS) {
    const length = beginning.exec(text)?.[0].length
    if (length !== undefined && length < (shortest?.length ?? Infinity)) shortest = { provider, length }
  }
  return shortest
}

/** The provider whose stream begins like this text. */
export function startedBy(text: string): string | undefined {
  return beginningOf(text)?.provider
}

/** Types of content that only frames of a protocol have. */
const FRAMED =
  /^\s*(?:text\/event-stream|application\/x-ndjson|application\/vnd\.amazon\.eventstream)\s*(?:;|$)/i

/** Why the body of a response cannot be read as text: it says so itself. */
export function responseRefusal(response: Response): SluiceError | undefined {
  const type = response.headers?.get('content-type') ?? ''
  return FRAMED.test(type) ? refusal(`a response of the type ${type}`) : undefined
}

function refusal(what: string): SluiceError {
  return new SluiceError(
    'invalid-source',
    `This is ${what}, not plain text; read it with readProvider of 'sluice/providers'.`,
  )
}
