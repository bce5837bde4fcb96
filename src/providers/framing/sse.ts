/**
 * Server-sent events: `data: {…}` and an empty line, with `data: [DONE]` at the end in most dialects of it.
 *
 * What servers really send is tolerated: no space behind the colon, no newline at the end, other line ends, and
 * a bare JSON line or a field `error:` where the server itself failed.
 */

import { createParser, type ParseError } from 'eventsource-parser'
import { ChunkDecoder } from '../../source.ts'
import { excerpt, type FrameReceiver, type Framing, receiveJson } from './framing.ts'

export function createSseFraming(receiver: FrameReceiver): Framing {
  const decoder = new ChunkDecoder()
  const lineEnds = new LineEnds()
  let hasEvents = false
  let oddLine = ''
  const parser = createParser({
    maxBufferSize: receiver.limit,
    onEvent: ({ data, event }) => {
      hasEvents = true
      receiveData(data, event, receiver)
    },
    onError: (error) => {
      if (error.type === 'max-buffer-size-exceeded') {
        parser.reset()
        receiver.tooLong()
      } else if (!receiveOddLine(error, receiver)) oddLine ||= error.line ?? ''
    },
  })
  return {
    push: (chunk) => parser.feed(lineEnds.unify(decoder.text(chunk))),
    end() {
      parser.feed(lineEnds.unify(decoder.end()))
      // The last event may lack its empty line, and even its newline.
      parser.feed('\n\n')
      if (!hasEvents && oddLine !== '') receiver.problem(`This is no stream of events: ${excerpt(oddLine)}`)
    },
  }
}

function receiveData(data: string, event: string | undefined, receiver: FrameReceiver): void {
  const text = data.trim()
  if (text === '[DONE]') receiver.done()
  else if (text !== '') receiveJson(text, event, receiver)
}

/**
 *     error: {"code":500,"message":"…"}       as llama.cpp says it
 *     {"error": {"message": "…"}}             as a proxy says it that knows nothing of events
 */
function receiveOddLine({ field, value = '', line = '' }: ParseError, receiver: FrameReceiver): boolean {
  if (field === 'error') receiveJson(`{"error":${value}}`, undefined, receiver)
  else if (line.startsWith('{')) receiveJson(line, undefined, receiver)
  else return false
  return true
}

/** All line ends as newlines, also where CR and LF come in different chunks. A BOM is none of the first line. */
class LineEnds {
  private isFirst = true
  private endsInReturn = false

  unify(chunk: string): string {
    if (chunk === '') return chunk
    let text = chunk
    if (this.isFirst && text.startsWith('\uFEFF')) text = text.slice(1)
    this.isFirst = false
    if (this.endsInReturn && text.startsWith('\n')) text = text.slice(1)
    this.endsInReturn = chunk.endsWith('\r')
    return text.includes('\r') ? text.replaceAll('\r\n', '\n').replaceAll('\r', '\n') : text
  }
}
