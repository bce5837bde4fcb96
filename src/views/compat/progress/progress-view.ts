/** Progress for every dialect and provider: makes the published progress events of the engine's own. */

import type { JsonValue, SluiceEvent } from '../../../base/event.ts'
import { isFields } from '../../../base/fields.ts'
import { checkOption } from '../../../base/options.ts'
import { withArguments } from '../../../engine/calls/with-arguments.ts'
import type { ToolCallArgumentProgress } from './progress-event.ts'

/** Reports arguments as they are completed. */
export interface ProgressView {
  add(event: SluiceEvent): void
}

/**
 * Reports each top-level argument when it is complete.
 *
 *     const view = createProgressView((progress) => show(progress))
 *     for await (const event of sluice(source, { dialect })) view.add(event)
 */
export function createProgressView(emit: (progress: ToolCallArgumentProgress) => void): ProgressView {
  return new ArgumentProgress(emit)
}

class ArgumentProgress implements ProgressView {
  private readonly emit: (progress: ToolCallArgumentProgress) => void
  /** The names of the open calls, without those whose arguments are no object. */
  private readonly open = new Map<string, string>()
  /** Those whose arguments were reported while they grew. */
  private readonly growing = new Set<string>()

  constructor(emit: (progress: ToolCallArgumentProgress) => void) {
    checkOption('emit', emit, 'function')
    this.emit = emit
  }

  readonly add = withArguments((event) => this.take(event))

  private take(event: SluiceEvent): void {
    switch (event.type) {
      case 'tool-input-start':
        this.open.set(event.id, event.toolName)
        break
      case 'argument-start':
        this.growing.add(event.id)
        // Only the elements of a list have numbers for keys.
        if (event.path.length === 1 && typeof event.path[0] === 'number') this.giveUp(event.id)
        break
      case 'argument-end':
        if (event.path.length === 1) this.parsed(event.id, event.path[0]!, event.value)
        break
      case 'tool-call':
        // Null means that it was not kept.
        if (event.input !== null && !isFields(event.input)) this.giveUp(event.id)
        else if (!this.growing.has(event.id) && event.error === undefined)
          for (const [key, value] of Object.entries(event.input ?? {})) this.parsed(event.id, key, value)
        this.open.delete(event.id)
        this.growing.delete(event.id)
        break
    }
  }

  private parsed(id: string, key: string | number, value: JsonValue): void {
    const toolName = this.open.get(id)
    if (toolName === undefined || typeof key === 'number') return
    this.emit({ type: 'ArgumentParsed', toolCallId: id, toolName, key, value })
  }

  private giveUp(id: string): void {
    if (this.open.delete(id)) this.emit({ type: 'NotAnObject', toolCallId: id })
  }
}
