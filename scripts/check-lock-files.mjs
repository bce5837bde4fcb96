// Checks the lock files: each pins its packages by their contents, names no download address, and lists the optional
// binaries of every platform, without which `npm ci` fails on those platforms.
//
//   node scripts/check-lock-files.mjs [FILE…]
import { readFileSync } from 'node:fs'
import { fileURLToPath } from 'node:url'

const LOCK_FILES = ['', 'checks/', 'test/e2e/', 'bench/'].map((folder) => `${folder}package-lock.json`)

/**
 * @typedef {{
 *   resolved?: string, integrity?: string, inBundle?: boolean, optionalDependencies?: Record<string, string>
 * }} Locked
 */

/** Whether a package finds another: in its own node_modules, or in one above it. @param {string} place @param {string} name @param {Record<string, Locked>} packages */
function finds(place, name, packages) {
  for (let above = place; ; above = above.slice(0, Math.max(0, above.lastIndexOf('node_modules/') - 1))) {
    if (packages[`${above}${above === '' ? '' : '/'}node_modules/${name}`] !== undefined) return true
    if (above === '') return false
  }
}

/** What is wrong with a lock file, one sentence each. @param {{ packages: Record<string, Locked> }} lock */
export function problemsOfLockFile({ packages }) {
  const problems = []
  for (const [place, locked] of Object.entries(packages)) {
    if (locked.resolved !== undefined) problems.push(`${place} names a download address.`)
    // What a package bundles comes with it and has no digest of its own.
    if (place !== '' && locked.integrity === undefined && !locked.inBundle)
      problems.push(`${place} is not pinned by its contents.`)
    for (const name of Object.keys(locked.optionalDependencies ?? {}))
      if (!finds(place, name, packages))
        problems.push(`${place} needs ${name} on some platform, which is not listed.`)
  }
  return problems
}

if (process.argv[1] === fileURLToPath(import.meta.url)) {
  const given = process.argv.slice(2)
  const root = fileURLToPath(new URL('..', import.meta.url))
  for (const file of given.length > 0 ? given : LOCK_FILES.map((name) => root + name)) {
    const problems = problemsOfLockFile(JSON.parse(readFileSync(file, 'utf8')))
    for (const problem of problems) console.error(`${file}: ${problem}`)
    if (problems.length > 0) process.exitCode = 1
  }
}
