/** One span per run, where OpenTelemetry's API is installed. Without an SDK, that API does nothing. */

import type * as Api from '@opentelemetry/api'
import { messageOf } from '../base/errors.ts'
import type { SluiceEvent } from '../base/event.ts'

export type Tracing = typeof Api

export interface RunSpan {
  add(event: SluiceEvent): void
  fail(error: unknown): void
  end(): void
}

const NONE: RunSpan = { add() {}, fail() {}, end() {} }

/** Attributes are names and figures; what is said stays out. */
export function spanOf(
  tracing: Tracing | undefined,
  about: { readonly protocol: string; readonly upstream: string; readonly model: string },
): RunSpan {
  if (tracing === undefined) return NONE
  const span = tracing.trace.getTracer('sluice').startSpan('sluice.run', {
    attributes: {
      'sluice.protocol': about.protocol,
      'sluice.upstream': about.upstream,
      'gen_ai.request.model': about.model,
    },
  })
  return {
    add(event) {
      if (event.type === 'tool-call') span.addEvent('call', { tool: event.toolName, status: event.status })
      if (event.type !== 'finish') return
      span.setAttributes({
        'sluice.finish': event.reason,
        ...(event.usage?.inputTokens !== undefined && {
          'gen_ai.usage.input_tokens': event.usage.inputTokens,
        }),
        ...(event.usage?.outputTokens !== undefined && {
          'gen_ai.usage.output_tokens': event.usage.outputTokens,
        }),
      })
    },
    fail(error) {
      span.setStatus({ code: tracing.SpanStatusCode.ERROR, message: messageOf(error) })
    },
    end() {
      span.end()
    },
  }
}
