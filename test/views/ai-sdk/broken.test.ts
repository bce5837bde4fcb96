import fc from 'fast-check'
import { createToolMiddleware, type FailureChoices, type FailureMetadata, type PartLike } from 'sluice/ai-sdk'
import { describe, expect, test } from 'vitest'
import type { JsonValue, ToolCall } from '../../../src/base/event.ts'
import { isExecutable } from '../../../src/engine/calls/verdict.ts'
import { parse } from '../../../src/engine/message.ts'
import { stringify } from '../../../src/values/numbers/stringify.ts'
import { coerceValue } from '../../../src/values/schema/coerce-value.ts'
import type { JsonSchema } from '../../../src/values/schema/json-schema.ts'
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

function middlewareFor({ dialect }: LawEntry, errors: Response['errors'], failures: FailureChoices = {}) {
  let ids = 0
  return createToolMiddleware({
    dialect,
    failures,
    generateId: () => `call-${++ids}`,
    streams: { write_file: 'content' },
    onError: (...error) => errors.push(error),
  })
}

async function generated(
  entry: LawEntry,
  text: string,
  failures?: FailureChoices,
  tools: readonly PartLike[] = params.tools,
): Promise<Response> {
  const errors: Response['errors'] = []
  const { content, finishReason } = await middlewareFor(entry, errors, failures).wrapGenerate({
    doGenerate: async () => ({ content: [{ type: 'text', text } as PartLike], finishReason: 'stop' }),
    params: { ...params, tools },
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

/** Deltas say what the model wrote, and the call has the types of its schema. */
const isCoerced = (said: string, { toolName, input }: { toolName: string; input: string }): boolean =>
  input === stringify(inputToRunWith({ toolName, input: JSON.parse(said) } as ToolCall))

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

/** The input as whoever runs the call prepares it. */
function inputToRunWith({ toolName, input }: ToolCall): JsonValue {
  const { inputSchema } = TOOLS.find(({ name }) => name === toolName) ?? {}
  return inputSchema === undefined ? input : coerceValue(input, inputSchema as JsonSchema).value
}

interface EmittedCall extends PartLike {
  readonly input: string
  readonly providerMetadata?: { readonly sluice: { readonly text: string; readonly reason: string } }
}

const callsOf = (content: readonly PartLike[]): EmittedCall[] =>
  content.filter((part): part is EmittedCall => part.type === 'tool-call')

const failedText = (part: PartLike): string | undefined => (part as EmittedCall).providerMetadata?.sluice.text

const textOf = (part: PartLike): string => (part as PartLike & { text: string }).text

/** Text and reasoning, and the text of calls that cannot run in its place. */
function writtenIn(content: readonly PartLike[]): string {
  return content.map((part) => (part.type === 'tool-call' ? (failedText(part) ?? '') : textOf(part))).join('')
}

/** What is left of a text from the first character on that is not there in this order. */
function firstMissing(searched: string, text: string): string {
  let at = 0
  for (let index = 0; index < searched.length; index++) {
    at = text.indexOf(searched[index]!, at) + 1
    if (at === 0) return searched.slice(index)
  }
  return ''
}

const every = (choice: 'emit' | 'text' | 'drop'): FailureChoices => ({
  malformed: choice,
  truncated: choice,
  guessed: choice,
  // In all modes alike: emitted, its input is the one that it has.
  'unknown-tool': choice === 'drop' ? 'drop' : 'text',
})

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
        expect(problemWith(said, isCoerced), text).toBeUndefined()
      }
    }
  })

  test('only calls run that the engine would run, and no other has an input that is JSON', async () => {
    for (const text of texts) {
      const { content } = await generated(entry, text)
      const { dialect } = entry
      const { toolCalls } = parse(text, { dialect, tools: TOOLS })
      const [failed, handedOn] = [true, false].map((hasFailed) =>
        callsOf(content).filter((call) => (failedText(call) !== undefined) === hasFailed),
      )
      expect(
        handedOn!.map(({ input }) => JSON.parse(input)),
        text,
      ).toEqual(toolCalls.filter(isHandedOn).map(inputToRunWith))
      for (const { input } of failed!) {
        expect(() => JSON.parse(input), text).toThrow(SyntaxError)
        expect(input.trim(), text).not.toBe('')
      }
    }
  })

  test('no text is lost or doubled, whatever becomes of calls that fail', async () => {
    for (const text of texts) {
      const { dialect } = entry
      const { parts, toolCalls } = parse(text, { dialect, tools: TOOLS, emit: { raw: true } })
      const asText = await generated(entry, text, every('text'))
      const emitted = await generated(entry, text, every('emit'))
      const dropped = await generated(entry, text, every('drop'))
      const said = writtenIn(asText.content)
      expect(writtenIn(emitted.content), text).toBe(said)
      // Every failure is reported, in each mode once.
      const told = ({ errors }: Response): unknown[] =>
        errors.map(([message, { toolCall, reason }]) => [message, reason, toolCall])
      expect(told(emitted), text).toEqual(told(asText))
      expect(told(dropped), text).toEqual(told(asText))
      // A call that failed comes back as it was written.
      let from = 0
      for (const [, { toolCall, toolName }] of asText.errors) {
        if (toolName === '') continue
        const at = text.indexOf(toolCall, from)
        expect(at, `${toolCall} in ${text}`).toBeGreaterThanOrEqual(from)
        from = at + toolCall.length
      }
      const visible = parts.map((part) =>
        part.type === 'text'
          ? part.text
          : part.type === 'result'
            ? part.content
            : part.type === 'call' && !toolCalls.some((call) => call.id === part.id && isExecutable(call))
              ? part.raw
              : '',
      )
      expect(firstMissing(visible.join(''), said), text).toBe('')
      expect(firstMissing(said, text), text).toBe('')
    }
  })

  test('calls of tools that are not there are the text that the model wrote, to the character', async () => {
    for (const text of texts.filter((_, index) => index % 2 === 0)) {
      const tools = [{ type: 'function', name: 'nothing', inputSchema: {} }]
      const { parts, finish } = parse(text, { dialect: entry.dialect, tools })
      const isPlain = parts.every(({ type }) => type === 'text' || type === 'call')
      // A token that ends the turn ends the text. Without a call, nothing but the engine decides what is text.
      const hasCall = parts.some(({ type }) => type === 'call')
      if (!isPlain || !hasCall || finish.rawReason !== undefined) continue
      const { content } = await generated(entry, text, every('text'), tools)
      expect(writtenIn(content), text).toBe(text)
    }
  })
})
