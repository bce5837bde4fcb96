import { describe, expect, test } from 'vitest'
import { SluiceError } from '../../../src/base/errors.ts'
import { createJsonParser, type JsonEvent, type JsonParserOptions } from '../../../src/values/json/index.ts'
import { written } from './notation.ts'
import { everySplit } from './recorder.ts'

function read(text: string, options: JsonParserOptions = {}): JsonEvent[] {
  const parser = createJsonParser(options)
  return [...parser.push(text), ...parser.end()]
}

function only<Type extends JsonEvent['type']>(events: readonly JsonEvent[], type: Type) {
  return events.filter((event): event is Extract<JsonEvent, { type: Type }> => event.type === type)
}

describe('A value event', () => {
  test('says where the value stands in the text', () => {
    const values = only(read(' {"a": [1, "x\\n"], "b":true}'), 'value')
    expect(values.map(({ path, span }) => [path.pointer, span.start, span.end])).toEqual([
      ['/a/0', 8, 9],
      ['/a/1', 11, 16],
      ['/a', 7, 17],
      ['/b', 23, 27],
      ['', 1, 28],
    ])
  })

  test.each([
    ['``', 0, 2],
    ['`a` ', 0, 3],
    ["'' ", 0, 2],
  ])('says where %j stands, whose quotes are odd', (text, start, end) => {
    for (const chunks of everySplit(text)) {
      const parser = createJsonParser()
      const events = [...chunks.flatMap((chunk) => parser.push(chunk)), ...parser.push('\n'), ...parser.end()]
      expect(only(events, 'value').map(({ span }) => span)).toEqual([{ start, end }])
    }
  })

  test.each([
    ['12345678901234567890', false],
    ['0.1', true],
    ['1.0', true],
    ['1e2', true],
    ['100', true],
    ['-0', true],
    ['-0.00', true],
    ['0.1000000000000000055', false],
    ['9007199254740993', false],
    ['1e999', false],
    ['1E-7', true],
    ['120e-1', true],
  ])('tells that %s is exact: %j', (lexeme, exact) => {
    const [value] = only(read(lexeme, { mode: 'strict' }), 'value')
    expect(value).toMatchObject({ raw: lexeme, exact })
  })

  test('tells whether a string is well formed', () => {
    const values = only(read('["\\ud83d", "\\ud83d\\ude00", "x"]'), 'value')
    expect(values.map((value) => value.wellFormed)).toEqual([false, true, true, undefined])
  })

  test('of a repaired value has the lexeme that was written', () => {
    const [value] = only(read('[+5.]'), 'value')
    expect(value).toMatchObject({ value: 5, raw: '+5.', exact: true })
  })
})

describe('A warning', () => {
  test('tells of a path whose backslashes were read as escapes, and changes nothing else', () => {
    const text = String.raw`{"path": "C:\temp\new.txt"}`
    const events = read(text, { mode: 'strict' })
    expect(only(events, 'warning').map(({ code, offset, path }) => [code, offset, path.pointer])).toEqual([
      ['suspicious-escape', 12, '/path'],
    ])
    expect(written(events)).toEqual([
      'open $ object',
      'open /path string',
      'delta /path "C:\\temp\\new.txt"',
      'warning /path suspicious-escape',
      'value /path "C:\\temp\\new.txt"',
      'value $ {"path":"C:\\temp\\new.txt"}',
      'end complete',
    ])
  })

  test('does not tell of an unquoted value, in which a backslash escapes nothing', () => {
    const events = read(String.raw`[1e:\n]`)
    expect(only(events, 'warning')).toEqual([])
    expect(only(events, 'value')[0]).toMatchObject({ value: String.raw`1e:\n` })
  })

  test('does not depend on how the text is cut', () => {
    const text = String.raw`["d:\bin", 'C:\new']`
    for (const chunks of everySplit(text)) {
      const parser = createJsonParser()
      const events = [...chunks.flatMap((chunk) => parser.push(chunk)), ...parser.end()]
      expect(only(events, 'warning').map(({ offset }) => offset)).toEqual([4, 14])
    }
  })

  test.each([
    ['backslashes that are doubled', String.raw`["C:\\temp"]`],
    ['a key', String.raw`{"C:\temp": 1}`],
    ['a control character that is not escaped', '["C:\tx"]'],
    ['a string that is not quoted', String.raw`[C:\temp]`],
    ['more than one letter before the colon', String.raw`["ab:\nc"]`],
    ['an escape that is meant as one', String.raw`["C:\u0009"]`],
    ['a string that is cut off', String.raw`["C:\te`],
  ])('is not given for %s', (_, text) => {
    expect(only(read(text), 'warning')).toEqual([])
  })
})

describe('An error event', () => {
  test('says line, column, path and what is wrong', () => {
    const parser = createJsonParser({ mode: 'strict' })
    const events = ['{\n  "a": [1,\n', '  2', ' x]\n}'].flatMap((chunk) => parser.push(chunk))
    expect(only(events, 'error')).toMatchObject([
      { code: 'token', offset: 17, line: 3, column: 5, message: '"x" is not allowed here.' },
    ])
    expect(String(only(events, 'error')[0]?.path)).toBe('/a')
    expect(parser.status).toBe('invalid')
    expect(parser.value).toEqual({ a: [1, 2] })
    expect(parser.push('more')).toEqual([])
    expect(written(parser.end())).toEqual(['end invalid'])
  })

  test.each([
    [{ limits: { depth: 1 } }, '[[', 'depth', 1],
    [{ limits: { keyLength: 2 } }, '{"abc":1}', 'key-length', 4],
    [{ limits: { keyLength: 2 } }, '{abc:1}', 'key-length', 3],
    [{ limits: { keyLength: 1 } }, '{"a\\n":1}', 'key-length', 4],
    [{ limits: { keysPerObject: 1 } }, '{"a":1,"b":2}', 'keys-per-object', 10],
    [{ limits: { numberLength: 3 } }, '[1234]', 'number-length', 4],
    [{ limits: { stringLength: 3 } }, '["abcd"]', 'string-length', 5],
    [{ limits: { stringLength: 3 } }, '["abc\\u0041"]', 'string-length', 10],
    [{ limits: { bareLength: 3 } }, '[abcd]', 'bare-length', 4],
    [{ limits: { bareLength: 5 } }, '[false/]', 'bare-length', 7],
    [{ limits: { repairs: 1 } }, "['a','b']", 'repairs', 5],
    [{ limits: { totalLength: 4 } }, '["abc"]', 'total-length', 4],
    [{ duplicateKeys: 'error' }, '{"a":1,"a":2}', 'duplicate-key', 10],
  ] as [JsonParserOptions, string, string, number][])('%j stops %j', (options, text, code, offset) => {
    for (const chunks of [[text], text.split('')]) {
      const parser = createJsonParser(options)
      const events = chunks.flatMap((chunk) => parser.push(chunk))
      expect(only(events, 'error')).toMatchObject([{ code, offset }])
    }
  })

  test('of a string that is too long comes after the text that fits', () => {
    expect(written(read('["abcd"]', { limits: { stringLength: 3 } }))).toEqual([
      'open $ array',
      'open /0 string',
      'delta /0 "abc"',
      'error string-length',
      'end invalid',
    ])
  })

  test('the text behind the limit is not read, even after the value', () => {
    expect(written(read('true Done', { limits: { totalLength: 5 } }))).toEqual([
      'value $ true',
      'error total-length',
      'end invalid',
    ])
  })

  test('limits are not reached by what just fits', () => {
    const limits = {
      depth: 2,
      keyLength: 1,
      keysPerObject: 1,
      numberLength: 2,
      stringLength: 2,
      totalLength: 18,
    }
    expect(written(read('[{"a":[]},12,"xy"]', { limits: { ...limits, depth: 3 } })).pop()).toBe(
      'end complete',
    )
  })
})

describe('Repeated keys', () => {
  const text = '{"a":1,"b":0,"a":{"x":[1,"y"],"a":2},"a":"z","c":3}'

  test('count last by default, and each is announced with what it replaces', () => {
    const parser = createJsonParser()
    const events = parser.push(text)
    expect(parser.value).toEqual({ a: 'z', b: 0, c: 3 })
    expect(only(events, 'duplicate').map(({ path, previous }) => [path.pointer, previous])).toEqual([
      ['/a', 1],
      ['/a', { x: [1, 'y'], a: 2 }],
    ])
  })

  test('count first on request, and the others leave no events but that', () => {
    const events = read(text, { duplicateKeys: 'first' })
    expect(written(events)).toEqual([
      'open $ object',
      'value /a 1',
      'value /b 0',
      'duplicate /a',
      'duplicate /a',
      'value /c 3',
      'value $ {"a":1,"b":0,"c":3}',
      'end complete',
    ])
    expect(only(events, 'key').map(({ path }) => path.pointer)).toEqual(['/a', '/b', '/c'])
  })

  test('in different objects are not repeated', () => {
    expect(only(read('[{"a":1},{"a":{"a":2}}]'), 'duplicate')).toEqual([])
  })
})

describe('A parser', () => {
  test('hands events to a sink as they happen', () => {
    const events: JsonEvent[] = []
    const parser = createJsonParser({ onEvent: (event) => events.push(event) })
    expect(parser.push('{"a":"x')).toEqual([])
    expect(written(events)).toEqual(['open $ object', 'open /a string', 'delta /a "x"'])
    expect(parser.end()).toEqual([])
    expect(written(events).pop()).toBe('end truncated')
  })

  test('announces each key with the path of its value', () => {
    expect(only(read('{"a":{"b":1}}'), 'key').map(({ path }) => path.pointer)).toEqual(['/a', '/a/b'])
  })

  test('shares one path between all events of a value', () => {
    const parser = createJsonParser()
    const events = ['{"a":"x', 'y', 'z"'].flatMap((chunk) => parser.push(chunk))
    const paths = events.flatMap((event) =>
      event.type === 'delta' || event.type === 'value' ? [event.path] : [],
    )
    expect(paths).toHaveLength(4)
    expect(new Set(paths).size).toBe(1)
  })

  test('shows a value that grows in place', () => {
    const parser = createJsonParser()
    parser.push('{"list":[{"text":"a')
    const value = parser.value
    expect(value).toEqual({ list: [{ text: 'a' }] })
    parser.push('b"},2')
    expect(parser.value).toBe(value)
    expect(value).toEqual({ list: [{ text: 'ab' }] })
  })

  test('refuses text after the end, and ends once', () => {
    const parser = createJsonParser()
    expect(parser.end()).toHaveLength(1)
    expect(parser.end()).toEqual([])
    expect(() => parser.push('{')).toThrow(SluiceError)
    expect(() => parser.push('{')).toThrow(expect.objectContaining({ code: 'push-after-end' }))
  })

  test('lists every repair in its verdict, with its class and place', () => {
    const [end] = only(read('{a: \'x\' "b": [1,,2]}'), 'end')
    expect(end?.repairs.map((it) => [it.code, it.class, it.path.pointer])).toEqual([
      ['unquoted-key', 'lossless', ''],
      ['quote-style', 'lossless', '/a'],
      ['missing-comma', 'guess', ''],
      ['extra-comma', 'guess', '/b'],
    ])
  })

  test('leaves the prototype of what it builds alone', () => {
    const parser = createJsonParser()
    parser.push('{"__proto__":{"isAdmin":true},"hasOwnProperty":1}')
    const value = parser.value as Record<string, unknown>
    expect(Object.getPrototypeOf(value)).toBe(Object.prototype)
    expect(value.isAdmin).toBeUndefined()
    expect(Object.keys(value)).toEqual(['__proto__', 'hasOwnProperty'])
  })
})
