import { createToolMiddlewareV3, type PartLike } from 'sluice/ai-sdk'
import { hermes } from 'sluice/dialects'
import { describe, expect, test } from 'vitest'
import { collect, finish, merged, request, streamOf, textParts } from './models.ts'

const CALL = '<tool_call>{"name": "get_weather", "arguments": {"city": "Paris"}}</tool_call>'
const OTHER = '<tool_call>{"name": "get_weather", "arguments": {"city": "Rome"}}</tool_call>'

const middleware = () => {
  let ids = 0
  return createToolMiddlewareV3({ dialect: hermes, generateId: () => `call-${++ids}` })
}

async function streamed(text: string, reason?: 'stop' | 'length' | 'other'): Promise<string[]> {
  const { stream } = await middleware().wrapStream({
    doStream: async () => ({ stream: streamOf([...textParts(text), finish(reason)] as PartLike[]) }),
    doGenerate: async () => ({ content: [], finishReason: 'stop' }),
    params: request(),
  })
  return merged(await collect(stream)).flatMap(line)
}

async function generated(text: string, unified: string): Promise<string[]> {
  const { content } = await middleware().wrapGenerate({
    doGenerate: async () => ({ content: [{ type: 'text', text } as PartLike], finishReason: { unified } }),
    params: request(),
  })
  return content.flatMap((part) => (part.type === 'tool-call' ? line(part) : []))
}

function line(part: PartLike): string[] {
  const { type, delta, toolCallId, id, input } = part as PartLike & Record<string, string>
  if (type === 'tool-call') return [`call ${toolCallId} ${input}`]
  if (type === 'tool-input-start') return [`start ${id}`]
  if (type === 'reasoning-delta') return [`thought ${delta}`]
  return type === 'text-delta' ? [`text ${delta}`] : type === 'tool-result' ? ['error'] : []
}

describe('a call inside reasoning', () => {
  test('has its own input, although its verdict comes after the start of the next', async () => {
    expect(await streamed(`<think>Hm.${CALL}\n${OTHER}`)).toEqual([
      'thought Hm.',
      'start call-1',
      'call call-1 {"city": "Paris"}',
      'start call-2',
      'call call-2 {"city": "Rome"}',
    ])
  })

  test('that was only mentioned is never announced, and stays part of the thought', async () => {
    expect(await streamed(`<think>Hm.${CALL} No.</think>Done.`)).toEqual([
      'thought Hm.',
      `thought ${CALL}`,
      'thought  No.',
      'text Done.',
    ])
  })

  test.each(['length', 'other'] as const)('does not run where the model ended by %s', async (reason) => {
    expect((await streamed(`<think>Hm.${CALL}`, reason)).filter((one) => one.startsWith('call'))).toEqual([])
    expect(await generated(`<think>Hm.${CALL}`, reason)).toEqual([])
  })

  test('runs where a whole response says that the model stopped', async () => {
    expect(await generated(`<think>Hm.${CALL}`, 'stop')).toEqual(['call call-1 {"city": "Paris"}'])
  })
})

describe('a call without its marker', () => {
  const FENCED = '```json\n{"name": "get_weather", "arguments": {"city": "Rome"}}\n```'
  const NAMED = '<tool_call>\nget_weather\n{"city": "Rome"}\n</tool_call>'
  const told = (text: string) =>
    expect.stringMatching(`^call call-1 ${text.replace(/[^\w\s]/g, '.')}\nError: .* It was not run\\.`)

  test.each([
    ['a fence', `So:\n${FENCED}`, ['text So:\n', expect.stringMatching(/^start/), told(FENCED)]],
    ['a fence that text follows', `So:\n${FENCED}\nDone.`, ['text So:\n', `text ${FENCED}`, 'text \nDone.']],
    ['a name', NAMED, [expect.stringMatching(/^start/), told(NAMED)]],
    [
      'a name, and text that follows',
      `${NAMED}\nDone.`,
      [expect.stringMatching(/^start/), told(NAMED), 'text \nDone.'],
    ],
  ])('is told to the model, or is the text that it was: %s', async (_, text, expected) => {
    const lines = await streamed(text)
    expect(joined(lines)).toEqual(joined(expected as string[]))
  })
})

/** Neighbouring texts as one. */
function joined(lines: readonly string[]): string[] {
  const all: string[] = []
  for (const line of lines)
    if (typeof line === 'string' && line.startsWith('text ') && all.at(-1)?.startsWith?.('text '))
      all[all.length - 1] += line.slice('text '.length)
    else all.push(line)
  return all
}
