// Writes src/views/ai-sdk/ready.ts: a middleware for each dialect that src/dialects/named-dialects.ts lists.
import { readFileSync, writeFileSync } from 'node:fs'
import { fileURLToPath } from 'node:url'

const NAMED = new URL('../src/dialects/named-dialects.ts', import.meta.url)
const READY = new URL('../src/views/ai-sdk/ready.ts', import.meta.url)

/** The exports of a list of re-exports, with the file of each. @param {string} source */
function exportsOf(source) {
  return [...source.matchAll(/^export \{ (.*) \} from '\.\/(.*)'$/gm)].map(([, names = '', file = '']) => ({
    names: names.split(', '),
    file,
  }))
}

/** @param {string} source of src/dialects/named-dialects.ts */
export function middlewaresOf(source) {
  const dialects = exportsOf(source)
  const imports = dialects.map(
    ({ names, file }) => `import { ${names.join(', ')} } from '../../dialects/${file}'`,
  )
  const middlewares = dialects
    .flatMap(({ names }) => names)
    .sort()
    .map(
      (name) => `/** Gives a model tool calls in the dialect \`${name}\`. */
export const ${name}Middleware = /* @__PURE__ */ createToolMiddleware({ dialect: ${name} })`,
    )
  return `/**
 * A middleware for each dialect. A bundle holds only those it uses.
 *
 * Written by \`npm run docs\` from src/dialects/named-dialects.ts.
 */

${imports.join('\n')}
import { createToolMiddleware } from './versions.ts'

${middlewares.join('\n')}
`
}

if (process.argv[1] === fileURLToPath(import.meta.url))
  writeFileSync(READY, middlewaresOf(readFileSync(NAMED, 'utf8')))
