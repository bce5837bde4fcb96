/**
 * OpenAI's Responses: items that are added, filled and done, each by its place in the output.
 *
 *     {"type":"response.output_item.added","output_index":0,"item":{"type":"function_call","call_id":"call_1","name":"ls"}}
 *     {"type":"response.function_call_arguments.delta","output_index":0,"delta":"{\"pa"}
 *     {"type":"response.completed","response":{"output":[…],"usage":{…}}}
 *
 * Items are identified by `output_index`: some servers make up an `item_id` for every event. A response that
 * was not streamed is an object with all its items.
 */

import {
  begun,
  flag,
  initially,
  integer,
  list,
  map,
  optional,
  resumed,
  type StateOf,
  set,
  stateCheck,
} from '../../base/declared-state.ts'
import type { FinishReason } from '../../base/event.ts'
import { type Fields, isFields } from '../../base/fields.ts'
import { damaged, isCount, isNumber, isString } from '../../base/plain-state.ts'
import { under } from '../metadata.ts'
import type { Output } from '../output.ts'
import { costOf, fieldsIn, fieldsOf, numberOf, textOf, wordOf } from '../payload-fields.ts'
import type { PayloadReader, Provider } from '../provider.ts'
import { ProviderError, reportErrorIn } from '../provider-error.ts'
import { ITEM, isOutput, isXaiModel, kindOf, ResponseItem, SHARED } from './read-item.ts'

const NAME = 'openai-responses'

/** Reads OpenAI's Responses. */
export const openaiResponses: Provider<typeof NAME> = {
  name: NAME,
  framing: 'sse',
  detect: (payload) =>
    textOf(payload.type).startsWith('response.') || payload.object === 'response' || isRealtime(payload),
  open: (out, saved) => new ResponsesReader(out, resumedResponse(saved)),
}

/** Events about a part of an item: `response.output_text.delta`, and not `response.completed`. */
const PIECE = /^response\.(?!output_item\.)\w+\./

/** What is whole in a later event that is read. */
const PASSED =
  /^response\.(queued|in_progress|content_part\.|.*_part\.(added|done)$|(web_search|file_search|image_generation|code_interpreter|mcp)_call\.|code_interpreter_call_code\.done|mcp_list_tools\.|shell_call_command\.|apply_patch_call_operation_diff\.)/

/** OpenAI's Realtime has events of the same names, but is a session of many responses, with audio and interruptions. */
const REALTIME =
  /^(session|transcription_session|conversation|input_audio_buffer|output_audio_buffer|rate_limits)\.|^response\.done$/
const NO_REALTIME =
  "This is OpenAI's Realtime, a session of many responses, which is not read here. Read one response of the Responses API."

const isRealtime = ({ type, response }: Fields): boolean =>
  REALTIME.test(textOf(type)) || fieldsOf(response).object === 'realtime.response'

const STATE = {
  ...SHARED,
  /** All items; the maps find them by index and id. */
  all: list(stateCheck(ITEM)),
  placed: map(isNumber, isCount),
  /** The same items by what they are called, which the whole output at the end goes by. */
  named: map(isString, isCount),
  /** Types of which something came in pieces. */
  types: set(isString),
  /** Places for items that have none. */
  extra: integer,
  /** It is a stream that is not read here. */
  isRefused: flag,
  /** The id of the response, and of a later one in the same stream. */
  responseId: optional(isString),
  /** The number of the next event; none before the first. */
  nextNumber: optional(isCount),
  /** Up to now each event had the number behind that of the event before it. */
  isNumbered: initially(true),
}
type ResponsesState = StateOf<typeof STATE>

function resumedResponse(saved: unknown): ResponsesState {
  const state = resumed(STATE, saved)
  const isItem = (number: number): boolean => number < state.all.length
  if (![...state.placed.values(), ...state.named.values()].every(isItem))
    throw damaged('an item of the response is missing')
  return state
}

class ResponsesReader implements PayloadReader {
  readonly state: ResponsesState
  private readonly out: Output

  constructor(out: Output, state: ResponsesState) {
    this.out = out
    this.state = state
  }

  read(payload: Fields): void {
    const { out } = this
    if (this.isRefused(payload)) return
    if (payload.type === 'response.created') this.begin(wordOf(fieldsOf(payload.response).id))
    if (this.isSentAgain(payload)) return
    if (payload.object === 'response') {
      this.readResponse(payload)
      return
    }
    const index = numberOf(payload.output_index) ?? 0
    const item = this.item(this.at(index))
    const delta = textOf(payload.delta)
    const section = numberOf(payload.content_index) ?? 0
    const place = `${index}:${section}`
    if (item.isOfOther && PIECE.test(textOf(payload.type))) {
      if (textOf(payload.type).endsWith('.delta')) this.passOn(payload)
      return
    }
    switch (payload.type) {
      case 'response.created':
        this.readAbout(fieldsOf(payload.response))
        return
      case 'response.output_item.added':
        this.add(index, fieldsOf(payload.item))
        return
      case 'response.output_item.done':
        this.finishItem(index, fieldsOf(payload.item))
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
        item.annotation(payload.annotation)
        return
      case 'response.reasoning_summary_text.delta':
        item.reasoning(`${index}:summary ${numberOf(payload.summary_index) ?? 0}`, delta)
        return
      case 'response.reasoning_text.delta':
        item.reasoning(`${index}:text ${section}`, delta)
        return
      case 'response.reasoning_summary_text.done':
        item.wholeReasoning(`${index}:summary ${numberOf(payload.summary_index) ?? 0}`, textOf(payload.text))
        return
      case 'response.reasoning_text.done':
        item.wholeReasoning(`${index}:text ${section}`, textOf(payload.text))
        return
      case 'response.function_call_arguments.delta':
      case 'response.mcp_call_arguments.delta':
        item.arguments(payload.delta)
        if (payload.delta === undefined) item.missPiece()
        return
      case 'response.function_call_arguments.done':
      case 'response.mcp_call_arguments.done':
        item.arguments(textOf(payload.arguments), true)
        return
      case 'response.custom_tool_call_input.delta':
        item.freeText(delta)
        return
      case 'response.custom_tool_call_input.done':
        item.freeText(textOf(payload.input), true)
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
    if (reportErrorIn(payload, NAME, out)) return
    const type = textOf(payload.type)
    if (PASSED.test(type)) return
    // A piece of something that is not known has content, and is whole nowhere else.
    if (type.endsWith('.delta')) this.passOn(payload)
    else out.unknown(type || 'payload', payload)
    if ('output_index' in payload) item.missPiece()
  }

  private passOn(payload: Fields): void {
    this.out.custom(textOf(payload.type).replace(/^response\./, ''), payload)
  }

  end(): void {
    this.cutOpen()
  }

  /** The provider ends every item: a call that it did not end was cut off, unless its input is whole. */
  private cutOpen(): void {
    for (const [number, { isDone }] of this.state.all.entries()) if (!isDone) this.item(number).cut()
  }

  /** Another response in the same stream numbers its events and its items from the start. */
  private begin(id: string | undefined): void {
    const { state } = this
    if (id === undefined || id === state.responseId) return
    if (state.responseId !== null) {
      this.cutOpen()
      state.placed.clear()
      state.nextNumber = null
    }
    state.responseId = id
  }

  /**
   * Whether an event of an item came before, by its number. Numbers are trusted as long as they count: some servers give
   * all events the same one, or number those of each item from the start.
   */
  private isSentAgain({ sequence_number, output_index }: Fields): boolean {
    const { state } = this
    if (!state.isNumbered) return false
    if (!isCount(sequence_number) || sequence_number > (state.nextNumber ?? sequence_number)) {
      state.isNumbered = false
      return false
    }
    if (sequence_number === (state.nextNumber ?? sequence_number)) {
      state.nextNumber = sequence_number + 1
      return false
    }
    // Those of the response as a whole change nothing if they come again.
    if (typeof output_index !== 'number') return false
    const number = state.placed.get(output_index)
    state.isNumbered = number !== undefined && state.all[number]!.type !== ''
    return state.isNumbered
  }

  private isRefused(payload: Fields): boolean {
    const { state } = this
    // Asked of the first payload, and of those that begin a response.
    if (!state.isRefused && (state.all.length === 0 || isFields(payload.response)) && isRealtime(payload)) {
      state.isRefused = true
      this.out.error(new ProviderError(NAME, NO_REALTIME, 'unsupported', payload))
    }
    return state.isRefused
  }

  /** The number of the item that stands in a place. */
  private at(index: number): number {
    const { all, placed } = this.state
    const number = placed.get(index) ?? all.push({ ...begun(ITEM), index }) - 1
    placed.set(index, number)
    return number
  }

  private item(number: number): ResponseItem {
    return new ResponseItem(this.out, this.state.all[number]!, this.state)
  }

  private add(index: number, given: Fields): void {
    const { all, named, placed } = this.state
    const there = this.at(index)
    if (all[there]!.isDone) {
      // Sent again, or a place that is used again.
      if (named.get(nameOf(given) ?? '') === there) return
      placed.delete(index)
    }
    const number = this.at(index)
    this.name(number, given)
    this.item(number).open(given)
  }

  /** An item is known by its place; where nothing is there, by its name. */
  private finishItem(index: number, given: Fields): void {
    const { all, named } = this.state
    const there = this.at(index)
    const known = all[there]!.type === '' ? named.get(nameOf(given) ?? '') : undefined
    this.name(known ?? there, given)
    this.item(known ?? there).done(given)
  }

  private name(number: number, given: Fields): void {
    const name = nameOf(given)
    if (name !== undefined) this.state.named.set(name, number)
    if (wordOf(given.id) !== undefined) this.state.named.set(`item ${given.id}`, number)
    this.state.types.add(kindOf(given))
  }

  /**
   * The item that one of the whole output is. It is known by its name; by its place only if nothing else stands
   * there, because some servers leave items out. Where neither helps, what came in pieces was it.
   */
  private itemOf(given: Fields, index: number): number | undefined {
    const { state } = this
    const name = nameOf(given)
    const known = name === undefined ? undefined : state.named.get(name)
    if (known !== undefined) return known
    // OpenAI may give a call another id when it is done.
    const same = state.named.get(`item ${textOf(given.id)}`)
    if (same !== undefined && state.all[same]?.type === kindOf(given)) return same
    const there = this.at(index)
    if (this.item(there).mayBe(given)) return there
    const isCall = wordOf(given.call_id) !== undefined
    return isCall || !state.types.has(kindOf(given)) ? this.at(--state.extra) : undefined
  }

  private readAbout(response: Fields): void {
    this.state.isXai ||= isXaiModel(textOf(response.model))
    this.out.metadata(under(NAME, { id: wordOf(response.id), model: wordOf(response.model) }))
  }

  /** The end, with everything once more: what did not come before comes now. */
  private readResponse(response: Fields): void {
    const { out } = this
    this.readAbout(response)
    const isCut = response.status === 'incomplete' || response.status === 'failed'
    for (const [index, item] of fieldsIn(response.output).entries()) {
      const number = this.itemOf(item, index)
      if (number === undefined) continue
      const name = nameOf(item)
      if (name !== undefined) this.state.named.set(name, number)
      this.item(number).done(item, isCut && item.status !== 'completed')
    }
    const usage = fieldsOf(response.usage)
    const input = fieldsOf(usage.input_tokens_details)
    out.usage({
      inputTokens: numberOf(usage.input_tokens),
      outputTokens: numberOf(usage.output_tokens),
      totalTokens: numberOf(usage.total_tokens),
      reasoningTokens: numberOf(fieldsOf(usage.output_tokens_details).reasoning_tokens),
      cachedInputTokens: numberOf(input.cached_tokens),
      cacheWriteInputTokens: numberOf(input.cache_write_tokens),
      cost: costOf(usage),
    })
    if (!reportErrorIn(response, NAME, out) && response.status === 'failed')
      out.error(new ProviderError(NAME, 'The response failed.', undefined, response))
    const [reason, raw] = endOf(response)
    if (reason === undefined) return
    this.cutOpen()
    out.finish(reason, raw)
  }
}

/**
 * Calls are named by the id that their results go by, and results by the same; some servers make up all other ids anew.
 */
function nameOf(item: Fields): string | undefined {
  const name = wordOf(item.call_id) ?? wordOf(item.id)
  return name === undefined || !isOutput(item) ? name : `output of ${name}`
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
