// @reads test/providers/fixtures/
import { readFileSync } from 'node:fs'
import { allDialects, kimiK2 } from 'sluice/dialects'
import { describe, expect, it, test } from 'vitest'
import { cutSample } from '../../../src/apps/playground/chunking.ts'
import { compareCuts } from '../../../src/apps/playground/compare-cuts.ts'
import { EventLog } from '../../../src/apps/playground/event-log.ts'
import { dialectExample } from '../../../src/apps/playground/examples.ts'
import type { Cut, Sample } from '../../../src/apps/playground/settings.ts'
import type { SluiceEvent } from '../../../src/base/event.ts'
import { parse } from '../../../src/engine/message.ts'
import { createSinkParser } from '../../../src/engine/parser.ts'
import '../../../src/apps/playground/providers-part.ts'
import { timelineOf } from '../../../src/apps/playground/timeline.ts'
import { parserOptions, SHOWN } from '../../../src/apps/playground/wire-reader.ts'
import { sampleOf } from '../../effort.ts'
import { merged } from '../../laws/observe.ts'

const RECORDED: Cut = { by: 'recorded' }
const sample = (text: string, more: Partial<Sample> = {}): Sample => ({
  text,
  form: 'text',
  dialect: 'hermes',
  start: 'text',
  ...more,
})
const timeline = (one: Sample) => timelineOf(one, one.text, cutSample(one, RECORDED))

/** One letter for each character: what it is at a moment. */
function drawn(one: Sample, moment: number): string {
  const { map } = timeline(one)
  return map
    .piecesAt(moment, 0, one.text.length)
    .map(({ from, to, kind }) => LETTERS[kind].repeat(to - from))
    .join('')
}
const LETTERS = { text: 't', reasoning: 'r', result: 'o', name: 'n', value: 'v', markup: '.', held: '_' }

describe('the wire at a moment', () => {
  const CALL = 'Hi <b>.<tool_call>{"name": "ls", "arguments": {"path": "a\\n", "all": true}}</tool_call>'

  it.each([
    ['Hi <', 'ttt_'],
    ['Hi <b', 'ttt__'],
    ['Hi <b>', 'tttttt'],
    ['Hi <b>.<tool_ca', 'ttttttt________'],
    ['Hi <b>.<tool_call>{"name": "ls', 'ttttttt_______________________'],
    ['Hi <b>.<tool_call>{"name": "ls"', 'ttttttt.....................nn.'],
  ])('after %j', (prefix, expected) => {
    expect(drawn(sample(CALL), prefix.length)).toBe(expected)
  })

  it('shows values, and what surrounds them as markup, at the end', () => {
    expect(drawn(sample(CALL), CALL.length + 1)).toBe(
      'ttttttt.....................nn..........................vvv..........vvvv..............',
    )
  })

  it('shows markup that turned out to be text as text', () => {
    const text = 'A <tool_cat>'
    expect(drawn(sample(text), 10)).toBe('tt________')
    expect(drawn(sample(text), 11)).toBe('ttttttttttt')
  })

  it('shows the deltas of a provider inside its frames', () => {
    const text = 'data: {"choices":[{"delta":{"content":"Hi\\n"}}]}\n\n'
    expect(drawn(sample(text, { form: 'openai-chat', dialect: 'auto' }), text.length)).toBe(
      text.replace(/Hi\\n/, '!!!!').replaceAll(/[^!]/gs, '.').replaceAll('!', 't'),
    )
  })

  test.each(sampleOf(allDialects, 1, 9).map((dialect) => [dialect.name, dialect] as const))(
    'has each character of the example of %s once, and all of its text as text',
    (_, dialect) => {
      const one = dialectExample(dialect)
      const example = one.text
      const { map, end } = timeline(one)
      const pieces = map.piecesAt(end, 0, example.length)
      expect(pieces.map(({ from, to }) => example.slice(from, to)).join('')).toBe(example)
      expect(pieces.some(({ kind }) => kind === 'held')).toBe(false)
      const joined = (wanted: string): string =>
        pieces.map(({ from, to, kind }) => (kind === wanted ? example.slice(from, to) : '')).join('')
      const { text, reasoning } = parse(example, parserOptions(one))
      expect({ text: joined('text'), reasoning: joined('reasoning') }).toEqual({ text, reasoning })
      expect(joined('value')).toMatch(/^Paris/)
    },
  )
})

describe('the events at a moment', () => {
  const PROVIDERS = new URL('../../providers/fixtures/', import.meta.url)
  const samples: [string, Sample][] = [
    ...allDialects
      .filter((_, index) => index % 9 === 0)
      .map((dialect): [string, Sample] => [dialect.name, dialectExample(dialect)]),
    ['detection', { ...dialectExample(kimiK2), dialect: 'auto' }],
    [
      'openai-chat',
      sample(readFileSync(new URL('openai-chat.sse', PROVIDERS), 'utf8'), {
        form: 'provider',
        dialect: 'auto',
      }),
    ],
  ]

  it.each(samples.slice(0, -1))('are those of the parser at that prefix: %s', (_, one) => {
    const { log, length } = timeline(one)
    for (let moment = 0; moment <= length; moment += 29) {
      const events: SluiceEvent[] = []
      createSinkParser((event) => events.push(event), { ...parserOptions(one), emit: SHOWN }).push(
        one.text.slice(0, moment),
      )
      expect(log.eventsAt(moment)).toEqual(merged(events))
    }
  })

  it.each(samples)('stay equal however the text is cut: %s', (_, one) => {
    const shown = timeline(one)
    const cuts: Cut[] = [
      { by: 'characters', size: 1 },
      { by: 'characters', size: 7 },
      { by: 'bytes', size: 1 },
      { by: 'random', seed: 3 },
    ]
    for (const cut of cuts) {
      const chunks = cutSample(one, cut)
      expect(chunks.at(-1)!.to).toBe(one.text.length)
      expect(compareCuts(one, shown, chunks)).toMatchObject({ isEqual: true, chunks: chunks.length })
    }
  })

  it('finds the first event that differs', () => {
    const one = sample('a<tool_call>{"name": "ls", "arguments": {}}</tool_call>')
    const other = timeline(sample(one.text, { dialect: 'qwen3-coder' }))
    const chunks = cutSample(one, RECORDED)
    expect(compareCuts(one, other, chunks)).toMatchObject({ isEqual: false, firstDifference: 2 })
  })
})

describe('steps', () => {
  it('go to the next and to the previous chunk and event', () => {
    const one = sample('Hi <tool_call>{"name": "ls"}</tool_call>', {
      chunks: [
        { to: 5, at: 0 },
        { to: 20, at: 10 },
        { to: 40, at: 20 },
      ],
    })
    const shown = timeline(one)
    expect([0, 5, 39, 40].map((moment) => shown.next(moment, 'chunk'))).toEqual([5, 20, 40, 41])
    expect([41, 40, 6, 5, 0].map((moment) => shown.previous(moment, 'chunk'))).toEqual([40, 20, 5, 0, 0])
    expect(shown.next(0, 'event')).toBe(1)
    expect(shown.next(3, 'event')).toBe(27)
    expect(shown.previous(27, 'event')).toBe(1)
  })

  it('keep how long merged deltas were', () => {
    const log = new EventLog()
    for (const [at, delta] of [
      [1, 'a'],
      [2, 'b'],
      [5, 'cde'],
      [5, 'f'],
      [6, 'g'],
    ] as const)
      log.add({ type: 'text-delta', id: 't', delta }, at)
    expect([0, 1, 2, 4, 5, 6, 9].map((at) => log.eventsAt(at)[0])).toEqual(
      [undefined, 'a', 'ab', 'ab', 'abcdef', 'abcdefg', 'abcdefg'].map(
        (delta) => delta && { type: 'text-delta', id: 't', delta },
      ),
    )
  })
})
