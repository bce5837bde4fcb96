/** A model that knows no tools and always says the same, so that the example needs no key and no network. */

import { MockLanguageModelV3 } from 'ai6/test'

const FILE = `# Shopping

- bread
- apples
- a lamp < 40 watts
`

/** What it says: first a call, written in its own words, and when the file is written, a sentence. */
const ANSWERS = [
  `<think>A list will do.</think>I write it down.
<tool_call>
${JSON.stringify({ name: 'write_file', arguments: { path: 'shopping.md', content: FILE } })}
</tool_call>`,
  'The list is in shopping.md.',
]

/** Awaited before each piece of what the model says. */
export type Pace = (piece: string) => Promise<void>

export function scriptedModel(pace: Pace): MockLanguageModelV3 {
  return new MockLanguageModelV3({
    doStream: async ({ prompt }) => {
      const hasAnswer = prompt.some(({ content }) => JSON.stringify(content).includes('<tool_response>'))
      const pieces = ANSWERS[hasAnswer ? 1 : 0]!.match(/[\s\S]{1,5}/g)!.values()
      const stream = new ReadableStream({
        start: (controller) => controller.enqueue({ type: 'text-start', id: '0' }),
        async pull(controller) {
          const { done, value } = pieces.next()
          if (!done) {
            await pace(value)
            controller.enqueue({ type: 'text-delta', id: '0', delta: value })
          } else {
            controller.enqueue({ type: 'text-end', id: '0' })
            controller.enqueue({
              type: 'finish',
              finishReason: { unified: 'stop', raw: 'eos' },
              usage: USAGE,
            })
            controller.close()
          }
        },
      })
      return { stream }
    },
  })
}

const USAGE = {
  inputTokens: { total: undefined, noCache: undefined, cacheRead: undefined, cacheWrite: undefined },
  outputTokens: { total: undefined, text: undefined, reasoning: undefined },
}
