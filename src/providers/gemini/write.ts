/**
 * Writes Gemini's `generateContent` as it streams: one chunk for each piece.
 *
 * Calls are whole objects here, so a call is written when it is judged, and only if it may run. Of the tools that a
 * provider ran there is a place for programs.
 */

import type { ErrorRecord, Metadata, SluiceEvent, ToolCall, Usage } from '../../base/event.ts'
import { type Fields, isFields } from '../../base/fields.ts'
import { type ReasonWords, reasonWord } from '../finish-reasons.ts'
import { ofProvider } from '../metadata.ts'
import { fieldsOf, present } from '../payload-fields.ts'
import {
  asEvent,
  asRefusal,
  type Payload,
  type PayloadWriter,
  type WireFormat,
  type WriterOptions,
} from '../wire-format.ts'
import { inputOf, mayBeWhole } from '../written-calls.ts'
import { type WrittenResult, WrittenResults } from '../written-results.ts'

/** Writes Gemini's `generateContent`. */
export const geminiWriter: WireFormat<'gemini'> = {
  name: 'gemini',
  contentType: 'text/event-stream',
  frame: asEvent,
  end: '',
  refuse: (error) => asRefusal(failure(error)),
  open: (about) => new GeminiWriter(about),
}

const REASONS: ReasonWords = {
  words: { stop: 'STOP', 'tool-calls': 'STOP', length: 'MAX_TOKENS', 'content-filter': 'SAFETY' },
  otherwise: 'OTHER',
  own: new Set(
    'MAX_TOKENS SAFETY RECITATION LANGUAGE BLOCKLIST PROHIBITED_CONTENT SPII IMAGE_SAFETY'.split(' '),
  ),
}

/** Kinds of `custom` that stand beside the content, and those that are parts of it. */
const BESIDE = new Set(
  'groundingMetadata citationMetadata urlContextMetadata safetyRatings logprobsResult'.split(' '),
)
const PARTS = new Set(['inlineData', 'fileData'])

const CODE = 'code_execution'

class GeminiWriter implements PayloadWriter {
  private readonly about: Required<WriterOptions>
  private readonly results = new WrittenResults()
  /** The programs that were written, whose results can be. */
  private readonly programs = new Set<string>()
  private hasCalls = false
  private hasRefused = false
  private hasFailed = false

  constructor(about: Required<WriterOptions>) {
    this.about = about
  }

  write(event: SluiceEvent): readonly Payload[] {
    switch (event.type) {
      case 'text-delta':
        return [this.part({ text: event.delta })]
      case 'reasoning-delta':
        return [this.part({ text: event.delta, thought: true })]
      case 'text-start':
      case 'text-end':
        return this.sign({ text: '' }, event.metadata)
      case 'reasoning-start':
      case 'reasoning-end':
        return this.sign({ text: '', thought: true }, event.metadata)
      case 'tool-call':
        return this.call(event)
      case 'tool-result-start':
      case 'tool-result-delta':
      case 'tool-result-end':
        return this.answer(this.results.add(event))
      case 'custom':
        return this.custom(event.kind, event.value)
      case 'error':
        this.hasFailed = true
        return [failure(event.error)]
      case 'finish':
        return this.finish(event)
      default:
        return []
    }
  }

  private chunk(fields: Payload): Payload {
    const { model, id } = this.about
    return { ...fields, modelVersion: model, responseId: id }
  }

  private part(part: Payload, metadata?: Metadata): Payload {
    const signature = signatureIn(metadata)
    const signed = signature === undefined ? part : { ...part, thoughtSignature: signature }
    return this.chunk({ candidates: [{ content: { parts: [signed], role: 'model' }, index: 0 }] })
  }

  private sign(part: Payload, metadata: Metadata | undefined): Payload[] {
    return signatureIn(metadata) === undefined ? [] : [this.part(part, metadata)]
  }

  private call(event: ToolCall): Payload[] {
    const { id, toolName: name, metadata } = event
    const isGood = mayBeWhole(event, this.about)
    if (event.providerExecuted) {
      const code = isGood && name === CODE ? inputOf(event) : undefined
      if (!isFields(code)) return []
      this.programs.add(id)
      return [this.part({ executableCode: code }, metadata)]
    }
    this.hasCalls ||= isGood
    this.hasRefused ||= !isGood
    if (!isGood) return []
    const input = inputOf(event)
    return [this.part({ functionCall: { id, name, args: isFields(input) ? input : { input } } }, metadata)]
  }

  private answer(result: WrittenResult | undefined): Payload[] {
    if (result === undefined || !this.programs.has(result.id)) return []
    const outcome = result.isError ? 'OUTCOME_FAILED' : 'OUTCOME_OK'
    return [this.part({ codeExecutionResult: { outcome, output: result.content } })]
  }

  private custom(kind: string, value: unknown): Payload[] {
    if (PARTS.has(kind) && isFields(value) && kind in value) return [this.part(value)]
    return BESIDE.has(kind) ? [this.chunk({ candidates: [{ index: 0, [kind]: value }] })] : []
  }

  private finish({ reason, rawReason, usage }: SluiceEvent & { type: 'finish' }): Payload[] {
    if (this.hasFailed) return []
    if (reason === 'error' || reason === 'aborted')
      return [failure({ name: 'Error', message: 'The response broke off.' })]
    const isByItself = reason === 'stop' || reason === 'tool-calls'
    const isMalformed = isByItself && this.hasRefused && !this.hasCalls
    const own = reasonWord(REASONS, reason, rawReason)
    const finishReason = isMalformed ? 'MALFORMED_FUNCTION_CALL' : own
    const candidates = [{ content: { parts: [], role: 'model' }, finishReason, index: 0 }]
    return [this.chunk({ candidates, ...(usage && { usageMetadata: usageOf(usage) }) })]
  }
}

/** An error with the status that its server gave. */
function failure({ message, status = 500 }: ErrorRecord): Payload {
  return { error: { code: status, message, status: STATUS[status] ?? 'INTERNAL' } }
}

/** Google's words for the most usual ones. */
const STATUS: Readonly<Record<number, string>> = {
  400: 'INVALID_ARGUMENT',
  401: 'UNAUTHENTICATED',
  403: 'PERMISSION_DENIED',
  404: 'NOT_FOUND',
  429: 'RESOURCE_EXHAUSTED',
  503: 'UNAVAILABLE',
  504: 'DEADLINE_EXCEEDED',
}

/** The signature of Gemini, which a compatible server of Google sends in another place. */
function signatureIn(metadata: Metadata | undefined): unknown {
  const compatible = fieldsOf(ofProvider(metadata, 'openai-chat').extra_content)
  return ofProvider(metadata, 'gemini').thoughtSignature ?? fieldsOf(compatible.google).thought_signature
}

function usageOf(usage: Usage): Fields {
  const { inputTokens, outputTokens, totalTokens, reasoningTokens, cachedInputTokens } = usage
  const answer = outputTokens === undefined ? undefined : Math.max(0, outputTokens - (reasoningTokens ?? 0))
  return (
    present({
      promptTokenCount: inputTokens,
      candidatesTokenCount: answer,
      thoughtsTokenCount: reasoningTokens,
      totalTokenCount: totalTokens,
      cachedContentTokenCount: cachedInputTokens,
    }) ?? {}
  )
}
