/**
 * A call on the page, from its name to the verdict.
 *
 *     ▸ write_file  src/rate-limit.ts
 *       │ export class RateLimit {
 *       │ }
 *       ✓ complete · 2 lines, 28 characters
 */

import type { ToolPresentation } from '../calls/tools.ts'
import type { JsonValue, ToolCall } from '../event.ts'
import { Lines } from './lines.ts'
import type { Page, Style } from './page.ts'
import { sanitise } from './sanitise.ts'

/** Characters of an argument that fit behind the tool's name; a longer one, or one of several lines, gets its own. */
const INLINE_LENGTH = 60

const INDENT = '  '
const GUTTER = `${INDENT}│ `

export class CallBlock {
  private readonly page: Page
  private readonly presentation: ToolPresentation
  private argument: Argument | null = null
  private hasArguments = false
  /** Nothing stands below the line with the name yet. */
  private isHeader = true
  private size: Size | null = null

  constructor(page: Page, toolName: string, presentation: ToolPresentation = {}) {
    this.page = page
    this.presentation = presentation
    page.startBlock()
    page.print('▸ ', 'dim')
    page.print(inOneLine(toolName), 'bold')
  }

  start(key: string): void {
    this.hasArguments = true
    this.argument = { key, text: '', lines: null }
  }

  grow(key: string, delta: string): void {
    if (this.argument?.key !== key) this.start(key)
    const argument = this.argument!
    if (argument.lines === null) {
      argument.text += delta
      if (key !== this.presentation.streams && fitsInline(argument.text)) return
      argument.lines = this.openLines(key)
      delta = argument.text
    }
    argument.lines.add(delta)
    this.size?.add(delta)
  }

  complete(key: string, value: JsonValue): void {
    if (this.argument?.key !== key) this.start(key)
    const { lines } = this.argument!
    this.argument = null
    if (lines !== null) lines.end()
    else this.printWhole(key, value)
  }

  verdict(call: ToolCall): void {
    if (!this.hasArguments) this.printInput(call.input)
    this.leaveArgument()
    this.page.startLine()
    const { mark, style } = MARKS[isGuessed(call) ? 'guessed' : call.status]
    this.page.print(`${INDENT}${mark} ${call.status}`, style)
    const codes = [...new Set(call.repairs.map(({ code }) => code))].join(', ')
    const details = [this.size?.inWords() ?? '', codes, call.error?.message ?? ''].filter(
      (detail) => detail !== '',
    )
    this.page.print(details.map((detail) => ` · ${inOneLine(detail)}`).join(''), 'dim')
  }

  /** The stream ended without a verdict. */
  leave(): void {
    this.leaveArgument()
  }

  /** An argument that was still growing when the call ended. */
  private leaveArgument(): void {
    if (this.argument === null) return
    const { key, text, lines } = this.argument
    this.argument = null
    if (lines !== null) lines.end()
    else if (text !== '') this.printInline(key, `${text}…`)
  }

  /** Without argument events: all arguments at the end. */
  private printInput(input: JsonValue): void {
    if (typeof input !== 'object' || input === null || Array.isArray(input)) return
    for (const [key, value] of Object.entries(input)) {
      if (typeof value === 'string' && value !== '') this.grow(key, value)
      this.complete(key, value)
    }
  }

  private printWhole(key: string, value: JsonValue): void {
    const text = typeof value === 'string' && value !== '' ? value : JSON.stringify(value)
    if (fitsInline(text)) this.printInline(key, text)
    else {
      const lines = this.openLines(key)
      lines.add(typeof value === 'string' ? value : JSON.stringify(value, null, 2))
      lines.end()
    }
  }

  private printInline(key: string, text: string): void {
    const needsNoKey = this.isHeader && this.presentation.headlines?.includes(key)
    if (!this.isHeader) this.page.startLine()
    this.page.print(INDENT)
    if (!needsNoKey) this.page.print(`${inOneLine(key)}: `, 'dim')
    this.page.print(inOneLine(text))
  }

  private openLines(key: string): Lines {
    this.isHeader = false
    const streams = key === this.presentation.streams
    if (streams) this.size = new Size()
    const open = (): void => {
      this.page.startLine()
      if (streams) return
      this.page.print(`${INDENT}${inOneLine(key)}:`, 'dim')
      this.page.newline()
    }
    // What a call will do must be seen as it is: nothing in it is dropped.
    return new Lines(this.page, { gutter: GUTTER, style: 'plain', sanitise: 'visualise', trims: false, open })
  }
}

interface Argument {
  readonly key: string
  /** What it says so far, as long as it may still fit behind the name. */
  text: string
  lines: Lines | null
}

const MARKS: Record<ToolCall['status'] | 'guessed', { readonly mark: string; readonly style: Style }> = {
  complete: { mark: '✓', style: 'green' },
  repaired: { mark: '✓', style: 'yellow' },
  guessed: { mark: '!', style: 'yellow' },
  truncated: { mark: '✗', style: 'red' },
  invalid: { mark: '✗', style: 'red' },
}

/** Repaired, but maybe not to what was meant. */
function isGuessed({ status, repairs }: ToolCall): boolean {
  return status === 'repaired' && repairs.some((repair) => repair.class !== 'lossless')
}

function fitsInline(text: string): boolean {
  return text.length <= INLINE_LENGTH && !text.includes('\n')
}

/** What comes from outside, for one line of the page. */
export function inOneLine(text: string): string {
  return sanitise(text, 'visualise').replaceAll('\n', '␊')
}

/** How much of the streamed argument there is. */
class Size {
  private newlines = 0
  private characters = 0
  private endsLine = true

  add(text: string): void {
    for (const character of text) {
      this.characters++
      this.endsLine = character === '\n'
      if (this.endsLine) this.newlines++
    }
  }

  inWords(): string {
    const lines = this.newlines + (this.endsLine ? 0 : 1)
    return `${lines} ${lines === 1 ? 'line' : 'lines'}, ${this.characters} ${this.characters === 1 ? 'character' : 'characters'}`
  }
}
