/**
 * Mutation testing of what decides whether a call runs: every mutant of these files makes a test fail, but for those that
 * are listed as equivalent.
 *
 *     npm run prove -- mutants
 *     SLUICE_MUTATE=policy/guard npm run prove -- mutants      only files whose path holds one of these, with commas between them
 */

import { fileURLToPath } from 'node:url'
import { defineConfig, type Plugin } from 'vitest/config'
import { BaseSequencer, type TestSpecification } from 'vitest/node'
import base from '../../vitest.config.ts'
import { DECISIVE, FOLDERS } from './decisive.ts'
import { instrument } from './mutants-of.ts'

/** Puts all mutants into the decisive files as they are loaded. */
const mutate: Plugin = {
  name: 'sluice-mutants',
  enforce: 'pre',
  transform(code, id) {
    const file = DECISIVE.find(({ path }) => path === id)
    return file && { code: instrument(code, file.mutants, file.first), map: null }
  },
}

const REPORT = 'test/mutation/survivors.ts'

class ReportLast extends BaseSequencer {
  override async sort(files: TestSpecification[]): Promise<TestSpecification[]> {
    const isReport = ({ moduleId }: TestSpecification): boolean => moduleId.endsWith(REPORT)
    const sorted = [...files].sort((a, b) => a.moduleId.localeCompare(b.moduleId))
    return [...sorted.filter((file) => !isReport(file)), ...sorted.filter(isReport)]
  }
}

export default defineConfig({
  root: fileURLToPath(new URL('../..', import.meta.url)),
  resolve: base.resolve ?? {},
  plugins: [mutate],
  test: {
    include: [...FOLDERS.map((folder) => `test/${folder}/*.test.ts`), REPORT],
    setupFiles: [fileURLToPath(new URL('short-properties.ts', import.meta.url))],
    // One story on every wire: what decides is the same on each. And comparisons that are too few where they are cut short.
    exclude: ['test/**/*.long.test.ts', 'test/turn/golden.test.ts', 'test/values/pattern/language.test.ts'],
    runner: fileURLToPath(new URL('mutant-runner.ts', import.meta.url)),
    sequence: { sequencer: ReportLast },
    // All tests share one process, and with it what is known of each mutant.
    isolate: false,
    maxWorkers: 1,
    testTimeout: 0,
    // A mutant may leave a rejection that nobody handles.
    dangerouslyIgnoreUnhandledErrors: true,
  },
})
