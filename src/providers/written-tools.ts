/**
 * The calls and results that a writer is writing. Every format takes their events apart in the same way, and differs only
 * in what it makes of a piece of input, of a verdict and of a result.
 */

import type { SluiceEvent, ToolCall } from '../base/event.ts'
import type { Payload } from './wire-format.ts'
import {
  type JudgedCall,
  type Precedence,
  type WrittenCall,
  WrittenCalls,
  type WrittenCallsOptions,
} from './written-calls.ts'
import { type WrittenResult, WrittenResults } from './written-results.ts'

type ToolEvent = SluiceEvent & {
  readonly type: `tool-input-${'start' | 'delta' | 'end'}` | 'tool-call' | `tool-result-${string}`
}

/** The source text of a call is for views, and written nowhere. */
export const isOfTool = (event: SluiceEvent): event is ToolEvent =>
  event.type.startsWith('tool-') && event.type !== 'tool-source-delta'

/** What a format makes of them. */
export interface ToolFormat {
  /** A call begins: what is written at once. Undefined: nothing of it is ever written. */
  begin?(call: WrittenCall): readonly Payload[] | undefined
  /** The next piece of the input that may be written. It is never empty. */
  input(call: WrittenCall, json: string): readonly Payload[]
  /** The verdict. `judged.rest` is the end of the input, if the client may have it. */
  judge(judged: JudgedCall, event: ToolCall): readonly Payload[]
  /** A whole result. Without it, the format has no place for results. */
  result?(result: WrittenResult): readonly Payload[]
}

export class WrittenTools {
  private readonly calls: WrittenCalls
  private readonly results = new WrittenResults()
  private readonly format: ToolFormat
  /** Verdicts on calls that wait for an earlier one. */
  private readonly late = new Map<string, ToolCall>()

  constructor(options: WrittenCallsOptions, format: ToolFormat) {
    this.calls = new WrittenCalls(options)
    this.format = format
  }

  write(event: ToolEvent): readonly Payload[] {
    const { calls, format } = this
    switch (event.type) {
      case 'tool-input-start': {
        // It is bad from its start, and a reader would take its input for that of another.
        if (event.toolName === '') return []
        const call = calls.begin(event)
        const payloads = format.begin === undefined ? [] : format.begin(call)
        if (payloads === undefined) calls.forget(call)
        return payloads ?? []
      }
      case 'tool-input-delta': {
        if (calls.hasPlace(event.id)) return this.grow(event, false)
        const { announced, isBlocked } = calls.precede(event.id)
        return [...this.announce(announced), ...this.grow(event, isBlocked)]
      }
      case 'tool-call':
        return this.judge(event)
      case 'tool-input-end':
        return []
      default: {
        const result = this.results.add(event)
        return result === undefined ? [] : (format.result?.(result) ?? [])
      }
    }
  }
  private grow(event: SluiceEvent & { type: 'tool-input-delta' }, isBlocked: boolean): readonly Payload[] {
    const grown = this.calls.grow(event, isBlocked)
    return grown === undefined || grown.text === '' ? [] : this.format.input(grown.call, grown.text)
  }

  private announce(calls: readonly WrittenCall[]): readonly Payload[] {
    return calls.flatMap((call) => this.format.input(call, '{'))
  }

  private judge(event: ToolCall): readonly Payload[] {
    const { calls } = this
    const { announced, isBlocked } = calls.hasPlace(event.id) ? IN_ORDER : calls.precede(event.id)
    const before = this.announce(announced)
    if (isBlocked) {
      this.late.set(event.id, event)
      return before
    }
    const payloads = [...before, ...this.judgeNow(event)]
    for (let next = this.nextLate(); next !== undefined; next = this.nextLate())
      payloads.push(...this.judgeNow(next))
    return payloads
  }

  private judgeNow(event: ToolCall): readonly Payload[] {
    const judged = this.calls.end(event)
    return judged === undefined ? [] : this.format.judge(judged, event)
  }

  /** The verdict that has waited, if its call is the next one. */
  private nextLate(): ToolCall | undefined {
    const id = this.late.size === 0 ? undefined : this.calls.firstUnwritten
    const event = id === undefined ? undefined : this.late.get(id)
    if (event !== undefined) this.late.delete(event.id)
    return event
  }
}

const IN_ORDER: Precedence = { announced: [], isBlocked: false }
