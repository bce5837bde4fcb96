import { readFileSync } from 'node:fs'
import { expect, test } from 'vitest'
import { problemsOfLockFile } from '../../scripts/check-lock-files.mjs'

const binaries = {
  optionalDependencies: { 'tool-linux': '1.0.0', 'tool-darwin': '1.0.0' },
  integrity: 'sha512-a',
}

test.each([[''], ['checks/'], ['test/e2e/'], ['bench/']])(
  'every platform can install from %spackage-lock.json',
  (folder) => {
    const lock = JSON.parse(
      readFileSync(new URL(`../../${folder}package-lock.json`, import.meta.url), 'utf8'),
    )
    expect(Object.keys(lock.packages).length).toBeGreaterThan(1)
    expect(problemsOfLockFile(lock)).toEqual([])
  },
)

test('a binary that the lock file leaves out is a problem, wherever npm would put it', () => {
  const packages = {
    '': {},
    'node_modules/tool': binaries,
    'node_modules/tool-linux': { integrity: 'sha512-b' },
    'node_modules/a/node_modules/tool': binaries,
    'node_modules/a/node_modules/tool-darwin': { integrity: 'sha512-c' },
  }
  expect(problemsOfLockFile({ packages })).toEqual([
    'node_modules/tool needs tool-darwin on some platform, which is not listed.',
  ])
})

test('a package without a digest and one with an address are problems', () => {
  const packages = {
    '': {},
    'node_modules/a': { integrity: 'sha512-a', resolved: 'https://example.org/a.tgz' },
    'node_modules/b': {},
    'node_modules/b/node_modules/c': { inBundle: true },
  }
  expect(problemsOfLockFile({ packages })).toEqual([
    'node_modules/a names a download address.',
    'node_modules/b is not pinned by its contents.',
  ])
})
