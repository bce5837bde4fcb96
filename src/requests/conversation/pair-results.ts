/**
 * Brings calls and results together as every provider wants them: behind a message with calls comes one with their
 * results, one for each, in the order of the calls. What the application did otherwise is mended and reported.
 * Where the conversation goes on from one that the server has kept, a result may answer a call of that one.
 */

import type { CallPart } from '../../base/part.ts'
import { FittedNames } from './fit-names.ts'
import type { AnswerPart, ConversationMessage, ConversationPart } from './model-request.ts'
import type { Report, RequestFormat } from './request-format.ts'

/** A call, and the place of its result. */
interface OpenCall {
  readonly id: string
  readonly toolName: string
  readonly results: AnswerPart[]
  readonly place: number
}

export function pairResults(
  messages: readonly ConversationMessage[],
  { name, callIds, takesOpenCalls }: Pick<RequestFormat, 'name' | 'callIds' | 'takesOpenCalls'>,
  report: Report,
  isContinued = false,
): ConversationMessage[] {
  const ids = new FittedNames(callIds, [])
  const paired: ConversationMessage[] = []
  /** What stands for results that are not there: known by itself, since a tool may have answered the same. */
  const unanswered = new Set<ConversationPart>()
  /** Calls without a result, by the id that the application knows. Several of a message may have the same. */
  const open = new Map<string, OpenCall[]>()

  /** Whether the result stays where it is. */
  const isElsewhere = (result: AnswerPart): boolean => {
    const call = open.get(result.id ?? '')?.shift()
    if (call === undefined) {
      // The call that it answers may be in what the server has kept.
      if (isContinued) return true
      const message = `The result of the call '${result.id ?? ''}' is left out: no call of this id waits for one.`
      report('result-without-call', message)
      return false
    }
    const { id, toolName, results, place } = call
    results[place] = { ...result, id, toolName }
    return false
  }

  for (const message of messages) {
    if (message.role !== 'assistant') {
      const parts = message.parts.filter((part) => part.type !== 'result' || isElsewhere(part))
      if (parts.length > 0) paired.push({ ...message, parts })
      continue
    }
    const results: AnswerPart[] = []
    const parts = message.parts.map((part): ConversationPart => {
      if (!isCall(part)) return part
      const { id: ownId = '', toolName } = part
      // A parser that reads text may count its calls from one in each response.
      const id = ids.free(ownId || 'call', message.provider === name)
      const call = { id, toolName, results, place: results.length }
      const others = open.get(ownId)
      if (others?.[0]?.results === results) others.push(call)
      else open.set(ownId, [call])
      const none: AnswerPart = { type: 'result', id, toolName, content: UNANSWERED, isError: true }
      unanswered.add(none)
      results.push(none)
      return { ...part, id }
    })
    paired.push({ ...message, parts })
    if (results.length > 0) paired.push({ role: 'tool', parts: results })
  }
  if (takesOpenCalls)
    return paired.flatMap((message) => {
      const parts = message.parts.filter((part) => !unanswered.has(part))
      return parts.length === 0 && message.role === 'tool' ? [] : [{ ...message, parts }]
    })
  for (const part of paired.flatMap(({ parts }) => parts))
    if (part.type === 'result' && unanswered.has(part))
      report(
        'call-without-result',
        `The call of '${part.toolName}' has no result. An error is sent as its result.`,
      )
  return paired
}

/** Providers refuse a call without a result. */
const UNANSWERED = 'No result: the call was not run.'

/** A call that the application answers. */
function isCall(part: ConversationPart): part is CallPart {
  return part.type === 'call' && part.providerExecuted !== true
}
