/** A response in one output that is only ever appended to: a pipe, a log, or a terminal without colours. */

import type { SluiceEvent } from '../../base/event.ts'
import { checkOption, checkOptions, type KnownOptions } from '../../base/options.ts'
import type { Message } from '../../engine/message.ts'
import type { TurnEvent } from '../../turn/turn-event.ts'
import { Page, type PageOptions } from './page.ts'
import { Paper, Printer } from './printer.ts'

/** Options of `createTerminalView`. */
export interface TerminalViewOptions extends PageOptions {
  /** Colours; without them the view writes no control characters but newlines. */
  readonly colour: boolean
  readonly write: (text: string) => void
}

export const PAGE_OPTIONS: KnownOptions<PageOptions> = {
  tools: 'any',
  display: 'any',
  foldReasoning: 'boolean',
}

const OPTIONS: KnownOptions<TerminalViewOptions> = { ...PAGE_OPTIONS, colour: 'boolean', write: 'function' }

/** Draws the events of a response. */
export interface TerminalView {
  add(event: TurnEvent): void
  /** Nothing more will come; the line that was being written is ended. */
  end(): void
}

/**
 * Shows events to a person, line by line. Arguments are shown while they grow if the parser emits them.
 *
 *     const view = createTerminalView({ colour: true, write: (text) => process.stdout.write(text) })
 *     for await (const event of sluice(source, { dialect, emit: { arguments: true } })) view.add(event)
 *     view.end()
 */
export function createTerminalView(options: TerminalViewOptions): TerminalView {
  checkOptions(options, OPTIONS)
  checkOption('write', options.write, 'function')
  const { colour, write, ...pageOptions } = options
  const page = new Page(pageOptions, false)
  let written = ''
  const output = {
    paper: new Paper(),
    colour,
    write: (text: string): void => {
      written += text
    },
  }
  const printer = new Printer({ text: output, rest: output })
  /** Hands over what was written since the last time, in one piece. */
  const flush = (): void => {
    printer.print(page.blocks, null)
    if (written === '') return
    const text = written
    written = ''
    write(text)
  }
  return {
    add(event) {
      page.add(event, 0)
      flush()
    },
    end() {
      page.end()
      flush()
    },
  }
}

/**
 * The page of a whole message. A view that was given its events shows the same at the end, however they came.
 *
 *     process.stdout.write(pageOf(parse(text, { dialect: hermes }), { colour: false }))
 */
export function pageOf(message: Message, options: Omit<TerminalViewOptions, 'write'>): string {
  let page = ''
  const view = createTerminalView({
    ...options,
    write: (text) => {
      page += text
    },
  })
  for (const event of eventsOf(message)) view.add(event)
  view.end()
  return page
}

/** The shortest events that add up to a message. */
function* eventsOf({ parts, diagnostics, error, finish, state }: Message): Generator<SluiceEvent> {
  for (const [index, part] of parts.entries()) {
    const id = 'id' in part && part.id !== undefined ? part.id : `part-${index}`
    if (part.type === 'text' || part.type === 'reasoning') {
      yield { type: `${part.type}-start`, id }
      yield { type: `${part.type}-delta`, id, delta: part.text }
      yield { type: `${part.type}-end`, id }
    } else if (part.type === 'call') {
      const { type: _type, state: _state, tentative: _tentative, ...call } = part
      yield { type: 'tool-input-start', id, toolName: part.toolName }
      if (part.status !== undefined)
        yield { repairs: [], ...call, type: 'tool-call', id, status: part.status }
    } else if (part.type === 'result') {
      const { toolName, content, isError } = part
      yield { type: 'tool-result-start', id, ...(toolName !== undefined && { toolName }) }
      yield { type: 'tool-result-delta', id, delta: content }
      yield { type: 'tool-result-end', id, ...(isError !== undefined && { isError }) }
    } else yield part
  }
  yield* diagnostics
  if (error !== undefined) yield { type: 'error', error }
  if (state === undefined) yield finish
}
