import {
  ApiToolCallStreamingResponseHandler,
  ParserConfig,
  type ParserConfigOptions,
  StreamingParser,
} from 'sluice/segments'
import { describe, expect, test } from 'vitest'

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

function cost(work: () => void): number {
  const start = process.cpuUsage()
  work()
  const { user, system } = process.cpuUsage(start)
  return user + system
}

/** How much longer four times the text takes: the least of some attempts. Linear is 4, quadratic is 16. */
function growth(work: (length: number) => void): number {
  let least = Number.POSITIVE_INFINITY
  for (let attempt = 0; attempt < 4 && least >= 8; attempt++) {
    const length = 12_000 * 2 ** attempt
    const [short, long] = [cost(() => work(length)), cost(() => work(4 * length))]
    least = Math.min(least, long < 3000 ? 4 : long / short)
  }
  return least
}

describe('time grows with the text and no faster', () => {
  test.each(ADVERSARIES)('%s', (_, options, make) => {
    for (const size of [Number.POSITIVE_INFINITY, 3]) {
      const grown = growth((length) => {
        const text = make(length)
        const parser = new StreamingParser(new ParserConfig(options))
        for (let at = 0; at < text.length; at += size) parser.feed(text.slice(at, at + size))
        parser.finalize()
      })
      expect(grown).toBeLessThan(8)
    }
  })

  test.each([
    ['deferred', { segmentStart: 'deferred' }],
    ['with markers', { stripMarkers: true }],
    ['as it is', {}],
  ] as const)('a native call: %s', (_, options) => {
    const grown = growth((length) => {
      const handler = new ApiToolCallStreamingResponseHandler({ config: new ParserConfig(options) })
      handler.feed({ tool_calls: [{ index: 0, name: 'write_file', arguments_delta: '{"content":"' }] })
      for (let at = 0; at < length; at += 4)
        handler.feed({ tool_calls: [{ index: 0, arguments_delta: 'a__E' }] })
      handler.finalize()
    })
    expect(grown).toBeLessThan(8)
  })
})
