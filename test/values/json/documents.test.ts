import { describe, expect, test } from 'vitest'
import { createJsonParser, type JsonFailure } from '../../../src/values/json/index.ts'
import { stringify } from '../../../src/values/numbers/stringify.ts'
import { everySplit } from './recorder.ts'

/** Documents that are JSON, each with its value written plainly. */
const accepted: readonly (readonly [text: string, value: string])[] = [
  ['null', 'null'],
  ['true', 'true'],
  [' false ', 'false'],
  ['0', '0'],
  ['-0', '-0'],
  ['-1', '-1'],
  ['10', '10'],
  ['0.5', '0.5'],
  ['1.50', '1.5'],
  ['1e2', '100'],
  ['1E+2', '100'],
  ['1e-2', '0.01'],
  ['0e1', '0'],
  ['0.0e-0', '0'],
  ['-1.25e2', '-125'],
  ['1e999', '1e999'],
  ['-1e999', '-1e999'],
  ['123456789012345678901234567890', '1.2345678901234568e+29'],
  ['""', '""'],
  ['"a"', '"a"'],
  ['"\\""', '"\\""'],
  ['"\\\\"', '"\\\\"'],
  ['"\\/"', '"/"'],
  ['"\\b\\f\\n\\r\\t"', '"\\b\\f\\n\\r\\t"'],
  ['"\\u0041\\u00e9"', '"Aé"'],
  ['"\\uD83D\\uDE00"', '"😀"'],
  ['"\\ud83d\ude00"', '"😀"'],
  ['"\ud83d\\ude00"', '"😀"'],
  ['"\\ude00\\ud83d"', '"\\ude00\\ud83d"'],
  ['"\\u0000"', '"\\u0000"'],
  ['"\u007f\u2028\u2029"', '"\u007f\u2028\u2029"'],
  ['"\ufeff"', '"\ufeff"'],
  ['[]', '[]'],
  ['[ ]', '[]'],
  ['[1]', '[1]'],
  ['[1 ,2\n,\t3\r]', '[1,2,3]'],
  ['[[],[[]]]', '[[],[[]]]'],
  ['[null,true,false,0,"",{}]', '[null,true,false,0,"",{}]'],
  ['{}', '{}'],
  ['{ }', '{}'],
  ['{"a":1}', '{"a":1}'],
  ['{"a" : [ ] , "b" : { } }', '{"a":[],"b":{}}'],
  ['{"":""}', '{"":""}'],
  ['{"a":1,"a":2}', '{"a":2}'],
  ['{"b":1,"a":2,"1":3}', '{"1":3,"b":1,"a":2}'],
  ['{"__proto__":null,"constructor":1}', '{"__proto__":null,"constructor":1}'],
  ['{"\\u0061":1}', '{"a":1}'],
  ['{"a\\nb":1}', '{"a\\nb":1}'],
]

/** Documents that are not, each with what is wrong and where; `end` when only the end is missing. */
const rejected: readonly (readonly [text: string, code: string, offset?: number])[] = [
  ['', 'end'],
  [' ', 'end'],
  ['[', 'end'],
  ['{', 'end'],
  ['"', 'end'],
  ['"\\', 'end'],
  ['"\\u00', 'end'],
  ['tru', 'end'],
  ['-', 'end'],
  ['1.', 'end'],
  ['1e', 'end'],
  ['1e+', 'end'],
  ['[1,', 'end'],
  ['{"a":', 'end'],
  ['{"a":1', 'end'],
  ['[1,]', 'token', 3],
  ['[,1]', 'token', 1],
  ['[1,,2]', 'token', 3],
  ['[1 2]', 'token', 3],
  ['[1}', 'token', 2],
  ['{]', 'token', 1],
  [']', 'token', 0],
  ['{"a":1,}', 'token', 7],
  ['{,}', 'token', 1],
  ['{"a"}', 'token', 4],
  ['{"a":}', 'token', 5],
  ['{"a":1 "b":2}', 'token', 7],
  ['{"a"1}', 'token', 4],
  ['{"a"::1}', 'token', 5],
  ['{a:1}', 'token', 1],
  ["{'a':1}", 'token', 1],
  ['{1:1}', 'token', 1],
  ['[01]', 'number', 2],
  ['[-01]', 'number', 3],
  ['[1.]', 'number', 3],
  ['[1.e1]', 'number', 3],
  ['[.5]', 'token', 1],
  ['[+1]', 'token', 1],
  ['[1e]', 'number', 3],
  ['[1e1.5]', 'number', 4],
  ['[--1]', 'number', 2],
  ['[0x1]', 'number', 2],
  ['[1_0]', 'number', 2],
  ['[NaN]', 'token', 1],
  ['[-Infinity]', 'number', 2],
  ['[True]', 'token', 1],
  ['[nul]', 'literal', 4],
  ['[truee]', 'literal', 5],
  ['"a\nb"', 'control-char', 2],
  ['"\t"', 'control-char', 1],
  ['"\u0000"', 'control-char', 1],
  ['"\\a"', 'escape', 2],
  ['"\\\'"', 'escape', 2],
  ['"\\u12x4"', 'escape', 5],
  ['"\\ud83d\\ud"', 'escape', 10],
  ['"\\U0041"', 'escape', 2],
  ['{"a\\x":1}', 'escape', 4],
  ['"a" "b"', 'trailing-content', 4],
  ['{}}', 'trailing-content', 2],
  ['1 2', 'trailing-content', 2],
  ['nullx', 'trailing-content', 4],
  ['[] // c', 'trailing-content', 3],
  ['// c\n1', 'token', 0],
  ['/**/1', 'token', 0],
  ['\ufeff1', 'token', 0],
  ['\u00a01', 'token', 0],
  ['[1\u00a0]', 'number', 2],
  ['```json\n1\n```', 'token', 0],
  ['undefined', 'token', 0],
]

function readStrictly(chunks: readonly string[]) {
  const parser = createJsonParser({ mode: 'strict' })
  const events = [...chunks.flatMap((chunk) => parser.push(chunk)), ...parser.end()]
  return { parser, error: events.find((event): event is JsonFailure => event.type === 'error') }
}

describe('Strict reading', () => {
  test.each(accepted)('accepts %j', (text, value) => {
    for (const chunks of everySplit(text)) {
      const { parser } = readStrictly(chunks)
      expect([parser.status, stringify(parser.value!)]).toEqual(['complete', value])
    }
  })

  test.each(rejected.map(([text, ...wrong]) => ({ text, wrong })))(
    'rejects $text',
    ({ text, wrong: [code, offset] }) => {
      expect(() => JSON.parse(text)).toThrow(SyntaxError)
      for (const chunks of everySplit(text)) {
        const { parser, error } = readStrictly(chunks)
        if (code === 'end') expect(['truncated', 'empty']).toContain(parser.status)
        else expect([parser.status, error?.code, error?.offset]).toEqual(['invalid', code, offset])
      }
    },
  )
})

test('100,000 nested arrays are read when the limit allows it', () => {
  const parser = createJsonParser({ mode: 'strict', limits: { depth: 100_000 } })
  const deep = '['.repeat(100_000) + ']'.repeat(100_000)
  parser.push(deep)
  parser.end()
  expect(parser.status).toBe('complete')
})
