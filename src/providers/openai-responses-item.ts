/** One item of a response's output while it is filled: a message, reasoning, a call of ours or of the provider. */

import { contentOf, type Fields, fieldsIn, isFields, listOf, present, textOf, wordOf } from './fields.ts'
import { JsonStringWriter } from './json-string.ts'
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

export class ResponseItem {
  private readonly index: number
  private readonly out: Output
  isDone = false
  private type = ''
  private callId: string | undefined
  /** Places of which something came in pieces. */
  private readonly heard = new Set<string>()
  private hasInput = false
  private codeWriter: JsonStringWriter | null = null
  private lastReasoning: string | undefined

  constructor(index: number, out: Output) {
    this.index = index
    this.out = out
  }

  text(place: string, delta: string): void {
    this.heard.add(place)
    this.out.text(delta, { place })
  }

  refusal(place: string, delta: string): void {
    this.heard.add(place)
    this.out.text(delta, { place, metadata: { [NAME]: { refusal: true } } })
  }

  wholeText(place: string, text: string): void {
    if (!this.heard.has(place)) this.text(place, text)
  }

  wholeRefusal(place: string, text: string): void {
    if (!this.heard.has(place)) this.refusal(place, text)
  }

  reasoning(place: string, delta: string): void {
    this.heard.add(place)
    this.lastReasoning = place
    this.out.reasoning(delta, { place })
  }

  arguments(delta: string): void {
    this.out.call({ index: this.index, arguments: delta })
  }

  freeText(text: string): void {
    this.hasInput ||= text !== ''
    this.out.textCall({ key: this.index, text })
  }

  /** The program of a code interpreter is its only argument. */
  code(delta: string): void {
    this.codeWriter ??= new JsonStringWriter('code')
    this.out.call({ index: this.index, arguments: this.codeWriter.add(delta) })
  }

  /** Whether this is the item that is given, as far as anyone knows. */
  mayBe(item: Fields): boolean {
    if (this.type === '') return true
    const callId = wordOf(item.call_id)
    return this.type === item.type && (this.callId ?? callId) === (callId ?? this.callId)
  }

  open(item: Fields): void {
    const { index, out } = this
    this.type = textOf(item.type)
    this.callId = wordOf(item.call_id)
    const metadata = item.id === undefined ? undefined : { [NAME]: { itemId: item.id } }
    if (this.type === 'function_call')
      out.call({
        index,
        id: wordOf(item.call_id),
        name: wordOf(item.name),
        arguments: wordOf(item.arguments),
        metadata,
      })
    else if (this.type === 'custom_tool_call') {
      out.textCall({ key: index, id: wordOf(item.call_id), name: wordOf(item.name), metadata })
      this.freeText(textOf(item.input))
    } else if (Object.hasOwn(HOSTED, this.type)) {
      const name = this.type === 'mcp_call' ? wordOf(item.name) : this.type.replace(/_call$/, '')
      const args = this.type === 'mcp_call' ? wordOf(item.arguments) : undefined
      const server =
        item.server_label === undefined ? undefined : { [NAME]: { serverLabel: item.server_label } }
      out.call({
        index,
        id: wordOf(item.id),
        name,
        arguments: args,
        providerExecuted: true,
        metadata: server,
      })
    } else if (Object.hasOwn(OURS, this.type))
      out.call({
        index,
        id: wordOf(item.call_id) ?? wordOf(item.id),
        name: this.type.replace(/_call$/, ''),
        metadata,
      })
  }

  /** `isCut`: the response broke off, and nothing says that this item is whole. */
  done(item: Fields, isCut = item.status === 'incomplete'): void {
    if (this.isDone) return
    if (this.type === '') this.open(item)
    this.isDone = true
    const { index, out } = this
    if (this.type === 'message') this.doneMessage(item)
    else if (this.type === 'reasoning') this.doneReasoning(item)
    else if (this.type === 'function_call') {
      if (typeof item.arguments === 'string')
        out.call({
          index,
          id: wordOf(item.call_id),
          name: wordOf(item.name),
          arguments: item.arguments,
          cumulative: true,
        })
      out.endCall(index, isCut ? 'cut' : 'whole')
    } else if (this.type === 'custom_tool_call') {
      if (!this.hasInput) out.textCall({ key: index, text: textOf(item.input) })
      out.endTextCall(index, isCut)
    } else if (Object.hasOwn(HOSTED, this.type)) this.doneHosted(item)
    else if (Object.hasOwn(OURS, this.type)) {
      const input = item[OURS[this.type]!]
      // Half an action is an object, too, and would look whole.
      out.call({ index, arguments: isFields(input) && !isCut ? input : undefined })
      out.endCall(index, isCut ? 'cut' : 'whole')
    } else out.custom(this.type || 'item', item)
  }

  private doneMessage(item: Fields): void {
    for (const [position, part] of fieldsIn(item.content).entries()) {
      const place = `${this.index}:${position}`
      if (part.type === 'output_text') {
        const isNew = !this.heard.has(place)
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
    const { index, out } = this
    const sections = [
      ...fieldsIn(item.summary).map((part, at) => [`${index}:summary ${at}`, part] as const),
      ...fieldsIn(item.content).map((part, at) => [`${index}:text ${at}`, part] as const),
    ]
    for (const [place, part] of sections) if (!this.heard.has(place)) this.reasoning(place, textOf(part.text))
    const encrypted = wordOf(item.encrypted_content)
    if (encrypted !== undefined)
      out.reasoning('', {
        place: this.lastReasoning ?? `${index}:`,
        metadata: { [NAME]: { itemId: item.id, encryptedContent: encrypted } },
      })
    out.endReasoning()
  }

  private doneHosted(item: Fields): void {
    const { index, out, type } = this
    const { input, result } = HOSTED[type]!
    if (this.codeWriter !== null) out.call({ index, arguments: this.codeWriter.end() })
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
