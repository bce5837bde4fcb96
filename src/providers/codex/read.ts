/**
 * Codex's `exec --json`, one object per line: what `codex exec --json` writes, and what the Codex SDK yields. Codex runs
 * commands, changes and tools itself.
 *
 *     {"type":"thread.started","thread_id":"t"}
 *     {"type":"item.started","item":{"id":"item_0","type":"command_execution","command":"ls","status":"in_progress"}}
 *     {"type":"item.completed","item":{"id":"item_0","type":"command_execution","command":"ls","aggregated_output":"a.ts","exit_code":0}}
 *     {"type":"item.completed","item":{"id":"item_1","type":"agent_message","text":"Done."}}
 *     {"type":"turn.completed","usage":{"input_tokens":9,"cached_input_tokens":0,"output_tokens":3}}
 */

import { flag, map, optional, resumed, type StateOf } from '../../base/declared-state.ts'
import { type Fields, isFields } from '../../base/fields.ts'
import { MOST_IDS } from '../../base/limits.ts'
import { isBoolean, isCount, isString } from '../../base/plain-state.ts'
import { sliceFromPair } from '../../base/surrogates.ts'
import { under } from '../metadata.ts'
import type { Output } from '../output.ts'
import { fieldsOf, listOf, numberOf, present, resultText, textOf, wordOf } from '../payload-fields.ts'
import type { PayloadReader, Provider } from '../provider.ts'
import { errorIn, ProviderError } from '../provider-error.ts'

const NAME = 'codex'

/** Reads what `codex exec --json` writes, and the events of the Codex SDK. */
export const codex: Provider<typeof NAME> = {
  name: NAME,
  framing: 'lines',
  detect: ({ type, item }) =>
    /^(thread\.started|turn\.(started|completed|failed))$/.test(textOf(type)) ||
    (/^item\.(started|updated|completed)$/.test(textOf(type)) && isFields(item)),
  open: (out, saved) => new CodexReader(out, resumed(STATE, saved)),
}

const STATE = {
  /** How much of the text of an item was read: it comes whole each time. */
  lengths: map(isString, isCount),
  /** A turn is over. */
  isOver: flag,
  /** The calls that are not answered, and whether their input is still to come. */
  calls: map(isString, isBoolean),
  /** The last error. The turn may go on after it. */
  failure: optional(isString),
}
type CodexState = StateOf<typeof STATE>

/** A call that Codex ran, with its answer if it has one. */
interface Ran {
  readonly name: string | undefined
  /** Undefined until it is known. */
  readonly input: object | undefined
  readonly server?: string | undefined
  readonly answer?: { readonly content: string; readonly isError: boolean } | undefined
}

class CodexReader implements PayloadReader {
  readonly state: CodexState
  private readonly out: Output

  constructor(out: Output, state: CodexState) {
    this.out = out
    this.state = state
  }

  read(payload: Fields): void {
    const { out, state } = this
    switch (payload.type) {
      case 'thread.started':
        out.metadata(under(NAME, { threadId: wordOf(payload.thread_id) }))
        return
      case 'turn.started':
        // Another turn may count its items from the start.
        if (state.isOver) state.lengths.clear()
        state.isOver = false
        return
      case 'item.started':
      case 'item.updated':
      case 'item.completed':
        this.readItem(fieldsOf(payload.item), payload.type === 'item.completed')
        return
      case 'turn.completed':
        state.failure = null
        state.isOver = true
        readUsage(fieldsOf(payload.usage), out)
        out.over()
        return
    }
    const error = errorIn(payload, NAME)
    if (error === undefined) out.unknown(textOf(payload.type) || 'payload', payload)
    else if (payload.type === 'error') {
      // Codex reports a connection that it lost in the same words, and tries again.
      state.failure = error.message
      out.custom('error', payload)
    } else {
      state.failure = null
      out.error(error)
    }
  }

  end(): void {
    const { failure } = this.state
    if (failure !== null) this.out.error(new ProviderError(NAME, failure, undefined, undefined))
  }

  private readItem(item: Fields, isCompleted: boolean): void {
    const { out } = this
    const id = textOf(item.id)
    const type = textOf(item.type)
    if (type === 'agent_message') {
      out.text(this.added(id, textOf(item.text), isCompleted), { place: id })
      if (isCompleted) out.endText()
    } else if (type === 'reasoning') {
      out.reasoning(this.added(id, textOf(item.text), isCompleted), { place: id })
      if (isCompleted) out.endReasoning()
    } else {
      const ran = ranIn(type, item, isCompleted)
      if (ran !== undefined) this.readCall(id, ran, isCompleted)
      else if (isCompleted || type === 'todo_list') out.custom(type || 'item', item)
    }
  }

  /** The part of a text that is new. */
  private added(id: string, text: string, isCompleted: boolean): string {
    const { lengths } = this.state
    const length = lengths.get(id) ?? 0
    lengths.delete(id)
    // Without an id the next item would be taken for this one.
    if (!isCompleted || id !== '') lengths.set(id, Math.max(length, text.length))
    if (lengths.size > MOST_IDS) lengths.delete(lengths.keys().next().value!)
    // A text that changed may have a pair there.
    return sliceFromPair(text, length)
  }

  private readCall(id: string, { name, input, server, answer }: Ran, isCompleted: boolean): void {
    const { out, state } = this
    const isOpen = state.calls.get(id) ?? true
    if (!state.calls.has(id) || (isOpen && input !== undefined)) {
      out.call({ id, name, arguments: input, providerExecuted: true, metadata: under(NAME, { server }) })
      if (input !== undefined) out.endCall(id)
    }
    state.calls.set(id, input === undefined)
    if (state.calls.size > MOST_IDS) state.calls.delete(state.calls.keys().next().value!)
    if (!isCompleted) return
    state.calls.delete(id)
    if (answer !== undefined) out.result({ id, toolName: name, ...answer })
  }
}

/** The call that an item is; undefined for other items. */
function ranIn(type: string, item: Fields, isCompleted: boolean): Ran | undefined {
  const isError = item.status === 'failed'
  switch (type) {
    case 'command_execution': {
      const exitCode = numberOf(item.exit_code)
      const answer = { content: textOf(item.aggregated_output), isError: isError || (exitCode ?? 0) !== 0 }
      return { name: type, input: present({ command: item.command }) ?? {}, answer }
    }
    case 'file_change': {
      const answer = { content: textOf(item.status), isError }
      return { name: type, input: { changes: listOf(item.changes) }, answer }
    }
    case 'mcp_tool_call': {
      const error = wordOf(fieldsOf(item.error).message)
      const content = error ?? resultText(fieldsOf(item.result).content)
      return {
        name: wordOf(item.tool),
        input: fieldsOf(item.arguments),
        server: wordOf(item.server),
        answer: { content, isError: isError || error !== undefined },
      }
    }
    case 'web_search':
      // The query is known when the search is over.
      return { name: type, input: isCompleted ? (present({ query: item.query }) ?? {}) : undefined }
    default:
      return undefined
  }
}

function readUsage(usage: Fields, out: Output): void {
  out.usage({
    inputTokens: numberOf(usage.input_tokens),
    outputTokens: numberOf(usage.output_tokens),
    reasoningTokens: numberOf(usage.reasoning_output_tokens),
    cachedInputTokens: numberOf(usage.cached_input_tokens),
    cacheWriteInputTokens: numberOf(usage.cache_write_input_tokens),
  })
}
