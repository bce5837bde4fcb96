import { describe, expect, it, test } from 'vitest'
import { functionCalls } from '../../../../../src/dialects/function-calls.ts'
import { createParser } from '../../../../../src/engine/parser.ts'
import { createSpeaker, type SpeechOptions } from '../../../../../src/views/compat/blocks/index.ts'
import { spoken } from './spoken.ts'

type Row = [what: string, text: string, pieces: string[], options: SpeechOptions]

const BLOCK = 'Like this:\n\n```ts\nlet a = 1. \nlet b\n```\n\nDone.'

describe('code', () => {
  test.each<Row>([
    [
      'is said word for word, line by line',
      BLOCK,
      ['Like this:\n', '\n```ts\n', 'let a = 1. \n', 'let b\n', '```\n', '\nDone.'],
      {},
    ],
    ['is skipped', BLOCK, ['Like this:\n', '\n\nDone.'], { code: 'skip' }],
    ['is named', BLOCK, ['Like this:\n', 'Code in ts, 2 lines.', '\n\nDone.'], { code: 'summarise' }],
    [
      'is named in words of your own',
      '```\na\n```\n~~~~ py\n~~~\n~~~~\n',
      ['[code::1]', '[code:py:1]'],
      {
        code: 'summarise',
        summarise: (what) => (what.kind === 'code' ? `[code:${what.language}:${what.lines}]` : ''),
      },
    ],
    ['ends with the text', 'So:\n```js\na\nb', ['So:\n', 'Code in js, 2 lines.'], { code: 'summarise' }],
    ['may be indented', '- a:\n  ```\n  x\n  ```\n- b', ['- a:\n', '- b'], { code: 'skip' }],
    [
      'in a line is said without its quotes',
      'Run `npm test` or ``a`b``. Now.',
      ['Run npm test or a`b. ', 'Now.'],
      { code: 'skip' },
    ],
    ['in a line is no block', '```a``` is short. Yes.', ['a is short. ', 'Yes.'], { code: 'skip' }],
    ['may have lines of any kind', '```js\r\nx\r\n```\r\nDone.', ['Done.'], { code: 'skip' }],
    ['that only begins like a block is text', '``\n`` x', ['``\n`` x'], { code: 'skip' }],
  ])('%s', (_, text, pieces, options) => {
    expect(spoken(text, options)).toEqual(pieces)
  })
})

const LINKED =
  'See [the docs. Really](https://a.example/b), ![a cat](c.png) or https://www.b.example/c?d=e. Bye.'

describe('space', () => {
  test('is never said alone, however much of it there is', () => {
    expect(spoken(`${' '.repeat(900)}a`, {}).map((piece) => piece.trim())).toEqual(['a'])
    expect(spoken('\n'.repeat(900), {})).toEqual([])
  })
})

describe('links', () => {
  test.each<Row>([
    [
      'are said word for word',
      LINKED,
      [
        'See [the docs. ',
        'Really](https://a.example/b), ![a cat](c.png) or https://www.b.example/c?d=e. ',
        'Bye.',
      ],
      {},
    ],
    ['are skipped but for their text', LINKED, ['See the docs. Really, or. ', 'Bye.'], { links: 'skip' }],
    ['are named', LINKED, ['See the docs. Really, a cat or b.example. ', 'Bye.'], { links: 'summarise' }],
    [
      'are named in words of your own',
      'At <https://a.example>.',
      ['At (a link).'],
      { links: 'summarise', summarise: (what) => (what.kind === 'link' ? '(a link)' : '') },
    ],
    [
      'are told from other brackets',
      'An array[0] is [not a link]. Yes.',
      ['An array[0] is [not a link]. ', 'Yes.'],
      { links: 'skip' },
    ],
    [
      'that are never closed are text',
      'So [here. we (go\n\nOn.',
      ['So [here. ', 'we (go\n', '\nOn.'],
      { links: 'skip' },
    ],
    ['alone leave nothing to say', 'https://a.example', [], { links: 'skip' }],
    [
      'alone in a paragraph leave nothing to say either',
      'Hi.\n\n![a cat](c.png)\n\nBye.',
      ['Hi.\n', '\nBye.'],
      { links: 'skip' },
    ],
    [
      'may have brackets in their address',
      'See [a](b/c_(d)), or https://a.example/b_(c). Bye (https://a.example/).',
      ['See a, or a.example. ', 'Bye (a.example).'],
      { links: 'summarise' },
    ],
  ])('%s', (_, text, pieces, options) => {
    expect(spoken(text, options)).toEqual(pieces)
  })
})

describe('a pause', () => {
  /** What is said before a pause behind these pieces, at the pause, and at the end. */
  const paused = (text: string, rest = '', options: SpeechOptions = {}): string[][] => {
    let said: string[] = []
    const taken = (): string[] => {
      const pieces = said
      said = []
      return pieces
    }
    const speaker = createSpeaker((piece) => said.push(piece), options)
    speaker.add({ type: 'text-delta', id: 't', delta: text })
    const before = taken()
    speaker.pause()
    const at = taken()
    if (rest !== '') speaker.add({ type: 'text-delta', id: 't', delta: rest })
    speaker.end()
    return [before, at, taken()]
  }

  test.each<[what: string, text: string, rest: string, expected: string[][], options?: SpeechOptions]>([
    ['says a sentence whose end was not certain', 'Hello world.', ' Yes.', [[], ['Hello world.'], [' Yes.']]],
    ['says whole words', 'Let me think ab', 'out it.', [[], ['Let me think '], ['about it.']]],
    ['says no half of a word', 'Hel', 'lo.', [[], [], ['Hello.']]],
    ["says no half of a don't", "I don'", 't.', [[], ['I '], ["don't."]]],
    ['says Chinese up to the last character', '我们去', '公园。', [[], ['我们去'], ['公园。']]],
    ['says nothing twice', 'One. Two', '.', [['One. '], [], ['Two.']]],
    ['says no half of a link', 'See [the do', 'cs](b).', [[], ['See '], ['the docs.']], { links: 'skip' }],
    ['says no half of code', 'Run `npm ', 'test`.', [[], ['Run '], ['`npm test`.']]],
    ['says nothing of nothing', ' \n', '', [[], [], []]],
  ])('%s', (_, text, rest, expected, options) => {
    expect(paused(text, rest, options)).toEqual(expected)
  })
})

describe('a speaker', () => {
  it('says visible text alone, and says it before the tools run', () => {
    const said: string[] = []
    const speaker = createSpeaker((piece) => said.push(piece))
    const parser = createParser({ dialect: functionCalls })
    const push = (text: string): string[] => {
      said.length = 0
      for (const event of parser.push(text)) speaker.add(event)
      return [...said]
    }
    expect(push('<thinking>Secret. Really.</thinking>Let me check')).toEqual([])
    expect(push('<function_calls><invoke name="f"><parameter name="a">b. c.')).toEqual(['Let me check'])
    expect(
      push(
        '</parameter></invoke></function_calls><function_results><result>No. No.</result></function_results>',
      ),
    ).toEqual([])
    expect(push('Found it. <thin')).toEqual(['Found it. '])
    expect(push('gs> and </thinking x')).toEqual([])
    said.length = 0
    for (const event of parser.end()) speaker.add(event)
    expect(said).toEqual(['<things> and </thinking x'])
  })

  it('speaks a text that its provider cut in several as one', () => {
    const said: string[] = []
    const speaker = createSpeaker((piece) => said.push(piece))
    for (const delta of ['The page says ', 'that it rains', '. Take care.']) {
      speaker.add({ type: 'text-start', id: delta })
      speaker.add({ type: 'text-delta', id: delta, delta })
      speaker.add({ type: 'text-end', id: delta })
      speaker.add({ type: 'custom', kind: 'citation', value: {} })
    }
    speaker.add({ type: 'finish', reason: 'stop' })
    expect(said).toEqual(['The page says that it rains. ', 'Take care.'])
  })

  it('takes no length that is too short for a sentence', () => {
    expect(() => createSpeaker(() => {}, { maxLength: 3 })).toThrow(/'maxLength' is a number of at least 40/)
  })

  it('knows abbreviations that it is told', () => {
    expect(spoken('See Anm. Drei. Ja.')).toEqual(['See Anm. ', 'Drei. ', 'Ja.'])
    expect(spoken('See Anm. Drei. Ja.', { abbreviations: ['Anm.'] })).toEqual(['See Anm. Drei. ', 'Ja.'])
  })
})
