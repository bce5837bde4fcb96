// The tests that need nothing but Node; those that drive real programs have vitest.e2e.config.ts.
import { readFileSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import { defineConfig } from 'vitest/config'

const exportMap: Record<string, string | { default: string }> = JSON.parse(
  readFileSync(new URL('package.json', import.meta.url), 'utf8'),
).exports

/** Each entry of the export map as the source it is built from, so that `import 'sluice/json'` needs no build. */
const alias = Object.entries(exportMap).flatMap(([subpath, target]) => {
  if (typeof target === 'string') return []
  const source = target.default.replace(/^\.\/dist\/(.*)\.js$/, './src/$1.ts')
  return {
    find: new RegExp(`^sluice${subpath.slice(1)}$`),
    replacement: fileURLToPath(new URL(source, import.meta.url)),
  }
})

export default defineConfig({
  resolve: { alias },
  test: {
    include: ['test/**/*.test.ts'],
    exclude: ['test/e2e/**'],
    testTimeout: 30_000,
    hookTimeout: 30_000,
    maxWorkers: 2,
    // Every file would load the library anew, which takes a fifth of all the time.
    isolate: false,
  },
})
