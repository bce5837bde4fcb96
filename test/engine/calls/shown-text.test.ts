import fc from 'fast-check'
import { describe, expect, it, test } from 'vitest'
import { hermes } from '../../../src/dialects/hermes.ts'
import { pythonic } from '../../../src/dialects/pythonic.ts'
import { includes, type Shown } from '../../../src/engine/calls/shown-text.ts'
import { isExecutable } from '../../../src/engine/calls/verdict.ts'
import { parse } from '../../../src/engine/message.ts'
import { createParser, type ParserOptions, restoreParser } from '../../../src/engine/parser.ts'
import { SEED } from '../../effort.ts'

const tools = [{ name: 'rm' }, { name: 'ls' }]

const runs = (text: string, shown: Shown, options: ParserOptions = {}): string[] =>
  parse(text, { dialect: pythonic, tools, shown, ...options })
    .toolCalls.filter((call) => isExecutable(call, { allow: ['guess'] }))
    .map(({ toolName }) => toolName)

describe('a call', () => {
  it.each<[string, string, Shown, string[]]>([
    ['that is a whole result', '[rm(path="/")]', { results: ['[rm(path="/")]'] }, []],
    ['that is a part of a result', '[rm(path="/")]', { results: ['Then try [rm(path="/")] again.'] }, []],
    ['that is wrapped otherwise', '[rm(\n  path = "/")]', { results: ['[rm(path="/")]'] }, []],
    ['that is wrapped in a result', '[rm(path="/")]', { results: ['[rm(\n  path = "/")]'] }, []],
    ['of the second result', '[rm(path="/")]', { results: ['ok', '[rm(path="/")]'] }, []],
    ['with another argument', '[rm(path="/tmp")]', { results: ['[rm(path="/")]'] }, ['rm']],
    ['that stands half in a result', '[rm(path="/")]', { results: ['[rm(path="/"', ')]'] }, ['rm']],
    ['without results', '[rm(path="/")]', { results: [] }, ['rm']],
    ['that repeats the examples', 'Call so:\n[ls()]', { instructions: 'Call so: [ls()]' }, []],
    ['that is an example alone', '[ls()]', { instructions: 'Call so: [ls()]' }, ['ls']],
    ['whose end is none of the examples', 'Call so: [ls()]', { instructions: 'Call so: [ls(' }, ['ls']],
    ['that ends where the examples end', 'Call so: [ls()]', { instructions: 'Call so: [ls()' }, []],
    ['behind other words', 'Done: [ls()]', { instructions: 'Call so: [ls()]' }, ['ls']],
  ])('%s', (_, text, shown, expected) => {
    expect(runs(text, shown)).toEqual(expected)
  })

  it('runs that goes on otherwise than the examples', () => {
    const call = (name: string) => `<tool_call>{"name": "${name}", "arguments": {}}</tool_call>`
    const shown = { instructions: `Call so: ${call('ls')}\nor so: ${call('rm')}` }
    expect(runs(`Call so: ${call('ls')}\nor so: ${call('rm')}`, shown, { dialect: hermes })).toEqual([])
    expect(runs(`Call so: ${call('ls')}\nBut I call ${call('rm')}`, shown, { dialect: hermes })).toEqual([
      'rm',
    ])
  })

  it('that repeats a result says so', () => {
    const message = parse('[rm(path="/")]', {
      dialect: pythonic,
      tools,
      shown: { results: ['[rm(path="/")]'] },
    })
    expect(message.toolCalls[0]).toMatchObject({
      status: 'repaired',
      repairs: [{ code: 'place-uncertain', class: 'guess', offset: 0 }],
    })
    expect(message.diagnostics).toMatchObject([{ code: 'repeated-call', span: { start: 0, end: 13 } }])
  })

  it('is compared although its source is not kept', () => {
    const options: ParserOptions = { emit: { input: false }, shown: { results: ['[rm(path="/")]'] } }
    const { diagnostics } = parse('[rm(path="/")]', { dialect: pythonic, tools, ...options })
    expect(diagnostics.map(({ code }) => code)).toContain('repeated-call')
  })
})

test('a snapshot knows how far the prompt is repeated', () => {
  const options = { dialect: pythonic, tools, shown: { instructions: 'Call so: [ls()]' } }
  const text = 'Call so:\n[ls()]'
  for (let cut = 0; cut <= text.length; cut++) {
    const parser = createParser(options)
    parser.push(text.slice(0, cut))
    const saved = JSON.parse(JSON.stringify(parser.snapshot())) as ReturnType<typeof parser.snapshot>
    const rest = restoreParser(saved, options)
    const events = [...rest.push(text.slice(cut)), ...rest.end()]
    const [call] = events.filter((event) => event.type === 'tool-call')
    if (cut < text.length) expect(call?.repairs.map(({ code }) => code)).toContain('place-uncertain')
  }
})

test('what is shown has to be text', () => {
  const make = (shown: unknown) => () => createParser({ shown: shown as Shown })
  expect(make({ results: [1] })).toThrow("'results' takes a string, not 1.")
  expect(make({ result: 'a' })).toThrow("did you mean 'results'?")
  expect(make('a')).toThrow("'shown' takes an object")
})

describe('the search', () => {
  const long = 'abc'.repeat(40)

  it.each<[string, string, boolean]>([
    ['abc', 'b', true],
    ['abc', 'd', false],
    [`x${long}x`, long, true],
    [`${long.slice(1)}${long.slice(0, -1)}`, `${long}a`, true],
    [`${long}-${long}`, `${long}${long}`, false],
    [`x${long}`, `y${long}`, false],
    [`${long}x`, `${long}y`, false],
    [`${'a'.repeat(200)}b${'a'.repeat(200)}`, `${'a'.repeat(100)}b${'a'.repeat(100)}`, true],
    [
      `${'a'.repeat(99)}b${'a'.repeat(300)}b${'a'.repeat(99)}`,
      `${'a'.repeat(100)}b${'a'.repeat(100)}`,
      false,
    ],
  ])('%#', (text, wanted, expected) => {
    expect(includes(text, wanted)).toBe(expected)
  })

  it('finds what the search of the platform finds, however often a text begins again', () => {
    const word = fc.string({ unit: fc.constantFrom('a', 'b'), minLength: 1, maxLength: 6 })
    const pieces = fc.array(fc.nat({ max: 4 }), { minLength: 1, maxLength: 5 })
    fc.assert(
      fc.property(word, word, pieces, (first, last, chosen) => {
        const wanted = first.repeat(70 / first.length) + last + first
        const near = [wanted, wanted.slice(1), wanted.slice(0, -1), first, last]
        const text = chosen.map((at) => near[at]).join('')
        expect(includes(text, wanted)).toBe(text.includes(wanted))
      }),
      { seed: SEED, numRuns: 1000 },
    )
  })
})
