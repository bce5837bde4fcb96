import fc from 'fast-check'
import { describe, expect, it, test } from 'vitest'
import { createSpeaker, type SpeechOptions } from '../../../../../src/views/compat/blocks/index.ts'
import { Sentences } from '../../../../../src/views/compat/blocks/speech/sentences.ts'
import { resolveSpeech } from '../../../../../src/views/compat/blocks/speech/speech-options.ts'
import { spoken, spokenPieces } from './spoken.ts'

type Row = [what: string, pieces: string[], options?: SpeechOptions]

/** Each row is a text, written as the pieces in which it is to be spoken. */
describe('a text is spoken in sentences', () => {
  test.each<Row>([
    ['a sentence', ['Hello world.']],
    ['two sentences', ['Hello world. ', 'How are you?']],
    ['several spaces, which belong to what follows', ['One. ', '  Two! ', '\nThree?']],
    ['marks in a row', ['What?! ', 'No... ', 'Never!!!']],
    [
      'quotes and brackets behind the mark',
      ['He said "Stop." ', '(And he meant it.) ', '“Really?” ', 'Yes.'],
    ],
    ['a sentence that goes on behind a quotation', ['"What?" he asked. ', '"Go!" she said.']],
    ['a German quotation', ['Er rief: „Halt!“ ', 'Dann lief er.']],
    ['emphasis', ['**Note.** ', 'Read _this._ ', 'Done.']],
    ['decimals and versions', ['Pi is 3.14 and node is v20.19.0 now. ', 'It costs $2.50. ', 'Fine.']],
    ['times and dates', ['We meet at 10.30 on 3.4.2024. ', 'Be there.']],
    ['a year at the end', ['It was 2024. ', 'We won.']],
    ['titles', ['Mr. and Mrs. Smith met Dr. No on St. Helena. ', 'They left.']],
    [
      'abbreviations that never end a sentence',
      ['Use a tool, e.g. a hammer, i.e. this one. ', 'See Fig. 3 for it.'],
    ],
    [
      'abbreviations that may end one',
      ['Cats, dogs, etc. are pets. ', 'Apples, pears, etc. ', 'Then we left.'],
    ],
    ['companies', ['Acme Inc. is big. ', 'He works at Acme Inc. ', 'She does not.']],
    ['abbreviations with dots inside', ['The U.S. Army left at 5 p.m. sharp. ', 'Good.']],
    ['initials', ['J. R. R. Tolkien wrote it. ', 'So did I. ', 'Really.']],
    ['other languages’ abbreviations', ['Das ist z.B. so, vgl. Abb. 3 usw. und so fort. ', 'Gut.']],
    ['an ordinal before a small letter', ['Am 3. mai war es. ', 'Gut.']],
    ['Russian initials and abbreviations', ['А. С. Пушкин жил в г. Москве. ', 'Да.']],
    ['an ellipsis that goes on', ['Well... maybe… yes. ', 'Wait... ', 'What?']],
    ['an address', ['See https://a.example/b.html?c=d.e for it. ', 'Or mail a.b@c.example. ', 'Bye.']],
    ['names of files', ['Open main.ts and .env first. ', 'Then README.md.']],
    ['code in a line, in which nothing ends', ['Write `a. B? C!` there. ', 'Then go.']],
    ['a backtick that nobody closes', ['It is 5` long. ', 'Yes.\n']],
    ['Chinese', ['你好。', '今天天气很好！', '我们去公园吗？', '好的']],
    ['Chinese with western marks', ['你好!', '今天?', '好']],
    ['Japanese, with brackets', ['完了しました。', '「本当に？」', 'はい。']],
    ['fullwidth marks in a row', ['本当！？', 'うん。']],
    ['a decimal in Chinese', ['圆周率是3.14左右。', '对']],
    ['Hindi', ['नमस्ते। ', 'आप कैसे हैं? ', 'ठीक॥']],
    ['Arabic', ['مرحبا بك. ', 'كيف حالك؟ ', 'بخير!']],
    ['Urdu', ['یہ اچھا ہے۔ ', 'شکریہ۔']],
    ['Amharic', ['ሰላም ነው። ', 'እሺ።']],
    ['Armenian', ['Բարեւ։ ', 'Այո։']],
    ['Burmese and Khmer', ['မင်္ဂလာပါ။ ', 'សួស្តី។ ', 'ok']],
    ['Tibetan', ['བཀྲ་ཤིས། ', 'བདེ་ལེགས།']],
    ['Thai, which has only spaces', ['สวัสดีครับวันนี้อากาศดีมาก ', 'เราไปเที่ยวกันเถอะครับผม ', 'ดีมาก']],
    ['Thai with a number in it', ['ฉันมีแมวอยู่ที่บ้านทั้งหมด 3 ตัว']],
    ['Spanish', ['¿Cómo estás? ', '¡Muy bien! ', 'El Sr. López vive aquí.']],
    ['a terminator outside the first plane', ['𑄌𑄋𑅁 ', '𑄌𑄋𑅁']],
  ])('%s', (_, pieces, options) => {
    expect(spoken(pieces.join(''), options)).toEqual(pieces)
  })
})

describe('lines', () => {
  test.each<Row>([
    ['a wrapped line goes on', ['The quick brown\nfox jumps. ', 'Yes.']],
    ['a paragraph ends', ['No mark here\n', '\nNext one']],
    ['a heading ends', ['# Title\n', 'Text. ', 'More.']],
    ['a list has items', ['Three things:\n', '- one\n', '- two. ', 'Really\n', '- three']],
    ['a numbered list', ['1. First\n', '2. Second. ', 'Yes\n', '3) Third\n', '10. Tenth']],
    ['letters in a list', ['a. First\n', 'b. Second']],
    ['a list behind a line', ['Do this\n', '* one\n', '* two']],
    ['a number at the start of a wrapped line', ['We were\n20 people. ', 'Yes.']],
    ['a dash at the start of a wrapped line', ['It was\n-5 degrees. ', 'Cold.']],
    ['a table', ['| a | b |\n', '| c | d |\n', 'End']],
    ['a quotation', ['He said\n', '> So be it\n', 'and left']],
    ['lines with a carriage return', ['One.\r', '\nTwo\r\n', '\r\nThree']],
  ])('%s', (_, pieces, options) => {
    expect(spoken(pieces.join(''), options)).toEqual(pieces)
  })
})

describe('clauses', () => {
  test.each<Row>([
    ['are spoken by themselves', ['When the rain stops, ', 'we can go out; ', 'you will see. ', 'Really.']],
    ['are not too short', ['Well, yes, no, ', 'maybe, who knows.']],
    ['do not end in numbers', ['There are 1,000,000 of them at 12:30, ', 'I think.']],
    ['end at a dash', ['She opened the door—', 'nobody was there – ', 'only the cat.']],
    ['do not end in a range', ['Between the pages 10–20 it says so.']],
    ['in Chinese', ['如果明天下雨，', '我们就不去公园了。', '好吗？']],
    ['in Arabic', ['عندما يتوقف المطر، ', 'سنخرج.']],
    ['in Thai', ['สวัสดีครับ ', 'วันนี้ดี']],
  ])('%s', (_, pieces) => {
    expect(spoken(pieces.join(''), { unit: 'clause' })).toEqual(pieces)
  })
})

describe('a sentence that is too long', () => {
  it('is cut behind a clause, or else behind a word', () => {
    const words = 'word '.repeat(30)
    expect(spoken(words, { maxLength: 40 }).map((piece) => piece.length)).toEqual([40, 40, 40, 30])
    expect(spoken(`${'a'.repeat(25)}, ${'b'.repeat(40)}`, { maxLength: 40 })).toEqual([
      `${'a'.repeat(25)}, `,
      'b'.repeat(40),
    ])
  })

  it('is cut between words where no space is', () => {
    const pieces = spoken('東京都は日本の首都であり世界最大の都市のひとつでもある'.repeat(3), {
      maxLength: 40,
    })
    expect(pieces.slice(0, -1).every(({ length }) => length <= 40 && length > 20)).toBe(true)
    // A word of several characters stays whole.
    expect(pieces.filter((piece) => piece.endsWith('都') && !piece.endsWith('首都')).length).toBe(0)
  })

  it('is never cut in half a character', () => {
    // Half of a pair cannot be encoded.
    const pieces = spoken('😀'.repeat(60), { maxLength: 41 })
    expect(pieces.join('')).toBe('😀'.repeat(60))
    for (const piece of pieces) expect(encodeURIComponent(piece)).toBeTruthy()
  })
})

describe('speech is prompt', () => {
  /** What is spoken after each piece of text. */
  const spokenAfter = (pieces: readonly string[], options: SpeechOptions = {}): string[][] => {
    let said: string[] = []
    const speaker = createSpeaker((piece) => said.push(piece), options)
    return pieces.map((delta) => {
      said = []
      speaker.add({ type: 'text-delta', id: 't', delta })
      return said
    })
  }

  it('waits for no more than the space behind an ordinary word', () => {
    expect(spokenAfter(['Hello', ' world', '.', ' ', 'How'])).toEqual([[], [], [], ['Hello world. '], []])
  })

  it('waits for the next word where that decides', () => {
    expect(spokenAfter(['Cats etc.', ' ', 'a'])).toEqual([[], [], []])
    expect(spokenAfter(['Cats etc.', ' ', 'A'])).toEqual([[], [], ['Cats etc. ']])
  })

  it('waits for one character behind a mark that always ends', () => {
    expect(spokenAfter(['好。', '是'])).toEqual([[], ['好。']])
  })
})

describe('any text', () => {
  const SCRAPS = [
    ...[
      'Hello',
      ' ',
      '.',
      '. ',
      '! ',
      '?"',
      '…',
      '\n',
      '\n\n',
      '- ',
      '1. ',
      '`',
      '```\n',
      '[a](b.c)',
      'e.g.',
      'Mr. ',
    ],
    ...['3.14', '，', '。', '」', 'สวัสดี ', '😀', '# ', 'x', ',', ': ', '"', '(', ') ', '\r\n', '    ', '~~~'],
  ]
  const texts = fc.array(fc.constantFrom(...SCRAPS), { maxLength: 30 }).map((scraps) => scraps.join(''))
  const OPTIONS: SpeechOptions[] = [
    {},
    { unit: 'clause', maxLength: 40 },
    { code: 'skip', links: 'skip' },
    { unit: 'clause', code: 'summarise', links: 'summarise', maxLength: 40 },
  ]

  it('is spoken the same however it is cut', () => {
    fc.assert(
      fc.property(texts, fc.constantFrom(...OPTIONS), (text, options) => {
        spoken(text, options)
      }),
      { seed: 7, numRuns: 400 },
    )
  })

  it('is spoken whole, but for space at its end', () => {
    fc.assert(
      fc.property(texts, fc.constantFrom({}, { unit: 'clause', maxLength: 40 } as const), (text, options) => {
        const said = spokenPieces([text], options).join('')
        expect(text.startsWith(said)).toBe(true)
        expect(text.slice(said.length).trim()).toBe('')
      }),
      { seed: 7, numRuns: 400 },
    )
  })
})

describe('a piece that is very long is spoken like a short one', () => {
  const words = 'word '.repeat(1000)
  const blanks = ' '.repeat(2000)

  test.each<Row>([
    ['behind a thousand titles', [`${'Dr. '.repeat(1000)}Who came. `, 'Then he left.']],
    ['an item of a list', [`Two things:\n`, `- ${words}\n`, '- two']],
    ['a line that is wrapped', [`${words}\nand more.`]],
    ['a line that ends in a colon, and space behind it', [`${words}so:${blanks}\n`, 'It went.']],
    ['a clause behind much space', [`One${blanks}two, `, 'three.'], { unit: 'clause' }],
    ['a line that goes on behind a sentence', ['One. ', `- ${words}\ntwo.`]],
    ['space alone', [`${blanks}\n${blanks}Hello. `, 'There.']],
  ])('%s', (_, pieces, options) => {
    const long = { maxLength: 1e6, ...options }
    expect(spokenPieces([pieces.join('')], long)).toEqual(pieces)
    expect(spokenPieces(pieces.join('').split(''), long)).toEqual(pieces)
  })

  it('and no more of it is looked at again than of a short one', () => {
    const said: string[] = []
    const settings = resolveSpeech({ maxLength: 1e7 })
    const sentences = new Sentences(settings, (piece) => said.push(piece))
    const text = 'Dr. Who said, and Dr. Who said once more '
    let most = 0
    for (let at = 0; at < 5000; at++) {
      sentences.push(text)
      most = Math.max(most, (sentences as unknown as { readonly pending: string }).pending.length)
    }
    sentences.end()
    expect(most).toBeLessThan(1200)
    expect(said).toEqual([text.repeat(5000)])
  })
})
