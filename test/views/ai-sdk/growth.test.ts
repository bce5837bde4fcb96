import { createToolMiddleware } from 'sluice/ai-sdk'
import { type Dialect, hermes, morphXml, qwen3Coder } from 'sluice/dialects'
import { expect, test } from 'vitest'
import { request } from './models.ts'

const file = (length: number): string => "if (a < 3 && b > 'x') return `<b>`\n".repeat(length / 35)

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
  ['openers of a tool', morphXml, (length) => '<get_weather>'.repeat(length / 13)],
  ['half a tag', morphXml, (length) => `<write_file><content>${'<a '.repeat(length / 3)}`],
  ['half a marker', qwen3Coder, (length) => '<tool_call><function='.repeat(length / 21)],
  ['half an opener', hermes, (length) => '<tool_cal'.repeat(length / 9)],
]

async function time(dialect: Dialect, text: string): Promise<number> {
  const { wrapGenerate } = createToolMiddleware({ dialect, onError: () => {} })
  const start = process.cpuUsage()
  await wrapGenerate({
    doGenerate: async () => ({ content: [{ type: 'text', text }], finishReason: 'stop' }),
    params: request(),
  })
  const { user, system } = process.cpuUsage(start)
  return user + system
}

test.each(rows)('%s take time in proportion to their length', async (_, dialect, make) => {
  await time(dialect, make(8000))
  let growth = Number.POSITIVE_INFINITY
  for (let round = 0; round < 5 && growth >= 9; round++)
    growth = Math.min(growth, (await time(dialect, make(400_000))) / (await time(dialect, make(100_000))))
  // Linear is 4, quadratic is 16.
  expect(growth).toBeLessThan(9)
})
