import { describe, expect, test } from 'vitest'
import type { SluiceEvent } from '../../src/base/event.ts'
import { anyProvider, findProvider, findWriter } from '../../src/providers/any.ts'
import {
  anthropic,
  anyProviderOf,
  bedrock,
  createProviderParser,
  createWriter,
  ollama,
  openaiChat,
  openaiChatWriter,
  type Provider,
  type ProviderOptions,
  readProvider,
  restoreProviderParser,
  type WireFormat,
} from '../../src/providers/index.ts'
import { eventsOf, told } from './told.ts'

const HI = { choices: [{ index: 0, delta: { content: 'Hi' }, finish_reason: 'stop' }] }
const code = (code: string, message: string): unknown => expect.objectContaining({ code, message })

describe('without a provider', () => {
  const MISSING =
    "'provider' is missing: pass one of 'sluice/providers', such as { provider: anthropic }, or anyProvider of 'sluice/providers/any', which detects the provider from the first payload."

  test.each<[what: string, read: () => unknown]>([
    // @ts-expect-error: the compiler says so, too.
    ['readProvider has no options', () => readProvider('')],
    // @ts-expect-error
    ['readProvider has other options', () => readProvider('', { start: 'text' })],
    // @ts-expect-error
    ['createProviderParser has no options', () => createProviderParser(() => {})],
  ])('%s', (_, read) => {
    expect(read).toThrow(code('invalid-option', MISSING))
  })

  test('a name says where the value is', () => {
    // @ts-expect-error: a provider is a value.
    expect(() => readProvider('', { provider: 'anthropic' })).toThrow(
      code(
        'invalid-option',
        "'provider' takes a provider and not its name: import it from 'sluice/providers', or pass findProvider(\"anthropic\") from 'sluice/providers/any'.",
      ),
    )
    expect(() => createWriter('openai-chat' as unknown as WireFormat)).toThrow(
      code(
        'invalid-option',
        "A stream is written by a writer and not its name: import it from 'sluice/providers', or pass findWriter(\"openai-chat\") from 'sluice/providers/any'.",
      ),
    )
  })
})

const NAMES =
  'ag-ui, ai-sdk, ai-sdk-ui, anthropic, bedrock, claude-code, codex, cohere, gemini, langchain, ollama, openai-chat, openai-responses'

describe('by name', () => {
  test('a provider is the value that is exported', () => {
    expect(findProvider('openai-chat')).toBe(openaiChat)
    expect(findWriter('openai-chat')).toBe(openaiChatWriter)
  })

  test.each([
    ['antropic', "did you mean 'anthropic'?"],
    ['openaiChat', "did you mean 'openai-chat'?"],
    ['OpenAI-Responses', "did you mean 'openai-responses'?"],
    ['claude', `use one of ${NAMES}.`],
    ['', `use one of ${NAMES}.`],
  ])('%j is none', (name, hint) => {
    expect(() => findProvider(name)).toThrow(
      code('unknown-provider', `There is no provider '${name}'; ${hint}`),
    )
  })

  test('a typo that is written out does not compile', () => {
    // @ts-expect-error
    expect(() => findProvider('antropic')).toThrow()
    // @ts-expect-error
    expect(() => findWriter('cohere')).toThrow(
      code(
        'unknown-provider',
        "Nothing can be written as 'cohere'; use one of ag-ui, ai-sdk-ui, anthropic, gemini, ollama, openai-chat, openai-responses.",
      ),
    )
  })
})

describe('detection', () => {
  test('among some finds these and no others', () => {
    const provider = anyProviderOf([anthropic, openaiChat])
    expect(told(eventsOf([HI], { provider }))).toEqual(['text Hi', 'finish stop (stop)'])
    const line = '{"message":{"content":"Hi"},"done":true}\n'
    expect(told(eventsOf([line], { provider }))).toEqual([
      "error None of the providers anthropic, openai-chat reads this stream. To parse plain text, use sluice() of 'sluice'.",
      'finish error',
    ])
  })

  test('finds an error that no provider claims', () => {
    expect(
      told(eventsOf([{ error: { message: 'No.' } }], { provider: anyProviderOf([ollama, bedrock]) })),
    ).toEqual(['error No.', 'finish error'])
  })

  test.each([[[]], [undefined], [[{}]], [['anthropic']]])('among %j is refused', (list) => {
    expect(() => anyProviderOf(list as unknown as Provider[])).toThrow(
      expect.objectContaining({ code: 'invalid-option' }),
    )
  })

  test('goes on from a snapshot with the provider that was found, and refuses one that it does not know', () => {
    const read = (provider: Provider, other = provider): string[] => {
      const events: SluiceEvent[] = []
      const sink = (event: SluiceEvent): void => void events.push(event)
      const first = createProviderParser(sink, { provider })
      first.push({ choices: [{ index: 0, delta: { content: 'Hi' } }] })
      const snapshot = JSON.parse(JSON.stringify(first.snapshot()))
      const second = restoreProviderParser(snapshot, sink, { provider: other } satisfies ProviderOptions)
      // Where nothing was found yet, this would be another provider's.
      second.push({ ...HI, message: {}, done: true })
      second.end()
      return told(events)
    }
    expect(read(anyProvider)).toEqual(['text Hi|Hi', 'finish stop (stop)'])
    const fewer = anyProviderOf([ollama, anthropic], anyProvider.name)
    expect(() => read(anyProvider, fewer)).toThrow(
      code(
        'invalid-snapshot',
        "This snapshot is damaged: it belongs to a stream of 'openai-chat', which is not one of ollama, anthropic. Restore one that was stored unchanged.",
      ),
    )
  })
})
