// Runs the laws at length: a tenth of the runs of every property, and the mutants of the engine.
// SLUICE_EFFORT=1 makes all runs.
//
//   npm run test:laws [-- ARGUMENTS OF VITEST]
import { spawnSync } from 'node:child_process'
import { fileURLToPath } from 'node:url'

const { status } = spawnSync('vitest', ['run', ...process.argv.slice(2)], {
  cwd: fileURLToPath(new URL('..', import.meta.url)),
  stdio: 'inherit',
  shell: process.platform === 'win32',
  env: { SLUICE_EFFORT: '0.1', ...process.env, SLUICE_LONG: 'true' },
})
process.exit(status ?? 1)
