// The tests that drive the built command in real programs; `npm run test:e2e` sees to those first.
import { defineConfig } from 'vitest/config'
import BriefReporter from './test/brief-reporter.ts'
import unit, { PATIENCE } from './vitest.config.ts'

export default defineConfig({
  resolve: unit.resolve!,
  test: {
    include: ['test/e2e/**/*.test.ts'],
    testTimeout: PATIENCE,
    hookTimeout: PATIENCE,
    reporters: [new BriefReporter()],
    maxWorkers: 1,
  },
})
