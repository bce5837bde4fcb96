import { expect, test } from 'vitest'
import { sharedKey } from '../../src/json/scan/keys.ts'

test.each([
  ['', ''],
  ['path', 'path'],
  ['lath', 'loth'],
  ['a key that is too long to be shared', 'a key that is too long to be shared'],
])('A shared key is the key that was asked for: %j after %j', (first, second) => {
  expect([sharedKey(first), sharedKey(second), sharedKey(first)]).toEqual([first, second, first])
})

test('So many keys that they take the places of others are still the same keys', () => {
  const keys = Array.from({ length: 2000 }, (_, index) => `k${index}`)
  expect(keys.map(sharedKey)).toEqual(keys)
  expect(keys.map(sharedKey)).toEqual(keys)
})
