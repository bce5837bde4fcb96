import { describe, expect, test } from 'vitest'
import { eventsOf, told } from './told.ts'

const chunk = (fields: object): object => ({
  choices: [{ index: 0, delta: { tool_calls: [{ index: 0, type: 'custom', ...fields }] } }],
})
const call = [
  chunk({ id: 'c1', custom: { name: 'patch', input: '' } }),
  chunk({ custom: { input: '*** Begin "x"' } }),
]
const read = (options: object): string[] => told(eventsOf(call, { provider: 'openai-chat', ...options }))

describe('a call with free text that was cut off', () => {
  test('keeps what came of it', () => {
    expect(read({})).toEqual([
      'diagnostic truncated-call',
      'call patch#c1 truncated "*** Begin \\"x\\""',
      'diagnostic truncated-stream',
      'finish error',
    ])
  })

  test('comes back as text where malformed calls do', () => {
    expect(read({ malformed: 'text' })).toEqual([
      'diagnostic truncated-call',
      'call patch#c1 truncated "*** Begin \\"x\\""',
      'text *** Begin "x"',
      'diagnostic truncated-stream',
      'finish error',
    ])
  })
})
