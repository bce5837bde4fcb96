/** Calls while they grow: hands out each one when it begins, and passes its events to its listeners. */

import { checkEvent } from '../../../base/errors.ts'
import type {
  ArgumentDelta,
  ArgumentEnd,
  ArgumentStart,
  JsonValue,
  SluiceEvent,
  ToolCall,
} from '../../../base/event.ts'
import { checkOption, checkOptions, type KnownOptions } from '../../../base/options.ts'
import { Path } from '../../../base/path.ts'
import { ArgumentEvents } from '../../../engine/calls/argument-events.ts'
import type { InputOf, NameOf } from '../../../engine/calls/tool-types.ts'
import { createToolTable, type ToolDefinitions, type ToolTable } from '../../../engine/calls/tools.ts'
import { walkValue } from '../../../engine/calls/values.ts'
import { withArguments } from '../../../engine/calls/with-arguments.ts'

export type ArgumentEvent = ArgumentStart | ArgumentDelta | ArgumentEnd

/** A call of which only the name is certain yet. `watch` reports its arguments. */
export interface GrowingCall<Name extends string = string, Input = JsonValue> {
  readonly id: string
  readonly toolName: Name
  /** The verdict, when there is one. */
  readonly verdict: ToolCall | undefined
  /** Only for the compiler: the type that the tool's schema gives the input. It is not validated. */
  readonly '~input'?: Input
}

/** A growing call of one of these tools. */
export type GrowingCallOf<Tools> = Tools extends readonly unknown[]
  ? { [Index in keyof Tools]: GrowingCall<NameOf<Tools[Index]>, InputOf<Tools[Index]>> }[number]
  : Tools extends object
    ? { [Name in keyof Tools & string]: GrowingCall<Name, InputOf<Tools[Name]>> }[keyof Tools & string]
    : GrowingCall

/** Options of `followCalls` and `createCallFollower`. */
export interface FollowOptions<Tools> {
  /** With tools, only their calls are handed out, and their types are known. */
  readonly tools?: Tools
}

const OPTIONS: KnownOptions<FollowOptions<unknown>> = { tools: 'any' }

/** Hands out each call when it begins. */
export interface CallFollower {
  add(event: SluiceEvent): void
}

/**
 * Hands out each call when it begins.
 *
 *     const follower = createCallFollower({ tools }, (call) => {
 *       if (call.toolName === 'write_file') watch(call, { '/path': (path) => console.log(path) })
 *     })
 *     for (const event of parser.push(chunk)) follower.add(event)
 */
export function createCallFollower<const Tools extends ToolDefinitions | undefined = undefined>(
  options: FollowOptions<Tools>,
  onCall: (call: GrowingCallOf<Tools>) => void,
): CallFollower {
  checkOptions(options, OPTIONS)
  checkOption('onCall', onCall, 'function')
  return new Follower(options.tools, (call) => onCall(call as unknown as GrowingCallOf<Tools>))
}

/**
 * The calls of a stream, each when it begins. Its arguments come while the next one is waited for.
 *
 *     for await (const call of followCalls(sluice(source, { dialect, tools }), { tools })) …
 */
export async function* followCalls<const Tools extends ToolDefinitions | undefined = undefined>(
  events: AsyncIterable<SluiceEvent> | Iterable<SluiceEvent>,
  options: FollowOptions<Tools> = {},
): AsyncGenerator<GrowingCallOf<Tools>, void, undefined> {
  checkOptions(options, OPTIONS)
  const begun: OpenCall[] = []
  const follower = new Follower(options.tools, (call) => begun.push(call))
  for await (const event of events) {
    checkEvent(event, 'followCalls')
    follower.add(event)
    for (let call = begun.shift(); call !== undefined; call = begun.shift())
      yield call as unknown as GrowingCallOf<Tools>
  }
}

export class OpenCall implements GrowingCall {
  readonly id: string
  readonly toolName: string
  verdict: ToolCall | undefined
  /** Some of its arguments were reported while it grew. */
  hasArguments = false
  /** Listeners may come late, and leave early. */
  readonly listeners = new Set<(event: ArgumentEvent) => void>()
  /** The tools there are, where that is known. */
  readonly tools: ToolTable | undefined

  constructor(id: string, toolName: string, tools: ToolTable | undefined) {
    this.id = id
    this.toolName = toolName
    this.tools = tools
  }

  notify(event: ArgumentEvent): void {
    for (const listener of this.listeners) listener(event)
  }
}

class Follower implements CallFollower {
  private readonly tools: ToolTable | undefined
  private readonly onCall: (call: OpenCall) => void
  private readonly open = new Map<string, OpenCall>()
  /** The call that the last event was about: a call's events mostly come in a row. */
  private id: string | null = null
  private current: OpenCall | undefined

  constructor(tools: ToolDefinitions | undefined, onCall: (call: OpenCall) => void) {
    this.tools = tools === undefined ? undefined : createToolTable(tools)
    this.onCall = onCall
  }

  readonly add = withArguments((event) => this.take(event))

  private take(event: SluiceEvent): void {
    switch (event.type) {
      case 'argument-start':
      case 'argument-delta':
      case 'argument-end': {
        const call = event.id === this.id ? this.current : this.find(event.id)
        if (call === undefined) break
        call.hasArguments = true
        if (call.listeners.size > 0) call.notify(event)
        break
      }
      case 'tool-input-start':
        this.begin(event.id, event.toolName)
        break
      case 'tool-call':
        this.end(event)
        break
    }
  }

  private find(id: string): OpenCall | undefined {
    this.id = id
    this.current = this.open.get(id)
    return this.current
  }

  private begin(id: string, toolName: string): void {
    this.id = null
    if (this.tools !== undefined && !this.tools.has(toolName)) return
    const call = new OpenCall(id, toolName, this.tools)
    this.open.set(id, call)
    this.onCall(call)
  }

  private end(verdict: ToolCall): void {
    const call = this.find(verdict.id)
    this.id = null
    if (call === undefined) return
    call.verdict = verdict
    if (!call.hasArguments && call.listeners.size > 0 && verdict.error === undefined)
      notifyOfAll(call, verdict.input)
    call.listeners.clear()
    this.open.delete(verdict.id)
  }
}

/** The parser emitted neither arguments nor JSON text: what it would have emitted comes late, with the call. */
function notifyOfAll(call: OpenCall, input: JsonValue): void {
  const emit = (event: SluiceEvent): void => call.notify(event as ArgumentEvent)
  walkValue(Path.root, input, new ArgumentEvents(call.id, { emit }))
}
