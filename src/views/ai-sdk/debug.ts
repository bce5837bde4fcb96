/**
 * Shows what goes in and what comes out, while one looks for a mistake.
 *
 * `DEBUG_PARSER_MW` or `SLUICE_DEBUG` is `off`, `stream` (each part, as it came and as it left) or `parse` (also,
 * at the end, the whole text with its calls highlighted). `DEBUG_PARSER_MW_STYLE` is `bg`, `inverse`,
 * `underline` or `bold`.
 */

import { FIXED_LIMITS } from '../../base/limits.ts'
import { Rope } from '../../base/rope.ts'
import type { ParserOptions } from '../../engine/parser.ts'
import type { PartLike, TextLikePart, ToolCallPart } from './parts.ts'
import { toolCallSpans } from './segments.ts'

const STYLES: Readonly<Record<string, string>> = { bg: '30;43', inverse: '7', underline: '4', bold: '1' }

type Environment = Readonly<Record<string, string | undefined>>

function environment(): Environment {
  return (globalThis as { process?: { env?: Environment } }).process?.env ?? {}
}

/** Receives every part of one response, as it came in and as it goes out, and its end. */
export interface Debug {
  received(part: PartLike): void
  emitted(part: PartLike): void
  end(): void
}

/** Shows what is to be shown of one response, if anything is. */
export function openDebug(
  options: ParserOptions,
  log = (line: string): void => console.log(line),
): Debug | undefined {
  const { DEBUG_PARSER_MW, SLUICE_DEBUG, DEBUG_PARSER_MW_STYLE = 'bg' } = environment()
  const level = DEBUG_PARSER_MW ?? SLUICE_DEBUG
  if (level !== 'stream' && level !== 'parse') return undefined
  const style = STYLES[DEBUG_PARSER_MW_STYLE] ?? STYLES.bg
  const whole = new Rope()
  const calls: ToolCallPart[] = []
  return {
    received(part) {
      log(`[sluice] in  ${shown(part)}`)
      const { delta, text = delta } = part as TextLikePart & { readonly text?: string }
      const isText = part.type === 'text-delta' || part.type === 'text'
      if (isText && text && whole.length < FIXED_LIMITS.debugText) whole.add(text)
    },
    emitted(part) {
      log(`[sluice] out ${shown(part)}`)
      if (part.type === 'tool-call') calls.push(part as ToolCallPart)
    },
    end() {
      if (level !== 'parse') return
      const text = whole.toString()
      let highlighted = ''
      let from = 0
      for (const { start, end } of toolCallSpans(text, options)) {
        highlighted += `${text.slice(from, start)}\x1b[${style}m${text.slice(start, end)}\x1b[0m`
        from = end
      }
      log(`[sluice] text ${highlighted}${text.slice(from)}`)
      for (const { toolName, input } of calls) log(`[sluice] call ${toolName} ${input}`)
    },
  }
}

/** A provider may pass on anything, and nothing of it may stop the response. */
function shown(part: PartLike): string {
  try {
    return JSON.stringify(part, (_, value: unknown) => (value instanceof Error ? String(value) : value))
  } catch {
    return `{"type":${JSON.stringify(part.type)}}`
  }
}
