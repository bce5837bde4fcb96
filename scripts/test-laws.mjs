// Runs the laws at length: a sample of the runs of every property; the mutants of the engine run by their own file.
// SLUICE_EFFORT=1 makes all runs.
//
//   npm run test:laws [-- ARGUMENTS OF VITEST]
import { spawnSync } from 'node:child_process'
import { fileURLToPath } from 'node:url'

const { status } = spawnSync('vitest', ['run', ...process.argv.slice(2)], {
  cwd: fileURLToPath(new URL('..', import.meta.url)),
  stdio: 'inherit',
  shell: process.platform === 'win32',
  env: { SLUICE_EFFORT: '0.05', SLUICE_MUTANTS: 'false', ...process.env, SLUICE_LONG: 'true' },
})
process.exit(status ?? 1)
