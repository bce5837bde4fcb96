/**
 * A conversation of several people as one text that the model goes on writing.
 *
 *     Ann: Who has seen the key?
 *     Bob: Not me.
 *     Claude: Let me look.<function_calls>…</function_calls><function_results>…</function_results>
 */

import type { ToolDefinitions } from '../engine/calls/tools.ts'
import type { Dialect } from '../engine/wire/dialect.ts'
import type {
  ConversationMessage,
  ConversationPart,
  FilePart,
  ModelRequest,
} from '../requests/conversation/model-request.ts'
import { type AnswerReading, harmless, opens } from '../requests/prompt/harmless.ts'
import { breakMarkers } from '../requests/prompt/neutralise.ts'
import { type PromptOptions, promptRequest } from '../requests/prompt/prompt-request.ts'

/** How `prefilledModel` writes a conversation as lines of `Name: text`. */
export interface TranscriptOptions {
  /** The model's name. Default `Assistant`. */
  readonly assistant?: string
  /** The name of a message's author. Default: `User` for every user message. */
  readonly nameOf?: (message: ConversationMessage) => string | undefined
  /** The user message before the transcript, because every API needs one. */
  readonly userMessage?: string
  /** How many participants, the latest first, end the response with a line that begins with their name. Default 10. */
  readonly maxParticipantsForStop?: number
}

export interface Transcript {
  readonly messages: readonly ConversationMessage[]
  /** The text that the model goes on with. */
  readonly text: string
  /** `\nName:` of each participant but the model, the one who spoke last first. */
  readonly stops: readonly string[]
}

export function transcriptOf(
  request: ModelRequest,
  prompt: PromptOptions,
  options: TranscriptOptions,
): Transcript {
  const { assistant = 'Assistant', nameOf, userMessage = 'Continue the conversation.' } = options
  const { maxParticipantsForStop = 10 } = options
  const { dialect, protectCode } = prompt
  const reading: AnswerReading = { dialect, protectCode, tools: (request.tools ?? []) as ToolDefinitions }
  const named = request.messages.map((message) => {
    if (message.role !== 'user') return assistant
    const name = nameIn(nameOf?.(message) ?? '', reading)
    return name === assistant ? `${name} (${USER})` : name
  })
  const speakers = named.filter((name) => name !== assistant)
  const others = [...new Set(speakers.reverse())]
  const files: FilePart[] = []
  const system: ConversationMessage[] = []
  let text = ''
  // Only the name of the model may have a colon.
  const names = new Set([assistant.split(':')[0]!, ...others])
  for (const [at, message] of request.messages.entries()) {
    if (message.role === 'system') system.push(message)
    else if (message.role === 'user') {
      const said = withoutMarkers(textOf(message.parts, files), prompt.dialect)
      text += harmless(
        {
          items: [said],
          write: ([one]) => line(named[at]!, withoutNames(one!, names)),
          change: (one, changed) => changed(one),
          results: 0,
          subject: `the message of '${named[at]}'`,
        },
        reading,
      )
    } else if (message.role === 'assistant') {
      const next = request.messages[at + 1]
      const isContinued = isOwn(request.messages[at - 1])
      const [said, results] = asText([message, ...(next?.role === 'tool' ? [next] : [])], request, prompt)
      const own = textOf(said!.parts, files) + withoutNames(resultsOf(results?.parts ?? [], files), names)
      text += isContinued ? own : line(assistant, own)
    }
  }
  const isOpen = isOwn(request.messages.at(-1))
  return {
    messages: [...system, { role: 'user', parts: [...files, { type: 'text', text: userMessage }] }],
    text: `${text}${isOpen ? '' : `\n${assistant}:`}`.replace(/^\n/, ''),
    stops: others.slice(0, maxParticipantsForStop).map((name) => `\n${name}:`),
  }
}

const USER = 'User'

/** What a model may read as the end of a line. */
const LINE_ENDS = '\n\v\f\r\x85\u2028\u2029'

/** The model goes on behind this message without a new line. */
const isOwn = (message: ConversationMessage | undefined): boolean =>
  message?.role === 'assistant' || message?.role === 'tool'

/** Participants choose their names: one with a colon or a line break could imitate another speaker. */
function nameIn(given: string, reading: AnswerReading): string {
  const name = withoutMarkers(given, reading.dialect)
    .replace(new RegExp(`[${LINE_ENDS}:]+`, 'g'), ' ')
    .trim()
  return name === '' || opens(line(name, ''), reading).length > 0 ? USER : name
}

/** A model writes the space behind its name itself, and gets its text back as it was. */
const line = (name: string, text: string): string => `\n${name}:${text.startsWith(' ') ? '' : ' '}${text}`

/** A message and its results as the dialect writes them. */
function asText(
  messages: readonly ConversationMessage[],
  request: ModelRequest,
  prompt: PromptOptions,
): readonly ConversationMessage[] {
  return promptRequest({ ...request, messages, toolChoice: 'none' }, prompt).request.messages
}

/**
 * All of a transcript stands in one message, so that nothing else tells what a person wrote from what the model did: a
 * person can write neither a call nor a result. What this leaves of them is found by reading the line as an answer.
 */
function withoutMarkers(text: string, dialect: Dialect): string {
  return breakMarkers(text.replace(/<(?=[/|!a-z_])/gi, '&lt;'), dialect)
}

const LINE_OF = new RegExp(`[${LINE_ENDS}](?=([^${LINE_ENDS}:]*):)`, 'g')

/** A line that begins with a participant's name is indented, so that it does not read as that participant speaking. */
function withoutNames(text: string, names: ReadonlySet<string>): string {
  return text.replace(LINE_OF, (end, name: string) => (names.has(name) ? `${end} ` : end))
}

/** The text of results names their files already. */
function resultsOf(parts: readonly ConversationPart[], files: FilePart[]): string {
  files.push(...parts.filter((part) => part.type === 'file'))
  return textOf(
    parts.filter((part) => part.type !== 'file'),
    files,
  )
}

function textOf(parts: readonly ConversationPart[], files: FilePart[]): string {
  return parts
    .map((part) => {
      if (part.type === 'text') return part.text
      if (part.type !== 'file') return ''
      files.push(part)
      return `[${part.name ?? part.mediaType}]`
    })
    .join('')
}
