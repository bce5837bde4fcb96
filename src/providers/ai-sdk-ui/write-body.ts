/**
 * What `useChat` posts. The model, the tools and the settings are the server's; a message of the assistant goes on over
 * the results of its calls until the user says something.
 */

import type { Metadata } from '../../base/event.ts'
import { type Fields, isFields } from '../../base/fields.ts'
import type { CallPart, CustomPart } from '../../base/part.ts'
import { writtenInput } from '../../engine/calls/written-input.ts'
import type {
  AnswerPart,
  ConversationMessage,
  ConversationPart,
  FilePart,
  Settings,
} from '../../requests/conversation/model-request.ts'
import type { CheckedRequest, Report } from '../../requests/conversation/request-format.ts'
import { refusePrevious } from '../../requests/conversation/write-request.ts'
import { ofProvider } from '../metadata.ts'
import { fieldsOf, textOf } from '../payload-fields.ts'
import { given, reportUnsupported, urlOf, wireFields } from '../request-fields.ts'
import { isSame } from '../setting-fields.ts'
import { writeOutput } from './answer-output.ts'
import { isToolPart } from './read-body.ts'

const NAME = 'ai-sdk-ui'

/** A message while its parts come together. */
interface UiMessage {
  readonly role: string
  readonly own: Fields
  readonly parts: Fields[]
}

export function writeBody(request: CheckedRequest, report: Report): Fields {
  refusePrevious(request, NAME)
  const { model, messages, tools, settings, options } = request
  if (tools.length > 0)
    report('tool-left-out', `The tools are left out: a server that '${NAME}' speaks to has its own.`)
  reportUnsupported(settings, Object.keys(settings) as (keyof Settings)[], NAME, report)
  const written: UiMessage[] = []
  for (const message of messages) addMessage(message, written, report)
  return {
    ...options,
    ...given({ model }),
    // A message that the model never began has its id.
    messages: written
      .filter(({ own, parts }) => parts.length > 0 || own.id !== undefined)
      .map(({ role, own, parts }, index) => ({
        id: `message-${index + 1}`,
        ...own,
        role,
        parts,
      })),
  }
}

function addMessage(message: ConversationMessage, written: UiMessage[], report: Report): void {
  const { role, parts, metadata } = message
  const { hasNoStart, steers, ...own } = ofProvider(metadata, NAME)
  const last = written.at(-1)
  const isGoingOn = last?.role === 'assistant'
  if (role === 'tool') {
    for (const part of parts)
      if (part.type === 'result' && last !== undefined) addResult(part, last.parts, report)
  } else if (role !== 'assistant') {
    const said = parts.flatMap((part) => writePart(part, report))
    if (steers !== undefined && isGoingOn) last.parts.push({ ...own, type: 'steering-message', parts: said })
    // The check of a server refuses a message of which nothing is left.
    else if (said.length > 0) written.push({ role, own, parts: said })
  } else {
    const isSame = isGoingOn && (own.id === undefined || last.own.id === undefined || own.id === last.own.id)
    const target = isSame ? last : { role, own, parts: [] }
    if (!isSame) written.push(target)
    if (hasNoStart !== true) target.parts.push({ type: 'step-start' })
    for (const part of parts)
      if (part.type === 'result') addResult(part, target.parts, report)
      else target.parts.push(...writePart(part, report))
  }
}

// ── parts ────────────────────────────────────────────────────────────────────────────────────────

/** What providers attached, under their names. */
function providerMetadata(metadata: Metadata | undefined): Fields | undefined {
  const others = Object.entries(metadata ?? {}).filter(([name, value]) => name !== NAME && isFields(value))
  return others.length === 0 ? undefined : Object.fromEntries(others)
}

function writePart(part: ConversationPart, report: Report): Fields[] {
  switch (part.type) {
    case 'text':
    case 'reasoning': {
      const { type, text, metadata } = part
      return [
        given({ ...wireFields(metadata, NAME), type, text, providerMetadata: providerMetadata(metadata) }),
      ]
    }
    case 'file':
      return writeFile(part, report)
    case 'call':
      return [writeCall(part)]
    case 'custom':
      if (isOwnPart(part)) return [fieldsOf(part.value)]
      report('part-left-out', `A part of the kind '${part.kind}' is left out: '${NAME}' has no place for it.`)
      return []
    default:
      return []
  }
}

/** Parts of this protocol that have no name here. Data that is not to be kept is none, and neither is a request to approve. */
function isOwnPart({ kind, value }: CustomPart): boolean {
  const { type, state, transient } = fieldsOf(value)
  if (type !== kind || transient === true) return false
  return /^(source-url|source-document|reasoning-file|file|custom|data-.+)$/.test(kind) || isTool(kind, state)
}

const isTool = (kind: string, state: unknown): boolean =>
  /^(tool-.+|dynamic-tool)$/.test(kind) && typeof state === 'string'

function writeFile(file: FilePart, report: Report): Fields[] {
  const { type, mediaType, name: filename, metadata } = file
  const url = urlOf(file)
  if (url === undefined) {
    report('part-left-out', `A file of the type '${mediaType}' is left out: only its provider has it.`)
    return []
  }
  const own = wireFields(metadata, NAME)
  return [given({ ...own, type, mediaType, filename, url, providerMetadata: providerMetadata(metadata) })]
}

// ── calls and results ────────────────────────────────────────────────────────────────────────────

/** The states of a call that waits for a person, and of one that was denied. */
const WAITING: ReadonlySet<unknown> = new Set(['approval-requested', 'approval-responded'])
const DENIED: ReadonlySet<unknown> = new Set(['output-denied', 'approval-responded'])

function writeCall(call: CallPart): Fields {
  const { id: toolCallId, toolName, input, providerExecuted, metadata } = call
  const { type, state: waiting, ...rest } = ofProvider(metadata, NAME)
  const state = WAITING.has(waiting) ? waiting : 'input-available'
  const isDynamic = type === 'dynamic-tool'
  // Arguments that could not be read are no input.
  const isRaw = rest.rawInput !== undefined && isSame(rest.rawInput, input)
  return {
    ...rest,
    type: isDynamic ? type : `tool-${toolName}`,
    toolCallId,
    state,
    ...(isDynamic && { toolName }),
    ...(!isRaw && { input: writtenInput(call) }),
    ...given({ providerExecuted, callProviderMetadata: providerMetadata(metadata) }),
  }
}

/** Writes a result into the part of its call. */
function addResult(result: AnswerPart, parts: Fields[], report: Report): void {
  const place = parts.findIndex((part) => part.toolCallId === result.id && isToolPart(part))
  const call = parts[place]
  if (call === undefined) {
    report(
      'result-without-call',
      `The result of the call '${result.id ?? ''}' is left out: its call is not there.`,
    )
    return
  }
  const { content, isError, metadata } = result
  const { state, output, preliminary } = ofProvider(metadata, NAME)
  // The last answer counts.
  const { approval, errorText: _, output: __, ...rest } = call
  const answered = given({ resultProviderMetadata: providerMetadata(metadata) })
  if (DENIED.has(state)) parts[place] = { ...call, ...answered, state }
  else {
    // A call that has run was approved, or never had to be.
    const approved = fieldsOf(approval).approved === true ? { approval } : {}
    const written = writeOutput(content, output)
    const how = isError
      ? { state: 'output-error', errorText: errorText(content) }
      : {
          state: 'output-available',
          ...(written !== undefined && { output: written }),
          ...given({ preliminary }),
        }
    parts[place] = { ...rest, ...approved, ...how, ...answered }
  }
}

function errorText(content: AnswerPart['content']): string {
  if (typeof content === 'string') return content
  return content.map((part) => (part.type === 'text' ? textOf(part.text) : '')).join('')
}
