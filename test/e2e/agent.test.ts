import { execFileSync } from 'node:child_process'
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { build } from 'esbuild'
import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest'

const root = fileURLToPath(new URL('../..', import.meta.url))
/** A server of our own, so that nobody's sessions are touched. */
const server = `sluice-agent-${process.pid}`

const tmux = (...args: string[]): string =>
  execFileSync('tmux', ['-L', server, '-u', ...args], { encoding: 'utf8' })

describe.skipIf(!process.env.SLUICE_HAS_TMUX)('examples/agent/agent.ts, in a real terminal', () => {
  let folder: string

  beforeAll(async () => {
    folder = mkdtempSync(join(tmpdir(), 'sluice-agent-'))
    writeFileSync(join(folder, 'hello.txt'), 'Hello.')
    await build({
      entryPoints: [join(root, 'examples/agent/agent.ts')],
      outfile: join(folder, '.agent.mjs'),
      ...{ bundle: true, platform: 'node', format: 'esm', logLevel: 'silent' },
    })
  })

  afterAll(() => {
    tmux('kill-server')
    rmSync(folder, { recursive: true })
  })

  const screen = (): string => tmux('capture-pane', '-p', '-S', '-', '-t', 'agent')

  const until = (text: string): Promise<boolean> =>
    vi.waitUntil(() => screen().includes(text), { timeout: 400_000, interval: 30 })

  /** Answers a question. A key that comes before there was time to read the question is no answer. */
  const answer = async (question: string, key: string): Promise<void> => {
    await until(question)
    await vi.waitUntil(
      () => {
        if (!screen().includes(question)) return true
        tmux('send-keys', '-t', 'agent', key)
        return false
      },
      { timeout: 400_000, interval: 400 },
    )
  }

  it('reads by itself, asks before it writes and runs, and never does what the policy forbids', async () => {
    const command = `${process.execPath} ${folder}/.agent.mjs --folder ${folder}; echo "exit code $?"; exec cat`
    tmux('-f', '/dev/null', 'new-session', '-d', '-s', 'agent', '-x', '120', '-y', '50', '-c', root, command)

    await until('Run write_file {"path":"notes/summary.md"')
    expect(screen()).toContain('▸ list_files')
    expect(() => readFileSync(join(folder, 'notes/summary.md'))).toThrow()
    await answer('Run write_file', 'y')
    await until('Run shell {"command":"wc -w < notes/summary.md"}?')
    expect(screen()).toContain('The call was denied: Nothing is deleted by force.')
    expect(readFileSync(join(folder, 'notes/summary.md'), 'utf8')).toBe(
      '# Summary\n\nThere is not much here.\n',
    )
    await answer('Run shell', 'n')

    await until('exit code')
    const everything = screen()
    expect(everything).toContain('The user did not allow this call.')
    expect(everything).toContain('The summary is written.')
    expect(everything).toContain('stop, 4 calls answered')
    expect(everything).toContain('exit code 0')
  })
})
