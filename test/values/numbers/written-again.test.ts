/** JSON values whose numbers are written as they came. */

import { expect, test } from 'vitest'
import { hasWrittenNumbers, parseWritten, writeJson } from '../../../src/values/numbers/written.ts'

test.each([
  '{"a":1.0,"b":1e18,"c":[19.99999999999999999999,{"d":9007199254740993}]}',
  '[1.0,[1.0,[-2.50]],"a, 1.0",{"k:1.0":1E+5}]',
  '{"7":0.0,"__proto__":{"x":1.0},"x":1.50}',
  '{"a":"\\\\","b":1.0,"c":"x\\"y\\\\\\"","d":1e-400}',
  '{"number 0:0":1.0,"x":"number 0:0"}',
  '[90071992547409.931234,0.00000012,-1e-400,5e0]',
])('a text is written as it was read: %s', (text) => {
  expect(writeJson(parseWritten(text))).toBe(text)
  expect(hasWrittenNumbers(text)).toBe(true)
})

test.each<[text: string, written: string]>([
  ['{"a":1.0,"a":1}', '{"a":1}'],
  ['{"a":1,"a":1.0}', '{"a":1.0}'],
  ['{"a":9007199254740993,"a":9007199254740992}', '{"a":9007199254740992}'],
  ['{"a":{"x":1.0},"a":{"x":1}}', '{"a":{"x":1}}'],
  ['{"a":[1.0],"a":{"0":1}}', '{"a":{"0":1}}'],
])('of two members with one key the last is written: %s', (text, written) => {
  expect(writeJson(parseWritten(text))).toBe(written)
})

test('a number that was changed since is written as it is now', () => {
  const value = parseWritten('{"a":1.0,"b":2.0}') as { a: number }
  value.a = 3
  expect(writeJson(value)).toBe('{"a":3,"b":2.0}')
})
