import { createToolMiddleware, type PartLike, type UiChunkLike, UiEventReader } from 'sluice/ai-sdk'
import { type Dialect, hermes, morphXml, qwen3Coder } from 'sluice/dialects'
import { expect, test } from 'vitest'
import { growthOf, MOST_GROWTH } from '../../growth.ts'
import { collect, request, streamOf } from './models.ts'

const file = (length: number): string => "if (a < 3 && b > 'x') return `<b>`\n".repeat(length / 35)

const FAILED = '<tool_call>{"name": "get_weather", "arguments": {"a": 1, "a": 2}}\n</tool_call>'

/** Texts that grow: one long argument in small pieces, and what would freeze a parser that looks back. */
const rows: [what: string, dialect: Dialect, text: (length: number) => string][] = [
  [
    'a file in JSON',
    hermes,
    (length) =>
      `<tool_call>${JSON.stringify({ name: 'write_file', arguments: { path: 'a', content: file(length) } })}</tool_call>`,
  ],
  [
    'a file in an element',
    morphXml,
    (length) => `<write_file><content>${file(length)}</content></write_file>`,
  ],
  ['openers of calls', hermes, (length) => '<tool_call>'.repeat(length / 11)],
  ['calls that cannot be read', hermes, (length) => '<tool_call>x</tool_call>'.repeat(length / 24)],
  ['calls that are cut short', hermes, (length) => '<tool_call>{"name": "write_file"'.repeat(length / 32)],
  ['calls that fail', hermes, (length) => FAILED.repeat(length / FAILED.length)],
  ['white space behind a call that failed', hermes, (length) => FAILED + '\n'.repeat(length)],
  ['white space that goes on as text', hermes, (length) => `${FAILED}${'\n'.repeat(length)}x`],
  ['openers of a tool', morphXml, (length) => '<get_weather>'.repeat(length / 13)],
  ['half a tag', morphXml, (length) => `<write_file><content>${'<a '.repeat(length / 3)}`],
  ['half a marker', qwen3Coder, (length) => '<tool_call><function='.repeat(length / 21)],
  ['half an opener', hermes, (length) => '<tool_cal'.repeat(length / 9)],
]

test.each(rows)('%s take work in proportion to their length', async (_, dialect, make) => {
  const growth = await growthOf(async (length) => {
    const { wrapGenerate } = createToolMiddleware({ dialect, onError: () => {} })
    await wrapGenerate({
      doGenerate: async () => ({ content: [{ type: 'text', text: make(length) }], finishReason: 'stop' }),
      params: request(),
    })
  }, 100_000)
  expect(growth).toBeLessThan(MOST_GROWTH)
})

test.each([
  ['white space', '\n'],
  ['text', 'x'],
])(
  '%s behind a call that failed takes work in proportion to its length when it is streamed',
  async (_, piece) => {
    const growth = await growthOf(async (length) => {
      const { wrapStream } = createToolMiddleware({ dialect: hermes })
      const deltas = [FAILED, ...Array.from({ length }, () => piece)]
      const { stream } = await wrapStream({
        doStream: async () => ({
          stream: streamOf(deltas.map((delta) => ({ type: 'text-delta', id: '0', delta }) as PartLike)),
        }),
        doGenerate: async () => ({ content: [], finishReason: 'stop' }),
        params: request(),
      })
      await collect(stream)
    }, 5_000)
    expect(growth).toBeLessThan(MOST_GROWTH)
  },
)

function read(chunks: readonly UiChunkLike[]): void {
  const reader = new UiEventReader(() => {})
  for (const chunk of chunks) reader.add(chunk)
  reader.end()
}

test('many blocks of one id take work in proportion to their number', async () => {
  const block = ['text-start', 'text-end'].map((type) => ({ type, id: '0' }) as UiChunkLike)
  const growth = await growthOf((length) => read(Array.from({ length }, () => block).flat()), 5_000)
  expect(growth).toBeLessThan(MOST_GROWTH)
})

test('a long input takes work in proportion to its length', async () => {
  const start = { type: 'tool-input-start', toolCallId: 'c', toolName: 'write_file' }
  const delta = (inputTextDelta: string) =>
    ({ type: 'tool-input-delta', toolCallId: 'c', inputTextDelta }) as UiChunkLike
  const growth = await growthOf((length) => {
    read([start, delta('{"content": "'), ...Array.from({ length: length / 4 }, () => delta('abcd'))])
  }, 200_000)
  expect(growth).toBeLessThan(MOST_GROWTH)
})
