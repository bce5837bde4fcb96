/** One item of a response's output while it is filled: a message, reasoning, a call of ours or of the provider. */

import { escaped } from '../../calls/values.ts'
import type { Metadata } from '../../event.ts'
import { type Fields, isFields } from '../../fields.ts'
import { isNumber, isString, nullable, type Shape, scalarsLike, setOf } from '../../plain-state.ts'
import { under } from '../metadata.ts'
import type { Output } from '../output.ts'
import { contentOf, fieldsIn, fieldsOf, listOf, present, textOf, wordOf } from '../payload-fields.ts'

const NAME = 'openai-responses'

/**
 * Tools that the provider runs, by the type of their items: which fields are input, and which are the result. The
 * input may be in `arguments`, too, as JSON.
 */
export const HOSTED: Readonly<
  Record<string, { readonly input: readonly string[]; readonly result: readonly string[] }>
> = {
  web_search_call: { input: ['action'], result: ['results'] },
  file_search_call: { input: ['queries'], result: ['results'] },
  code_interpreter_call: { input: ['code'], result: ['outputs'] },
  image_generation_call: { input: ['revised_prompt', 'size', 'quality'], result: ['result'] },
  mcp_call: { input: [], result: ['output'] },
  program: { input: ['code'], result: [] },
}

/** Tools that OpenAI defines and the application runs, unless the item names another runner: the field of the input. */
export const DESCRIBED: Readonly<Record<string, string>> = {
  local_shell_call: 'action',
  shell_call: 'action',
  computer_call: 'action',
  apply_patch_call: 'operation',
  tool_search_call: 'arguments',
}

/** Items that answer a call, by its `call_id`: the field that is the answer. */
export const OUTPUTS: Readonly<Record<string, string>> = {
  function_call_output: 'output',
  custom_tool_call_output: 'output',
  local_shell_call_output: 'output',
  shell_call_output: 'output',
  computer_call_output: 'output',
  apply_patch_call_output: 'output',
  tool_search_output: 'tools',
  program_output: 'result',
}

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

/** Whether the provider runs the tool itself. */
export function isHosted(item: Fields, isXai: boolean): boolean {
  const type = textOf(item.type)
  if (type === 'custom_tool_call') return isXai || XAI_TOOLS.has(textOf(item.name))
  if (type === 'shell_call') return !['', 'local'].includes(textOf(fieldsOf(item.environment).type))
  return type === 'tool_search_call' ? item.execution === 'server' : Object.hasOwn(HOSTED, type)
}

/** The id that the result of a call goes by. */
export const callIdOf = (item: Fields): string | undefined => wordOf(item.call_id) ?? wordOf(item.id)

/** An item without a `call_id` is known by its own id. */
function hostedMetadata(item: Fields): Metadata | undefined {
  const itemId = wordOf(item.call_id) === undefined ? undefined : item.id
  return under(NAME, { itemId, serverLabel: item.server_label, fingerprint: item.fingerprint })
}

export function toolNameOf(item: Fields): string | undefined {
  const type = textOf(item.type)
  if (['function_call', 'custom_tool_call', 'mcp_call'].includes(type)) return wordOf(item.name)
  const name = type.replace(/(_call)?(_output)?$/, '')
  return name === 'function' || name === 'custom_tool' ? undefined : name
}

export interface ItemState {
  readonly index: number
  type: string
  callId: string | null
  /** The provider runs the tool. */
  isHosted: boolean
  isDone: boolean
  /** Places of which something came in pieces. */
  readonly received: Set<string>
  hasInput: boolean
  hasCode: boolean
  lastReasoning: string | null
}

export const newItem = (index: number): ItemState => ({
  index,
  type: '',
  callId: null,
  isHosted: false,
  isDone: false,
  received: new Set(),
  hasInput: false,
  hasCode: false,
  lastReasoning: null,
})

export const itemShape = (): Shape<ItemState> => ({
  ...scalarsLike(newItem(0)),
  index: isNumber,
  callId: nullable(isString),
  received: setOf(isString),
  lastReasoning: nullable(isString),
})

export class ResponseItem {
  private readonly index: number
  private readonly out: Output
  private readonly state: ItemState
  private readonly isXai: boolean

  constructor(out: Output, state: ItemState, isXai: boolean) {
    this.index = state.index
    this.out = out
    this.state = state
    this.isXai = isXai
  }

  text(place: string, delta: string): void {
    this.state.received.add(place)
    this.out.text(delta, { place })
  }

  refusal(place: string, delta: string): void {
    this.state.received.add(place)
    if (delta !== '') this.out.refusal(delta, { place, metadata: { [NAME]: { refusal: true } } })
  }

  wholeText(place: string, text: string): void {
    if (!this.state.received.has(place)) this.text(place, text)
  }

  wholeRefusal(place: string, text: string): void {
    if (!this.state.received.has(place)) this.refusal(place, text)
  }

  reasoning(place: string, delta: string): void {
    const { state } = this
    state.received.add(place)
    state.lastReasoning = place
    this.out.reasoning(delta, { place })
  }

  arguments(delta: string): void {
    this.out.call({ index: this.index, arguments: delta })
  }

  /** The input of a custom tool. What xAI sends in its place is JSON. */
  freeText(text: string): void {
    this.state.hasInput ||= text !== ''
    if (this.state.isHosted) this.arguments(text)
    else this.out.textCall({ key: this.index, text })
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
    return state.type === item.type && (state.callId ?? callId) === (callId ?? state.callId)
  }

  open(item: Fields): void {
    const { index, out, state } = this
    state.type = textOf(item.type)
    const callId = wordOf(item.call_id)
    state.callId = callId ?? null
    state.isHosted = isHosted(item, this.isXai)
    const metadata = under(NAME, { itemId: item.id })
    const common = { id: callIdOf(item), name: toolNameOf(item) }
    if (state.isHosted)
      out.call({
        index,
        ...common,
        arguments: wordOf(item.arguments),
        providerExecuted: true,
        metadata: hostedMetadata(item),
      })
    else if (state.type === 'function_call')
      out.call({ index, ...common, id: callId, arguments: wordOf(item.arguments), metadata })
    else if (state.type === 'custom_tool_call') out.textCall({ key: index, ...common, id: callId, metadata })
    else if (Object.hasOwn(DESCRIBED, state.type)) out.call({ index, ...common, metadata })
    if (state.type === 'custom_tool_call') this.freeText(textOf(item.input))
  }

  /** `isCut`: the response broke off, and the item may be incomplete. */
  done(item: Fields, isCut = item.status === 'incomplete'): void {
    const { state } = this
    if (state.isDone) return
    if (state.type === '') this.open(item)
    state.isDone = true
    const { index, out } = this
    if (state.type === 'message') this.doneMessage(item)
    else if (state.type === 'reasoning') this.doneReasoning(item)
    else if (state.isHosted || this.isHostedAfterAll(item)) this.doneHosted(item)
    else if (state.type === 'function_call') {
      if (typeof item.arguments === 'string')
        out.call({
          index,
          id: wordOf(item.call_id),
          name: wordOf(item.name),
          arguments: item.arguments,
          cumulative: true,
        })
      out.endCall(index, isCut ? 'cut' : 'whole')
    } else if (state.type === 'custom_tool_call') {
      if (!state.hasInput) out.textCall({ key: index, text: textOf(item.input) })
      out.endTextCall(index, isCut)
    } else if (Object.hasOwn(DESCRIBED, state.type)) {
      const input = item[DESCRIBED[state.type]!]
      // Half an action is an object, too, and would look whole.
      out.call({ index, arguments: isFields(input) && !isCut ? input : undefined })
      out.endCall(index, isCut ? 'cut' : 'whole')
    } else if (isOutput(item)) this.doneOutput(item)
    else out.custom(state.type || 'item', item)
  }

  /** The type may come late; but free text is not read as JSON any more. */
  private isHostedAfterAll(item: Fields): boolean {
    return this.state.type !== 'custom_tool_call' && isHosted(item, this.isXai)
  }

  private doneOutput(item: Fields): void {
    this.out.result({
      id: callIdOf(item) ?? '',
      toolName: toolNameOf(item),
      content: contentOf(item[OUTPUTS[textOf(item.type)]!]),
      isError: item.status === 'failed',
    })
  }

  private doneMessage(item: Fields): void {
    for (const [position, part] of fieldsIn(item.content).entries()) {
      const place = `${this.index}:${position}`
      if (part.type === 'output_text') {
        const isNew = !this.state.received.has(place)
        this.wholeText(place, textOf(part.text))
        if (isNew)
          for (const annotation of listOf(part.annotations)) this.out.custom('annotation', annotation)
      } else if (part.type === 'refusal') this.wholeRefusal(place, textOf(part.refusal))
      else this.out.custom(textOf(part.type) || 'content', part)
    }
    this.out.endText()
  }

  /** The encrypted form belongs to the last piece of reasoning, or stands alone where there is none to read. */
  private doneReasoning(item: Fields): void {
    const { index, out, state } = this
    const sections = [
      ...fieldsIn(item.summary).map((part, at) => [`${index}:summary ${at}`, part] as const),
      ...fieldsIn(item.content).map((part, at) => [`${index}:text ${at}`, part] as const),
    ]
    for (const [place, part] of sections)
      if (!state.received.has(place)) this.reasoning(place, textOf(part.text))
    const encrypted = wordOf(item.encrypted_content)
    if (encrypted !== undefined)
      out.reasoning('', {
        place: state.lastReasoning ?? `${index}:`,
        metadata: { [NAME]: { itemId: item.id, encryptedContent: encrypted } },
      })
    out.endReasoning()
  }

  private doneHosted(item: Fields): void {
    const { index, out } = this
    const { type, hasCode } = this.state
    const { input, result } = HOSTED[type] ?? { input: [], result: [] }
    const text = wordOf(item.arguments) ?? (type === 'custom_tool_call' ? wordOf(item.input) : undefined)
    const described = item[DESCRIBED[type] ?? '']
    const value = isFields(described)
      ? described
      : present(Object.fromEntries(input.map((field) => [field, item[field]])))
    out.call({
      index,
      arguments: hasCode ? '"}' : (text ?? value),
      cumulative: text !== undefined && !hasCode,
      providerExecuted: true,
      metadata: hostedMetadata(item),
    })
    out.endCall(index)
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
