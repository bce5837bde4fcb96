// Runs the laws at full length: all runs of every property, the mutants of the engine, and growth by time. Then a sample of
// every law for each dialect that is made from a chat template.
//
//   npm run test:laws [-- ARGUMENTS OF VITEST]
import { spawnSync } from 'node:child_process'
import { fileURLToPath } from 'node:url'

/**
 * @param {readonly string[]} tests
 * @param {Readonly<Record<string, string>>} env
 */
function run(tests, env) {
  const { status } = spawnSync('vitest', ['run', ...tests], {
    cwd: fileURLToPath(new URL('..', import.meta.url)),
    stdio: 'inherit',
    shell: process.platform === 'win32',
    env: { ...env, ...process.env, SLUICE_LONG: 'true' },
  })
  return status ?? 1
}

const given = process.argv.slice(2)
const full = run(given, { SLUICE_EFFORT: '1', SLUICE_GROWTH: 'time' })
const derived =
  given.length > 0
    ? 0
    : run(['test/laws', 'test/requests/grammar', '-t', 'derived:'], {
        SLUICE_DERIVED: 'true',
        SLUICE_EFFORT: '0.05',
      })
process.exit(full || derived)
