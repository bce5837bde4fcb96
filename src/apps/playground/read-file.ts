/** Finds out what a text or a file is: a recording, a provider's stream, or what a model wrote. */

import { ChunkDecoder } from '../../base/source.ts'
import { parseRecording, type Recording } from '../../runs/recording/index.ts'
import type { Sample, SampleChunk } from './settings.ts'

/** The sample that a file holds. Throws what is wrong with a recording that cannot be read. */
export function sampleOfFile(bytes: Uint8Array): Sample {
  // The frames of Amazon's event streams begin with their length.
  if (bytes[0] === 0) return { ...READ_BY_ITSELF, form: 'bedrock', text: latin(bytes) }
  return sampleOfText(textOf(bytes))
}

export function textOf(bytes: Uint8Array): string {
  return new TextDecoder('utf-8', { ignoreBOM: true }).decode(bytes).replace(/^\uFEFF/, '')
}

export function sampleOfText(text: string): Sample {
  if (/^\s*\{\s*"sluice-recording"/.test(text)) return sampleOfRecording(parseRecording(text))
  return { ...READ_BY_ITSELF, form: formOf(text), text }
}

/** Whether a file is a chat template, or holds one. A model may write one, too, so that its name or its start has to say so. */
export function isChatTemplate(text: string, file = ''): boolean {
  if (/\.(jinja2?|j2)$/i.test(file)) return true
  if (/^\s*\{[%#{]/.test(text)) return /\bmessages\b/.test(text)
  return /^\s*\{/.test(text) && /"chat_template"\s*:/.test(text)
}

const READ_BY_ITSELF = { dialect: 'auto', start: 'text' } as const

/** The fields of server-sent events, or payloads of JSON. */
function formOf(text: string): Sample['form'] {
  const start = text.trimStart()
  if (/^(data|event|id|retry)?:/.test(start)) return 'provider'
  // A model may write JSON, too; a payload of a provider says what it is.
  const isPayload = /^\[?\s*\{\s*"(id|type|object|model|choices|candidates|lc|messageStart|event)"\s*:/.test(
    start,
  )
  return isPayload ? 'provider' : 'text'
}

export function sampleOfRecording(recording: Recording): Sample {
  const { header } = recording
  const dialect = [header.dialect ?? 'auto'].flat()[0]!
  const tools = Array.isArray(header.tools) ? { tools: header.tools as unknown } : {}
  const read = readChunks(recording)
  const form =
    recording.kind === 'events'
      ? 'events'
      : (header.provider ?? (recording.kind === 'bytes' ? formOf(read.text) : 'text'))
  return { form, dialect, start: 'text', ...tools, ...read }
}

function readChunks({ kind, chunks }: Recording): { text: string; chunks: SampleChunk[] } {
  const decoder = new ChunkDecoder()
  const isBinary = kind === 'bytes' && (chunks[0]?.chunk as Uint8Array | undefined)?.[0] === 0
  const pieces: string[] = []
  const ends: SampleChunk[] = []
  let to = 0
  for (const { at, chunk } of chunks) {
    const piece =
      kind === 'events'
        ? `${JSON.stringify(chunk)}\n`
        : isBinary
          ? latin(chunk as Uint8Array)
          : decoder.text(chunk)
    if (piece === '') continue
    pieces.push(piece)
    to += piece.length
    ends.push({ to, at })
  }
  const rest = decoder.end()
  if (rest !== '') ends.push({ to: to + rest.length, at: chunks.at(-1)!.at })
  return { text: pieces.join('') + rest, chunks: ends }
}

/** Each byte as one character. */
function latin(bytes: Uint8Array): string {
  let text = ''
  for (const byte of bytes) text += String.fromCharCode(byte)
  return text
}
