/**
 * What `useChat` posts, as plain data. An assistant's message of it holds all steps of a turn, with the results inside:
 *
 *     { "type": "step-start" }
 *     { "type": "tool-ls", "toolCallId": "c1", "state": "output-available", "input": {}, "output": "a.ts" }
 *     { "type": "step-start" }
 *     { "type": "text", "text": "There is one file." }
 *
 * Each step is a message of the model, and one with the results of its calls.
 */

import type { Metadata } from '../../base/event.ts'
import { type Fields, isFields } from '../../base/fields.ts'
import { mergeMetadata } from '../../base/merge-metadata.ts'
import type { CallPart } from '../../base/part.ts'
import type {
  AnswerPart,
  ConversationMessage,
  ConversationPart,
  ModelRequest,
  RequestTool,
} from '../../requests/conversation/model-request.ts'
import { under } from '../metadata.ts'
import { fieldsIn, fieldsOf, textOf, wordOf } from '../payload-fields.ts'
import {
  contentAt,
  given,
  invalidRequest,
  readArgumentsValue,
  requiredList,
  withoutFields,
} from '../request-fields.ts'
import { isSame } from '../setting-fields.ts'
import { readOutput, writeOutput } from './answer-output.ts'

const NAME = 'ai-sdk-ui'

export function readBody(body: Fields): ModelRequest<readonly RequestTool[]> {
  const options = withoutFields(body, ['messages', 'model'])
  return given({
    model: wordOf(body.model),
    messages: requiredList(body, 'messages').flatMap(readMessage),
    stream: true,
    providerOptions: options && { [NAME]: options },
  }) as ModelRequest<readonly RequestTool[]>
}

function readMessage(message: Fields): ConversationMessage[] {
  const { role } = message
  if (role !== 'system' && role !== 'user' && role !== 'assistant')
    throw invalidRequest(`'role' of a message is system, user or assistant, not ${JSON.stringify(role)}.`)
  const own = withoutFields(message, ['role', 'parts']) ?? {}
  const parts = partsOf(message)
  return role === 'assistant'
    ? stepsOf(parts).flatMap((step, index) => readStep(step, index === 0 ? own : { id: own.id }))
    : [{ role, ...readParts(parts), ...attached(own) }]
}

/** Parts without a name here are this protocol's: whatever they look like, no provider takes them for its own. */
function readParts(given: readonly Fields[]): Pick<ConversationMessage, 'parts' | 'provider'> {
  const parts = given.map(readPart)
  return { parts, ...(parts.some(({ type }) => type === 'custom') && { provider: NAME }) }
}

function partsOf({ parts }: Fields): readonly Fields[] {
  if (!Array.isArray(parts)) throw invalidRequest("'parts' of a message must be a list.")
  return fieldsIn(parts)
}

/** Fields of this protocol as metadata, with those of providers. */
function attached(own: Fields, ofProviders?: unknown): { readonly metadata?: Metadata } {
  const providers = isFields(ofProviders) ? ofProviders : null
  const metadata = mergeMetadata(providers, under(NAME, own))
  return metadata === null ? {} : { metadata }
}

// ── steps ────────────────────────────────────────────────────────────────────────────────────────

/** What the model did in one step, or what the user said between two. */
interface Step {
  readonly hasStart: boolean
  readonly parts: Fields[]
  readonly steering?: Fields
}

function stepsOf(parts: readonly Fields[]): readonly Step[] {
  const steps: Step[] = []
  for (const part of parts) {
    const last = steps.at(-1)
    if (part.type === 'step-start') steps.push({ hasStart: true, parts: [] })
    else if (part.type === 'steering-message') steps.push({ hasStart: false, parts: [], steering: part })
    else if (last === undefined || last.steering !== undefined) steps.push({ hasStart: false, parts: [part] })
    else last.parts.push(part)
  }
  return steps.length === 0 ? [{ hasStart: false, parts: [] }] : steps
}

function readStep({ hasStart, parts, steering }: Step, own: Fields): ConversationMessage[] {
  if (steering !== undefined) {
    const rest = withoutFields(steering, ['type', 'parts'])
    return [
      {
        role: 'user',
        ...readParts(partsOf(steering)),
        ...attached({ ...rest, steers: own.id ?? true }),
      },
    ]
  }
  const results: AnswerPart[] = []
  const said = parts.flatMap((part): ConversationPart[] => {
    if (!isToolPart(part)) return [readPart(part)]
    const call = readCall(part)
    const result = readResult(part)
    if (result !== undefined && call.providerExecuted !== true) results.push(result)
    return result !== undefined && call.providerExecuted === true ? [call, result] : [call]
  })
  const about = attached({ ...own, hasNoStart: hasStart ? undefined : true })
  return [
    { role: 'assistant', parts: said, provider: NAME, ...about },
    ...(results.length > 0 ? [{ role: 'tool', parts: results } as const] : []),
  ]
}

// ── parts ────────────────────────────────────────────────────────────────────────────────────────

function readPart(part: Fields): ConversationPart {
  const { type, text, mediaType, url, filename, providerMetadata } = part
  if (type === 'text' || type === 'reasoning') {
    const own = withoutFields(part, ['type', 'text', 'providerMetadata']) ?? {}
    return { type, text: textOf(text), ...attached(own, providerMetadata) }
  }
  if (type !== 'file') return { type: 'custom', kind: textOf(type), value: part }
  const own = withoutFields(part, ['type', 'mediaType', 'url', 'filename', 'providerMetadata']) ?? {}
  const found = contentAt(textOf(url))
  return {
    type,
    mediaType: wordOf(mediaType) ?? found.mediaType ?? 'application/octet-stream',
    content: found.content,
    ...(wordOf(filename) && { name: textOf(filename) }),
    ...attached(own, providerMetadata),
  }
}

/** Whether a part is a whole call. One that is still growing is none: it was never judged. */
export function isToolPart({ type, toolCallId, state }: Fields): boolean {
  const isTool = type === 'dynamic-tool' || textOf(type).startsWith('tool-')
  return (
    isTool && typeof toolCallId === 'string' && wordOf(state) !== undefined && state !== 'input-streaming'
  )
}

const TOOL_FIELDS = [
  ...['type', 'toolCallId', 'toolName', 'state', 'input', 'output', 'errorText', 'preliminary'],
  ...['providerExecuted', 'callProviderMetadata', 'resultProviderMetadata'],
]

const nameOf = ({ type, toolName }: Fields): string =>
  type === 'dynamic-tool' ? textOf(toolName) : textOf(type).slice('tool-'.length)

function readCall(part: Fields): CallPart {
  const { type, toolCallId, state, input, rawInput, providerExecuted, callProviderMetadata } = part
  const isWaiting = state === 'approval-requested' || state === 'approval-responded'
  const own = {
    ...withoutFields(part, TOOL_FIELDS),
    ...(type === 'dynamic-tool' && { type }),
    ...(isWaiting && { state }),
  }
  return {
    type: 'call',
    id: textOf(toolCallId),
    toolName: nameOf(part),
    ...readArgumentsValue(input === undefined ? rawInput : input),
    ...(providerExecuted === true && { providerExecuted }),
    ...attached(own, callProviderMetadata),
  }
}

function readResult(part: Fields): AnswerPart | undefined {
  const { toolCallId, state, output, errorText, preliminary, resultProviderMetadata } = part
  const { approved, reason } = fieldsOf(part.approval)
  const result = { type: 'result', id: textOf(toolCallId), toolName: nameOf(part) } as const
  if (state === 'output-denied' || (state === 'approval-responded' && approved === false)) {
    const content = wordOf(reason) ?? 'The call was denied.'
    return { ...result, content, isError: true, ...attached({ state }, resultProviderMetadata) }
  }
  if (state === 'output-error')
    return { ...result, content: textOf(errorText), isError: true, ...attached({}, resultProviderMetadata) }
  if (state !== 'output-available') return undefined
  const content = readOutput(output)
  const isAsWritten = isSame(writeOutput(content), output)
  // In a list, because null is an output, too; the list is empty where there is none.
  const kept = output === undefined ? [] : [output]
  const own = { preliminary, output: isAsWritten ? undefined : kept }
  return { ...result, content, ...attached(own, resultProviderMetadata) }
}
