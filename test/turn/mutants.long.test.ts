/**
 * Whether the tests of a turn can fail: each of the mutants must be caught by the test that is named with it.
 *
 * @reads src/ test/turn/ test/laws/ test/effort.ts
 */

import { spawn } from 'node:child_process'
import { cpSync, mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { TURN_MUTANTS, type TurnMutant } from './mutants.ts'

const root = fileURLToPath(new URL('../..', import.meta.url))
/** Below the project, so that the mutants find the same packages. */
const scratch = `${root}node_modules/.cache/sluice-turn-mutants`

/** A mutant that makes a test hang is caught, too. */
const CONFIG = `export default { test: { include: ['test/turn/*.test.ts'], testTimeout: 20_000, server: { deps: { inline: [/./] } }, experimental: { fsModuleCache: true } } }`

beforeAll(() => {
  rmSync(scratch, { recursive: true, force: true })
  mkdirSync(scratch, { recursive: true })
  cpSync(`${root}src`, `${scratch}/src`, { recursive: true })
  for (const folder of ['turn', 'laws'])
    cpSync(`${root}test/${folder}`, `${scratch}/test/${folder}`, { recursive: true })
  cpSync(`${root}test/effort.ts`, `${scratch}/test/effort.ts`)
  writeFileSync(`${scratch}/vitest.config.mjs`, CONFIG)
})
afterAll(() => rmSync(scratch, { recursive: true, force: true }))

interface Outcome {
  readonly passed: readonly string[]
  readonly failed: readonly string[]
}

/** Runs tests of the copy, by the start of their file's name and a pattern for their own. */
async function run(file: string, name: string): Promise<Outcome> {
  const report = `${scratch}/report.json`
  rmSync(report, { force: true })
  const child = spawn(
    process.execPath,
    [
      `${root}node_modules/vitest/vitest.mjs`,
      ...['run', '--root', scratch, '--reporter=json', '--outputFile', report],
      ...[`test/turn/${file}.test.ts`, '-t', name],
    ],
    { cwd: scratch, stdio: 'ignore', env: { ...process.env, SLUICE_EFFORT: '', SLUICE_LONG: '' } },
  )
  await new Promise((resolve) => child.on('close', resolve))
  const { testResults } = JSON.parse(readFileSync(report, 'utf8')) as {
    readonly testResults: readonly {
      readonly assertionResults: readonly { status: string; fullName: string }[]
    }[]
  }
  const results = testResults.flatMap(({ assertionResults }) => assertionResults)
  const named = (status: string): string[] =>
    results.flatMap((result) => (result.status === status ? result.fullName : []))
  return { passed: named('passed'), failed: named('failed') }
}

/** A name as it stands, but for `$` at its end. */
const patternOf = (name: string): string =>
  name.replace(/[.*+?^{}()|[\]\\]/g, '\\$&').replace(/\$(?!$)/g, '\\$')

describe('a turn as it is', () => {
  const files = [...new Set(TURN_MUTANTS.map(({ test: [file] }) => file))]
  test.each(files)('passes the tests of %s that the mutants are to fail', async (file) => {
    const names = TURN_MUTANTS.flatMap(({ test: [of, name] }) => (of === file ? patternOf(name) : []))
    const { passed, failed } = await run(file, names.join('|'))
    expect(failed).toEqual([])
    for (const name of names)
      expect(
        passed.filter((test) => new RegExp(name).test(test)),
        name,
      ).toHaveLength(1)
  })
})

describe('a turn that', () => {
  test.each(TURN_MUTANTS.map((mutant) => [mutant.mistake, mutant] as const))(
    '%s is caught',
    async (_, mutant) => {
      expect(await failuresOf(mutant)).toHaveLength(1)
    },
  )
})

async function failuresOf({ file, from, to, test: [tests, name] }: TurnMutant): Promise<readonly string[]> {
  const path = `${scratch}/src/${file}`
  const text = readFileSync(path, 'utf8')
  expect(text.split(from), `${file} holds the text to be changed exactly once`).toHaveLength(2)
  try {
    writeFileSync(
      path,
      text.replace(from, () => to),
    )
    return (await run(tests, patternOf(name))).failed
  } finally {
    writeFileSync(path, text)
  }
}
