// The tests that need nothing but npm: `npm test` takes a sample of every law, `npm run test:laws` everything.
import { fileURLToPath } from 'node:url'
import { defineConfig } from 'vitest/config'
import { entrySources } from './scripts/entries.mjs'
import BriefReporter from './test/brief-reporter.ts'

const root = fileURLToPath(new URL('.', import.meta.url))

/** `import 'sluice/json'` imports a source, and needs no build. */
const alias = [...entrySources(root)].map(([entry, source]) => ({
  find: new RegExp(`^${entry}$`),
  replacement: root + source,
}))

/** A busy machine is slow, and no test fails because of that. */
export const PATIENCE = 10 * 60_000

const common = { testTimeout: PATIENCE, hookTimeout: PATIENCE, exclude: ['test/e2e/**'] }
const isLong = process.env.SLUICE_LONG === 'true'
/** Only where what holds is recorded. */
const guard = process.env.SLUICE_REACH ? ['test/laws/read-guard.ts'] : []
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
          include: ['test/**/*.test.ts'],
          exclude: [...common.exclude, GROWTH, ...(isLong ? [] : ['test/**/*.long.test.ts'])],
          // Every file would load the library anew, which takes a fifth of all the time. The guard has to see each load.
          isolate: guard.length > 0,
          setupFiles: guard,
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
          setupFiles: ['test/count-blocks.ts', ...guard],
        },
      },
    ],
  },
})
