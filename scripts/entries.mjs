// The entries of the package.
//
// @reads package.json
import { readFileSync } from 'node:fs'
import { join, posix } from 'node:path'

/**
 * The source of each entry of the package, by the name that users import: `sluice/json` is `src/values/json/index.ts`.
 *
 * @param {string} root @returns {Map<string, string>}
 */
export function entrySources(root) {
  /** @type {{ name: string, exports: Record<string, string | { default: string }> }} */
  const { name, exports } = JSON.parse(readFileSync(join(root, 'package.json'), 'utf8'))
  return new Map(
    Object.entries(exports).flatMap(([subpath, target]) =>
      typeof target === 'string'
        ? []
        : [[posix.join(name, subpath), target.default.replace(/^\.\/dist\/(.*)\.js$/, 'src/$1.ts')]],
    ),
  )
}
