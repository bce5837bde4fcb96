/** Which tools a request lets the model call, and which functions run them. */

import { describe, expect, test } from 'vitest'
import type { ToolDefinitions } from '../../src/engine/calls/tools.ts'
import type { ToolChoice } from '../../src/requests/conversation/model-request.ts'
import { allowedTools, executablesOf, tool } from '../../src/turn/tool.ts'

const LIST: ToolDefinitions = [
  { name: 'a' },
  { type: 'function', function: { name: 'b' } },
  { type: 'custom', custom: { name: 'c' } },
] as never
const RECORD: ToolDefinitions = { a: {}, b: {}, c: {} }

const namesOf = (tools: ToolDefinitions): readonly string[] =>
  Array.isArray(tools)
    ? tools.map((one) => one.name ?? one.function?.name ?? one.custom?.name)
    : Object.keys(tools)

describe.each([
  ['in a list', LIST],
  ['by name', RECORD],
])('of tools %s', (_, tools) => {
  test.each<
    [choice: ToolChoice | undefined, offered: readonly string[] | undefined, allowed: readonly string[]]
  >([
    [undefined, undefined, ['a', 'b', 'c']],
    ['auto', undefined, ['a', 'b', 'c']],
    ['required', undefined, ['a', 'b', 'c']],
    ['none', undefined, []],
    ['none', ['a'], []],
    [{ toolName: 'b' }, undefined, ['b']],
    [{ mode: 'auto', toolNames: ['a', 'c'] }, undefined, ['a', 'c']],
    [undefined, ['a', 'b'], ['a', 'b']],
    ['auto', [], []],
    [{ toolName: 'b' }, ['a'], []],
    [{ mode: 'required', toolNames: ['a', 'c'] }, ['b', 'c'], ['c']],
  ])('%j, where %j are offered: %j', (choice, offered, allowed) => {
    const list = offered?.map((name) => ({ name }))
    expect(namesOf(allowedTools(tools, choice, list))).toEqual(allowed)
  })

  test('all of them are the same ones where nothing is left out', () => {
    expect(allowedTools(tools, undefined, undefined)).toBe(tools)
  })
})

test('what is no tool is not allowed', () => {
  expect(allowedTools([null, { name: 'a' }] as never, { toolName: 'a' }, undefined)).toEqual([{ name: 'a' }])
})

test('the offered tools may be in any form', () => {
  expect(namesOf(allowedTools(RECORD, undefined, { b: {} }))).toEqual(['b'])
  expect(namesOf(allowedTools(LIST, undefined, [LIST[1 as never]] as never))).toEqual(['b'])
})

describe('a tool with a pattern that cannot be run', () => {
  const inputSchema = { properties: { a: { pattern: '(' } } } as const

  test('is refused where it is defined', () => {
    expect(() => tool({ inputSchema })).toThrow(expect.objectContaining({ code: 'invalid-schema' }))
    expect(() => tool({ parameters: inputSchema })).toThrow(
      expect.objectContaining({ code: 'invalid-schema' }),
    )
    expect(() => executablesOf({ a: { inputSchema } })).toThrow(
      "The schema of the tool 'a' cannot be checked, because of /properties/a/pattern. The pattern ( is not a regular expression.",
    )
  })

  test('is refused when its schema is wanted, if a function gives it', () => {
    const lazy = tool({ inputSchema: () => inputSchema })
    expect(() => executablesOf({ lazy })).toThrow(expect.objectContaining({ code: 'invalid-schema' }))
  })
})

describe('functions', () => {
  const run = (): string => 'ran'

  test('may have others beside them, and a field that only reads alike', () => {
    const tools = { a: { execution: 'local', onInputAvailable: run }, b: { execute: run, executed: run } }
    expect([...executablesOf(tools as never).keys()]).toEqual(['b'])
  })

  test('are found by name, wherever a tool has its name', () => {
    const found = executablesOf([
      { name: 'a', execute: run },
      { type: 'function', function: { name: 'b' }, execute: run },
      { type: 'custom', custom: { name: 'c' }, execute: run },
      { name: 'd' },
    ] as never)
    expect([...found.keys()]).toEqual(['a', 'b', 'c'])
    expect(found.get('b')?.({}, {} as never)).toBe('ran')
    expect([...executablesOf({ a: { execute: run }, b: {} }).keys()]).toEqual(['a'])
    expect(executablesOf(undefined).size).toBe(0)
    expect(executablesOf([{ type: 'web_search', execute: run }] as never).size).toBe(0)
  })

  test('get their tool as this', () => {
    const tool = {
      name: 'a',
      word: 'mine',
      execute(this: { word: string }) {
        return this.word
      },
    }
    expect(executablesOf([tool] as never).get('a')?.({}, {} as never)).toBe('mine')
  })

  test.each<[what: string, tools: unknown]>([
    ['what is no tool', [5]],
    ['a tool without a name', [{ execute: run }]],
    ['a tool that is nothing', { a: null }],
    ['a function that is none', { a: { execute: 'run' } }],
  ])('of %s are refused', (_, tools) => {
    expect(() => executablesOf(tools as never)).toThrow(expect.objectContaining({ name: 'SluiceError' }))
  })
})
