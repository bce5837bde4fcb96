/** A model whose API goes on with a message of the assistant that is not finished. */

import type { ConversationMessage, ModelRequest } from '../conversation/model-request.ts'
import { checkOptions, type KnownOptions } from '../options.ts'
import { type PromptedRequest, type PromptOptions, promptRequest } from '../prompt/prompt-request.ts'
import type { Model } from './model.ts'
import { type ResumptionPlan, resumedResponse } from './resumed-response.ts'
import { type TranscriptOptions, transcriptOf } from './transcript.ts'

export interface PrefilledOptions extends Omit<PromptOptions, 'canPrefill'> {
  /** What ends a response where it stands in visible text. Inside a thought or a call it means nothing. */
  readonly stop?: readonly string[]
  /** The markers behind the last call, such as `</function_calls>`: the model stops there. */
  readonly closers?: readonly string[]
  /** How many stop sequences the provider takes. The others are found here. Default 4. */
  readonly maxStopSequences?: number
  /** Writes the conversation as lines of `Name: text`. */
  readonly transcript?: TranscriptOptions
}

const OPTIONS: KnownOptions<PrefilledOptions> = {
  dialect: 'any',
  placement: 'any',
  systemPrompt: 'any',
  formatResult: 'any',
  stop: 'list',
  closers: 'list',
  maxStopSequences: 'number',
  transcript: 'object',
}

/**
 * Gives a model tools in text, and stops that hold: the earliest one wins, wherever it is found, and one that stands
 * inside a thought or a call is no end, so that the model is asked to go on.
 *
 *     const model = prefilledModel(anthropicModel({ apiKey }), { dialect: functionCalls, closers: ['</function_calls>'], stop: ['\nUser:'] })
 */
export function prefilledModel(model: Model, options: PrefilledOptions): Model {
  checkOptions(options, OPTIONS)
  const { stop = [], closers = [], maxStopSequences = 4, transcript, ...prompt } = options
  // Wrong options are reported here and not by the first turn.
  promptRequest({ messages: [] }, prompt)
  return (given, context) => {
    const { prompted, begun, stops } = begin(given, prompt, transcript)
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
      parser: prompted.parser,
      canResume: true,
      stops: all,
      closers,
    }
    return resumedResponse(model, plan, context)
  }
}

/** `begun`: what the model's own message begins with. */
function begin(
  given: ModelRequest,
  prompt: PromptOptions,
  transcript: TranscriptOptions | undefined,
): { prompted: PromptedRequest; begun: string; stops: readonly string[] } {
  if (transcript === undefined) {
    const prompted = promptRequest(given, { ...prompt, canPrefill: true })
    const { messages } = prompted.request
    const own = messages.at(-1)
    if (own?.role !== 'assistant') return { prompted, begun: '', stops: [] }
    const begun = own.parts.map((part) => (part.type === 'text' ? part.text : '')).join('')
    return {
      prompted: { ...prompted, request: { ...prompted.request, messages: messages.slice(0, -1) } },
      begun,
      stops: [],
    }
  }
  const { messages, text, stops } = transcriptOf(given, prompt, transcript)
  return { prompted: promptRequest({ ...given, messages }, prompt), begun: text, stops }
}

const spoken = (text: string): ConversationMessage => ({ role: 'assistant', parts: [{ type: 'text', text }] })
