import { describe, expect, it, test } from 'vitest'
import type { SluiceEvent, ToolCall } from '../../../../src/base/event.ts'
import {
  type BlockEvent,
  type BlocksView,
  type ChunkMeta,
  createBlocksView,
  type MembraneBlock,
} from '../../../../src/views/compat/blocks/index.ts'
import { traceEvents } from './trace.ts'

const text = (id: string, ...deltas: string[]): SluiceEvent[] => [
  { type: 'text-start', id },
  ...deltas.map((delta): SluiceEvent => ({ type: 'text-delta', id, delta })),
  { type: 'text-end', id },
]
const call = (id: string, more: Partial<ToolCall> = {}): ToolCall => ({
  type: 'tool-call',
  id,
  toolName: 'search',
  input: { q: 1 },
  status: 'complete',
  repairs: [],
  ...more,
})
const start = (id: string): SluiceEvent => ({ type: 'tool-input-start', id, toolName: 'search' })
const input = (id: string, delta: string): SluiceEvent => ({ type: 'tool-input-delta', id, delta })
const finish: SluiceEvent = { type: 'finish', reason: 'stop' }

/** The blocks that were completed. */
function blocksOf(events: readonly SluiceEvent[]): MembraneBlock[] {
  const blocks: MembraneBlock[] = []
  const view = createBlocksView({
    onBlock: (event) => event.event === 'block_complete' && blocks.push(event.block),
  })
  for (const event of events) view.add(event)
  view.end()
  return blocks
}

describe('the two callbacks', () => {
  it('are told everything there is to know, in order', () => {
    const told: (BlockEvent | [string, ChunkMeta])[] = []
    const view = createBlocksView({
      onChunk: (chunk, meta) => told.push([chunk, meta]),
      onBlock: (event) => told.push(event),
    })
    const events: SluiceEvent[] = [
      ...text('t', 'Let me ', 'check.'),
      { type: 'reasoning-start', id: 'r' },
      { type: 'reasoning-delta', id: 'r', delta: 'hm' },
      { type: 'reasoning-end', id: 'r' },
      start('tool_123'),
      input('tool_123', '{"query":'),
      input('tool_123', '"weather"}'),
      { type: 'tool-input-end', id: 'tool_123' },
      call('tool_123', { input: { query: 'weather' } }),
      finish,
    ]
    for (const event of events) view.add(event)
    view.addResult({ toolUseId: 'tool_123', content: 'Results: ...' })
    const tool = { visible: false, depth: 1, toolId: 'tool_123', toolName: 'search' }
    expect(told).toEqual([
      { event: 'block_start', index: 0, block: { type: 'text' } },
      ['Let me ', { type: 'text', visible: true, depth: 0, blockIndex: 0 }],
      ['check.', { type: 'text', visible: true, depth: 0, blockIndex: 0 }],
      { event: 'block_complete', index: 0, block: { type: 'text', content: 'Let me check.' } },
      { event: 'block_start', index: 1, block: { type: 'thinking' } },
      ['hm', { type: 'thinking', visible: false, depth: 0, blockIndex: 1 }],
      { event: 'block_complete', index: 1, block: { type: 'thinking', content: 'hm' } },
      { event: 'block_start', index: 2, block: { type: 'tool_call' } },
      ['search', { type: 'tool_call', blockIndex: 2, toolCallPart: 'name', ...tool }],
      ['tool_123', { type: 'tool_call', blockIndex: 2, toolCallPart: 'id', ...tool }],
      ['{"query":', { type: 'tool_call', blockIndex: 2, toolCallPart: 'input', ...tool }],
      ['"weather"}', { type: 'tool_call', blockIndex: 2, toolCallPart: 'input', ...tool }],
      {
        event: 'block_complete',
        index: 2,
        block: { type: 'tool_call', toolName: 'search', toolId: 'tool_123', input: { query: 'weather' } },
      },
      { event: 'block_start', index: 3, block: { type: 'tool_result' } },
      ['Results: ...', { type: 'tool_result', blockIndex: 3, ...tool }],
      {
        event: 'block_complete',
        index: 3,
        block: { type: 'tool_result', content: 'Results: ...', toolId: 'tool_123', toolName: 'search' },
      },
    ])
  })

  it('need not both be there', () => {
    const chunks: string[] = []
    const view = createBlocksView({ onChunk: (chunk) => chunks.push(chunk) })
    for (const event of text('t', 'a', 'b')) view.add(event)
    expect(chunks).toEqual(['a', 'b'])
    expect(blocksOf(text('t', 'a', 'b'))).toEqual([{ type: 'text', content: 'ab' }])
  })

  it('have a predecessor, which still hears of each block twice', () => {
    const told: [number, MembraneBlock][] = []
    const view = createBlocksView({ onContentBlockUpdate: (index, block) => told.push([index, block]) })
    for (const event of [...text('t', 'Hi'), start('a'), call('a')]) view.add(event)
    expect(told).toEqual([
      [0, { type: 'text' }],
      [0, { type: 'text', content: 'Hi' }],
      [1, { type: 'tool_call' }],
      [1, { type: 'tool_call', toolName: 'search', toolId: 'a', input: { q: 1 } }],
    ])
  })
})

describe('blocks of events', () => {
  test.each<[what: string, events: SluiceEvent[], expected: string[]]>([
    [
      'text that never had a word, which is none',
      [
        { type: 'text-start', id: 't' },
        { type: 'text-end', id: 't' },
      ],
      [],
    ],
    ['a delta without anything in it, which is none', text('t', ''), []],
    [
      'two texts of a provider',
      [...text('a', 'x'), ...text('b', 'y')],
      ['0 text', '0 says x', '0 done x', '1 text', '1 says y', '1 done y'],
    ],
    [
      'text that nobody ended',
      [{ type: 'text-delta', id: 't', delta: 'x' }, finish],
      ['0 text', '0 says x', '0 done x'],
    ],
    [
      'a call whose input nobody told in pieces',
      [start('a'), call('a')],
      ['0 tool_call', '0 name search', '0 id a', '0 input {"q":1}', '0 done search a {"q":1}'],
    ],
    [
      'a call that came whole',
      [call('a')],
      ['0 tool_call', '0 name search', '0 id a', '0 input {"q":1}', '0 done search a {"q":1}'],
    ],
    [
      'a call that came to nothing',
      [start('a'), input('a', '{"q":'), finish],
      ['0 tool_call', '0 name search', '0 id a', '0 input {"q":', '0 done search a must not run'],
    ],
    [
      'a result that turned out to be an error',
      [
        { type: 'tool-result-start', id: 'a' },
        { type: 'tool-result-end', id: 'a', isError: true },
      ],
      ['0 tool_result', '0 done a error'],
    ],
    [
      'what has no place in a block, which is passed over',
      [
        { type: 'custom', kind: 'image', value: 1 },
        { type: 'diagnostic', code: 'stray-closer', message: '', span: { start: 0, end: 0 } },
        { type: 'error', error: { name: 'Error', message: '' } },
        { type: 'tool-input-end', id: 'x' },
        { type: 'reasoning-end', id: 'x' },
        finish,
      ],
      [],
    ],
    [
      'responses that use the same ids, as one sequence',
      [...text('t', 'a'), start('1'), call('1'), finish, ...text('t', 'b'), start('1'), call('1'), finish],
      [
        '0 text',
        '0 says a',
        '0 done a',
        '1 tool_call',
        '1 name search',
        '1 id 1',
        '1 input {"q":1}',
        '1 done search 1 {"q":1}',
        '2 text',
        '2 says b',
        '2 done b',
        '3 tool_call',
        '3 name search',
        '3 id 1',
        '3 input {"q":1}',
        '3 done search 1 {"q":1}',
      ],
    ],
    [
      'calls that interleave, one after the other',
      [
        start('a'),
        start('b'),
        input('a', '{"x":'),
        input('b', '{"y":'),
        input('a', '1}'),
        input('b', '2}'),
        call('b', { input: { y: 2 } }),
        ...text('t', 'So.'),
        call('a', { input: { x: 1 } }),
        finish,
      ],
      [
        '0 tool_call',
        '0 name search',
        '0 id a',
        '0 input {"x":1}',
        '0 done search a {"x":1}',
        '1 tool_call',
        '1 name search',
        '1 id b',
        '1 input {"y":2}',
        '1 done search b {"y":2}',
        '2 text',
        '2 says So.',
        '2 done So.',
      ],
    ],
    [
      'texts that wait under the same id, each for itself',
      [
        start('a'),
        ...text('t', 'x'),
        ...text('t', 'y').slice(0, 2),
        call('a'),
        ...text('t', 'y').slice(2),
        ...text('t', 'z'),
        finish,
      ],
      [
        '0 tool_call',
        '0 name search',
        '0 id a',
        '0 input {"q":1}',
        '0 done search a {"q":1}',
        '1 text',
        '1 says x',
        '1 done x',
        '2 text',
        '2 says y',
        '2 done y',
        '3 text',
        '3 says z',
        '3 done z',
      ],
    ],
    [
      'calls that interleave and are cut off',
      [start('a'), start('b'), input('b', '{'), finish],
      [
        '0 tool_call',
        '0 name search',
        '0 id a',
        '0 done search a must not run',
        '1 tool_call',
        '1 name search',
        '1 id b',
        '1 input {',
        '1 done search b must not run',
      ],
    ],
  ])('tell %s', (_, events, expected) => {
    expect(traceEvents(events)).toEqual(expected)
  })

  it('are told as they come once too much would have to wait', () => {
    const much = 'x'.repeat(3 * 1024 * 1024)
    const lines = traceEvents([
      start('a'),
      ...text('t', much, much),
      input('a', '{}'),
      call('a', { input: {} }),
      finish,
    ])
    expect(lines.map((line) => line.slice(0, 20))).toEqual([
      '0 tool_call',
      '0 name search',
      '0 id a',
      '1 text',
      `1 says ${'x'.repeat(13)}`,
      `1 done ${'x'.repeat(13)}`,
      '0 input {}',
      '0 done search a {}',
    ])
    expect(lines[4]?.length).toBe('1 says '.length + 2 * much.length)
  })
})

describe('a call that must not run', () => {
  test.each<[what: string, more: Partial<ToolCall>, block: Partial<MembraneBlock>]>([
    [
      'was cut off',
      { status: 'truncated', error: { code: 'truncated', message: 'It was cut off.', offset: 3 } },
      {
        isError: true,
        error:
          'The call of `search` was cut off. It was not run. Do not send the whole call again: divide the work among several shorter calls.',
      },
    ],
    [
      'is not valid',
      { status: 'invalid', error: { code: 'token', message: 'It is not JSON.', offset: 3 } },
      {
        isError: true,
        error:
          'The call of `search` is not valid. It is not JSON. It was not run. Send the whole call again with its arguments as valid JSON.',
      },
    ],
    [
      'had to be guessed',
      { status: 'repaired', repairs: [{ code: 'missing-closer', class: 'guess', offset: 3 }] },
      {
        isError: true,
        error:
          'The call of `search` was not written correctly, and what it means had to be guessed (missing-closer). It was not run. Send the whole call again with all of its markers.',
      },
    ],
  ])('has no input: it %s', (_, more, block) => {
    expect(blocksOf([start('a'), call('a', more)])).toEqual([
      { type: 'tool_call', toolName: 'search', toolId: 'a', ...block },
    ])
  })

  it('says so where the provider runs it', () => {
    expect(blocksOf([start('a'), call('a', { providerExecuted: true })])).toEqual([
      { type: 'tool_call', toolName: 'search', toolId: 'a', input: { q: 1 }, providerExecuted: true },
    ])
  })

  it('is not meant where only the input was not kept', () => {
    expect(blocksOf([start('a'), input('a', '{"q":1}'), call('a', { input: null })])).toEqual([
      { type: 'tool_call', toolName: 'search', toolId: 'a' },
    ])
  })
})

describe('a view', () => {
  it('knows where it is', () => {
    const view = createBlocksView({})
    const place = (event: SluiceEvent): unknown[] => {
      view.add(event)
      return [view.blockType, view.blockIndex]
    }
    expect([view.blockType, view.blockIndex]).toEqual([undefined, 0])
    expect(place({ type: 'text-delta', id: 't', delta: 'x' })).toEqual(['text', 0])
    expect(place({ type: 'text-end', id: 't' })).toEqual([undefined, 1])
    expect(place(start('a'))).toEqual(['tool_call', 1])
    expect(place(finish)).toEqual([undefined, 2])
  })

  it('gives each block in one piece where that is asked for', () => {
    const chunks: string[] = []
    const view = createBlocksView({ whole: true, onChunk: (chunk) => chunks.push(chunk) })
    const events = [
      ...text('t', 'a', 'b', 'c'),
      start('a'),
      input('a', '{"q"'),
      input('a', ':1}'),
      call('a'),
      finish,
    ]
    for (const event of events) view.add(event)
    expect(chunks).toEqual(['abc', 'search', 'a', '{"q":1}'])
  })
})

describe('results that were read from a prompt', () => {
  const ESCAPED = ['a &l', 't; b &amp;amp; &', 'gt; &x']
  const add = (view: BlocksView): void => {
    view.add({ type: 'tool-result-start', id: 'c1' })
    for (const delta of ESCAPED) view.add({ type: 'tool-result-delta', id: 'c1', delta })
    view.add({ type: 'tool-result-end', id: 'c1' })
  }
  const contentsOf = (escapedResults: boolean, fill: (view: BlocksView) => void): unknown[] => {
    const contents: unknown[] = []
    let chunks = ''
    const view = createBlocksView({
      escapedResults,
      onChunk: (chunk) => {
        chunks += chunk
      },
      onBlock: ({ block }) => {
        if ('content' in block) contents.push(block.content)
      },
    })
    fill(view)
    view.end()
    return [...contents, chunks]
  }

  test.each<[what: string, escaped: boolean, fill: (view: BlocksView) => void, expected: string]>([
    ['are what was meant, if the view is told so', true, add, 'a < b &amp; > &x'],
    ['are as they are otherwise', false, add, 'a &lt; b &amp;amp; &gt; &x'],
    [
      'are as the tool gave them, if the caller adds them',
      true,
      (view) => view.addResult({ toolUseId: 'c1', content: 'a &lt; b' }),
      'a &lt; b',
    ],
  ])('%s', (_, escaped, fill, expected) => {
    expect(contentsOf(escaped, fill)).toEqual([expected, expected])
  })
})
