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

  it('reads by itself, asks before it writes and runs, and never does what the policy forbids', async () => {
    const command = `${process.execPath} ${folder}/.agent.mjs --folder ${folder}; echo "exit code $?"; exec cat`
    tmux('-f', '/dev/null', 'new-session', '-d', '-s', 'agent', '-x', '120', '-y', '50', '-c', root, command)

    await until('? write_file {"path":"notes/summary.md"')
    expect(screen()).toContain('= list_files done')
    expect(screen()).toContain('! shell: The call was denied: Nothing is deleted by force.')
    tmux('send-keys', '-t', 'agent', 'y', 'Enter')
    await until('? shell {"command":"wc -w < notes/summary.md"}')
    expect(readFileSync(join(folder, 'notes/summary.md'), 'utf8')).toBe(
      '# Summary\n\nThere is not much here.\n',
    )
    tmux('send-keys', '-t', 'agent', 'n', 'Enter')

    await until('exit code')
    const everything = screen()
    expect(everything).toContain('! shell: The user did not allow this call.')
    expect(everything).toContain('The summary is written.')
    expect(everything).toContain('stop, 4 calls answered')
    expect(everything).toContain('exit code 0')
  })
})
