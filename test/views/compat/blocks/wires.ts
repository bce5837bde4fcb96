/** One turn as it comes over different wires: tags in text, a provider's own blocks, streamed or whole. */

import type { JsonValue, SluiceEvent } from '../../../../src/base/event.ts'
import { functionCalls } from '../../../../src/dialects/function-calls.ts'
import { createSinkParser } from '../../../../src/engine/parser.ts'
import { findProvider } from '../../../../src/providers/any.ts'
import { createProviderParser } from '../../../../src/providers/provider-parser.ts'

export type Part =
  | { readonly think: string }
  | { readonly text: string }
  | { readonly id: string; readonly name: string; readonly input: Readonly<Record<string, JsonValue>> }

/** One response of the model. `cut`: it breaks off inside its last part. */
export interface Round {
  readonly parts: readonly Part[]
  readonly cut?: 'length' | 'aborted'
}

export interface Wire {
  readonly name: string
  /** Each block comes whole. */
  readonly isWhole: boolean
  events(round: Round): SluiceEvent[]
}

/** How many characters a stream gives at a time. */
const STEP = 3

function pieces(text: string): string[] {
  return text.match(new RegExp(`[^]{1,${STEP}}`, 'g')) ?? []
}

// ── tags in text ─────────────────────────────────────────────────────────────────────────────────

function tags({ parts, cut }: Round): string {
  const written = parts.map((part) => {
    if ('think' in part) return `<thinking>${part.think}</thinking>`
    if ('text' in part) return part.text
    const values = Object.entries(part.input).map(
      ([key, value]) =>
        `<parameter name="${key}">${typeof value === 'string' ? value : JSON.stringify(value)}</parameter>\n`,
    )
    return `<function_calls>\n<invoke name="${part.name}">\n${values.join('')}</invoke>\n</function_calls>`
  })
  const text = written.join('')
  if (cut === undefined) return text
  const closers = ['</thinking>', '</parameter>\n</invoke>\n</function_calls>']
  return closers.reduce(
    (rest, closer) => (rest.endsWith(closer) ? rest.slice(0, -closer.length) : rest),
    text,
  )
}

function prefill(isWhole: boolean): Wire {
  return {
    name: isWhole ? 'tags in a text that came whole' : 'tags in a stream of text',
    isWhole,
    events(round) {
      const ids = round.parts.flatMap((part) => ('id' in part ? [part.id] : []))
      const events: SluiceEvent[] = []
      const parser = createSinkParser((event) => events.push(event), {
        dialect: functionCalls,
        // Tags carry no ids; whoever reads them gives them.
        generateId: (kind) => (kind === 'call' ? ids.shift()! : kind),
        tools: [
          { name: 'search', inputSchema: { type: 'object', properties: { q: { type: 'string' } } } },
          { name: 'now' },
        ],
      })
      for (const piece of isWhole ? [tags(round)] : pieces(tags(round))) parser.push(piece)
      parser.end(round.cut === 'aborted' ? 'interrupted' : 'finished')
      return events
    },
  }
}

// ── a provider's blocks ──────────────────────────────────────────────────────────────────────────

/** The JSON text of an input; of one that is cut off, without its end. */
function json(input: Readonly<Record<string, JsonValue>>, isCut: boolean): string {
  const text = JSON.stringify(input)
  return isCut ? text.slice(0, -2) : text
}

function* anthropicStream({ parts, cut }: Round): Generator<object> {
  yield { type: 'message_start', message: { id: 'msg_1', usage: { input_tokens: 1, output_tokens: 1 } } }
  for (const [index, part] of parts.entries()) {
    const isCut = cut !== undefined && index === parts.length - 1
    const delta = (fields: object): object => ({ type: 'content_block_delta', index, delta: fields })
    const begin = (content_block: object): object => ({ type: 'content_block_start', index, content_block })
    if ('think' in part) {
      yield begin({ type: 'thinking', thinking: '', signature: '' })
      for (const thinking of pieces(part.think)) yield delta({ type: 'thinking_delta', thinking })
    } else if ('text' in part) {
      yield begin({ type: 'text', text: '' })
      for (const text of pieces(part.text)) yield delta({ type: 'text_delta', text })
    } else {
      yield begin({ type: 'tool_use', id: part.id, name: part.name, input: {} })
      for (const partial_json of pieces(json(part.input, isCut)))
        yield delta({ type: 'input_json_delta', partial_json })
    }
    if (cut === 'aborted' && isCut) return
    yield { type: 'content_block_stop', index }
  }
  yield {
    type: 'message_delta',
    delta: { stop_reason: cut === undefined ? 'end_turn' : 'max_tokens' },
    usage: {},
  }
  yield { type: 'message_stop' }
}

function anthropicMessage({ parts }: Round): object {
  const content = parts.map((part) => {
    if ('think' in part) return { type: 'thinking', thinking: part.think, signature: 'x' }
    if ('text' in part) return { type: 'text', text: part.text }
    return { type: 'tool_use', id: part.id, name: part.name, input: part.input }
  })
  return { id: 'msg_1', type: 'message', role: 'assistant', content, stop_reason: 'end_turn', usage: {} }
}

function* chatStream({ parts, cut }: Round): Generator<object> {
  const chunk = (delta: object, finish_reason: string | null = null): object => ({
    id: 'chat_1',
    object: 'chat.completion.chunk',
    choices: [{ index: 0, delta, finish_reason }],
  })
  let index = 0
  for (const part of parts) {
    const isCut = cut !== undefined && part === parts.at(-1)
    if ('think' in part) for (const text of pieces(part.think)) yield chunk({ reasoning_content: text })
    else if ('text' in part) for (const text of pieces(part.text)) yield chunk({ content: text })
    else {
      const call = (fields: object): object => chunk({ tool_calls: [{ index, ...fields }] })
      yield call({ id: part.id, type: 'function', function: { name: part.name, arguments: '' } })
      for (const text of pieces(json(part.input, isCut))) yield call({ function: { arguments: text } })
      index++
    }
    if (cut === 'aborted' && isCut) return
  }
  yield chunk({}, cut === undefined ? (index > 0 ? 'tool_calls' : 'stop') : 'length')
}

function chatCompletion({ parts }: Round): object {
  const joined = (key: 'think' | 'text'): string =>
    parts.map((part) => (key in part ? (part as Record<string, string>)[key] : '')).join('')
  const calls = parts.flatMap((part) =>
    'id' in part
      ? [
          {
            id: part.id,
            type: 'function',
            function: { name: part.name, arguments: JSON.stringify(part.input) },
          },
        ]
      : [],
  )
  const message = {
    role: 'assistant',
    content: joined('text') === '' ? null : joined('text'),
    ...(joined('think') !== '' && { reasoning_content: joined('think') }),
    ...(calls.length > 0 && { tool_calls: calls }),
  }
  return {
    id: 'chat_1',
    object: 'chat.completion',
    choices: [{ index: 0, message, finish_reason: calls.length > 0 ? 'tool_calls' : 'stop' }],
  }
}

function provider(
  name: string,
  provider: string,
  isWhole: boolean,
  payloads: (round: Round) => Iterable<object>,
): Wire {
  return {
    name,
    isWhole,
    events(round) {
      const events: SluiceEvent[] = []
      const parser = createProviderParser((event) => events.push(event), {
        provider: findProvider(provider),
      })
      for (const payload of payloads(round)) parser.push(payload)
      parser.end(round.cut === 'aborted' ? 'interrupted' : 'finished')
      return events
    },
  }
}

export const WIRES: readonly Wire[] = [
  prefill(false),
  prefill(true),
  provider('a stream of Anthropic', 'anthropic', false, anthropicStream),
  provider('a whole message of Anthropic', 'anthropic', true, (round) => [anthropicMessage(round)]),
  provider('a stream of Chat Completions', 'openai-chat', false, chatStream),
  provider('a whole Chat Completion', 'openai-chat', true, (round) => [chatCompletion(round)]),
]
