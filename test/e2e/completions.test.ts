/** The completions of the command, in the shells that they are for. Bash is tested with the command itself. */

import { execFileSync } from 'node:child_process'
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { afterAll, beforeAll, describe, expect, it, onTestFinished, vi } from 'vitest'

const COMMAND = fileURLToPath(new URL('../../dist/cli/main.js', import.meta.url))

describe('completions', () => {
  let folder: string

  beforeAll(() => {
    folder = mkdtempSync(join(tmpdir(), 'sluice-completions-'))
  })
  afterAll(() => rmSync(folder, { recursive: true }))

  const scriptFor = (shell: string): string =>
    execFileSync(process.execPath, [COMMAND, 'completions', shell], { encoding: 'utf8' })

  it.skipIf(!process.env.SLUICE_HAS_FISH)('complete commands, options and values in fish', () => {
    const file = join(folder, 'sluice.fish')
    writeFileSync(file, scriptFor('fish'))
    const complete = (line: string): string[] =>
      execFileSync('fish', ['--no-config', '-c', `source '${file}'; complete -C '${line}'`], {
        encoding: 'utf8',
      })
        .trim()
        .split('\n')
        .map((found) => found.split('\t')[0]!)
    expect(complete('sluice wa')).toEqual(['watch'])
    expect(complete('sluice play --sp')).toEqual(['--speed'])
    expect(complete('sluice watch --dialect herm')).toEqual(['hermes'])
  })

  it.skipIf(!process.env.SLUICE_HAS_ZSH || !process.env.SLUICE_HAS_TMUX)(
    'complete commands, options and values in zsh, at a terminal',
    async () => {
      // As its help says: in a folder that zsh loads functions from.
      mkdirSync(join(folder, 'functions'))
      writeFileSync(join(folder, 'functions', '_sluice'), scriptFor('zsh'))
      writeFileSync(
        join(folder, '.zshrc'),
        `fpath=('${folder}/functions' $fpath); autoload -U compinit; compinit -u -D; PS1='ready> '\n`,
      )
      const server = `sluice-zsh-${process.pid}`
      const tmux = (...args: string[]): string =>
        execFileSync('tmux', ['-L', server, '-u', ...args], { encoding: 'utf8' })
      onTestFinished(() => void tmux('kill-server'))
      tmux(
        '-f',
        '/dev/null',
        'new-session',
        '-d',
        '-s',
        'zsh',
        '-x',
        '120',
        '-y',
        '30',
        `ZDOTDIR='${folder}' zsh -i`,
      )
      const shows = (text: string): Promise<unknown> =>
        vi.waitUntil(() => tmux('capture-pane', '-p', '-t', 'zsh').includes(text), {
          timeout: 60_000,
          interval: 20,
        })
      await shows('ready>')
      for (const [typed, completed] of [
        ['sluice wat', 'ready> sluice watch '],
        ['sluice play --sp', 'ready> sluice play --speed '],
        ['sluice watch --dialect herm', 'ready> sluice watch --dialect hermes'],
      ] as const) {
        tmux('send-keys', '-t', 'zsh', 'C-u')
        tmux('send-keys', '-t', 'zsh', '-l', typed)
        tmux('send-keys', '-t', 'zsh', 'Tab')
        await shows(completed.trimEnd())
      }
      expect(tmux('capture-pane', '-p', '-t', 'zsh')).toContain('--dialect hermes')
    },
  )
})
