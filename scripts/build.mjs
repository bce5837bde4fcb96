// Builds dist/ from src/: one module and one declaration file for each source file of the library, and the command in
// few files, because each module of a program costs time when it starts. Does nothing if dist/ was built from these
// sources; --force builds anyway.
//
// A module is its source with the types and the doc comments blanked out: lines and columns stay where they were, so
// source maps are not needed; with the sources they were more than half of the package. Doc comments are in the
// declarations, and only declarations that an entry reaches are kept.
import { spawnSync } from 'node:child_process'
import { createHash } from 'node:crypto'
import { chmodSync, existsSync, mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { createRequire } from 'node:module'
import { dirname, join } from 'node:path'
import { fileURLToPath } from 'node:url'
import * as esbuild from 'esbuild'
import { blankSourceFile } from 'ts-blank-space'
import ts from 'typescript'
import { buildPlayground } from './build-playground.mjs'
import { filesBelow } from './files.mjs'

const root = fileURLToPath(new URL('..', import.meta.url))
const source = join(root, 'src')
const dist = join(root, 'dist')
const command = join(dist, 'cli', 'main.js')
const require = createRequire(import.meta.url)
/** Outside dist/, which is published. */
const stamp = join(root, 'node_modules', '.cache', 'sluice', 'built-from')

/** A digest of everything that dist/ depends on. */
function digestOfSources() {
  const digest = createHash('sha256').update(
    `${require('typescript/package.json').version} ${esbuild.version}`,
  )
  const others = [
    'tsconfig.json',
    'tsconfig.build.json',
    'scripts/build.mjs',
    'scripts/build-playground.mjs',
    'scripts/files.mjs',
    'package-lock.json',
  ]
  for (const file of [...filesBelow(root, 'src'), ...others])
    digest.update(`\0${file}\0`).update(readFileSync(join(root, file)))
  return digest.digest('hex')
}

/**
 * esbuild puts modules into one file if the same entries reach them, and each `import()` is an entry: with one for each
 * command, what the commands share comes in dozens of files. Here each entry reaches all that the command loads at its
 * start, so that this is one file.
 */
const oneFileAtStart = {
  name: 'one-file-at-start',
  /** @param {import('esbuild').PluginBuild} build */
  setup(build) {
    const start = JSON.stringify(join(source, 'apps', 'cli', 'run.ts'))
    build.onResolve({ filter: /^\./ }, ({ kind, path, resolveDir }) =>
      kind === 'dynamic-import' && resolveDir.startsWith(source)
        ? { path: join(resolveDir, path), namespace: 'lazy' }
        : undefined,
    )
    build.onLoad({ filter: /./, namespace: 'lazy' }, ({ path }) => ({
      contents: `export * from ${JSON.stringify(path)}; export { run as loadedAtStart } from ${start}`,
      resolveDir: source,
    }))
  },
}

/**
 * prom-client requires OpenTelemetry for exemplars, which the gateway does not use: without this, the command would not
 * start where users have not installed it.
 */
const withoutExemplars = {
  name: 'without-exemplars',
  /** @param {import('esbuild').PluginBuild} build */
  setup(build) {
    build.onResolve({ filter: /^@opentelemetry\/api$/ }, ({ kind, path }) =>
      kind === 'require-call' ? { path, namespace: 'absent' } : undefined,
    )
    build.onLoad({ filter: /./, namespace: 'absent' }, () => ({ contents: 'module.exports = {}' }))
  },
}

/** Only the names of our own functions are worth their bytes in a stack trace. */
const minifiedPackages = {
  name: 'minified-packages',
  /** @param {import('esbuild').PluginBuild} build */
  setup(build) {
    build.onLoad({ filter: /[\\/]node_modules[\\/].*\.[cm]?js$/ }, async ({ path }) => {
      const { code } = await esbuild.transform(readFileSync(path, 'utf8'), {
        minify: true,
        target: 'node20.19',
        legalComments: 'inline',
      })
      return { contents: code }
    })
  },
}

/** Imports of './event.ts' as imports of './event.js', which is just as long. @param {string} code */
const withBuiltImports = (code) =>
  code.replace(/((?:from |import |import\()['"]\.[^'"]*)\.ts(?=['"])/g, '$1.js')

/** A source without its types and the comments in front of its statements. @param {string} file */
function moduleOf(file) {
  const text = readFileSync(file, 'utf8')
  const parsed = ts.createSourceFile(file, text, ts.ScriptTarget.ESNext, true)
  const untyped = blankSourceFile(parsed, (node) => {
    throw new Error(`${file} holds TypeScript that is more than types: ${node.getText()}`)
  })
  const blanked = withoutComments(untyped, parsed)
  // White space at the end of a line, where types stood; in a template it would be there before.
  const before = text.split('\n')
  const lines = blanked.split('\n')
  return lines.map((line, at) => (/\s$/.test(before[at] ?? '') ? line : line.trimEnd())).join('\n')
}

/**
 * Comments as white space, except for those that bundlers read, such as `@__PURE__`. The code has the length of its source.
 * @param {string} code @param {ts.SourceFile} parsed
 */
function withoutComments(code, parsed) {
  /** @type {Map<number, number>} */
  const found = new Map()
  /** @param {ts.Node} node */
  const visit = (node) => {
    for (const { pos, end } of ts.getLeadingCommentRanges(parsed.text, node.getFullStart()) ?? [])
      if (/^\/(\/|\*\*)/.test(parsed.text.slice(pos, pos + 3))) found.set(pos, end)
    ts.forEachChild(node, visit)
  }
  visit(parsed)
  for (const [pos, end] of found)
    code = code.slice(0, pos) + code.slice(pos, end).replace(/[^\r\n]/g, ' ') + code.slice(end)
  return code
}

/** The declarations that users' compilers read: those of the entries, and what these import. @returns {Set<string>} */
function reachedDeclarations() {
  /** @type {Record<string, { types: string } | string>} */
  const exported = JSON.parse(readFileSync(join(root, 'package.json'), 'utf8')).exports
  const reached = new Set(
    Object.values(exported).flatMap((target) => (typeof target === 'string' ? [] : join(root, target.types))),
  )
  for (const file of reached)
    for (const [, imported] of readFileSync(file, 'utf8').matchAll(
      /(?:from |import |import\()['"](\.[^'"]*)\.ts['"]/g,
    ))
      reached.add(join(dirname(file), `${imported}.d.ts`))
  return reached
}

async function build() {
  rmSync(dist, { recursive: true, force: true })
  const { status } = spawnSync(
    process.execPath,
    [require.resolve('typescript/bin/tsc'), '-p', 'tsconfig.build.json'],
    { cwd: root, stdio: 'inherit' },
  )
  if (status !== 0) process.exit(status ?? 1)

  const reached = reachedDeclarations()
  for (const name of filesBelow(dist)) {
    if (!name.endsWith('.d.ts')) continue
    const file = join(dist, name)
    const path = name.slice(0, -'.d.ts'.length)
    writeFileSync(join(dist, `${path}.js`), withBuiltImports(moduleOf(join(source, `${path}.ts`))))
    if (reached.has(file)) writeFileSync(file, withBuiltImports(readFileSync(file, 'utf8')))
    else rmSync(file)
  }
  // What only some uses of the command need is imported when they need it, and so is in files of its own.
  await esbuild.build({
    entryPoints: [join(source, 'apps', 'cli', 'main.ts')],
    outdir: dirname(command),
    bundle: true,
    splitting: true,
    plugins: [oneFileAtStart, withoutExemplars, minifiedPackages],
    // What users install by themselves. Everything else that the gateway needs is in the bundle, so that `sluice serve`
    // works without installing anything.
    external: [
      'eventsource-parser',
      'yaml',
      'ioredis',
      '@nats-io/*',
      '@opentelemetry/api',
      '@huggingface/jinja',
    ],
    // Packages in the bundle that are no modules require parts of Node.
    banner: {
      js: "import { createRequire as sluiceRequire } from 'node:module'; const require = sluiceRequire(import.meta.url);",
    },
    legalComments: 'linked',
    format: 'esm',
    platform: 'node',
    target: 'node20.19',
    // Our names stay, so that a stack trace can be read.
    minifyWhitespace: true,
    minifySyntax: true,
    logLevel: 'warning',
  })
  chmodSync(command, 0o755)
  await buildPlayground(join(dist, 'playground'))
}

const wanted = digestOfSources()
const isBuilt =
  !process.argv.includes('--force') &&
  existsSync(command) &&
  existsSync(stamp) &&
  readFileSync(stamp, 'utf8') === wanted

if (!isBuilt) {
  console.log('Building …')
  const start = Date.now()
  rmSync(stamp, { force: true })
  await build()
  mkdirSync(dirname(stamp), { recursive: true })
  writeFileSync(stamp, wanted)
  console.log(`Built in ${Math.round((Date.now() - start) / 1000)} s.`)
}
