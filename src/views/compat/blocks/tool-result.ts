/** What a tool gave, as text: the one form in which blocks and prompts know it. */

import { SluiceError } from '../../../base/errors.ts'
import type { ToolResult } from './types.ts'

export function textOfResult({ toolUseId, content }: ToolResult): string {
  if (typeof content === 'string') return content
  try {
    return JSON.stringify(content) ?? ''
  } catch (error) {
    throw new SluiceError(
      'invalid-option',
      `The result of the call '${toolUseId}' cannot be written as JSON; give text, or a value that can.`,
      { cause: error },
    )
  }
}
