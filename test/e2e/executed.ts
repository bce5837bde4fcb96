/** What the AI SDK itself executes of a response, when the model is wrapped with the middleware. */

import { createToolMiddleware } from '../../src/views/ai-sdk/index.ts'
import { type Ran, type Response, readingOf } from '../laws/runs.ts'
import { streamsOf } from '../laws/view-runs.ts'

/** As much of a major as is used here. The majors name and type it differently, so the caller vouches for it. */
interface Sdk {
  wrapLanguageModel(options: object): unknown
  simulateReadableStream(options: object): unknown
  streamText(options: object): { readonly fullStream: AsyncIterable<unknown> }
  generateText(options: object): PromiseLike<unknown>
  tool(options: object): unknown
  jsonSchema(schema: object): unknown
  stepCountIs(steps: number): unknown
}

export interface Major {
  readonly name: string
  readonly ai: unknown
  readonly Model: new (answers: never) => unknown
  readonly finish: (ending: Response['ending']) => object
}

const PIECE = /[\s\S]{1,5}/gu

/** The calls whose `execute` ran in one step. */
export async function executes(
  { ai, Model, finish }: Major,
  response: Response,
  mode: 'streamText' | 'generateText',
): Promise<Ran[]> {
  const sdk = ai as Sdk
  const { text, dialect, tools, ending } = response
  const ran: Ran[] = []
  const model = new Model({
    doStream: async () => ({
      stream: sdk.simulateReadableStream({
        chunks: [
          { type: 'text-start', id: '0' },
          ...(text.match(PIECE) ?? []).map((delta) => ({ type: 'text-delta', id: '0', delta })),
          { type: 'text-end', id: '0' },
          { type: 'finish', ...finish(ending) },
        ],
        initialDelayInMs: null,
        chunkDelayInMs: null,
      }),
    }),
    doGenerate: async () => ({ content: [{ type: 'text', text }], warnings: [], ...finish(ending) }),
  } as never)
  const middleware = createToolMiddleware({
    dialect,
    parser: readingOf(response),
    streams: streamsOf(tools),
  })
  const options = {
    model: sdk.wrapLanguageModel({ model, middleware }),
    prompt: 'Go.',
    stopWhen: sdk.stepCountIs(1),
    onError: () => {},
    tools: Object.fromEntries(
      tools.map(({ name, inputSchema }) => [
        name,
        sdk.tool({
          inputSchema: sdk.jsonSchema(inputSchema),
          execute: async (input: Ran['input']) => {
            ran.push({ toolName: name, input })
            return 'done'
          },
        }),
      ]),
    ),
  }
  if (mode === 'generateText') await sdk.generateText(options)
  else for await (const _ of sdk.streamText(options).fullStream);
  return ran
}
