import { describe, expect, test } from 'vitest'
import { hermes } from '../../src/dialects/hermes.ts'
import { qwen3Coder } from '../../src/dialects/qwen3-coder.ts'
import { accepts, callGrammar, toGbnf } from '../../src/grammar/index.ts'
import { render } from '../../src/render.ts'
import { GRAMMAR_TOOLS, problemOfWalks } from './laws.ts'

const weather = (toolName: string) =>
  render([{ type: 'call', toolName, input: { city: 'Paris', days: 2 } }], { dialect: hermes })

describe('callGrammar', () => {
  test.each([
    ['auto', true, true, true],
    ['required', true, true, false],
    ['none', false, false, true],
    [{ toolName: 'get_weather' }, true, false, false],
    [{ toolName: 'ping' }, false, false, false],
  ] as const)('with %j allows one call: %s, two: %s, text: %s', (toolChoice, one, two, text) => {
    const grammar = callGrammar({ dialect: hermes, tools: GRAMMAR_TOOLS, toolChoice })
    const call = weather('get_weather')
    expect([call, `${call}\n${call}`, 'Hello.'].map((written) => accepts(grammar, written))).toEqual([
      one,
      two,
      text,
    ])
  })

  test('refuses a call of another tool', () => {
    const grammar = callGrammar({ dialect: hermes, tools: GRAMMAR_TOOLS })
    expect(accepts(grammar, weather('rm'))).toBe(false)
  })

  test('refuses a keyword that it cannot hold, with its pointer', () => {
    const inputSchema = { type: 'object', properties: { a: { type: 'string', pattern: '^x' } } }
    expect(() => callGrammar({ dialect: hermes, tools: [{ name: 'f', inputSchema }] })).toThrow(
      '/properties/a/pattern',
    )
  })

  test('reads its own random walks as complete calls that fit', () => {
    expect(problemOfWalks(hermes, { toolChoice: 'required' }, 10)).toBeUndefined()
    expect(problemOfWalks(qwen3Coder, {}, 10)).toBeUndefined()
  })

  test('is printed as GBNF with one rule for all calls', () => {
    const grammar = callGrammar({
      dialect: hermes,
      tools: GRAMMAR_TOOLS,
      toolChoice: 'required',
      reasoning: false,
    })
    expect(toGbnf(grammar)).toMatch(/^root ::= call \("\\n" call\)\*\n/)
  })
})
