/**
 * Gemini: parts of the first candidate, over server-sent events or in one array. Calls come whole, or in pieces
 * as values with their paths; there is no index, and only the finish reason ends it.
 *
 *     {"candidates":[{"content":{"parts":[{"text":"Hm","thought":true}]}}]}
 *     {"candidates":[{"content":{"parts":[{"functionCall":{"name":"ls","args":{"path":"."}},"thoughtSignature":"…"}]}}]}
 *     {"candidates":[{"finishReason":"STOP"}],"usageMetadata":{"promptTokenCount":9}}
 */

import {
  begun,
  count,
  flag,
  nested,
  optional,
  part,
  resumed,
  type StateOf,
  stateCheck,
  text,
} from '../../base/declared-state.ts'
import type { Metadata } from '../../base/event.ts'
import { type Fields, isFields } from '../../base/fields.ts'
import { isCount } from '../../base/plain-state.ts'
import { normaliseReason, type ReasonTable } from '../finish-reasons.ts'
import { isInteraction, openInteraction } from '../gemini-interactions/read.ts'
import { under } from '../metadata.ts'
import type { CallEnd, Output } from '../output.ts'
import {
  fieldsOf,
  holdsOthers,
  isOtherRole,
  listOf,
  numberOf,
  present,
  sumOf,
  textOf,
  wordOf,
} from '../payload-fields.ts'
import type { PayloadReader, Provider } from '../provider.ts'
import { ProviderError, reportErrorIn } from '../provider-error.ts'
import { PATCHES, PatchWriter } from './patches.ts'

const NAME = 'gemini'

/** Reads Gemini's `generateContent` and Interactions. */
export const gemini: Provider<typeof NAME> = {
  name: NAME,
  framing: 'sse',
  detect: (payload) => isContent(payload) || isInteraction(payload) || isLive(payload),
  open(out, saved) {
    const before = resumed(BOTH, saved)
    const content = new GeminiReader(out, resumed(STATE, before.content))
    const interactions = openInteraction(out, before.interactions)
    return {
      state: { content: content.state, interactions: interactions.state },
      // What neither knows is a piece of what is being read.
      read: (payload) =>
        isInteraction(payload) || (interactions.isOpen && !isContent(payload))
          ? interactions.read(payload)
          : content.read(payload),
      end: () => interactions.end(),
    }
  },
}

const isContent = (payload: Fields): boolean =>
  [payload, fieldsOf(payload.response)].some(
    (one) => Array.isArray(one.candidates) || isFields(one.promptFeedback) || isFields(one.usageMetadata),
  )

/** Gemini Live is a session of many responses, with audio and interruptions, over a socket. */
const LIVE = [
  'setupComplete',
  'serverContent',
  'toolCall',
  'toolCallCancellation',
  'goAway',
  'sessionResumptionUpdate',
]
const NO_LIVE =
  'This is Gemini Live, a session of many responses, which is not read here. Read one response of streamGenerateContent or of Interactions.'

const isLive = (payload: Fields): boolean => LIVE.some((field) => isFields(payload[field]))

const REASONS: ReasonTable = {
  STOP: 'stop',
  MAX_TOKENS: 'length',
  SAFETY: 'content-filter',
  RECITATION: 'content-filter',
  BLOCKLIST: 'content-filter',
  PROHIBITED_CONTENT: 'content-filter',
  SPII: 'content-filter',
  IMAGE_SAFETY: 'content-filter',
  MALFORMED_FUNCTION_CALL: 'error',
}

/** The states of both readers, which check what is theirs. */
const BOTH = { content: part, interactions: part }

/** The call whose arguments come in pieces. */
const PATCHED_CALL = {
  index: count,
  patches: nested(PATCHES),
  /** The arguments came as a whole, too. */
  isWhole: flag,
}

const STATE = {
  calls: count,
  open: optional(stateCheck(PATCHED_CALL)),
  /** The last call in pieces, if it ended without any: its verdict waits for what comes next, which may be one. */
  empty: optional(isCount),
  codeId: text,
  /** A piece of a call is not where it belongs. Pieces name no call, so it may be missing in any later one. */
  isPieceLost: flag,
  /** It is a stream that is not read here. */
  isRefused: flag,
}
type GeminiState = StateOf<typeof STATE>

class GeminiReader implements PayloadReader {
  readonly state: GeminiState
  private readonly out: Output

  constructor(out: Output, state: GeminiState) {
    this.out = out
    this.state = state
  }

  read(given: Fields): void {
    const { out } = this
    // Some of Google's servers wrap each chunk.
    const payload = isFields(given.response) ? given.response : given
    if (this.isRefused(payload)) return
    reportErrorIn(payload, NAME, out)
    for (const candidate of listOf(payload.candidates)) this.readCandidate(fieldsOf(candidate))
    const blocked = wordOf(fieldsOf(payload.promptFeedback).blockReason)
    if (blocked !== undefined) {
      out.custom('promptFeedback', payload.promptFeedback)
      out.finish('content-filter', blocked)
    }
    readUsage(fieldsOf(payload.usageMetadata), out)
    out.metadata(under(NAME, { id: wordOf(payload.responseId), model: wordOf(payload.modelVersion) }))
    for (const field of Object.keys(payload)) if (!KNOWN.has(field)) out.unknown(field, payload[field], true)
    // The candidates may be under a name that is not known.
    const lists = Object.fromEntries(Object.entries(payload).filter(([, value]) => Array.isArray(value)))
    if (!Array.isArray(payload.candidates) && holdsOthers(lists, KNOWN)) this.missPiece()
  }

  /** Something is not known. Pieces of a call do not show whether one is missing, so that it may have been one of them. */
  private missPiece(): void {
    const { open } = this.state
    if (open !== null) open.patches.isBroken = true
  }

  private isRefused(payload: Fields): boolean {
    const { state } = this
    if (!state.isRefused && isLive(payload)) {
      state.isRefused = true
      this.out.error(new ProviderError(NAME, NO_LIVE, 'unsupported', payload))
    }
    return state.isRefused
  }

  private readCandidate(candidate: Fields): void {
    const { out } = this
    if (typeof candidate.index === 'number' && candidate.index > 0) {
      out.custom('candidate', candidate)
      return
    }
    const content = fieldsOf(candidate.content)
    if (isOtherRole(content.role)) out.custom(textOf(content.role), content)
    else for (const part of listOf(content.parts)) this.readPart(fieldsOf(part))
    if (holdsOthers(candidate, CANDIDATE) || holdsOthers(content, CONTENT)) this.missPiece()
    for (const field of BESIDE)
      if (typeof candidate[field] === 'object' && candidate[field] !== null)
        out.custom(field, candidate[field])
    const raw = wordOf(candidate.finishReason)
    if (raw === undefined || raw === 'FINISH_REASON_UNSPECIFIED') return
    this.closeCall('cut')
    this.endEmpty()
    out.finish(normaliseReason(raw, REASONS), raw)
  }

  private readPart(part: Fields): void {
    const { out } = this
    const signature = wordOf(part.thoughtSignature)
    const metadata = signature === undefined ? undefined : { [NAME]: { thoughtSignature: signature } }
    if (isFields(part.functionCall)) {
      this.readCall(part.functionCall, metadata, part.thought === true)
      return
    }
    this.endEmpty()
    if (typeof part.text === 'string') {
      if (part.thought === true) out.reasoning(part.text, { metadata })
      else out.text(part.text, { metadata })
    } else if (isFields(part.executableCode)) this.readCode(part.executableCode, metadata)
    else if (isFields(part.codeExecutionResult)) {
      const { output, outcome } = part.codeExecutionResult
      out.result({
        id: this.state.codeId,
        toolName: 'code_execution',
        content: textOf(output),
        isError: outcome !== undefined && outcome !== 'OUTCOME_OK',
      })
    } else {
      const [kind = 'part'] = Object.keys(part).filter(
        (field) => field !== 'thoughtSignature' && field !== 'thought',
      )
      if (Object.keys(part).length > 0) out.custom(kind, part)
      if (holdsOthers(part, PART)) this.missPiece()
    }
  }

  /** Google runs the program itself. */
  private readCode(code: Fields, metadata: Metadata | undefined): void {
    const { state } = this
    state.codeId = wordOf(code.id) ?? `code_execution-${state.calls++}`
    this.out.wholeCall({
      id: state.codeId,
      name: 'code_execution',
      arguments: present({ language: code.language, code: code.code }),
      providerExecuted: true,
      metadata,
    })
  }

  private readCall(call: Fields, metadata: Metadata | undefined, isInReasoning: boolean): void {
    const { out, state } = this
    const name = wordOf(call.name)
    const patches = listOf(call.partialArgs)
    if (name !== undefined) {
      this.closeCall('cut')
      this.endEmpty()
      const common = { id: wordOf(call.id), name, metadata, isInReasoning }
      if (call.willContinue !== true && patches.length === 0) {
        out.wholeCall({ ...common, arguments: call.args ?? (holdsUnread(call) ? undefined : {}) })
        return
      }
      const index = state.calls++
      out.call({ index, ...common, hasOwnEnd: true })
      state.open = {
        index,
        patches: { ...begun(PATCHES), isBroken: state.isPieceLost },
        isWhole: false,
      }
    }
    const { open } = state
    const isArgs = hasArgs(call)
    if (open === null) {
      if (Object.keys(call).length > 0) out.unexpected('A piece of a call arrived without its call.')
      if (patches.length > 0 || isArgs) this.losePiece()
      return
    }
    if (!isArgs && holdsUnread(call)) this.missPiece()
    // Any of its pieces may say so.
    if (isInReasoning) out.call({ index: open.index, isInReasoning })
    const writer = new PatchWriter(open.patches)
    const { isBroken } = open.patches
    for (const patch of patches) out.call({ index: open.index, arguments: writer.apply(patch), metadata })
    if (open.patches.isBroken && !isBroken) state.isPieceLost = true
    if (isArgs) this.readArgs(call.args)
    if (call.willContinue !== true) this.closeCall('whole')
  }

  /** The arguments as a whole: all of them, or those that came in pieces once more. */
  private readArgs(args: unknown): void {
    const { out, state } = this
    const { open } = state
    // They may be those of another call, which lost a piece.
    if (open === null || open.patches.isBroken) return
    const { index, patches } = open
    if (patches.levels.length > 0) out.call({ index, arguments: new PatchWriter(patches).end() })
    open.isWhole = true
    out.call({ index, arguments: args })
  }

  /** A piece came without a call. If the last one ended without any, it may be of that one. */
  private losePiece(): void {
    const { out, state } = this
    state.isPieceLost = true
    if (state.empty !== null)
      out.refuseCall(state.empty, 'Some of its arguments arrived after the call had ended.')
    state.empty = null
  }

  private endEmpty(): void {
    const { out, state } = this
    if (state.empty !== null) out.endCall(state.empty)
    state.empty = null
  }

  /** A call ends with a piece that does not say that more will come. One that the response or another call ends was cut off. */
  private closeCall(how: CallEnd): void {
    const { out, state } = this
    const { open } = state
    if (open === null) return
    state.open = null
    const { isBroken, levels } = open.patches
    const isBare = how === 'whole' && !isBroken && levels.length === 0
    if (isBare && open.isWhole) {
      out.endCall(open.index)
      return
    }
    if (isBare) {
      state.empty = open.index
      out.call({ index: open.index, arguments: '{}' })
      return
    }
    const closing = how === 'whole' ? new PatchWriter(open.patches).end() : ''
    if (closing === '' && !isBroken) state.isPieceLost = true
    out.call({ index: open.index, arguments: closing })
    out.endCall(open.index, closing === '' ? 'cut' : 'whole')
  }
}

const KNOWN = new Set(
  `candidates promptFeedback usageMetadata modelVersion responseId createTime error type response
   sdkHttpResponse automaticFunctionCallingHistory modelStatus`.split(/\s+/),
)
/** The fields of a candidate, of its content, of a part, and of a call. */
const CANDIDATE = new Set(
  `content finishReason finishMessage index safetyRatings citationMetadata tokenCount groundingMetadata avgLogprobs
   logprobsResult urlContextMetadata groundingAttributions`.split(/\s+/),
)
const CONTENT = new Set(['parts', 'role'])
const PART = new Set(
  `text thought thoughtSignature functionCall functionResponse inlineData fileData executableCode codeExecutionResult
   videoMetadata mediaResolution partMetadata toolCall toolResponse`.split(/\s+/),
)
const CALL = new Set(['id', 'name', 'args', 'partialArgs', 'willContinue'])

/** An empty object comes with pieces, too, and is no arguments. */
const hasArgs = ({ args }: Fields): boolean =>
  args !== undefined && args !== null && !(isFields(args) && Object.keys(args).length === 0)

/** Whether something in a call may be arguments, and is not read. */
const holdsUnread = (call: Fields): boolean =>
  Object.keys(call).some((field) => !CALL.has(field)) ||
  !(call.partialArgs === undefined || call.partialArgs === null || Array.isArray(call.partialArgs))

/** What stands beside the content and is passed on as it is. */
const BESIDE = [
  'groundingMetadata',
  'citationMetadata',
  'urlContextMetadata',
  'safetyRatings',
  'logprobsResult',
]

/** Thoughts are counted apart, and are output, too. What tools gave back to the model is input. */
function readUsage(usage: Fields, out: Output): void {
  const answer = numberOf(usage.candidatesTokenCount)
  const thoughts = numberOf(usage.thoughtsTokenCount)
  out.usage({
    inputTokens: sumOf(numberOf(usage.promptTokenCount), numberOf(usage.toolUsePromptTokenCount)),
    outputTokens: sumOf(answer, thoughts),
    totalTokens: numberOf(usage.totalTokenCount),
    reasoningTokens: thoughts,
    cachedInputTokens: numberOf(usage.cachedContentTokenCount),
  })
}
