/**
 * Server-sent events: `data: {…}` and an empty line, with `data: [DONE]` at the end in most dialects of it.
 *
 * What servers really send is tolerated: no space behind the colon, no newline at the end, other line ends, and
 * a bare JSON line or a field `error:` where the server itself failed.
 */

import { createParser, type ParseError } from 'eventsource-parser'
import { flag, initially, part, resumed, type StateOf, text } from '../../base/declared-state.ts'
import { excerpt } from '../../base/options.ts'
import { ResumableDecoder } from './decoder.ts'
import { type FrameReceiver, type Framing, receiveData, receiveJson } from './framing.ts'
import { OpenEvent } from './open-event.ts'

/** The parts check what is theirs. */
const STATE = { hasEvents: flag, unexpectedLine: text, decoder: part, lineEnds: part, open: part }

export function createSseFraming(receiver: FrameReceiver, saved?: unknown): Framing {
  const { hasEvents, unexpectedLine, ...parts } = resumed(STATE, saved)
  const state = { hasEvents, unexpectedLine }
  const decoder = new ResumableDecoder(parts.decoder)
  const lineEnds = new LineEnds(parts.lineEnds)
  const open = new OpenEvent(
    receiver.limit,
    {
      pass: (text) => parser.feed(text),
      leaveOut() {
        parser.reset()
        receiver.tooLong()
      },
    },
    parts.open,
  )
  // While the state of another parser is restored, its events are ignored: that parser has emitted them.
  let isSilent = true
  const parser = createParser({
    onEvent: ({ data, event }) => {
      if (isSilent) return
      state.hasEvents = true
      receiveData(data, event, receiver)
    },
    onError: (error) => {
      if (isSilent) return
      if (!receiveUnexpectedLine(error, receiver)) state.unexpectedLine ||= error.line ?? ''
    },
  })
  parser.feed(open.state.text.toString())
  isSilent = false
  const read = (text: string): void => open.read(lineEnds.unify(text))
  return {
    push: (chunk) => read(decoder.text(chunk)),
    end() {
      read(decoder.end())
      // The last event may lack its empty line, and even its newline.
      open.read('\n\n')
      const { hasEvents, unexpectedLine } = state
      if (hasEvents || unexpectedLine === '') return
      receiver.unexpected(unexpectedLine)
      receiver.problem(`This is not a stream of server-sent events: ${excerpt(unexpectedLine, 60)}`)
    },
    save: (): StateOf<typeof STATE> => ({
      ...state,
      decoder: decoder.state,
      lineEnds: lineEnds.state,
      open: open.state,
    }),
  }
}

/**
 *     error: {"code":500,"message":"…"}       as llama.cpp writes it
 *     {"error": {"message": "…"}}             as a proxy without events writes it
 */
function receiveUnexpectedLine(
  { field, value = '', line = '' }: ParseError,
  receiver: FrameReceiver,
): boolean {
  if (field === 'error') receiveJson(`{"error":${value}}`, undefined, receiver)
  else if (line.startsWith('{')) receiveJson(line, undefined, receiver)
  else return false
  return true
}

const LINE_ENDS = { isFirst: initially(true), endsInReturn: flag }

/** All line ends as newlines, also where CR and LF come in different chunks. A BOM is none of the first line. */
class LineEnds {
  readonly state: StateOf<typeof LINE_ENDS>

  constructor(saved?: unknown) {
    this.state = resumed(LINE_ENDS, saved)
  }

  unify(chunk: string): string {
    if (chunk === '') return chunk
    const { state } = this
    let text = chunk
    if (state.isFirst && text.startsWith('\uFEFF')) text = text.slice(1)
    state.isFirst = false
    if (state.endsInReturn && text.startsWith('\n')) text = text.slice(1)
    state.endsInReturn = chunk.endsWith('\r')
    return text.includes('\r') ? text.replaceAll('\r\n', '\n').replaceAll('\r', '\n') : text
  }
}
