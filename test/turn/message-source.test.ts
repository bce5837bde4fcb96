/** Calls go back to a prompted model as it wrote them, as long as nothing else can be read from that. */

import { expect, test } from 'vitest'
import type { CallPart } from '../../src/base/part.ts'
import { functionCalls } from '../../src/dialects/function-calls.ts'
import { hermes } from '../../src/dialects/hermes.ts'
import { type Message, parse } from '../../src/engine/message.ts'
import { messageSource } from '../../src/turn/message-source.ts'

const TOOLS = [{ name: 'ls' }, { name: 'rm' }]
const call = (name: string, path: string): string =>
  `<tool_call>\n{"name": "${name}", "arguments": {"path": "${path}"}}\n</tool_call>`

const sourceOf = (text: string, change: (message: Message) => Message = (message) => message): unknown =>
  messageSource(
    change(parse(text, { dialect: hermes, tools: TOOLS, emit: { raw: true } })),
    { dialect: hermes, prefill: '', text },
    TOOLS,
  )

/** The message with other fields in one of its calls. */
const changed =
  (which: number, fields: Partial<CallPart>) =>
  (message: Message): Message => {
    let at = 0
    const parts = message.parts.map((part) =>
      part.type === 'call' && at++ === which ? { ...part, ...fields } : part,
    )
    return { ...message, parts }
  }

test.each([
  call('ls', '.'),
  `I look.${call('ls', '.')}`,
  `${call('ls', '.')}\n${call('rm', 'a')}`,
  `${call('ls', '.')}And then ${call('rm', 'a')}`,
])('is kept: %j', (text) => {
  expect(sourceOf(text)).toEqual({ dialect: 'hermes', text })
})

test('is kept where one pair of markers holds all calls', () => {
  const dialect = functionCalls
  const text =
    '<function_calls>\n<invoke name="ls">\n</invoke>\n<invoke name="rm">\n</invoke>\n</function_calls>'
  const message = parse(text, { dialect, tools: TOOLS, emit: { raw: true } })
  expect(message.toolCalls).toHaveLength(2)
  expect(messageSource(message, { dialect, prefill: '', text }, TOOLS)).toEqual({
    dialect: 'function-calls',
    text,
  })
})

test.each(['I look.', ''])('is not needed without a call: %j', (text) => {
  expect(sourceOf(text)).toBeUndefined()
})

test.each<[what: string, which: number, fields: Partial<CallPart>]>([
  ['of another tool', 0, { toolName: 'rm' }],
  ['with another input', 0, { input: { path: '/' } }],
  ['with another input, behind one that is right', 1, { input: { path: '/' } }],
  ['of another tool, behind one that is right', 1, { toolName: 'ls' }],
])('is not used where it would be read as a call %s', (_, which, fields) => {
  const text = `${call('ls', '.')}\n${call('rm', 'a')}`
  expect(sourceOf(text, changed(which, fields))).toBeUndefined()
})

test('is not used where more would be read from it', () => {
  const text = `Look: ${call('ls', '.')}`
  const all = { span: { start: 0, end: text.length }, raw: text }
  expect(sourceOf(text, changed(0, all))).toBeUndefined()
  expect(sourceOf(`${call('ls', '.')}<|im_end|>`)).toBeUndefined()
  const two = call('ls', '.') + call('rm', 'a')
  const one = (message: Message): Message => ({ ...message, parts: message.parts.slice(0, 1) })
  const whole = (message: Message): Message =>
    changed(0, { span: { start: 0, end: two.length }, raw: two })(one(message))
  expect(sourceOf(two, whole)).toBeUndefined()
})

test('is not used where less would be read from it', () => {
  const twice = (message: Message): Message => ({ ...message, parts: [...message.parts, ...message.parts] })
  expect(sourceOf(call('ls', '.'), twice)).toBeUndefined()
})

test('is not used where its calls would have to be repaired', () => {
  const text = '<tool_call>{"name": "ls", "arguments": {"path": ".",}}</tool_call>'
  expect(sourceOf(text, changed(0, { status: 'complete', repairs: [] }))).toBeUndefined()
})
