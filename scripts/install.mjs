// Installs the locked dependencies of the packages named on the command line (the project itself without a name) where
// what is installed is not what the lock file says. Uses only Node itself.
//
//   node scripts/install.mjs [FOLDER…]
import { spawnSync } from 'node:child_process'
import { existsSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'

const root = fileURLToPath(new URL('..', import.meta.url))

/** @typedef {{ version?: string, integrity?: string, optional?: boolean }} Locked */

/** The packages that a lock file lists, by their place. @param {string} file @returns {Record<string, Locked>} */
function packagesIn(file) {
  try {
    return JSON.parse(readFileSync(file, 'utf8')).packages ?? {}
  } catch {
    return {}
  }
}

/** npm keeps a lock file of its own in node_modules, which lists what is installed. @param {string} folder */
function isInstalled(folder) {
  const modules = join(folder, 'node_modules')
  const installed = packagesIn(join(modules, '.package-lock.json'))
  return Object.entries(packagesIn(join(folder, 'package-lock.json'))).every(([place, wanted]) => {
    if (place === '') return true
    const found = installed[place]
    // Binaries for other platforms are optional and not installed.
    if (found === undefined) return wanted.optional === true
    return found.integrity === wanted.integrity && existsSync(join(folder, place))
  })
}

/** @param {string} folder */
function install(folder) {
  // No package of ours needs an install script.
  const args = ['ci', '--ignore-scripts', '--no-audit', '--no-fund', '--loglevel', 'error']
  const start = Date.now()
  const { status } = spawnSync('npm', args, {
    cwd: folder,
    stdio: ['ignore', 'inherit', 'inherit'],
    shell: process.platform === 'win32',
  })
  if (status !== 0) {
    console.error(`npm could not install the dependencies; its message is above. (npm ${args.join(' ')})`)
    process.exit(status ?? 1)
  }
  console.log(`Installed in ${Math.round((Date.now() - start) / 1000)} s.`)
}

const names = process.argv.slice(2)
for (const name of names.length === 0 ? ['.'] : names) {
  const folder = join(root, name)
  if (isInstalled(folder)) continue
  console.log(`Installing dependencies${name === '.' ? '' : ` of ${name}`} …`)
  install(folder)
}
