/** Prints how far the run is, the tests that fail, and a summary: no line for a file whose tests pass. */

import { DefaultReporter, type TestModule, type TestRunEndReason, type TestSpecification } from 'vitest/node'

/** Milliseconds between two lines of progress. */
const INTERVAL = 5000

export default class BriefReporter extends DefaultReporter {
  private readonly running = new Set<TestModule>()
  private readonly progress = { files: 0, ended: 0, tests: 0 }
  private timer: NodeJS.Timeout | undefined

  override onTestRunStart(specifications: readonly TestSpecification[]): void {
    super.onTestRunStart(specifications)
    Object.assign(this.progress, { files: specifications.length, ended: 0, tests: 0 })
    this.ctx.logger.log(`${specifications.length} test files`)
    this.timer = setInterval(() => this.logProgress(), INTERVAL)
  }

  onTestModuleStart(module: TestModule): void {
    this.running.add(module)
  }

  override onTestModuleEnd(module: TestModule): void {
    super.onTestModuleEnd(module)
    this.running.delete(module)
    this.progress.ended++
    this.progress.tests += [...module.children.allTests()].length
  }

  private logProgress(): void {
    const { files, ended, tests } = this.progress
    const folders = new Set([...this.running].map(({ relativeModuleId }) => folderOf(relativeModuleId)))
    const now = folders.size === 0 ? '' : `, now in ${[...folders].sort().join(' and ')}`
    this.ctx.logger.log(`${ended} of ${files} files, ${tests} tests${now}`)
  }

  /** The summary shows each failure. */
  protected override printTestModule(): void {}

  override onTestRunEnd(
    modules: readonly TestModule[],
    errors: Parameters<DefaultReporter['onTestRunEnd']>[1],
    reason: TestRunEndReason,
  ): void {
    clearInterval(this.timer)
    super.onTestRunEnd(modules, errors, reason)
    // Vitest skips every test that a filter does not match, and then passes.
    const { testNamePattern: pattern, passWithNoTests } = this.ctx.config
    if (pattern === undefined || passWithNoTests || modules.some((module) => hasRun(module))) return
    this.ctx.logger.error(`No test has a name that matches ${pattern}.`)
    process.exitCode = 1
  }
}

/** `test/engine/wire` for `test/engine/wire/place.test.ts`. */
const folderOf = (file: string): string => file.slice(0, file.lastIndexOf('/'))

function hasRun(module: TestModule): boolean {
  for (const test of module.children.allTests()) if (test.result().state !== 'skipped') return true
  return false
}
