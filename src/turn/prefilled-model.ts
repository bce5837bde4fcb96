/** A model whose API continues an unfinished assistant message. */

import { checkOptions, type KnownOptions } from '../base/options.ts'
import { createSinkParser } from '../engine/parser.ts'
import type { Dialect } from '../engine/wire/dialect.ts'
import type { ConversationMessage, ModelRequest } from '../requests/conversation/model-request.ts'
import { type PromptedRequest, type PromptOptions, promptRequest } from '../requests/prompt/prompt-request.ts'
import type { Model } from './model.ts'
import { reasoningLiterals } from './reasoning-literals.ts'
import { type ResumptionPlan, resumedResponse } from './resumed-response.ts'
import { type TranscriptOptions, transcriptOf } from './transcript.ts'

/** Options of `prefilledModel`. */
export interface PrefilledOptions extends Omit<PromptOptions, 'canPrefill'> {
  /** Stop sequences for visible text. Inside a thought or a call they do not end the response. */
  readonly stop?: readonly string[]
  /** Markers after the last call, such as `</function_calls>`; the response ends there. */
  readonly closers?: readonly string[]
  /** How many stop sequences to send to the provider; the turn finds the others itself. Default 4. */
  readonly maxStopSequences?: number
  /** Writes the conversation as lines of `Name: text`. */
  readonly transcript?: TranscriptOptions
}

const OPTIONS: KnownOptions<PrefilledOptions> = {
  dialect: 'any',
  placement: 'any',
  systemPrompt: 'any',
  formatResult: 'any',
  protectCode: 'any',
  stop: 'list',
  closers: 'list',
  maxStopSequences: 'number',
  transcript: 'object',
}

/**
 * Describes tools in the prompt and parses calls in the text, like `promptedModel`, and handles stop sequences: one inside
 * a thought or a call does not end the response, and the model is asked to continue.
 *
 *     const model = prefilledModel(anthropicModel({ apiKey }), { dialect: functionCalls, closers: ['</function_calls>'], stop: ['\nUser:'] })
 */
export function prefilledModel(model: Model, options: PrefilledOptions): Model {
  checkOptions(options, OPTIONS)
  const { stop = [], closers = [], maxStopSequences = 4, transcript, ...prompt } = options
  // Wrong options are reported here and not by the first turn.
  promptRequest({ messages: [] }, prompt)
  return (given, context) => {
    const { prompted, begun, start, stops } = begin(given, prompt, transcript)
    const all = [...stop, ...stops]
    const sent = [...closers, ...all].slice(0, maxStopSequences)
    const { messages } = prompted.request
    const plan: ResumptionPlan = {
      continued: (written) => ({
        ...prompted.request,
        messages: begun + written === '' ? messages : [...messages, spoken(begun + written)],
        settings: { ...prompted.request.settings, ...(sent.length > 0 && { stopSequences: sent }) },
      }),
      dialect: prompt.dialect,
      parser: start === undefined ? prompted.parser : { ...prompted.parser, start },
      canResume: true,
      stops: all,
      closers,
    }
    return resumedResponse(model, plan, context)
  }
}

interface Beginning {
  readonly prompted: PromptedRequest
  /** What the model's own message begins with. */
  readonly begun: string
  /** Where the model goes on with a message of its own: inside a thought, or not. */
  readonly start?: 'text' | 'reasoning'
  readonly stops: readonly string[]
}

function begin(
  given: ModelRequest,
  prompt: PromptOptions,
  transcript: TranscriptOptions | undefined,
): Beginning {
  const { dialect } = prompt
  const last = given.messages.at(-1)
  const own = last?.role === 'assistant' ? ownText(last, dialect) : undefined
  const start: Pick<Beginning, 'start'> =
    own === undefined ? {} : { start: isInThought(own, dialect) ? 'reasoning' : 'text' }
  if (transcript === undefined) {
    const prompted = promptRequest(given, { ...prompt, canPrefill: true })
    const { messages } = prompted.request
    const begun = messages.at(-1)
    if (begun?.role !== 'assistant') return { prompted, begun: '', stops: [] }
    return {
      prompted: { ...prompted, request: { ...prompted.request, messages: messages.slice(0, -1) } },
      begun: ownText(begun, dialect),
      ...start,
      stops: [],
    }
  }
  const { messages, text, stops } = transcriptOf(given, prompt, transcript)
  const begun = text + (last?.role === 'assistant' ? openThought(last, dialect) : '')
  return { prompted: promptRequest({ ...given, messages }, prompt), begun, ...start, stops }
}

/** The text that the model goes on with. */
function ownText(message: ConversationMessage, dialect: Dialect): string {
  const text = message.parts.map((part) => (part.type === 'text' ? part.text : '')).join('')
  return text + openThought(message, dialect)
}

/** A thought that is not finished, as the dialect writes it. */
function openThought({ parts }: ConversationMessage, dialect: Dialect): string {
  const last = parts.at(-1)
  const markers = reasoningLiterals(dialect)
  const isOpen = last?.type === 'reasoning' && last.state === 'streaming'
  return isOpen && markers !== undefined ? markers.opener + last.text : ''
}

/** A call inside a thought must not run, so this reads what the model itself is about to go on with, and nothing else. */
function isInThought(text: string, dialect: Dialect): boolean {
  let last: string | undefined
  const parser = createSinkParser(
    ({ type }) => {
      last = type
    },
    { dialect },
  )
  parser.push(text)
  parser.push('x')
  return last === 'reasoning-delta'
}

const spoken = (text: string): ConversationMessage => ({ role: 'assistant', parts: [{ type: 'text', text }] })
