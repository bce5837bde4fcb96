// Changes valid texts, streams and requests of every dialect, provider, view and protocol, and holds what is read of
// them against the laws. A find is printed as the smallest input that was found, as a line for test/fuzz/finds.jsonl.
//
//   npm run fuzz                                            ten minutes
//   npm run fuzz -- --minutes 30 --seed 7 --target hermes   longer, with other inputs, only targets named so
//   npm run fuzz -- --keep                                  also writes test/fuzz/corpus.jsonl, which a run begins with
import { spawnSync } from 'node:child_process'
import { fileURLToPath } from 'node:url'
import { parseArgs } from 'node:util'

const { values } = parseArgs({
  options: {
    minutes: { type: 'string', default: '10' },
    seed: { type: 'string', default: process.env.SLUICE_SEED ?? '20261115' },
    target: { type: 'string', default: '' },
    keep: { type: 'boolean', default: false },
  },
})
const seconds = Number(values.minutes) * 60
if (!(seconds > 0) || !Number.isSafeInteger(Number(values.seed))) {
  console.error('--minutes takes a number above 0, and --seed a whole number.')
  process.exit(2)
}
console.log(`Fuzzing for ${values.minutes} minutes, seed ${values.seed} …`)
const { status } = spawnSync('vitest', ['run', '--testTimeout=0', 'test/fuzz/fuzz.test.ts'], {
  cwd: fileURLToPath(new URL('..', import.meta.url)),
  stdio: 'inherit',
  shell: process.platform === 'win32',
  env: {
    ...process.env,
    SLUICE_SEED: values.seed,
    SLUICE_FUZZ_SECONDS: String(seconds),
    SLUICE_FUZZ_TARGET: values.target,
    SLUICE_FUZZ_KEEP: String(values.keep),
  },
})
process.exit(status ?? 1)
