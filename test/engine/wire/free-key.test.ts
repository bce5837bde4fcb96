/** A key that may hold any character: it ends at a marker that can follow it, or at a line break. */

import { expect, it, test } from 'vitest'
import { createParser, restoreParser } from '../../../src/engine/parser.ts'
import { closer, dialect, each, name, space, value, wire } from '../../../src/engine/wire/index.ts'
import { freeKey } from '../../../src/engine/wire/template.ts'
import { outline } from './outline.ts'

const keyed = dialect('keyed', {
  call: wire`<call>${name};${each`
    <k>${space}${freeKey}${closer`</k>`}${space}<v>${value}</v>`}</call>`,
  spacedTags: true,
})
const call = (pairs: string) => `<call>f;${pairs}</call>`

test.each([
  ['a', 'call f {"a":"1"}'],
  ['a<b', 'call f {"a<b":"1"}'],
  ['a</b', 'call f {"a</b":"1"}'],
  ['a<<<b', 'call f {"a<<<b":"1"}'],
  ['a>b c', 'call f {"a>b c":"1"}'],
  ['\n  a \t', 'call f {"a":"1"}'],
  ['é🎈', 'call f {"é🎈":"1"}'],
])('holds %j', (key, expected) => {
  expect(outline(call(`<k>${key}</k><v>1</v>`), { dialect: keyed })).toEqual([expected])
})

test.each([
  ['the marker behind a missing closer', '<k>a<b<v>1</v>', ['repaired f {"a<b":"1"}', 'note missing-closer']],
  ['a marker with white space in it', '<k>a<b</k ><v>1</v>', ['call f {"a<b":"1"}']],
  ['a line break', '<k>a<b\n</k><v>1</v>', ['call f {"a<b":"1"}']],
])('ends at %s', (_, pairs, expected) => {
  expect(outline(call(pairs), { dialect: keyed })).toEqual(expected)
})

test.each([
  ['none', '<k></k><v>1</v>', 'note malformed-call'],
  ['one that is too long', `<k>${'a<'.repeat(5)}</k><v>1</v>`, 'note limit-reached'],
  ['one without an end', `<k>${'a<'.repeat(50)}`, 'note limit-reached'],
])('%s is no key', (_, pairs, note) => {
  const lines = outline(call(pairs), { dialect: keyed, limits: { name: 8 } })
  expect(lines[0]).toBe('invalid f {}')
  expect(lines).toContain(note)
})

it('goes on from a snapshot inside a marker', () => {
  const text = call('<k>a<b</k><v>1</v>')
  for (let at = 1; at < text.length; at++) {
    const parser = createParser({ dialect: keyed })
    const events = parser.push(text.slice(0, at))
    const restored = restoreParser(JSON.parse(JSON.stringify(parser.snapshot())), { dialect: keyed })
    const rest = [...restored.push(text.slice(at)), ...restored.end()]
    const verdict = [...events, ...rest].find((event) => event.type === 'tool-call')
    expect(verdict?.type === 'tool-call' && verdict.input).toEqual({ 'a<b': '1' })
  }
})
