import { readFileSync } from 'node:fs'
import { expect, test } from 'vitest'

test('the lock file pins every package by its contents and names no download address', () => {
  const lock = JSON.parse(readFileSync(new URL('../../package-lock.json', import.meta.url), 'utf8'))
  const packages = Object.entries<{ integrity?: string; resolved?: string }>(lock.packages)
  const installed = packages.filter(([path]) => path !== '')

  expect(installed.length).toBeGreaterThan(0)
  expect(installed.filter(([, it]) => it.resolved !== undefined)).toEqual([])
  // What a package bundles comes with it and has no digest of its own.
  expect(installed.filter(([, it]) => it.integrity === undefined && !('inBundle' in it))).toEqual([])
})
