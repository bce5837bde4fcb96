import { createOpenAICompatible } from '@ai-sdk/openai-compatible'
import { stepCountIs, streamText, tool, wrapLanguageModel } from 'ai6'
import { morphXmlMiddleware } from 'sluice/ai-sdk'
import { expect, test } from 'vitest'
import { z } from 'zod'

/** A server that speaks OpenAI's protocol and knows no tools: it answers with deltas of text. */
function answering(answers: readonly (readonly object[])[]) {
  const requests: Record<string, unknown>[] = []
  const fetch = async (_: unknown, init?: { body?: unknown }): Promise<Response> => {
    const deltas = answers[requests.length]!
    requests.push(JSON.parse(String(init?.body)) as Record<string, unknown>)
    const chunks = [
      ...deltas.map((delta) => ({ choices: [{ index: 0, delta, finish_reason: null }] })),
      { choices: [{ index: 0, delta: {}, finish_reason: 'stop' }] },
    ]
    const body = chunks.map((chunk) => `data: ${JSON.stringify({ id: 'r', ...chunk })}\n\n`)
    return new Response(`${body.join('')}data: [DONE]\n\n`, {
      headers: { 'content-type': 'text/event-stream' },
    })
  }
  return { fetch: fetch as typeof globalThis.fetch, requests }
}

test('a real provider is asked for no tools, and its text becomes calls', async () => {
  const { fetch, requests } = answering([
    [
      { role: 'assistant', reasoning_content: 'A file.' },
      { content: 'I write.\n<write_' },
      { content: 'file><path>a.md</pa' },
      { content: 'th><content>a < b' },
      { content: '</content></write_file>' },
    ],
    [{ content: 'Done.' }],
  ])
  const provider = createOpenAICompatible({ name: 'plain', baseURL: 'http://localhost/v1', fetch })
  const result = streamText({
    model: wrapLanguageModel({ model: provider('small'), middleware: morphXmlMiddleware }),
    tools: {
      write_file: tool({
        inputSchema: z.object({ path: z.string(), content: z.string() }),
        execute: async ({ path, content }) => `${path}: ${content}`,
      }),
    },
    system: 'Be kind.',
    prompt: 'Go.',
    stopWhen: stepCountIs(2),
  })
  const [first, second] = await result.steps
  expect(first).toMatchObject({ text: 'I write.\n', reasoningText: 'A file.', finishReason: 'tool-calls' })
  expect(first!.toolResults.map(({ output }) => output)).toEqual(['a.md: a < b'])
  expect(second!.text).toBe('Done.')
  for (const request of requests) {
    expect(request).not.toHaveProperty('tools')
    expect(request).not.toHaveProperty('tool_choice')
  }
  const [system, ...turns] = requests[1]!.messages as { role: string; content: string }[]
  expect(system!.content).toMatch(/^Be kind\.\n\n# Tools/)
  expect(turns.map(({ role, content }) => [role, content])).toEqual([
    ['user', 'Go.'],
    ['assistant', 'I write.\n<write_file>\n<path>a.md</path>\n<content>a &lt; b</content>\n</write_file>'],
    ['user', '<tool_response>a.md: a &lt; b</tool_response>'],
  ])
})
