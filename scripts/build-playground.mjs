// Builds dist/playground/: the page, its style and its script, which is a classic one, so that the page opens from disk.
import { copyFileSync, mkdirSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { build } from 'esbuild'

const root = fileURLToPath(new URL('..', import.meta.url))
const source = join(root, 'src', 'playground')

/** @param {string} target */
export async function buildPlayground(target) {
  mkdirSync(target, { recursive: true })
  await build({
    entryPoints: {
      playground: join(source, 'main-script.ts'),
      'playground-style': join(source, 'playground.css'),
    },
    outdir: target,
    bundle: true,
    minify: true,
    format: 'iife',
    target: 'es2022',
    platform: 'browser',
    legalComments: 'none',
    logLevel: 'warning',
  })
  copyFileSync(join(source, 'index.html'), join(target, 'index.html'))
}
