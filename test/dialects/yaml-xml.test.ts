/** What a model is told of a body that is no YAML. */

import { explain, parse } from 'sluice'
import { yamlXml } from 'sluice/yaml'
import { expect, test } from 'vitest'

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
