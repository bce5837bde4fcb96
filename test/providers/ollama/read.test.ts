import { describe, expect, test } from 'vitest'
import { eventsOf, told } from '../told.ts'

describe('Ollama', () => {
  const read = (...payloads: object[]): string[] => told(eventsOf(payloads, { provider: 'ollama' }))
  const message = (fields: object): object => ({
    model: 'm',
    message: { role: 'assistant', content: '', ...fields },
    done: false,
  })
  const done = {
    model: 'm',
    message: { role: 'assistant', content: '' },
    done: true,
    done_reason: 'stop',
    prompt_eval_count: 3,
    eval_count: 4,
  }
  const END = 'finish tool-calls (stop) {"inputTokens":3,"outputTokens":4,"totalTokens":7}'

  test('thinking, text and calls that all say the same', () => {
    const ls = { function: { name: 'ls', arguments: { path: '.' } } }
    const payloads = [
      message({ thinking: 'Hm' }),
      message({ thinking: '.' }),
      message({ content: 'Hi' }),
      message({ tool_calls: [ls, ls] }),
      message({ tool_calls: [{ id: 'x', function: { index: 0, name: 'ping', arguments: {} } }] }),
      done,
    ]
    const lines = [
      'reasoning Hm|.',
      'text Hi',
      'call ls#call-3 complete {"path":"."}',
      'call ls#call-4 complete {"path":"."}',
      'call ping#x complete {}',
      END,
    ]
    expect(read(...payloads)).toEqual(lines)
    expect(told(eventsOf([payloads.map((one) => `${JSON.stringify(one)}\n`).join('')]))).toEqual(lines)
  })

  test('generate', () => {
    expect(
      read({ response: 'Hi', done: false }, { response: '', done: true, done_reason: 'length' }),
    ).toEqual(['text Hi', 'finish length (length)'])
  })

  test('an error in the middle', () => {
    expect(read(message({ content: 'Hi' }), { error: 'model runner has stopped' })).toEqual([
      'text Hi',
      'error model runner has stopped',
      'finish error',
    ])
  })
})
