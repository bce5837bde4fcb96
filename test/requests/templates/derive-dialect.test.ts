import { describe, expect, test } from 'vitest'
import { parse } from '../../../src/engine/message.ts'
import { deriveDialect, UnprovedDialectError } from '../../../src/requests/templates/index.ts'
import { shownCalls } from './shown-calls.ts'
import { UNKNOWN_FORMATS, unknownFormat } from './unknown-formats.ts'

const formatOf = (name: string) => UNKNOWN_FORMATS.find((one) => one.name === name)!

describe('deriveDialect', () => {
  test('finds the markers of a format that no dialect has', () => {
    const format = formatOf('a name and an id, then JSON')
    const { dialect, start, origin, probes } = deriveDialect(format.template)
    expect({ name: dialect.name, start, origin }).toEqual({
      name: 'derived',
      start: 'text',
      origin: 'derived',
    })
    expect(shownCalls(dialect)).toBe(format.call)
    expect(dialect.endOfTurn).toEqual(['<|over|>'])
    expect(probes.find(({ name }) => name === 'three calls')?.problem).toBeUndefined()
    const text = 'Now.<|acts|><|act|>ls<|ref|>a7<|with|>{"path": "."}<|/act|><|/acts|><|over|>'
    const message = parse(text, { dialect })
    expect(message.text).toBe('Now.')
    expect(message.toolCalls).toMatchObject([
      { id: 'a7', toolName: 'ls', input: { path: '.' }, status: 'complete' },
    ])
  })

  test('finds the markers around text and around reasoning', () => {
    const { dialect } = deriveDialect(formatOf('markers around text and reasoning, too').template)
    expect(parse('<|muse|>Hm.<|/muse|><|say|>Yes.<|/say|><|over|>', { dialect })).toMatchObject({
      reasoning: 'Hm.',
      text: 'Yes.',
    })
  })

  test('takes words that any text may hold for a call only if the tool is known', () => {
    const { dialect } = deriveDialect(
      unknownFormat('', {
        calls: `{%- for call in message.tool_calls %}{{- '\\nplease run ' + call.function | tojson + ' now' }}{%- endfor %}`,
        call: '',
      }).template,
    )
    const text = 'please run {"name": "ls", "arguments": {}} now'
    const tools = [{ name: 'ls', inputSchema: { type: 'object' } }] as const
    expect(parse(text, { dialect, tools }).toolCalls).toMatchObject([{ toolName: 'ls', status: 'complete' }])
    expect(parse(text, { dialect, tools: [{ ...tools[0], name: 'cd' }] })).toMatchObject({
      text,
      toolCalls: [],
    })
  })

  test.each([
    [
      'that writes a word which no dialect would write',
      unknownFormat('', {
        calls: `{%- for call in message.tool_calls %}{{- '<|fn|>' + {"kind": "tool", "op": call.function.name, "with": call.function.arguments} | tojson + '<|/fn|>' }}{%- endfor %}`,
        call: '',
      }).template,
      'one call',
      'the dialect would write it differently',
    ],
    [
      'that numbers calls by letters',
      unknownFormat('', {
        calls: `{%- for call in message.tool_calls %}{{- '<|fn ' + 'ABC'[loop.index0] + '|>' + call.function | tojson + '<|/fn|>' }}{%- endfor %}`,
        call: '',
      }).template,
      'three calls',
      'its text would be "<|fn C|>',
    ],
    [
      'whose arguments have no keys',
      unknownFormat('', {
        calls: `{%- for call in message.tool_calls %}{{- '<|fn|>' + call.function.name }}{%- for key, value in call.function.arguments | items %}{{- '<|' ~ value ~ '|' ~ key ~ '|>' }}{%- endfor %}{{- '<|/fn|>' }}{%- endfor %}`,
        call: '',
      }).template,
      'one call',
      'stand in no order',
    ],
  ])('refuses a template %s, with the probe that failed', (_, template, probe, problem) => {
    try {
      deriveDialect(template)
      expect.unreachable()
    } catch (error) {
      expect(error).toBeInstanceOf(UnprovedDialectError)
      expect(error).toMatchObject({ code: 'unproved-dialect', probe: { name: probe } })
      expect((error as UnprovedDialectError).probe.problem).toContain(problem)
    }
  })
})
