import fc from 'fast-check'
import { createToolMiddleware, type FailureMetadata, type PartLike } from 'sluice/ai-sdk'
import { describe, expect, test } from 'vitest'
import { isExecutable } from '../../../src/calls/verdict.ts'
import type { ToolCall } from '../../../src/event.ts'
import { parse } from '../../../src/message.ts'
import { runs, SEED } from '../../effort.ts'
import { ENTRIES, type LawEntry, TOOLS } from '../../laws/entries.ts'
import { edited, editsArbitrary, messageArbitrary } from '../../laws/messages.ts'
import { written } from '../../laws/suite.ts'
import { problemWith } from '../../laws/views/ai-sdk.ts'
import { collect, streamOf } from './models.ts'

const params = { prompt: [], tools: TOOLS.map((tool) => ({ type: 'function', ...tool })) }

interface Response {
  readonly content: PartLike[]
  readonly finishReason: unknown
  readonly errors: [string, FailureMetadata][]
}

function middlewareFor({ dialect }: LawEntry, errors: Response['errors']) {
  let ids = 0
  return createToolMiddleware({
    dialect,
    generateId: () => `call ${++ids}`,
    streams: { write_file: 'content' },
    onError: (...error) => errors.push(error),
  })
}

async function generated(entry: LawEntry, text: string): Promise<Response> {
  const errors: Response['errors'] = []
  const { content, finishReason } = await middlewareFor(entry, errors).wrapGenerate({
    doGenerate: async () => ({ content: [{ type: 'text', text } as PartLike], finishReason: 'stop' }),
    params,
  })
  return { content: [...content], finishReason, errors }
}

async function streamed(entry: LawEntry, text: string, sizes: readonly number[]) {
  const errors: Response['errors'] = []
  const parts: object[] = []
  for (let at = 0, turn = 0; at < text.length; turn++) {
    const size = sizes[turn % sizes.length]!
    parts.push({ type: 'text-delta', id: '0', delta: text.slice(at, at + size) })
    at += size
  }
  const { stream } = await middlewareFor(entry, errors).wrapStream({
    doStream: async () => ({
      stream: streamOf([...parts, { type: 'finish', finishReason: 'stop' }] as PartLike[]),
    }),
    doGenerate: async () => ({ content: [], finishReason: 'stop' }),
    params,
  })
  const said = await collect(stream)
  return { said, response: { ...folded(said), errors } }
}

/** What a stream adds up to. */
function folded(parts: readonly PartLike[]): Pick<Response, 'content' | 'finishReason'> {
  const content: (PartLike & { text?: string })[] = []
  let finishReason: unknown
  for (const part of parts as readonly (PartLike & { delta: string; finishReason: unknown })[]) {
    if (part.type === 'finish') finishReason = part.finishReason
    else if (part.type === 'tool-call') content.push(part)
    else if (part.type === 'text-start') content.push({ type: 'text', text: '' })
    else if (part.type === 'reasoning-start') content.push({ type: 'reasoning', text: '' })
    else if (part.type === 'text-delta' || part.type === 'reasoning-delta') content.at(-1)!.text += part.delta
  }
  return { content, finishReason }
}

/** The AI SDK itself tells the model that there is no such tool, so it gets such a call, if it is well written. */
function isHandedOn(call: ToolCall): boolean {
  return isExecutable(call.error?.code === 'unknown-tool' ? { ...call, status: 'complete' } : call)
}

function brokenTexts(entry: LawEntry, full: number): string[] {
  const valid = fc
    .sample(messageArbitrary(entry), { seed: SEED + 1, numRuns: runs(full) })
    .flatMap((parts) => written(entry, parts) ?? [])
  const edits = fc.sample(editsArbitrary(entry), { seed: SEED + 1, numRuns: valid.length })
  return valid.flatMap((text, index) => [text, edited(text, edits[index]!)])
}

describe.each(ENTRIES)('$name, on documents that were broken at random', (entry) => {
  const texts = brokenTexts(entry, 6)

  test('generate says what stream says, however the stream is cut', async () => {
    for (const text of texts) {
      const whole = await generated(entry, text)
      for (const sizes of [[1], [2, 7, 1, 30]]) {
        const { said, response } = await streamed(entry, text, sizes)
        expect(response, text).toEqual(whole)
        expect(problemWith(said), text).toBeUndefined()
      }
    }
  })

  test('only calls run that the engine would run, and the text of the others is not lost', async () => {
    for (const text of texts) {
      const { content } = await generated(entry, text)
      const { dialect } = entry
      const { toolCalls, parts } = parse(text, { dialect, tools: TOOLS, emit: { raw: true } })
      const calls = content.flatMap((part) =>
        part.type === 'tool-call' ? [JSON.parse((part as PartLike & { input: string }).input)] : [],
      )
      expect(calls, text).toEqual(toolCalls.filter(isHandedOn).map(({ input }) => input))
      const visible = parts.map((part) =>
        part.type === 'text'
          ? part.text
          : part.type === 'result'
            ? part.content
            : part.type === 'call' && !toolCalls.some((call) => call.id === part.id && isHandedOn(call))
              ? part.raw
              : '',
      )
      const shown = content.map((part) =>
        part.type === 'text' ? (part as PartLike & { text: string }).text : '',
      )
      // The closer of a call that failed when it was whole is text, too, and not in the engine's events.
      const withoutMarkers = (said: string): string =>
        entry.markup.reduce((rest, marker) => rest.replaceAll(marker, ''), said)
      expect(withoutMarkers(shown.join('')), text).toBe(withoutMarkers(visible.join('')))
    }
  })
})
