import { execFileSync } from 'node:child_process'
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest'

const root = fileURLToPath(new URL('../..', import.meta.url))
const sluice = `${process.execPath} ${join(root, 'dist/cli/main.js')}`
/** A server of our own, so that nobody's sessions are touched. */
const server = `sluice-terminal-${process.pid}`

const tmux = (...args: string[]): string =>
  execFileSync('tmux', ['-L', server, '-u', ...args], { encoding: 'utf8' })

/** A file that grows for some seconds, and text behind it. */
const lines = Array.from({ length: 40 }, (_, line) => `export const number${line} = '${'x'.repeat(50)}'\\n`)
const RECORDING = [
  '{"sluice-recording":1,"kind":"text","dialect":"hermes"}',
  JSON.stringify([0, 'I write it.<tool_call>{"name": "write_file", "arguments": {"content": "']),
  ...lines.map((line, index) => JSON.stringify([index * 60, line])),
  JSON.stringify([2500, '"}}</tool_call>All done.']),
].join('\n')

describe.skipIf(!process.env.SLUICE_HAS_TMUX)('the screen, in a real terminal', () => {
  let folder: string

  beforeAll(() => {
    folder = mkdtempSync(join(tmpdir(), 'sluice-terminal-'))
    writeFileSync(join(folder, 'recording.jsonl'), RECORDING)
    writeFileSync(join(folder, 'tools.json'), '[{"name": "write_file", "streams": "content"}]')
  })

  afterAll(() => {
    tmux('kill-server')
    rmSync(folder, { recursive: true })
  })

  function open(name: string, command: string): void {
    // The shell stays, so that what was shown can still be read.
    const line = `${command}; echo "exit code $?"; exec cat`
    tmux('-f', '/dev/null', 'new-session', '-d', '-s', name, '-x', '80', '-y', '30', '-c', folder, line)
  }

  const everything = (name: string): string => tmux('capture-pane', '-p', '-J', '-S', '-', '-t', name)
  const until = (name: string, text: string): Promise<unknown> =>
    vi.waitUntil(() => everything(name).includes(text), { timeout: 400_000, interval: 20 })

  it.each([
    ['full', 'seq 100 160; '],
    ['empty', ''],
  ])(
    'has a card that grows, is drawn again when the window changes, and ends as one page, on a screen that is %s',
    async (state, before) => {
      const name = `play-${state}`
      open(name, `${before}${sluice} play --lines all --tools tools.json recording.jsonl`)
      await until(name, 'more lines')
      expect(everything(name)).toContain('◦ receiving')
      tmux('resize-window', '-t', name, '-x', '40', '-y', '15')
      await until(name, 'exit code 0')
      const page = everything(name)
      expect(page.match(/▸ write_file/g)).toHaveLength(1)
      expect(page).not.toContain('receiving')
      for (let line = 0; line < 40; line++)
        expect(page.match(new RegExp(`number${line} =`, 'g')), page).toHaveLength(1)
      expect(page).toMatch(/✓ complete · 40 lines, \d+ characters\n\nAll done\.\nexit code 0\n/)
    },
  )

  it('shows all of a row that fills the window while it grows', async () => {
    const row = `${'x'.repeat(75)}|`
    const stream = `(printf '${'Hello.\n\n'.repeat(4)}<tool_call>{"name": "write_file", "arguments": {"content": "${row}\\\\n'; sleep 300)`
    open('full-row', `${stream} | ${sluice} watch --dialect hermes --tools tools.json`)
    await until('full-row', '◦ receiving')
    expect(everything('full-row')).toContain(`  │ ${row}\n`)
    tmux('send-keys', '-t', 'full-row', 'C-c')
    await until('full-row', 'exit code')
  })

  it('stops at Ctrl-C with what there is, and leaves the terminal in order', async () => {
    const stream = `(printf 'Hello.<tool_call>{"name": "write_file", "arguments": {"content": "one'; sleep 300)`
    open('watch', `${stream} | ${sluice} watch --dialect hermes > text.txt`)
    await until('watch', '◦ receiving')
    tmux('send-keys', '-t', 'watch', 'C-c')
    await until('watch', 'exit code')
    expect(everything('watch')).toContain('✗ truncated · The call was cut off')
    // Only the text is in the file.
    expect(readFileSync(join(folder, 'text.txt'), 'utf8')).toBe('Hello.\n')
    tmux('send-keys', '-t', 'watch', 'typed')
    await until('watch', 'typed')
  })
})
