/**
 * Server-sent events: `data: {…}` and an empty line, with `data: [DONE]` at the end in most dialects of it.
 *
 * What servers really send is tolerated: no space behind the colon, no newline at the end, other line ends, and
 * a bare JSON line or a field `error:` where the server itself failed.
 */

import { createParser, type ParseError } from 'eventsource-parser'
import { ChunkDecoder } from '../../source.ts'
import { excerpt, type FrameReceiver, type Framing, receiveData, receiveJson } from './framing.ts'

export function createSseFraming(receiver: FrameReceiver): Framing {
  const decoder = new ChunkDecoder()
  const lineEnds = new LineEnds()
  let hasEvents = false
  let oddLine = ''
  const parser = createParser({
    onEvent: ({ data, event }) => {
      hasEvents = true
      receiveData(data, event, receiver)
    },
    onError: (error) => {
      if (!receiveOddLine(error, receiver)) oddLine ||= error.line ?? ''
    },
  })
  const events = new EventLimit(receiver.limit, {
    pass: (text) => parser.feed(text),
    leaveOut() {
      parser.reset()
      receiver.tooLong()
    },
  })
  const feed = (text: string): void => events.read(lineEnds.unify(text))
  return {
    push: (chunk) => feed(decoder.text(chunk)),
    end() {
      feed(decoder.end())
      // The last event may lack its empty line, and even its newline.
      events.read('\n\n')
      if (!hasEvents && oddLine !== '') receiver.problem(`This is no stream of events: ${excerpt(oddLine)}`)
    },
  }
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

/** Leaves out events that are too long, up to the empty line that ends them, however they are cut. */
class EventLimit {
  private readonly limit: number
  private readonly to: { pass(text: string): void; leaveOut(): void }
  /** How long the open event is. */
  private length = 0
  private isLeftOut = false
  private endsInNewline = false

  constructor(limit: number, to: EventLimit['to']) {
    this.limit = limit
    this.to = to
  }

  read(text: string): void {
    if (text === '') return
    if (!this.isLeftOut && this.length + text.length <= this.limit) this.takeAll(text)
    else this.takeEach(text)
    this.endsInNewline = text.endsWith('\n')
  }

  /** Nothing in the text can be too long. */
  private takeAll(text: string): void {
    this.to.pass(text)
    const end = text.lastIndexOf('\n\n')
    if (end !== -1) this.length = text.length - end - 2
    else if (this.endsInNewline && text.startsWith('\n')) this.length = text.length - 1
    else this.length += text.length
  }

  private takeEach(text: string): void {
    let at = 0
    while (at < text.length) {
      const end = this.endIn(text, at)
      this.take(text.slice(at, end === -1 ? text.length : end), end !== -1)
      at = end === -1 ? text.length : end
    }
  }

  /** Behind the empty line that ends the open event, or -1. */
  private endIn(text: string, from: number): number {
    if (from === 0 && this.endsInNewline && text.startsWith('\n')) return 1
    const at = text.indexOf('\n\n', from)
    return at === -1 ? -1 : at + 2
  }

  private take(piece: string, isLast: boolean): void {
    this.length += piece.length
    if (!this.isLeftOut && this.length > this.limit) {
      this.isLeftOut = true
      this.to.leaveOut()
    }
    if (!this.isLeftOut) this.to.pass(piece)
    if (!isLast) return
    this.length = 0
    this.isLeftOut = false
  }
}
