/** Reports where a call was cut off: in which argument, and after how much of it. */

import type { ArgumentPath, SluiceEvent, ToolCall } from '../../../base/event.ts'
import { checkOption } from '../../../base/options.ts'
import { pointer } from '../../../base/path.ts'
import { withArguments } from '../../../engine/calls/with-arguments.ts'

/** Where a call was cut off. */
export interface TruncationReport {
  readonly toolCallId: string
  readonly toolName: string
  /** The value that was being written, as a JSON pointer. Absent where none had begun. */
  readonly path?: string
  /** How many characters of it had come. Absent where it is no string, or where its dialect shows it only whole. */
  readonly characters?: number
  /** The last top-level argument that came whole, as a JSON pointer. */
  readonly lastComplete?: string
  /** What came of the arguments, as it came. Absent where the report is made of events, whose verdict has it. */
  readonly raw?: string
  /** All of it in one sentence. */
  readonly message: string
}

/** Reports calls that were cut off. */
export interface TruncationView {
  add(event: SluiceEvent): void
}

/**
 * Reports each call that was cut off.
 *
 *     const view = createTruncationView(({ message }) => console.error(message))
 *     // The call of write_file was cut off in /content, after 1204 characters. /path was complete.
 */
export function createTruncationView(report: (report: TruncationReport) => void): TruncationView {
  return new Truncations(report)
}

interface OpenArguments {
  /** The innermost value that has begun and is not complete. */
  path: ArgumentPath | null
  isString: boolean
  characters: number
  lastComplete: ArgumentPath | null
}

class Truncations implements TruncationView {
  private readonly report: (report: TruncationReport) => void
  private readonly open = new Map<string, OpenArguments>()
  /** The one that the last event was about: deltas of one call come in a row. */
  private id: string | null = null
  private current: OpenArguments | undefined

  constructor(report: (report: TruncationReport) => void) {
    checkOption('report', report, 'function')
    this.report = report
  }

  readonly add = withArguments((event) => this.take(event))

  private take(event: SluiceEvent): void {
    switch (event.type) {
      case 'argument-delta':
        this.of(event.id).characters += event.delta.length
        break
      case 'argument-start': {
        const call = this.of(event.id)
        call.path = event.path
        call.isString = event.kind === 'string'
        call.characters = 0
        break
      }
      case 'argument-end': {
        const call = this.of(event.id)
        call.path = event.path.slice(0, -1)
        call.isString = false
        if (event.path.length === 1) call.lastComplete = event.path
        break
      }
      case 'tool-call': {
        const call = this.of(event.id)
        this.open.delete(event.id)
        this.id = null
        if (event.status === 'truncated') this.report(reportOf(event, call))
        break
      }
    }
  }

  private of(id: string): OpenArguments {
    if (id === this.id) return this.current!
    const none = { path: null, isString: false, characters: 0, lastComplete: null }
    const call: OpenArguments = this.open.get(id) ?? none
    this.open.set(id, call)
    this.id = id
    this.current = call
    return call
  }
}

function reportOf({ id, toolName, error }: ToolCall, call: OpenArguments): TruncationReport {
  // An argument that its dialect shows only whole is known to the verdict alone.
  const path = call.path !== null && call.path.length > 0 ? pointer(call.path) : error?.path
  return truncationReport({
    toolCallId: id,
    toolName,
    ...(path !== undefined && { path }),
    ...(call.isString && { characters: call.characters }),
    ...(call.lastComplete !== null && { lastComplete: pointer(call.lastComplete) }),
  })
}

export function truncationReport(facts: Omit<TruncationReport, 'message'>): TruncationReport {
  const { toolName, path, characters, lastComplete } = facts
  const where = path === undefined ? '' : ` in ${path}`
  const howFar =
    characters === undefined ? '' : `, after ${characters} ${characters === 1 ? 'character' : 'characters'}`
  const before = lastComplete === undefined ? '' : ` ${lastComplete} was complete.`
  const name = toolName === '' ? 'a tool without a name' : toolName
  return { ...facts, message: `The call of ${name} was cut off${where}${howFar}.${before}` }
}
