/**
 * Whether the tests of the terminal can fail: each of the mutants must be caught by the check that is named with it.
 *
 * @reads src/
 */

import { cpSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { fileURLToPath, pathToFileURL } from 'node:url'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import * as original from '../../../src/apps/terminal/index.ts'
import type { SluiceEvent } from '../../../src/base/event.ts'
import { hermes } from '../../../src/dialects/index.ts'
import { parse } from '../../../src/engine/message.ts'
import { createSinkParser } from '../../../src/engine/parser.ts'
import { Keyboard } from '../cli/harness.ts'
import { ManualClock } from './clocks.ts'
import { Emulator } from './emulator.ts'
import { type CheckName, TERMINAL_MUTANTS, type TerminalMutant } from './mutants.ts'

type Library = typeof original

const source = fileURLToPath(new URL('../../../src', import.meta.url))
/** Below the project, so that the mutants find the same packages. */
const scratch = fileURLToPath(
  new URL('../../../node_modules/.cache/sluice-terminal-mutants', import.meta.url),
)
const clear = () => rmSync(scratch, { recursive: true, force: true })
beforeAll(() => {
  clear()
  cpSync(source, scratch, { recursive: true })
})
afterAll(clear)

/** The terminal with a mistake in it, beside the rest of the library. */
async function build({ file, from, to }: TerminalMutant, number: number): Promise<Library> {
  const folder = `${scratch}/apps/terminal-${number}`
  cpSync(`${source}/apps/terminal`, folder, { recursive: true })
  const path = `${folder}/${file}`
  const text = readFileSync(path, 'utf8')
  expect(text.split(from), `${file} holds the text to be changed exactly once`).toHaveLength(2)
  writeFileSync(
    path,
    text.replace(from, () => to),
  )
  return import(/* @vite-ignore */ pathToFileURL(`${folder}/index.ts`).href)
}

// ── the checks ───────────────────────────────────────────────────────────────────────────────────

const HIDDEN: readonly (readonly [hostile: string, stripped: string])[] = [
  ['a\x1b[2J\x1b[Hb\x1b[8mc', 'abc'],
  ['a\x1b(0b\x1b%Gc', 'abc'],
  ['a\x1b]52;c;aGk=\x07b\x1b]8;;http://x\x1b\\c', 'abc'],
  ['a\x1bP1$r0m\x1b\\b', 'ab'],
  ['a\x1b_G;AAAA\x1b\\b', 'ab'],
  ['a\x1b^pm\x1b\\b', 'ab'],
  ['a\x1bXsos\x1b\\b', 'ab'],
  ['a\x9b2Jb\x9d0;t\x9cc\x90q\x9cd\x85e', 'abcde'],
  ['rm\rls\bx\x07', 'rmlsx'],
  ['a\u202eb\u2066c\u2069\u200fd', 'abcd'],
  ['a\u{e0072}b', 'ab'],
  [`a${'\u0301'.repeat(20)}`, `a${'\u0301'.repeat(8)}`],
  ['a😀b', 'a😀b'],
]
const BAD = `${HIDDEN.map(([hostile]) => hostile).join('x')}\n▸ run  rm -rf /`
/** Everything that a terminal obeys, and is not of ours. */
// biome-ignore lint/suspicious/noControlCharactersInRegex: they are what is looked for
const OURS = /\x1b(\[(\d+(;\d+)*m|\d+A|[KJB]|\?(2026|7)[hl])|[78])|\r|\n/g
// biome-ignore lint/suspicious/noControlCharactersInRegex: they are what is looked for
const FOREIGN = /[\0-\x08\x0b-\x1f\x7f-\x9f\u200f\u202e\u2066]/

const TOOLS = [{ name: 'write_file', streams: 'content' }] as const
const CODE = Array.from({ length: 30 }, (_, line) => `const number${line} = '${'0123456789'.repeat(5)}'\\n`)
const RESPONSE = `I write it.<tool_call>{"name": "write_file", "arguments": {"content": "${CODE.join('')}"}}</tool_call><tool_call>{"name": "ls", "arguments": {}}</tool_call>The end.`

function screen({ createTerminal }: Library, columns: number, rows: number, env = {}) {
  const emulator = new Emulator(columns, rows)
  const clock = new ManualClock()
  const output = emulator.output()
  return {
    emulator,
    clock,
    terminal: createTerminal({ stdout: output, stderr: output, clock, env, tools: TOOLS }),
  }
}

/** Shows the response in small pieces, and tells how many of its characters were read. */
async function show(
  { terminal, clock }: ReturnType<typeof screen>,
  after: (read: number) => Promise<void> = async () => {},
): Promise<void> {
  const emit = { json: false, arguments: true }
  const parser = createSinkParser((event) => terminal.add(event), { dialect: hermes, tools: TOOLS, emit })
  for (let at = 0; at < RESPONSE.length; at += 11) {
    parser.push(RESPONSE.slice(at, at + 11))
    await clock.advance(40)
    await after(at)
  }
  parser.end()
  terminal.end()
}

const words = (page: string): string => page.replaceAll(/^( {2}│| {4})/gm, '').replaceAll(/\s/g, '')

const CHECKS: Readonly<Record<CheckName, (library: Library) => Promise<void>>> = {
  /** What a sanitiser drops, whole and in pieces. */
  async stripped({ createSanitiser, sanitise }) {
    for (const [hostile, stripped] of HIDDEN) {
      const sanitiser = createSanitiser('strip')
      const pieces = hostile.split('').map((piece) => sanitiser.push(piece))
      expect(pieces.join('') + sanitiser.end()).toBe(stripped)
      expect(sanitise(hostile, 'strip')).toBe(stripped)
    }
  },

  async shownAsItIs(library) {
    const { emulator, terminal } = screen(library, 80, 24)
    terminal.add({ type: 'tool-input-start', id: '1', toolName: 'write_file' })
    terminal.add({ type: 'argument-start', id: '1', path: ['content'], kind: 'string' })
    terminal.add({ type: 'argument-delta', id: '1', path: ['content'], delta: 'ls\x1b[8m; rm\u202e' })
    terminal.end()
    expect(await emulator.lines()).toContain('  │ ls␛[8m; rm⟨U+202E⟩')
  },

  /** Words of a model wherever they can stand. */
  async hostile(library) {
    const { emulator, clock, terminal } = screen(library, 200, 60)
    const events: SluiceEvent[] = [
      { type: 'text-delta', id: 't', delta: BAD },
      { type: 'text-end', id: 't' },
      { type: 'tool-input-start', id: '1', toolName: `f${BAD}` },
      { type: 'argument-end', id: '1', path: [`key${BAD}`], value: 'x' },
      { type: 'argument-end', id: '1', path: ['key'], value: '\x1b[2J\u202e' },
      {
        ...{ type: 'tool-call', id: '1', toolName: 'f', input: null, status: 'invalid', repairs: [] },
        error: { code: 'token', message: BAD, offset: 0 },
      },
      { type: 'tool-result-start', id: '2', toolName: BAD },
      { type: 'tool-result-delta', id: '2', delta: BAD },
      { type: 'tool-result-end', id: '2' },
      { type: 'diagnostic', code: 'not-a-call', message: `${BAD}.` },
      { type: 'error', error: { name: 'Error', message: BAD } },
      { type: 'finish', reason: 'error' },
    ]
    for (const event of events) {
      terminal.add(event)
      await clock.advance(40)
    }
    terminal.end()
    expect(FOREIGN.exec(emulator.written.replaceAll(OURS, ''))).toBe(null)
    expect((await emulator.lines()).filter((line) => line.startsWith('▸'))).toHaveLength(1)
  },

  async answered(library) {
    const { clock, terminal } = screen(library, 80, 24)
    const release = terminal.listen(new Keyboard())
    const answers: unknown[] = []
    const { signal } = new AbortController()
    const request = { id: '1', toolName: 'ls', input: {}, isGuess: false, signal }
    terminal.approve(request as unknown as Parameters<typeof terminal.approve>[0]).then((answer) => {
      answers.push(answer)
    })
    await clock.advance(100)
    terminal.key('y')
    await clock.advance(100)
    expect(answers).toEqual([])
    await clock.advance(300)
    terminal.key('n')
    await clock.advance(1)
    expect(answers).toEqual([false])
    release()
    terminal.end()
  },

  /** Where nobody listens, and where nobody listens any more. */
  async denied(library) {
    const { clock, terminal } = screen(library, 80, 24)
    const { signal } = new AbortController()
    const request = { id: '1', toolName: 'ls', input: {}, isGuess: false, signal }
    const ask = () => terminal.approve(request as unknown as Parameters<typeof terminal.approve>[0])
    expect(await ask()).toMatchObject({ approved: false })
    terminal.listen(new Keyboard())
    const asked = ask()
    await clock.advance(1000)
    terminal.end()
    expect(await asked).toBe(false)
  },

  async hiddenTool({ createTerminal }) {
    const emulator = new Emulator(80, 24)
    const clock = new ManualClock()
    const output = emulator.output()
    const terminal = createTerminal({ stdout: output, stderr: output, clock, display: { hidden: true } })
    terminal.add({ type: 'tool-input-start', id: '1', toolName: 'secret' })
    await clock.advance(200)
    terminal.end()
    expect(emulator.written).toBe('')
  },

  /** A card that becomes lower while another one grows. */
  async lowerRegion(library) {
    const { emulator, clock, terminal } = screen(library, 80, 24)
    for (const id of ['1', '2']) terminal.add({ type: 'tool-input-start', id, toolName: `tool_${id}` })
    terminal.status('three\nrows')
    await clock.advance(100)
    terminal.status('')
    await clock.advance(100)
    expect(await emulator.screen()).toBe('▸ tool_1\n  ◦ receiving · 0.2 s\n\n▸ tool_2\n  ◦ receiving · 0.2 s')
    terminal.end()
  },

  /** On a screen so wide that all that is kept of a long line is seen. */
  async wholeCharacters(library) {
    const { emulator, clock, terminal } = screen(library, 1000, 24)
    terminal.add({ type: 'tool-input-start', id: '1', toolName: 'write_file' })
    terminal.add({ type: 'argument-start', id: '1', path: ['content'], kind: 'string' })
    terminal.add({
      ...{ type: 'argument-delta', id: '1', path: ['content'] },
      delta: `a${'😀'.repeat(5000)}`,
    })
    await clock.advance(100)
    expect(emulator.written).not.toMatch(/(?<![\ud800-\udbff])[\udc00-\udfff]/)
    terminal.end()
  },

  /** Whatever the window does, the page at the end is that of the finished message. */
  async onePage(library) {
    const finished = library.pageOf(parse(RESPONSE, { dialect: hermes, tools: TOOLS }), {
      colour: false,
      tools: TOOLS,
    })
    const sizes = [
      [90, 24],
      [45, 24],
      [90, 12],
      [45, 12],
    ] as const
    for (const [columns, rows] of sizes) {
      const opened = screen(library, 90, 24, { TERM_PROGRAM: 'vscode' })
      let isResized = false
      await show(opened, async (read) => {
        if (isResized || read < RESPONSE.length / 2) return
        isResized = true
        await opened.emulator.resize(columns, rows)
      })
      expect(words((await opened.emulator.lines()).join('\n'))).toBe(words(finished))
    }
  },

  async halfOfTmux(library) {
    const opened = screen(library, 80, 24, { TMUX: '/tmp/tmux-0/default,1,0' })
    await show(opened, async () => {
      const rows = (await opened.emulator.screen()).split('\n')
      if (!rows.some((row) => row.includes('receiving'))) return
      const above = rows.map((row) => row[0]).lastIndexOf('▸')
      const broken = rows.slice(above).filter((row) => row.length > 40)
      expect(broken.length).toBeLessThanOrEqual(above)
    })
  },

  async streams({ createTerminal }) {
    for (const { isTTY, env } of [
      { isTTY: false, env: {} },
      { isTTY: true, env: { NO_COLOR: '1' } },
    ]) {
      const written = { out: '', err: '' }
      const terminal = createTerminal({
        stdout: { isTTY, write: (text) => (written.out += text) },
        stderr: { isTTY, write: (text) => (written.err += text) },
        env,
        clock: new ManualClock(),
      })
      const parser = createSinkParser((event) => terminal.add(event), { dialect: hermes })
      parser.push('Hi.<tool_call>{"name": "ls", "arguments": {}}</tool_call>')
      parser.end()
      terminal.end()
      // On one terminal an empty line stands between them.
      const err = '▸ ls\n  ✓ complete\n'
      expect(written).toEqual({ out: 'Hi.\n', err: isTTY ? `\n${err}` : err })
    }
  },
}

describe('the terminal as it is', () => {
  test.each(Object.keys(CHECKS) as CheckName[])('passes the check %s', async (name) => {
    await CHECKS[name](original)
  })
})

describe('a terminal that', () => {
  test.each(TERMINAL_MUTANTS.map((mutant, number) => [mutant.mistake, mutant, number] as const))(
    '%s is caught',
    async (_, mutant, number) => {
      const library = await build(mutant, number)
      await expect(CHECKS[mutant.check](library)).rejects.toThrow()
    },
  )
})
