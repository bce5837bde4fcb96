// Runs the laws at full length: all runs of every property, the mutants of the engine, and growth by time.
//
//   npm run test:laws [-- ARGUMENTS OF VITEST]
import { spawnSync } from 'node:child_process'
import { fileURLToPath } from 'node:url'

const { status } = spawnSync('vitest', ['run', ...process.argv.slice(2)], {
  cwd: fileURLToPath(new URL('..', import.meta.url)),
  stdio: 'inherit',
  shell: process.platform === 'win32',
  env: { SLUICE_EFFORT: '1', ...process.env, SLUICE_LONG: 'true', SLUICE_GROWTH: 'time' },
})
process.exit(status ?? 1)
