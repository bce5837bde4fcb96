// Writes src/views/ai-sdk/ready.ts: a middleware for each dialect that src/dialects/named.ts lists.
import { readFileSync, writeFileSync } from 'node:fs'
import { fileURLToPath } from 'node:url'

const NAMED = new URL('../src/dialects/named.ts', import.meta.url)
const READY = new URL('../src/views/ai-sdk/ready.ts', import.meta.url)

/** The exports of a list of re-exports, with the file of each. @param {string} source */
function exportsOf(source) {
  return [...source.matchAll(/^export \{ (.*) \} from '\.\/(.*)'$/gm)].map(([, names = '', file = '']) => ({
    names: names.split(', '),
    file,
  }))
}

/** @param {string} source of src/dialects/named.ts */
export function middlewaresOf(source) {
  const dialects = exportsOf(source)
  const imports = dialects.map(({ names, file }) => {
    // The options of this dialect have a middleware of their own.
    const all = file === 'hermes.ts' ? [...names, 'jsonMix'] : names
    return `import { ${all.join(', ')} } from '../../dialects/${file}'`
  })
  const names = [...dialects.flatMap(({ names }) => names), 'yamlXml']
  const middlewares = names
    .sort()
    .map(
      (name) => `export const ${name}Middleware = /* @__PURE__ */ createToolMiddleware({ dialect: ${name} })`,
    )
  return `/**
 * A middleware for each dialect. A bundle holds only those it uses.
 *
 * Written by \`npm run docs\` from src/dialects/named.ts.
 */

${imports.join('\n')}
import { yamlXml } from '../../yaml/index.ts'
import type { ToolMiddlewareOptions } from './middleware.ts'
import { createToolMiddleware, type ToolMiddleware } from './versions.ts'

export interface JsonMixOptions extends Omit<ToolMiddlewareOptions, 'dialect'> {
  /** Default \`<tool_call>\`. */
  readonly toolCallStart?: string
  /** Default \`</tool_call>\`. */
  readonly toolCallEnd?: string
}

/** JSON between tags of one's own. */
export function jsonMixMiddleware(options: JsonMixOptions = {}): ToolMiddleware {
  const { toolCallStart: open, toolCallEnd: close, ...rest } = options
  return createToolMiddleware({
    ...rest,
    dialect: jsonMix({ ...(open && { open }), ...(close && { close }) }),
  })
}

${middlewares.join('\n')}
`
}

if (process.argv[1] === fileURLToPath(import.meta.url))
  writeFileSync(READY, middlewaresOf(readFileSync(NAMED, 'utf8')))
