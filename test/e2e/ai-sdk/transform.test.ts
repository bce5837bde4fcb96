import * as ai5 from 'ai5'
import { MockLanguageModelV2 } from 'ai5/test'
import * as ai6 from 'ai6'
import { streamText, tool } from 'ai6'
import { MockLanguageModelV3 } from 'ai6/test'
import { type FailureMetadata, type PartLike, sluiceTransform } from 'sluice/ai-sdk'
import { hermes, kimiK2, morphXml } from 'sluice/dialects'
import { describe, expect, test } from 'vitest'
import { z } from 'zod'
import {
  collect,
  finish,
  merged,
  scripted,
  streaming,
  streamOf,
  textParts,
} from '../../views/ai-sdk/models.ts'
import { majorOf } from './majors.ts'

const counted = (): (() => string) => {
  let calls = 0
  return () => `call-${++calls}`
}

describe('sluiceTransform', () => {
  test('shows calls and reasoning in the text of streamText', async () => {
    const text = '<think>Hm.</think>Look. <tool_call>{"name": "ls", "arguments": {"path": "."}}</tool_call>'
    const result = streamText({
      model: scripted(text),
      prompt: 'Go.',
      experimental_transform: sluiceTransform({ dialect: hermes, generateId: counted() }),
    })
    const parts: PartLike[] = []
    for await (const part of result.fullStream)
      if (part.type.startsWith('tool-') || part.type === 'finish') parts.push(part)
    expect(merged(parts)).toEqual([
      { type: 'tool-input-start', id: 'call-1', toolName: 'ls', dynamic: true },
      { type: 'tool-input-delta', id: 'call-1', delta: '{"path": "."}' },
      { type: 'tool-input-end', id: 'call-1' },
      { type: 'tool-call', toolCallId: 'call-1', toolName: 'ls', input: { path: '.' }, dynamic: true },
      expect.objectContaining({ type: 'finish', finishReason: 'tool-calls' }),
    ])
    expect(await result.text).toBe('Look. ')
    expect(await result.reasoningText).toBe('Hm.')
    expect((await result.toolCalls).map(({ input }) => input)).toEqual([{ path: '.' }])
  })

  test('knows the tools of streamText, and leaves what is not text alone', async () => {
    const result = streamText({
      model: streaming([
        ...textParts('<days><n>2</n></days>'),
        { type: 'source', sourceType: 'url', id: 's', url: 'https://example.com' },
        finish(),
      ]),
      tools: { days: tool({ inputSchema: z.object({ n: z.number().int() }) }) },
      prompt: 'Go.',
      experimental_transform: sluiceTransform({ dialect: morphXml }),
    })
    expect((await result.toolCalls).map(({ input }) => input)).toEqual([{ n: 2 }])
    expect((await result.sources).map(({ id }) => id)).toEqual(['s'])
  })

  test.each([
    ['in a holder', ai6.jsonSchema({ type: 'object', properties: { path: { type: 'string' } } })],
    ['given when it is asked for', () => ai6.zodSchema(z.object({ path: z.string() }))],
  ])('types arguments by a schema %s', async (_, inputSchema) => {
    const result = streamText({
      model: scripted('<ls><path>75</path></ls>'),
      tools: { ls: { inputSchema } } as never,
      prompt: 'Go.',
      experimental_transform: sluiceTransform({ dialect: morphXml }),
    })
    expect((await result.toolCalls).map(({ input }) => input)).toEqual([{ path: '75' }])
  })

  test('can give back the text of a call that was cut off', async () => {
    const errors: FailureMetadata[] = []
    const text = 'a <tool_call>{"name": "ls", "arguments": {"path": "'
    const result = streamText({
      model: scripted(text),
      prompt: 'Go.',
      experimental_transform: sluiceTransform({
        dialect: hermes,
        failures: { truncated: 'text' },
        onError: (_, error) => errors.push(error),
      }),
    })
    expect(await result.text).toBe(text)
    expect(await result.finishReason).toBe('stop')
    expect(errors.map(({ reason }) => reason)).toEqual(['truncated'])
  })

  test('shows an imperfect call as invalid', async () => {
    const text = '<tool_call>{"name": "ls", "arguments": {"a": 1, "a": 2}}</tool_call>'
    const result = streamText({
      model: scripted(text),
      prompt: 'Go.',
      experimental_transform: sluiceTransform({ dialect: hermes }),
    })
    expect(await result.toolCalls).toMatchObject([{ toolName: 'ls', invalid: true, dynamic: true }])
  })

  const CALL = '<tool_call>{"name": "ls", "arguments": {"path": "."}}</tool_call>'
  const CUT = '<tool_call>{"name": "ls", "arguments": {"path": ".'
  const rows: [major: string, text: string, withTools: boolean, state: string][] = ['5', '6'].flatMap(
    (major): [string, string, boolean, string][] => [
      [major, CALL, true, 'input-available'],
      [major, CALL, false, 'input-available'],
      [major, CUT, true, 'output-error'],
      [major, CUT, false, 'output-error'],
    ],
  )

  test.each(rows)('is one call on a page: ai@%s, %s, tools: %s', async (version, text, withTools, state) => {
    const end5 = { finishReason: 'stop', usage: { inputTokens: 1, outputTokens: 1, totalTokens: 2 } }
    const major =
      version === '5'
        ? majorOf(ai5, MockLanguageModelV2, end5, undefined)
        : majorOf(ai6, MockLanguageModelV3, { ...finish() } as never, undefined)
    const result = major.streamText({
      model: major.model([text]).model,
      prompt: 'Go.',
      experimental_transform: sluiceTransform({ dialect: hermes }),
      ...(withTools && { tools: { ls: major.tool({ inputSchema: z.object({ path: z.string() }) }) } }),
    })
    let parts: readonly { type: string; state?: string }[] = []
    for await (const message of major.readUIMessageStream({ stream: result.toUIMessageStream() }))
      parts = message.parts
    expect(parts.filter(({ type }) => type.includes('tool')).map((part) => part.state)).toEqual([state])
  })

  test('leaves an answer that a model makes up in the text', async () => {
    const text = 'It says <tool_response>42</tool_response>.'
    const result = streamText({
      model: scripted(text),
      prompt: 'Go.',
      experimental_transform: sluiceTransform({ dialect: hermes }),
    })
    expect(await result.text).toBe(text)
  })

  test('wants a dialect', () => {
    expect(() => sluiceTransform({ dialect: [] })).toThrow(/'dialect' takes a dialect/)
  })

  test('gives no two calls one id, also where a model counts anew in each step', async () => {
    const text =
      '<|tool_calls_section_begin|><|tool_call_begin|>functions.ls:0<|tool_call_argument_begin|>{}<|tool_call_end|><|tool_calls_section_end|>'
    const step = [
      { type: 'start-step' },
      { type: 'text-start', id: '0' },
      { type: 'text-delta', id: '0', text },
      { type: 'text-end', id: '0' },
      { type: 'finish-step' },
    ]
    const transform = sluiceTransform({ dialect: kimiK2, generateId: counted() })
    const parts = await collect(streamOf<PartLike>([...step, ...step]).pipeThrough(transform<PartLike>({})))
    expect(
      parts.flatMap((part) =>
        part.type === 'tool-call' ? (part as PartLike & { toolCallId: string }).toolCallId : [],
      ),
    ).toEqual(['functions.ls:0', 'call-1'])
  })

  test('leaves calls of the provider as they are', async () => {
    const native = { type: 'tool-input-start', id: 'n', toolName: 'ls' } as const
    const result = streamText({
      model: streaming([native, { type: 'tool-input-end', id: 'n' }, finish()]),
      prompt: 'Go.',
      experimental_transform: sluiceTransform({ dialect: hermes }),
    })
    const without = streamText({
      model: streaming([native, { type: 'tool-input-end', id: 'n' }, finish()]),
      prompt: 'Go.',
    })
    const starts = async (stream: AsyncIterable<PartLike>): Promise<PartLike[]> => {
      const found: PartLike[] = []
      for await (const part of stream) if (part.type === 'tool-input-start') found.push(part)
      return found
    }
    expect(await starts(result.fullStream)).toEqual(await starts(without.fullStream))
  })
})
