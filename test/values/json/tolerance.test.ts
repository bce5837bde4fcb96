import { describe, expect, test } from 'vitest'
import { createJsonParser, type JsonParserOptions } from '../../../src/values/json/index.ts'
import { stringify } from '../../../src/values/numbers/stringify.ts'
import { everySplit, scan } from './recorder.ts'

/** What is written, the value that is read, and the repairs it took as `code@offset`. */
type Repaired = readonly [text: string, value: string, ...repairs: string[]]
/** What is written, and the error with its offset. */
type Refused = readonly [text: string, error: string]

function read(chunks: readonly string[], options: JsonParserOptions = {}) {
  const parser = createJsonParser(options)
  const events = [...chunks.flatMap((chunk) => parser.push(chunk)), ...parser.end()]
  const repairs: string[] = []
  let error = ''
  for (const event of events) {
    if (event.type === 'repair') repairs.push(`${event.code}@${event.offset}`)
    if (event.type === 'error') error = `${event.code}@${event.offset}`
  }
  return { status: parser.status, value: parser.value, repairs, error }
}

function checkRepaired([text, value, ...repairs]: Repaired, options: JsonParserOptions = {}): void {
  for (const chunks of everySplit(text)) {
    const result = read(chunks, options)
    const found = [
      result.status,
      result.value === undefined ? '' : stringify(result.value),
      ...result.repairs,
    ]
    expect(found).toEqual([repairs.length > 0 ? 'repaired' : 'complete', value, ...repairs])
  }
  const scanned = scan([text], { tolerant: true, stringClose: options.stringClose ?? 'quote' })
  if (options.unwrapStringified !== true) expect(stringify(JSON.parse(scanned.canonical))).toBe(value)
}

function checkRefused([text, error]: Refused, options: JsonParserOptions = {}): void {
  for (const chunks of everySplit(text)) {
    const result = read(chunks, options)
    expect([result.status, result.error]).toEqual(['invalid', error])
  }
}

function table(rows: readonly Repaired[], options: JsonParserOptions = {}): void {
  test.each(rows.map((row) => [row[0], row] as const))('%j', (_, row) => checkRepaired(row, options))
}

describe('Around and between tokens', () => {
  table([
    ['\ufeff [1]', '[1]', 'bom@0'],
    [' \ufeff[1]', '[1]', 'whitespace@1'],
    ['[1,\u00a0\u00a02]', '[1,2]', 'whitespace@3'],
    ['[1\u00a0,\u20282\u200b]', '[1,2]', 'whitespace@2', 'whitespace@4', 'whitespace@6'],
    ['[1] \u00a0', '[1]', 'whitespace@4'],
    ['```\n[1]\n```', '[1]', 'fence@0'],
    ['```json {"a":1}```', '{"a":1}', 'fence@0'],
    ['````json5\n[1]\n````', '[1]', 'fence@0'],
    ['[1]\n```', '[1]', 'fence@4'],
    ['```json\n1', '1', 'fence@0'],
    ['// c\n[1]', '[1]', 'comment@0'],
    ['[/* a * b **/1]', '[1]', 'comment@1'],
    ['[1/**/,2]', '[1,2]', 'comment@2'],
    ['[1//x\n]', '[1]', 'comment@2'],
    ['[1# x\n]', '[1]', 'comment@2'],
    ['[true/* yes */]', '[true]', 'comment@5'],
    ['{"a":None// n\n}', '{"a":null}', 'literal-alias@5', 'comment@9'],
    ['{"a" /*b*/ : /*c*/ 1}', '{"a":1}', 'comment@5', 'comment@13'],
    ['[1] // done', '[1]', 'comment@4'],
    ['[1] /* done */ # really', '[1]', 'comment@4', 'comment@15'],
    ['[1\\n,\\t2\\r]', '[1,2]', 'escaped-whitespace@2', 'escaped-whitespace@5', 'escaped-whitespace@8'],
    ['{"a":null\\n}', '{"a":null}', 'escaped-whitespace@9'],
    ['{} and so on', '{}', 'trailing-content@3'],
    ['{}]}', '{}', 'extra-close@2'],
    ['{} `x`', '{}', 'trailing-content@3'],
    ['{} /x', '{}', 'trailing-content@3'],
  ])
})

describe('Commas, colons and closers', () => {
  table([
    ['[1,]', '[1]', 'trailing-comma@2'],
    ['{"a":1 , }', '{"a":1}', 'trailing-comma@7'],
    ['[,]', '[]', 'extra-comma@1'],
    ['[,1]', '[1]', 'extra-comma@1'],
    ['[1,,,2,]', '[1,2]', 'extra-comma@3', 'extra-comma@4', 'trailing-comma@6'],
    ['{,"a":1,,}', '{"a":1}', 'extra-comma@1', 'extra-comma@8', 'trailing-comma@7'],
    ['[1 2\n3]', '[1,2,3]', 'missing-comma@3', 'missing-comma@5'],
    ['[{}{}]', '[{},{}]', 'missing-comma@3'],
    ['["a" "b"]', '["a","b"]', 'missing-comma@5'],
    ['["a" b]', '["a","b"]', 'missing-comma@5', 'bare-string@5'],
    ['{"a":{}"b":[] "c":1}', '{"a":{},"b":[],"c":1}', 'missing-comma@7', 'missing-comma@14'],
    ["{'a':1 'b':2}", '{"a":1,"b":2}', 'quote-style@1', 'missing-comma@7', 'quote-style@7'],
    ['{"a" 1}', '{"a":1}', 'missing-colon@5'],
    ['{"a"[1]}', '{"a":[1]}', 'missing-colon@4'],
    ['{"a" "b"}', '{"a":"b"}', 'missing-colon@5'],
    ['{"a" true}', '{"a":true}', 'missing-colon@5'],
    ['{"a"=1,b=>2}', '{"a":1,"b":2}', 'missing-colon@4', 'unquoted-key@7', 'missing-colon@8'],
    ['{"a" = > 1}', '{"a":"> 1"}', 'missing-colon@5', 'bare-string@7'],
    ['{"a":[1,{"b":2]}', '{"a":[1,{"b":2}]}', 'missing-close@14'],
    ['{"a":[1,}', '{"a":[1]}', 'trailing-comma@7', 'missing-close@8'],
    ['{"a":[}', '{"a":[]}', 'missing-close@6'],
    ['[{]', '[{}]', 'missing-close@2'],
    ['[1, ..., 9]', '[1,9]', 'ellipsis@4'],
    ['[1, ...]', '[1]', 'ellipsis@4'],
    ['[...]', '[]', 'ellipsis@1'],
    ['{"a":1, ...}', '{"a":1}', 'ellipsis@8'],
    ['{"a":1, ..., "b":2}', '{"a":1,"b":2}', 'ellipsis@8'],
  ])
})

describe('Quotes and escapes', () => {
  table([
    ["'a'", '"a"', 'quote-style@0'],
    ['`a`', '"a"', 'quote-style@0'],
    ['[`a"b`]', '["a\\"b"]', 'quote-style@1'],
    ['[“a "b" c”]', '["a \\"b\\" c"]', 'quote-style@1'],
    ['[‘it‚]', '["it"]', 'quote-style@1'],
    ["['it\\'s']", '["it\'s"]', 'quote-style@1', 'invalid-escape@4'],
    ['["\\`"]', '["`"]', 'invalid-escape@2'],
    ['["\\q\\w"]', '["\\\\q\\\\w"]', 'invalid-escape@2'],
    ['["\\\'\\q"]', '["\'\\\\q"]', 'invalid-escape@2', 'invalid-escape@4'],
    ['["\\u12"]', '["\\\\u12"]', 'invalid-escape@2'],
    ['["\\u12\\u0041"]', '["\\\\u12A"]', 'invalid-escape@2'],
    ['["\\ud83d\\q"]', '["\\ud83d\\\\q"]', 'invalid-escape@8'],
    ['[“\\”a”]', '["\\\\”a"]', 'quote-style@1', 'invalid-escape@2'],
    ['["a\nb\u0001"]', '["a\\nb\\u0001"]', 'control-char@3'],
    ['{"a\nb":"c\td"}', '{"a\\nb":"c\\td"}', 'control-char@3', 'control-char@9'],
    ['["\\\n"]', '["\\\\\\n"]', 'invalid-escape@2', 'control-char@3'],
    ['{\\"a\\":\\"b\\"}', '{"a":"b"}', 'escaped-document@1'],
    [
      '{\\"a\\":\\"x\\\\ny\\",\\"b\\":\\"\\\\\\"q\\\\\\"\\"}',
      '{"a":"x\\ny","b":"\\"q\\""}',
      'escaped-document@1',
    ],
    [
      '{\\"p\\":\\"C:\\\\\\\\d\\", \\"u\\":\\"\\u0041\\\\u0042\\"}',
      '{"p":"C:\\\\d","u":"AB"}',
      'escaped-document@1',
    ],
    ['[\\"say "hi"\\"]', '["say \\"hi\\""]', 'escaped-document@1'],
  ])
})

describe('What stands unquoted', () => {
  table([
    [
      '[True,FALSE,None,NULL,undefined]',
      '[true,false,null,null,null]',
      ...[1, 6, 12, 17, 22].map((at) => `literal-alias@${at}`),
    ],
    ['[Truest]', '["Truest"]', 'bare-string@1'],
    ['[trueish]', '["trueish"]', 'bare-string@1'],
    ['[nullx y]', '["nullx y"]', 'bare-string@1'],
    ['[+5,.5,5.,-.5,5.e2]', '[5,0.5,5,-0.5,500]', ...[1, 4, 7, 10, 14].map((at) => `number-form@${at}`)],
    [
      '[01,0x1F,1_000,1e,-]',
      '["01","0x1F","1_000","1e","-"]',
      ...[1, 4, 9, 15, 18].map((at) => `bare-string@${at}`),
    ],
    ['[12/31/2024]', '["12/31/2024"]', 'bare-string@1'],
    [
      '[NaN,Infinity,-Infinity]',
      '["NaN","Infinity","-Infinity"]',
      ...[1, 5, 14].map((at) => `non-finite@${at}`),
    ],
    ['{"url":http://a.b/c?d=e#f}', '{"url":"http://a.b/c?d=e#f"}', 'bare-string@7'],
    ['{"path": /usr/bin }', '{"path":"/usr/bin"}', 'bare-string@9'],
    ['{"a": hello world  , "b": 1}', '{"a":"hello world","b":1}', 'bare-string@6'],
    ['{"a": one line\n}', '{"a":"one line"}', 'bare-string@6'],
    ['{"a": None of these}', '{"a":"None of these"}', 'bare-string@6'],
    [
      '{a:1,$b_2:2,c-d.e:3,12:4}',
      '{"12":4,"a":1,"$b_2":2,"c-d.e":3}',
      ...[1, 5, 12, 20].map((at) => `unquoted-key@${at}`),
    ],
    ['{ a : 1 }', '{"a":1}', 'unquoted-key@2'],
    ['None', 'null', 'literal-alias@0'],
    ['+5', '5', 'number-form@0'],
    ['hello', '"hello"', 'bare-string@0'],
    ['hello\n', '"hello"', 'bare-string@0'],
    ['5 ', '5'],
    ['5;', '5', 'trailing-content@1'],
  ])
})

describe('A quote inside a string, with patience', () => {
  table(
    [
      ['{"a":"say "hi" now"}', '{"a":"say \\"hi\\" now"}', 'inner-quote@10'],
      ['{"a":"x","b":"y"}', '{"a":"x","b":"y"}'],
      ['{"a":"x" , "b":"y" }', '{"a":"x","b":"y"}'],
      ['{"a":"he said "yes", and left"}', '{"a":"he said \\"yes\\", and left"}', 'inner-quote@14'],
      ['["a","b" , "c"]', '["a","b","c"]'],
      ['["a"b"]', '["a\\"b"]', 'inner-quote@3'],
      ['{"a":"x"\n"y"}', '{"a":"x\\"\\n\\"y"}', 'inner-quote@7', 'control-char@8'],
      ["['it's']", '["it\'s"]', 'quote-style@1', 'inner-quote@4'],
      ['"a"', '"a"'],
      ['"a" b"', '"a\\" b"', 'inner-quote@2'],
      ['{"a":"x",}', '{"a":"x"}', 'trailing-comma@8'],
    ],
    { stringClose: 'delimiter' },
  )

  test('nothing is guessed in strict reading', () => {
    checkRefused(['["a"b"]', 'token@4'], { mode: 'strict', stringClose: 'delimiter' })
    checkRefused(['{"a":"b":1}', 'token@8'], { mode: 'strict', stringClose: 'delimiter' })
  })
})

describe('A value inside a string', () => {
  table(
    [
      ['"{\\"a\\":1}"', '{"a":1}', 'double-encoded@0'],
      ['" [1, \\"x\\\\ny\\"]"', '[1,"x\\ny"]', 'double-encoded@0'],
      ['"plain"', '"plain"'],
      ['"  "', '"  "'],
      ['""', '""'],
      ['{"a":"{}"}', '{"a":"{}"}'],
      ['"{} ok"', '{}', 'double-encoded@0', 'trailing-content@4'],
    ],
    { unwrapStringified: true },
  )

  test('that is cut off is cut off', () => {
    expect(read(['"{\\"a\\":\\"x'], { unwrapStringified: true })).toMatchObject({
      status: 'truncated',
      value: { a: 'x' },
    })
    expect(read(['"{\\"a\\":1"'], { unwrapStringified: true })).toMatchObject({
      status: 'truncated',
      value: {},
    })
    expect(read(['"  '], { unwrapStringified: true })).toMatchObject({ status: 'truncated', value: '  ' })
  })

  test('that is broken is broken', () => {
    expect(read(['"{\\"a\\":}"'], { unwrapStringified: true })).toMatchObject({
      status: 'invalid',
      error: 'token@6',
    })
  })
})

describe('What even tolerant reading refuses', () => {
  test.each<Refused>([
    ['{"a":"x"y}', 'token@8'],
    ['["a""b"]', 'token@4'],
    ['{"a":1 b:2}', 'token@7'],
    ['{"a":}', 'token@5'],
    ['{"a",1}', 'token@4'],
    ['{"a":12 apples}', 'token@8'],
    ['[1}', 'token@2'],
    ['[1,}', 'token@3'],
    ['{:1}', 'token@1'],
    ['{a b:1}', 'token@3'],
    ['{1a:1}', 'token@2'],
    ['[\\x]', 'token@2'],
    ['{"a"/b:1}', 'token@5'],
    ['{"a":1,..}', 'token@9'],
    ['}', 'token@0'],
    [':', 'token@0'],
    ['[\u0001]', 'token@1'],
  ])('%j', (text, error) => checkRefused([text, error]))
})
