/**
 * Server-sent events: `data: {…}` and an empty line, with `data: [DONE]` at the end in most dialects of it.
 *
 * What servers really send is tolerated: no space behind the colon, no newline at the end, other line ends, and
 * a bare JSON line or a field `error:` where the server itself failed.
 */

import { createParser, type ParseError } from 'eventsource-parser'
import { type DecoderState, ResumableDecoder } from './decoder.ts'
import { excerpt, type FrameReceiver, type Framing, receiveJson } from './framing.ts'
import { UnfinishedEvent, type UnfinishedState } from './unfinished-event.ts'

interface SseState {
  readonly decoder: DecoderState
  readonly lineEnds: LineEndsState
  readonly unfinished: UnfinishedState
  hasEvents: boolean
  oddLine: string
}

export function createSseFraming(receiver: FrameReceiver, saved?: unknown): Framing {
  const before = saved as SseState | undefined
  const decoder = new ResumableDecoder(before?.decoder)
  const lineEnds = new LineEnds(before?.lineEnds)
  const unfinished = new UnfinishedEvent(before?.unfinished)
  const state: SseState = before ?? {
    decoder: decoder.state,
    lineEnds: lineEnds.state,
    unfinished: unfinished.state,
    hasEvents: false,
    oddLine: '',
  }
  // What it hears while it is brought to where another one was has been said by that one.
  let isSilent = true
  const parser = createParser({
    maxBufferSize: receiver.limit,
    onEvent: ({ data, event }) => {
      if (isSilent) return
      state.hasEvents = true
      receiveData(data, event, receiver)
    },
    onError: (error) => {
      if (isSilent) return
      if (error.type === 'max-buffer-size-exceeded') {
        parser.reset()
        unfinished.begin()
        receiver.tooLong()
      } else if (!receiveOddLine(error, receiver)) state.oddLine ||= error.line ?? ''
    },
  })
  parser.feed(state.unfinished.text.toString())
  isSilent = false
  const read = (chunk: string): void => {
    const text = lineEnds.unify(chunk)
    unfinished.add(text)
    parser.feed(text)
  }
  return {
    push: (chunk) => read(decoder.text(chunk)),
    end() {
      read(decoder.end())
      // The last event may lack its empty line, and even its newline.
      read('\n\n')
      const { hasEvents, oddLine } = state
      if (!hasEvents && oddLine !== '') receiver.problem(`This is no stream of events: ${excerpt(oddLine)}`)
    },
    save: () => state,
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
