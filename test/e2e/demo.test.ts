import { execFileSync } from 'node:child_process'
import { fileURLToPath } from 'node:url'
import { afterAll, describe, expect, it, vi } from 'vitest'

const root = fileURLToPath(new URL('../..', import.meta.url))
/** A server of our own, so that nobody's sessions are touched. */
const server = `sluice-e2e-${process.pid}`

const tmux = (...args: string[]): string =>
  execFileSync('tmux', ['-L', server, '-u', ...args], { encoding: 'utf8' })

describe.skipIf(!process.env.SLUICE_HAS_TMUX)('sluice demo, in a real terminal', () => {
  afterAll(() => {
    tmux('kill-server')
  })

  it('shows a file growing line by line in 80 columns, no tag, and ends well', async () => {
    // The shell stays, so that what was shown can still be read.
    const command = `${process.execPath} dist/cli/main.js demo; echo "exit code $?"; exec cat`
    tmux('-f', '/dev/null', 'new-session', '-d', '-s', 'demo', '-x', '80', '-y', '40', '-c', root, command)

    const frames: string[] = []
    await vi.waitUntil(
      () => {
        frames.push(tmux('capture-pane', '-p', '-t', 'demo'))
        return frames.at(-1)!.includes('exit code')
      },
      { timeout: 400_000, interval: 30 },
    )

    const everything = tmux('capture-pane', '-p', '-S', '-', '-t', 'demo')
    expect(everything).toContain('┊ Uploads need a limit.')
    expect(everything).toContain('▸ write_file  src/rate-limit.ts\n')
    expect(everything).toContain('  │ export class RateLimit {\n')
    expect(everything).toContain('  │     if (this.tokens < 1) return false\n')
    expect(everything).toContain('  ✓ complete · 23 lines, 596 characters\n')
    expect(everything).toContain('▸ run_command  npm test -- rate-limit\n')
    expect(everything).toContain('▸ run_command  rm -rf build…\n  ✗ truncated')
    expect(everything).toMatch(/README\.md.*\nexit code 0\n/)

    // The table and the row of the wire show markup on purpose, and so does the command to try next. Nothing else does.
    const lines = frames
      .flatMap((frame) => frame.split('\n'))
      .filter((line) => !/^'| echo '|^wire {2}…/.test(line))
    expect(frames.some((frame) => /│ .*\n {2}◦ receiving.*\nwire {2}…/.test(frame))).toBe(true)
    expect(lines.filter((line) => /<\/?(think|tool|func|para)/.test(line))).toEqual([])
    // Most frames show the file half written: it was there before it was complete.
    const growing = new Set(
      frames.filter((frame) => /▸ write_file.*\n[^✓]*│/.test(frame) && !frame.includes('✓')),
    )
    expect(growing.size).toBeGreaterThan(10)
  })
})
