import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { createSanitiser, type SanitiseMode, sanitise } from '../../../src/apps/terminal/index.ts'

describe('what reaches a terminal', () => {
  const rows: [sentence: string, text: string, stripped: string, visualised: string][] = [
    [
      'is ordinary text as it was',
      'Hello, 世界 😀\n\tindented',
      'Hello, 世界 😀\n\tindented',
      'Hello, 世界 😀\n\tindented',
    ],
    ['has no colours', '\x1b[1;31mred\x1b[0m', 'red', '␛[1;31mred␛[0m'],
    ['does not clear the screen', 'a\x1b[2J\x1b[Hb', 'ab', 'a␛[2J␛[Hb'],
    ['does not hide the cursor', '\x1b[?25lx', 'x', '␛[?25lx'],
    ['does not write to the clipboard', 'a\x1b]52;c;aGk=\x07b', 'ab', 'a␛]52;c;aGk=␇b'],
    [
      'keeps the words of a link',
      '\x1b]8;;http://x\x1b\\here\x1b]8;;\x1b\\',
      'here',
      '␛]8;;http://x␛\\here␛]8;;␛\\',
    ],
    ['has no device control strings', 'a\x1bP1$r0m\x1b\\b', 'ab', 'a␛P1$r0m␛\\b'],
    ['has no application strings', 'a\x1b_G;AAAA\x1b\\b', 'ab', 'a␛_G;AAAA␛\\b'],
    ['does not reset the terminal', 'a\x1bcb', 'ab', 'a␛cb'],
    ['does not choose a character set', 'a\x1b(0b', 'ab', 'a␛(0b'],
    ['does not go back in its line', 'rm -rf /\rls\n', 'rm -rf /ls\n', 'rm -rf /␍ls\n'],
    ['does not go back at all', 'ab\b\bcd', 'abcd', 'ab␈␈cd'],
    ['does not ring', 'a\x07b\x00c\x7fd', 'abcd', 'a␇b␀c␡d'],
    ['has no controls of eight bits', 'a\x9b31mb\x9d0;t\x9cc\x85d', 'abcd', 'a␛[31mb␛]0;t␛\\c␛Ed'],
    ['does not run from right to left', 'a\u202eb\u2066c\u2069', 'abc', 'a⟨U+202E⟩b⟨U+2066⟩c⟨U+2069⟩'],
    ['has no marks of direction', 'a\u200eb\u200fc\u061cd', 'abcd', 'a⟨U+200E⟩b⟨U+200F⟩c⟨U+61C⟩d'],
    [
      'has nothing in it that cannot be seen',
      'r\u200bm\u2060 \ufeff-r\u00adf\u3164\u{e0072}',
      'rm -rf',
      'r⟨U+200B⟩m⟨U+2060⟩ ⟨U+FEFF⟩-r⟨U+AD⟩f⟨U+3164⟩⟨U+E0072⟩',
    ],
    ['does not join Latin letters', 'a\u200db\u200cc\ufe0f', 'abc', 'a⟨U+200D⟩b⟨U+200C⟩c⟨U+FE0F⟩'],
    [
      'keeps what joins emoji and the letters of other scripts',
      '👩\u200d💻 ❤\ufe0f 1\ufe0f\u20e3 क\u094d\u200dष می\u200cخواهم',
      '👩\u200d💻 ❤\ufe0f 1\ufe0f\u20e3 क\u094d\u200dष می\u200cخواهم',
      '👩\u200d💻 ❤\ufe0f 1\ufe0f\u20e3 क\u094d\u200dष می\u200cخواهم',
    ],
    [
      'has no tower of marks',
      `a${'\u0301'.repeat(9)}b`,
      `a${'\u0301'.repeat(8)}b`,
      `a${'\u0301'.repeat(8)}⟨U+301⟩b`,
    ],
    ['breaks lines where they are separated', 'a\u2028b\u2029c', 'a\nb\nc', 'a⟨U+2028⟩b⟨U+2029⟩c'],
    ['shows a half of a pair as a question', 'a\ud83db\ude00c', 'a\ufffdb\ufffdc', 'a\ufffdb\ufffdc'],
    ['shows a half at the end as well', 'a\ud83d', 'a\ufffd', 'a\ufffd'],
  ]
  it.each(rows)('%s', (_sentence, text, stripped, visualised) => {
    expect(sanitise(text, 'strip')).toBe(stripped)
    expect(sanitise(text, 'visualise')).toBe(visualised)
  })

  const unfinished: [sentence: string, text: string, stripped: string][] = [
    ['a title hides the rest of its line and no more', 'a\x1b]0;never ended\nnext', 'a\nnext'],
    ['a sequence ends where it cannot go on', 'a\x1b[31\nnext', 'a\nnext'],
    ['a sequence is not continued by other letters', 'a\x1b[3é', 'aé'],
    ['a lone escape takes the next letter with it', 'a\x1bZb', 'ab'],
    ['a new escape begins a new sequence', 'a\x1b\x1b[31mb', 'ab'],
    ['a new escape ends a string', 'a\x1b]0;title\x1b[31mb', 'ab'],
  ]
  it.each(unfinished)('%s', (_sentence, text, stripped) => {
    expect(sanitise(text, 'strip')).toBe(stripped)
  })

  it('has no character behind a letter that Unicode says nobody sees', () => {
    const unseen = /^[\p{Cc}\p{Zl}\p{Zp}\p{Bidi_Control}\p{Default_Ignorable_Code_Point}]$/u
    const kept: string[] = []
    for (let code = 0; code <= 0x10ffff; code++) {
      const character = String.fromCodePoint(code)
      if (!unseen.test(character) || '\n\t'.includes(character)) continue
      for (const mode of ['strip', 'visualise'] as const)
        if (sanitise(`a${character}b`, mode).includes(character)) kept.push(`U+${code.toString(16)}`)
    }
    expect(kept).toEqual([])
  })

  it('comes out before the rest has come in', () => {
    const sanitiser = createSanitiser('strip')
    expect(sanitiser.push('red: \x1b[3')).toBe('red: ')
    expect(sanitiser.push('1mno')).toBe('no')
    expect(sanitiser.push('!\ud83d')).toBe('!')
    expect(sanitiser.push('\ude00')).toBe('😀')
    expect(sanitiser.end()).toBe('')
  })
})

describe('however the text is cut', () => {
  const pieces = [
    '\x1b',
    '[',
    ']',
    'P',
    '(',
    '\\',
    '0',
    ';',
    'm',
    'x',
    '\x07',
    '\x9b',
    '\x9c',
    '\x9d',
    '\n',
    '\r',
    ' ',
  ]
  const wide = [
    'é',
    '😀',
    '\ud83d',
    '\ude00',
    '\u202e',
    '\x7f',
    '\t',
    '~',
    '/',
    '@',
    '?',
    '\u0301',
    '\u200d',
    '\u{e0041}',
  ]
  const text = fc.array(fc.constantFrom(...pieces, ...wide), { maxLength: 16 }).map((all) => all.join(''))
  const modes = fc.constantFrom<SanitiseMode>('strip', 'visualise')

  it('the same is shown', () => {
    fc.assert(
      fc.property(text, modes, (whole, mode) => {
        const expected = sanitise(whole, mode)
        for (let at = 0; at <= whole.length; at++) {
          const sanitiser = createSanitiser(mode)
          const shown = sanitiser.push(whole.slice(0, at)) + sanitiser.push(whole.slice(at)) + sanitiser.end()
          expect(shown).toBe(expected)
        }
      }),
      { seed: 7, numRuns: 2000 },
    )
  })

  it('nothing is shown that a terminal obeys', () => {
    fc.assert(
      fc.property(text, modes, (whole, mode) => {
        const harmful = [...sanitise(whole, mode)].filter((character) => {
          const code = character.codePointAt(0)!
          const isControl =
            (code < 0x20 && character !== '\n' && character !== '\t') || (code >= 0x7f && code <= 0x9f)
          return isControl || code === 0x202e || (code >= 0xd800 && code <= 0xdfff)
        })
        expect(harmful).toEqual([])
      }),
      { seed: 7, numRuns: 2000 },
    )
  })
})
