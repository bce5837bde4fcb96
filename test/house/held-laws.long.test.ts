/** A law is left out of `npm run test:laws` only while nothing that it depends on has changed since it held. */

import { spawnSync } from 'node:child_process'
import {
  appendFileSync,
  cpSync,
  mkdirSync,
  mkdtempSync,
  readFileSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs'
import { tmpdir } from 'node:os'
import { delimiter, dirname, join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { build } from 'esbuild'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { entrySources } from '../../scripts/entries.mjs'
import { filesBelow } from '../../scripts/files.mjs'
import { createReach, RECORD } from '../../scripts/law-reach.mjs'
import { MUTANTS } from '../laws/mutants.ts'

const root = fileURLToPath(new URL('../..', import.meta.url))
const LAWS = createReach(root).laws()

/** For each law, the files that esbuild finds by imports. */
async function bundledLaws(): Promise<Map<string, ReadonlySet<string>>> {
  const alias = [...entrySources(root)].map(([entry, file]) => [entry, root + file]).reverse()
  const { metafile } = await build({
    ...{ entryPoints: LAWS, outdir: 'dist', bundle: true, splitting: true, write: false, metafile: true },
    ...{ format: 'esm', platform: 'node', packages: 'external', alias: Object.fromEntries(alias) },
    ...{ absWorkingDir: root, logLevel: 'error' },
  })
  return new Map(
    LAWS.map((law) => {
      const found = new Set([law])
      for (const file of found)
        for (const { path, external } of metafile.inputs[file]!.imports) if (!external) found.add(path)
      return [law, found]
    }),
  )
}

let bundled = new Map<string, ReadonlySet<string>>()
beforeAll(async () => {
  bundled = await bundledLaws()
})

const lawsWith = (file: string): string[] => LAWS.filter((law) => bundled.get(law)?.has(file))

test('the laws are those of test/laws, what is long, and every test of which `npm test` runs a sample', () => {
  expect(LAWS).toEqual(
    expect.arrayContaining([
      'test/engine/message.growth.test.ts',
      'test/house/held-laws.long.test.ts',
      'test/laws/laws-even.test.ts',
      // It takes its sample in a module that it imports.
      'test/providers/renamed.test.ts',
    ]),
  )
  expect(LAWS).not.toContain('test/engine/message.test.ts')
})

test('every file in the bundle of a law is one that it depends on', () => {
  const { reachOf } = createReach(root)
  expect(bundled.get('test/laws/laws-even.test.ts')?.size).toBeGreaterThan(200)
  for (const [law, files] of bundled) {
    const reached = reachOf(law)
    expect([law, [...files].filter((file) => !reached.has(file))]).toEqual([law, []])
  }
})

describe('in a copy of the project', () => {
  const folder = mkdtempSync(join(tmpdir(), 'sluice-held-'))
  const copy = join(folder, 'project')
  const programs = join(folder, 'programs')
  const asked = join(folder, 'asked.jsonl')
  afterAll(() => rmSync(folder, { recursive: true }))

  const own = Object.fromEntries(
    Object.entries(process.env).filter(([name]) => !/^(?:SLUICE_|NODE_OPTIONS$)/.test(name)),
  )

  beforeAll(() => {
    for (const file of filesBelow(root)) {
      mkdirSync(dirname(join(copy, file)), { recursive: true })
      cpSync(join(root, file), join(copy, file))
    }
    // The copy begins as if nothing had ever held.
    rmSync(join(copy, RECORD), { force: true })
    mkdirSync(join(copy, 'node_modules'))
    for (const name of ['typescript', 'vitest'])
      symlinkSync(join(root, 'node_modules', name), join(copy, 'node_modules', name), 'junction')
    // Stands in for Vitest: which files are run is what matters here, not whether their laws hold.
    mkdirSync(programs)
    writeFileSync(
      join(programs, 'vitest'),
      `#!/usr/bin/env node
      require('node:fs').appendFileSync(${JSON.stringify(asked)}, JSON.stringify(process.argv.slice(3)) + '\\n')
      process.exit(Number(process.env.VITEST_STATUS ?? 0))`,
      { mode: 0o755 },
    )
    writeFileSync(join(programs, 'package.json'), '{ "type": "commonjs" }')
  })

  /** Runs the command in the copy. `runs`: the arguments of each run of Vitest. */
  function testLaws(args: readonly string[] = [], env: NodeJS.ProcessEnv = {}) {
    writeFileSync(asked, '')
    const path = [programs, process.env.PATH].join(delimiter)
    const { status, stdout, stderr } = spawnSync(process.execPath, ['scripts/test-laws.mjs', ...args], {
      cwd: copy,
      encoding: 'utf8',
      env: { ...own, PATH: path, ...env },
    })
    expect(stderr).toBe('')
    const lines = readFileSync(asked, 'utf8').split('\n').filter(Boolean)
    return { status, stdout, runs: lines.map((line): string[] => JSON.parse(line)) }
  }

  /** The runs of Vitest after a change to a file of the copy. */
  function runsWith(file: string, change: (path: string) => void): string[][] {
    const path = join(copy, file)
    const before = readFileSync(path)
    change(path)
    const { runs } = testLaws()
    writeFileSync(path, before)
    return runs
  }

  const addLine = (path: string): void => appendFileSync(path, '\n')

  test('all laws run until all hold, and none after that as long as nothing changes', () => {
    expect(testLaws(['--all'], { VITEST_STATUS: '1' }).status).toBe(1)
    expect(testLaws().runs[0]).toEqual(LAWS)
    expect(testLaws(['--all'], { SLUICE_SEED: '7' }).status).toBe(0)
    expect(testLaws().runs[0]).toEqual(LAWS)
    expect(testLaws(['--all']).runs[0]).toEqual(LAWS)
    const { status, stdout, runs } = testLaws()
    expect({ status, runs }).toEqual({ status: 0, runs: [] })
    expect(stdout).toContain(`${LAWS.length} of ${LAWS.length} files of laws left out`)
  })

  const mutants = new Map(MUTANTS.map((mutant) => [mutant.file, mutant]))
  test.each([...mutants.values()].slice(0, 3).map((mutant) => [mutant.mistake, mutant] as const))(
    'every law that depends on the changed file runs, with an engine that %s',
    (_, { file, from, to }) => {
      const changed = `src/${file}`
      const dependent = lawsWith(changed)
      expect(dependent).toContain('test/laws/laws-even.test.ts')
      const [full = [], derived = []] = runsWith(changed, (path) =>
        writeFileSync(
          path,
          readFileSync(path, 'utf8').replace(from, () => to),
        ),
      )
      expect(full).toEqual(expect.arrayContaining(dependent))
      expect(derived).toEqual(expect.arrayContaining(['-t', 'derived:', 'test/laws/laws-even.test.ts']))
      expect(full).not.toContain('test/values/schema/ends.long.test.ts')
    },
  )

  test('a change to a fixture, a helper, the lock file or the configuration counts, too', () => {
    expect(runsWith('test/providers/fixtures/openai-chat.sse', addLine)[0]).toContain(
      'test/providers/network.test.ts',
    )
    expect(runsWith('test/effort.ts', addLine)[0]).toEqual(expect.arrayContaining(lawsWith('test/effort.ts')))
    expect(runsWith('package-lock.json', addLine)[0]).toEqual(LAWS)
    expect(runsWith('vitest.config.ts', addLine)[0]).toEqual(LAWS)
  })

  test('a change to a view runs no law of the engine', () => {
    const [full] = runsWith('src/views/compat/blocks/index.ts', addLine)
    expect(full).toContain('test/laws/views.test.ts')
    expect(full).not.toContain('test/laws/laws-even.test.ts')
  })

  test('with another seed every law runs', () => {
    expect(testLaws([], { SLUICE_SEED: '7' }).runs[0]).toEqual(LAWS)
  })

  test('a file that is named on the command line runs even if it held', () => {
    expect(testLaws(['test/values/json']).runs).toEqual([['test/values/json']])
  })

  test.each([
    ['fails if it reads a file that it does not list', 'nothing', 1],
    ['passes if it lists what it reads', 'LICENSE', 0],
  ])('a law %s', (_, listed, status) => {
    const law = 'test/laws/curious.test.ts'
    writeFileSync(
      join(copy, law),
      `// @reads ${listed}
      import { openSync } from 'node:fs'
      import { test } from 'vitest'
      try { openSync(new URL('../../LICENSE', import.meta.url)) } catch {}
      test('passes', () => {})`,
    )
    const reach = join(folder, 'reach.json')
    writeFileSync(reach, JSON.stringify({ [law]: [...createReach(copy).reachOf(law)] }))
    const vitest = join(root, 'node_modules/vitest/vitest.mjs')
    const run = spawnSync(process.execPath, [vitest, 'run', law], {
      cwd: copy,
      encoding: 'utf8',
      env: { ...own, SLUICE_REACH: reach },
    })
    rmSync(join(copy, law))
    expect(run.stderr).toContain(status === 0 ? '' : `${law} reads files`)
    expect(run.status).toBe(status)
  })
})
