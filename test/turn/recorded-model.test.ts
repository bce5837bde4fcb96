import { expect, test } from 'vitest'
import { type EventsRecording, parseRecording, RecordingWriter } from '../../src/runs/recording/index.ts'
import {
  type Model,
  openaiChatModel,
  recordModel,
  replayModel,
  runTurn,
  type TurnEvent,
} from '../../src/turn/index.ts'
import { ModelServer, refusal, streamed } from './model-server.ts'
import { traceOf } from './trace.ts'

async function trace(model: Model): Promise<string[]> {
  const events: TurnEvent[] = []
  await runTurn({
    model,
    conversation: 'Hi',
    tools: { go: { execute: () => 'went' } },
    maxRetries: 0,
    onEvent: (event) => void events.push(event),
  }).catch(() => {})
  return traceOf(events)
}

test('a turn that was recorded is the same when it is played again, up to its failure', async () => {
  const server = await ModelServer.start([
    streamed('openai-chat', [
      { type: 'text', text: 'I go.' },
      { type: 'call', toolName: 'go', input: { a: 1 } },
    ]),
    streamed('openai-chat', [{ type: 'call', toolName: 'go', input: {} }]),
    refusal(401),
  ])
  const files: string[] = []
  const open = (index: number): RecordingWriter => {
    files[index] = ''
    return new RecordingWriter((line) => (files[index] += line), 'events')
  }
  const live = await trace(recordModel(openaiChatModel({ baseUrl: server.url, model: 'm' }), open))
  expect(live.at(-1)).toBe('end error: auth')
  const recordings = files.map((file) => parseRecording(file) as EventsRecording)
  expect(recordings).toHaveLength(3)
  expect(await trace(replayModel(recordings))).toEqual(live)
})

test('a turn that asks for more than was recorded fails', async () => {
  expect((await trace(replayModel([]))).at(-1)).toBe('end error: unknown')
})
