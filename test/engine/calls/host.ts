import type { Diagnostic, SluiceEvent, Span } from '../../../src/base/event.ts'
import { resolveLimits } from '../../../src/base/limits.ts'
import type { AssemblerHost } from '../../../src/engine/calls/assembler.ts'
import type { CallSettings } from '../../../src/engine/calls/call.ts'
import { createToolTable } from '../../../src/engine/calls/tools.ts'

/** Whoever reads a provider's stream, reduced to what the assembler needs. */
export class Host implements AssemblerHost {
  readonly events: SluiceEvent[] = []
  readonly settings: CallSettings
  private ids = 0

  constructor(settings: Partial<CallSettings> = {}) {
    this.settings = {
      tools: createToolTable(undefined),
      limits: resolveLimits(undefined),
      json: true,
      arguments: false,
      source: false,
      raw: false,
      input: true,
      malformed: 'keep',
      ...settings,
    }
  }

  emit(event: SluiceEvent): void {
    this.events.push(event)
  }
  newId(): string {
    return `call-${++this.ids}`
  }
  report(code: Diagnostic['code'], message: string, span: Span | undefined, id?: string): void {
    this.events.push({
      type: 'diagnostic',
      code,
      message,
      ...(span && { span }),
      ...(id && { id }),
    })
  }
  beforeCall(): void {}
  emitText(text: string): void {
    this.events.push({ type: 'text-delta', id: 'text', delta: text })
  }
}
