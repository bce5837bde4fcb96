// Runs the laws at full length: all runs of every property, the mutants of the engine, and growth by time. Then a sample of
// every law for each dialect that is made from a chat template.
//
// test/laws/held.json has, for each file of laws, a digest of everything that the file depended on when its laws held.
// As long as the digest is the same, the file is left out.
//
//   npm run test:laws                          the files that are not left out
//   npm run test:laws -- --all                 all files; if all laws hold, writes test/laws/held.json
//   npm run test:laws -- ARGUMENTS OF VITEST   the files that these name
import { spawnSync } from 'node:child_process'
import { mkdirSync, readFileSync, writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { createReach, RECORD } from './law-reach.mjs'

const root = fileURLToPath(new URL('..', import.meta.url))
const record = join(root, RECORD)

/** For the read guard: the files that each law may read. */
const reachFile = join(root, 'node_modules/.cache/sluice/law-reach.json')

/** With another seed or another effort it is another test. */
const isAsRecorded = !Object.keys(process.env).some((name) => /^(?:SLUICE_|NODE_OPTIONS$)/.test(name))

/** @param {readonly string[]} args @param {Readonly<Record<string, string>>} env */
function vitest(args, env) {
  const { status } = spawnSync('vitest', ['run', ...args], {
    cwd: root,
    stdio: 'inherit',
    shell: process.platform === 'win32',
    env: { ...env, ...process.env, SLUICE_LONG: 'true' },
  })
  return status === 0
}

/** @param {readonly string[]} args @param {Readonly<Record<string, string>>} [env] */
const runInFull = (args, env) => vitest(args, { SLUICE_EFFORT: '1', SLUICE_GROWTH: 'time', ...env })

/** @param {readonly string[]} args @param {Readonly<Record<string, string>>} [env] */
const runDerived = (args, env) =>
  vitest([...args, '-t', 'derived:'], { SLUICE_DERIVED: 'true', SLUICE_EFFORT: '0.05', ...env })

const hasDerived = (/** @type {string} */ law) => /^test\/(?:laws|requests\/grammar)\//.test(law)

/** The digest of each law, of the files as they are now. @returns {Record<string, string>} */
function digests() {
  const reach = createReach(root)
  return Object.fromEntries(reach.laws().map((law) => [law, reach.digestOf(law)]))
}

function runAll() {
  const before = digests()
  const laws = Object.keys(before)
  const reach = createReach(root)
  mkdirSync(dirname(reachFile), { recursive: true })
  writeFileSync(
    reachFile,
    JSON.stringify(Object.fromEntries(laws.map((law) => [law, [...reach.reachOf(law), RECORD]]))),
  )
  const guarded = { SLUICE_REACH: reachFile }
  // Both run, whatever the first finds.
  const hold = [runInFull(laws, guarded), runDerived(laws.filter(hasDerived), guarded)]
  if (hold.includes(false)) return false
  if (!isAsRecorded) return true
  const text = JSON.stringify(before, null, 2)
  if (text !== JSON.stringify(digests(), null, 2)) {
    console.error(`${RECORD} was not written, because files changed while the laws ran.`)
    return false
  }
  writeFileSync(record, `${text}\n`)
  return true
}

function runChanged() {
  const now = digests()
  const held = isAsRecorded ? readRecord() : {}
  const laws = Object.keys(now)
  const changed = laws.filter((law) => now[law] !== held[law])
  if (changed.length < laws.length)
    console.log(
      `${laws.length - changed.length} of ${laws.length} files of laws left out, because nothing that they depend on has changed since they held`,
    )
  const derived = changed.filter(hasDerived)
  const hold = [
    changed.length === 0 || runInFull(changed),
    // Some of these files have no law for every dialect.
    derived.length === 0 || runDerived([...derived, '--passWithNoTests']),
  ]
  return !hold.includes(false)
}

/** @returns {Record<string, string>} */
function readRecord() {
  try {
    return JSON.parse(readFileSync(record, 'utf8'))
  } catch {
    return {}
  }
}

const args = process.argv.slice(2)
if (args.includes('--all') && args.length > 1) {
  console.error('--all runs every file of laws, and takes no other arguments.')
  process.exit(2)
}
const isGood = args.includes('--all') ? runAll() : args.length > 0 ? runInFull(args) : runChanged()
process.exit(isGood ? 0 : 1)
