/**
 * OpenAI's Responses: items that are added, filled and done, each by its place in the output.
 *
 *     {"type":"response.output_item.added","output_index":0,"item":{"type":"function_call","call_id":"call_1","name":"ls"}}
 *     {"type":"response.function_call_arguments.delta","output_index":0,"delta":"{\"pa"}
 *     {"type":"response.completed","response":{"output":[…],"usage":{…}}}
 *
 * Items are told apart by `output_index`: some servers make up an `item_id` for every event. A response that
 * was not streamed is an object with all its items.
 */

import type { FinishReason } from '../event.ts'
import { errorIn, ProviderError } from './error.ts'
import { type Fields, fieldsOf, listOf, numberOf, present, textOf, wordOf } from './fields.ts'
import { type ItemState, newItem, ResponseItem } from './openai-responses-item.ts'
import type { Output } from './output.ts'
import type { PayloadReader, Provider } from './provider.ts'

const NAME = 'openai-responses'

export const openaiResponses: Provider = {
  name: NAME,
  framing: 'sse',
  detect: ({ type, object }) => textOf(type).startsWith('response.') || object === 'response',
  open: (out, state?: ResponsesState) => new ResponsesReader(out, state),
}

/** What comes in pieces and is whole in a later event that is read. */
const PASSED =
  /^response\.(queued|in_progress|content_part\.|.*_part\.(added|done)$|(web_search|file_search|image_generation|code_interpreter|mcp)_call\.|mcp_list_tools\.|shell_call_command\.|apply_patch_call_operation_diff\.)/

interface ResponsesState {
  readonly items: Map<number, ItemState>
}

class ResponsesReader implements PayloadReader {
  readonly state: ResponsesState
  private readonly out: Output

  constructor(out: Output, state: ResponsesState = { items: new Map() }) {
    this.out = out
    this.state = state
  }

  read(payload: Fields): void {
    const { out } = this
    if (payload.object === 'response') {
      this.readResponse(payload)
      return
    }
    const item = this.itemAt(payload)
    const delta = textOf(payload.delta)
    const place = `${numberOf(payload.output_index)}:${numberOf(payload.content_index) ?? 0}`
    switch (payload.type) {
      case 'response.created':
        this.readAbout(fieldsOf(payload.response))
        return
      case 'response.output_item.added':
        item.open(fieldsOf(payload.item))
        return
      case 'response.output_item.done':
        item.done(fieldsOf(payload.item))
        return
      case 'response.output_text.delta':
        item.text(place, delta)
        return
      case 'response.output_text.done':
        item.wholeText(place, textOf(payload.text))
        return
      case 'response.refusal.delta':
        item.refusal(place, delta)
        return
      case 'response.refusal.done':
        item.wholeRefusal(place, textOf(payload.refusal))
        return
      case 'response.output_text.annotation.added':
        out.custom('annotation', payload.annotation)
        return
      case 'response.reasoning_summary_text.delta':
        item.reasoning(`${payload.output_index}:summary ${payload.summary_index}`, delta)
        return
      case 'response.reasoning_text.delta':
        item.reasoning(`${payload.output_index}:text ${payload.content_index}`, delta)
        return
      case 'response.function_call_arguments.delta':
      case 'response.mcp_call_arguments.delta':
        item.arguments(delta)
        return
      case 'response.custom_tool_call_input.delta':
        item.freeText(delta)
        return
      case 'response.code_interpreter_call_code.delta':
        item.code(delta)
        return
      case 'response.completed':
      case 'response.incomplete':
      case 'response.failed':
      case 'response.cancelled':
        this.readResponse(fieldsOf(payload.response))
        return
    }
    const error = errorIn(payload, NAME)
    if (error !== undefined) out.error(error)
    // The whole of what came in pieces is in the item, too.
    else if (!PASSED.test(textOf(payload.type)) && !/\.(delta|done)$/.test(textOf(payload.type)))
      out.unknown(textOf(payload.type) || 'payload', payload)
  }

  private itemAt({ output_index }: Fields): ResponseItem {
    const index = numberOf(output_index) ?? 0
    const { items } = this.state
    const item = items.get(index) ?? newItem()
    items.set(index, item)
    return new ResponseItem(index, this.out, item)
  }

  private readAbout(response: Fields): void {
    const about = present({ id: wordOf(response.id), model: wordOf(response.model) })
    if (about !== undefined) this.out.metadata({ [NAME]: about })
  }

  /** The end, with everything once more: what did not come before comes now. */
  private readResponse(response: Fields): void {
    const { out } = this
    this.readAbout(response)
    for (const [index, item] of listOf(response.output).entries())
      this.itemAt({ output_index: index }).done(fieldsOf(item))
    const usage = fieldsOf(response.usage)
    out.usage({
      inputTokens: numberOf(usage.input_tokens),
      outputTokens: numberOf(usage.output_tokens),
      totalTokens: numberOf(usage.total_tokens),
      reasoningTokens: numberOf(fieldsOf(usage.output_tokens_details).reasoning_tokens),
      cachedInputTokens: numberOf(fieldsOf(usage.input_tokens_details).cached_tokens),
    })
    const error = errorIn(response, NAME)
    if (error !== undefined) out.error(error)
    else if (response.status === 'failed')
      out.error(new ProviderError(NAME, 'The response failed.', undefined, response))
    const [reason, raw] = endOf(response)
    if (reason !== undefined) out.finish(reason, raw)
  }
}

function endOf(response: Fields): [FinishReason | undefined, string | undefined] {
  const status = wordOf(response.status)
  const why = wordOf(fieldsOf(response.incomplete_details).reason)
  if (status === 'incomplete')
    return [
      why === 'max_output_tokens' ? 'length' : why === 'content_filter' ? 'content-filter' : 'other',
      why ?? status,
    ]
  if (status === 'completed' || status === undefined) return ['stop', status]
  if (status === 'failed') return ['error', status]
  return status === 'cancelled' ? ['aborted', status] : [undefined, undefined]
}
