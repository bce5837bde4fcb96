// The files of the project.
import { readdirSync, readFileSync } from 'node:fs'
import { join, posix } from 'node:path'
import { fileURLToPath } from 'node:url'

/** Matches what .gitignore lists: `name/` and `*.log` anywhere, `docs/name/` at the root. */
const IGNORED = [
  '.git',
  ...readFileSync(fileURLToPath(new URL('../.gitignore', import.meta.url)), 'utf8').split('\n'),
]
  .filter((pattern) => pattern !== '')
  .map((pattern) => {
    const path = pattern.replace(/\/$/, '').replaceAll('.', '\\.').replaceAll('*', '[^/]*')
    return new RegExp(`${path.includes('/') ? '^' : '(?:^|/)'}${path}$`)
  })

/**
 * The files of a folder and of all folders in it but those that git ignores, as paths from the root: `src/base/event.ts`.
 *
 * @param {string} root @param {string} [folder] @returns {string[]}
 */
export function filesBelow(root, folder = '') {
  return readdirSync(join(root, folder), { withFileTypes: true })
    .flatMap((entry) => {
      const path = posix.join(folder, entry.name)
      if (IGNORED.some((pattern) => pattern.test(path))) return []
      return entry.isDirectory() ? filesBelow(root, path) : path
    })
    .sort()
}
