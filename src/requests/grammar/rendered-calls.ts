/**
 * Calls as a dialect writes them. The grammar is made by looking at what the renderer writes, so that what it allows is
 * what the dialect says, whatever the dialect is made of.
 */

import { SluiceError } from '../../base/errors.ts'
import type { JsonValue } from '../../base/event.ts'
import type { ToolDefinitions } from '../../engine/calls/tools.ts'
import { isExecutable } from '../../engine/calls/verdict.ts'
import { parse } from '../../engine/message.ts'
import { render, renderCalls } from '../../engine/render.ts'
import type { Dialect } from '../../engine/wire/dialect.ts'
import { isSameJson } from '../../values/schema/json-values.ts'
import { choice, type GrammarRule, literal, sequence } from './grammar-rule.ts'

/** In written text: a number that counts the calls of a message, and an id that the format cannot do without. */
const POSITION = '\u0000'
const ID = '\u0001'
const ID_NEEDLE = 'callIdNeedle'

export class WrittenCalls {
  private readonly dialect: Dialect
  private readonly tools: ToolDefinitions
  private readonly id: string
  /** For each tool: where its call counts the calls before it. */
  private readonly positions = new Map<string, readonly number[]>()

  constructor(dialect: Dialect, tools: ToolDefinitions, anyTool: string) {
    this.dialect = dialect
    this.tools = tools
    this.id = this.needsId(anyTool) ? ID_NEEDLE : ''
  }

  /** One call. */
  one(toolName: string, input: JsonValue): string {
    return this.marked(this.rendered([toolName], input), this.positionsOf(toolName), [])
  }

  /** Two calls without arguments. */
  two(first: string, second: string): string {
    const { length } = this.rendered([second], {})
    const fromEnd = this.positionsOf(second).map((at) => length - at)
    return this.marked(this.rendered([first, second], {}), this.positionsOf(first), fromEnd)
  }

  /** Whether a call comes back from what is written for it. */
  reads(toolName: string, input: JsonValue): boolean {
    return this.comesBack([{ type: 'call', id: this.id, toolName, input }])
  }

  /** Whether a written call is read as one with this input, whatever the schema wants. */
  isReadAs(message: string, toolName: string, input: JsonValue): boolean {
    const text = message.replaceAll(POSITION, '0').replaceAll(ID, ID_NEEDLE)
    const { toolCalls } = parse(text, { dialect: this.dialect, tools: [{ name: toolName }] })
    const [call] = toolCalls
    return (
      toolCalls.length === 1 &&
      call!.toolName === toolName &&
      isExecutable(call!) &&
      isSameJson(call!.input, input)
    )
  }

  /** Whether two calls do that have text directly behind them. */
  readsTextBehind(toolName: string, text: string): boolean {
    const call = { type: 'call', id: this.id, toolName, input: {} } as const
    const said = { type: 'text', text } as const
    return this.comesBack([call, said, call, said])
  }

  /** Whether reasoning does. */
  readsReasoning(text: string): boolean {
    return this.comesBack([{ type: 'reasoning', text }])
  }

  private comesBack(parts: Parameters<typeof render>[0]): boolean {
    try {
      render(parts, { dialect: this.dialect, tools: this.tools })
      return true
    } catch (error) {
      if (error instanceof SluiceError) return false
      throw error
    }
  }

  private rendered(toolNames: readonly string[], input: JsonValue): string {
    return renderCalls(
      toolNames.map((toolName) => ({ id: this.id, toolName, input })),
      { dialect: this.dialect, tools: this.tools },
    )
  }

  private needsId(toolName: string): boolean {
    try {
      renderCalls([{ id: '', toolName, input: {} }], { dialect: this.dialect, tools: this.tools })
      return false
    } catch (error) {
      if (error instanceof SluiceError && error.message.includes('the id of a call is missing')) return true
      throw error
    }
  }

  /** Where two calls of the same tool differ by the number of calls before them. */
  private positionsOf(toolName: string): readonly number[] {
    const known = this.positions.get(toolName)
    if (known !== undefined) return known
    const one = this.rendered([toolName], {})
    const two = this.rendered([toolName, toolName], {})
    const shift = two.length - one.length
    const found: number[] = []
    for (let at = 0; at < one.length; at++)
      if (/\d/.test(one[at]!) && Number(two[at + shift]) === Number(one[at]) + 1) found.push(at)
    this.positions.set(toolName, found)
    return found
  }

  private marked(text: string, fromStart: readonly number[], fromEnd: readonly number[]): string {
    const characters = text.split('')
    for (const at of [...fromStart, ...fromEnd.map((distance) => text.length - distance)])
      if (/\d/.test(characters[at] ?? '')) characters[at] = POSITION
    return characters.join('').replaceAll(ID_NEEDLE, ID)
  }
}

/** A piece of written text as a rule. */
export function writtenRule(text: string): GrammarRule {
  return sequence(
    ...text.split(MARKS).map((piece): GrammarRule => {
      if (piece === POSITION) return { kind: 'characters', set: '0-9', least: 1, most: 3 }
      if (piece === ID) return { kind: 'characters', set: 'A-Za-z0-9_-', least: 1, most: 40 }
      return literal(piece)
    }),
  )
}

const MARKS = new RegExp(`([${POSITION}${ID}])`)

/** The same in every literal of a rule. */
export function withMarks(rule: GrammarRule): GrammarRule {
  switch (rule.kind) {
    case 'literal':
      return writtenRule(rule.text)
    case 'sequence':
      return sequence(...rule.parts.map(withMarks))
    case 'choice':
      return choice(...rule.choices.map(withMarks))
    default:
      return rule
  }
}
