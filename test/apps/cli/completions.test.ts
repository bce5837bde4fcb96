import { spawnSync } from 'node:child_process'
import { describe, expect, it } from 'vitest'
import { fileWith, sluice } from './harness.ts'

const has = (program: string): boolean => spawnSync(program, ['--version']).status === 0

describe('sluice completions', () => {
  it.skipIf(!has('bash'))('complete commands, options and their values in bash', async () => {
    const { stdout } = await sluice(['completions', 'bash'])
    const script = fileWith(stdout)
    const complete = (...words: string[]): string[] => {
      const line = `. '${script}'; COMP_WORDS=(${words.map((word) => `'${word}'`).join(' ')}); COMP_CWORD=${words.length - 1}; _sluice; echo "\${COMPREPLY[@]}"`
      return spawnSync('bash', ['-c', line], { encoding: 'utf8' }).stdout.trim().split(' ')
    }
    expect(complete('sluice', 'p')).toEqual(['play', 'parse', 'playground'])
    expect(complete('sluice', 'play', '--sp')).toEqual(['--speed'])
    expect(complete('sluice', 'watch', '--dialect', 'herm')).toEqual(['hermes'])
    expect(complete('sluice', 'watch', '--provider', 'anth')).toEqual(['anthropic'])
    expect(complete('sluice', 'help', 'insp')).toEqual(['inspect'])
  })

  it.each(['bash', 'zsh', 'fish'])('name every command and option in %s', async (shell) => {
    const { code, stdout } = await sluice(['completions', shell])
    expect(code).toBe(0)
    for (const word of [
      'watch',
      'play',
      'record',
      'inspect',
      'parse',
      'render',
      'convert',
      'dialects',
      'demo',
    ])
      expect(stdout).toContain(word)
    for (const option of ['speed', 'dialect', 'provider', 'url', 'svg']) expect(stdout).toContain(option)
    if (has(shell)) expect(spawnSync(shell, ['-n', fileWith(stdout)]).status).toBe(0)
  })

  it('say which shells there are', async () => {
    expect((await sluice(['completions'])).stderr).toBe(
      "sluice completions: The name of a shell is missing; use one of bash, zsh, fish (see 'sluice help completions').\n",
    )
    expect((await sluice(['completions', 'tcsh'])).stderr).toBe(
      "sluice completions: There are no completions for 'tcsh'; use one of bash, zsh, fish (see 'sluice help completions').\n",
    )
  })
})
