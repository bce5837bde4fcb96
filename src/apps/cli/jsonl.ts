/**
 * The machine interface: one JSON request per line of stdin, one answer per line of stdout, in order.
 *
 *     {"id":"x","dialect":"hermes","chunks":["Hi <tool_call>{\"name\"",": \"ls\"}</tool_call>"]}
 *     {"id":"x","text":"Hi ","reasoning":"","toolCalls":[{"id":"call-1","name":"ls","input":{},"status":"complete"}],…}
 *
 * Each answer is written before the next request is read. A request that cannot be served gets an error for
 * an answer, and the others are served all the same.
 */

import { messageOf, SluiceError } from '../../base/errors.ts'
import type { SluiceEvent } from '../../base/event.ts'
import { type Fields, isFields } from '../../base/fields.ts'
import { FIXED_LIMITS } from '../../base/limits.ts'
import { excerpt } from '../../base/options.ts'
import { detect, dialectFor } from '../../dialects/index.ts'
import type { ToolDefinitions } from '../../engine/calls/tools.ts'
import { MessageFold } from '../../engine/message.ts'
import { createSinkParser, type ParserOptions } from '../../engine/parser.ts'
import { decodePayload } from '../../runs/recording/payload.ts'
import { findDialect } from './all-dialects.ts'
import { AUTO } from './dialects.ts'
import { chunksOf, inOneLine, linesOf, piecesOf } from './files.ts'
import { harmlessJson, type Io, write } from './io.ts'
import { messageJson } from './message-json.ts'

export async function serveLines(io: Io): Promise<number> {
  for await (const line of linesOf(piecesOf(chunksOf(undefined, io))))
    if (line?.trim() !== '') await write(io.stdout, `${harmlessJson(JSON.stringify(await answerTo(line)))}\n`)
  return 0
}

async function answerTo(line: string | null): Promise<unknown> {
  if (line === null)
    return refusal(null, 'invalid-request', `The line is longer than ${FIXED_LIMITS.wholeText} characters.`)
  let request: unknown
  try {
    request = JSON.parse(line)
  } catch (error) {
    return refusal(null, 'invalid-json', `The line is not JSON: ${inOneLine(error)}.`)
  }
  const id = isFields(request) ? (request.id ?? null) : null
  try {
    return { id, ...(await serve(request)) }
  } catch (error) {
    return refusal(id, codeOf(error), messageOf(error))
  }
}

function refusal(id: unknown, code: string, message: string) {
  return { id, error: { code, message } }
}

/** What the request says is wrong, or what it says is right and the fault is ours. */
function codeOf(error: unknown): string {
  if (error instanceof RequestError) return 'invalid-request'
  if (!(error instanceof SluiceError)) return 'internal-error'
  return UNKNOWN.has(error.code) ? error.code : 'invalid-request'
}

const UNKNOWN: ReadonlySet<string> = new Set(['unknown-dialect', 'unknown-model', 'unknown-provider'])

class RequestError extends Error {}

async function serve(request: unknown) {
  if (!isFields(request)) throw new RequestError('A request is a JSON object.')
  const fold = new MessageFold()
  const provider = field(request, 'provider', isString, "the name of a provider, or 'auto'")
  const add = (event: SluiceEvent): void => fold.add(event)
  if (provider === undefined) {
    const parser = createSinkParser(add, await readOptions(request))
    for (const chunk of readChunks(request)) parser.push(chunk)
    parser.end()
  } else {
    const { createProviderParser, providerNamed } = await import('./providers.ts')
    const parser = createProviderParser(add, {
      provider: providerNamed(provider),
      ...(await readOptions(request)),
    })
    for (const chunk of readProviderChunks(request)) parser.push(chunk)
    parser.end()
  }
  return messageJson(fold.message())
}

async function readOptions(request: Fields): Promise<ParserOptions> {
  const dialects =
    field(request, 'dialect', isStringOrStrings, "the name of a dialect, 'auto', or a list of names") ?? []
  const model = field(request, 'model', isString, 'the name of a model')
  if (model !== undefined && request.dialect != null)
    throw new RequestError("A request has either 'dialect' or 'model'.")
  const format = model === undefined ? undefined : dialectFor(model)
  const tools = field(request, 'tools', isObject, 'a list of tools')
  const start = field(request, 'start', isStart, '\'text\', \'reasoning\' or { "prefill": "…" }')
  const begins = start ?? format?.start
  const malformed = field(request, 'malformed', isMalformed, "'keep', 'text' or 'drop'")
  return {
    dialect:
      format?.dialect ??
      (dialects === AUTO ? detect() : await Promise.all([dialects].flat().map(findDialect))),
    calls: field(request, 'calls', isCalls, "true, false or 'drop'") ?? true,
    reasoning: field(request, 'reasoning', isBoolean, 'true or false') ?? true,
    emit: { json: false },
    ...(tools !== undefined && { tools: tools as ToolDefinitions }),
    ...(begins !== undefined && { start: begins }),
    ...(malformed !== undefined && { malformed }),
  }
}

function readChunks(request: Fields): readonly string[] {
  const chunks = field(request, 'chunks', isStrings, 'a list of strings')
  const input = field(request, 'input', isString, 'a string')
  if ((chunks === undefined) === (input === undefined))
    throw new RequestError("A request has either 'chunks', a list of strings, or 'input', a string.")
  return chunks ?? [input!]
}

/** A provider's chunks are text, or bytes in base64 as in a recording; payloads are decoded already. */
function readProviderChunks(request: Fields): readonly (string | Uint8Array | object)[] {
  const payloads = field(request, 'payloads', isObjects, 'a list of objects')
  const chunks = field(request, 'chunks', isList, 'a list of strings')
  const input = field(request, 'input', isString, 'a string')
  if ([payloads, chunks, input].filter((one) => one !== undefined).length !== 1)
    throw new RequestError("A request of a provider has one of 'payloads', 'chunks' and 'input'.")
  return payloads ?? chunks?.map(readChunk) ?? [input!]
}

function readChunk(chunk: unknown): string | Uint8Array {
  // Text stays text: bytes cannot hold the half of a character that a cut has left.
  if (typeof chunk === 'string') return chunk
  const bytes = decodePayload('bytes', chunk)
  if (bytes instanceof Uint8Array) return bytes
  throw new RequestError(`A chunk is a string or {"b": "base64"}, not ${excerpt(JSON.stringify(chunk))}.`)
}

/** A field of the right type. Null is the same as none. */
function field<Type>(
  request: Fields,
  name: string,
  isRight: (value: unknown) => value is Type,
  expected: string,
): Type | undefined {
  const value = request[name] ?? undefined
  if (value === undefined) return undefined
  if (!isRight(value))
    throw new RequestError(`'${name}' is ${expected}, not ${excerpt(JSON.stringify(value))}.`)
  return value
}

const isObject = (value: unknown): value is object => typeof value === 'object' && value !== null
const isString = (value: unknown): value is string => typeof value === 'string'
const isBoolean = (value: unknown): value is boolean => typeof value === 'boolean'
const isStrings = (value: unknown): value is string[] => Array.isArray(value) && value.every(isString)
const isList = (value: unknown): value is unknown[] => Array.isArray(value)
const isObjects = (value: unknown): value is object[] => isList(value) && value.every(isObject)
const isStringOrStrings = (value: unknown): value is string | string[] => isString(value) || isStrings(value)
const isCalls = (value: unknown): value is boolean | 'drop' => isBoolean(value) || value === 'drop'
const isMalformed = (value: unknown): value is 'keep' | 'text' | 'drop' =>
  value === 'keep' || value === 'text' || value === 'drop'
const isStart = (value: unknown): value is 'text' | 'reasoning' | { prefill: string } =>
  value === 'text' || value === 'reasoning' || (isFields(value) && isString(value.prefill))
