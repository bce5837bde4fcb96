import { describe, expect, it, test } from 'vitest'
import { DEAD, type LiteralOptions, Literals } from '../../../src/engine/wire/literals.ts'

const SENSITIVE = { anchored: false, ignoreCase: false }

/** Every literal that is found, as `literal@end`, going on after each. */
function found(list: readonly string[], options: LiteralOptions, text: string): string[] {
  const literals = new Literals(list, options)
  const result: string[] = []
  let node = 0
  for (let at = 0; at < text.length; at++) {
    node = literals.step(node, text.charCodeAt(at))
    const index = literals.found[node]!
    if (index === -1) continue
    result.push(`${list[index]}@${at + 1}`)
    node = 0
  }
  return result
}

/** How much must be held back at the end of a text. */
function heldBack(literals: Literals, text: string): number {
  let node = 0
  for (let at = 0; at < text.length; at++) node = literals.step(node, text.charCodeAt(at))
  return literals.depth[node]!
}

describe('literals are found anywhere in text', () => {
  test.each<[string, string[], string, string[]]>([
    ['one', ['</p>'], 'a</p>b', ['</p>@5']],
    ['none', ['</p>'], 'a</pb', []],
    ['again and again', ['ab'], 'ababxab', ['ab@2', 'ab@4', 'ab@7']],
    ['behind a false start', ['</p>'], '</</</p>', ['</p>@8']],
    ['the one that ends first', ['abcd', 'bc'], 'abcd', ['bc@3']],
    ['one that begins inside another', ['aab', 'aaab'], 'aaab', ['aaab@4']],
    ['one that is the tail of another', ['she', 'he', 'hers'], 'ushers', ['she@4']],
    ['with a line break that belongs to it', ['\n</p>', '</p>'], 'x\n</p>', ['\n</p>@6']],
    ['that repeat themselves', ['aaa'], 'aaaaaa', ['aaa@3', 'aaa@6']],
    ['of other alphabets', ['<｜tool▁sep｜>'], 'a<｜tool<｜tool▁sep｜>', ['<｜tool▁sep｜>@19']],
    ['of characters beyond the first plane', ['😀'], 'a😃😀', ['😀@5']],
    ['of a NUL', ['\0'], 'a\0', ['\0@2']],
  ])('%s', (_, literals, text, expected) => {
    expect(found(literals, SENSITIVE, text)).toEqual(expected)
  })

  it('and of two that are equal the first counts', () => {
    expect(new Literals(['ab', 'ab'], SENSITIVE).found).toContain(0)
    expect(new Literals(['ab', 'ab'], SENSITIVE).found).not.toContain(1)
  })

  it('in either case, where that is wanted, and for ASCII alone', () => {
    const either = { anchored: false, ignoreCase: true }
    expect(found(['<Tool>', 'É'], either, '<tOOL> <TOOL> é É')).toEqual(['<Tool>@6', '<Tool>@13', 'É@17'])
    expect(found(['<Tool>'], SENSITIVE, '<tool>')).toEqual([])
  })
})

describe('white space in tags', () => {
  const SPACED = { anchored: false, ignoreCase: false, spacedTags: true }
  const eight = ' \n\t\r    '

  test.each<[string, string[], string, string[]]>([
    ['may be missing', ['</p>'], '</p>', ['</p>@4']],
    ['may be a blank', ['</p>'], 'a</p >b', ['</p>@6']],
    ['may be a line break and an indentation', ['</p>'], '</p\r\n  >', ['</p>@8']],
    ['may be of eight characters', ['</p>'], `</p${eight}>`, ['</p>@12']],
    ['is no more than that', ['</p>'], `</p${eight} >`, []],
    ['stands before the last bracket only', ['<p>'], '< p><p x><p >', ['<p>@13']],
    ['may be one space behind the slash', ['</p>'], '</ p></  p>< /p></ p >', ['</p>@5', '</p>@22']],
    ['may stand in an opener', ['<a:b>'], '<a:b\t>', ['<a:b>@6']],
    ['may stand behind a prefix', ['#[</p>'], '#[</p >', ['#[</p>@7']],
    ['does not hide what begins with it', ['</p>', '\n</q>'], '</p \n</q >', ['\n</q>@10']],
    ['does not hide a tag that begins behind it', ['</p>'], '</p </p >', ['</p>@9']],
    ['is none where it ends a literal', ['<p>', '<p '], '<p >', ['<p @3']],
    ['stands in tags only', ['->', '<|p|>'], '- > <|p| >', []],
  ])('%s', (_, literals, text, expected) => {
    expect(found(literals, SPACED, text)).toEqual(expected)
  })

  it('may stand in a tag that has to come now', () => {
    const literals = new Literals(['</p>'], { ...SPACED, anchored: true })
    expect(literals.found[literals.after('</p \n>')]).toBe(0)
    expect(literals.step(literals.after('</p \n'), 'x'.charCodeAt(0))).toBe(DEAD)
  })

  it('is held back, and counts as part of the tag', () => {
    const literals = new Literals(['</p>', '\n</p>'], SPACED)
    expect(heldBack(literals, 'a</p')).toBe(3)
    expect(heldBack(literals, 'a</p \n')).toBe(5)
    expect(heldBack(literals, `a</p${eight}`)).toBe(11)
    expect(heldBack(literals, `a</p${eight} `)).toBe(0)
    expect(heldBack(literals, `a</p${eight}\n`)).toBe(1)
    expect(literals.length[literals.after('</p \n>')]).toBe(6)
    expect(literals.length[literals.after('</p>')]).toBe(4)
  })
})

describe('what is held back', () => {
  const literals = new Literals(['<tool_call>', '<think>', '\n</p>', '</p>'], SENSITIVE)

  test.each([
    ['plain text', 0],
    ['', 0],
    ['a <', 1],
    ['a <t', 2],
    ['a <to', 3],
    ['a <th', 3],
    ['a <tx', 0],
    ['<tool_call', 10],
    ['<tool_<', 1],
    ['\n', 1],
    ['\n</', 3],
    ['\n\n', 1],
    ['\n<t', 2],
    ['<</', 2],
  ])('at the end of %j is exactly what could still become a literal: %i', (text, expected) => {
    expect(heldBack(literals, text)).toBe(expected)
  })
})

describe('text that holds no literal is skipped', () => {
  test.each([
    ['plain', ['<a>'], 'plain', 5],
    ['up to a first character', ['<a>'], 'ab<', 2],
    ['of another alphabet', ['｜a'], 'a｜', 1],
    ['not past it', ['<a>', '日'], 'é日', 1],
  ])('%s', (_, literals, text, expected) => {
    expect(new Literals(literals, SENSITIVE).skip(text, 0, text.length)).toBe(expected)
  })

  it('within its bounds', () => {
    expect(new Literals(['<a>'], SENSITIVE).skip('<ab<', 1, 3)).toBe(3)
  })
})

describe('literals that must stand right here', () => {
  const here = { anchored: true, ignoreCase: false }
  const literals = new Literals(['</p>', '</q>'], here)

  it('are found there', () => {
    expect(found(['</p>', '</q>'], here, '</q>')).toEqual(['</q>@4'])
  })

  it('are not looked for any further', () => {
    let node = 0
    for (const character of '</') node = literals.step(node, character.charCodeAt(0))
    expect(literals.step(node, '<'.charCodeAt(0))).toBe(DEAD)
    expect(literals.step(node, 'p'.charCodeAt(0))).toBeGreaterThan(0)
  })
})

describe('in long text, the place where a literal may begin', () => {
  const plain = 'a line of text that goes on\n'
  test.each<[string, string[], string, number]>([
    ['is its first character', ['</p>'], `${plain}<b`, 28],
    ['is that of either of two', ['</p>', '[x]'], `${plain}[<`, 28],
    ['is the line break before it', ['</p>', '\n</p>'], `${plain}</p>`, 27],
    ['is a line break at the end', ['</p>', '\n</p>'], plain, 27],
    ['is no line break before something else', ['</p>', '\n</p>'], `${plain}more <`, 33],
    ['is any line break, if more than a marker may follow it', ['</p>', '\nEND'], `${plain}more <`, 27],
    ['is nowhere', ['</p>'], plain, plain.length],
  ])('%s', (_, literals, text, expected) => {
    expect(new Literals(literals, SENSITIVE).skip(text, 0, text.length)).toBe(expected)
  })

  it('is beyond the place from which it is looked for', () => {
    const text = `${plain}</p>`
    expect(new Literals(['</p>', '\n</p>'], SENSITIVE).skip(text, 28, text.length)).toBe(28)
  })
})
