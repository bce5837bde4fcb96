import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { TagReader, type TagReaderOptions } from '../../../src/values/xml/index.ts'

/** What a reader makes of the text after the tag's name, cut into these pieces. */
function readPieces(pieces: string[], options: TagReaderOptions = { limit: 1000 }) {
  let reader = new TagReader(options)
  let taken = 0
  for (const piece of pieces) {
    const end = reader.read(piece, 0, piece.length)
    taken += end
    if (end < piece.length) break
    // Every cut is also a chance to put the reader away and take it out again.
    reader = TagReader.restore(JSON.parse(JSON.stringify(reader.save())))
  }
  const { status, attributes, selfClosing } = reader
  return { status, attributes, selfClosing, taken }
}

const ENDED = { limit: 1000, close: '<|sep|>' }
const TWO: [string, string][] = [
  ['tool', 'ls'],
  ['index', '1'],
]

const saved = () => new TagReader({ limit: 10 }).save() as object
const read = (text: string, options?: TagReaderOptions) => readPieces([text], options)

describe('an opening tag', () => {
  const readable: [sentence: string, text: string, attributes: [string, string][], selfClosing?: boolean][] =
    [
      ['may have no attributes', '>', []],
      ['may close itself', '/>', [], true],
      ['may close itself after a space', ' />', [], true],
      ['may close itself with a space in its end', ' / >', [], true],
      ['has attributes in double quotes', ' name="get_weather">', [['name', 'get_weather']]],
      ['has attributes in single quotes', " name='get_weather'>", [['name', 'get_weather']]],
      ['has attributes without quotes', ' name=get_weather>', [['name', 'get_weather']]],
      [
        'has several attributes in order',
        ' b="1" a="2">',
        [
          ['b', '1'],
          ['a', '2'],
        ],
      ],
      ['may be spread over lines', '\n  name\t=\r\n "x"\n>', [['name', 'x']]],
      ['may hold > in quotes', ' test="a > b">', [['test', 'a > b']]],
      ['may hold < in quotes', ' test="a < b">', [['test', 'a < b']]],
      [
        'may hold the other quote in quotes',
        ` a="it's" b='say "x"'>`,
        [
          ['a', "it's"],
          ['b', 'say "x"'],
        ],
      ],
      ['may have an attribute without a value', ' disabled>', [['disabled', '']]],
      [
        'may have such an attribute before another',
        ' disabled name="x">',
        [
          ['disabled', ''],
          ['name', 'x'],
        ],
      ],
      ['may have such an attribute before its end', ' disabled/>', [['disabled', '']], true],
      [
        'may have an empty value',
        ' a="" b=>',
        [
          ['a', ''],
          ['b', ''],
        ],
      ],
      [
        'may lack the space between attributes',
        ' a="1"b="2">',
        [
          ['a', '1'],
          ['b', '2'],
        ],
      ],
      ['keeps a slash in a value without quotes', ' path=src/main.ts>', [['path', 'src/main.ts']]],
      ['keeps a slash at the start of such a value', ' path=/etc>', [['path', '/etc']]],
      ['closes itself right after such a value', ' name=x/>', [['name', 'x']], true],
      ['takes the first of two attributes with one name', ' a="1" a="2">', [['a', '1']]],
      ['keeps names like __proto__ as names', ' __proto__="x">', [['__proto__', 'x']]],
      ['decodes references in values once', ' a="&lt;b&gt; &amp;lt;">', [['a', '<b> &lt;']]],
      ['understands wide characters', ' ｜a｜="ｂ😀">', [['｜a｜', 'ｂ😀']]],
    ]
  it.each(readable)('%s', (_, text, attributes, selfClosing = false) => {
    expect(read(text)).toEqual({ status: 'done', attributes, selfClosing, taken: text.length })
  })

  const refused: [sentence: string, text: string, at: number][] = [
    ['when the name goes on: <invoke is not <invoker', 'r name="x">', 0],
    ['when another tag opens in it', ' a <b>', 3],
    ['when another tag opens in a value without quotes', ' a=b<c>', 4],
    ['when another tag opens where a value is due', ' a=<c>', 3],
    ['when a quote stands without a name', ' "x">', 1],
    ['when an equals sign stands without a name', ' ="x">', 1],
    ['when something follows the slash', ' /x>', 2],
  ]
  it.each(refused)('fails %s, at that character', (_, text, at) => {
    expect(read(text)).toMatchObject({ status: 'failed', taken: at })
  })

  it('stays open until its end has come', () => {
    expect(read(' name="a>b')).toMatchObject({ status: 'open', taken: 10 })
  })

  it('takes nothing beyond its end', () => {
    expect(read(' a=1>text')).toMatchObject({ status: 'done', taken: 5 })
  })

  it('fails at its limit, and not before', () => {
    expect(read(' a="1">', { limit: 7 })).toMatchObject({ status: 'done' })
    expect(read(' a="12">', { limit: 7 })).toMatchObject({ status: 'failed', taken: 7 })
    expect(read(' a="123', { limit: 7 })).toMatchObject({ status: 'open', taken: 7 })
  })

  it('leaves references alone when asked to', () => {
    expect(read(' a="&lt;">', { limit: 100, entities: false }).attributes).toEqual([['a', '&lt;']])
  })

  it('gives attributes by name', () => {
    const reader = new TagReader({ limit: 100 })
    reader.read(' name="x">', 0, 10)
    expect([reader.get('name'), reader.get('other')]).toEqual(['x', undefined])
  })

  it('reads only the part of the text it is given', () => {
    const reader = new TagReader({ limit: 100 })
    expect(reader.read('<invoke name="x">', 7, 10)).toBe(10)
    expect(reader.read('<invoke name="x">', 10, 17)).toBe(17)
    expect(reader.attributes).toEqual([['name', 'x']])
  })

  describe('with an end of its own', () => {
    const readable: [sentence: string, text: string, attributes: [string, string][]][] = [
      ['may have no attributes', '<|sep|>', []],
      ['has attributes in quotes', ' tool="ls" index=\'1\'<|sep|>', TWO],
      ['has attributes without quotes', ' tool=ls index=1<|sep|>', TWO],
      ['may have spaces before its end', ' tool=ls index=1 \n<|sep|>', TWO],
      ['may hold its end in quotes', ' tool="<|sep|>"<|sep|>', [['tool', '<|sep|>']]],
      ['may have an attribute without a value', ' tool<|sep|>', [['tool', '']]],
      ['keeps a slash before its end', ' tool=ls/<|sep|>', [['tool', 'ls/']]],
      ['keeps a slash and a bracket in a value', ' tool=a/>b<|sep|>', [['tool', 'a/>b']]],
      ['decodes references in values', ' tool="a&amp;b"<|sep|>', [['tool', 'a&b']]],
    ]
    it.each(readable)('%s', (_, text, attributes) => {
      const wanted = { status: 'done', attributes, selfClosing: false, taken: text.length }
      expect(read(`${text}more`, ENDED)).toEqual(wanted)
      expect(readPieces(text.split(''), ENDED)).toEqual(wanted)
    })

    const refused: [sentence: string, text: string, at: number][] = [
      ['when its end breaks off', ' tool="ls"<|se|>', 14],
      ['when its end breaks off behind a value without quotes', ' tool=ls<b', 9],
      ['when XML would end', '>', 0],
      ['when XML would end behind an attribute', ' tool="ls">', 10],
      ['when XML would close itself', ' tool="ls"/>', 10],
    ]
    it.each(refused)('fails %s, at that character', (_, text, at) => {
      expect(read(text, ENDED)).toMatchObject({ status: 'failed', taken: at })
      expect(readPieces(text.split(''), ENDED)).toMatchObject({ status: 'failed', taken: at })
    })
  })

  const pieces = fc.constantFrom(
    ' ',
    '\n',
    '=',
    '"',
    "'",
    '/',
    '>',
    '<',
    'name',
    'x',
    '&lt;',
    '&',
    '｜',
    ' a="b"',
    ' c=d',
  )
  const tags = fc.array(pieces, { maxLength: 12 }).map((parts) => parts.join(''))

  it('is read the same however it is cut', () => {
    fc.assert(
      fc.property(tags, fc.integer({ min: 1, max: 30 }), (text, limit) => {
        const whole = readPieces([text], { limit })
        expect(readPieces(text.split(''), { limit })).toEqual(whole)
        for (let cut = 0; cut <= text.length; cut++)
          expect(readPieces([text.slice(0, cut), text.slice(cut)], { limit })).toEqual(whole)
      }),
      { seed: 7, numRuns: 500 },
    )
  })

  it.each([
    ['nothing', null],
    ['a missing field', { ...saved(), place: undefined }],
    ['a place that there is not', { ...saved(), place: 'elsewhere' }],
    ['attributes that are no map', { ...saved(), attributes: [['name', 'x']] }],
  ])('is not restored from %s', (_, state) => {
    expect(() => TagReader.restore(state as never)).toThrow(
      expect.objectContaining({ code: 'invalid-snapshot' }),
    )
  })

  it('takes time in proportion to its length', () => {
    const attributes = Array.from({ length: 100_000 }, (_, index) => ` a${index}=b`).join('')
    expect(read(`${attributes}>`, { limit: 10_000_000 }).attributes).toHaveLength(100_000)
  })
})
