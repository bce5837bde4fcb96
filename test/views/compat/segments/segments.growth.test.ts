import {
  ApiToolCallStreamingResponseHandler,
  ParserConfig,
  type ParserConfigOptions,
  registerXmlToolParsingState,
  StreamingParser,
  unregisterXmlToolParsingState,
  XmlToolParsingState,
} from 'sluice/segments'
import { describe, expect, test } from 'vitest'
import { growthOf, MOST_GROWTH } from '../../../growth.ts'

const LENGTH = 12_000

const xml: ParserConfigOptions = { strategyOrder: ['xml_tag'] }
const json: ParserConfigOptions = { strategyOrder: ['json_tool'] }
const sentinel: ParserConfigOptions = { strategyOrder: ['sentinel'] }

const content = '<tool name="write_file"><arg name="path">/p</arg><arg name="content">'
const marked = `${content}__START_CONTENT__\n`

/** Texts that made others take time in proportion to the square of their length. */
const ADVERSARIES: readonly [string, ParserConfigOptions, (length: number) => string][] = [
  ['a brace and white space', json, (length) => `{${' '.repeat(length)}`],
  ['many brackets', json, (length) => '[ {'.repeat(length / 3)],
  [
    'a long argument before the path',
    xml,
    (length) => `<tool name="write_file"><arg name="x">${'a'.repeat(length)}</arg>`,
  ],
  [
    'many tags in an argument',
    xml,
    (length) => `<tool name="write_file"><arg name="x">${'<a>'.repeat(length / 3)}`,
  ],
  ['a closer and white space', xml, (length) => `${marked}</arg>${' '.repeat(length)}x`],
  ['many closers', xml, (length) => `${marked}${'</arg>\n'.repeat(length / 7)}`],
  ['many closers without markers', xml, (length) => `${content}${'</arg> '.repeat(length / 7)}`],
  ['many line breaks', xml, (length) => `${marked}${'\n'.repeat(length)}`],
  ['many end markers', xml, (length) => `${marked}${'__END_CONTENT__\n'.repeat(length / 16)}`],
  ['white space before the content', xml, (length) => `${content}${' '.repeat(length)}`],
  ['a tag that never ends', xml, (length) => `<tool ${'a '.repeat(length / 2)}`],
  ['many half tags', xml, (length) => '<tool name='.repeat(length / 11)],
  ['many small files', xml, (length) => '<write_file path="/p">a</write_file> '.repeat(length / 37)],
  ['many tools', xml, (length) => '<tool name="f"><a>1</a></tool>.'.repeat(length / 31)],
  ['many headers', sentinel, (length) => '[[SEG_START {"type":'.repeat(length / 20)],
  ['many half ends', sentinel, (length) => `[[SEG_START {"type":"run_bash"}]]${'[[SEG_'.repeat(length / 6)}`],
]

describe('work grows with the text and no faster', () => {
  test.each(ADVERSARIES)('%s', async (_, options, make) => {
    for (const size of [Number.POSITIVE_INFINITY, 3]) {
      const grown = await growthOf((length) => {
        const text = make(length)
        const parser = new StreamingParser(new ParserConfig(options))
        for (let at = 0; at < text.length; at += size) parser.feed(text.slice(at, at + size))
        parser.finalize()
      }, LENGTH)
      expect(grown).toBeLessThan(MOST_GROWTH)
    }
  })

  test.each([
    ['deferred', { segmentStart: 'deferred' }],
    ['with markers', { stripMarkers: true }],
    ['as it is', {}],
  ] as const)('a native call: %s', async (_, options) => {
    const grown = await growthOf((length) => {
      const handler = new ApiToolCallStreamingResponseHandler({ config: new ParserConfig(options) })
      handler.feed({ tool_calls: [{ index: 0, name: 'write_file', arguments_delta: '{"content":"' }] })
      for (let at = 0; at < length; at += 4)
        handler.feed({ tool_calls: [{ index: 0, arguments_delta: 'a__E' }] })
      handler.finalize()
    }, LENGTH)
    expect(grown).toBeLessThan(MOST_GROWTH)
  })
})

test('a tool with a state of its own takes work in proportion to the text', async () => {
  registerXmlToolParsingState('shout', class extends XmlToolParsingState {})
  const growth = await growthOf((count) => {
    const parser = new StreamingParser()
    parser.feed('<tool name="shout"><x>a</x></tool>'.repeat(count))
    parser.finalize()
  }, 2000)
  unregisterXmlToolParsingState('shout')
  expect(growth).toBeLessThan(MOST_GROWTH)
})
