/** Tools that a turn runs: definitions in any form, with a function. */

import type { ToolCall } from '../base/event.ts'
import { isFields } from '../base/fields.ts'
import { nearest } from '../base/nearest.ts'
import { wrongOption } from '../base/options.ts'
import { checkSchemas } from '../engine/calls/check-schemas.ts'
import type { OutputOf } from '../engine/calls/tool-types.ts'
import {
  createToolTable,
  type ToolDefinition,
  type ToolDefinitions,
  type UnnamedTool,
} from '../engine/calls/tools.ts'
import type { ToolChoice } from '../requests/conversation/model-request.ts'

/** The second argument of `execute`. */
export interface ExecuteContext {
  readonly id: string
  readonly toolName: string
  /** Aborts when the turn is aborted, or when the call times out. */
  readonly signal: AbortSignal
  /** How many rounds of tools there were before this one. */
  readonly depth: number
  /** The call as the model wrote it. */
  readonly call: ToolCall
  /** Emits a `call-progress` event. */
  progress(value: unknown): void
}

/** Runs a call and returns its result: text, parts, or any value that JSON can represent. */
export type Execute<Input = unknown> = (input: Input, context: ExecuteContext) => unknown

interface Executable {
  // A method is bivariant, so a function with a specific input type is accepted: `prepareCall` has validated it.
  execute?(input: never, context: ExecuteContext): unknown
}

/** Tools in any form that `createParser` takes. Those without `execute` are answered by `onToolCalls`. */
export type TurnTools =
  | readonly (ToolDefinition & Executable)[]
  | { readonly [name: string]: UnnamedTool & Executable }

/**
 * Infers the type of `execute`'s input from the schema. Throws for a schema with a pattern that cannot be run.
 *
 *     const add = tool({ inputSchema: z.object({ a: z.number(), b: z.number() }), execute: ({ a, b }) => String(a + b) })
 */
export function tool<const Definition extends UnnamedTool>(
  definition: Definition & { execute?(input: OutputOf<Definition>, context: ExecuteContext): unknown },
): Definition & Executable {
  // A function that gives the schema is called when it is wanted, and not before.
  if (typeof definition.inputSchema !== 'function') checkSchemas(createToolTable({ tool: definition }))
  return definition as Definition & Executable
}

/** The functions of the tools by name. */
export function executablesOf(tools: TurnTools | undefined): ReadonlyMap<string, Execute> {
  const found = new Map<string, Execute>()
  // Throws for what is no tool.
  checkSchemas(createToolTable(tools as ToolDefinitions | undefined))
  const entries: readonly (readonly [unknown, { readonly execute?: unknown }])[] = Array.isArray(tools)
    ? tools.map((definition) => [nameOf(definition), definition] as const)
    : Object.entries(tools ?? {})
  for (const [name, definition] of entries) {
    if (typeof name !== 'string') continue
    if (definition.execute === undefined) {
      const [misspelt] = Object.entries(definition).find(isMisspeltExecute) ?? []
      if (misspelt !== undefined)
        throw wrongOption(`The tool '${name}' has no option '${misspelt}'; did you mean 'execute'?`)
      continue
    }
    if (typeof definition.execute !== 'function')
      throw wrongOption(`'execute' of the tool '${name}' is a function that runs it.`)
    const execute = definition.execute as Execute
    found.set(name, (input, context) => execute.call(definition, input, context))
  }
  return found
}

/** Without its function, a tool would be left to `onToolCalls`, or its calls to nobody. */
function isMisspeltExecute([field, value]: readonly [string, unknown]): boolean {
  return typeof value === 'function' && nearest(field, ['execute']) !== undefined
}

/**
 * The tools that a request lets the model call. A call of another one is refused, whatever the provider let the model
 * write. `offered`: the tools of the request, where a hook has changed them.
 */
export function allowedTools(
  tools: ToolDefinitions,
  choice: ToolChoice | undefined,
  offered: ToolDefinitions | undefined,
): ToolDefinitions {
  if (choice === 'none') return []
  const chosen =
    typeof choice !== 'object' ? undefined : 'toolNames' in choice ? choice.toolNames : [choice.toolName]
  const names = offered && createToolTable(offered).names
  if (chosen === undefined && names === undefined) return tools
  const isAllowed = (name: unknown): boolean =>
    [chosen, names].every((list) => list?.includes(name as string) ?? true)
  return Array.isArray(tools)
    ? tools.filter((definition: unknown) => isAllowed(nameOf(definition)))
    : Object.fromEntries(Object.entries(tools).filter(([name]) => isAllowed(name)))
}

function nameOf(definition: unknown): unknown {
  if (!isFields(definition)) return undefined
  const inner = [definition.function, definition.custom].find(isFields)
  return (inner ?? definition).name
}
