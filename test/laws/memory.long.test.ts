import { describe, expect, test } from 'vitest'
import type { SluiceEvent } from '../../src/base/event.ts'
import { kimiK2 } from '../../src/dialects/kimi-k2.ts'
import { createParser } from '../../src/engine/parser.ts'
import { findProvider } from '../../src/providers/any.ts'
import { createProviderParser } from '../../src/providers/provider-parser.ts'
import { PROVIDER_ENTRIES } from './providers.ts'

/** More calls than are remembered, and as many again. */
const CALLS = 4200

/** Those that repeat everything at the end, and must know what was there. */
const REPEATS = ['openai-responses', 'ai-sdk', 'ai-sdk-ui']

describe('however many calls come, as much is kept of them', () => {
  const entries = PROVIDER_ENTRIES.filter(({ name }) => !REPEATS.includes(name))
  test.each(entries.map((entry) => [entry.name, entry]))('%s', (name, { payloads }) => {
    const parts = Array.from({ length: 2 * CALLS }, () => ({
      type: 'call' as const,
      toolName: 'ping',
      input: {},
    }))
    const all = payloads(parts)
    const ids = new Set<string>()
    const parser = createProviderParser(
      (event: SluiceEvent) => {
        if (event.type !== 'tool-input-start') return
        expect(ids.has(event.id)).toBe(false)
        ids.add(event.id)
      },
      { provider: findProvider(name.split(' ')[0]!) },
    )
    const sizes: number[] = []
    for (const [at, payload] of all.entries()) {
      parser.push(payload)
      if (at === all.length >> 1 || at === all.length - 8)
        sizes.push(JSON.stringify(parser.snapshot()).length)
    }
    parser.end()
    expect(ids.size).toBe(2 * CALLS)
    // Indices and offsets have more digits.
    expect(sizes[1]! / sizes[0]!).toBeLessThan(1.1)
  })
})

test('a parser keeps as much of the ids that a dialect writes, and gives each call one of its own', () => {
  const parser = createParser({ dialect: kimiK2 })
  const ids = new Set<string>()
  const sizes: number[] = []
  for (let at = 0; at < 2 * CALLS; at++) {
    const call = `<|tool_call_begin|>functions.ping:${at}<|tool_call_argument_begin|>{}<|tool_call_end|>`
    for (const event of parser.push(`<|tool_calls_section_begin|>${call}<|tool_calls_section_end|>`))
      if (event.type === 'tool-call') ids.add(event.id)
    if (at % CALLS === CALLS - 1) sizes.push(JSON.stringify(parser.snapshot()).length)
  }
  expect(ids.size).toBe(2 * CALLS)
  expect([...ids].slice(4095, 4097)).toEqual(['functions.ping:4095', 'call-1'])
  expect(sizes[1]! / sizes[0]!).toBeLessThan(1.01)
})
