/**
 * Who would run what: for each way of consuming a response, the calls that an application would execute if it did
 * what the documentation of that way says.
 */

import type { JsonValue, SluiceEvent } from '../../src/base/event.ts'
import { createProviderParser, openaiChat } from '../../src/providers/index.ts'
import { createGuard, createPolicy } from '../../src/turn/policy/index.ts'
import { createToolMiddleware, type PartLike } from '../../src/views/ai-sdk/index.ts'
import { createBlocksView } from '../../src/views/compat/blocks/index.ts'
import { TurnCoordinator } from '../../src/views/compat/progress/index.ts'
import {
  createSegmentsView,
  type SegmentToolDefinition,
  ToolInvocationAdapter,
} from '../../src/views/compat/segments/index.ts'
import { engineRuns, pieces, type Ran, type Response, readingOf, type Tool } from './runs.ts'

/** Segments: each invocation that the adapter makes of the segments. */
function segmentsRun(events: readonly SluiceEvent[], { tools }: Response): Ran[] {
  const ran: Ran[] = []
  const definitions = tools.map((tool): SegmentToolDefinition => ({ ...tool, requires: [] }))
  const adapter = new ToolInvocationAdapter({ tools: definitions })
  const view = createSegmentsView(
    (event) => {
      const invocation = adapter.processEvent(event)
      if (invocation !== null) ran.push({ toolName: invocation.name, input: invocation.arguments })
    },
    { tools: definitions },
  )
  for (const event of events) view.add(event)
  return ran
}

/** Blocks: a complete block of a call that has an input and is no error. */
function blocksRun(events: readonly SluiceEvent[]): Ran[] {
  const ran: Ran[] = []
  const view = createBlocksView({
    onBlock({ event, block }) {
      if (event !== 'block_complete' || block.type !== 'tool_call') return
      if (block.input !== undefined && !block.isError)
        ran.push({ toolName: block.toolName!, input: block.input as JsonValue })
    },
  })
  for (const event of events) view.add(event)
  return ran
}

/** Progress: a request that the renderer hears is complete. */
function progressRuns(events: readonly SluiceEvent[]): Ran[] {
  const ran: Ran[] = []
  const coordinator = new TurnCoordinator({
    renderer: {
      register: () => {},
      complete: (request) => ran.push({ toolName: request.name, input: request.arguments }),
    },
  })
  for (const event of events) coordinator.add(event)
  return ran
}

const LENIENT = createPolicy({ rules: [], otherwise: 'allow' })

/** A policy that allows everything: an executable call that the guard hands on. */
function policyRuns(events: readonly SluiceEvent[]): Ran[] {
  const left: SluiceEvent[] = []
  const guard = createGuard({ policy: LENIENT, emit: (event) => left.push(event) })
  for (const event of events) guard.add(event)
  return engineRuns(left)
}

/** The views that read the engine's events. */
export const EVENT_VIEWS: readonly {
  readonly name: string
  readonly runs: (events: readonly SluiceEvent[], response: Response) => Ran[]
}[] = [
  { name: 'segments', runs: segmentsRun },
  { name: 'blocks', runs: blocksRun },
  { name: 'progress', runs: progressRuns },
  { name: 'policy', runs: policyRuns },
]

/** A provider whose server leaves calls in the text: a `tool-call` that `isExecutable` approves. */
export function providerRuns(response: Response): Ran[] {
  const { text, dialect, tools, ending } = response
  const events: SluiceEvent[] = []
  const parser = createProviderParser((event) => events.push(event), {
    ...readingOf(response),
    provider: openaiChat,
    dialect,
    tools,
  })
  for (const content of pieces(text)) parser.push({ choices: [{ index: 0, delta: { content } }] })
  parser.push({ choices: [{ index: 0, delta: {}, finish_reason: ending }] })
  parser.end()
  return engineRuns(events)
}

const NO_USAGE = { inputTokens: {}, outputTokens: {} }

/** For each tool the argument that is its body, where it has one. */
export function streamsOf(tools: readonly Tool[]): Record<string, string> {
  const streams = tools.flatMap(({ name, streams }) => (streams === undefined ? [] : [[name, streams]]))
  return Object.fromEntries(streams) as Record<string, string>
}

function middlewareOf(response: Response) {
  const { dialect, tools } = response
  return createToolMiddleware({ dialect, parser: readingOf(response), streams: streamsOf(tools) })
}

/**
 * The AI SDK, as far as a model's parts decide it: a call of a tool that there is, whose input is JSON, is executed.
 * (`test/views/trust.test.ts` asks the AI SDK itself.)
 */
function executed(parts: readonly PartLike[], tools: readonly Tool[]): Ran[] {
  return parts.flatMap((part) => {
    if (part.type !== 'tool-call') return []
    const { toolName, input, providerExecuted } = part as PartLike & {
      readonly toolName: string
      readonly input: string
      readonly providerExecuted?: boolean
    }
    if (providerExecuted || !tools.some(({ name }) => name === toolName)) return []
    try {
      return [{ toolName, input: (input.trim() === '' ? {} : JSON.parse(input)) as JsonValue }]
    } catch {
      return []
    }
  })
}

async function paramsOf(middleware: ReturnType<typeof middlewareOf>, tools: readonly Tool[]) {
  return middleware.transformParams({
    params: {
      prompt: [{ role: 'user', content: [{ type: 'text', text: 'Go.' } as PartLike] }],
      tools: tools.map(({ name, inputSchema }) => ({ type: 'function' as const, name, inputSchema })),
    },
  })
}

const streamOf = <T>(chunks: readonly T[]): ReadableStream<T> =>
  new ReadableStream<T>({
    start(controller) {
      for (const chunk of chunks) controller.enqueue(chunk)
      controller.close()
    },
  })

/** The middleware around a model that streams. */
export async function aiSdkStreamRuns(response: Response): Promise<Ran[]> {
  const { text, tools, ending } = response
  const middleware = middlewareOf(response)
  const parts = [
    { type: 'text-start', id: '0' },
    ...pieces(text).map((delta) => ({ type: 'text-delta', id: '0', delta })),
    { type: 'text-end', id: '0' },
    { type: 'finish', finishReason: { unified: ending, raw: ending }, usage: NO_USAGE },
  ]
  const { stream } = await middleware.wrapStream({
    doStream: async () => ({ stream: streamOf<PartLike>(parts) }),
    doGenerate: async () => ({ content: [], finishReason: ending }),
    params: await paramsOf(middleware, tools),
  })
  const said: PartLike[] = []
  const reader = stream.getReader()
  for (let step = await reader.read(); !step.done; step = await reader.read()) said.push(step.value)
  return executed(said, tools)
}

/** The middleware around a model that answers in one piece. */
export async function aiSdkGenerateRuns(response: Response): Promise<Ran[]> {
  const { text, tools, ending } = response
  const middleware = middlewareOf(response)
  const { content } = await middleware.wrapGenerate({
    doGenerate: async () => ({
      content: [{ type: 'text', text } as PartLike],
      finishReason: { unified: ending, raw: ending },
    }),
    params: await paramsOf(middleware, tools),
  })
  return executed(content, tools)
}
