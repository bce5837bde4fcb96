/** The `contents` of a request to Gemini: turns of the user and of the model, one after the other. */

import { toBase64 } from '../../base/base64.ts'
import { type Fields, isFields } from '../../base/fields.ts'
import type { CallPart, CustomPart } from '../../base/part.ts'
import type {
  AnswerPart,
  ConversationMessage,
  ConversationPart,
  FilePart,
} from '../../requests/conversation/model-request.ts'
import type { CheckedRequest, Report } from '../../requests/conversation/request-format.ts'
import { ofProvider } from '../metadata.ts'
import { contentOf, fieldsOf, textOf } from '../payload-fields.ts'
import {
  answerFiles,
  answerText,
  given,
  inputObject,
  mediaTypeOf,
  NOTHING_SAID,
  reportBeginning,
  wireFields,
} from '../request-fields.ts'

const NAME = 'gemini'

/** Keys of metadata that are no fields of a part, or would be its content. */
const RESERVED = [
  ...['hasId', 'response', 'text', 'functionCall', 'functionResponse', 'inlineData', 'fileData'],
  ...['executableCode', 'codeExecutionResult'],
]

/** What the parts of one request share. */
interface Context {
  readonly report: Report
  /** Calls that came without an id. Neither they nor their responses get one. */
  readonly anonymous: Set<string>
}

export function writeSystem(messages: readonly ConversationMessage[], report: Report): Fields | undefined {
  const first = messages.findIndex(({ role }) => role !== 'system')
  const systems = messages.filter(({ role }) => role === 'system')
  if (messages.some(({ role }, index) => role === 'system' && index > first && first !== -1))
    report(
      'message-moved',
      `System messages inside the conversation are moved to its start: '${NAME}' has one place for them.`,
    )
  const context: Context = { report, anonymous: new Set() }
  const parts = systems.flatMap((message) =>
    message.parts.flatMap((part) => writePart(part, message, context)),
  )
  return parts.length === 0 ? undefined : { ...wireFields(systems[0]?.metadata, NAME), parts }
}

interface Content {
  readonly role: 'user' | 'model'
  readonly parts: Fields[]
  readonly rest: Fields
}

/** The roles alternate. Responses of functions stand before what the user says, directly behind the calls. */
export function writeContents({ messages, model }: CheckedRequest, report: Report): readonly Fields[] {
  const contents: Content[] = []
  const context: Context = { report, anonymous: new Set() }
  for (const message of messages) {
    if (message.role === 'system') continue
    const role = message.role === 'assistant' ? 'model' : 'user'
    const parts = message.parts.flatMap((part) => writePart(part, message, context))
    const last = contents.at(-1)
    if (last?.role === role) last.parts.push(...parts)
    else if (parts.length > 0) contents.push({ role, parts, rest: wireFields(message.metadata, NAME) })
  }
  if (contents[0]?.role === 'model') {
    reportBeginning(NAME, report)
    contents.unshift({ role: 'user', parts: [{ text: NOTHING_SAID }], rest: {} })
  }
  const isStrict = /\bgemini-([3-9]|\d\d)/.test(model ?? '')
  const signed = isStrict ? withSignatures(contents) : contents
  return signed.map(({ role, parts, rest }) => ({ ...rest, role, parts }))
}

/**
 * From the third version on, a model refuses calls of the turn that goes on unless the first of each step is signed. A
 * call that another model made has no signature; this word stands for one.
 */
const NO_SIGNATURE = 'skip_thought_signature_validator'

function withSignatures(contents: readonly Content[]): readonly Content[] {
  const isQuestion = ({ role, parts }: Content): boolean =>
    role === 'user' && parts.some(({ functionResponse }) => functionResponse === undefined)
  const asked = contents.map(isQuestion).lastIndexOf(true)
  return contents.map((content, index) => {
    const first = content.parts.findIndex(({ functionCall }) => functionCall !== undefined)
    const isSigned = first === -1 || content.parts[first]!.thoughtSignature !== undefined
    if (index < asked || isSigned) return content
    const parts = content.parts.map((part, at) =>
      at === first ? { ...part, thoughtSignature: NO_SIGNATURE } : part,
    )
    return { ...content, parts }
  })
}

function writePart(
  part: ConversationPart,
  message: ConversationMessage,
  context: Context,
): readonly Fields[] {
  const { report } = context
  const isOurs = message.provider === NAME
  switch (part.type) {
    case 'text': {
      const rest = wireFields(part.metadata, NAME, [...RESERVED, 'thought'])
      return part.text === '' && Object.keys(rest).length === 0 ? [] : [{ ...rest, text: part.text }]
    }
    case 'reasoning': {
      if (isOurs || part.metadata?.[NAME] !== undefined)
        return [{ ...wireFields(part.metadata, NAME, RESERVED), text: part.text, thought: true }]
      report('part-left-out', `Reasoning is left out: it is not of '${NAME}'.`)
      return []
    }
    case 'call':
      return part.providerExecuted ? writeCode(part, isOurs, report) : [writeCall(part, context)]
    case 'result':
      return message.role === 'assistant'
        ? writeCodeResult(part, isOurs, report)
        : [writeResponse(part, context)]
    case 'file':
      return writeFile(part, report)
    case 'custom':
      return writeCustom(part, isOurs, report)
  }
}

/** What stood beside the content of a response is about it, and is not sent. */
const BESIDE = /^(groundingMetadata|citationMetadata|urlContextMetadata|safetyRatings|logprobsResult)$/

function writeCustom({ kind, value }: CustomPart, isOurs: boolean, report: Report): readonly Fields[] {
  if (isOurs && isFields(value) && (kind === 'part' || value[kind] !== undefined)) return [value]
  if (!isOurs || !BESIDE.test(kind))
    report('part-left-out', `A part of the kind '${kind}' is left out: '${NAME}' has no place for it.`)
  return []
}

// ── files ────────────────────────────────────────────────────────────────────────────────────────

function writeFile(file: FilePart, report: Report): readonly Fields[] {
  const { mediaType, content, metadata } = file
  const about = ofProvider(metadata, NAME)
  const rest = wireFields(metadata, NAME, RESERVED)
  if ('id' in content && content.provider !== NAME) {
    report('part-left-out', `A file of the type '${mediaType}' is left out: another provider has it.`)
    return []
  }
  if ('id' in content || 'url' in content) {
    const fileUri = 'id' in content ? content.id : content.url
    const mimeType = mediaType.endsWith('/*') ? undefined : mediaType
    return [{ ...rest, fileData: given({ ...fieldsOf(about.fileData), mimeType, fileUri }) }]
  }
  const data = 'text' in content ? toBase64(new TextEncoder().encode(content.text)) : content.base64
  const mimeType = mediaTypeOf(file)
  return [{ ...rest, inlineData: { ...fieldsOf(about.inlineData), mimeType, data } }]
}

// ── calls and responses ──────────────────────────────────────────────────────────────────────────

function writeCall(call: CallPart, { anonymous }: Context): Fields {
  const { id = '', toolName: name, metadata } = call
  const { hasId, functionCall } = ofProvider(metadata, NAME)
  if (hasId === false) anonymous.add(id)
  return {
    ...wireFields(metadata, NAME, RESERVED),
    functionCall: {
      ...fieldsOf(functionCall),
      ...(hasId !== false && { id }),
      name,
      args: inputObject(call),
    },
  }
}

function writeResponse(part: AnswerPart, { report, anonymous }: Context): Fields {
  const { id = '', toolName: name, isError, metadata } = part
  const { functionResponse, response } = ofProvider(metadata, NAME)
  const text = answerText(part)
  const files = answerFiles(part).flatMap((file) => writeFile(file, report))
  const customs = typeof part.content === 'string' ? [] : part.content.filter(({ type }) => type === 'custom')
  for (const custom of customs) writeCustom(custom as CustomPart, false, report)
  return {
    functionResponse: given({
      ...fieldsOf(functionResponse),
      id: anonymous.has(id) || id === '' ? undefined : id,
      name,
      response:
        contentOf(response) === text && isFields(response)
          ? response
          : { [isError ? 'error' : 'output']: text },
      parts: files.length === 0 ? undefined : files,
    }),
    ...wireFields(metadata, NAME, RESERVED),
  }
}

// ── programs that Google runs ────────────────────────────────────────────────────────────────────

/** An id that the reader of the response made up is not sent. */
const isGiven = (id: string | undefined): boolean => id !== undefined && !/^code_execution-\d+$/.test(id)

function writeCode(part: CallPart, isOurs: boolean, report: Report): readonly Fields[] {
  const { id, toolName, metadata } = part
  if (!isOurs || toolName !== 'code_execution') {
    report('part-left-out', `The call of '${toolName}', which another provider ran, is left out.`)
    return []
  }
  return [
    {
      executableCode: { ...inputObject(part), ...(isGiven(id) && { id }) },
      ...wireFields(metadata, NAME, RESERVED),
    },
  ]
}

function writeCodeResult(part: AnswerPart, isOurs: boolean, report: Report): readonly Fields[] {
  const { id, toolName, isError, metadata } = part
  if (!isOurs || toolName !== 'code_execution') {
    report('part-left-out', `A result of a tool that another provider ran is left out.`)
    return []
  }
  const output = textOf(answerText(part))
  return [
    {
      codeExecutionResult: {
        outcome: isError ? 'OUTCOME_FAILED' : 'OUTCOME_OK',
        ...(output !== '' && { output }),
        ...(isGiven(id) && { id }),
        ...fieldsOf(ofProvider(metadata, NAME).codeExecutionResult),
      },
      ...wireFields(metadata, NAME, RESERVED),
    },
  ]
}
