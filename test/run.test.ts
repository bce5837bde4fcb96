import { describe, expect, it, test } from 'vitest'
import type { Event } from '../src/event.ts'
import { Path } from '../src/path.ts'
import { Rope } from '../src/rope.ts'
import { NO_RUN, Run, type StopsOptions, stopsAt } from '../src/run.ts'

const LESS_THAN = 60
const QUOTE = 34
const BACKSLASH = 92
const NEWLINE = 10
const ROOM = 1000

/** Someone whom a run is for, and who remembers what it was waiting with. */
function newOwner() {
  return {
    held: '',
    keeps: true,
    hold(waiting: string) {
      this.held = waiting
    },
    passed() {},
  }
}

/** Which of some chunks pass, and what is said of those that do. */
function passing(codes: readonly number[], options: StopsOptions, chunks: readonly string[]) {
  const said: string[] = []
  const run = new Run()
  run.says(
    stopsAt(codes, options)!,
    (event) => said.push('delta' in event ? event.delta : ''),
    'text-delta',
    't',
  )
  run.begin(ROOM, true)
  run.open(true)
  const passed = chunks.map((chunk) => run.takes(chunk))
  const owner = newOwner()
  const source = new Rope()
  const count = run.leave(owner, '', source)
  return { passed, said, waiting: owner.held, text: source.toString(), count }
}

describe('a chunk passes a run', () => {
  test.each<[string, readonly number[], StopsOptions, string, boolean]>([
    ['of plain text', [LESS_THAN], {}, 'a > b', true],
    ['of other alphabets', [LESS_THAN], {}, '日本語', true],
    ['with a whole pair of surrogates', [LESS_THAN], {}, 'a😀b', true],
    ['that stops nowhere', [], {}, '<"\\', true],
    ['not with a character that means more', [LESS_THAN], {}, 'a < b', false],
    ['not with one of several', [LESS_THAN, QUOTE], {}, 'a "b', false],
    ['not with a character that is too low', [QUOTE], { low: 32 }, 'a\tb', false],
    ['not with one that is too high', [QUOTE], { high: 0xd7ff }, 'a\ue000b', false],
    ['not if it ends with half a character', [LESS_THAN], {}, 'a\ud83d', false],
    ['not if it is empty', [LESS_THAN], {}, '', false],
    ['not if it is long', [LESS_THAN], {}, 'a'.repeat(16), false],
    ['with a short escape', [QUOTE, BACKSLASH], { passesEscapes: true }, 'a\\n\\"b', true],
    ['not with a longer one', [QUOTE, BACKSLASH], { passesEscapes: true }, '\\u0041', false],
    ['not with an escape that means something here', [QUOTE, BACKSLASH], {}, 'a\\n', false],
  ])('%s', (_, codes, options, chunk, passes) => {
    expect(passing(codes, options, [chunk])).toEqual({
      passed: [passes],
      said: passes ? [chunk] : [],
      waiting: '',
      text: passes ? chunk : '',
      count: passes ? chunk.length : 0,
    })
  })
})

describe('a last character that may mean more', () => {
  const lines = { last: NEWLINE }
  const json = { low: 32, last: BACKSLASH, passesEscapes: true }

  test.each<[string, readonly number[], StopsOptions, string[], string[], string]>([
    ['is said with the next chunk', [LESS_THAN], lines, ['a\n', 'b'], ['a', '\nb'], ''],
    ['waits as long as nothing comes', [LESS_THAN], lines, ['a\n'], ['a'], '\n'],
    ['is not said before its chunk', [LESS_THAN], lines, ['\n', '\n', 'a'], ['\n', '\na'], ''],
    ['means itself elsewhere', [LESS_THAN], lines, ['a\nb'], ['a\nb'], ''],
    ['is half an escape', [QUOTE, BACKSLASH], json, ['a\\', 'nb'], ['a', '\\nb'], ''],
    ['is an escaped backslash, and waits for nothing', [QUOTE, BACKSLASH], json, ['a\\\\'], ['a\\\\'], ''],
    ['is a backslash behind an escaped one', [QUOTE, BACKSLASH], json, ['\\\\\\', '"'], ['\\\\', '\\"'], ''],
  ])('%s', (_, codes, options, chunks, said, waiting) => {
    expect(passing(codes, options, chunks)).toEqual({
      passed: chunks.map(() => true),
      said,
      waiting,
      text: chunks.join(''),
      count: chunks.join('').length,
    })
  })

  it('still waits when the next chunk does not pass', () => {
    const { passed, waiting, said } = passing([LESS_THAN], lines, ['a\n', '</p>'])
    expect(passed).toEqual([true, false])
    expect(waiting).toBe('\n')
    expect(said).toEqual(['a'])
  })
})

describe('a character that passes but is written in another way', () => {
  const shout: StopsOptions = { odd: [QUOTE], write: (text) => text.replaceAll('"', '""') }

  test.each<[name: string, options: StopsOptions, chunks: string[], said: string[], waiting: string]>([
    ['is said so', shout, ['a"b', 'cd', '"'], ['a""b', 'cd', '""'], ''],
    ['is kept as it came', { ...shout, last: 10 }, ['"\n', 'x'], ['""', '\nx'], ''],
    ['is said so when it waited', { ...shout, last: QUOTE }, ['a"', 'b'], ['a', '""b'], ''],
  ])('%s', (_, options, chunks, said, waiting) => {
    expect(passing([LESS_THAN], options, chunks)).toEqual({
      passed: chunks.map(() => true),
      said,
      waiting,
      text: chunks.join(''),
      count: chunks.join('').length,
    })
  })

  it('does not pass where it also stops', () => {
    expect(passing([LESS_THAN, QUOTE], shout, ['a"b']).passed).toEqual([false])
  })
})

describe('a run', () => {
  const open = (room: number, keeps: boolean, said: Event[] = [], path: Path | null = null) => {
    const run = new Run()
    run.says(stopsAt([LESS_THAN])!, (event) => said.push(event), 'tool-input-delta', 'call-1', path)
    run.begin(room, keeps)
    run.open(true)
    return run
  }

  it('says text, or an argument that grows', () => {
    const said: Event[] = []
    open(ROOM, false, said).takes('ab')
    open(ROOM, false, said, Path.of('city')).takes('cd')
    expect(said).toEqual([
      { type: 'tool-input-delta', id: 'call-1', delta: 'ab' },
      { type: 'argument-delta', id: 'call-1', path: Path.of('city'), delta: 'cd' },
    ])
  })

  it('is over where its room ends', () => {
    const run = open(5, false)
    expect([run.takes('abc'), run.takes('def'), run.takes('gh'), run.takes('i')]).toEqual([
      true,
      false,
      true,
      false,
    ])
    expect(run.leave(newOwner(), '', null)).toBe(5)
  })

  it('keeps its text only if someone wants it', () => {
    const run = open(ROOM, false)
    run.takes('abc')
    const source = new Rope(2)
    run.leave(newOwner(), '', source)
    expect([source.toString(), source.length]).toEqual(['', 5])
  })

  it('counts what someone else has said', () => {
    const run = open(ROOM, true)
    run.takes('abc')
    run.add(' < ')
    const source = new Rope('so ')
    expect(run.leave(newOwner(), '', source)).toBe(6)
    expect(source.toString()).toBe('so abc < ')
  })

  it('lets nothing pass while it is closed, once it is over, and before it begins', () => {
    const run = open(ROOM, false)
    run.open(false)
    expect(run.takes('a')).toBe(false)
    run.open(true)
    expect(run.takes('a')).toBe(true)
    run.leave(newOwner(), '', null)
    expect(run.takes('a')).toBe(false)
    expect(NO_RUN.takes('a')).toBe(false)
  })

  it('cannot stop at characters that are not in ASCII', () => {
    expect(stopsAt([LESS_THAN, 0xff5c])).toBeNull()
  })
})
