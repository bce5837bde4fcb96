// Installs the locked dependencies when they are missing or older than the lock file; uses only Node itself.
import { spawnSync } from 'node:child_process'
import { statSync } from 'node:fs'
import { fileURLToPath } from 'node:url'

const root = fileURLToPath(new URL('..', import.meta.url))

/** @param {string} file */
const changedAt = (file) => statSync(root + file, { throwIfNoEntry: false })?.mtimeMs ?? 0

// npm writes both files in the same moment, in no certain order: a second of slack keeps them equal.
const isUpToDate = changedAt('node_modules/.package-lock.json') + 1000 > changedAt('package-lock.json')

if (!isUpToDate) {
  console.log('Installing dependencies')
  // Not `npm ci`: it refuses to start where a registry lacks the optional binaries of other platforms.
  // With --no-save the lock file decides the versions and stays as it is.
  const { status } = spawnSync('npm', ['install', '--no-save'], {
    cwd: root,
    stdio: 'inherit',
    shell: process.platform === 'win32',
  })
  process.exit(status ?? 1)
}
