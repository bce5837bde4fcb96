import { expect, test } from 'vitest'
import { nearest } from '../src/nearest.ts'

const WORDS = ['anthropic', 'openai-chat', 'openai-responses', 'ollama']

test.each<[word: string, meant: string | undefined]>([
  ['anthropic', 'anthropic'],
  ['antropic', 'anthropic'],
  ['ANTHROPIC', 'anthropic'],
  ['openaiChat', 'openai-chat'],
  ['open_ai chat', 'openai-chat'],
  ['openai-response', 'openai-responses'],
  ['olama', 'ollama'],
  ['llama', 'ollama'],
  ['parrot', undefined],
  ['', undefined],
  ['x'.repeat(100_000), undefined],
])('%.20s is meant as %s', (word, meant) => {
  expect(nearest(word, WORDS)).toBe(meant)
})

test('among no words there is none', () => {
  expect(nearest('a', [])).toBeUndefined()
})
