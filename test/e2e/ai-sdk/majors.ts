/** What must hold in every major of the AI SDK, told as plain data, so that any Node can run it and any test judge it. */

const STEPS = [
  '<think>Where?</think>I look. <tool_call>{"name": "get_weather", "arguments": {"city": "Paris"}}</tool_call>',
  'It is clear.',
]

const TOOL_SCHEMA = {
  type: 'object',
  properties: { city: { type: 'string' } },
  required: ['city'],
  additionalProperties: false,
} as const

/** Everything that is seen, in the same terms for every major. */
interface Seen {
  /** Types of the parts of the full stream, each once in a row. */
  readonly parts: readonly string[]
  readonly streamed: Told
  readonly generated: Told
  /** The last prompt as the model got it. */
  readonly prompt: unknown
  /** What a tool was run with when its call was cut off. */
  readonly ranWhenCutOff: readonly unknown[]
  /** What the model was told of it. */
  readonly toldWhenCutOff: unknown
  /** Results when a tool had to be called, streamed and not. */
  readonly required: readonly unknown[]
}

interface Told {
  readonly text: string
  readonly reasoning: string | undefined
  readonly reasons: readonly string[]
  readonly outputs: readonly unknown[]
}

const TOLD: Told = {
  text: 'It is clear.',
  reasoning: 'Where?',
  reasons: ['tool-calls', 'stop'],
  outputs: ['clear in Paris'],
}

export const EXPECTED: Seen = {
  parts: [
    'start',
    'start-step',
    'reasoning-start',
    'reasoning-delta',
    'reasoning-end',
    'text-start',
    'text-delta',
    'text-end',
    'tool-input-start',
    'tool-input-delta',
    'tool-input-end',
    'tool-call',
    'tool-result',
    'finish-step',
    'start-step',
    'text-start',
    'text-delta',
    'text-end',
    'finish-step',
    'finish',
  ],
  streamed: TOLD,
  generated: TOLD,
  prompt: [
    { role: 'user', content: [{ type: 'text', text: 'Go.' }] },
    {
      role: 'assistant',
      content: [
        { type: 'reasoning', text: 'Where?' },
        {
          type: 'text',
          text: 'I look. <tool_call>\n{"name":"get_weather","arguments":{"city":"Paris"}}\n</tool_call>',
        },
      ],
    },
    { role: 'user', content: [{ type: 'text', text: '<tool_response>clear in Paris</tool_response>' }] },
  ],
  ranWhenCutOff: [],
  toldWhenCutOff:
    '<tool_response>Error: The call of `get_weather` was cut off: the argument `city` ends at "Par". It was not run. Send the whole call again with all of its markers.</tool_response>',
  required: ['clear in Paris', 'clear in Paris'],
}

/** As much of the AI SDK as is used here. The majors name and type it differently, so the caller vouches for it. */
export interface Major {
  readonly wrap: (model: unknown) => unknown
  /** A model that streams this. */
  readonly modelOf: (doStream: () => Promise<{ readonly stream: unknown }>) => unknown
  /** A model that gives these answers, or those to its prompts; and the prompts it has been given. */
  readonly model: (answers: readonly string[] | ((prompt: unknown) => string)) => {
    readonly model: unknown
    readonly prompts: unknown[]
  }
  readonly streamText: (options: object) => {
    readonly fullStream: AsyncIterable<{ readonly type: string }>
    readonly steps: PromiseLike<readonly Step[]>
    readonly text: PromiseLike<string>
    toUIMessageStream(): ReadableStream<{ readonly type: string }>
  }
  readonly readUIMessageStream: (options: object) => AsyncIterable<{
    readonly parts: readonly { readonly type: string }[]
  }>
  readonly convertToModelMessages: (messages: readonly object[]) => object[] | PromiseLike<object[]>
  readonly lastAssistantMessageIsCompleteWithToolCalls: (options: object) => boolean
  readonly generateText: (
    options: object,
  ) => PromiseLike<{ readonly steps: readonly Step[]; readonly text: string }>
  readonly tool: (options: object) => unknown
  readonly jsonSchema: (schema: object) => unknown
  readonly stepCountIs: (steps: number) => unknown
}

interface Step {
  readonly finishReason: string
  readonly text: string
  readonly reasoningText?: string | undefined
  readonly toolCalls: readonly unknown[]
  readonly toolResults: readonly { readonly output: unknown }[]
}

const told = (steps: readonly Step[]): Told => ({
  text: steps.at(-1)!.text,
  reasoning: steps[0]!.reasoningText,
  reasons: steps.map(({ finishReason }) => finishReason),
  outputs: steps.flatMap(({ toolResults }) => toolResults.map(({ output }) => output)),
})

const lastText = (prompts: readonly unknown[]): unknown =>
  (prompts.at(-1) as { content: { text: string }[] }[]).at(-1)?.content[0]?.text

export async function see(major: Major): Promise<Seen> {
  const ran: unknown[] = []
  const tools = {
    get_weather: major.tool({
      description: 'The weather of a city.',
      inputSchema: major.jsonSchema(TOOL_SCHEMA),
      execute: async ({ city }: { city: string }) => {
        ran.push(city)
        return `clear in ${city}`
      },
    }),
  }
  const ask = (answers: readonly string[], more: object = {}) => {
    const { model, prompts } = major.model(answers)
    const options = {
      model: major.wrap(model),
      tools,
      prompt: 'Go.',
      stopWhen: major.stepCountIs(3),
      ...more,
    }
    return { options, prompts }
  }
  const { options, prompts } = ask(STEPS)
  const streamed = major.streamText(options)
  const parts: string[] = []
  for await (const { type } of streamed.fullStream) if (parts.at(-1) !== type) parts.push(type)
  const generated = await major.generateText(ask(STEPS).options)
  ran.length = 0
  const cutOff = ask(['<tool_call>{"name": "get_weather", "arguments": {"city": "Par', 'Oh.'])
  await major.generateText(cutOff.options)
  const ranWhenCutOff = [...ran]
  const answer = '{"name": "get_weather", "arguments": {"city": "Paris"}}'
  const must = () => ask([answer], { toolChoice: 'required', stopWhen: major.stepCountIs(1) }).options
  return {
    parts,
    streamed: told(await streamed.steps),
    generated: told(generated.steps),
    prompt: JSON.parse(JSON.stringify((prompts.at(-1) as unknown[]).slice(1))) as unknown,
    ranWhenCutOff,
    toldWhenCutOff: lastText(cutOff.prompts),
    required: [
      ...told(await major.streamText(must()).steps).outputs,
      ...told((await major.generateText(must())).steps).outputs,
    ],
  }
}

/**
 * Whether a long argument is heard of before its second half is written: the model waits for that. One that is held
 * back until the call is whole is never heard of.
 */
export async function hearsEarly(major: Major): Promise<boolean> {
  const half = 'x'.repeat(200)
  const text = `<tool_call>{"name": "write_file", "arguments": {"content": "${half}${half}"}}</tool_call>`
  let hear = (): void => {}
  const heard = new Promise<void>((resolve) => {
    hear = resolve
  })
  const stream = new ReadableStream<object>({
    async start(controller) {
      const middle = text.indexOf('x') + half.length
      controller.enqueue({ type: 'text-start', id: '0' })
      for (let at = 0; at < text.length; at++) {
        if (at === middle) await heard
        controller.enqueue({ type: 'text-delta', id: '0', delta: text[at] })
      }
      controller.enqueue({ type: 'text-end', id: '0' })
      controller.close()
    },
  })
  const inputSchema = major.jsonSchema({ type: 'object', properties: { content: { type: 'string' } } })
  const result = major.streamText({
    model: major.wrap(major.modelOf(async () => ({ stream }))),
    tools: { write_file: major.tool({ inputSchema }) },
    prompt: 'Go.',
  })
  let input = ''
  let calls = 0
  for await (const part of result.fullStream) {
    if (part.type === 'tool-input-delta') input += (part as { delta?: string }).delta
    if (input.includes('xxx')) hear()
    if (part.type === 'tool-call') calls++
  }
  return calls === 1
}

/** Parts of a model that gives these texts, in small pieces. `finish`: how the major says that it is over. */
function modelParts(text: string, finish: object): object[] {
  const deltas = (text.match(/[\s\S]{1,3}/g) ?? []).map((delta) => ({ type: 'text-delta', id: '0', delta }))
  return [{ type: 'text-start', id: '0' }, ...deltas, { type: 'text-end', id: '0' }, finish]
}

/** What differs between the majors: the word for a model, how it ends, and how it counts. */
export function majorOf(
  ai: unknown,
  Model: new (answers: never) => unknown,
  finish: { readonly finishReason: unknown; readonly usage: unknown },
  middleware: unknown,
): Major {
  const sdk = ai as Omit<Major, 'wrap' | 'model' | 'modelOf'> & {
    wrapLanguageModel(options: object): unknown
    simulateReadableStream(options: object): unknown
  }
  return {
    ...sdk,
    wrap: (model) => sdk.wrapLanguageModel({ model, middleware }),
    modelOf: (doStream) => new Model({ doStream } as never),
    model(answers) {
      const prompts: unknown[] = []
      let next = 0
      const answer = (options: { prompt: unknown }): string => {
        prompts.push(options.prompt)
        return typeof answers === 'function' ? answers(options.prompt) : answers[next++]!
      }
      const model = new Model({
        doStream: async (options: { prompt: unknown }) => ({
          stream: sdk.simulateReadableStream({
            chunks: modelParts(answer(options), { type: 'finish', ...finish }),
            initialDelayInMs: null,
            chunkDelayInMs: null,
          }),
        }),
        doGenerate: async (options: { prompt: unknown }) => ({
          content: [{ type: 'text', text: answer(options) }],
          warnings: [],
          ...finish,
        }),
      } as never)
      return { model, prompts }
    },
  }
}
