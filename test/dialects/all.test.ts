/** What holds for every dialect there is, and for any two of them. */

import { describe, expect, expectTypeOf, it, test } from 'vitest'
import { SluiceError } from '../../src/base/errors.ts'
import type { Part } from '../../src/base/part.ts'
import { ALL } from '../../src/dialects/all.ts'
import { type DialectName, findDialect } from '../../src/dialects/find.ts'
import { jsonMix } from '../../src/dialects/hermes.ts'
import * as named from '../../src/dialects/named-dialects.ts'
import { qwen3Coder } from '../../src/dialects/qwen3-coder.ts'
import { yamlXml } from '../../src/dialects/yaml/index.ts'
import { isExecutable } from '../../src/engine/calls/verdict.ts'
import { parse } from '../../src/engine/message.ts'
import { createParser } from '../../src/engine/parser.ts'
import { render } from '../../src/engine/render.ts'
import { checked } from '../../src/engine/wire/checked-dialect.ts'
import type { Node } from '../../src/engine/wire/template.ts'
import { outline } from '../engine/wire/outline.ts'
import { TOOLS } from './tools.ts'

/** Every marker of a dialect that ordinary text does not hold. */
function markersOf(dialect: (typeof ALL)[number]): string[] {
  const found = new Set<string>()
  const visit = (nodes: readonly Node[]): void => {
    for (const node of nodes) {
      if (node.kind === 'literal') for (const form of node.forms) found.add(form)
      else if (node.kind === 'tag') for (const form of node.forms) found.add(form)
      else if (node.kind === 'each' || node.kind === 'optional' || node.kind === 'closer') visit(node.body)
      else if (node.kind === 'either') for (const choice of node.choices) visit(choice)
      else if (node.kind === 'per-tool') for (const tool of TOOLS) visit(node.make(tool).nodes)
    }
  }
  for (const { nodes } of [...dialect.calls, ...dialect.reasoning, ...dialect.drop]) visit(nodes)
  return [...found].filter((marker) => /^[<[]/.test(marker) && marker.length > 2)
}

/** The marker at the end of a call that a model may leave out. */
function closerOf({ calls, weakCalls, looseCalls }: (typeof ALL)[number]): string | undefined {
  const last = [...calls, ...weakCalls, ...looseCalls][0]!.nodes.at(-1)!
  if (last.kind !== 'closer') return undefined
  return last.body.map(firstForm).join('')
}

function firstForm(node: Node): string {
  if (node.kind === 'either') return node.choices[0]!.map(firstForm).join('')
  return node.kind === 'literal' ? node.forms[0]! : ''
}

/** A name that comes twice is a list of two. */
const OBJECTS_ARE_ELEMENTS = ['cline-xml', 'minimax-m3', 'morph-xml', 'sijawara', 'tool-xml']

const THOUGHT: Part[] = [
  { type: 'reasoning', text: 'Hm.' },
  { type: 'text', text: 'Hi.' },
]

describe('names', () => {
  it('are different, and so are the names that others have for them', () => {
    const names = ALL.flatMap(({ name, aliases }) => [name, ...aliases])
    expect(names.filter((name, index) => names.indexOf(name) !== index)).toEqual([])
    const plain = ALL.flatMap(({ name, aliases }) => [
      ...new Set([name, ...aliases].map((one) => one.replace(/[-_.]/g, ''))),
    ])
    expect(plain.filter((name, index) => plain.indexOf(name) !== index)).toEqual([])
  })

  test.each([...Object.entries(named)].map(([imported, { name }]) => [imported, name]))(
    'are known as they are imported: %s',
    (imported, name) => {
      expect(findDialect(imported).name).toBe(name)
    },
  )

  it('are typed', () => {
    expectTypeOf<'qwen3-coder'>().toExtend<DialectName>()
    expectTypeOf<'qwen3Coder'>().not.toExtend<DialectName>()
    expectTypeOf(qwen3Coder.name).toEqualTypeOf<'qwen3-coder'>()
  })

  test.each([
    ['qwen3-codr', 'qwen3-coder'],
    ['Hermess', 'hermes'],
    ['gpt-osss', 'gpt-oss'],
  ])('that are misspelt are answered with what was meant: %s', (name, meant) => {
    expect(() => findDialect(name)).toThrow(
      expect.objectContaining({
        code: 'unknown-dialect',
        message: expect.stringContaining(`There is no dialect '${name}'; did you mean '${meant}'?`),
      }),
    )
  })

  test.each([
    ['hermes', 'hermes'],
    ['Hermes', 'hermes'],
    ['qwen3_coder', 'qwen3-coder'],
    ['QWEN3_CODER', 'qwen3-coder'],
    ['glm45', 'glm'],
    ['kimi_k2', 'kimi-k2'],
    ['gpt-oss', 'harmony'],
    ['llama3_json', 'llama3-json'],
    ['deepseek_v31', 'deepseek-v31'],
    ['minimax_m2', 'minimax-m2'],
    ['seed_oss', 'seed-oss'],
    ['llama4_pythonic', 'pythonic'],
    ['mistral', 'mistral-v11'],
    ['jamba', 'tool-calls-array'],
  ])('of other engines are known: %s', (alias, name) => {
    expect(findDialect(alias).name).toBe(name)
  })

  it.each(['', 'klingon', '__proto__', 'constructor'])('that are unknown are refused: %j', (name) => {
    expect(() => findDialect(name)).toThrow(SluiceError)
    expect(() => findDialect(name)).toThrow(
      `There is no dialect '${name}'. allDialects of 'sluice/dialects' lists the dialects; detectDialect of 'sluice/templates' finds one by the model's chat template, and detect() by what the model writes.`,
    )
  })
})

describe.each([...ALL, yamlXml])('$name', (dialect) => {
  const options = { dialect, tools: TOOLS }

  it('could have been defined by a user, whose dialects are checked', () => {
    expect(checked(dialect)).toBe(dialect)
  })

  it('leaves ordinary text alone', () => {
    const text =
      'Hello! 1 < 2 & 3 > 2, `code`, *bold*, "quotes" and [links](https://example.org)\n\n- é 日本 😀\n'
    expect(outline(text, options)).toEqual([`text ${text}`])
  })

  it('gives the beginning of a marker back at the end of the response', () => {
    for (const marker of markersOf(dialect))
      for (let length = 1; length < marker.length; length++) {
        const begun = marker.slice(0, length)
        const isToken = dialect.tokens.some((token) => begun.startsWith(token))
        expect(isToken ? ['So ', `So ${begun}`] : [`So ${begun}`]).toContain(
          parse(`So ${begun}`, options).text,
        )
      }
  })

  it('reads markers in disorder the same however they are cut', () => {
    const text = markersOf(dialect).reverse().join(' x ')
    expect(() => outline(text, options)).not.toThrow()
  })

  const call = render([{ type: 'call', toolName: 'ring', input: { who: 'Ann' } }], options)
  const ring = `ring {"who":"Ann"}${dialect.name === 'kimi-k2' ? ' #functions.ring:0' : ''}`

  const closer = closerOf(dialect)
  if (closer !== undefined)
    it('reads a call whose closing marker is missing at the end', () => {
      const text = call.slice(0, call.lastIndexOf(closer)).trimEnd()
      // Where the marker also ends the last value, that may have been cut off.
      const isCutOff = ['glm', 'minicpm5'].includes(dialect.name)
      expect(outline(text, options)).toEqual(
        isCutOff ? [`truncated ${ring}`, 'note truncated-call'] : [`call ${ring}`, 'note missing-closer'],
      )
    })

  if (dialect.reasoning.length > 0)
    describe('reads reasoning', () => {
      const [opener, marker] = render(THOUGHT, options).split(/Hm\.|Hi\./) as [string, string]

      it('that is never closed', () => {
        expect(outline(`${opener}Hm.`, options)).toEqual(['thought Hm.', 'note reasoning-not-closed'])
      })

      it('that is closed without an opener', () => {
        const isDropped = dialect.strayCloser === 'drop'
        // Their marker ends every message.
        const isMarkup = ['harmony', 'inkling', 'muse-glimmer', 'solar-open'].includes(dialect.name)
        const text = `${marker.trim()}Hi.`
        expect(outline(text, options)).toEqual([
          isDropped || isMarkup ? 'text Hi.' : `text ${text}`,
          ...(isDropped ? ['note stray-closer'] : []),
        ])
      })

      if (dialect.callEndsReasoning)
        it('that a call ends', () => {
          expect(outline(`${opener}Hm.${call}`, options)).toEqual(['thought Hm.', `call ${ring}`])
        })
    })

  it('has no call in an empty response', () => {
    expect(outline('', options)).toEqual([])
  })

  it.each(['\n', ' ', '\n\n  ', '\t'])('reads a call behind whitespace, however it comes: %j', (space) => {
    const input = { who: 'Ann <b> "B"' }
    const text = `${space}${render([{ type: 'call', toolName: 'ring', input }], options)}\n`
    for (const emit of [{ json: true }, { json: false, arguments: true }, { arguments: true, source: true }])
      for (const size of [1, 3, 4, text.length]) {
        const parser = createParser({ ...options, emit })
        const events = []
        for (let at = 0; at < text.length; at += size) events.push(...parser.push(text.slice(at, at + size)))
        expect([...events, ...parser.end()].filter(({ type }) => type === 'tool-call')).toMatchObject([
          { toolName: 'ring', input, status: 'complete' },
        ])
      }
  })

  if (!OBJECTS_ARE_ELEMENTS.includes(dialect.name))
    it('runs no call with an object that has a key twice', () => {
      const tools = [
        { name: 'put', inputSchema: { type: 'object', properties: { into: { type: 'object' } } } },
      ]
      const call: Part = { type: 'call', toolName: 'put', input: { into: { first: 1, other: 2 } } }
      const written = render([call], { dialect, tools })
      expect(written).toContain('other')
      const { toolCalls } = parse(written.replace('other', 'first'), { dialect, tools })
      expect(toolCalls.filter((call) => isExecutable(call))).toEqual([])
    })

  it('reads its calls beside those of another', () => {
    const written = render([{ type: 'call', toolName: 'ring', input: { who: 'Ann' } }], options)
    const other = jsonMix({ name: 'other', open: '<<other>>', close: '<</other>>' })
    const { toolCalls } = parse(`${written}\n. <<other>>{"name": "now"}<</other>>`, {
      dialect: [dialect, other],
      tools: TOOLS,
    })
    expect(toolCalls.map(({ toolName, input }) => [toolName, input])).toEqual([
      ['ring', { who: 'Ann' }],
      ['now', {}],
    ])
  })
})
