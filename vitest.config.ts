// The tests that need nothing but npm: `npm test` takes a sample of every law, `npm run test:laws` everything.
import { readFileSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import { defineConfig } from 'vitest/config'
import BriefReporter from './test/brief-reporter.ts'

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

/** A busy machine is slow, and no test fails because of that. */
export const PATIENCE = 10 * 60_000

const common = { testTimeout: PATIENCE, hookTimeout: PATIENCE, exclude: ['test/e2e/**'] }
const isLong = process.env.SLUICE_LONG === 'true'

/** What the laws are tested by, and what takes too long for `npm test`. */
const LAWS = [
  'test/laws/**/*.test.ts',
  'test/**/laws.test.ts',
  'test/**/*.long.test.ts',
  'test/providers/{hostile,renamed,snapshot}.test.ts',
  'test/gateway/{reattach,replay}.test.ts',
]
const GROWTH = 'test/**/*.growth.test.ts'

export default defineConfig({
  resolve: { alias },
  test: {
    maxWorkers: 2,
    reporters: [new BriefReporter()],
    projects: [
      {
        extends: true,
        test: {
          ...common,
          name: 'tests',
          include: isLong ? LAWS : ['test/**/*.test.ts'],
          exclude: [...common.exclude, GROWTH, ...(isLong ? [] : ['test/**/*.long.test.ts'])],
          // Every file would load the library anew, which takes a fifth of all the time.
          isolate: false,
        },
      },
      {
        extends: true,
        test: {
          ...common,
          name: 'growth',
          include: [GROWTH],
          // Blocks are counted only in code that is loaded after counting began.
          isolate: true,
          setupFiles: ['test/count-blocks.ts'],
        },
      },
    ],
  },
})
