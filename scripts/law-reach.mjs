// What each of the long laws depends on: the files that can change its outcome, and a digest of them.
//
// A law depends on what it imports, directly or through other modules. A test module that can read files, or start a program
// that does, lists them in its comment: `@reads src/ docs/verdicts.md`. Without that line, the law depends on every file of the
// project. With `npm run test:laws -- --all`, a law fails if its own process reads any other file (test/laws/read-guard.ts); what a
// program that it starts reads must be listed.
import { createHash } from 'node:crypto'
import { existsSync, readFileSync, statSync } from 'node:fs'
import { join, posix } from 'node:path'
import ts from 'typescript'
import { entrySources } from './entries.mjs'
import { filesBelow } from './files.mjs'

/** The digests of the laws that held. */
export const RECORD = 'test/laws/held.json'

/** Every law depends on these, on the version of Node, and on the platform. */
const ALWAYS = [
  'package.json',
  'package-lock.json',
  'tsconfig.json',
  'vitest.config.ts',
  'scripts/entries.mjs',
  'scripts/files.mjs',
  'scripts/law-reach.mjs',
  'scripts/test-laws.mjs',
  'test/brief-reporter.ts',
  'test/count-blocks.ts',
  'test/laws/read-guard.ts',
]

/** Modules and expressions by which a module can read a file without importing it. */
const READING_MODULES =
  /^(?:node:)?(?:fs|fs\/promises|child_process|worker_threads|module|vm)$|^(?:esbuild|vite|typescript|vitest\/node)$/
const HIDDEN_READING = /\bimport\s*\((?!\s*['"])|\bimport\.meta\.glob\b|\brequire\s*\(/

/**
 * What a module imports, and the files and folders that it may read, as paths from the root.
 *
 * @typedef {{ imports: string[], reads: string[] }} Module
 */

/** @param {string} root */
export function createReach(root) {
  const entries = entrySources(root)
  /** @type {Map<string, Module>} */
  const modules = new Map()
  /** @type {Map<string, string>} */
  const hashes = new Map()

  /** @param {string} file @returns {Module} */
  function moduleOf(file) {
    const known = modules.get(file)
    if (known !== undefined) return known
    const text = readFileSync(join(root, file), 'utf8')
    const specifiers = ts.preProcessFile(text, true, true).importedFiles.map(({ fileName }) => fileName)
    const imports = specifiers.flatMap((specifier) =>
      specifier.startsWith('.') ? posix.join(posix.dirname(file), specifier) : (entries.get(specifier) ?? []),
    )
    for (const path of imports)
      if (!existsSync(join(root, path))) throw new Error(`${file} imports ${path}, which is not there.`)
    const module = { imports, reads: listedIn(text) ?? (canRead(file, text, specifiers) ? ['./'] : []) }
    modules.set(file, module)
    return module
  }

  /** The modules that run with a test, by what they import and what they list as files. @param {string} test */
  function modulesOf(test) {
    const found = new Set([test])
    for (const file of found) {
      const { imports, reads } = moduleOf(file)
      for (const path of [...imports, ...reads]) if (/\.(?:tsx?|mjs)$/.test(path)) found.add(path)
    }
    return found
  }

  /** @param {string} path a file, or a folder */
  function filesAt(path) {
    if (!statSync(join(root, path)).isDirectory()) return [path]
    return filesBelow(root, path).filter((file) => file !== RECORD)
  }

  /** Every file that a law depends on. @param {string} law */
  function reachOf(law) {
    const reached = new Set(ALWAYS)
    for (const file of modulesOf(law)) {
      const { imports, reads } = moduleOf(file)
      for (const path of [file, ...imports, ...reads.flatMap(filesAt)]) reached.add(path)
    }
    return reached
  }

  /** @param {string} file */
  function hashOf(file) {
    const hash =
      hashes.get(file) ??
      createHash('sha256')
        .update(readFileSync(join(root, file)))
        .digest('hex')
    hashes.set(file, hash)
    return hash
  }

  return {
    reachOf,

    /** The laws, tests that take too long for `npm test` or measure time, and tests of which `npm test` runs a sample. */
    laws: () =>
      filesBelow(root, 'test').filter(
        (file) =>
          file.endsWith('.test.ts') &&
          !file.startsWith('test/e2e/') &&
          (/^test\/laws\/|\.(?:long|growth)\.test\.ts$/.test(file) || modulesOf(file).has('test/effort.ts')),
      ),

    /** The digest of everything that a law depends on. @param {string} law */
    digestOf(law) {
      const { version, platform, arch } = process
      const digest = createHash('sha256').update(`${version} ${platform} ${arch}`)
      for (const file of [...reachOf(law)].sort()) digest.update(`\n${file} ${hashOf(file)}`)
      return digest.digest('hex')
    },
  }
}

/** What a module lists behind `@reads`. `nothing` says that it could read files of the project but does not. @param {string} text */
function listedIn(text) {
  const lines = [...text.matchAll(/^ *(?:\*|\/\/) @reads ([^\n*]+)/gm)]
  if (lines.length === 0) return undefined
  return lines.flatMap(([, paths = '']) => paths.trim().split(/\s+/)).filter((path) => path !== 'nothing')
}

/**
 * The library reads no file of the project but `package.json` and those that tests give it, and they list them.
 *
 * @param {string} file @param {string} text @param {readonly string[]} specifiers
 */
function canRead(file, text, specifiers) {
  if (file.startsWith('src/')) return false
  return specifiers.some((specifier) => READING_MODULES.test(specifier)) || HIDDEN_READING.test(text)
}
