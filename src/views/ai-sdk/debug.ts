/**
 * Shows what goes in and what comes out, while one looks for a mistake.
 *
 * `DEBUG_PARSER_MW` or `SLUICE_DEBUG` is `off`, `stream` (each part, as it came and as it left) or `parse` (also,
 * at the end, the whole text with its calls highlighted). `DEBUG_PARSER_MW_STYLE` is `bg`, `inverse`,
 * `underline` or `bold`.
 */

import { FIXED_LIMITS } from '../../limits.ts'
import { Rope } from '../../rope.ts'
import type { PartLike, TextLikePart, ToolCallPart } from './parts.ts'
import { type SegmentOptions, toolCallSpans } from './segments.ts'

const STYLES: Readonly<Record<string, string>> = { bg: '30;43', inverse: '7', underline: '4', bold: '1' }

type Environment = Readonly<Record<string, string | undefined>>

function environment(): Environment {
  return (globalThis as { process?: { env?: Environment } }).process?.env ?? {}
}

/** What is to be shown of one response, or nothing. */
export function openDebug(options: Omit<SegmentOptions, 'text'>, log = logToConsole): Debug | undefined {
  const { DEBUG_PARSER_MW, SLUICE_DEBUG, DEBUG_PARSER_MW_STYLE } = environment()
  const level = DEBUG_PARSER_MW ?? SLUICE_DEBUG
  if (level !== 'stream' && level !== 'parse') return undefined
  return new Debug(options, level === 'parse', STYLES[DEBUG_PARSER_MW_STYLE ?? 'bg'] ?? STYLES.bg!, log)
}

const logToConsole = (line: string): void => console.log(line)

export class Debug {
  private readonly text = new Rope()
  private readonly calls: ToolCallPart[] = []
  private readonly options: Omit<SegmentOptions, 'text'>
  private readonly summarises: boolean
  private readonly style: string
  private readonly log: (line: string) => void

  constructor(
    options: Omit<SegmentOptions, 'text'>,
    summarises: boolean,
    style: string,
    log: (line: string) => void,
  ) {
    this.options = options
    this.summarises = summarises
    this.style = style
    this.log = log
  }

  heard(part: PartLike): void {
    this.log(`[sluice] in  ${shown(part)}`)
    const text = part.type === 'text' ? (part as { text?: string }).text : (part as TextLikePart).delta
    if (
      (part.type === 'text-delta' || part.type === 'text') &&
      text &&
      this.text.length < FIXED_LIMITS.debugText
    )
      this.text.add(text)
  }

  said(part: PartLike): void {
    this.log(`[sluice] out ${shown(part)}`)
    if (part.type === 'tool-call') this.calls.push(part as ToolCallPart)
  }

  end(): void {
    if (!this.summarises) return
    const text = this.text.toString()
    let shown = ''
    let from = 0
    for (const { start, end } of toolCallSpans({ ...this.options, text })) {
      shown += `${text.slice(from, start)}\x1b[${this.style}m${text.slice(start, end)}\x1b[0m`
      from = end
    }
    this.log(`[sluice] text ${shown}${text.slice(from)}`)
    for (const { toolName, input } of this.calls) this.log(`[sluice] call ${toolName} ${input}`)
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
