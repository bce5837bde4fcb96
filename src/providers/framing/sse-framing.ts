/**
 * Server-sent events: `data: {…}` and an empty line, with `data: [DONE]` at the end in most dialects of it.
 *
 * What servers really send is tolerated: no space behind the colon, no newline at the end, other line ends, and
 * a bare JSON line or a field `error:` where the server itself failed.
 */

import { createParser, type ParseError } from 'eventsource-parser'
import { excerpt } from '../../options.ts'
import { type DecoderState, ResumableDecoder } from './decoder.ts'
import { type FrameReceiver, type Framing, receiveData, receiveJson } from './framing.ts'
import { OpenEvent, type OpenEventState } from './open-event.ts'

interface SseState {
  readonly decoder: DecoderState
  readonly lineEnds: LineEndsState
  readonly open: OpenEventState
  hasEvents: boolean
  oddLine: string
}

export function createSseFraming(receiver: FrameReceiver, saved?: unknown): Framing {
  const before = saved as SseState | undefined
  const decoder = new ResumableDecoder(before?.decoder)
  const lineEnds = new LineEnds(before?.lineEnds)
  const open = new OpenEvent(
    receiver.limit,
    {
      pass: (text) => parser.feed(text),
      leaveOut() {
        parser.reset()
        receiver.tooLong()
      },
    },
    before?.open,
  )
  const state: SseState = before ?? {
    decoder: decoder.state,
    lineEnds: lineEnds.state,
    open: open.state,
    hasEvents: false,
    oddLine: '',
  }
  // What it hears while it is brought to where another one was has been said by that one.
  let isSilent = true
  const parser = createParser({
    onEvent: ({ data, event }) => {
      if (isSilent) return
      state.hasEvents = true
      receiveData(data, event, receiver)
    },
    onError: (error) => {
      if (isSilent) return
      if (!receiveOddLine(error, receiver)) state.oddLine ||= error.line ?? ''
    },
  })
  parser.feed(state.open.text.toString())
  isSilent = false
  const read = (text: string): void => open.read(lineEnds.unify(text))
  return {
    push: (chunk) => read(decoder.text(chunk)),
    end() {
      read(decoder.end())
      // The last event may lack its empty line, and even its newline.
      open.read('\n\n')
      const { hasEvents, oddLine } = state
      if (!hasEvents && oddLine !== '')
        receiver.problem(`This is no stream of events: ${excerpt(oddLine, 60)}`)
    },
    save: () => state,
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
  readonly state: LineEndsState

  constructor(state: LineEndsState = { isFirst: true, endsInReturn: false }) {
    this.state = state
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

interface LineEndsState {
  isFirst: boolean
  endsInReturn: boolean
}
