import { expect, test } from 'vitest'
import { didYouMean, nearest } from '../../src/base/nearest.ts'

const WORDS = ['hermes', 'qwen3-coder', 'glm', 'kimi-k2', 'kimi-k3', 'inputSchema', 'id']

test.each<[word: string, near: string | undefined]>([
  ['hermes', 'hermes'],
  ['hermse', 'hermes'],
  ['herms', 'hermes'],
  ['hhermes', 'hermes'],
  ['Hermas', 'hermes'],
  ['qwen3Coder', 'qwen3-coder'],
  ['QWEN_3_CODER', 'qwen3-coder'],
  ['qwen-coder', 'qwen3-coder'],
  ['input_schema', 'inputSchema'],
  ['kimi-k4', 'kimi-k2'],
  ['ID', 'id'],
  ['ids', 'id'],
  ['gml', 'glm'],
  ['gpt', undefined],
  ['', undefined],
  ['toString', undefined],
  ['hermes'.repeat(1000), undefined],
])('of these words, %j is nearest to %j', (word, near) => {
  expect(nearest(word, WORDS)).toBe(near)
})

test('nothing is asked where no word comes near', () => {
  expect(didYouMean('colr', ['colour', 'write'])).toBe("; did you mean 'colour'?")
  expect(didYouMean('colr', ['write'])).toBe('')
})
