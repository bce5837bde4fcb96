/** A middleware for JSON between tags of one's own. */

import { jsonMix } from '../../dialects/hermes.ts'
import type { ToolMiddlewareOptions } from './middleware.ts'
import { createToolMiddleware, type ToolMiddleware } from './versions.ts'

/** Options of `jsonMixMiddleware`. */
export interface JsonMixOptions extends Omit<ToolMiddlewareOptions, 'dialect'> {
  /** Default `<tool_call>`. */
  readonly toolCallStart?: string
  /** Default `</tool_call>`. */
  readonly toolCallEnd?: string
}

/** JSON between tags of one's own. */
export function jsonMixMiddleware(options: JsonMixOptions = {}): ToolMiddleware {
  const { toolCallStart: open, toolCallEnd: close, ...rest } = options
  return createToolMiddleware({
    ...rest,
    dialect: jsonMix({ ...(open !== undefined && { open }), ...(close !== undefined && { close }) }),
  })
}
