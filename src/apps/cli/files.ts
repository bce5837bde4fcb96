/** Files that a command is given, and stdin where it is given none. */

import { createReadStream } from 'node:fs'
import { readFile } from 'node:fs/promises'
import { isFields } from '../../base/fields.ts'
import { FIXED_LIMITS } from '../../base/limits.ts'
import { ChunkDecoder, withoutByteOrderMark } from '../../base/source.ts'
import type { ToolDefinitions } from '../../engine/calls/tools.ts'
import { createToolTable } from '../../engine/calls/tools.ts'
import { Failure, UsageError } from './command.ts'
import { type Io, write } from './io.ts'

/** What a file is called in messages. */
export function nameOf(file: string | undefined): string {
  return file === undefined || file === '-' ? 'stdin' : file
}

/** A file, or stdin, in the chunks in which it arrives. */
export async function* chunksOf(file: string | undefined, io: Io): AsyncGenerator<string | Uint8Array> {
  const name = nameOf(file)
  const isStdin = file === undefined || file === '-'
  if (isStdin && io.stdin.isTTY) await write(io.stderr, 'Reading what you type; end it with Ctrl-D.\n')
  try {
    for await (const chunk of isStdin ? io.stdin : createReadStream(file)) yield chunk as string | Uint8Array
  } catch (error) {
    throw unreadable(name, error)
  }
}

/** How a recording begins, which is no stream. */
const RECORDING = /^\s*\{\s*"sluice-recording"/

/** The same for what must be a stream. `advice`: what to do with a recording. */
export async function* streamOf(
  file: string | undefined,
  io: Io,
  advice: string,
): AsyncGenerator<string | Uint8Array> {
  const decoder = new TextDecoder()
  let start = ''
  for await (const chunk of chunksOf(file, io)) {
    if (start.length < 64) {
      start += typeof chunk === 'string' ? chunk : decoder.decode(chunk, { stream: true })
      if (RECORDING.test(start)) throw new UsageError(`${nameOf(file)} is a recording; ${advice}.`)
    }
    yield chunk
  }
}

/** The chunks up to the moment at which nobody wants them any more, also where the next one never comes. */
export async function* untilAborted<Chunk>(
  source: AsyncIterable<Chunk>,
  signal: AbortSignal,
): AsyncGenerator<Chunk> {
  const iterator = source[Symbol.asyncIterator]()
  const abort = abortOf(signal)
  for (;;) {
    const step = await Promise.race([iterator.next(), abort])
    if (step === null || step.done) return
    yield step.value
  }
}

/** Resolves when the signal aborts. */
export function abortOf(signal: AbortSignal): Promise<null> {
  return new Promise((resolve) => {
    if (signal.aborted) resolve(null)
    signal.addEventListener('abort', () => resolve(null), { once: true })
  })
}

/** The text of chunks, in the pieces in which it arrives. */
export async function* piecesOf(chunks: AsyncIterable<string | Uint8Array>): AsyncGenerator<string> {
  const decoder = new ChunkDecoder()
  for await (const chunk of chunks) yield decoder.text(chunk)
  yield decoder.end()
}

export async function textOf(file: string | undefined, io: Io): Promise<string> {
  let text = ''
  for await (const piece of piecesOf(chunksOf(file, io))) {
    text += piece
    if (text.length > FIXED_LIMITS.wholeText)
      throw new Failure(`${nameOf(file)} is longer than ${FIXED_LIMITS.wholeText} characters.`)
  }
  return withoutByteOrderMark(text)
}

/**
 * Whole lines, each as soon as it is there. What follows the last newline is a line too. Of a line that is too long
 * nothing is kept; it is null.
 */
export async function* linesOf(
  pieces: AsyncIterable<string>,
  limit: number = FIXED_LIMITS.wholeText,
): AsyncGenerator<string | null> {
  let unfinished: string[] = []
  let length = 0
  const keep = (piece: string): void => {
    length += piece.length
    if (length <= limit) unfinished.push(piece)
    else unfinished = []
  }
  const take = (): string | null => {
    const line = length <= limit ? unfinished.join('') : null
    unfinished = []
    length = 0
    return line
  }
  for await (const piece of pieces) {
    const lines = piece.split('\n')
    const rest = lines.pop()!
    for (const line of lines) {
      keep(line)
      yield take()
    }
    keep(rest)
  }
  if (length > 0) yield take()
}

/** The same bytes in chunks of a certain length. */
export async function* inChunksOf(
  length: number,
  chunks: AsyncIterable<string | Uint8Array>,
): AsyncGenerator<Uint8Array> {
  for await (const chunk of chunks) {
    const bytes = typeof chunk === 'string' ? new TextEncoder().encode(chunk) : chunk
    for (let from = 0; from < bytes.length; from += length) yield bytes.subarray(from, from + length)
  }
}

/** The same text in pieces of a certain length. */
export async function* inPiecesOf(length: number, pieces: AsyncIterable<string>): AsyncGenerator<string> {
  let rest = ''
  for await (const piece of pieces) {
    const text = rest + piece
    let from = 0
    for (; from + length <= text.length; from += length) yield text.slice(from, from + length)
    rest = text.slice(from)
  }
  if (rest !== '') yield rest
}

export async function readTools(file: string): Promise<ToolDefinitions> {
  const tools = await readJson(file)
  if (isFields(tools) && (typeof tools.name === 'string' || tools.type === 'function'))
    throw new Failure(`${file} is one tool; put it in a list: [{"name": …}].`)
  // Says what is wrong with them, before anything else is read.
  createToolTable(tools as ToolDefinitions)
  return tools as ToolDefinitions
}

async function readJson(file: string): Promise<unknown> {
  let text: string
  try {
    text = await readFile(file, 'utf8')
  } catch (error) {
    throw unreadable(file, error)
  }
  return parseJson(text, file)
}

export function parseJson(text: string, name: string): unknown {
  try {
    return JSON.parse(text)
  } catch (error) {
    throw new Failure(`${name} is not JSON: ${inOneLine(error)}.`)
  }
}

/** What an error says, which may quote a text of several lines. */
export function inOneLine(error: unknown): string {
  return (error as Error).message.replaceAll('\n', ' ')
}

const REASONS: Record<string, string> = {
  ENOENT: 'it does not exist',
  EISDIR: 'it is a folder',
  EACCES: 'it may not be read',
}

function unreadable(name: string, error: unknown): Failure {
  const { code = '', message } = error as NodeJS.ErrnoException
  return new Failure(`${name} cannot be read: ${REASONS[code] ?? message}.`, { cause: error })
}
