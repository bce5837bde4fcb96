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
  readonly rawInput?: unknown
}

export interface SeenOfFailed {
  /** The parts of the message on a page when all is over, without ids. */
  readonly page: readonly unknown[]
  /** What the tool was run with. */
  readonly ran: readonly unknown[]
  /** What the model was given after each step. */
  readonly steps: readonly unknown[]
  /** What it is given when the page sends the whole conversation again. */
  readonly nextTurn: unknown
  /** Whether a page that answers calls by itself would wait for the one that failed beside the good one. */
  readonly waits: boolean
}

const user = (...texts: string[]): object => ({
  role: 'user',
  content: texts.map((text) => ({ type: 'text', text })),
})
const assistant = (text: string): object => ({ role: 'assistant', content: [{ type: 'text', text }] })

const TWICE =
  "The call of `get_weather` is not valid. The arguments have the key 'city' twice. It was not run. Send the whole call again with each argument once."
const CUT_OFF =
  'The call of `get_weather` was cut off: the argument `city` ends at "Ber". It was not run. Send the whole call again with all of its markers.'

const NEXT_STEP = [
  user('Go.'),
  assistant(`Two. ${BAD}\n<tool_call>\n{"name":"get_weather","arguments":{"city":"Paris"}}\n</tool_call>`),
  user(`<tool_response>Error: ${TWICE}</tool_response>\n<tool_response>clear in Paris</tool_response>`),
]
const AFTER_CUT = [
  ...NEXT_STEP,
  assistant(`Now ${CUT}`),
  user(`<tool_response>Error: ${CUT_OFF}</tool_response>`),
]

export const EXPECTED_OF_FAILED: SeenOfFailed = {
  page: [
    { type: 'step-start' },
    { type: 'text', state: 'done', text: 'Two. ' },
    { type: 'tool-get_weather', state: 'output-error', input: `${BAD}\nError: ${TWICE}` },
    { type: 'tool-get_weather', state: 'output-available', input: { city: 'Paris' } },
    { type: 'step-start' },
    { type: 'text', state: 'done', text: 'Now ' },
    { type: 'tool-get_weather', state: 'output-error', input: `${CUT}\nError: ${CUT_OFF}` },
    { type: 'step-start' },
    { type: 'text', state: 'done', text: 'Well.' },
  ],
  ran: ['Paris'],
  steps: [NEXT_STEP, AFTER_CUT],
  nextTurn: [...AFTER_CUT, assistant('Well.'), user('And?')],
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
  const { model, prompts } = major.model([`Two. ${BAD}${GOOD}`, `Now ${CUT}`, 'Well.', 'Bye.'])
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
  const [, afterBad, afterCut, nextTurn] = prompts.map(
    (prompt) => JSON.parse(JSON.stringify((prompt as unknown[]).slice(1))) as unknown,
  )
  return {
    page: message.parts.map(({ type, state, text, input, rawInput }) =>
      // Before ai 7 an input that could not be read has a field of its own.
      JSON.parse(JSON.stringify({ type, state, text, input: rawInput ?? input })),
    ),
    ran,
    steps: [afterBad, afterCut],
    nextTurn,
    waits: !major.lastAssistantMessageIsCompleteWithToolCalls({
      messages: [{ ...message, parts: message.parts.slice(0, 4) }],
    }),
  }
}
