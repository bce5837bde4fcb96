import { spawnSync } from 'node:child_process'
import { existsSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import { describe, expect, it } from 'vitest'

const COMMAND = fileURLToPath(new URL('../../dist/cli/main.js', import.meta.url))

/** Runs a line of shell in which `sluice` is the command that was built; its exit code is that of `sluice`. */
function shell(line: string, input = '') {
  const script = `sluice() { "$NODE" "$COMMAND" "$@"; echo "exit $?" >&2; }; ${line}`
  const env = { ...process.env, NODE: process.execPath, COMMAND }
  const { stdout, stderr } = spawnSync('sh', ['-c', script], { input, encoding: 'utf8', env })
  return { stdout, stderr }
}

/** Much more than a pipe holds. */
const LONG = 'many words '.repeat(200_000)

describe.skipIf(process.platform === 'win32')('the command that was built', () => {
  it('says which version it is', () => {
    expect(shell('sluice --version')).toEqual({ stdout: expect.stringMatching(/^\d/), stderr: 'exit 0\n' })
  })

  it.each(['sluice parse --dialect hermes', 'sluice parse --dialect hermes --events', 'sluice dialects'])(
    'leaves quietly when whoever reads %s does: `| head -c 1`',
    (command) => {
      const { stdout, stderr } = shell(`${command} | head -c 1`, LONG)
      expect({ length: stdout.length, stderr }).toEqual({ length: 1, stderr: 'exit 0\n' })
    },
  )

  it.skipIf(!existsSync('/dev/full'))('says that it cannot write', () => {
    const { stderr } = shell('sluice parse --dialect hermes > /dev/full', LONG)
    expect(stderr).toBe(
      'sluice: The output cannot be written: ENOSPC: no space left on device, write.\nexit 1\n',
    )
  })

  it('takes bytes that are no text, and says where they were', () => {
    expect(shell("printf 'a\\377b' | sluice parse --dialect hermes")).toEqual({
      stdout: 'a�b\n',
      stderr: 'exit 0\n',
    })
  })

  it.each([
    ['sluice parse --dialect hermes', 0],
    ['sluice parse --jsonl', 0],
    ['sluice convert --to ollama', 0],
    ['sluice render --dialect hermes', 1],
    ['sluice parse --recording', 1],
    ['sluice parse --dialect klingon', 2],
    ['sluice klingon', 2],
  ])('%s ends with %i when there is nothing to read', (command, code) => {
    expect(shell(command).stderr).toContain(`exit ${code}\n`)
  })
})
