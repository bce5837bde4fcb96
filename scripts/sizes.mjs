// What a page loads for the typical use of each entry, and the table of it in docs/sizes.md.
//
//   node scripts/sizes.mjs            writes the table
//   node scripts/sizes.mjs --check    fails if an entry differs from the table, or is above its limit
import { readFileSync, writeFileSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import { gzipSync } from 'node:zlib'
import { build } from 'esbuild'
import { entrySources } from './entries.mjs'

const root = fileURLToPath(new URL('..', import.meta.url))
const page = `${root}docs/sizes.md`

/**
 * `code` imports the package by its name. `limit` is in bytes, compressed: it is raised on purpose, by what a feature costs.
 *
 * @type {readonly { entry: string, use: string, code: string, limit?: number }[]}
 */
const ROWS = [
  {
    entry: 'sluice',
    use: 'the parser with one dialect',
    code: "export { createParser } from 'sluice'; export { hermes } from 'sluice/dialects'",
    limit: 47_450,
  },
  {
    entry: 'sluice',
    use: '`sluice` and `prepareCall` with one dialect',
    code: "export { prepareCall, sluice } from 'sluice'; export { hermes } from 'sluice/dialects'",
  },
  {
    entry: 'sluice',
    use: '`MessageFold`, for events that arrive',
    code: "export { MessageFold } from 'sluice'",
  },
  { entry: 'sluice/dialects', use: 'one dialect', code: "export { hermes } from 'sluice/dialects'" },
  {
    entry: 'sluice/dialects',
    use: 'the parser with `detect`',
    code: "export { createParser } from 'sluice'; export { detect } from 'sluice/dialects'",
  },
  {
    entry: 'sluice/dialects',
    use: 'a template of your own',
    code: "export { dialect, wire, name, args } from 'sluice/dialects'",
  },
  { entry: 'sluice/json', use: '`watchObject`', code: "export { watchObject } from 'sluice/json'" },
  { entry: 'sluice/json', use: '`parseJson`', code: "export { parseJson } from 'sluice/json'" },
  { entry: 'sluice/xml', use: '`readElements`', code: "export { readElements } from 'sluice/xml'" },
  {
    entry: 'sluice/schema',
    use: '`validate` and `coerceValue`',
    code: "export { coerceValue, validate } from 'sluice/schema'",
  },
  {
    entry: 'sluice/providers',
    use: '`readProvider` with one provider',
    code: "export { anthropic, readProvider } from 'sluice/providers'",
  },
  {
    entry: 'sluice/providers',
    use: '`toResponse` with one writer',
    code: "export { openaiChatWriter, toResponse } from 'sluice/providers'",
  },
  {
    entry: 'sluice/providers',
    use: '`readEvents`, for a page that gets events',
    code: "export { readEvents } from 'sluice/providers'",
    limit: 1_695,
  },
  {
    entry: 'sluice/requests',
    use: '`readRequest` and `writeRequest` with one format',
    code: "export { anthropicRequest, readRequest, writeRequest } from 'sluice/requests'",
  },
  {
    entry: 'sluice/prompt',
    use: '`promptRequest` with one dialect',
    code: "export { promptRequest } from 'sluice/prompt'; export { hermes } from 'sluice/dialects'",
  },
  {
    entry: 'sluice/grammar',
    use: '`callGrammar` and `toGbnf` with one dialect',
    code: "export { callGrammar, toGbnf } from 'sluice/grammar'; export { hermes } from 'sluice/dialects'",
  },
  {
    entry: 'sluice/templates',
    use: '`detectDialect`, without `@huggingface/jinja`',
    code: "export { detectDialect } from 'sluice/templates'",
  },
  {
    entry: 'sluice/providers/any',
    use: '`readProvider` with any provider',
    code: "export { readProvider } from 'sluice/providers'; export { anyProvider } from 'sluice/providers/any'",
  },
  { entry: 'sluice/segments', use: 'the view', code: "export { createSegmentsView } from 'sluice/segments'" },
  {
    entry: 'sluice/segments',
    use: 'a handler that reads responses',
    code: "export { StreamingResponseHandlerFactory } from 'sluice/segments'",
  },
  { entry: 'sluice/blocks', use: 'the view', code: "export { createBlocksView } from 'sluice/blocks'" },
  { entry: 'sluice/blocks', use: '`speak`', code: "export { speak } from 'sluice/blocks'" },
  { entry: 'sluice/progress', use: '`followCalls`', code: "export { followCalls } from 'sluice/progress'" },
  {
    entry: 'sluice/policy',
    use: '`createPolicy` and `guardEvents`',
    code: "export { createPolicy, guardEvents } from 'sluice/policy'",
  },
  {
    entry: 'sluice/recording',
    use: '`parseRecording` and `replay`',
    code: "export { parseRecording, replay } from 'sluice/recording'",
  },
  {
    entry: 'sluice/turn',
    use: '`runTurn` with one model',
    code: "export { anthropicModel, runTurn } from 'sluice/turn'",
  },
  { entry: 'sluice/terminal', use: 'the view', code: "export { createTerminalView } from 'sluice/terminal'" },
  {
    entry: 'sluice/yaml',
    use: 'the parser with `yaml-xml`',
    code: "export { createParser } from 'sluice'; export { yamlXml } from 'sluice/yaml'",
  },
  {
    entry: 'sluice/ai-sdk',
    use: 'middleware with one dialect',
    code: "export { hermesMiddleware } from 'sluice/ai-sdk'",
    // Of these, 17 kB bring the final input of a call to the types of its schema, and check it.
    limit: 83_850,
  },
  {
    entry: 'sluice/ai-sdk',
    use: '`readUiEvents`, for a page',
    code: "export { readUiEvents } from 'sluice/ai-sdk'",
  },
  {
    entry: 'sluice/ai-sdk/yaml',
    use: 'the middleware of `yaml-xml`',
    code: "export { yamlXmlMiddleware } from 'sluice/ai-sdk/yaml'",
  },
]

/** Sources, so that nothing has to be built before. */
const sources = entrySources(root)

/** @param {string} code */
async function sizeOf(code) {
  const { outputFiles } = await build({
    stdin: { contents: code, resolveDir: root, loader: 'ts' },
    plugins: [
      {
        name: 'entries',
        setup: (bundler) =>
          bundler.onResolve({ filter: /^sluice(\/|$)/ }, ({ path }) => ({
            path: root + sources.get(path),
            // As package.json says; esbuild asks a plugin, and not that file.
            sideEffects: false,
          })),
      },
    ],
    bundle: true,
    minify: true,
    format: 'esm',
    target: 'es2022',
    platform: 'browser',
    write: false,
  })
  return gzipSync(outputFiles[0]?.contents ?? '', { level: 9 }).length
}

/** A size as the table has it. @param {number} bytes */
const inKilobytes = (bytes) => `${(bytes / 1000).toFixed(1)} kB`

/** @param {readonly number[]} sizes */
function tableOf(sizes) {
  const lines = ROWS.map(({ entry, use }, at) => `| \`${entry}\` | ${use} | ${inKilobytes(sizes[at] ?? 0)} |`)
  return ['| entry | a typical use | size |', '| --- | --- | --- |', ...lines].join('\n')
}

/** The rows of the table in the page, by entry and use. */
function writtenSizes() {
  const rows = readFileSync(page, 'utf8').matchAll(/^\| `(sluice[^`]*)` \| (.*) \| ([\d.]+) kB \|$/gm)
  return new Map([...rows].map(([, entry, use, size]) => [`${entry} ${use}`, Number(size) * 1000]))
}

/** Entries that no page loads: they need Node, or a server. */
const SERVER_ENTRIES = ['sluice/log', 'sluice/log/redis', 'sluice/log/nats']

/** How far a size may be from the table before it has to be written again. */
const TOLERANCE = 0.03

/** @param {readonly number[]} sizes */
function problemsOf(sizes) {
  const written = writtenSizes()
  const problems = ROWS.flatMap(({ entry, use, limit }, at) => {
    const size = /** @type {number} */ (sizes[at])
    const known = written.get(`${entry} ${use}`)
    const isFar = known === undefined || Math.abs(size - known) > Math.max(known * TOLERANCE, 100)
    return [
      ...(isFar
        ? [`${entry}, ${use}: ${inKilobytes(size)}, and docs/sizes.md has ${known ?? 'nothing'}.`]
        : []),
      ...(limit !== undefined && size > limit ? [`${entry}, ${use}: ${size} bytes, at most ${limit}.`] : []),
    ]
  })
  if (written.size > ROWS.length) problems.push('docs/sizes.md has rows that are measured no more.')
  const missing = [...sources.keys()].filter(
    (entry) => !SERVER_ENTRIES.includes(entry) && !ROWS.some((row) => row.entry === entry),
  )
  return [...problems, ...missing.map((entry) => `${entry} has no row in scripts/sizes.mjs.`)]
}

const sizes = await Promise.all(ROWS.map(({ code }) => sizeOf(code)))
if (process.argv.includes('--check')) {
  const problems = problemsOf(sizes)
  for (const problem of problems) console.error(problem)
  if (problems.length > 0) process.exitCode = 1
} else {
  const text = readFileSync(page, 'utf8')
  writeFileSync(
    page,
    text.replace(/^\| entry [\s\S]*?\|\n(?!\|)/m, () => `${tableOf(sizes)}\n`),
  )
}
for (const [at, { entry, use }] of ROWS.entries()) console.log(`${entry}, ${use}: ${sizes[at]} bytes`)
