import fc from 'fast-check'
import {
  ApiToolCallStreamingResponseHandler,
  ParserConfig,
  type ParserConfigOptions,
  type SegmentEvent,
  StreamingParser,
  ToolInvocationAdapter,
} from 'sluice/segments'
import { describe, expect, test } from 'vitest'
import { createParser, type ParserOptions, restoreParser } from '../../../../src/engine/parser.ts'
import { dialectsFor } from '../../../../src/views/compat/segments/wire/strategies.ts'
import { runs, SEED } from '../../../effort.ts'
import { merged } from '../../../laws/observe.ts'

/** A call as a strategy writes it. */
interface Written {
  readonly text: string
  readonly name: string
  readonly input: Record<string, unknown>
}

interface Strategy {
  readonly name: string
  readonly options: ParserConfigOptions
  readonly write: (content: string, path: string) => Written[]
  readonly markup: readonly string[]
}

const STRATEGIES: readonly Strategy[] = [
  {
    name: 'xml',
    options: { strategyOrder: ['xml_tag'] },
    write: (content, path) => [
      {
        text: `<write_file path="${path}">${content}</write_file>`,
        name: 'write_file',
        input: { path, content },
      },
      {
        text: `<tool name="write_file"><arguments><arg name="path">${path}</arg><arg name="content">__START_CONTENT__\n${content}__END_CONTENT__</arg></arguments></tool>`,
        name: 'write_file',
        input: { path, content },
      },
      {
        text: `<tool name="edit_file">\n<arg name="patch">${content}</arg>\n<arg name="path">${path}</arg>\n</tool>`,
        name: 'edit_file',
        input: { patch: content, path },
      },
      {
        text: `<tool name="look"><arguments><at>${path}</at></arguments></tool>`,
        name: 'look',
        input: { at: path },
      },
    ],
    markup: [
      '<tool name="run_bash">',
      '</tool>',
      '<arg name="content">',
      '</arg>',
      '</arguments>',
      '__START_CONTENT__',
      '__END_CONTENT__',
      '<write_file ',
      '</write_file>',
      '<think>',
      '</think>',
      'path="a"',
    ],
  },
  {
    name: 'json',
    options: { strategyOrder: ['json_tool'] },
    write: (content, path) => [
      {
        text: JSON.stringify({ tool: { function: 'write_file', parameters: { path, content } } }),
        name: 'write_file',
        input: { path, content },
      },
      {
        text: JSON.stringify([{ name: 'look', args: { at: content } }]),
        name: 'look',
        input: { at: content },
      },
      {
        text: JSON.stringify({ tool_calls: [{ function: { name: 'look', arguments: { at: content } } }] }),
        name: 'look',
        input: { at: content },
      },
    ],
    markup: ['{"tool":', '[{"name":', '"args":', '{"tool_calls": [', '}]}', '"', '\\', '<think>', '</think>'],
  },
  {
    name: 'sentinel',
    options: { strategyOrder: ['sentinel'] },
    write: (content, path) => [
      {
        text: `[[SEG_START {"type":"write_file","path":"${path}"}]]${content}[[SEG_END]]`,
        name: 'write_file',
        input: { path, content },
      },
      {
        text: `[[SEG_START ${JSON.stringify({ type: 'tool', tool_name: 'look', arguments: { at: content } })} ]][[SEG_END]]`,
        name: 'look',
        input: { at: content },
      },
    ],
    markup: ['[[SEG_START', '[[SEG_START {"type":"run_bash"}]]', '[[SEG_END]]', ']]', '{"type":', '<think>'],
  },
  {
    name: 'all at once',
    options: { strategyOrder: ['json_tool', 'sentinel', 'xml_tag'] },
    write: (content, path) => STRATEGIES.slice(0, 3).flatMap(({ write }) => write(content, path)),
    markup: ['[', '[[', '[[[', '{', '<', '[{', '[[SEG_START', '<tool ', '{"tool":'],
  },
]

/** Letters that are nobody's markup, so that they can be counted. */
const LETTERS = ['ж', 'жж', 'я', ' ', '\n', '😀', 'a', '.', ', ']

function sample<T>(arbitrary: fc.Arbitrary<T>, numRuns: number): T[] {
  return fc.sample(arbitrary, { seed: SEED, numRuns: runs(numRuns) })
}

const plain = fc.array(fc.constantFrom(...LETTERS), { maxLength: 6 }).map((pieces) => pieces.join(''))

interface Message {
  readonly text: string
  readonly calls: readonly Written[]
}

function messages({ write }: Strategy, count: number): Message[] {
  const call = fc.tuple(plain, fc.constantFrom('/a', '/b.ts'), fc.nat(100))
  return sample(fc.tuple(plain, fc.array(fc.tuple(call, plain), { maxLength: 3 })), count).map(
    ([before, parts]) => {
      const calls: Written[] = []
      let text = before
      for (const [[content, path, which], after] of parts) {
        const choices = write(content, path)
        const chosen = choices[which % choices.length]!
        calls.push(chosen)
        // Text directly behind the bracket of a call would make the next one uncertain.
        text += `${chosen.text} .${after}`
      }
      return { text, calls }
    },
  )
}

/** Valid texts with pieces dropped, doubled, swapped, cut off or put in. */
function damaged(strategy: Strategy, texts: readonly string[]): string[] {
  const edit = fc.record({
    kind: fc.constantFrom('drop', 'double', 'swap', 'cut', 'insert'),
    at: fc.nat(1000),
    what: fc.constantFrom(...strategy.markup),
  })
  const edits = sample(fc.array(edit, { minLength: 1, maxLength: 3 }), texts.length)
  return texts.map((text, index) => {
    const pieces = text.match(/<\/?\w*|\w+|\[\[|\]\]|\s+|[^\w\s]/gu) ?? []
    for (const { kind, at, what } of edits[index % edits.length]!) {
      const where = at % (pieces.length + 1)
      const piece = pieces[where] ?? ''
      if (kind === 'drop') pieces.splice(where, 1)
      else if (kind === 'double') pieces.splice(where, 0, piece)
      else if (kind === 'swap') pieces.splice(where, 2, pieces[where + 1] ?? '', piece)
      else if (kind === 'cut') pieces.splice(where)
      else pieces.splice(where, 0, what)
    }
    return pieces.join('')
  })
}

function read(options: ParserConfigOptions, chunks: readonly string[]): SegmentEvent[] {
  const parser = new StreamingParser(new ParserConfig(options))
  return [...chunks.flatMap((chunk) => parser.feed(chunk)), ...parser.finalize()]
}

/** What was said, pieces joined, and what is wrong with its form. */
function said(events: readonly SegmentEvent[]): string {
  const segments = new Map<string, { start: unknown; content: string; end?: unknown }>()
  for (const event of events) {
    const { type, segment_id: id, payload, ...rest } = event.toDict()
    const segment = segments.get(id)
    if (type === 'SEGMENT_START') {
      if (segment !== undefined) throw new Error(`${id} starts twice`)
      segments.set(id, { start: [rest, payload], content: '' })
    } else if (segment === undefined || segment.end !== undefined) throw new Error(`${id} is not open`)
    else if (type === 'SEGMENT_END') segment.end = payload
    else if (payload.delta === '') throw new Error(`${id} has an empty piece`)
    else segment.content += payload.delta
  }
  for (const [id, { end }] of segments) if (end === undefined) throw new Error(`${id} never ends`)
  const runs = new ToolInvocationAdapter().processEvents(events)
  return JSON.stringify([...segments, runs])
}

const letters = (text: string): number => text.split('ж').length - 1

/** How many of the letters came through: as text, as content or arguments of a call, or in the source of a failed one. */
function kept(events: readonly SegmentEvent[]): number {
  const shown = new Map<string, { isFile: boolean; text: string }>()
  let count = 0
  for (const { type, segment_id: id, segment_type, payload, call } of events) {
    if (type === 'SEGMENT_START')
      shown.set(id, {
        isFile: !['text', 'reasoning', 'tool_call'].includes(segment_type ?? ''),
        text: JSON.stringify(payload),
      })
    const segment = shown.get(id)!
    if (type === 'SEGMENT_CONTENT') segment.text += payload.delta
    if (type !== 'SEGMENT_END') continue
    if (call?.raw !== undefined) count += letters(call.raw)
    else count += letters(segment.isFile ? JSON.stringify(call?.input) : segment.text)
  }
  return count
}

/** Attributes that mean nothing in the tag of a tool are not kept. */
const isInTag = (text: string): boolean => /<write_file[^<>]*ж[^<>]*>/.test(text)

describe.each(STRATEGIES)('$name', (strategy) => {
  const { options } = strategy
  const valid = messages(strategy, 60)
  const texts = [
    ...valid.map(({ text }) => text),
    ...damaged(
      strategy,
      [...valid, ...valid].map(({ text }) => text),
    ),
  ]

  test('gives back what was written', () => {
    for (const { text, calls } of valid) {
      const runs = new ToolInvocationAdapter().processEvents(read(options, [text]))
      expect(
        runs.map((run) => [run.name, run.arguments]),
        text,
      ).toEqual(calls.map(({ name, input }) => [name, input]))
    }
  })

  test('says the same however the text is cut, in the right form', () => {
    for (const text of texts) {
      const whole = said(read(options, [text]))
      const halves = [3, 5, 7, 11].map((step) => (step * (text.length + step)) % (text.length + 1))
      for (const chunks of [text.split(''), ...halves.map((at) => [text.slice(0, at), text.slice(at)])])
        expect(said(read(options, chunks)), JSON.stringify(chunks)).toBe(whole)
    }
  })

  test('loses nothing', () => {
    for (const text of texts)
      if (!isInTag(text)) expect(kept(read(options, [text])), text).toBe(letters(text))
  })

  test('lets no call run that was cut off', () => {
    for (const { text, name } of strategy.write('жя', '/a'))
      for (let end = 1; end < text.length; end++) {
        const runs = new ToolInvocationAdapter().processEvents(read(options, [text.slice(0, end)]))
        expect(runs, `${name} ${text.slice(0, end)}`).toEqual([])
      }
  })

  test('holds back only what could become markup', () => {
    const parser = new StreamingParser(new ParserConfig(options))
    const text = 'Plain words, no more; and a number: 7.'
    for (const character of text)
      expect(parser.feed(character).at(-1)?.payload.delta, character).toBe(character)
  })

  test('goes on from a snapshot of its parser', () => {
    const config = new ParserConfig(options)
    const parserOptions: ParserOptions = {
      dialect: dialectsFor(config.strategyOrder, config.tools, config.jsonProfile),
      // How two streams of a call interleave depends on the cuts.
      emit: { json: false, arguments: true },
    }
    for (const text of texts.slice(0, 40)) {
      const whole = createParser(parserOptions)
      const expected = JSON.stringify(merged([...whole.push(text), ...whole.end()]))
      for (const at of [5, 13, 31].map((step) => (step * text.length) % (text.length + 1))) {
        const first = createParser(parserOptions)
        const before = first.push(text.slice(0, at))
        const second = restoreParser(JSON.parse(JSON.stringify(first.snapshot())), parserOptions)
        const all = [...before, ...second.push(text.slice(at)), ...second.end()]
        expect(JSON.stringify(merged(all)), `${text.slice(0, at)}|${text.slice(at)}`).toBe(expected)
      }
    }
  })
})

describe('the arguments of a tool as elements', () => {
  const pieces = [
    ...['<a>', '</a>', '<a/>', '<a x="1">', '<n>', '</n>', '<item>', '</item>', '<arg name="a">', '</arg>'],
    ...[
      '<arguments>',
      '<arguments x="1">',
      '</arguments>',
      'ж',
      '1',
      ' ',
      '&amp;',
      '<',
      '<!-- ж -->',
      '<?ж?>',
    ],
  ]
  const properties = { a: { type: 'string' }, n: { type: 'array', items: { type: 'integer' } } } as const
  const schemas = [undefined, { type: 'object', properties }] as const

  test('mean the same between sentinels as in a tag, where they run at all', () => {
    const elements = fc.array(fc.constantFrom(...pieces), { minLength: 1, maxLength: 6 })
    const bodies = sample(elements, 400).map((chosen) => chosen.join(''))
    let ran = 0
    for (const body of ['<a>1</a>', '<a><!-- ж --><?ж?></a>', '<!-- ж --><a>1</a>', ...bodies])
      for (const inputSchema of schemas) {
        const tools = inputSchema && [{ name: 'f', inputSchema }]
        const runsOf = (strategy: 'sentinel' | 'xml_tag', text: string) => {
          const events = read({ ...(tools && { tools }), strategyOrder: [strategy] }, [text])
          return new ToolInvocationAdapter(tools && { tools })
            .processEvents(events)
            .map((run) => run.arguments)
        }
        const between = runsOf('sentinel', `[[SEG_START {"type":"tool","tool_name":"f"}]]${body}[[SEG_END]]`)
        if (between.length === 0) continue
        expect(between, body).toEqual(runsOf('xml_tag', `<tool name="f">${body}</tool>`))
        ran++
      }
    expect(ran).toBeGreaterThan(0)
  })
})

describe('native calls', () => {
  const inputs = [
    '{"path":"/a","content":"жя\\n\\"\\u0436\\ud83d\\ude00"}',
    '{"content":"жж","extra":{"path":[1,{"content":2}]},"path":"/b"}',
    "{'path': '/a', 'content': True,}",
  ]
  const edit = fc.record({ drop: fc.boolean(), at: fc.nat(200) })
  const texts = [
    ...inputs,
    ...sample(fc.tuple(fc.constantFrom(...inputs), edit), 80).map(([text, { drop, at }]) => {
      const where = at % text.length
      return drop
        ? text.slice(0, where) + text.slice(where + 1)
        : text.slice(0, where) + text.slice(where, where + 3) + text.slice(where)
    }),
  ]

  function handle(name: string, pieces: readonly string[]): SegmentEvent[] {
    const handler = new ApiToolCallStreamingResponseHandler({ segmentIdPrefix: '' })
    handler.feed({ content: 'So:', tool_calls: [{ index: 0, call_id: 'c', name }] })
    for (const piece of pieces) handler.feed({ tool_calls: [{ index: 0, arguments_delta: piece }] })
    handler.finalize()
    return handler.getAllEvents()
  }

  test.each(['write_file', 'look'])('%s: says the same however its arguments are cut', (name) => {
    for (const text of texts) {
      const whole = said(handle(name, [text]))
      const halves = [3, 5, 7, 11].map((step) => (step * (text.length + step)) % (text.length + 1))
      for (const pieces of [text.split(''), ...halves.map((at) => [text.slice(0, at), text.slice(at)])])
        expect(said(handle(name, pieces)), JSON.stringify(pieces)).toBe(whole)
    }
  })

  test('have the arguments that JSON.parse gives', () => {
    for (const text of inputs.slice(0, 2))
      expect(new ToolInvocationAdapter().processEvents(handle('write_file', text.split('')))).toEqual([
        { id: 'c', name: 'write_file', arguments: JSON.parse(text) },
      ])
  })

  test('do not run if they were cut off', () => {
    for (const text of inputs)
      for (let end = 1; end < text.length; end++)
        expect(
          new ToolInvocationAdapter().processEvents(handle('write_file', [text.slice(0, end)])),
          text.slice(0, end),
        ).toEqual([])
  })
})
