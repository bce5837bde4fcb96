// @reads nothing
import * as assert from 'node:assert/strict'
import { formatRecording } from 'sluice/recording'
import ts from 'typescript'
import { describe, expect, it, test } from 'vitest'
import { cutSample } from '../../../src/apps/playground/chunking.ts'
import { copyAsCode, copyAsTest } from '../../../src/apps/playground/copied-code.ts'
import { DIALECT_NAMES, dialectExample, PROVIDER_NAMES } from '../../../src/apps/playground/examples.ts'
import { lanesOf, ticksOf } from '../../../src/apps/playground/lanes.ts'
import { linkOf, readLink } from '../../../src/apps/playground/link.ts'
import { PROTOCOLS, writtenAs } from '../../../src/apps/playground/other-protocols.ts'
import { FIRST_PRESET, PRESETS, presetNamed } from '../../../src/apps/playground/presets.ts'
import { providerExample } from '../../../src/apps/playground/provider-examples.ts'
import { findDialect } from '../../../src/dialects/index.ts'
import { foldEvents, parse } from '../../../src/index.ts'
import '../../../src/apps/playground/providers-part.ts'
import { isChatTemplate, sampleOfFile, sampleOfText } from '../../../src/apps/playground/read-file.ts'
import type { Sample } from '../../../src/apps/playground/settings.ts'
import { sampleOfTemplate } from '../../../src/apps/playground/template-sample.ts'
import '../../../src/apps/playground/templates-part.ts'
import { TextRows } from '../../../src/apps/playground/text-rows.ts'
import { timelineOf } from '../../../src/apps/playground/timeline.ts'
import { visible } from '../../../src/apps/playground/visible-text.ts'
import { parserOptions } from '../../../src/apps/playground/wire-reader.ts'
import { allProviders } from '../../../src/providers/any.ts'
import { outputOf } from '../../docs/run-block.ts'
import { sampleOf } from '../../effort.ts'

const timeline = (sample: Sample) => timelineOf(sample, sample.text, cutSample(sample, { by: 'recorded' }))
/** It takes a while, and nobody changes it. */
const LONG = timeline(presetNamed('long-file')!)
const messageOf = (sample: Sample) => {
  const { log, end } = sample.preset === 'long-file' ? LONG : timeline(sample)
  return foldEvents(log.eventsAt(end))
}
const preset = (name: string): Sample => presetNamed(name)!

describe('examples', () => {
  it('are there for each provider', () => {
    expect(PROVIDER_NAMES).toEqual(allProviders.map(({ name }) => name))
  })

  test.each(PROVIDER_NAMES)('of %s are read', (name) => {
    const { text, reasoning, error, diagnostics } = messageOf(providerExample(name))
    expect(text + reasoning).toContain('Let me look.')
    expect({ error, diagnostics }).toEqual({ error: undefined, diagnostics: [] })
  })

  test.each(sampleOf(DIALECT_NAMES, 1))('of %s have a whole call', (name) => {
    const sample = dialectExample(findDialect(name))
    const { toolCalls } = parse(sample.text, parserOptions(sample))
    expect(toolCalls[0]).toMatchObject({ toolName: 'get_weather', status: 'complete' })
  })
})

describe('presets', () => {
  const verdicts: Record<string, object> = {
    'rate-limit': { toolCalls: [{ status: 'complete' }, { status: 'complete' }] },
    'cut-off': { toolCalls: [{ status: 'truncated' }] },
    'wrong-dialect': { toolCalls: [], diagnostics: [{ code: 'looks-like-a-call' }] },
    'repeated-key': { toolCalls: [{ status: 'invalid' }] },
    'open-thought': { toolCalls: [{ repairs: [{ code: 'inside-reasoning', class: 'guess' }] }], text: '' },
    'parallel-calls': { toolCalls: [{ input: { city: 'Paris', days: 2 } }, { input: { city: 'Oslo' } }] },
    'long-file': { toolCalls: [{ status: 'complete' }] },
    hostile: { toolCalls: [{ status: 'complete' }] },
    repaired: { toolCalls: [{ status: 'repaired' }] },
  }

  test.each(PRESETS.map(({ name }) => name))('%s shows what it says', (name) => {
    expect(messageOf(preset(name))).toMatchObject(verdicts[name]!)
  })

  it('has a file of 200 KB', () => {
    expect(preset('long-file').text.length).toBeGreaterThan(200_000)
  })

  it('begins with a stream whose first call is there within five seconds', () => {
    const { log, chunks, chunkAt } = timeline(preset(FIRST_PRESET))
    const start = log.entries.find(({ event }) => event.type === 'tool-input-start')!
    expect(chunks[chunkAt.call({ chunks }, start.at)]!.at).toBeLessThan(4_000)
  })
})

describe('a file', () => {
  it('is a recording with its chunks and times', () => {
    const recording = formatRecording({
      kind: 'bytes',
      header: { dialect: 'hermes' },
      chunks: [
        { at: 5, chunk: Uint8Array.of(0xf0, 0x9f) },
        { at: 9, chunk: Uint8Array.of(0x98, 0x80, 0x21) },
      ],
    })
    expect(sampleOfFile(new TextEncoder().encode(recording))).toEqual({
      form: 'text',
      dialect: 'hermes',
      start: 'text',
      text: '😀!',
      chunks: [{ to: 3, at: 9 }],
    })
  })

  it('is a recording of events, one in each line', () => {
    const event = { type: 'text-delta', id: 't', delta: 'Hi' } as const
    const recording = formatRecording({ kind: 'events', header: {}, chunks: [{ at: 1, chunk: event }] })
    const sample = sampleOfText(recording)
    expect(sample.form).toBe('events')
    expect(timeline(sample).log.eventsAt(sample.text.length)).toEqual([event])
  })

  it.each([
    ['data: {"choices":[]}', 'provider'],
    ['{"id":"x","object":"chat.completion.chunk"}', 'provider'],
    ['{"name": "ls", "arguments": {}}', 'text'],
    ['Hello', 'text'],
  ])('%j is found out to be %s', (text, form) => {
    expect(sampleOfText(text)).toMatchObject({ form, dialect: 'auto' })
  })

  it.each([
    ['a template', '{%- for message in messages %}{% endfor %}', '', true],
    ['a template that begins with text, by its name', '<s>{{ messages }}', 'chat_template.jinja', true],
    ['the file of a tokenizer', '{"bos_token": "<s>", "chat_template": "{{ messages }}"}', '', true],
    ['an answer about templates', 'Write {% for message in messages %}.', 'answer.txt', false],
    ['JSON', '{"name": "ls", "arguments": {}}', '', false],
  ])('is a chat template, or not: %s', (_, text, file, expected) => {
    expect(isChatTemplate(text, file)).toBe(expected)
  })

  it('of Amazon is read as the bytes that it is', () => {
    expect(sampleOfFile(Uint8Array.of(0, 0, 1, 0xff))).toMatchObject({ form: 'bedrock', text: '\0\0\u0001ÿ' })
  })
})

describe('a link', () => {
  it.each([
    ['a preset', { sample: { ...preset('cut-off') }, cut: { by: 'bytes', size: 3 }, at: 12 }],
    [
      'a text of one’s own',
      {
        sample: {
          form: 'text',
          dialect: 'hermes',
          start: 'reasoning',
          text: 'ä 😀 \ud800 & = #',
          tools: [{ name: 'ls' }],
        },
        cut: { by: 'random', seed: 7 },
      },
    ],
    [
      'a chat template',
      {
        sample: {
          form: 'text',
          dialect: 'chat-template',
          template: '{{ messages }}',
          start: 'text',
          text: 'Hi',
          tools: undefined,
        },
        cut: { by: 'recorded' },
      },
    ],
    [
      'a recording',
      {
        sample: {
          form: 'provider',
          dialect: 'auto',
          start: 'text',
          text: 'ab',
          tools: undefined,
          chunks: [{ to: 2, at: 4 }],
        },
        cut: { by: 'recorded' },
        at: 0,
      },
    ],
  ] as const)('holds %s', async (_, state) => {
    const link = await linkOf(state, presetNamed)
    expect(await readLink(`#${link}`, presetNamed)).toEqual(state)
  })

  it('is not made of a text that is too long for one', async () => {
    const text = Array.from({ length: 20_000 }, (_, index) => (index * 2654435761) >>> 0).join(' ')
    expect(
      await linkOf(
        { sample: { ...preset('cut-off'), preset: undefined!, text }, cut: { by: 'recorded' } },
        presetNamed,
      ),
    ).toBeUndefined()
  })

  it.each(['', '#', '#text=%%%', '#text=AAAA', '#preset=nothing', '#text=q1Y&tools=x'])(
    'that is damaged is none: %s',
    async (link) => {
      expect(await readLink(link, presetNamed)).toBeUndefined()
    },
  )
})

describe('a chat template', () => {
  const TEMPLATE = `{%- for message in messages %}
    {{- message.content or '' }}
    {%- for call in message.tool_calls or [] %}{{- '<|do|>' + call.function | tojson + '<|done|>' }}{%- endfor %}
    {{- '<|over|>' }}
{%- endfor %}`

  it('is shown by what it writes, or reads the text that is shown already', () => {
    const example = sampleOfTemplate(TEMPLATE, preset(FIRST_PRESET))
    expect(example).toMatchObject({ dialect: 'chat-template', form: 'text', start: 'text' })
    expect(messageOf(example)).toMatchObject({
      text: 'Pomona speaks.',
      toolCalls: [{ toolName: 'note_medlar', input: { remark: 'Bletted' }, status: 'complete' }],
    })
    const own = { form: 'text', dialect: 'auto', start: 'text', text: 'Mine.' } as const
    expect(sampleOfTemplate(TEMPLATE, own)).toMatchObject({ text: 'Mine.', dialect: 'chat-template' })
    expect(sampleOfTemplate(TEMPLATE, example).text).toBe(example.text)
  })

  it('without calls is said to be none when the text is read', () => {
    const sample = sampleOfTemplate('{{ messages[0].content }}', preset(FIRST_PRESET))
    expect(() => timeline(sample)).toThrow('The chat template writes no calls')
  })
})

describe('code that is copied', () => {
  const samples: [string, Sample][] = [
    ['a preset', preset('repeated-key')],
    ['a detected dialect', { ...dialectExample(findDialect('kimi-k2')), dialect: 'auto' }],
    [
      'a start in reasoning',
      { form: 'text', dialect: 'hermes', start: 'reasoning', text: 'Hm.</think>\u202eHi' },
    ],
    ['a provider', preset('parallel-calls')],
    ['any provider', { ...preset('parallel-calls'), form: 'provider' }],
  ]

  /** Runs the test that was copied with what it imports, and gives what it registered. */
  async function runTest(code: string): Promise<void> {
    const body = code
      .replace(/^import assert .*$/m, '')
      .replace(/^import test .*$/m, '')
      .replace(/^test\('the (events are|message is) as the playground showed (them|it)', /m, 'await (')
      .replace(/\}\)\n$/, '})()\n')
    ;(globalThis as { assert?: unknown }).assert = assert
    await outputOf(
      `const { assert } = globalThis as unknown as { assert: { deepEqual(a: unknown, b: unknown): void } }\n${body}`,
    )
  }

  it.each(samples)('as a test passes: %s', async (_, sample) => {
    const { log, end, chunks } = timeline(sample)
    const pieces = chunks.map(({ to }, index) => sample.text.slice(chunks[index - 1]?.to ?? 0, to))
    const code = copyAsTest(sample, pieces, log.eventsAt(end))
    await runTest(code)
    const broken = copyAsTest(sample, pieces.slice(0, 3), log.eventsAt(end))
    await expect(runTest(broken)).rejects.toThrow()
  })

  it('as a test of recorded events expects the message that they make', async () => {
    const { log, end } = timeline(preset('cut-off'))
    const code = copyAsTest({ form: 'events', dialect: 'auto', start: 'text' }, [], log.eventsAt(end))
    await runTest(code)
    await expect(runTest(code.replace('The tests pass', 'The tests fail'))).rejects.toThrow()
  })

  it.each(samples.slice(0, 3))('as lines of code runs: %s', async (_, sample) => {
    expect(await outputOf(copyAsCode(sample))).toEqual(sample.start === 'text' ? ['Hello'] : [])
    expect(ts.transpileModule(copyAsCode(sample), { reportDiagnostics: true }).diagnostics).toEqual([])
  })
})

describe('other protocols', () => {
  it.each(PROTOCOLS)('has the message as %s', (protocol) => {
    const sample = dialectExample(findDialect('hermes'))
    const written = writtenAs(protocol, sample, sample.text, true)
    expect(written).toMatch(/Let me look\./)
    expect(written).toContain('Paris')
    const begun = writtenAs(protocol, sample, sample.text.slice(0, 60), false)
    expect(begun.length).toBeLessThan(written.length)
  })
})

describe('the picture', () => {
  it('has a lane for reasoning, text and each call, and few columns however long the stream is', () => {
    const lanes = lanesOf(timeline(preset(FIRST_PRESET)), 1_000)
    expect(lanes.map(({ title, status }) => [title, status])).toEqual([
      ['reasoning', undefined],
      ['text', undefined],
      ['write_file', 'complete'],
      ['run_command', 'complete'],
    ])
    expect(lanes[1]!.bars.some(({ mark }) => mark === 'held')).toBe(true)
    const long = LONG
    for (const { bars } of lanesOf(long, 400)) {
      expect(bars.length).toBeLessThanOrEqual(801)
      expect(bars.every(({ from, to }) => from >= 0 && to > from && to <= 401)).toBe(true)
    }
    expect(ticksOf(long, 400).length).toBeLessThanOrEqual(401)
  })
})

describe('rows', () => {
  it('end at newlines, and where they are full', () => {
    const text = 'one\ntwo and more than ten\n\n😀😀😀😀😀😀'
    const rows = new TextRows(10).layOut(text)
    const shown = Array.from({ length: rows.countUpTo(text.length) }, (_, row) =>
      text.slice(...rows.rangeOf(row)),
    )
    expect(shown).toEqual(['one\n', 'two and mo', 're than te', 'n\n', '\n', '😀😀😀😀😀', '😀'])
    expect(rows.rowOf(5)).toBe(1)
  })

  it('are the same for a text that grows', () => {
    const text = 'a long text\nthat grows 😀\tand grows'
    const rows = new TextRows(8)
    for (let length = 0; length <= text.length; length++)
      if (!/[\ud800-\udbff]$/.test(text.slice(0, length))) rows.layOut(text.slice(0, length))
    const whole = new TextRows(8).layOut(text)
    const all = (one: TextRows) =>
      Array.from({ length: one.countUpTo(text.length) }, (_, row) => one.rangeOf(row))
    expect(all(rows)).toEqual(all(whole))
  })
})

it('shows control and bidirectional characters, and keeps the length', () => {
  expect(visible('a\u001b[0m\u202eb\u0000\u007f\n\t')).toBe('a␛[0m¤b␀␡\n\t')
})
