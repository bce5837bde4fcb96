/** JSON that is no call is text as a whole, and hides no call that stands behind it. */

import { describe, expect, test } from 'vitest'
import { hermes } from '../../../src/dialects/hermes.ts'
import { jsonTools, jsonToolsGemini, jsonToolsOpenAi } from '../../../src/dialects/json-tools.ts'
import { isExecutable } from '../../../src/engine/calls/verdict.ts'
import { foldEvents } from '../../../src/engine/message.ts'
import { createParser, restoreParser } from '../../../src/engine/parser.ts'
import type { Dialect } from '../../../src/engine/wire/index.ts'

const LS = '{"name":"ls","args":{"path":"."}}'
const RM = '{"name":"rm","args":{}}'

/** The text and the calls that run, whole, in pieces of some sizes, and through a snapshot after each of them. */
function read(text: string, dialect: Dialect | readonly Dialect[], limits = {}) {
  const all = [text.length, 1, 2, 5].map((size) => {
    const options = { dialect, limits }
    let parser = createParser(options)
    const events = []
    for (let at = 0; at < text.length; at += size) {
      events.push(...parser.push(text.slice(at, at + size)))
      if (size === 2) parser = restoreParser(JSON.parse(JSON.stringify(parser.snapshot())), options)
    }
    const message = foldEvents([...events, ...parser.end()])
    const runs = message.toolCalls.filter((call) => isExecutable(call)).map(({ toolName }) => toolName)
    return { text: message.text, runs }
  })
  for (const one of all) expect(one).toEqual(all[0])
  return all[0]!
}

describe('an object that is no call', () => {
  test.each<[name: string, dialect: Dialect, text: string]>([
    ['holds none under a key', jsonToolsGemini, `{"x": ${RM}}`],
    ['holds none behind other keys', jsonToolsGemini, `{"x": 1, "y": [2, ${RM}], "z": ${RM}}`],
    [
      'holds none where it is a call of another shape',
      jsonTools,
      `{"x": {"tool":{"function":"rm","parameters":{}}}}`,
    ],
    ['holds none inside a function', jsonToolsOpenAi, '{"x": {"function":{"name":"rm","arguments":{}}}}'],
    [
      'holds none in a list of calls',
      jsonToolsOpenAi,
      '{"x": {"tool_calls":[{"function":{"name":"rm","arguments":{}}}]}}',
    ],
    ['holds none in a list that begins with it', jsonToolsGemini, `[{"x": 1}, ${RM}]`],
    ['holds none where it has a name, too', jsonToolsGemini, `{"name": "Bob", "age": 3, "x": ${RM}}`],
    ['holds none behind a string with brackets', jsonToolsGemini, `{"x": "}} \\"]", "y": ${RM}}`],
    ['holds none with single quotes', jsonToolsGemini, `{'x': 'a', 'y': ${RM}}`],
    ['holds none behind keys without quotes', jsonToolsGemini, `{x: undefined, y: [-1.5e+3, ${RM},],}`],
    ['holds none behind a bracket too many', jsonToolsGemini, `{"x": {${RM}}`],
    ['holds none where a colon is missing', jsonToolsGemini, `{"x" ${RM}}`],
    ['holds none where it never ends', jsonToolsGemini, `{"x": ${RM}`],
  ])('%s', (_, dialect, text) => {
    expect(read(text, dialect)).toEqual({ text, runs: [] })
  })

  test('holds no call of another dialect, either', () => {
    const text = '{"x": "<tool_call>{\\"name\\": \\"rm\\", \\"arguments\\": {}}</tool_call>"}'
    expect(read(text, [jsonToolsGemini, hermes])).toEqual({ text, runs: [] })
  })
})

describe('a call', () => {
  test.each<[name: string, before: string]>([
    ['behind an object that is none', '{"x": {"y": [1, 2]}} '],
    ['behind one that holds one', `{"x": ${RM}} `],
    ['behind a word in braces', 'Hello {name}, '],
    ['behind two pairs of braces', 'Hello {{name}}, '],
    ['behind a brace that is not closed', 'the set {x such that '],
    ['behind braces and an apostrophe', "{ 'tis a line\n"],
    ['behind a bracket that is not its own', '{"x": [1} '],
    ['behind code', 'if (x) { return f(1) } '],
    ['behind a template', 'take ${dir}/a, '],
    ['behind a brace alone', '{'],
    ['behind an empty object', '{} '],
    ['behind a list', '[{"x": 1}] '],
  ])('runs %s', (_, before) => {
    expect(read(`${before}${LS}`, jsonToolsGemini)).toEqual({ text: before, runs: ['ls'] })
  })

  test('does not run behind more brackets than are counted', () => {
    const text = `{"x": [[[[${RM}]]]]} `
    expect(read(text + LS, jsonToolsGemini, { depth: 3 }).runs).toEqual([])
  })
})

test('all of it is text at once', () => {
  const parser = createParser({ dialect: jsonToolsGemini })
  const said = ['{', '"x"', ': {"name"', ': "rm"'].map((piece) =>
    parser.push(piece).flatMap((event) => (event.type === 'text-delta' ? [event.delta] : [])),
  )
  expect(said).toEqual([[], ['{"', 'x"'], [': {"name"'], [': "rm"']])
})
