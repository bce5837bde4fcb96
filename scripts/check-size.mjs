// Checks that what a page would load stays small: each row is bundled, minified and compressed as a server would.
import { fileURLToPath } from 'node:url'
import { gzipSync } from 'node:zlib'
import { build } from 'esbuild'

const root = fileURLToPath(new URL('..', import.meta.url))

/** `limit` is in bytes, compressed. */
const ROWS = [
  {
    name: 'sluice, the parser with one dialect',
    code: "export { createParser } from './src/index.ts'; export { hermes } from './src/dialects/hermes.ts'",
    limit: 36_050,
  },
  {
    name: 'sluice/ai-sdk, middleware with one dialect',
    code: "export { hermesMiddleware } from './src/views/ai-sdk/index.ts'",
    limit: 46_250,
  },
]

/** @param {string} code */
async function sizeOf(code) {
  const { outputFiles } = await build({
    stdin: { contents: code, resolveDir: root, loader: 'ts' },
    bundle: true,
    minify: true,
    format: 'esm',
    target: 'es2022',
    write: false,
    // What is not used must not be in it, so what cannot be resolved is left for the size to tell.
    packages: 'external',
  })
  const [file] = outputFiles
  return gzipSync(file?.contents ?? '', { level: 9 }).length
}

for (const { name, code, limit } of ROWS) {
  const size = await sizeOf(code)
  const isTooBig = size > limit
  console[isTooBig ? 'error' : 'log'](`${name}: ${size} bytes gzipped, at most ${limit}`)
  if (isTooBig) process.exitCode = 1
}
