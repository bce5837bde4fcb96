/**
 * The runtime of BAML. Its binaries are a package for each platform, which a registry may not have for all of them, so that a
 * lock file cannot pin them: it is installed here, in this version, and nowhere else.
 */

import { spawnSync } from 'node:child_process'
import { fileURLToPath } from 'node:url'

export const BAML_VERSION = '0.226.2'

const bench = fileURLToPath(new URL('..', import.meta.url))

/** Loads it, and installs it before if it is not there in this version. */
export async function loadBaml() {
  if ((await installed()) !== BAML_VERSION) {
    const wanted = `@boundaryml/baml@${BAML_VERSION}`
    const args = [
      'install',
      '--no-save',
      '--no-package-lock',
      '--ignore-scripts',
      '--loglevel',
      'error',
      wanted,
    ]
    const { status } = spawnSync('npm', args, { cwd: bench, stdio: 'inherit' })
    if (status !== 0) throw new Error(`npm could not install ${wanted}.`)
  }
  return (await import('@boundaryml/baml')).default
}

async function installed() {
  try {
    const { default: manifest } = await import('@boundaryml/baml/package.json', { with: { type: 'json' } })
    return manifest.version
  } catch {
    return undefined
  }
}
