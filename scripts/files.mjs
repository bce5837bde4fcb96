// The files of the project.
import { readdirSync } from 'node:fs'
import { join, posix } from 'node:path'

const GENERATED_FOLDERS = new Set(['.git', 'node_modules', 'dist', 'coverage'])

/** Whether a path is below a folder whose contents are installed or built. @param {string} path */
export function isGenerated(path) {
  return /^docs\/api(?:\/|$)/.test(path) || path.split('/').some((name) => GENERATED_FOLDERS.has(name))
}

/**
 * The files of a folder and of all folders in it, as paths from the root: `src/base/event.ts`.
 *
 * @param {string} root @param {string} [folder] @returns {string[]}
 */
export function filesBelow(root, folder = '') {
  return readdirSync(join(root, folder), { withFileTypes: true })
    .flatMap((entry) => {
      const path = posix.join(folder, entry.name)
      if (!entry.isDirectory()) return path
      return isGenerated(path) ? [] : filesBelow(root, path)
    })
    .sort()
}
