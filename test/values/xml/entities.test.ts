import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import {
  decodeEntities,
  EntityDecoder,
  escapeAttribute,
  escapeText,
} from '../../../src/values/xml/entities.ts'

function decodePieces(pieces: string[]): string {
  let decoder = new EntityDecoder()
  let text = ''
  for (const piece of pieces) {
    text += decoder.push(piece)
    decoder = EntityDecoder.restore(JSON.parse(JSON.stringify(decoder.save())))
  }
  return text + decoder.end()
}

describe('character references', () => {
  const cases: [sentence: string, text: string, decoded: string][] = [
    ['the five names of XML are decoded', '&lt;&gt;&amp;&quot;&apos;', `<>&"'`],
    ['decimal code points are decoded', '&#65;&#128512;', 'A😀'],
    ['hexadecimal code points are decoded', '&#x41;&#X1f600;&#x1F600;', 'A😀😀'],
    ['leading zeros are allowed', '&#0065;&#x0041;', 'AA'],
    ['a decoded ampersand starts nothing', '&amp;lt;', '&lt;'],
    ['a decoded ampersand by number starts nothing', '&#38;lt;', '&lt;'],
    ['names of HTML stay as they are', '&nbsp;&copy;', '&nbsp;&copy;'],
    ['names in capitals stay as they are', '&LT;', '&LT;'],
    ['code that looks similar stays as it is', 'a && b & c &', 'a && b & c &'],
    ['a query stays as it is', '?a=1&lt=2&amp=3', '?a=1&lt=2&amp=3'],
    ['the code point zero stays as it is', '&#0;', '&#0;'],
    ['half a surrogate pair stays as it is', '&#xD800;', '&#xD800;'],
    ['what is beyond Unicode stays as it is', '&#x110000;&#9999999;', '&#x110000;&#9999999;'],
    ['too many digits stay as they are', '&#000000065;', '&#000000065;'],
    ['digits of the wrong kind stay as they are', '&#6a;&#xg;', '&#6a;&#xg;'],
    ['a number without digits stays as it is', '&#;&#x;', '&#;&#x;'],
    ['an ampersand may interrupt a reference', '&l&lt;&am&amp;', '&l<&am&'],
    ['an unfinished reference at the end is text', 'x &am', 'x &am'],
  ]
  it.each(cases)('%s', (_, text, decoded) => {
    expect(decodeEntities(text)).toBe(decoded)
  })

  const promptness: [piece: string, out: string][] = [
    ['plain', 'plain'],
    ['a &', 'a '],
    ['a &am', 'a '],
    ['a &amx', 'a &amx'],
    ['a &#1', 'a '],
    ['a &#x10FFF', 'a '],
    ['a &#x110000', 'a &#x110000'],
    ['& b', '& b'],
  ]
  it.each(promptness)('of %j, all that cannot be a reference is given out at once', (piece, out) => {
    expect(new EntityDecoder().push(piece)).toBe(out)
  })

  it('never holds back more than a dozen characters', () => {
    const decoder = new EntityDecoder()
    const given = decoder.push(`&#${'0'.repeat(1000)}`)
    expect(1002 - given.length).toBeLessThanOrEqual(12)
  })

  const pieces = fc.constantFrom(
    '&',
    '#',
    'x',
    ';',
    'amp',
    '&lt;',
    'lt',
    '38',
    '41',
    'F',
    '0',
    'text',
    '😀',
    '&#x1F600;',
  )
  const texts = fc.array(pieces, { maxLength: 15 }).map((parts) => parts.join(''))

  it('are decoded the same however the text is cut', () => {
    fc.assert(
      fc.property(texts, (text) => {
        const whole = decodeEntities(text)
        expect(decodePieces(text.split(''))).toBe(whole)
        for (let cut = 0; cut <= text.length; cut++)
          expect(decodePieces([text.slice(0, cut), text.slice(cut)])).toBe(whole)
      }),
      { seed: 7, numRuns: 500 },
    )
  })

  it('undo escaping exactly once', () => {
    fc.assert(
      fc.property(texts, (text) => {
        expect(decodeEntities(escapeText(text))).toBe(text)
        expect(decodeEntities(escapeAttribute(text))).toBe(text)
        expect(decodeEntities(escapeText(escapeText(text)))).toBe(escapeText(text))
      }),
      { seed: 7, numRuns: 300 },
    )
  })

  it('are escaped so that no tag and no quote is left', () => {
    expect(escapeText(`<a b="c">&'`)).toBe(`&lt;a b="c"&gt;&amp;'`)
    expect(escapeAttribute(`<a b="c">&'`)).toBe('&lt;a b=&quot;c&quot;&gt;&amp;&apos;')
  })
})
