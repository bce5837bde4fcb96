/** One item of a response's output while it is filled: a message, reasoning, a call of ours or of the provider. */

import { escaped } from '../calls/values.ts'
import { contentOf, type Fields, fieldsIn, isFields, listOf, present, textOf, wordOf } from './fields.ts'
import { under } from './metadata.ts'
import type { Output } from './output.ts'

const NAME = 'openai-responses'

/** Tools that OpenAI runs, by the type of their items: which fields are input, and which are the result. */
const HOSTED: Readonly<
  Record<string, { readonly input: readonly string[]; readonly result: readonly string[] }>
> = {
  web_search_call: { input: ['action'], result: ['results'] },
  file_search_call: { input: ['queries'], result: ['results'] },
  code_interpreter_call: { input: ['code'], result: ['outputs'] },
  image_generation_call: { input: ['revised_prompt', 'size', 'quality'], result: ['result'] },
  mcp_call: { input: [], result: ['output'] },
}

/** Tools that OpenAI describes and the application runs: the field that is the input. */
const OURS: Readonly<Record<string, string>> = {
  local_shell_call: 'action',
  shell_call: 'action',
  computer_call: 'action',
  apply_patch_call: 'operation',
}

export interface ItemState {
  readonly index: number
  type: string
  callId: string | undefined
  isDone: boolean
  /** Places of which something came in pieces. */
  readonly heard: Set<string>
  hasInput: boolean
  hasCode: boolean
  lastReasoning: string | undefined
}

export const newItem = (index: number): ItemState => ({
  index,
  type: '',
  callId: undefined,
  isDone: false,
  heard: new Set(),
  hasInput: false,
  hasCode: false,
  lastReasoning: undefined,
})

export class ResponseItem {
  private readonly index: number
  private readonly out: Output
  private readonly state: ItemState

  constructor(out: Output, state: ItemState) {
    this.index = state.index
    this.out = out
    this.state = state
  }

  text(place: string, delta: string): void {
    this.state.heard.add(place)
    this.out.text(delta, { place })
  }

  refusal(place: string, delta: string): void {
    this.state.heard.add(place)
    if (delta !== '') this.out.refusal(delta, { place, metadata: { [NAME]: { refusal: true } } })
  }

  wholeText(place: string, text: string): void {
    if (!this.state.heard.has(place)) this.text(place, text)
  }

  wholeRefusal(place: string, text: string): void {
    if (!this.state.heard.has(place)) this.refusal(place, text)
  }

  reasoning(place: string, delta: string): void {
    const { state } = this
    state.heard.add(place)
    state.lastReasoning = place
    this.out.reasoning(delta, { place })
  }

  arguments(delta: string): void {
    this.out.call({ index: this.index, arguments: delta })
  }

  freeText(text: string): void {
    this.state.hasInput ||= text !== ''
    this.out.textCall({ key: this.index, text })
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
    const callId = wordOf(item.call_id)
    return state.type === item.type && (state.callId ?? callId) === (callId ?? state.callId)
  }

  open(item: Fields): void {
    const { index, out, state } = this
    state.type = textOf(item.type)
    state.callId = wordOf(item.call_id)
    const metadata = under(NAME, { itemId: item.id })
    if (state.type === 'function_call')
      out.call({
        index,
        id: wordOf(item.call_id),
        name: wordOf(item.name),
        arguments: wordOf(item.arguments),
        metadata,
      })
    else if (state.type === 'custom_tool_call') {
      out.textCall({ key: index, id: wordOf(item.call_id), name: wordOf(item.name), metadata })
      this.freeText(textOf(item.input))
    } else if (Object.hasOwn(HOSTED, state.type)) {
      const name = state.type === 'mcp_call' ? wordOf(item.name) : state.type.replace(/_call$/, '')
      const args = state.type === 'mcp_call' ? wordOf(item.arguments) : undefined
      out.call({
        index,
        id: wordOf(item.id),
        name,
        arguments: args,
        providerExecuted: true,
        metadata: under(NAME, { serverLabel: item.server_label }),
      })
    } else if (Object.hasOwn(OURS, state.type))
      out.call({
        index,
        id: wordOf(item.call_id) ?? wordOf(item.id),
        name: state.type.replace(/_call$/, ''),
        metadata,
      })
  }

  /** `isCut`: the response broke off, and nothing says that this item is whole. */
  done(item: Fields, isCut = item.status === 'incomplete'): void {
    const { state } = this
    if (state.isDone) return
    if (state.type === '') this.open(item)
    state.isDone = true
    const { index, out } = this
    if (state.type === 'message') this.doneMessage(item)
    else if (state.type === 'reasoning') this.doneReasoning(item)
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
    } else if (Object.hasOwn(HOSTED, state.type)) this.doneHosted(item)
    else if (Object.hasOwn(OURS, state.type)) {
      const input = item[OURS[state.type]!]
      // Half an action is an object, too, and would look whole.
      out.call({ index, arguments: isFields(input) && !isCut ? input : undefined })
      out.endCall(index, isCut ? 'cut' : 'whole')
    } else out.custom(state.type || 'item', item)
  }

  private doneMessage(item: Fields): void {
    for (const [position, part] of fieldsIn(item.content).entries()) {
      const place = `${this.index}:${position}`
      if (part.type === 'output_text') {
        const isNew = !this.state.heard.has(place)
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
      if (!state.heard.has(place)) this.reasoning(place, textOf(part.text))
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
    const { type } = this.state
    const { input, result } = HOSTED[type]!
    if (this.state.hasCode) out.call({ index, arguments: '"}' })
    else if (type === 'mcp_call') out.call({ index, arguments: wordOf(item.arguments), cumulative: true })
    else
      out.call({ index, arguments: present(Object.fromEntries(input.map((field) => [field, item[field]]))) })
    out.endCall(index)
    const error = contentOf(item.error)
    const content = result.map((field) => contentOf(item[field])).join('')
    const toolName = type === 'mcp_call' ? wordOf(item.name) : type.replace(/_call$/, '')
    if (content !== '' || error !== '')
      out.result({ id: textOf(item.id), toolName, content: error || content, isError: error !== '' })
  }
}
