import { describe, expect, test } from 'vitest'
import { DEFAULT_LIMITS } from '../../src/base/limits.ts'
import { eventsOf, told } from './told.ts'

const chunk = (content: string): string => JSON.stringify({ choices: [{ index: 0, delta: { content } }] })
const LAST = '{"choices":[{"index":0,"delta":{},"finish_reason":"stop"}]}'
const read = (...chunks: (string | Uint8Array)[]): string[] => told(eventsOf(chunks))

describe('server-sent events', () => {
  test.each([
    ['as they should be', `data: ${chunk('Hi')}\n\ndata: ${LAST}\n\ndata: [DONE]\n\n`],
    ['without a space behind the colon', `data:${chunk('Hi')}\n\ndata:${LAST}\n\ndata:[DONE]\n\n`],
    ['with CRLF', `data: ${chunk('Hi')}\r\n\r\ndata: ${LAST}\r\n\r\n`],
    ['with lone CR', `data: ${chunk('Hi')}\r\rdata: ${LAST}\r\r`],
    ['without a newline at the end', `data: ${chunk('Hi')}\n\ndata: ${LAST}`],
    [
      'with comments, names, ids and retries',
      `: hi\n\nretry: 10\nid: 1\nevent: x\ndata: ${chunk('Hi')}\n\ndata: ${LAST}\n\n`,
    ],
    ['with a BOM', `\uFEFFdata: ${chunk('Hi')}\n\ndata: ${LAST}\n\n`],
    ['with data over several lines', `data: ${chunk('Hi').replace(':[', ':[\ndata: ')}\n\ndata: ${LAST}\n\n`],
    ['behind empty lines', `\n\n\r\ndata: ${chunk('Hi')}\n\ndata: ${LAST}\n\n`],
  ])('%s', (_, text) => {
    const bytes = new TextEncoder().encode(text)
    for (let at = 0; at <= bytes.length; at++)
      expect(read(bytes.subarray(0, at), bytes.subarray(at))).toEqual(['text Hi', 'finish stop (stop)'])
    expect(read(...text)).toEqual(['text Hi', 'finish stop (stop)'])
  })

  test('a payload that is not JSON is told, and the others are read', () => {
    expect(
      read(`data: ${chunk('a')}\n\ndata: {"choices":[{\n\ndata: ${chunk('b')}\n\ndata: ${LAST}\n\n`),
    ).toEqual(['text a|b', 'diagnostic provider-payload', 'finish stop (stop)'])
  })

  test('a payload that is no object is told', () => {
    expect(read(`data: ${chunk('a')}\n\ndata: 7\n\ndata: null\n\ndata: ${LAST}\n\n`)).toEqual([
      'text a',
      'diagnostic provider-payload',
      'diagnostic provider-payload',
      'finish stop (stop)',
    ])
  })

  test.each([
    ['a field of its own', 'error: {"code":500,"message":"out of memory"}\n\n'],
    ['a bare line', '{"error":{"message":"out of memory"}}\n'],
    ['a named event', 'event: error\ndata: {"message":"out of memory"}\n\n'],
  ])('the error of a server that says it as %s', (_, error) => {
    expect(read(`data: ${chunk('Hi')}\n\n`, error)).toEqual([
      'text Hi',
      'error out of memory',
      'finish error',
    ])
  })

  test('a page that is no stream at all', () => {
    const events = eventsOf(['<!doctype html>\n<h1>502 Bad Gateway</h1>\n'])
    expect(events[0]).toMatchObject({
      code: 'provider-payload',
      message: 'This is not a stream of server-sent events: <!doctype html>',
    })
    expect(events.at(-1)).toMatchObject({ type: 'finish', reason: 'error' })
  })

  test('a connection that dies in a payload', () => {
    expect(read(`data: ${chunk('Hi')}\n\ndata: {"choi`)).toEqual([
      'text Hi',
      'diagnostic provider-payload',
      'diagnostic truncated-stream',
      'finish error',
    ])
  })

  test('an event that is longer than the limit is left out', () => {
    const text = `data: ${chunk('Hi')}\n\ndata: ${chunk('x'.repeat(500))}\n\ndata: ${chunk('ho')}\n\ndata: ${LAST}\n\n`
    const limits = { ...DEFAULT_LIMITS, payload: 200 }
    const lines = ['text Hi|ho', 'diagnostic limit-reached', 'finish stop (stop)']
    expect(told(eventsOf([...text], { limits }))).toEqual(lines)
    for (let at = 0; at <= text.length; at++)
      expect(told(eventsOf([text.slice(0, at), text.slice(at)], { limits }))).toEqual(lines)
  })

  test.each<[string, string, string[]]>([
    [
      'an event of exactly the limit behind an empty line',
      `data: ${chunk('Hi')}\n\n\ndata: ${chunk('x'.repeat(200 - 8 - chunk('').length))}\n\ndata: ${LAST}\n\n`,
      [`text Hi|${'x'.repeat(200 - 8 - chunk('').length)}`, 'finish stop (stop)'],
    ],
    [
      'an event that is too long, behind a line that is no part of it',
      `data: ${chunk('Hi')}\n\n{"error":{"message":"Oh"}}\ndata: ${chunk('x'.repeat(500))}\n\ndata: ${LAST}\n\n`,
      ['text Hi', 'error Oh', 'diagnostic limit-reached', 'finish error (stop)'],
    ],
    [
      'a document that is too long and cut off',
      `{"choices":[{"message":{"content":"${'x'.repeat(500)}`,
      ['diagnostic limit-reached', 'diagnostic truncated-stream', 'finish error'],
    ],
  ])('%s is told alike however it is cut', (_, text, lines) => {
    const options = { limits: { ...DEFAULT_LIMITS, payload: 200 }, provider: 'openai-chat' }
    expect(told(eventsOf([...text], options))).toEqual(lines)
    for (let at = 0; at <= text.length; at++)
      expect(told(eventsOf([text.slice(0, at), text.slice(at)], options)), `cut at ${at}`).toEqual(lines)
  })

  test('the rest of an event that was left out is no event', () => {
    const long = JSON.stringify(`${'x'.repeat(500)}data: ${chunk('no')}`)
    const limits = { ...DEFAULT_LIMITS, payload: 200 }
    const at = long.indexOf('data:')
    const chunks = [`data: ${long.slice(0, at)}`, long.slice(at), `\n\ndata: ${LAST}\n\n`]
    expect(told(eventsOf(chunks, { limits, provider: 'openai-chat' }))).toEqual([
      'diagnostic limit-reached',
      'finish stop (stop)',
    ])
  })

  test('are read, too, where frames or a document were expected', () => {
    const converse = '{"contentBlockDelta":{"contentBlockIndex":0,"delta":{"text":"Hi"}}}'
    const bytes = new TextEncoder().encode(
      `data: ${converse}\n\ndata: {"messageStop":{"stopReason":"end_turn"}}\n\n`,
    )
    expect(told(eventsOf([bytes], { provider: 'bedrock' }))).toEqual(['text Hi', 'finish stop (end_turn)'])
    expect(read(`{"status":"queued"}\ndata: ${chunk('Hi')}\n\ndata:${LAST}\n\ndata: [DONE]\n\n`)).toEqual([
      'text Hi',
      'finish stop (stop)',
    ])
  })
})

describe('JSON', () => {
  test.each([
    ['one payload per line', `${chunk('Hi')}\n${LAST}\n`],
    ['one payload per line, the last without a newline', `${chunk('Hi')}\r\n${LAST}`],
    ['an array', `[${chunk('Hi')}\n,\r\n${LAST}]\n`],
    ['an array that is written out', JSON.stringify([JSON.parse(chunk('Hi')), JSON.parse(LAST)], null, 2)],
    [
      'several documents',
      `${JSON.stringify(JSON.parse(chunk('Hi')), null, 2)}\n${JSON.stringify(JSON.parse(LAST), null, 1)}`,
    ],
    [
      'an array of short and long elements',
      `[${chunk('Hi')},\n${JSON.stringify(JSON.parse(LAST), null, 2)}\n]`,
    ],
    ['behind space', ` \n ${chunk('Hi')}${LAST}`],
  ])('%s', (_, text) => {
    const bytes = new TextEncoder().encode(text)
    for (let at = 0; at <= bytes.length; at++)
      expect(read(bytes.subarray(0, at), bytes.subarray(at))).toEqual(['text Hi', 'finish stop (stop)'])
  })

  test('a document over several lines, although one payload per line was expected', () => {
    const whole = JSON.stringify({ message: { content: 'Hi' }, done: true }, null, 2)
    expect(told(eventsOf([whole], { provider: 'ollama' }))).toEqual(['text Hi', 'finish stop'])
    const error = '{\n  "error": "model not found"\n}\n'
    expect(told(eventsOf([...error], { provider: 'ollama' }))).toEqual([
      'error model not found',
      'finish error',
    ])
  })

  test('brackets and quotes in strings are no brackets', () => {
    expect(read(`[${chunk('}] "\\{[')},${LAST}]`)).toEqual(['text }] "\\{[', 'finish stop (stop)'])
  })

  test('a broken line costs no other one', () => {
    expect(read(`${chunk('a')}\n{"choices":[{\noops\n${chunk('b')}\n${LAST}\n`)).toEqual([
      'text a|b',
      'diagnostic provider-payload',
      'diagnostic provider-payload',
      'finish stop (stop)',
    ])
  })

  test('characters that lie in several chunks', () => {
    const bytes = new TextEncoder().encode(`${chunk('日本 😀')}\n${LAST}\n`)
    expect(read(...Array.from(bytes, (byte) => Uint8Array.of(byte)))).toEqual([
      'text 日本 😀',
      'finish stop (stop)',
    ])
  })
})

describe('a stream of nobody', () => {
  test('says whose it could have been', () => {
    const [error, finish] = eventsOf([{ hello: 'world' }])
    expect(error).toMatchObject({ type: 'error', error: { code: 'unknown-provider' } })
    expect(finish).toMatchObject({ type: 'finish', reason: 'error' })
  })

  test('that is an error says the error', () => {
    expect(read('{"error":{"message":"Incorrect API key provided","type":"invalid_request_error"}}')).toEqual(
      ['error Incorrect API key provided', 'finish error'],
    )
  })

  test('that is empty was cut off', () => {
    expect(read('')).toEqual(['diagnostic truncated-stream', 'finish error'])
  })
})
