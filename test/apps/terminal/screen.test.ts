import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { createTerminal, pageOf, type TerminalOptions } from '../../../src/apps/terminal/index.ts'
import type { SluiceEvent } from '../../../src/base/event.ts'
import { hermes } from '../../../src/dialects/index.ts'
import { parse } from '../../../src/engine/message.ts'
import { createSinkParser } from '../../../src/engine/parser.ts'
import { runs, SEED } from '../../effort.ts'
import { ManualClock } from './clocks.ts'
import { Emulator } from './emulator.ts'

const TOOLS = [
  { name: 'write_file', streams: 'content', headlines: ['path'] },
  { name: 'run', headlines: ['command'] },
] as const

function open(emulator: Emulator, options: Partial<TerminalOptions> = {}) {
  const clock = new ManualClock()
  const output = emulator.output()
  // The emulator is that of VS Code.
  const env = { TERM_PROGRAM: 'vscode' }
  const terminal = createTerminal({ stdout: output, stderr: output, clock, env, tools: TOOLS, ...options })
  return { clock, terminal }
}

const start = (id: string, toolName: string): SluiceEvent => ({ type: 'tool-input-start', id, toolName })
const begins = (id: string, key: string): SluiceEvent => ({
  type: 'argument-start',
  id,
  path: [key],
  kind: 'string',
})
const grows = (id: string, key: string, delta: string): SluiceEvent => ({
  type: 'argument-delta',
  id,
  path: [key],
  delta,
})
const ends = (id: string, key: string, value: string): SluiceEvent => ({
  type: 'argument-end',
  id,
  path: [key],
  value,
})
const judged = (id: string, toolName: string, input: { [key: string]: string }): SluiceEvent => ({
  type: 'tool-call',
  id,
  toolName,
  input,
  status: 'complete',
  repairs: [],
})
const text = (delta: string): SluiceEvent => ({ type: 'text-delta', id: 't', delta })

describe('a card on the screen', () => {
  it('has its name at once, its headline when it is complete, and a window on the file that grows', async () => {
    const emulator = new Emulator(60, 24)
    const { clock, terminal } = open(emulator, { windowLines: 3 })
    terminal.add(text('I write it.'))
    terminal.add({ type: 'text-end', id: 't' })
    terminal.add(start('1', 'write_file'))
    await clock.advance(200)
    expect(await emulator.screen()).toBe('I write it.\n\n▸ write_file\n  ◦ receiving · 0.1 s')
    terminal.add(begins('1', 'path'))
    terminal.add(grows('1', 'path', 'a.'))
    await clock.advance(100)
    expect(await emulator.screen()).toContain('▸ write_file  a.…\n')
    terminal.add(ends('1', 'path', 'a.ts'))
    terminal.add(begins('1', 'content'))
    const content = Array.from({ length: 20 }, (_, index) => `line ${index + 1}\n`).join('')
    terminal.add(grows('1', 'content', content))
    await clock.advance(760)
    expect(await emulator.screen()).toBe(`I write it.

▸ write_file  a.ts
  ⋮ 17 more lines
  │ line 18
  │ line 19
  │ line 20
  ◦ receiving · 20 lines, 151 characters · 146/s · 1.0 s`)
    terminal.add(ends('1', 'content', content))
    terminal.add(judged('1', 'write_file', { path: 'a.ts', content }))
    terminal.end()
    expect((await emulator.lines()).join('\n')).toBe(
      `I write it.\n\n▸ write_file  a.ts\n${content.replaceAll(/^l/gm, '  │ l')}  ✓ complete · 20 lines, 151 characters`,
    )
  })

  it('leaves nothing on the screen when its window becomes smaller', async () => {
    const emulator = new Emulator(60, 24)
    const { clock, terminal } = open(emulator)
    terminal.add(start('1', 'write_file'))
    terminal.add(begins('1', 'content'))
    for (let line = 1; line <= 20; line++) {
      terminal.add(grows('1', 'content', `line ${line}\n`))
      await clock.advance(100)
      const shown = (await emulator.screen()).split('\n')
      expect(shown.filter((row) => row.includes('receiving'))).toHaveLength(1)
      expect(shown.at(-1)).toMatch(new RegExp(`◦ receiving · ${line} lines?, `))
    }
    terminal.end()
  })

  it('stands beside those of other calls, each of which grows', async () => {
    const emulator = new Emulator(60, 24)
    const { clock, terminal } = open(emulator)
    terminal.add(start('1', 'write_file'))
    terminal.add(start('2', 'run'))
    terminal.add(begins('1', 'content'))
    terminal.add(grows('1', 'content', 'one'))
    terminal.add(begins('2', 'command'))
    terminal.add(grows('2', 'command', 'npm'))
    terminal.add(text('Meanwhile'))
    await clock.advance(200)
    expect(await emulator.screen()).toBe(`▸ write_file
  │ one
  ◦ receiving · 1 line, 3 characters · 0.2 s

▸ run  npm…
  ◦ receiving · 0.2 s

Meanwhile`)
    // The second is complete first, and stays where it is.
    terminal.add(ends('2', 'command', 'npm test'))
    terminal.add(judged('2', 'run', { command: 'npm test' }))
    await clock.advance(100)
    expect(await emulator.screen()).toContain('▸ run  npm test\n  ✓ complete\n\nMeanwhile')
    terminal.add(judged('1', 'write_file', { content: 'one' }))
    terminal.add(text(', more.'))
    terminal.end()
    expect((await emulator.lines()).join('\n')).toBe(`▸ write_file
  │ one
  ✓ complete · 1 line, 3 characters

▸ run  npm test
  ✓ complete

Meanwhile, more.`)
  })

  it('shows the last line of each of two files on a small terminal', async () => {
    const emulator = new Emulator(80, 24)
    const { clock, terminal } = open(emulator)
    for (const id of ['1', '2']) {
      terminal.add(start(id, 'create'))
      terminal.add(begins(id, 'text'))
      for (let line = 1; line <= 20; line++)
        terminal.add(grows(id, 'text', `line ${line} of file ${id}, which is longer than half of it\n`))
    }
    await clock.advance(100)
    expect(await emulator.screen()).toBe(`▸ create
  │ line 20 of file 1, which is longer than half of it
  ◦ receiving · 20 lines, 1011 characters · 0.1 s

▸ create
  │ line 20 of file 2, which is longer than half of it
  ◦ receiving · 20 lines, 1011 characters · 0.1 s`)
    terminal.end()
  })

  it('shows the end of a line that is longer than its window', async () => {
    const emulator = new Emulator(40, 40)
    const { clock, terminal } = open(emulator, { windowLines: 3 })
    terminal.add(start('1', 'write_file'))
    terminal.add(begins('1', 'content'))
    terminal.add(grows('1', 'content', `${'0123456789'.repeat(500)}the end`))
    await clock.advance(100)
    expect(await emulator.screen()).toBe(`▸ write_file
  ⋮
  │ 678901234567890123456789012345678901
  │ 23456789the end
  ◦ receiving · 1 line, 5007 characters${' '}
    · 0.1 s`)
    terminal.end()
  })

  it('shows the end of reasoning that is one long line', async () => {
    const emulator = new Emulator(30, 14)
    const { clock, terminal } = open(emulator)
    terminal.add({
      type: 'reasoning-delta',
      id: 'r',
      delta: `${'all the same words '.repeat(99)}and the end`,
    })
    await clock.advance(100)
    const shown = await emulator.screen()
    expect(shown.split('\n')[0]).toBe('⋮')
    expect(shown.replaceAll('\n┊', '')).toMatch(/words and the end$/)
    terminal.end()
  })

  it('folds the reasoning that begins after r was pressed, and none that began before', async () => {
    const emulator = new Emulator(40, 14)
    const { terminal } = open(emulator)
    terminal.add(text('Hi.'))
    terminal.add({ type: 'text-end', id: 't' })
    // All of this comes before the next frame is due.
    terminal.add({ type: 'reasoning-delta', id: '1', delta: 'one\ntwo' })
    terminal.key('r')
    terminal.add({ type: 'reasoning-end', id: '1' })
    terminal.add({ type: 'reasoning-delta', id: '2', delta: 'three' })
    terminal.end()
    expect((await emulator.lines()).join('\n')).toBe('Hi.\n\n┊ one\n┊ two\n\n┊ Reasoning: 1 line')
  })

  it('takes no more than half of the terminal, and shows as many names as fit', async () => {
    const emulator = new Emulator(40, 14)
    const { clock, terminal } = open(emulator)
    for (let call = 1; call <= 20; call++) {
      terminal.add(start(`${call}`, `tool_${call}`))
      terminal.add(begins(`${call}`, 'text'))
      terminal.add(grows(`${call}`, 'text', 'a\nb\nc\n'))
    }
    await clock.advance(200)
    expect(await emulator.screen()).toBe(
      `${[1, 2, 3, 4, 5, 6].map((call) => `▸ tool_${call}`).join('\n')}\n⋮`,
    )
    for (let call = 1; call <= 20; call++)
      terminal.add(judged(`${call}`, `tool_${call}`, { text: 'a\nb\nc\n' }))
    terminal.end()
    const lines = await emulator.lines()
    expect(lines.filter((line) => line.startsWith('▸'))).toEqual(
      Array.from({ length: 20 }, (_, index) => `▸ tool_${index + 1}`),
    )
    expect(lines.filter((line) => line === '  ✓ complete')).toHaveLength(20)
    expect(lines).not.toContain('⋮')
  })
})

describe('whatever the window does', () => {
  const RESPONSE = `<think>Some thoughts, which are long enough to be wrapped in a narrow window.

日本語の長い文章がここにあります。</think>Text with ünïcödé, 日本語 and 👩‍💻.\n\n<tool_call>{"name": "write_file", "arguments": {"path": "src/very/long/path/to/a/file.ts", "content": "const a = 'é́ 日本語日本語日本語日本語'\\n\\tindented\\n${'0123456789'.repeat(12)}\\n"}}</tool_call><tool_call>{"name": "run", "arguments": {"command": "npm test"}}</tool_call>The end.`

  function feed(
    response: string,
    add: (event: SluiceEvent) => void,
    after: (index: number) => Promise<void>,
  ) {
    const parser = createSinkParser(add, { dialect: hermes, tools: TOOLS, emit: { arguments: true } })
    return (async () => {
      for (const [index, character] of [...response].entries()) {
        parser.push(character)
        await after(index)
      }
      parser.end()
    })()
  }

  /** The page, with the gutters taken away, so that how it is wrapped makes no difference. */
  const words = (page: string): string => page.replaceAll(/^( {2}│| {4}|┊| {2})/gm, '').replaceAll(/\s/g, '')
  const page = pageOf(parse(RESPONSE, { dialect: hermes, tools: TOOLS }), { colour: false, tools: TOOLS })

  it.each([8, 12, 20, 40, 80, 200])(
    'in %i columns everything is inside its gutter, once',
    async (columns) => {
      const emulator = new Emulator(columns, 24)
      const { clock, terminal } = open(emulator)
      await feed(
        RESPONSE,
        (event) => terminal.add(event),
        () => clock.advance(7),
      )
      terminal.end()
      const lines = await emulator.lines()
      expect(words(lines.join('\n'))).toBe(words(page))
      const content = lines.filter((line) => line.startsWith('  │'))
      expect(content.length).toBeGreaterThan(2)
    },
  )

  it.each([
    ['narrower', 30, 24],
    ['wider', 120, 24],
    ['lower', 80, 12],
    ['much narrower', 15, 24],
    ['half as wide and half as high', 40, 12],
    ['half as wide and higher', 40, 40],
  ])('a window that becomes %s while a call grows leaves nothing behind', async (_, columns, rows) => {
    const emulator = new Emulator(80, 24)
    const { clock, terminal } = open(emulator, { windowLines: 4 })
    const middle = RESPONSE.indexOf('0123456789') + 60
    await feed(
      RESPONSE,
      (event) => terminal.add(event),
      async (index) => {
        await clock.advance(7)
        if (index === middle) await emulator.resize(columns, rows)
      },
    )
    terminal.end()
    expect(words((await emulator.lines()).join('\n'))).toBe(words(page))
  })

  it.each([
    [30, 10],
    [30, 20],
    [60, 10],
    [45, 12],
  ])(
    'a card of wide rows leaves nothing behind when a window of 60 × 20 becomes one of %i × %i',
    async (columns, rows) => {
      const emulator = new Emulator(60, 20)
      const { clock, terminal } = open(emulator)
      terminal.add(text('Above.'))
      terminal.add({ type: 'text-end', id: 't' })
      terminal.add(start('1', 'write_file'))
      terminal.add(begins('1', 'content'))
      const line = '0123456789'.repeat(5)
      for (let count = 0; count < 30; count++) {
        terminal.add(grows('1', 'content', `${line}\n`))
        await clock.advance(34)
      }
      await emulator.resize(columns, rows)
      await clock.advance(200)
      terminal.end()
      const left = words((await emulator.lines()).join('\n'))
      expect(left.split('write_file')).toHaveLength(2)
      expect(left.split(line)).toHaveLength(31)
    },
  )

  it('a window that changes again and again, never to less than half of a side at once, leaves nothing behind', async () => {
    // While a line of text is open, the terminal of VS Code itself cuts it off.
    const at = fc.integer({ min: RESPONSE.indexOf('"path"'), max: RESPONSE.indexOf('The end') - 1 })
    const side = fc.double({ min: 0.5, max: 2, noNaN: true })
    const larger = fc.double({ min: 1, max: 2, noNaN: true })
    const resize = fc.oneof(fc.tuple(at, side, larger), fc.tuple(at, larger, side), fc.tuple(at, side, side))
    const resizes = fc.array(resize, { minLength: 1, maxLength: 6 })
    for (const planned of fc.sample(resizes, { seed: SEED, numRuns: runs(12) })) {
      const emulator = new Emulator(60, 20)
      const { clock, terminal } = open(emulator)
      await feed(
        RESPONSE,
        (event) => terminal.add(event),
        async (index) => {
          for (const [at, wide, high] of planned) {
            if (at !== index) continue
            const { cols, rows } = emulator.terminal
            await emulator.resize(Math.ceil(cols * wide), Math.ceil(rows * high))
          }
          await clock.advance(34)
        },
      )
      terminal.end()
      expect(words((await emulator.lines()).join('\n')), JSON.stringify(planned)).toBe(words(page))
    }
  })

  // tmux scrolls the first rows of the screen away when it breaks rows, also where the last ones are empty.
  it.each([0, 3, 12])(
    'in tmux with %i lines above, no row that it may scroll away would be broken',
    async (above) => {
      const emulator = new Emulator(80, 24)
      const { clock, terminal } = open(emulator, { env: { TMUX: '/tmp/tmux-0/default,1,0' } })
      for (let line = 0; line < above; line++) terminal.add(text(`line ${line}\n`))
      terminal.add({ type: 'text-end', id: 't' })
      terminal.add(start('1', 'write_file'))
      terminal.add(begins('1', 'content'))
      let widest = 0
      for (let line = 0; line < 20; line++) {
        terminal.add(grows('1', 'content', `${'0123456789'.repeat(6)}\n`))
        await clock.advance(100)
        const rows = (await emulator.screen()).split('\n')
        const region = rows.slice(rows.findIndex((row) => row.startsWith('▸')))
        expect(region.length).toBeLessThanOrEqual(12)
        const broken = region.filter((row) => row.length > 40).length
        expect(broken).toBeLessThanOrEqual(above === 0 ? 0 : above + 1)
        widest = Math.max(widest, ...region.map((row) => row.length))
      }
      expect(widest > 40).toBe(above >= 3)
      terminal.end()
      expect((await emulator.lines()).filter((row) => row.includes('0123456789'))).toEqual(
        Array(20).fill(`  │ ${'0123456789'.repeat(6)}`),
      )
    },
  )

  it('an interrupt leaves a page in order and the cursor on a line of its own', async () => {
    const left: string[] = []
    const emulator = new Emulator(80, 24)
    const { clock, terminal } = open(emulator, {
      onStop: () => left.push('stop'),
      onLeave: () => left.push('leave'),
    })
    terminal.add(start('1', 'write_file'))
    terminal.add(begins('1', 'content'))
    terminal.add(grows('1', 'content', 'one\ntw'))
    await clock.advance(100)
    terminal.key('\x03')
    await clock.advance(100)
    expect(await emulator.screen()).toContain('Stopping. Press Ctrl-C again to exit.')
    terminal.key('\x03')
    expect(left).toEqual(['stop', 'leave'])
    expect(await emulator.screen()).toBe('▸ write_file\n  │ one\n  │ tw\n  ✗ not finished')
    const { cursorX, cursorY } = emulator.terminal.buffer.active
    expect([cursorX, cursorY]).toEqual([0, 4])
    // Nothing is drawn any more, and no mode of the terminal is left changed.
    const { written } = emulator
    await clock.advance(10_000)
    expect(emulator.written).toBe(written)
    expect(written.lastIndexOf('\x1b[?7h')).toBeGreaterThan(written.lastIndexOf('\x1b[?7l'))
    expect(written.lastIndexOf('\x1b[?2026l')).toBeGreaterThan(written.lastIndexOf('\x1b[?2026h'))
  })

  it('erases nothing behind a row that fills the terminal, where tmux and xterm keep the cursor in its last cell', async () => {
    const emulator = new Emulator(40, 24)
    const { clock, terminal } = open(emulator)
    terminal.add(start('1', 'write_file'))
    terminal.add(begins('1', 'content'))
    terminal.add(grows('1', 'content', `${'a'.repeat(36)}\n${'b'.repeat(35)}\n`))
    await clock.advance(100)
    expect(emulator.written).toContain(`\x1b[K\x1b[2m  │ \x1b[22m${'a'.repeat(36)}\r\n`)
    expect(emulator.written).toContain(`${'b'.repeat(35)}\x1b[K`)
    terminal.end()
  })

  it('breaks no line within a family, a flag or a tone of skin that a line has room for', async () => {
    const emulator = new Emulator(24, 24)
    const { clock, terminal } = open(emulator)
    terminal.add(start('1', 'write_file'))
    terminal.add(begins('1', 'content'))
    const lines = [
      `${'a'.repeat(15)}👨‍👩‍👧‍👦b`,
      `${'c'.repeat(17)}🇩🇪d`,
      `${'e'.repeat(18)}👍🏽f`,
      '👩‍'.repeat(11),
    ]
    terminal.add(grows('1', 'content', `${lines.join('\n')}\n`))
    await clock.advance(100)
    terminal.end()
    const page = [
      ['a'.repeat(15), '👨‍👩‍👧‍👦b', 'c'.repeat(17), '🇩🇪d', 'e'.repeat(18), '👍🏽f'],
      // Wider than a line.
      ['👩‍'.repeat(10), '👩‍'],
    ]
    expect((await emulator.screen()).match(/(?<=│ ).*/g)).toEqual(page.flat())
  })

  it('takes a terminal whose size nobody has set for one of 80 columns', async () => {
    const emulator = new Emulator(80, 24)
    const stderr = { ...emulator.output(), columns: 0, rows: 0 }
    const { clock, terminal } = open(emulator, { stdout: stderr, stderr })
    terminal.add(start('1', 'write_file'))
    terminal.add(begins('1', 'content'))
    terminal.add(grows('1', 'content', 'one\ntwo\n'))
    await clock.advance(100)
    expect(await emulator.screen()).toMatch(/^▸ write_file\n {2}│ one\n {2}│ two\n {2}◦ receiving/)
    terminal.end()
  })

  it('draws at most 30 frames a second', async () => {
    const emulator = new Emulator(80, 24)
    const { clock, terminal } = open(emulator)
    terminal.add(start('1', 'write_file'))
    terminal.add(begins('1', 'content'))
    for (let delta = 0; delta < 1000; delta++) {
      terminal.add(grows('1', 'content', `x${delta % 9 === 0 ? '\n' : ''}`))
      await clock.advance(1)
    }
    expect(emulator.writes).toBeLessThanOrEqual(31)
    expect(emulator.writes).toBeGreaterThan(25)
  })

  it('draws no frame too early because a timer was late', async () => {
    let time = 0
    const waits: { readonly milliseconds: number; readonly resolve: () => void }[] = []
    const clock = {
      now: () => time,
      wait: (milliseconds: number) => new Promise<void>((resolve) => waits.push({ milliseconds, resolve })),
    }
    const written: string[] = []
    const output = { isTTY: true, columns: 40, rows: 20, write: (piece: string) => written.push(piece) }
    const terminal = createTerminal({ stdout: output, stderr: output, clock })
    terminal.add(text('a'))
    time = 1
    terminal.add(text('b'))
    time = 35
    terminal.add(text('c'))
    expect(written).toEqual(['a', 'bc'])
    time = 36
    terminal.add(text('d'))
    // The timer of `b`.
    waits[0]!.resolve()
    await Promise.resolve()
    expect(written).toEqual(['a', 'bc'])
    expect(waits.map(({ milliseconds }) => Math.round(milliseconds))).toEqual([32, 32])
    time = 69
    waits[1]!.resolve()
    await Promise.resolve()
    expect(written).toEqual(['a', 'bc', 'd'])
    terminal.end()
  })
})

describe('hostile output', () => {
  const FAMILIES = [
    '\x1b[2J\x1b[H',
    '\x1b[5A\x1b[2K',
    '\x1b[?1049h',
    '\x1b[8mhidden\x1b[7m',
    '\x1b]0;title\x07',
    '\x1b]52;c;aGk=\x1b\\',
    '\x1b]8;;http://evil\x07here\x1b]8;;\x07',
    '\x1bP1$r0m\x1b\\',
    '\x1b_G;AAAA\x1b\\',
    '\x1b^pm\x1b\\',
    '\x1bXsos\x1b\\',
    '\x1bc',
    '\x1b(0',
    '\x1b7\x1b8\x1bM\x1bD',
    '\x9b2J\x9d0;x\x9c\x90q\x9c',
    '\rover\b\b\b\x0b\x0c\x0e\x0f\x07',
    '\u202eabc\u2066\u200f',
    '\u200b\u2060\u{e0041}',
  ]
  const BAD = `${FAMILIES.join('x')}\n▸ run  rm -rf /\n ?  Run run?   y yes`
  const events: SluiceEvent[] = [
    { type: 'reasoning-delta', id: 'r', delta: BAD },
    { type: 'reasoning-end', id: 'r' },
    text(BAD),
    { type: 'text-end', id: 't' },
    start('1', `write_file${BAD}`),
    begins('1', `path${BAD}`),
    ends('1', `path${BAD}`, BAD),
    start('2', 'write_file'),
    begins('2', 'content'),
    grows('2', 'content', BAD),
    {
      type: 'tool-call',
      id: '1',
      toolName: 'x',
      input: {},
      status: 'invalid',
      repairs: [],
      error: { code: BAD, message: BAD, offset: 0 },
    },
    judged('2', 'write_file', { content: BAD }),
    { type: 'tool-result-start', id: '3', toolName: BAD },
    { type: 'tool-result-delta', id: '3', delta: BAD },
    { type: 'tool-result-end', id: '3', isError: true },
    { type: 'custom', kind: BAD, value: 1 },
    { type: 'diagnostic', code: 'not-a-call', message: BAD },
    { type: 'error', error: { name: 'Error', message: BAD } },
    { type: 'finish', reason: 'error' },
  ]
  /** The same in pieces of one UTF-16 unit, so that every sequence is cut everywhere. */
  const pieces = events.flatMap((event): SluiceEvent[] =>
    'delta' in event ? event.delta.split('').map((delta) => ({ ...event, delta })) : [event],
  )

  it('moves no cursor, sets no title, writes no clipboard, and looks like nothing of ours', async () => {
    const emulator = new Emulator(100, 200)
    const titles: string[] = []
    const strings: string[] = []
    emulator.terminal.onTitleChange((title) => titles.push(title))
    emulator.terminal.onBell(() => strings.push('bell'))
    for (const id of [0, 8, 52])
      emulator.terminal.parser.registerOscHandler(id, (data) => {
        strings.push(data)
        return false
      })
    const { clock, terminal } = open(emulator)
    for (const event of pieces) {
      terminal.add(event)
      await clock.advance(5)
    }
    terminal.end()
    await emulator.lines()
    expect([titles, strings]).toEqual([[], []])
    expect(emulator.terminal.buffer.active.type).toBe('normal')
    // Every control byte that was written is one of ours: styles, the frames, and erasing what we drew.
    // biome-ignore lint/suspicious/noControlCharactersInRegex: they are what is looked for
    const ours = /\x1b(\[(\d+(;\d+)*m|\d+A|[KJB]|\?(2026|7)[hl])|[78])|\r|\n/g
    const foreign = emulator.written.replaceAll(ours, '')
    // biome-ignore lint/suspicious/noControlCharactersInRegex: they are what is looked for
    expect(foreign).not.toMatch(/[\0-\x08\x0b-\x1f\x7f-\x9f\u200b\u200f\u202e\u2066]/)
    // What the terminal shows is what a terminal would show that got whole, harmless text.
    const lines = await emulator.lines()
    expect(lines.filter((line) => line.startsWith('▸'))).toHaveLength(2)
    expect(lines).toContain('\\▸ run  rm -rf /')
    // No cell has the style of the prompt.
    const { active } = emulator.terminal.buffer
    for (let row = 0; row < active.length; row++)
      for (let column = 0; column < 100; column++)
        expect(active.getLine(row)!.getCell(column)?.isInverse()).toBeFalsy()
  })
})

describe('stdout and stderr', () => {
  const RESPONSE =
    '<think>Hm.</think>I **look**.<tool_call>{"name": "run", "arguments": {"command": "ls"}}</tool_call>Done.'

  function show(options: Partial<TerminalOptions>, isTTY: { out: boolean; err: boolean }) {
    const written = { out: '', err: '' }
    const output = (name: 'out' | 'err') => ({
      isTTY: isTTY[name],
      write: (text: string) => {
        written[name] += text
      },
    })
    const terminal = createTerminal({
      stdout: output('out'),
      stderr: output('err'),
      clock: new ManualClock(),
      tools: TOOLS,
      ...options,
    })
    const parser = createSinkParser((event) => terminal.add(event), { dialect: hermes })
    for (const character of RESPONSE) parser.push(character)
    parser.end()
    terminal.end()
    return written
  }

  const PLAIN = { out: 'I **look**.\n\nDone.\n', err: '┊ Hm.\n\n▸ run  ls\n  ✓ complete\n' }

  it('are text and everything else, in plain lines where neither is a terminal', () => {
    expect(show({}, { out: false, err: false })).toEqual(PLAIN)
  })

  it('are a clean file, and a screen that is drawn', () => {
    const { out, err } = show({}, { out: false, err: true })
    expect(out).toBe(PLAIN.out)
    expect(err).toContain('\x1b[')
  })

  it('are text in colour, and a clean log', () => {
    const { out, err } = show({}, { out: true, err: false })
    expect(out).toBe('I **\x1b[1mlook**\x1b[22m.\n\nDone.\n')
    expect(err).toBe(PLAIN.err)
  })

  it.each([{ NO_COLOR: '1' }, { TERM: 'dumb' }])('have no control bytes with %j', (env) => {
    const { out, err } = show({ env }, { out: true, err: true })
    // biome-ignore lint/suspicious/noControlCharactersInRegex: they are what is looked for
    expect(out + err).not.toMatch(/[\0-\x09\x0b-\x1f\x7f-\x9f]/)
    expect((out + err).length).toBe((PLAIN.out + PLAIN.err).length + 1)
  })
})
