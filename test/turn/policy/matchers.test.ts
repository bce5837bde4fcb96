import { posix, win32 } from 'node:path'
import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import type { JsonValue } from '../../../src/base/event.ts'
import {
  type Answer,
  allOf,
  anyOf,
  custom,
  equals,
  type Matcher,
  maximum,
  minimum,
  not,
  oneOf,
  pattern,
  prefix,
  type WithinOptions,
  within,
} from '../../../src/turn/policy/index.ts'

/** What a matcher says of a string that comes in pieces, and after how many characters; of any other value at once. */
function ask(matcher: Matcher, value: JsonValue, pieces?: readonly string[]): [Answer, at: number | 'end'] {
  const reading = matcher.open()
  const kind =
    typeof value === 'string'
      ? 'string'
      : typeof value !== 'object' || value === null
        ? 'scalar'
        : Array.isArray(value)
          ? 'array'
          : 'object'
  let answer = reading.start(kind)
  for (const piece of pieces ?? (typeof value === 'string' ? [value] : []))
    if (answer === 'not-yet' && piece !== '') answer = reading.push(piece)
  return answer === 'not-yet' ? [reading.end(value), 'end'] : [answer, reading.characters]
}

describe('a matcher answers as early as can be', () => {
  test.each<[Matcher, JsonValue, Answer, number | 'end']>([
    [equals('main'), 'main', 'yes', 'end'],
    [equals('main'), 'mine', 'no', 2],
    [equals('main'), 'mains', 'no', 5],
    [equals('main'), 'mai', 'no', 'end'],
    [equals(''), '', 'yes', 'end'],
    [equals('main'), 5, 'no', 'end'],
    [equals('main'), null, 'no', 'end'],
    [equals('main'), ['main'], 'unreadable', 0],
    [equals('main'), { main: 1 }, 'unreadable', 0],
    [equals('5'), 5, 'unreadable', 'end'],
    [equals('null'), null, 'unreadable', 'end'],
    [equals(5), 5, 'yes', 'end'],
    [equals(5), 6, 'no', 'end'],
    [equals(5), '5', 'unreadable', 0],
    [equals(5), true, 'unreadable', 'end'],
    [equals(5), null, 'unreadable', 'end'],
    [equals(5), [5], 'unreadable', 0],
    [equals(true), false, 'no', 'end'],
    [equals(true), 'true', 'unreadable', 0],
    [equals(null), { a: 1 }, 'unreadable', 0],
    [equals([5]), 5, 'unreadable', 'end'],
    [equals([5]), [6], 'no', 'end'],
    [equals({ a: 1 }), null, 'unreadable', 'end'],
    [oneOf('5', 6), 5, 'unreadable', 'end'],
    [oneOf('5', 6), 7, 'no', 'end'],
    [oneOf('5', '6'), 7, 'no', 'end'],
    [oneOf('get', true), 5, 'unreadable', 'end'],
    [oneOf('get', true), false, 'no', 'end'],
    [oneOf('get', ['get']), ['put'], 'no', 'end'],
    [oneOf('["put"]', ['get']), ['put'], 'no', 'end'],
    [equals({ a: [1, null] }), { a: [1, null] }, 'yes', 'end'],
    [oneOf('get', 'post', true), 'pos', 'no', 'end'],
    [oneOf('get', 'post', true), 'post', 'yes', 'end'],
    [oneOf('get', 'post', true), 'put', 'no', 2],
    [oneOf('get', 'post', true), true, 'yes', 'end'],
    [prefix('src/'), 'src/main.rs', 'yes', 4],
    [prefix('src/'), 'srcs', 'no', 4],
    [prefix('src/'), 'src', 'no', 'end'],
    [prefix(''), 'x', 'yes', 0],
    [prefix('src/'), ['src/'], 'unreadable', 0],
    [prefix('src/'), null, 'no', 'end'],
    [prefix('nu'), null, 'unreadable', 'end'],
    [pattern(/rm -rf/), 'x; rm -rf /', 'yes', 9],
    [pattern('^[a-z]+$'), 'abC', 'no', 3],
    [pattern('^[a-z]+$'), 'abc', 'yes', 'end'],
    [pattern(/a/), 7, 'no', 'end'],
    [pattern(/7/), 7, 'unreadable', 'end'],
    [pattern(/^/), 7, 'unreadable', 'end'],
    [minimum(3), 3, 'yes', 'end'],
    [minimum(3), 2.9, 'no', 'end'],
    [maximum(3), 3.1, 'no', 'end'],
    [maximum(3), '3', 'unreadable', 0],
    [maximum(3), true, 'unreadable', 'end'],
    [not(prefix('src/')), 'lib', 'yes', 1],
    [not(prefix('src/')), 5, 'yes', 'end'],
    [not(prefix('src/')), [5], 'unreadable', 0],
    [allOf(prefix('a'), not(pattern(/z/))), 'abc', 'yes', 'end'],
    [allOf(prefix('a'), not(pattern(/z/))), 'abzc', 'no', 3],
    [allOf(minimum(1), maximum(9)), 10, 'no', 'end'],
    [anyOf(prefix('a'), prefix('bb')), 'bbc', 'yes', 2],
    [anyOf(prefix('a'), prefix('bb')), 'bc', 'no', 2],
    [custom((value) => value === 1), 1, 'yes', 'end'],
    [custom((value) => value === 1), 2, 'no', 'end'],
  ])('%#: about %j', (matcher, value, answer, at) => {
    expect(ask(matcher, value)).toEqual([answer, at])
    if (typeof value === 'string') expect(ask(matcher, value, [...value])).toEqual([answer, at])
  })

  test('also one of your own, however the text is cut', () => {
    const tooLong = custom(
      (value) => String(value).length > 4,
      () => {
        let length = 0
        return (delta) => {
          length += delta.length
          return length > 4 ? 'yes' : 'not-yet'
        }
      },
    )
    expect(ask(tooLong, 'abcdefgh')).toEqual(['yes', 5])
    expect(ask(tooLong, 'abcdefgh', ['abc', 'def', 'gh'])).toEqual(['yes', 5])
    expect(ask(tooLong, 'abcd')).toEqual(['no', 'end'])
  })
})

describe('a folder', () => {
  const HERE = { base: '/home/app' }

  test.each<[root: string, WithinOptions, path: string, Answer]>([
    ['/home/app', HERE, 'src/a.ts', 'yes'],
    ['/home/app', HERE, '', 'yes'],
    ['/home/app', HERE, './src//./a.ts', 'yes'],
    ['/home/app', HERE, '/home/app', 'yes'],
    ['/home/app', HERE, '/home/app/', 'yes'],
    ['/home/app', HERE, '/home/apps', 'no'],
    ['/home/app', HERE, '../app/x', 'yes'],
    ['/home/app', HERE, '../x', 'no'],
    ['/home/app', HERE, 'src/../../x', 'no'],
    ['/home/app', HERE, '/etc/passwd', 'no'],
    ['/home/app', HERE, '/../../home/app/x', 'yes'],
    ['/home/app', HERE, '..app/x', 'yes'],
    ['/home/app', HERE, '.../x', 'unreadable'],
    ['/', {}, '/etc', 'yes'],
    // Who reads it decides what it is.
    ['/home/app', HERE, 'src\\..\\..\\..\\etc', 'unreadable'],
    ['/home/app', { ...HERE, system: 'posix' }, 'src\\..\\..\\..\\etc', 'yes'],
    ['/home/app', { ...HERE, system: 'windows' }, 'src\\..\\..\\..\\etc', 'no'],
    ['/home/app', HERE, '/HOME/app/x', 'unreadable'],
    ['/home/app', { ...HERE, ignoreCase: true }, '/HOME/app/x', 'yes'],
    ['/home/app', { ...HERE, ignoreCase: false }, '/HOME/app/x', 'no'],
    ['/home/app', HERE, '%2e%2e/x', 'unreadable'],
    ['/home/app', { ...HERE, decodePercent: true }, '%2E%2e%2fx', 'no'],
    ['/home/app', { ...HERE, decodePercent: false }, '%2e%2e/x', 'yes'],
    ['/home/app', HERE, 'a%zz/100%', 'yes'],
    ['/home/app', HERE, 'a\0/../../../etc', 'unreadable'],
    ['/home/app', HERE, '~/.ssh/id_rsa', 'unreadable'],
    ['/home/app', HERE, 'a~b', 'yes'],
    // Many drop the space around it.
    ['/home/app', { ...HERE, system: 'posix' }, ' /etc/passwd', 'unreadable'],
    ['/home/app', HERE, '\n/etc/passwd', 'unreadable'],
    ['/home/app', HERE, '\ufeff/etc/passwd', 'unreadable'],
    ['/home/app', HERE, '/home/app/..\n', 'unreadable'],
    ['/home/app', { ...HERE, system: 'posix' }, '/home/app/.. ', 'unreadable'],
    ['/home/app', HERE, 'my notes/a b.txt', 'yes'],
    // Some decode twice, and some decode more than a byte at a time.
    ['/home/app', HERE, '%252e%252e/x', 'unreadable'],
    ['/home/app', { ...HERE, decodePercent: false }, '%252e%252e/x', 'yes'],
    ['/home/café', {}, '/home/caf%C3%A9/x', 'unreadable'],
    // Some take one character for another.
    ['/home/app', HERE, 'src/．．/．．/．．/etc', 'unreadable'],
    ['/home/app', HERE, '‥/x', 'unreadable'],
    ['/home/app', { ...HERE, system: 'posix' }, 'src／..／..／..／etc', 'unreadable'],
    ['/home/app', HERE, 'a∕..∕..⁄..', 'unreadable'],
    ['/home/app', HERE, '℀', 'unreadable'],
    ['/home/app', { ...HERE, system: 'posix' }, '.\u200b./x', 'unreadable'],
    ['/home/app', { ...HERE, system: 'posix' }, '\u200b../x', 'unreadable'],
    ['/home/app', HERE, 'Übersicht…/résumé ½ 日本.txt', 'yes'],
    ['/home/app', HERE, 'src/👩‍👧❤️.png', 'yes'],
    ['/home/café', {}, '/home/cafe\u0301/x', 'unreadable'],
    ['/home/café', {}, '/home/café/x', 'yes'],
    ['/home/café', {}, '/home/thé/x', 'no'],
    ['/home/café', { ignoreCase: false }, '/home/CAFÉ/x', 'no'],
    ['/home/secrets', {}, '/home/ſecrets/x', 'unreadable'],
    ['/home/secrets', {}, '/home/se\u200bcrets/x', 'unreadable'],
    ['.git', {}, '.g\u200cit/config', 'unreadable'],
    // Nothing is called so.
    ['/home/app', { ...HERE, system: 'posix' }, `${'a'.repeat(1024)}`, 'yes'],
    ['/home/app', { ...HERE, system: 'posix' }, `${'a'.repeat(1024)}／..／..／x`, 'unreadable'],
    // Windows has a second name for each.
    ['.git', {}, 'git~1/config', 'unreadable'],
    ['C:\\Program Files', {}, 'C:\\PROGRA~1\\x', 'unreadable'],
    ['.git', { system: 'posix' }, 'git~1/config', 'no'],
    ['/home/app', HERE, '//server/share', 'unreadable'],
    ['/home/app', { ...HERE, system: 'posix' }, '//home/app/x', 'yes'],
    // Drives.
    ['C:\\data', {}, 'c:\\DATA\\a', 'yes'],
    ['C:\\data', {}, 'C:/home/../etc', 'no'],
    ['C:\\data', {}, 'C:/../data/a', 'yes'],
    ['C:\\data', {}, 'D:\\data\\a', 'no'],
    ['C:\\data', { base: 'C:\\data' }, 'a\\b', 'yes'],
    ['C:\\data', {}, 'a\\b', 'unreadable'],
    ['C:\\data', {}, 'a', 'unreadable'],
    ['C:\\data', {}, 'C:a', 'unreadable'],
    ['C:\\data', {}, 'C:', 'unreadable'],
    ['C:\\data', {}, '\\data\\a', 'unreadable'],
    ['C:\\data', {}, 'a:b', 'unreadable'],
    ['C:\\data', {}, 'a\\.. \\..\\..\\x', 'unreadable'],
    ['/home/app', { ...HERE, system: 'windows' }, 'C:\\x', 'unreadable'],
    ['C:\\', {}, 'C:\\x', 'yes'],
    ['C:\\data', { ignoreCase: false }, 'c:\\data\\a', 'yes'],
    ['C:\\data', { base: 'C:\\x' }, 'C:\\data\\a', 'yes'],
    ['C:\\data', {}, 'C:\\data\\..\\x', 'no'],
    ['C:\\data', {}, '1:\\data', 'unreadable'],
    ['C:\\data', {}, 'x\\c:\\data\\a', 'unreadable'],
    // Elsewhere a colon, a dot at the end and a backslash are characters like any other.
    ['/home/app', { ...HERE, system: 'posix' }, 'a:', 'yes'],
    ['/home/app', { ...HERE, system: 'posix' }, 'a:b', 'yes'],
    ['/home/app', { ...HERE, system: 'posix' }, 'a./x', 'yes'],
    ['/home/app', { ...HERE, system: 'posix' }, 'é\\b', 'yes'],
    ['/home/app', { ...HERE, system: 'posix' }, '!x', 'yes'],
    ['/home/app', { ...HERE, system: 'posix' }, '/~/x', 'no'],
    ['/home/app', { ...HERE, system: 'posix' }, '\u00a0/etc', 'unreadable'],
    ['/home/app', { ...HERE, system: 'posix' }, 'a∕..∕..∕b', 'unreadable'],
    ['/home/app', { ...HERE, system: 'posix' }, 'a'.repeat(1025), 'unreadable'],
    ['/home/ſecrets', {}, '/home/secrets/x', 'unreadable'],
    ['/home/café', { ignoreCase: true }, '/home/CAFE\u0301/x', 'unreadable'],
    // Up and down again.
    ['/home/app', { ...HERE, system: 'posix' }, 'a//../../x', 'no'],
    ['/home/app', { ...HERE, system: 'posix' }, '/home/x/app', 'no'],
    ['/home/app', { ...HERE, system: 'posix' }, '../../../x', 'no'],
    ['/home', { system: 'posix' }, '/home/../etc', 'no'],
    // What only begins like an encoded character stands for itself.
    ['/home/app', { ...HERE, decodePercent: true }, '%/../../x', 'no'],
    ['/home/app', { ...HERE, decodePercent: true }, '%\0', 'unreadable'],
    ['/home/app', { ...HERE, decodePercent: true }, 'a%7fb', 'yes'],
    ['/home/app', { ...HERE, decodePercent: true }, '%80', 'unreadable'],
    ['/home/app', { ...HERE, decodePercent: true }, '..%', 'yes'],
    ['/home/app', { ...HERE, decodePercent: true }, '..%2', 'yes'],
    ['/home/app', { ...HERE, system: 'posix', decodePercent: true }, `${'a'.repeat(1024)}%`, 'unreadable'],
    // A folder that is written with detours.
    ['/home/x/../app', {}, '/home/app/a', 'yes'],
    ['a/..', {}, 'b', 'yes'],
    // A folder that nobody knows the place of.
    ['src', {}, 'src/a', 'yes'],
    ['src', {}, 'lib/../src/a', 'yes'],
    ['src', {}, 'lib', 'no'],
    ['src', {}, '/home/app/src/a', 'unreadable'],
    ['src', {}, '../src/a', 'unreadable'],
    ['.', {}, 'a/b', 'yes'],
    ['.', {}, 'a/../..', 'unreadable'],
    ['src', { base: '/home/app' }, '/home/app/src/a', 'yes'],
    ['src', { base: '/home/app' }, 'src/a', 'yes'],
    ['src', { base: '/home/app' }, 'a', 'no'],
    ['/home/app', { base: '/home' }, 'app/a', 'yes'],
    ['/home/app', { base: '/home' }, 'a', 'no'],
    // Relative to what?
    ['/home/app', {}, '/home/app/src/a.ts', 'yes'],
    ['/home/app', {}, '/home/app/../x', 'no'],
    ['/home/app', {}, '/../home/app', 'yes'],
    ['/home/app', {}, 'package.json', 'unreadable'],
    ['/home/app', {}, 'src/a.ts', 'unreadable'],
    ['/home/app', {}, '../../etc', 'unreadable'],
    ['/home/app', {}, '.', 'unreadable'],
    ['/home/app', {}, '', 'unreadable'],
    ['/home/app', { system: 'posix' }, 'a:b', 'unreadable'],
    ['./src', {}, 'src/a.ts', 'yes'],
    ['./src', {}, 'package.json', 'no'],
  ])('%s with %j holds %j: %s', (root, options, path, answer) => {
    expect(ask(within(root, options), path)[0]).toBe(answer)
    expect(ask(within(root, options), path, [...path])[0]).toBe(answer)
  })

  test.each([
    ['~', 1],
    ['/', 1],
    ['a/../..', 'end'],
    ['a/../../', 8],
  ])('that nobody knows the place of is given up as soon as it is left: %j', (path, at) => {
    expect(ask(within('.'), path)).toEqual(['unreadable', at])
  })

  test.each([
    [() => within('../x'), 'leaves its base'],
    [() => within('../..'), 'leaves its base'],
    [() => within('a/../..'), 'leaves its base'],
    [() => within('src', { base: 'work' }), 'must be an absolute path'],
    [() => within(5 as never), 'A folder is a string, not 5.'],
    [() => within(''), "A folder is a path, not ''; write '.' for the working directory."],
  ])('is refused where it cannot be one', (make, message) => {
    expect(make).toThrow(
      expect.objectContaining({ code: 'invalid-rule', message: expect.stringContaining(message) }),
    )
  })

  const parts = fc.constantFrom('a', 'b', 'work', 'app', '.', '..', '/', '//', '...', ' ')

  test('holds what Node says it holds, on one system', () => {
    fc.assert(
      fc.property(fc.array(parts, { maxLength: 8 }), (names) => {
        const path = names.join('').trim() // space around it is another question
        const relative = posix.relative('/home/app', posix.resolve('/home/app', path))
        const isInside = relative !== '..' && !relative.startsWith('../')
        const options = { ...HERE, system: 'posix', ignoreCase: false, decodePercent: false } as const
        expect(ask(within('/home/app', options), path)[0]).toBe(isInside ? 'yes' : 'no')
      }),
      { seed: 3, numRuns: 2000 },
    )
  })

  test('holds what Node says it holds, on the other, or nobody can tell', () => {
    const more = fc.oneof(parts, fc.constantFrom('\\', 'C:', 'D:', 'C:\\data'))
    fc.assert(
      fc.property(fc.array(more, { maxLength: 8 }), (names) => {
        const path = names.join('')
        const relative = win32.relative('C:\\data', win32.resolve('C:\\data', path))
        const isInside = relative !== '..' && !relative.startsWith('..\\') && !win32.isAbsolute(relative)
        const [answer] = ask(within('C:\\data', { base: 'C:\\data', decodePercent: false }), path)
        if (answer !== 'unreadable') expect([path, answer]).toEqual([path, isInside ? 'yes' : 'no'])
      }),
      { seed: 4, numRuns: 2000 },
    )
  })
})

test.each([
  [() => not({} as Matcher)],
  [() => not(null as never)],
  [() => not('a' as never)],
  [() => not({ open: 1 } as never)],
  [() => allOf()],
  [() => allOf(prefix('a'), 5 as never)],
  [() => minimum(Number.NaN)],
  [() => minimum('1' as never)],
  [() => pattern('(')],
])('what is no matcher is refused', (make) => {
  expect(make).toThrow(expect.objectContaining({ code: 'invalid-rule' }))
})

test('a path that one system cannot read is given up at once, whatever others make of it', () => {
  expect(ask(within('/home/app'), '/%25/x')).toEqual(['unreadable', 4])
  expect(ask(within('/home/app'), 'a/x')).toEqual(['unreadable', 1])
})

test('matchers are made where they are used, and say what they are about', () => {
  expect(ask(anyOf(prefix('a'), prefix('b')), 'b')[0]).toBe('yes')
  expect(anyOf(prefix('a'), prefix('b')).about).toBe('begins with "a" or begins with "b"')
  expect(allOf(prefix('a'), prefix('ab')).about).toBe('begins with "a" and begins with "ab"')
  expect(ask(oneOf('a', 'b'), 'b')).toEqual(['yes', 'end'])
  expect(ask(pattern('b'), 'abc')).toEqual(['yes', 2])
  expect(
    ask(
      custom((value) => value === 'ab'),
      'ab',
    ),
  ).toEqual(['yes', 'end'])
})

test('a value is compared with those of its kind', () => {
  expect(ask(equals(null), null)).toEqual(['yes', 'end'])
  expect(ask(equals([1]), [1])).toEqual(['yes', 'end'])
  expect(ask(equals([1]), { 0: 1 })).toEqual(['unreadable', 0])
  expect(ask(equals({ 0: 1 }), [1])).toEqual(['unreadable', 0])
})

test('a bound is inside of what it bounds', () => {
  expect(ask(maximum(3), 3)[0]).toBe('yes')
  expect(ask(minimum(3), 3)[0]).toBe('yes')
})

describe('a matcher of something that is not there', () => {
  test.each<[make: () => unknown, message: string]>([
    [() => equals(undefined as never), 'A value can be compared with JSON, not with undefined.'],
    [() => oneOf('a', undefined as never), 'A value can be compared with JSON, not with undefined.'],
    [() => prefix(undefined as never), 'A prefix is a string, not undefined.'],
    [() => pattern(undefined as never), 'A pattern is a regular expression, not undefined.'],
    [() => pattern(null as never), 'A pattern is a regular expression, not null.'],
    [() => custom('yes' as never), 'custom takes a function, not "yes".'],
  ])('is refused, because it would hold for all or for none: %s', (make, message) => {
    expect(make).toThrow(expect.objectContaining({ code: 'invalid-rule', message }))
  })
})
