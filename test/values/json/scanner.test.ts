import { describe, expect, test } from 'vitest'
import { JsonBuilder } from '../../../src/values/json/builder.ts'
import { createScanner, JsonScanner } from '../../../src/values/json/scanner.ts'
import { Recorder } from './recorder.ts'
import { restoredScanner, savedScanner, twinOf } from './saved-scanner.ts'

describe('A scanner', () => {
  test('reads a part of a text and says how far it came', () => {
    const scanner = createScanner({})
    const recorder = new Recorder()
    expect(scanner.read('xx[1]yy', 2, 7, recorder)).toBe(5)
    expect([scanner.status, scanner.offset]).toEqual(['done', 3])
    expect(scanner.read('more', 0, 4, recorder)).toBe(0)
  })

  test('stops at the character that makes the text impossible', () => {
    const scanner = createScanner({})
    expect(scanner.read('[1 x]', 0, 5, new Recorder())).toBe(3)
    expect([scanner.status, scanner.offset]).toEqual(['failed', 3])
  })

  test.each([
    ['12<end>', 2],
    ['true</arg>', 4],
    ['-1.5e3,', 6],
    ['"x"y', 3],
    ['{}{', 2],
  ])('is done with %j before what follows', (text, taken) => {
    for (const tolerant of [false, true]) {
      const scanner = createScanner({ tolerant })
      expect(scanner.read(text, 0, text.length, new Recorder())).toBe(taken)
      expect(scanner.status).toBe('done')
    }
  })

  test('waits for the end of a number at the root', () => {
    const scanner = createScanner({})
    const recorder = new Recorder()
    scanner.read('12', 0, 2, recorder)
    expect(recorder.told).toEqual([])
    scanner.end(recorder)
    expect([scanner.status, recorder.told]).toEqual(['done', [['scalar', 12, '12']]])
  })

  test('stays open when the text is cut off', () => {
    const scanner = createScanner({})
    scanner.read('[1', 0, 2, new Recorder())
    scanner.end(new Recorder())
    expect(scanner.status).toBe('open')
  })

  test('counts open containers', () => {
    const scanner = createScanner({})
    scanner.read('{"a":[[', 0, 7, new Recorder())
    expect(scanner.depth).toBe(3)
  })

  test.each([
    ['a few', '{"a":1,"b":{"a":[]},"a":2,"c":3}', ['a']],
    [
      'many',
      '{"a":1,"b":2,"c":3,"d":4,"e":5,"f":6,"g":7,"h":8,"i":{"a":[]},"j":[{}],"b":0,"k":0,"i":0}',
      ['b', 'i'],
    ],
    [
      'none outside, and many inside',
      '[{"a":{"b":1,"c":2,"d":3,"e":4,"f":5,"g":6,"h":7,"i":8,"j":9},"b":1,"a":2}]',
      ['a'],
    ],
  ])('knows a key again behind the values of others: %s', (_, text, repeated) => {
    for (const chunks of [[text], text.split('')]) {
      let scanner = createScanner({})
      const recorder = new Recorder()
      for (const chunk of chunks) {
        scanner.read(chunk, 0, chunk.length, recorder)
        scanner = twinOf(scanner)
      }
      expect(scanner.status).toBe('done')
      expect(recorder.told.filter(([name]) => name === 'duplicate').map(([, key]) => key)).toEqual(repeated)
    }
  })

  test.each<[string, object]>([
    ['a missing field', { held: undefined }],
    ['a foreign field', { helt: '' }],
    ['a wrong type', { offset: '3' }],
    ['another depth', { depth: 2 }],
    ['a stack that ends early', { top: 7 }],
  ])('refuses a damaged snapshot: %s', (_, damage) => {
    const scanner = new JsonScanner()
    scanner.read('{"a":', 0, 5, new Recorder())
    const { json } = savedScanner(scanner) as { json: object }
    expect(() => restoredScanner(scanner, { json: { ...json, ...damage } })).toThrow(
      expect.objectContaining({ code: 'invalid-snapshot' }),
    )
  })

  test('reads inside the handler of another', () => {
    const outer = createScanner({})
    const inner = createScanner({})
    const [outside, inside] = [new Recorder(), new Recorder()]
    outer.startCopy()
    inner.startCopy()
    const { delta } = outside
    outside.delta = (text) => {
      inner.read(text, 0, text.length, inside)
      delta.call(outside, text)
    }
    for (const chunk of ['["[1,', '\\"a', '\\"]', '", 2]']) outer.read(chunk, 0, chunk.length, outside)
    expect([outside.canonical, inside.canonical]).toEqual(['["[1,\\"a\\"]", 2]', '[1,"a"]'])
  })

  test('does no harm to others when a handler throws', () => {
    const careless = new Recorder()
    careless.scalar = () => {
      throw new Error('no')
    }
    const broken = createScanner({})
    broken.startCopy()
    expect(() => broken.read('["broken", 1]', 0, 13, careless)).toThrow('no')
    const scanner = createScanner({})
    const recorder = new Recorder()
    scanner.startCopy()
    for (const chunk of ['{"a": "x', 'y", "b"', ': [1]}']) scanner.read(chunk, 0, chunk.length, recorder)
    expect(recorder.canonical).toBe('{"a": "xy", "b": [1]}')
    expect(recorder.deltas).toEqual(['x', 'y'])
  })

  test('hands on one delta per chunk, escapes and all', () => {
    const scanner = createScanner({})
    const recorder = new Recorder()
    for (const chunk of ['["a\\n', 'b\\u00', '41c\\ud83d', '\\ude00"]'])
      scanner.read(chunk, 0, chunk.length, recorder)
    expect(recorder.deltas).toEqual(['a\n', 'b', 'Ac', '😀'])
  })

  test('decodes only what is wanted', () => {
    const recorder = new Recorder()
    const scanner = createScanner({})
    let strings = 0
    recorder.openString = () => {
      scanner.decoding = ++strings === 2
    }
    scanner.read('["a\\n","b\\n","c"]', 0, 17, recorder)
    expect(recorder.deltas).toEqual(['b\n'])
  })
})

describe('Canonical text', () => {
  function copied(...chunks: string[]): string[] {
    const scanner = new JsonScanner()
    scanner.startCopy()
    const recorder = new Recorder()
    const steps: string[] = []
    for (const chunk of chunks) {
      const before = recorder.canonical
      scanner.read(chunk, 0, chunk.length, recorder)
      steps.push(`${recorder.canonical.slice(before.length)} ${scanner.completion()}`.trim())
    }
    return steps
  }

  test('comes in one piece per chunk when the text is valid', () => {
    const pieces: string[] = []
    const scanner = createScanner({})
    scanner.startCopy()
    const recorder = new Recorder()
    recorder.text = (piece) => pieces.push(piece)
    for (const chunk of [' {"a": [1, 2', '3, "x\\ty"], "b" ', ': {"c":tr', 'ue} }']) {
      scanner.read(chunk, 0, chunk.length, recorder)
    }
    expect(pieces).toEqual(['{"a": [1', ', 23, "x\\ty"]', ', "b" : {', '"c":true} }'])
  })

  test('holds back what is not certain', () => {
    expect(copied('{"a"', ':', '1', '2', ',', '"b":', '"', 'x', '\\', 'n', '"', '}')).toEqual([
      '{ }',
      '}',
      '}',
      '}',
      '"a":12 }',
      '}',
      ',"b":" "}',
      'x "}',
      '"}',
      '\\n "}',
      '" }',
      '}',
    ])
  })

  test('holds back half a pair, raw or escaped', () => {
    expect(copied('["', '\ud83d', '\ude00', '\\ud83d', '\\u', 'de00', '"]')).toEqual([
      '[" "]',
      '"]',
      '😀 "]',
      '"]',
      '"]',
      '\\ud83d\\ude00 "]',
      '"]',
    ])
    expect(copied('["', 'a\ud83d\\', 'ude00"]')).toEqual(['[" "]', 'a "]', '\ud83d\\ude00"]'])
  })

  test.each([
    ["{a: 'it\\'s \"x\"', /* c */ b: [1,,2,],}", '{"a": "it\'s \\"x\\"",  "b": [1,2]}'],
    ['```json\n{"a":True, "b":+5, "c": foo bar }\n```', '{"a":true, "b":5, "c": "foo bar"}'],
    ['{"a":[1,{"b":2]}', '{"a":[1,{"b":2}]}'],
    ['{"a" = 1 "b" => 2}', '{"a" : 1 ,"b" : 2}'],
    ['["a\nb\\q\\u12"]', '["a\\nb\\\\q\\\\u12"]'],
    ['{\\"a\\":\\"b\\\\n\\"}', '{"a":"b\\n"}'],
    ['[1, ..., 2, ...]', '[1,  2]'],
  ])('of %j is %j', (text, canonical) => {
    for (const chunks of [[text], text.split('')]) {
      const scanner = new JsonScanner()
      scanner.startCopy()
      const recorder = new Recorder()
      for (const chunk of chunks) scanner.read(chunk, 0, chunk.length, recorder)
      expect(recorder.canonical).toBe(canonical)
    }
  })

  test('is the same however the text is cut that needs more repairs than are allowed', () => {
    for (const chunks of [['["s\\q"]'], ['["s', '\\q"]'], '["s\\q"]'.split('')]) {
      const scanner = createScanner({ tolerant: true, limits: { repairs: 0 } })
      const recorder = new Recorder()
      scanner.startCopy()
      for (const chunk of chunks) scanner.read(chunk, 0, chunk.length, recorder)
      expect([scanner.status, recorder.canonical]).toEqual(['failed', '["s'])
    }
  })

  test('of one member can be had alone', () => {
    const text = '{"name": "f", "arguments": {"x": [1, 2] , "y": "z"} , "id": 7}'
    for (const chunks of [[text], text.split('')]) {
      const scanner = createScanner({})
      let canonical = ''
      let wanted = false
      const builder = new JsonBuilder({
        start(path) {
          wanted = path.pointer === '/arguments'
          if (wanted) scanner.startCopy()
        },
        delta() {},
        end(path) {
          if (path.pointer === '/arguments') scanner.stopCopy()
        },
      })
      builder.text = (piece) => {
        canonical += piece
      }
      for (const chunk of chunks) {
        scanner.read(chunk, 0, chunk.length, builder)
        if (canonical !== '') JSON.parse(canonical + scanner.completion(1))
      }
      expect(canonical).toBe('{"x": [1, 2] , "y": "z"}')
    }
  })
})

describe('A builder', () => {
  test('tells its listener where each value begins, grows and ends', () => {
    const told: unknown[] = []
    const builder = new JsonBuilder({
      start: (path, kind) => told.push(['start', path.pointer, kind]),
      delta: (path, text) => told.push(['delta', path.pointer, text]),
      end: (path, value) => told.push(['end', path.pointer, value]),
    })
    const scanner = createScanner({})
    scanner.read('{"a":["x",1]}', 0, 13, builder)
    expect(told).toEqual([
      ['start', '', 'object'],
      ['start', '/a', 'array'],
      ['start', '/a/0', 'string'],
      ['delta', '/a/0', 'x'],
      ['end', '/a/0', 'x'],
      ['start', '/a/1', 'scalar'],
      ['end', '/a/1', 1],
      ['end', '/a', ['x', 1]],
      ['end', '', { a: ['x', 1] }],
    ])
  })

  test('shows a long string that comes in small pieces', () => {
    const builder = new JsonBuilder()
    const scanner = createScanner({})
    const text = `["${'0123456789'.repeat(1000)}`
    for (const character of text) scanner.read(character, 0, 1, builder)
    expect(builder.value).toEqual(['0123456789'.repeat(1000)])
    expect(builder.openPath?.pointer).toBe('/0')
  })

  test.each<[unknown]>([[null], [5], ['{"a":]'], ['[1]2']])('refuses a damaged snapshot: %j', (saved) => {
    expect(() => JsonBuilder.restore(saved as string)).toThrow(
      expect.objectContaining({ code: 'invalid-snapshot' }),
    )
  })

  test('goes on after it was saved, minus zero and infinity included', () => {
    const builder = new JsonBuilder()
    const scanner = createScanner({})
    scanner.read('{"a":[-0,1e999,{"b":"x', 0, 22, builder)
    const restored = JsonBuilder.restore(JSON.parse(JSON.stringify(builder.save())))
    scanner.read('y"}]}', 0, 5, restored)
    expect(restored.value).toEqual({ a: [-0, Number.POSITIVE_INFINITY, { b: 'xy' }] })
    expect(builder.value).toEqual({ a: [-0, Number.POSITIVE_INFINITY, { b: 'x' }] })
  })
})
