// The tests that drive the built command in real programs; `npm run test:e2e` sees to those first.
import { defineConfig } from 'vitest/config'
import unit from './vitest.config.ts'

export default defineConfig({
  resolve: unit.resolve!,
  test: {
    include: ['test/e2e/**/*.test.ts'],
    testTimeout: 60_000,
    hookTimeout: 60_000,
    maxWorkers: 1,
  },
})
