// Runs what takes hours: each part is seeded and bounded, and ends in one line of result. A failure prints its output,
// and the seed to repeat it with.
//
//   npm run prove                   every part
//   npm run prove -- laws           only those named
//   SLUICE_SEED=7 npm run prove     other random texts
import { spawnSync } from 'node:child_process'
import { fileURLToPath } from 'node:url'

const root = fileURLToPath(new URL('..', import.meta.url))
const seed = Number(process.env.SLUICE_SEED ?? 20261115)

/** A part runs tests; `env` says how hard they try. */
const PARTS = [
  {
    name: 'trust',
    what: 'thirty minutes of messages that quote calls and have a slip, in every dialect and view',
    tests: ['test/laws/trust.test.ts'],
    env: { SLUICE_SECONDS: process.env.SLUICE_SECONDS ?? '1800' },
  },
  {
    name: 'laws',
    what: 'twenty times the runs of every law, for every dialect',
    tests: ['test/laws/laws-even.test.ts', 'test/laws/laws-odd.test.ts'],
    env: { SLUICE_EFFORT: '20' },
  },
  {
    name: 'all-laws',
    what: 'every law at full length, also those that `npm run test:laws` leaves out',
    tests: [],
    env: { SLUICE_LONG: 'true', SLUICE_EFFORT: '1', SLUICE_GROWTH: 'time' },
  },
  {
    name: 'derived',
    what: 'five times the runs of every law, for every dialect that is made from a chat template',
    tests: ['test/laws', 'test/requests/grammar', '-t', 'derived:'],
    env: { SLUICE_DERIVED: 'true', SLUICE_EFFORT: '5', SLUICE_LONG: 'true' },
  },
  {
    name: 'views',
    what: 'twenty times the texts of the laws, in every view and provider',
    tests: ['test/laws/views.test.ts', 'test/laws/providers.test.ts', 'test/laws/parity.test.ts'],
    env: { SLUICE_EFFORT: '20' },
  },
  {
    name: 'json',
    what: 'fifty times the runs of the laws of JSON',
    tests: ['test/values/json/laws.test.ts'],
    env: { SLUICE_EFFORT: '50' },
  },
  {
    name: 'schemas',
    what: '100,000 schemas and values, as Ajv sees them',
    tests: ['test/values/schema/ajv.test.ts'],
    env: { SLUICE_EFFORT: '1' },
  },
  {
    name: 'fuzz',
    what: 'thirty minutes of changed texts, streams and requests, in every dialect, view and provider',
    tests: ['test/fuzz/fuzz.test.ts'],
    env: { SLUICE_FUZZ_SECONDS: process.env.SLUICE_FUZZ_SECONDS ?? '1800' },
  },
  {
    name: 'mutants',
    what: 'every small mistake in the files that decide whether a call runs, each noticed by a test',
    tests: ['--config', 'test/mutation/vitest.config.ts'],
    env: {},
  },
  {
    name: 'soak',
    what: '10,000 responses at once through the parser, 1,000 through the gateway, and memory that does not grow',
    tests: ['test/soak'],
    env: { SLUICE_LONG: 'true', SLUICE_SOAK: 'true' },
  },
  {
    name: 'log',
    what: 'hundreds of producers, readers, servers and gateways, killed at random moments',
    tests: ['--config', 'vitest.e2e.config.ts', 'test/e2e/log/kill.test.ts', 'test/e2e/gateway/kill.test.ts'],
    env: { SLUICE_TRIALS: '300', SLUICE_HAS_REDIS: '1', SLUICE_HAS_NATS: '1' },
  },
  {
    name: 'clients',
    what: 'every recorded stream written in every format, as its clients read it; writes the tables of docs/providers.md',
    tests: [
      '--config',
      'vitest.e2e.config.ts',
      'test/e2e/clients/recorded.test.ts',
      'test/e2e/clients/survivors.test.ts',
    ],
    env: { SLUICE_MATRIX: 'write' },
  },
]

const names = process.argv.slice(2)
const unknown = names.filter((name) => !PARTS.some((part) => part.name === name))
if (unknown.length > 0) {
  console.error(
    `There is no part ${unknown.join(', ')}; there are ${PARTS.map(({ name }) => name).join(', ')}.`,
  )
  process.exit(2)
}

for (const { name, what, tests, env } of PARTS) {
  if (names.length > 0 && !names.includes(name)) continue
  const start = Date.now()
  const { status, stdout, stderr } = spawnSync('vitest', ['run', '--testTimeout=0', ...tests], {
    cwd: root,
    encoding: 'utf8',
    maxBuffer: 2 ** 28,
    shell: process.platform === 'win32',
    env: { ...process.env, ...env, SLUICE_SEED: String(seed) },
  })
  const minutes = ((Date.now() - start) / 60_000).toFixed(1)
  const outcome = status === 0 ? 'held' : 'FAILED'
  console.log(`${name}: ${outcome}, ${what} (seed ${seed}, ${minutes} minutes)`)
  // What a part has measured is worth reading when it held, too.
  if (status === 0) for (const line of stdout.split('\n')) if (line.startsWith(`${name}: `)) console.log(line)
  if (status === 0) continue
  console.log(`${stdout}${stderr}`.trimEnd())
  process.exitCode = 1
}
