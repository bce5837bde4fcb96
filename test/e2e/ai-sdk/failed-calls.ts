/** What a chat sees of a call that failed when it had been announced, as plain data, in every major of the AI SDK. */

import type { Major } from './majors.ts'

const BAD = '<tool_call>{"name": "get_weather", "arguments": {"city": "Rome", "city": "Oslo"}}</tool_call>'
const GOOD = '<tool_call>{"name": "get_weather", "arguments": {"city": "Paris"}}</tool_call>'
const CUT = '<tool_call>{"name": "get_weather", "arguments": {"city": "Ber'

interface UiPart {
  readonly type: string
  readonly state?: string
  readonly text?: string
  readonly input?: unknown
}

export interface SeenOfFailed {
  /** The parts of the message on a page when all is over, without ids. */
  readonly page: readonly unknown[]
  /** What the tool was run with. */
  readonly ran: readonly unknown[]
  /** What the model was given after the good call. */
  readonly nextStep: unknown
  /** What it is given when the page sends the whole conversation again. */
  readonly nextTurn: unknown
  /** Whether a page that answers calls by itself would wait for the one that failed beside the good one. */
  readonly waits: boolean
}

const user = (text: string): object => ({ role: 'user', content: [{ type: 'text', text }] })
export const EXPECTED_OF_FAILED: SeenOfFailed = {
  page: [
    { type: 'step-start' },
    { type: 'text', state: 'done', text: 'Two. ' },
    { type: 'tool-get_weather', state: 'output-error', input: { city: 'Oslo' } },
    { type: 'text', state: 'done', text: BAD },
    { type: 'tool-get_weather', state: 'output-available', input: { city: 'Paris' } },
    { type: 'step-start' },
    { type: 'text', state: 'done', text: 'Now ' },
    { type: 'tool-get_weather', state: 'output-error', input: { city: 'Ber' } },
    { type: 'text', state: 'done', text: CUT },
  ],
  ran: ['Paris'],
  nextStep: [
    user('Go.'),
    {
      role: 'assistant',
      content: [
        {
          type: 'text',
          text: `Two. \n${BAD}\n<tool_call>\n{"name":"get_weather","arguments":{"city":"Paris"}}\n</tool_call>`,
        },
      ],
    },
    user('<tool_response>clear in Paris</tool_response>'),
  ],
  nextTurn: [
    user('Go.'),
    {
      role: 'assistant',
      content: [
        {
          type: 'text',
          text: `Two. \n${BAD}\n<tool_call>\n{"name":"get_weather","arguments":{"city":"Paris"}}\n</tool_call>`,
        },
      ],
    },
    user('<tool_response>clear in Paris</tool_response>'),
    {
      role: 'assistant',
      content: [
        { type: 'text', text: 'Now ' },
        { type: 'text', text: CUT },
      ],
    },
    user('And?'),
  ],
  waits: false,
}

export async function seeFailed(major: Major): Promise<SeenOfFailed> {
  const ran: unknown[] = []
  const tools = {
    get_weather: major.tool({
      inputSchema: major.jsonSchema({ type: 'object', properties: { city: { type: 'string' } } }),
      execute: async ({ city }: { city: string }) => {
        ran.push(city)
        return `clear in ${city}`
      },
    }),
  }
  const { model, prompts } = major.model([`Two. ${BAD}${GOOD}`, `Now ${CUT}`, 'Well.'])
  const wrapped = major.wrap(model)
  const result = major.streamText({ model: wrapped, tools, prompt: 'Go.', stopWhen: major.stepCountIs(5) })
  let message: { readonly parts: readonly UiPart[] } = { parts: [] }
  for await (const state of major.readUIMessageStream({ stream: result.toUIMessageStream() })) message = state
  const [asked] = await major.convertToModelMessages([
    { role: 'user', parts: [{ type: 'text', text: 'Go.' }] },
  ])
  const past = await major.convertToModelMessages([message])
  await major.generateText({
    model: wrapped,
    tools,
    messages: [asked, ...past, { role: 'user', content: 'And?' }],
  })
  const [, nextStep, nextTurn] = prompts.map(
    (prompt) => JSON.parse(JSON.stringify((prompt as unknown[]).slice(1))) as unknown,
  )
  return {
    page: message.parts.map(({ type, state, text, input }) =>
      JSON.parse(JSON.stringify({ type, state, text, input })),
    ),
    ran,
    nextStep,
    nextTurn,
    waits: !major.lastAssistantMessageIsCompleteWithToolCalls({
      messages: [{ ...message, parts: message.parts.slice(0, 5) }],
    }),
  }
}
