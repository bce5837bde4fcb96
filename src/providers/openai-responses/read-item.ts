/** One item of a response's output while it is filled: a message, reasoning, a call of ours or of the provider. */

import { count, flag, optional, record, type StateOf, set, text } from '../../base/declared-state.ts'
import type { Metadata } from '../../base/event.ts'
import { type Fields, isFields } from '../../base/fields.ts'
import { isNumber, isString } from '../../base/plain-state.ts'
import { escaped } from '../../engine/calls/values.ts'
import { under } from '../metadata.ts'
import type { Output } from '../output.ts'
import {
  contentOf,
  fieldsIn,
  fieldsOf,
  isOtherRole,
  listOf,
  present,
  textOf,
  wordOf,
} from '../payload-fields.ts'
import { DESCRIBED, HOSTED, OUTPUTS } from './item-types.ts'
import { keptOf } from './kept-fields.ts'

const NAME = 'openai-responses'

/** Tools that xAI runs, which it sends as calls of custom tools. */
const XAI_TOOLS: ReadonlySet<string> = new Set([
  'x_keyword_search',
  'x_semantic_search',
  'x_user_search',
  'x_thread_fetch',
  'view_x_video',
])

/** Whether a model is one of xAI, which has no custom tools of the application. */
export const isXaiModel = (model: string): boolean => /(^|\/)grok\b/i.test(model)

export const isOutput = (item: Fields): boolean => Object.hasOwn(OUTPUTS, textOf(item.type))

/** What an item is: its type, or its role if it is a message that is not the model's. */
export const kindOf = ({ type, role }: Fields): string => textOf(isOtherRole(role) ? role : type)

/** Whether the provider runs the tool itself. */
export function isHosted(item: Fields, isXai: boolean): boolean {
  const type = textOf(item.type)
  if (type === 'custom_tool_call') return isXai || XAI_TOOLS.has(textOf(item.name))
  if (type === 'shell_call') return !['', 'local'].includes(textOf(fieldsOf(item.environment).type))
  return type === 'tool_search_call' ? item.execution === 'server' : Object.hasOwn(HOSTED, type)
}

/** The id that the result of a call goes by. */
export const callIdOf = (item: Fields): string | undefined => wordOf(item.call_id) ?? wordOf(item.id)

/** Whether a call is a search for tools that OpenAI runs, which has no id of a call; nor has its output. */
export const isUnlinkedSearch = ({ type, call_id, execution }: Fields): boolean =>
  type === 'tool_search_call' && execution === 'server' && wordOf(call_id) === undefined

/** An output with the id of its call: one that has none answers the first of the searches that is not answered. */
export function linkedOutput(item: Fields, searches: Set<string>): Fields {
  const [search] = searches
  if (item.type !== 'tool_search_output' || wordOf(item.call_id) !== undefined || search === undefined)
    return item
  searches.delete(search)
  return { ...item, call_id: search }
}

/** What goes back with a call. An item without a `call_id` is known by its own id. */
function callMetadata(item: Fields): Metadata | undefined {
  const itemId = wordOf(item.call_id) === undefined ? undefined : item.id
  return under(NAME, { itemId, type: ownType(item), ...keptOf(item) })
}

/** The type of a call or an output, unless it is that of any tool of the application. */
function ownType({ type }: Fields): string | undefined {
  return /^(function|custom_tool)_call(_output)?$/.test(textOf(type)) ? undefined : wordOf(type)
}

/** The input of a tool that OpenAI defines: one action is its own input, several are a list. */
function describedInput(item: Fields): unknown {
  return Array.isArray(item.actions) ? { actions: item.actions } : item[DESCRIBED[textOf(item.type)] ?? '']
}

/**
 * OpenAI asks a person to look at what the model is about to do, because of what stands on the screen: until someone has
 * answered, the call may not run. Whatever is there counts; only an empty list asks nothing.
 */
function doubtOf({ pendingSafetyChecks }: Fields): string | undefined {
  if (pendingSafetyChecks === undefined) return undefined
  const checks = fieldsIn(pendingSafetyChecks).map(({ message, code }) => wordOf(message) ?? wordOf(code))
  const told = checks.filter((check) => check !== undefined).join(' ')
  return `A person has to acknowledge a safety check before this runs${told === '' ? '.' : `: ${told}`}`
}

/** Types of items that name their tool. */
const NAMED = new Set(['function_call', 'custom_tool_call', 'mcp_call', 'mcp_approval_request'])

export function toolNameOf(item: Fields): string | undefined {
  const type = textOf(item.type)
  if (NAMED.has(type)) return wordOf(item.name)
  const name = type.replace(/(_call)?(_output)?$/, '')
  return name === 'function' || name === 'custom_tool' ? undefined : name
}

export const ITEM = {
  index: { begin: () => 0, check: isNumber },
  /** What it is, as `kindOf` tells. */
  type: text,
  callId: optional(isString),
  /** The provider runs the tool. */
  isHosted: flag,
  isDone: flag,
  /** What goes back with its text or reasoning: its id, and what stands beside it. */
  about: record,
  /** Places of which something came in pieces. */
  received: set(isString),
  /** Places whose text came whole before any piece of it: pieces that follow repeat it. */
  whole: set(isString),
  /** How many annotations came by themselves. */
  annotations: count,
  hasCode: flag,
  /** The provider said that the input is whole. */
  isInputDone: flag,
  lastReasoning: optional(isString),
}
export type ItemState = StateOf<typeof ITEM>

/** What the items of a response share. */
export const SHARED = {
  /** The model is one of xAI. */
  isXai: flag,
  /** Searches for tools that OpenAI ran under no id of a call, and whose output did not come. */
  searches: set(isString),
}
type SharedState = StateOf<typeof SHARED>

export class ResponseItem {
  private readonly index: number
  private readonly out: Output
  private readonly state: ItemState
  private readonly shared: SharedState

  constructor(out: Output, state: ItemState, shared: SharedState) {
    this.index = state.index
    this.out = out
    this.state = state
    this.shared = shared
  }

  /** It is not the model's, and is passed on as it came. */
  get isOfOther(): boolean {
    return isOtherRole(this.state.type)
  }

  text(place: string, delta: string): void {
    if (this.isNew(place, delta)) this.out.text(delta, { place, metadata: this.begin(place), isName: true })
  }

  refusal(place: string, delta: string): void {
    if (!this.isNew(place, delta)) return
    this.begin(place)
    this.out.refusal(delta, { place, metadata: { [NAME]: { ...this.state.about, refusal: true } } })
  }

  /** What goes back with a piece of the item, if it is the first of its place. */
  private begin(place: string): Metadata | undefined {
    const { about, received } = this.state
    if (received.has(place)) return undefined
    received.add(place)
    return under(NAME, about)
  }

  annotation(annotation: unknown): void {
    this.state.annotations++
    this.out.custom('annotation', annotation)
  }

  wholeText(place: string, text: string): void {
    this.takeWhole(place, text, () => this.text(place, text))
  }

  wholeRefusal(place: string, text: string): void {
    this.takeWhole(place, text, () => this.refusal(place, text))
  }

  /** The text of a place, unless it came in pieces. */
  private takeWhole(place: string, text: string, take: () => void): void {
    const { received, whole } = this.state
    if (text === '' || received.has(place)) return
    take()
    whole.add(place)
  }

  private isNew(place: string, delta: string): boolean {
    return delta !== '' && !this.state.whole.has(place)
  }

  reasoning(place: string, delta: string): void {
    if (!this.isNew(place, delta)) return
    this.state.lastReasoning = place
    this.out.reasoning(delta, { place, metadata: this.begin(place) })
  }

  wholeReasoning(place: string, text: string): void {
    this.takeWhole(place, text, () => this.reasoning(place, text))
  }

  arguments(delta: unknown, isWhole = false): void {
    this.out.call({ index: this.index, arguments: delta, cumulative: isWhole })
  }

  /** The input of a custom tool. What xAI sends in its place is JSON. */
  freeText(text: string, isWhole = false): void {
    this.state.isInputDone ||= isWhole
    if (this.state.isHosted) this.arguments(text, isWhole)
    else this.out.textCall({ key: this.index, text, cumulative: isWhole })
  }

  /** Something came for the item that is not known, and may have been a piece of its input. */
  missPiece(): void {
    const { index, out, state } = this
    if (state.isDone || state.type === '') return
    if (state.type === 'custom_tool_call' && !state.isHosted) out.textCall({ key: index, isUnread: true })
    else if (state.type.endsWith('_call')) out.call({ index, isUnread: true })
  }

  /** The program of a code interpreter is its only argument. */
  code(delta: string): void {
    const { state } = this
    const text = escaped(delta)
    this.out.call({ index: this.index, arguments: state.hasCode ? text : `{"code":"${text}` })
    state.hasCode = true
  }

  /** Whether this is the item that is given, as far as anyone knows. */
  mayBe(item: Fields): boolean {
    const { state } = this
    if (state.type === '') return true
    const callId = wordOf(item.call_id) ?? null
    return state.type === kindOf(item) && (state.callId ?? callId) === (callId ?? state.callId)
  }

  open(item: Fields): void {
    const { index, out, state } = this
    state.type = kindOf(item)
    if (this.isOfOther) return
    const callId = wordOf(item.call_id)
    state.callId = callId ?? null
    state.isHosted = isHosted(item, this.shared.isXai)
    if (isUnlinkedSearch(item)) this.shared.searches.add(textOf(item.id))
    this.learn(item)
    const metadata = callMetadata(item)
    const common = { id: callIdOf(item), name: toolNameOf(item) }
    if (state.isHosted)
      out.call({
        index,
        ...common,
        arguments: item.arguments,
        providerExecuted: true,
        metadata,
      })
    else if (state.type === 'function_call')
      out.call({ index, ...common, id: callId, arguments: item.arguments, metadata })
    else if (state.type === 'custom_tool_call') out.textCall({ key: index, ...common, id: callId, metadata })
    // OpenAI gives a search for tools its id when it is done.
    else if (Object.hasOwn(DESCRIBED, state.type) && state.type !== 'tool_search_call')
      out.call({ index, ...common, metadata })
    if (state.type === 'custom_tool_call') this.freeText(textOf(item.input))
  }

  private learn(item: Fields): void {
    this.state.about = present({ itemId: item.id, ...keptOf(item) }) ?? {}
  }

  /** Nothing more comes, and the item was never done. */
  cut(): void {
    const { index, out, state } = this
    if (state.type === 'tool_search_call')
      out.call({
        index,
        id: state.callId ?? wordOf(state.about.itemId),
        name: toolNameOf({ type: state.type }),
      })
    if (state.type === 'custom_tool_call' && !state.isHosted) out.endTextCall(index, !state.isInputDone)
    else if (state.isHosted || state.type === 'function_call' || Object.hasOwn(DESCRIBED, state.type))
      out.endCall(index, 'cut')
  }

  /** `isCut`: the response broke off, and the item may be incomplete. */
  done(item: Fields, isCut = item.status === 'incomplete'): void {
    const { state } = this
    if (state.isDone) return
    if (state.type === '') this.open(item)
    // The role may come late.
    if (state.type === 'message' && isOtherRole(item.role)) state.type = kindOf(item)
    state.isDone = true
    const { index, out } = this
    if (this.isOfOther) out.custom(state.type, item)
    else if (state.type === 'message') this.doneMessage(item)
    else if (state.type === 'reasoning') this.doneReasoning(item)
    else if (state.isHosted || this.isHostedAfterAll(item)) this.doneHosted(item)
    else if (state.type === 'function_call') {
      // OpenAI may give a call another id when it is done, which makes it no other call.
      out.call({
        index,
        id: state.callId ?? wordOf(item.call_id),
        name: wordOf(item.name),
        arguments: item.arguments,
        cumulative: typeof item.arguments === 'string',
        isUnread: item.arguments === undefined,
        hasOwnEnd: true,
        metadata: callMetadata(item),
      })
      out.endCall(index, isCut ? 'cut' : 'whole')
    } else if (state.type === 'custom_tool_call') {
      out.textCall({
        key: index,
        text: textOf(item.input),
        cumulative: true,
        isUnread: item.input === undefined && !state.isInputDone,
        metadata: callMetadata(item),
      })
      out.endTextCall(index, isCut)
    } else if (Object.hasOwn(DESCRIBED, state.type)) {
      const input = describedInput(item)
      // None of them goes without its action. Half of one is an object, too, and would look whole.
      const isLacking = isCut || input === undefined || input === null
      out.call({
        index,
        id: callIdOf(item),
        // Any other has its name, and another id makes it no other call.
        name: state.type === 'tool_search_call' ? toolNameOf({ type: state.type }) : undefined,
        arguments: isLacking ? undefined : input,
        metadata: callMetadata(item),
      })
      const doubt = isLacking ? undefined : (doubtOf(state.about) ?? doubtOf(keptOf(item)))
      if (doubt !== undefined) out.refuseCall(index, doubt)
      else out.endCall(index, isLacking ? 'cut' : 'whole')
    } else if (isOutput(item)) this.doneOutput(item)
    else out.custom(state.type || 'item', item)
  }

  /** The type may come late; but free text is not read as JSON any more. */
  private isHostedAfterAll(item: Fields): boolean {
    return this.state.type !== 'custom_tool_call' && isHosted(item, this.shared.isXai)
  }

  private doneOutput(item: Fields): void {
    this.out.result({
      id: callIdOf(linkedOutput(item, this.shared.searches)) ?? '',
      toolName: toolNameOf(item),
      content: contentOf(item[OUTPUTS[textOf(item.type)]!]),
      isError: item.status === 'failed',
      metadata: under(NAME, { itemId: item.id, type: ownType(item), ...keptOf(item) }),
    })
  }

  private doneMessage(item: Fields): void {
    this.learn(item)
    let annotations = 0
    for (const [position, part] of fieldsIn(item.content).entries()) {
      const place = `${this.index}:${position}`
      if (part.type === 'output_text') {
        this.wholeText(place, textOf(part.text))
        for (const annotation of listOf(part.annotations))
          if (annotations++ >= this.state.annotations) this.out.custom('annotation', annotation)
      } else if (part.type === 'refusal') this.wholeRefusal(place, textOf(part.refusal))
      else this.out.custom(textOf(part.type) || 'content', part)
    }
    this.out.endText()
  }

  /** The encrypted form belongs to the last piece of reasoning. It, or the id alone, goes back where there is nothing to read. */
  private doneReasoning(item: Fields): void {
    const { index, out, state } = this
    this.learn(item)
    const sections = [
      ...fieldsIn(item.summary).map((part, at) => [`${index}:summary ${at}`, part] as const),
      ...fieldsIn(item.content).map((part, at) => [`${index}:text ${at}`, part] as const),
    ]
    for (const [place, part] of sections) this.wholeReasoning(place, textOf(part.text))
    const encryptedContent = wordOf(item.encrypted_content)
    if (encryptedContent !== undefined || state.lastReasoning === null)
      out.reasoning('', {
        place: state.lastReasoning ?? `${index}:`,
        metadata: under(NAME, { ...state.about, encryptedContent }),
      })
    out.endReasoning()
  }

  private doneHosted(item: Fields): void {
    const { index, out } = this
    const { type, hasCode } = this.state
    const { input, result } = HOSTED[type] ?? { input: [], result: [] }
    const text = wordOf(item.arguments) ?? (type === 'custom_tool_call' ? wordOf(item.input) : undefined)
    const described = describedInput(item)
    const value = isFields(described)
      ? described
      : present(Object.fromEntries(input.map((field) => [field, item[field]])))
    out.call({
      index,
      arguments: hasCode ? '"}' : (text ?? value),
      cumulative: text !== undefined && !hasCode,
      providerExecuted: true,
      metadata: callMetadata(item),
    })
    out.endCall(index)
    if (type === 'mcp_approval_request') {
      out.custom(type, item)
      out.awaitApproval(callIdOf(item) ?? '')
    }
    const error = contentOf(item.error)
    const content = result.map((field) => contentOf(item[field])).join('')
    if (content !== '' || error !== '')
      out.result({
        id: callIdOf(item) ?? '',
        toolName: toolNameOf(item),
        content: error || content,
        isError: error !== '',
      })
  }
}
