// Builds dist/playground/: the page, its style and its scripts.
//
// Scripts from disk have to be classic ones, which import nothing. Parts of the page that are loaded later
// (src/apps/playground/parts.ts) share most of their code with the page's own script: modules are split as for imports first,
// and then what is shared is put into the page's script, which hands it on in a global variable.
import { copyFileSync, mkdirSync } from 'node:fs'
import { basename, join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { build } from 'esbuild'

const root = fileURLToPath(new URL('..', import.meta.url))
const source = join(root, 'src', 'apps', 'playground')

/** The page's own script, and those of its parts. */
const PAGE = 'playground.js'
const SCRIPTS = {
  playground: join(source, 'main-script.ts'),
  'playground-providers': join(source, 'providers-part.ts'),
  'playground-templates': join(source, 'templates-part.ts'),
}
const SHARED = 'globalThis.sluicePlayground'

/** @type {import('esbuild').BuildOptions} */
const COMMON = {
  bundle: true,
  minify: true,
  target: 'es2022',
  platform: 'browser',
  legalComments: 'none',
  logLevel: 'warning',
}

/** @typedef {{ readonly text: string, readonly exports: readonly string[] }} Module */

/** @param {string} target */
export async function buildPlayground(target) {
  mkdirSync(target, { recursive: true })
  const modules = await splitModules()
  const shared = [...modules.keys()].filter((name) => name.startsWith('chunk-'))
  for (const name of modules.keys()) {
    if (shared.includes(name)) continue
    const isPage = name === PAGE
    await build({
      ...COMMON,
      stdin: { contents: `${isPage ? sharing(modules, shared) : ''} import './${name}'` },
      plugins: [fromModules(modules, isPage ? [] : shared)],
      format: 'iife',
      outfile: join(target, name),
    })
  }
  const style = { 'playground-style': join(source, 'playground.css') }
  await build({ ...COMMON, entryPoints: style, outdir: target })
  copyFileSync(join(source, 'index.html'), join(target, 'index.html'))
}

/** A module for each script, and for what several of them share, by name. */
async function splitModules() {
  const { outputFiles, metafile } = await build({
    ...COMMON,
    entryPoints: SCRIPTS,
    splitting: true,
    format: 'esm',
    outdir: source,
    write: false,
    metafile: true,
  })
  const exported = Object.entries(metafile.outputs).map(
    ([path, { exports }]) => /** @type {const} */ ([basename(path), exports]),
  )
  const exports = new Map(exported)
  /** @type {[string, Module][]} */
  const modules = outputFiles.map(({ path, text }) => {
    const name = basename(path)
    return [name, { text, exports: exports.get(name) ?? [] }]
  })
  return new Map(modules)
}

/** Hands on what is shared. @param {ReadonlyMap<string, Module>} modules @param {readonly string[]} shared */
function sharing(modules, shared) {
  const names = shared.map((name) => modules.get(name)?.exports ?? [])
  const imports = shared.map(
    (name, at) => `import { ${names[at]?.map((one) => `${one} as ${one}_${at}`)} } from './${name}'`,
  )
  const fields = shared.map(
    (name, at) => `${JSON.stringify(name)}: { ${names[at]?.map((one) => `${one}: ${one}_${at}`)} }`,
  )
  return `${imports.join('\n')}\n${SHARED} = { ${fields} }\n`
}

/**
 * Imports between these modules; those in `given` come from the global variable.
 *
 * @param {ReadonlyMap<string, Module>} modules
 * @param {readonly string[]} given
 * @returns {import('esbuild').Plugin}
 */
function fromModules(modules, given) {
  return {
    name: 'from-modules',
    setup(setUp) {
      setUp.onResolve({ filter: /^\.\// }, ({ path }) => ({ path: basename(path), namespace: 'modules' }))
      setUp.onLoad({ filter: /./, namespace: 'modules' }, ({ path }) => {
        const { text, exports } = /** @type {Module} */ (modules.get(path))
        const contents = given.includes(path)
          ? `export const { ${exports} } = ${SHARED}[${JSON.stringify(path)}]`
          : text
        return { contents }
      })
    },
  }
}
