import {
  generateObject,
  generateText,
  NoObjectGeneratedError,
  Output,
  stepCountIs,
  streamObject,
  tool,
  wrapLanguageModel,
} from 'ai6'
import { describe, expect, test } from 'vitest'
import { z } from 'zod'
import { hermesMiddleware, structuredOutputMiddleware } from '../../../src/views/ai-sdk/index.ts'
import { scripted } from './models.ts'

const schema = z.object({
  title: z.string().describe('what is broken'),
  severity: z.enum(['low', 'in_progress']),
  days: z.int().optional(),
})

const wrapped = (text: string, options?: Parameters<typeof structuredOutputMiddleware>[0]) => {
  const inner = scripted(text)
  return {
    inner,
    model: wrapLanguageModel({ model: inner, middleware: structuredOutputMiddleware(options) }),
  }
}

describe('Structured output for a model that has none', () => {
  test.each<[what: string, text: string, object: unknown]>([
    ['JSON', '{"title": "Lamp", "severity": "low", "days": 3}', { title: 'Lamp', severity: 'low', days: 3 }],
    [
      'words, keys in another case and numbers in quotes',
      'Sure:\n```json\n{"Title": "La\\nmp 😀", "severity": "In progress", "days": "3", "x": [1]}\n```',
      { title: 'La\nmp 😀', severity: 'in_progress', days: 3 },
    ],
    [
      'quotes that are not escaped',
      '{"title": "A "Tiffany" lamp", "severity": "low", "days": null}',
      { title: 'A "Tiffany" lamp', severity: 'low' },
    ],
  ])('reads %s', async (_, text, object) => {
    expect((await generateObject({ model: wrapped(text).model, schema, prompt: 'Go.' })).object).toEqual(
      object,
    )
    const streamed = streamObject({ model: wrapped(text).model, schema, prompt: 'Go.' })
    for await (const _ of streamed.partialObjectStream);
    expect(await streamed.object).toEqual(object)
    const generated = await generateText({
      model: wrapped(text).model,
      prompt: 'Go.',
      output: Output.object({ schema }),
    })
    expect(generated.output).toEqual(object)
  })

  test.each([
    ['is cut off', '{"title": "Lamp", "severity": "low"'],
    ['has a value that does not fit', '{"title": "Lamp", "severity": "low", "days": "soon"}'],
    ['has a number with too many digits', '{"title": "Lamp", "severity": "low", "days": 9007199254740993}'],
    ['has a key twice', '{"title": "Lamp", "severity": "low", "days": 1, "days": 2}'],
    ['has no JSON', 'I cannot help with that.'],
  ])('gives no object for an answer that %s', async (_, text) => {
    const { model } = wrapped(text)
    await expect(generateObject({ model, schema, prompt: 'Go.' })).rejects.toThrow(NoObjectGeneratedError)
    const streamed = streamObject({ model: wrapped(text).model, schema, prompt: 'Go.', onError() {} })
    const object = streamed.object.catch((error: unknown) => error)
    for await (const _ of streamed.partialObjectStream);
    expect(await object).toBeInstanceOf(NoObjectGeneratedError)
  })

  test('leaves a refusal as it is', async () => {
    const failed = generateObject({ model: wrapped('I cannot help with that.').model, schema, prompt: 'Go.' })
    await expect(failed).rejects.toMatchObject({ text: 'I cannot help with that.' })
  })

  test('streams an object that only grows', async () => {
    const { model } = wrapped('Sure: {"Title": "Broken lamp", "severity": "In Progress", "days": "12"}')
    const seen: unknown[] = []
    for await (const partial of streamObject({ model, schema, prompt: 'Go.' }).partialObjectStream)
      seen.push(partial)
    const values = seen as { title?: string; severity?: string; days?: number }[]
    expect(values.every(({ title = '' }) => 'Broken lamp'.startsWith(title))).toBe(true)
    expect(new Set(values.map(({ severity }) => severity))).toEqual(new Set([undefined, 'in_progress']))
    expect(new Set(values.map(({ days }) => days))).toEqual(new Set([undefined, 12]))
  })

  test('asks for the type in the system prompt', async () => {
    const { inner, model } = wrapped('{"title": "Lamp", "severity": "low"}')
    await generateObject({ model, schema, system: 'Be brief.', prompt: 'Go.' })
    expect(inner.doGenerateCalls[0]).toMatchObject({
      responseFormat: { type: 'text' },
      prompt: [
        {
          role: 'system',
          content: `Be brief.

Answer with JSON of this type, and nothing else:
{
  title: string // what is broken
  severity: "low" | "in_progress"
  days?: int
}`,
        },
        { role: 'user' },
      ],
    })
    const other = wrapped('{"title": "Lamp", "severity": "low"}', {
      prompt: (type) => `As ${type}`,
      placement: 'first',
    })
    await generateObject({ model: other.model, schema, system: 'Be brief.', prompt: 'Go.' })
    expect(other.inner.doGenerateCalls[0]!.prompt[0]).toMatchObject({
      content: expect.stringMatching(/^As \{[\s\S]*\}\n\nBe brief\.$/),
    })
  })

  test('does nothing where no object is wanted', async () => {
    const { inner, model } = wrapped('{"title": 3,}')
    expect((await generateText({ model, prompt: 'Go.' })).text).toBe('{"title": 3,}')
    expect(inner.doGenerateCalls[0]!.prompt).toMatchObject([{ role: 'user' }])
  })

  test('goes with tools for a model that has none', async () => {
    const model = wrapLanguageModel({
      model: scripted(
        'Let me look. <tool_call>{"name": "look", "arguments": {}}</tool_call>',
        '{"Title": "Lamp", "severity": "low"}',
      ),
      middleware: [structuredOutputMiddleware(), hermesMiddleware],
    })
    const look = tool({ inputSchema: z.object({}), execute: async () => 'It is a lamp.' })
    const { output, steps } = await generateText({
      model,
      prompt: 'Go.',
      tools: { look },
      output: Output.object({ schema }),
      stopWhen: stepCountIs(3),
    })
    expect(output).toEqual({ title: 'Lamp', severity: 'low' })
    expect(steps[0]).toMatchObject({ text: 'Let me look. ', toolResults: [{ output: 'It is a lamp.' }] })
  })

  test('takes options', async () => {
    const price = z.object({ price: z.number() })
    const { model } = wrapped('{"answer": {"price": "$1,200.50"}}', { numbers: 'formatted', unwrap: true })
    expect((await generateObject({ model, schema: price, prompt: 'Go.' })).object).toEqual({ price: 1200.5 })
    expect(() => structuredOutputMiddleware({ unwarp: true } as never)).toThrow(
      expect.objectContaining({ code: 'invalid-option' }),
    )
  })
})
