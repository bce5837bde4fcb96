/**
 * The order of arguments decides when a call can be shown: a path that is written after the file's content is known
 * only when everything is. Models mostly follow the order of the schema, so that is where it can be put right.
 */

import type { SluiceEvent } from '../../../base/event.ts'
import { checkOption } from '../../../base/options.ts'
import { pointer } from '../../../base/path.ts'
import {
  createToolTable,
  type ToolDefinitions,
  type ToolPresentation,
  type ToolTable,
} from '../../../engine/calls/tools.ts'
import { withArguments } from '../../../engine/calls/with-arguments.ts'
import type { JsonSchemaObject } from '../../../values/schema/json-schema.ts'

/**
 * The same schema, in which the headline arguments of a call come first, and the one that is streamed comes
 * last.
 *
 *     orderArguments(schema, { headlines: ['path'], streams: 'content' })
 */
export function orderArguments<Schema extends JsonSchemaObject>(
  schema: Schema,
  { headlines = [], streams }: Pick<ToolPresentation, 'headlines' | 'streams'>,
): Schema {
  const { properties } = schema
  if (properties === undefined) return schema
  const rank = (key: string): number => {
    if (headlines.includes(key)) return headlines.indexOf(key)
    return key === streams ? headlines.length + 1 : headlines.length
  }
  const ordered = Object.entries(properties).sort(([one], [other]) => rank(one) - rank(other))
  return { ...schema, properties: Object.fromEntries(ordered) }
}

/** A headline argument came late. */
export interface OrderReport {
  readonly toolCallId: string
  readonly toolName: string
  /** It, as a JSON pointer. */
  readonly argument: string
  /** The longest of the arguments that came before it. */
  readonly behind: string
  /** How many characters of text came before it. */
  readonly characters: number
}

/** Reports arguments that arrive late. */
export interface OrderView {
  add(event: SluiceEvent): void
}

/** So much text may come first before anyone is made to wait. */
const SHORT = 256

/**
 * Reports which `headlines` of a tool came behind a long argument.
 *
 *     const view = createOrderView(tools, ({ argument, behind }) => console.warn(`${argument} waits for ${behind}`))
 */
export function createOrderView(tools: ToolDefinitions, report: (report: OrderReport) => void): OrderView {
  return new ArgumentOrder(createToolTable(tools), report)
}

interface Arrivals {
  readonly toolName: string
  readonly headlines: readonly string[]
  /** Characters of all arguments, and of the one that is coming. */
  all: number
  current: number
  longest: { readonly pointer: string; readonly characters: number }
}

class ArgumentOrder implements OrderView {
  private readonly tools: ToolTable
  private readonly report: (report: OrderReport) => void
  private readonly open = new Map<string, Arrivals>()

  constructor(tools: ToolTable, report: (report: OrderReport) => void) {
    this.tools = tools
    checkOption('report', report, 'function')
    this.report = report
  }

  readonly add = withArguments((event) => this.take(event))

  private take(event: SluiceEvent): void {
    switch (event.type) {
      case 'tool-input-start': {
        const { headlines = [] } = this.tools.get(event.toolName) ?? {}
        const longest = { pointer: '', characters: 0 }
        if (headlines.length > 0)
          this.open.set(event.id, { toolName: event.toolName, headlines, all: 0, current: 0, longest })
        break
      }
      case 'argument-delta': {
        const call = this.open.get(event.id)
        if (call !== undefined) call.current += event.delta.length
        break
      }
      case 'argument-start':
        if (event.path.length === 1) this.begin(event.id, event.path[0]!)
        break
      case 'argument-end': {
        const call = event.path.length === 1 ? this.open.get(event.id) : undefined
        if (call === undefined) break
        if (call.current > call.longest.characters)
          call.longest = { pointer: pointer(event.path), characters: call.current }
        call.all += call.current
        break
      }
      case 'tool-call':
        this.open.delete(event.id)
        break
    }
  }

  private begin(id: string, key: string | number): void {
    const call = this.open.get(id)
    if (call === undefined) return
    call.current = 0
    if (call.all <= SHORT || !call.headlines.includes(String(key))) return
    const { toolName, longest, all } = call
    this.report({
      toolCallId: id,
      toolName,
      argument: pointer([key]),
      behind: longest.pointer,
      characters: all,
    })
  }
}
