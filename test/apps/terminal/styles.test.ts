import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { coloured, languageOf } from '../../../src/apps/terminal/code.ts'
import { MarkdownStyler } from '../../../src/apps/terminal/markdown.ts'
import { type Span, textOfSpans, wrapRow } from '../../../src/apps/terminal/row.ts'
import { widthOf } from '../../../src/apps/terminal/width.ts'

/** `plain [bold:words]` */
const shown = (spans: readonly Span[]): string =>
  spans.map(({ text, style }) => (style === 'plain' ? text : `[${style}:${text}]`)).join('')

describe('markdown', () => {
  it.each([
    ['# A heading\ntext', '[bold:# A heading]\ntext'],
    ['#hashtag', '[bold:#]hashtag'],
    ['some **bold** words', 'some **[bold:bold**] words'],
    ['2 ** 3 ** 4', '2 ** 3 ** 4'],
    ['run `npm test` now', 'run [cyan:`npm test`] now'],
    ['> quoted\nnot', '[dim:> quoted]\nnot'],
    [
      '```diff\n+new\n-old\n same\n```\nafter',
      '[cyan:``][dim:`diff]\n[green:+new]\n[red:-old]\n same\n``[dim:`]\nafter',
    ],
    ['**never closed\nnext', '**[bold:never closed]\nnext'],
  ])('%j is styled, and all of it stays', (text, expected) => {
    const spans = new MarkdownStyler(false).push(text)
    // A newline has no style worth looking at.
    expect(shown(spans).replaceAll(/\[\w+:([^\]]*)\n\]/g, (match) => `${match.slice(0, -2)}]\n`)).toBe(
      expected,
    )
    expect(textOfSpans(spans)).toBe(text)
  })

  it('is styled alike however it is cut', () => {
    const alphabet = fc.constantFrom('*', '**', '`', '```', '#', ' ', '\n', 'a', '>', '+', '▸')
    fc.assert(
      fc.property(fc.array(alphabet, { maxLength: 30 }), (pieces) => {
        const whole = new MarkdownStyler(true).push(pieces.join(''))
        const styler = new MarkdownStyler(true)
        const cut = pieces.flatMap((piece) => styler.push(piece))
        const cells = (spans: readonly Span[]) =>
          spans.flatMap(({ text, style }) => [...text].map((character) => `${style} ${character}`))
        expect(cells(cut)).toEqual(cells(whole))
      }),
      { seed: 7 },
    )
  })

  it('cannot pass for a card', () => {
    expect(textOfSpans(new MarkdownStyler(true).push('▸ run\n  ▸ x ▸\n◂'))).toBe('\\▸ run\n  \\▸ x ▸\n\\◂')
  })
})

describe('an argument', () => {
  it.each([
    ['content', 'a.ts', '', 'code'],
    ['content', 'a.md', '', 'text'],
    ['content', undefined, 'diff --git a/x b/x', 'diff'],
    ['patch', undefined, '', 'diff'],
    ['command', undefined, '', 'code'],
    ['question', undefined, '', 'text'],
  ] as const)('%s of %s that begins with %j is %s', (key, path, firstLine, language) => {
    expect(languageOf(key, path, firstLine)).toBe(language)
  })

  it.each([
    ['diff', '+added', '[green:+added]'],
    ['diff', '-gone', '[red:-gone]'],
    ['diff', '@@ -1 +1 @@', '[cyan:@@ -1 +1 @@]'],
    ['diff', ' same', ' same'],
    ['code', "const a = 'x' // why", "[magenta:const] a = [green:'x'] [dim:// why]"],
    ['code', 'return 42', '[magenta:return] [yellow:42]'],
    ['text', 'const a', 'const a'],
  ] as const)('in %s is coloured: %s', (language, line, expected) => {
    expect(shown(coloured(line, language))).toBe(expected)
  })
})

describe('a row', () => {
  it('takes as many cells as a terminal gives it', () => {
    expect(['abc', 'é', 'e\u0301', '日本', '😀', '❤\ufe0f', 'ｗ'].map(widthOf)).toEqual([3, 1, 1, 4, 2, 2, 2])
  })

  it('is wrapped inside its gutter, and no character is lost', () => {
    const text = fc.array(fc.constantFrom('a', 'bc ', '日', '😀', 'e\u0301', ' '), { maxLength: 40 })
    fc.assert(
      fc.property(text, fc.integer({ min: 8, max: 30 }), fc.boolean(), (pieces, columns, isProse) => {
        const row = {
          gutter: { text: '  │ ', style: 'dim' },
          spans: [{ text: pieces.join(''), style: 'plain' }],
        } as const
        const lines = wrapRow({ ...row, isProse }, columns).map(({ text }) => text)
        for (const line of lines) {
          expect(line.startsWith('  │')).toBe(true)
          expect(widthOf(line)).toBeLessThanOrEqual(columns)
        }
        const content = lines.map((line) => line.slice(4)).join('')
        expect(content.replaceAll(' ', '')).toBe(pieces.join('').replaceAll(' ', ''))
      }),
      { seed: 7 },
    )
  })
})
