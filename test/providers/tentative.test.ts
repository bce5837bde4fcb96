import { describe, expect, test } from 'vitest'
import type { SluiceEvent } from '../../src/base/event.ts'
import { hermes } from '../../src/dialects/hermes.ts'
import { isExecutable } from '../../src/engine/calls/verdict.ts'
import { parse } from '../../src/engine/message.ts'
import { createParser } from '../../src/engine/parser.ts'
import { findWriter } from '../../src/providers/any.ts'
import { createWriter } from '../../src/providers/write-provider.ts'
import { eventsOf } from './told.ts'

const LS = '<tool_call>{"name": "ls", "arguments": {"path": "a"}}</tool_call>'
const RM = '<tool_call>{"name": "rm", "arguments": {"path": "b"}}</tool_call>'
const text = (content: string): object => ({ choices: [{ delta: { content } }] })
const ended = (finish_reason: string): object => ({ choices: [{ delta: {}, finish_reason }] })
const runnable = (events: readonly SluiceEvent[]): string[] =>
  events.flatMap((event) => (event.type === 'tool-call' && isExecutable(event) ? [event.toolName] : []))

describe('a call in a thought of the text', () => {
  const native = {
    choices: [{ delta: { tool_calls: [{ index: 0, id: 'n', function: { name: 'now', arguments: '{}' } }] } }],
  }
  test.each<[string, object[], string[]]>([
    ['runs if the provider says that the model stopped', [text(`<think>Hm.${LS}`), ended('stop')], ['ls']],
    ['runs if it says that tools were called', [text(`<think>Hm.${LS}`), ended('tool_calls')], ['ls']],
    ['does not run at a limit', [text(`<think>Hm.${LS}`), ended('length')], []],
    ['does not run where the content was filtered', [text(`<think>Hm.${LS}`), ended('content_filter')], []],
    ['does not run where the stream is lost', [text(`<think>Hm.${LS}`)], []],
    [
      'runs beside a call of the provider',
      [text(`<think>Hm.${LS}`), native, ended('tool_calls')],
      ['now', 'ls'],
    ],
    [
      'does not run where the provider sends reasoning behind it',
      [text(`<think>Hm.${LS}`), { choices: [{ delta: { reasoning: 'So.' } }] }, ended('stop')],
      [],
    ],
  ])('%s', (_, payloads, expected) => {
    const events = eventsOf(payloads, { provider: 'openai-chat', dialect: hermes })
    expect(runnable(events)).toEqual(expected)
    expect(events.filter(({ type }) => type === 'tool-call').length).toBeGreaterThan(0)
  })
})

describe('written as', () => {
  const FORMATS = ['openai-chat', 'openai-responses', 'anthropic', 'ollama', 'gemini', 'ai-sdk-ui', 'ag-ui']
  const written = (format: string, response: string): string => {
    const parser = createParser({ dialect: hermes })
    const writer = createWriter(findWriter(format), { id: 'r', model: 'm', created: 0 })
    return [...parser.push(response), ...parser.end()].map((event) => writer.add(event)).join('')
  }
  const readBack = (format: string, wire: string): string[] =>
    eventsOf([wire], { provider: format }).flatMap((event) =>
      event.type === 'tool-call'
        ? [`${event.toolName} ${JSON.stringify(event.input)}`]
        : event.type === 'finish'
          ? [event.reason]
          : [],
    )

  test.each(FORMATS)('%s, two calls that end a thought keep their own input', (format) => {
    expect(readBack(format, written(format, `<think>Hm.${LS}${RM}`))).toEqual([
      'ls {"path":"a"}',
      'rm {"path":"b"}',
      'tool-calls',
    ])
  })

  test.each(FORMATS)('%s, a call that a thought only mentions is none', (format) => {
    expect(readBack(format, written(format, `<think>Hm.${RM} No.</think>Done.`))).toEqual(['stop'])
  })

  test('anthropic, no block begins inside another', () => {
    const payloads = written('anthropic', `<think>Hm.${LS}${RM}`)
      .split('\n')
      .filter((line) => line.startsWith('data: '))
      .map((line) => JSON.parse(line.slice(6)) as { type: string; index?: number })
    let open = 0
    for (const { type } of payloads) {
      if (type === 'content_block_start') open++
      if (type === 'content_block_stop') open--
      expect(open).toBeLessThan(2)
    }
    expect(parse(`<think>Hm.${LS}${RM}`, { dialect: hermes }).toolCalls).toHaveLength(2)
  })
})
