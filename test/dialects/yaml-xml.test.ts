/** What a model is told of a body that is no YAML, and where a body ends. */

import { createParser, explain, isExecutable, parse } from 'sluice'
import { yamlXml } from 'sluice/yaml'
import { describe, expect, test } from 'vitest'
import { outline } from '../engine/wire/outline.ts'

const told = (body: string): string => {
  const { toolCalls } = parse(`<ls>\n${body}\n</ls>`, { dialect: yamlXml, tools: [{ name: 'ls' }] })
  return explain(toolCalls[0]!)
}

test.each([
  ['path: a\npath: b', "The key 'path' is there twice."],
  [
    'path: [a, b',
    'Flow sequence in block collection must be sufficiently indented and end with a ] at line 3, column 1.',
  ],
  ['path: a: b', 'Nested mappings are not allowed in compact mappings at line 2, column 7.'],
  ['- a', 'It has no keys.'],
  ['path: a\n---\npath: b', 'It has more than one document.'],
  ['path: a\n...\npath: b', 'It has more than one document.'],
  ['path: !!binary aGVsbG8=', 'Unresolved tag: tag:yaml.org,2002:binary at line 2, column 7.'],
  ['path: !!set {a, b}', 'Unresolved tag: tag:yaml.org,2002:set at line 2, column 7.'],
  [`path: ${'['.repeat(200)}`, 'It is too deeply nested.'],
])('%j', (body, why) => {
  expect(told(body)).toBe(
    `The call of \`ls\` is not valid. The body of the call is not yaml. ${why} It was not run. Send the whole call again with this put right.`,
  )
})

test('is not told all of a long body again', () => {
  expect(told(`${'k'.repeat(5000)}: a\n${'k'.repeat(5000)}: b`).length).toBeLessThan(400)
})

test('a marker behind the only document is no second one', () => {
  const text = '<ls>\n---\npath: a\n---\n</ls>'
  const [call] = parse(text, { dialect: yamlXml, tools: [{ name: 'ls' }] }).toolCalls
  expect(call).toMatchObject({ status: 'complete', input: { path: 'a' } })
})

test('numbers keep their form and all of their digits, also behind an alias', () => {
  const text =
    '<ls>\nid: &id 9007199254740993\nat: [-9007199254740993, 1.0, *id]\nfar: 1e20\nbig: 0x2000000000000e\n</ls>'
  const [call] = parse(text, { dialect: yamlXml, tools: [{ name: 'ls' }] }).toolCalls
  expect(call?.inputText).toBe(
    '{"id":9007199254740993,"at":[-9007199254740993,1.0,9007199254740993],"far":1e20,"big":"0x2000000000000e"}',
  )
})

describe('a closer', () => {
  const tools = [{ name: 'ls' }, { name: 'rm' }]
  const BEHIND = 'path: a\ntext: |\n  see </ls>'

  test.each<[what: string, text: string, expected: string[]]>([
    ['ends a body on the line of its opener', '<ls>path: a</ls>', ['call ls {"path":"a"}']],
    ['ends one in braces', '<ls>{path: a}</ls>\nDone.', ['call ls {"path":"a"}', 'text \nDone.']],
    [
      'ends one before another call',
      'So: <ls>path: a</ls> <rm>path: b</rm>\nDone.',
      ['text So: ', 'call ls {"path":"a"}', 'call rm {"path":"b"}', 'text \nDone.'],
    ],
    ['ends an empty one', '<ls></ls> Done.', ['call ls {}', 'text  Done.']],
    ['ends lines of its own', '<ls>\npath: a\n</ls> Done.', ['call ls {"path":"a"}', 'text  Done.']],
    [
      'ends lines that are indented as it is',
      '  <ls>\n    path: a\n    text: |\n      b\n  </ls> Done.',
      ['text   ', 'call ls {"path":"a","text":"b\\n"}', 'text  Done.'],
    ],
    [
      'ends the last line of a body at the end of the response',
      '<ls>\npath: a</ls>\n',
      ['call ls {"path":"a"}'],
    ],
    ['ends it where it is indented', '<ls>\npath: a\n  </ls>', ['call ls {"path":"a"}']],
    [
      'ends it before another call',
      '<ls>\npath: a</ls>\n<rm>\npath: b</rm>',
      ['call ls {"path":"a"}', 'call rm {"path":"b"}'],
    ],
    [
      'may be part of the line that goes on behind it',
      '<ls>path: see </ls> here</ls>',
      ['repaired ls {"path":"see"}', 'text  here</ls>'],
    ],
    [
      'may be part of the line that another closer ends',
      '<ls>path: see </ls></ls>',
      ['repaired ls {"path":"see"}', 'note stray-closer'],
    ],
    [
      'may be part of the line where no tag follows it',
      '<ls>path: a </ls> <3',
      ['repaired ls {"path":"a"}', 'text  <3'],
    ],
    [
      'may be part of a block that goes on behind it',
      `<ls>\n${BEHIND} here\n  more\n</ls>`,
      ['repaired ls {"path":"a","text":"see \\n"}', 'text  here\n  more\n</ls>'],
    ],
    [
      'may be part of a block that goes on in the next line',
      `<ls>\n${BEHIND}\n  more\n</ls>`,
      ['repaired ls {"path":"a","text":"see \\n"}', 'text \n  more\n</ls>'],
    ],
    [
      'may be a line of a block',
      '<ls>\ntext: |\n  a\n  </ls>\n  more\n</ls>',
      ['repaired ls {"text":"a\\n"}', 'text \n  more\n</ls>'],
    ],
    [
      'may be part of a body that another closer ends',
      `<ls>\n${BEHIND}\n</ls>`,
      ['repaired ls {"path":"a","text":"see \\n"}', 'note stray-closer'],
    ],
    [
      'leaves no call certain that a block may quote',
      `<ls>\n${BEHIND}\n  <rm>path: b</rm>\n</ls>`,
      ['repaired ls {"path":"a","text":"see \\n"}', 'repaired rm {"path":"b"}', 'note stray-closer'],
    ],
  ])('%s', (_, text, expected) => {
    const lines = outline(text, { dialect: yamlXml, tools })
    expect(lines.filter((line) => line !== 'text \n')).toEqual(expected)
    const runs = parse(text, { dialect: yamlXml, tools }).toolCalls.filter((call) => isExecutable(call))
    expect(runs.length).toBe(expected.filter((line) => line.startsWith('call')).length)
  })

  test('that may be part of a value is not certain behind much white space', () => {
    const limits = { undecided: 30 }
    const at = (spaces: number) =>
      outline(`<ls>path: a</ls>${' '.repeat(spaces)}\n`, { dialect: yamlXml, tools, limits })[0]
    expect([at(29), at(30)]).toEqual(['call ls {"path":"a"}', 'repaired ls {"path":"a"}'])
  })

  test('that may be part of a value is decided by the next character that is no white space', () => {
    const parser = createParser({ dialect: yamlXml, tools })
    const types = (text: string) => parser.push(text).map(({ type }) => type)
    expect(types('<ls>path: a</ls>')).toEqual(['tool-input-start'])
    expect(types(' ')).toEqual([])
    expect(types('\n')).toContain('tool-call')
  })
})
