/** Whatever a conversation is like, what is written of it breaks no rule that a provider enforces. */

import { safeValidateUIMessages } from 'ai6'
import fc from 'fast-check'
import { expect, test } from 'vitest'
import type { Fields } from '../../src/base/fields.ts'
import type { CallPart } from '../../src/base/part.ts'
import * as formats from '../../src/providers/named-requests.ts'
import {
  type ConversationMessage,
  type ConversationPart,
  type FilePart,
  type ModelRequest,
  type RequestFormat,
  type Settings,
  type ToolChoice,
  writeRequest,
} from '../../src/providers/requests.ts'
import { checkAnthropic, redact, signThinking } from '../e2e/requests/rules/anthropic.ts'
import { checkGemini, signPart } from '../e2e/requests/rules/gemini.ts'
import { checkOllama } from '../e2e/requests/rules/ollama.ts'
import { checkOpenaiChat } from '../e2e/requests/rules/openai-chat.ts'
import { checkOpenaiResponses, encrypt, Issued } from '../e2e/requests/rules/openai-responses.ts'
import { runs, SEED } from '../effort.ts'

const RULES: readonly [
  name: string,
  format: RequestFormat,
  models: readonly string[],
  check: (body: Fields, model: string) => void,
][] = [
  ['Chat Completions', formats.openaiChatRequest, ['gpt-4.1'], (body) => checkOpenaiChat(body, 'none')],
  [
    'Responses',
    formats.openaiResponsesRequest,
    ['gpt-4.1'],
    (body) => checkOpenaiResponses({ ...body, store: false }, new Issued()),
  ],
  ['Anthropic Messages', formats.anthropicRequest, ['claude-opus-4-5', 'claude-3-haiku'], checkAnthropic],
  ['Gemini', formats.geminiRequest, ['gemini-3-flash', 'gemini-2.5-pro'], checkGemini],
  ['Ollama', formats.ollamaRequest, ['qwen3'], checkOllama],
]

// ── conversations of every kind ──────────────────────────────────────────────────────────────────

const PNG = 'iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mP8z8BQDwAEhQGAhKmMIQAAAABJRU5ErkJggg=='

const said = fc.constantFrom('', ' ', '\n', 'Hello', 'Well. ', '{"a":1}')
const id = fc.constantFrom('a', 'b', 'call.1', 'x'.repeat(70), 'with space', '')
const toolName = fc.constantFrom('ls', 'fs.read', '2nd', 'é', 'y'.repeat(80), '')
const provider = fc.constantFrom(
  undefined,
  'openai-chat',
  'openai-responses',
  'anthropic',
  'gemini',
  'ollama',
)

const text = said.map((text) => ({ type: 'text', text }) as const)
const file: fc.Arbitrary<FilePart> = fc.constantFrom<FilePart>(
  { type: 'file', mediaType: 'image/png', content: { base64: PNG } },
  { type: 'file', mediaType: 'image/*', content: { base64: PNG } },
  { type: 'file', mediaType: 'image/*', content: { url: 'https://example.com/a.png' } },
  { type: 'file', mediaType: 'application/pdf', content: { base64: 'JVBERi0=' }, name: 'a.pdf' },
  { type: 'file', mediaType: 'text/plain', content: { text: 'Hello' } },
  { type: 'file', mediaType: 'text/plain', content: { text: '' } },
  { type: 'file', mediaType: 'text/csv', content: { base64: 'YSxiCg==' } },
  { type: 'file', mediaType: 'audio/wav', content: { base64: 'UklGRg==' } },
  { type: 'file', mediaType: 'image/png', content: { id: 'file_1', provider: 'elsewhere' } },
)
const custom = fc
  .constantFrom('source', 'image', 'part')
  .map((kind) => ({ type: 'custom', kind, value: { type: kind } }) as const)
const call = fc
  .record({
    id,
    toolName,
    input: fc.constantFrom<ConversationPart & { type: 'call' } extends { input: infer I } ? I : never>(
      {},
      { a: 1 },
      'text',
      null,
      [1],
    ),
    providerExecuted: fc.constantFrom(undefined, undefined, undefined, true),
  })
  .map(
    ({ providerExecuted, ...rest }) =>
      ({ type: 'call', ...rest, ...(providerExecuted && { providerExecuted }) }) as const,
  )
const result = fc
  .record({
    id,
    content: fc.oneof(said, fc.array(fc.oneof(text, file, custom), { maxLength: 2 })),
    isError: fc.boolean(),
  })
  .map((rest) => ({ type: 'result', ...rest }) as const)
/** A thought that only its server can read. There is but one of each id. */
const sealed = (itemId: string): ConversationPart => ({
  type: 'reasoning',
  text: 'Hm.',
  metadata: { 'openai-responses': { itemId, encryptedContent: encrypt(itemId) } },
})
const isSealed = (part: ConversationPart): boolean =>
  part.type === 'reasoning' && part.metadata?.['openai-responses'] !== undefined

/** Thoughts that are signed, by each provider in its way, and those that nobody signed. */
const reasoning = fc
  .constantFrom<ConversationPart[]>(
    [{ type: 'reasoning', text: 'Hm.' }],
    [{ type: 'reasoning', text: 'Hm.', metadata: { anthropic: { signature: signThinking('Hm.') } } }],
    [{ type: 'reasoning', text: '', metadata: { anthropic: { redactedData: redact('Hm.') } } }],
    [sealed('rs_1')],
    [{ type: 'reasoning', text: 'Hm.', metadata: { gemini: {} } }],
    [{ type: 'text', text: 'Hm.', metadata: { gemini: { thoughtSignature: signPart({}) } } }],
  )
  .map(([part]) => part!)

const isUsual = ({ id, providerExecuted }: CallPart): boolean => id?.length === 1 && !providerExecuted

const message = fc.oneof(
  fc.record({ role: fc.constant('system' as const), parts: fc.array(text, { maxLength: 2 }) }),
  fc.record({
    role: fc.constant('user' as const),
    parts: fc.array(fc.oneof(text, file, custom, result), { maxLength: 3 }),
  }),
  fc
    .record({
      provider,
      parts: fc.array(fc.oneof(text, call, call, reasoning, reasoning, file, result), {
        maxLength: 5,
      }),
    })
    .map(
      ({ provider, parts }): ConversationMessage => ({
        role: 'assistant',
        model: 'another-model',
        // What a provider ran itself has more to it, and ids of its own it takes.
        parts: provider ? parts.filter((part) => part.type !== 'call' || isUsual(part)) : parts,
        ...(provider && { provider }),
      }),
    ),
  fc.record({ role: fc.constant('tool' as const), parts: fc.array(result, { minLength: 1, maxLength: 3 }) }),
) as fc.Arbitrary<ConversationMessage>

const tools = fc.uniqueArray(toolName, { maxLength: 3 }).map((names) =>
  names
    .filter((name) => name !== '')
    .map((name) => ({
      name,
      inputSchema: { type: 'object', properties: { a: { type: 'number' } }, required: ['a'] },
    })),
)

/** What only some models of a provider take is left to the application, which knows its model. */
const settings: fc.Arbitrary<Settings> = fc.record(
  {
    maxOutputTokens: fc.constantFrom(100, 5000),
    temperature: fc.constantFrom(0, 1),
    topK: fc.constant(40),
    seed: fc.constant(7),
    stopSequences: fc.constantFrom([], ['A'], [' '], [...'ABCDEFG']),
    reasoning: fc.constantFrom(
      { effort: 'low' },
      { effort: 'none' },
      { effort: 'xhigh' },
      { budgetTokens: 2000 },
      { effort: 'high', budgetTokens: 2000 },
    ),
    output: fc.constantFrom({}, { schema: { type: 'object', properties: {} }, name: 'an answer' }),
    parallelToolCalls: fc.boolean(),
    logprobs: fc.constantFrom(true, 3),
    includeUsage: fc.boolean(),
  },
  { requiredKeys: [] },
)

const request = fc
  .record({
    messages: fc.array(message, { minLength: 1, maxLength: 8 }),
    tools,
    which: fc.nat(3),
    settings,
    stream: fc.boolean(),
  })
  .map(({ messages, tools, which, settings, stream }): ModelRequest => {
    const chosen = tools[0]
    const choice: ToolChoice =
      which === 3 && chosen !== undefined
        ? { toolName: chosen.name }
        : (['auto', 'none', 'required', 'auto'] as const)[which]!
    let count = 0
    const numbered = messages.map((message) => ({
      ...message,
      parts: message.parts.map((part) => (isSealed(part) ? sealed(`rs_${++count}`) : part)),
    }))
    return {
      // Whatever came before, in the end somebody asks.
      messages: [...numbered, { role: 'user', parts: [{ type: 'text', text: 'Go on.' }] }],
      tools,
      toolChoice: choice,
      settings,
      stream,
    }
  })

test.each(RULES)('nothing that is written is refused: %s', (_, format, models, check) => {
  fc.assert(
    fc.property(request, fc.constantFrom(...models), (given, model) => {
      const { body } = writeRequest(format, { ...given, model })
      check(JSON.parse(JSON.stringify(body)) as Fields, model)
    }),
    { numRuns: runs(2000), seed: SEED },
  )
})

test.each(RULES)(
  'nothing that is written in the middle of a turn is refused: %s',
  (_, format, models, check) => {
    fc.assert(
      fc.property(request, result, fc.constantFrom(...models), (given, answer, model) => {
        const messages: ConversationMessage[] = [
          ...given.messages,
          { role: 'assistant', parts: [{ type: 'call', id: answer.id, toolName: 'ls', input: {} }] },
          { role: 'tool', parts: [answer] },
        ]
        const { body } = writeRequest(format, { ...given, messages, model })
        check(JSON.parse(JSON.stringify(body)) as Fields, model)
      }),
      { numRuns: runs(1000), seed: SEED },
    )
  },
)

// A page's messages have a published schema, which says all that there is to say about them.
test('messages of a page pass the own check of the AI SDK', async () => {
  await fc.assert(
    fc.asyncProperty(request, async (given) => {
      const { body } = writeRequest(formats.aiSdkUiRequest, given)
      const messages: unknown = JSON.parse(JSON.stringify(body.messages))
      const checked = await safeValidateUIMessages({ messages })
      expect(checked.success, checked.success ? '' : checked.error.message.slice(-2000)).toBe(true)
    }),
    { numRuns: runs(1000), seed: SEED },
  )
})
