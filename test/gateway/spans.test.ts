import * as api from '@opentelemetry/api'
import { expect, test } from 'vitest'
import type { Tracing } from '../../src/gateway/tracing.ts'
import { ModelServer, refusal } from '../turn/model-server.ts'
import { CHAT, serve } from './harness.ts'

interface Recorded {
  readonly name: string
  readonly attributes: Record<string, unknown>
  readonly events: (readonly [name: string, attributes: unknown])[]
  status?: unknown
  ends: number
}

/** What an SDK would be: it keeps the spans that are made with the API. */
function recordingTracing(): { tracing: Tracing; spans: Recorded[] } {
  const spans: Recorded[] = []
  const tracer = {
    startSpan(name: string, { attributes = {} }: api.SpanOptions = {}) {
      const span: Recorded = { name, attributes: { ...attributes }, events: [], ends: 0 }
      spans.push(span)
      return {
        addEvent: (event: string, more: unknown) => span.events.push([event, more]),
        setAttributes: (more: object) => Object.assign(span.attributes, more),
        setStatus: (status: unknown) => {
          span.status = status
        },
        end: () => span.ends++,
      }
    },
  }
  const trace = { ...api.trace, getTracer: () => tracer }
  return { tracing: { ...api, trace } as unknown as Tracing, spans }
}

test('a run is one span, with names and figures and nothing that was said', async () => {
  const { tracing, spans } = recordingTracing()
  const { post } = await serve({}, { tracing })
  await (await post('/v1/chat/completions', CHAT, { authorization: 'Bearer sk-secret-12345678' })).text()
  expect(spans).toEqual([
    {
      name: 'sluice.run',
      attributes: {
        'sluice.protocol': 'openai-chat',
        'sluice.upstream': 'scripted',
        'gen_ai.request.model': 'm',
        'sluice.finish': 'tool-calls',
      },
      events: [['call', { tool: 'ls', status: 'complete' }]],
      ends: 1,
    },
  ])
})

test('a run that fails is a span that says so', async () => {
  const { tracing, spans } = recordingTracing()
  const model = await ModelServer.start([refusal(401)])
  const upstreams = { one: { url: model.url, protocol: 'openai-chat' } }
  const { post } = await serve({ upstreams }, { tracing })
  await (await post('/v1/chat/completions', CHAT)).text()
  expect(spans).toMatchObject([{ status: { code: api.SpanStatusCode.ERROR }, ends: 1 }])
})
