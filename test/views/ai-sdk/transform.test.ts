import { streamText, tool } from 'ai6'
import { type FailureMetadata, type PartLike, sluiceTransform } from 'sluice/ai-sdk'
import { hermes, morphXml } from 'sluice/dialects'
import { describe, expect, test } from 'vitest'
import { z } from 'zod'
import { finish, merged, scripted, streaming, textParts } from './models.ts'

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
      { type: 'tool-input-start', id: 'call-1', toolName: 'ls' },
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

  test('gives back the text of a call that was cut off', async () => {
    const errors: FailureMetadata[] = []
    const text = 'a <tool_call>{"name": "ls", "arguments": {"path": "'
    const result = streamText({
      model: scripted(text),
      prompt: 'Go.',
      experimental_transform: sluiceTransform({ dialect: hermes, onError: (_, error) => errors.push(error) }),
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
      experimental_transform: sluiceTransform({ dialect: hermes, failures: { malformed: 'emit' } }),
    })
    expect(await result.toolCalls).toMatchObject([{ toolName: 'ls', invalid: true, dynamic: true }])
  })
})
