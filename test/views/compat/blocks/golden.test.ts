import { describe, expect, it, test } from 'vitest'
import { createBlocksView, type ToolResult } from '../../../../src/views/compat/blocks/index.ts'
import { Trace } from './trace.ts'
import { type Round, WIRES, type Wire } from './wires.ts'

/** A turn: responses of the model, and between them the answers of the tools. */
type Turn = readonly (Round | readonly ToolResult[])[]

interface Told {
  readonly lines: string[]
  /** How many chunks each part of each block came in. */
  readonly chunks: ReadonlyMap<string, number>
}

function tell(wire: Wire, turn: Turn): Told {
  const trace = new Trace()
  const chunks = new Map<string, number>()
  const view = createBlocksView({
    whole: wire.isWhole,
    onBlock: trace.onBlock,
    onChunk(chunk, meta) {
      trace.onChunk(chunk, meta)
      const part = `${meta.blockIndex} ${meta.toolCallPart ?? ''}`
      chunks.set(part, (chunks.get(part) ?? 0) + 1)
    },
  })
  for (const step of turn) {
    if ('parts' in step) for (const event of wire.events(step)) view.add(event)
    else for (const result of step) view.addResult(result)
  }
  return { lines: trace.lines, chunks }
}

const search = (id: string, q: string): Round['parts'][number] => ({ id, name: 'search', input: { q } })

const SCENARIOS: readonly [what: string, turn: Turn, expected: string[]][] = [
  [
    'a text',
    [{ parts: [{ text: 'The answer is 42.' }] }],
    ['0 text', '0 says The answer is 42.', '0 done The answer is 42.'],
  ],
  [
    'a thought and a text',
    [{ parts: [{ think: 'let me think' }, { text: 'The answer is 42.' }] }],
    [
      '0 thinking',
      '0 hides let me think',
      '0 done let me think',
      '1 text',
      '1 says The answer is 42.',
      '1 done The answer is 42.',
    ],
  ],
  [
    'a call alone, with nothing to say to the tool',
    [{ parts: [{ id: 'call_1', name: 'now', input: {} }] }],
    ['0 tool_call', '0 name now', '0 id call_1', '0 input {}', '0 done now call_1 {}'],
  ],
  [
    'a turn with a tool',
    [
      { parts: [{ text: 'Let me check.' }, search('call_1', 'cats')] },
      [{ toolUseId: 'call_1', content: 'R<1>' }],
      { parts: [{ text: 'Found it!' }] },
    ],
    [
      '0 text',
      '0 says Let me check.',
      '0 done Let me check.',
      '1 tool_call',
      '1 name search',
      '1 id call_1',
      '1 input {"q":"cats"}',
      '1 done search call_1 {"q":"cats"}',
      '2 tool_result',
      '2 hides R<1>',
      '2 done call_1 R<1>',
      '3 text',
      '3 says Found it!',
      '3 done Found it!',
    ],
  ],
  [
    'a turn with several tools, of which one fails, and a thought in each round',
    [
      {
        parts: [
          { think: 'Two.' },
          { text: 'On it.' },
          search('call_1', 'a < "b"'),
          search('call_2', '<thinking>'),
        ],
      },
      [
        { toolUseId: 'call_1', content: { found: 3 } },
        { toolUseId: 'call_2', content: 'no such thing', isError: true },
      ],
      { parts: [{ think: 'One more.' }, search('call_3', 'c')] },
      [{ toolUseId: 'call_3', content: '' }],
      { parts: [{ text: 'Done.' }] },
    ],
    [
      '0 thinking',
      '0 hides Two.',
      '0 done Two.',
      '1 text',
      '1 says On it.',
      '1 done On it.',
      '2 tool_call',
      '2 name search',
      '2 id call_1',
      '2 input {"q":"a < \\"b\\""}',
      '2 done search call_1 {"q":"a < \\"b\\""}',
      '3 tool_call',
      '3 name search',
      '3 id call_2',
      '3 input {"q":"<thinking>"}',
      '3 done search call_2 {"q":"<thinking>"}',
      '4 tool_result',
      '4 hides {"found":3}',
      '4 done call_1 {"found":3}',
      '5 tool_result',
      '5 hides no such thing',
      '5 done call_2 error no such thing',
      '6 thinking',
      '6 hides One more.',
      '6 done One more.',
      '7 tool_call',
      '7 name search',
      '7 id call_3',
      '7 input {"q":"c"}',
      '7 done search call_3 {"q":"c"}',
      '8 tool_result',
      '8 done call_3',
      '9 text',
      '9 says Done.',
      '9 done Done.',
    ],
  ],
]

describe.each(SCENARIOS)('%s', (_, turn, expected) => {
  test.each(WIRES)('is told the same over $name', (wire) => {
    const { lines, chunks } = tell(wire, turn)
    expect(lines).toEqual(expected)
    if (wire.isWhole) expect([...new Set(chunks.values())]).toEqual([1])
  })
})

const CUTS: readonly [what: string, turn: Turn, expected: string[]][] = [
  [
    'a thought for which there was no room',
    [{ parts: [{ think: 'so we could' }], cut: 'length' }],
    ['0 thinking', '0 hides so we could', '0 done so we could'],
  ],
  [
    'a thought that was aborted, and what came next',
    [{ parts: [{ think: 'so we' }], cut: 'aborted' }, { parts: [{ text: 'Again.' }] }],
    ['0 thinking', '0 hides so we', '0 done so we', '1 text', '1 says Again.', '1 done Again.'],
  ],
  [
    'a text that was aborted',
    [{ parts: [{ text: 'So I' }], cut: 'aborted' }],
    ['0 text', '0 says So I', '0 done So I'],
  ],
  [
    'a call for which there was no room, and another round',
    [{ parts: [search('call_1', 'cats')], cut: 'length' }, { parts: [{ text: 'Sorry.' }] }],
    [
      '0 tool_call',
      '0 name search',
      '0 id call_1',
      '0 input {"q":"cats',
      '0 done search call_1 must not run',
      '1 text',
      '1 says Sorry.',
      '1 done Sorry.',
    ],
  ],
]

describe.each(CUTS)('%s', (_, turn, expected) => {
  test.each(WIRES.filter(({ isWhole }) => !isWhole))('is told the same over $name', (wire) => {
    expect(tell(wire, turn).lines).toEqual(expected)
  })
})

describe('a provider that sends a message whole', () => {
  it('gives one chunk per block without being asked', () => {
    for (const wire of WIRES.filter(({ isWhole, name }) => isWhole && !name.startsWith('tags'))) {
      const events = wire.events({
        parts: [{ think: 'Hm.' }, { text: 'Hello there.' }, search('call_1', 'cats')],
      })
      const chunks: string[] = []
      const view = createBlocksView({ onChunk: (chunk) => chunks.push(chunk) })
      for (const event of events) view.add(event)
      expect(chunks).toEqual(['Hm.', 'Hello there.', 'search', 'call_1', '{"q":"cats"}'])
    }
  })
})
