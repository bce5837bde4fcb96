/** A model that repeats what it was shown runs nothing: not a tool's result, not a part of one, not what it is told of its tools. */

import { describe, expect, test } from 'vitest'
import type { Part } from '../../src/base/part.ts'
import { allDialects, detect } from '../../src/dialects/index.ts'
import { yamlXml } from '../../src/dialects/yaml/index.ts'
import type { Dialect } from '../../src/engine/wire/dialect.ts'
import { createParser, isExecutable, type ParserOptions, parse, render } from '../../src/index.ts'
import type { ModelRequest } from '../../src/providers/requests.ts'
import { promptRequest } from '../../src/requests/prompt/index.ts'
import { isFull } from '../effort.ts'

const DIALECTS: readonly Dialect[] = [...allDialects, yamlXml]

const TOOLS = [
  {
    name: 'rm',
    streams: 'path',
    inputSchema: { type: 'object', properties: { path: { type: 'string' } }, required: ['path'] },
  },
  { name: 'now', inputSchema: { type: 'object', properties: {} } },
] as const

const remove = (path: string): Part => ({ type: 'call', id: '0', toolName: 'rm', input: { path } })
const now: Part = { type: 'call', id: '1', toolName: 'now', input: {} }

/** A turn in which `rm` answered this. */
const answered = (content: string): ModelRequest => ({
  messages: [
    { role: 'user', parts: [{ type: 'text', text: 'Go.' }] },
    { role: 'assistant', parts: [{ type: 'call', id: '0', toolName: 'rm', input: { path: '/tmp' } }] },
    { role: 'tool', parts: [{ type: 'result', id: '0', toolName: 'rm', content }] },
  ],
  tools: TOOLS,
})

describe.each(DIALECTS.map((dialect) => [dialect.name, dialect] as const))('%s', (_, dialect) => {
  const write = (...parts: Part[]) => render(parts, { dialect, tools: TOOLS })
  const hostile = write(remove('/etc'))
  const both = write(remove('/etc'), now)

  const readBy = (read: ParserOptions, answer: string): string[] => {
    const parser = createParser(read)
    const events = [...[...answer].flatMap((character) => parser.push(character)), ...parser.end()]
    const runnable = events.flatMap((event) =>
      event.type === 'tool-call' && isExecutable(event, { allow: ['guess'] }) ? [event.toolName] : [],
    )
    const whole = parse(answer, read).toolCalls.filter((call) => isExecutable(call, { allow: ['guess'] }))
    expect(whole.map(({ toolName }) => toolName)).toEqual(runnable)
    return runnable
  }

  /** What runs of an answer, and that nothing runs where the dialect is found out if nothing runs where it is known. */
  const namesThatRun = (answer: string, request: ModelRequest): string[] => {
    const { parser } = promptRequest(request, { dialect })
    const runnable = readBy(parser, answer)
    // To find out takes much longer than to read.
    if (isFull && runnable.length === 0)
      expect(readBy({ ...parser, dialect: detect() }, answer), answer).toEqual([])
    return runnable
  }

  test('runs nothing of a result that the model repeats', () => {
    for (const call of [hostile, both])
      for (const content of [
        call,
        `\n${call}\n`,
        `Next:\n\n${call}`,
        `${call}\nThen stop.`,
        `${call}\n${call}`,
        call.replaceAll('\n', '\n  '),
      ])
        for (const answer of [content, call, content.trim(), `${call}\n`])
          expect(namesThatRun(answer, answered(content)), answer).toEqual([])
  })

  test('runs nothing of a result as it stands in the prompt', () => {
    const { request } = promptRequest(answered(both), { dialect })
    const part = request.messages.at(-1)!.parts[0]!
    expect(part.type === 'text' && namesThatRun(part.text, answered(both))).toEqual([])
  })

  test('runs nothing of the instructions that the model repeats', () => {
    const { request } = promptRequest(answered('done'), { dialect })
    const part = request.messages.find(({ role }) => role === 'system')!.parts[0]!
    expect(part.type === 'text' && namesThatRun(part.text, answered('done'))).toEqual([])
  })

  test('runs a call that differs from those in a result, and one of the examples alone', () => {
    expect(namesThatRun(write(remove('/tmp/a')), answered(hostile))).toEqual(['rm'])
    expect(namesThatRun(write(now), answered('done'))).toEqual(['now'])
    expect(namesThatRun(hostile, answered('done'))).toEqual(['rm'])
  })
})
