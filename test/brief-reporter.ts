/** Prints the tests that fail and a summary: no line for a file whose tests pass. */

import { DefaultReporter, type TestModule, type TestRunEndReason, type TestSpecification } from 'vitest/node'

export default class BriefReporter extends DefaultReporter {
  override onTestRunStart(specifications: readonly TestSpecification[]): void {
    super.onTestRunStart(specifications)
    this.ctx.logger.log(`${specifications.length} test files`)
  }

  /** The summary shows each failure. */
  protected override printTestModule(): void {}

  override onTestRunEnd(
    modules: readonly TestModule[],
    errors: Parameters<DefaultReporter['onTestRunEnd']>[1],
    reason: TestRunEndReason,
  ): void {
    super.onTestRunEnd(modules, errors, reason)
    // Vitest skips every test that a filter does not match, and then passes.
    const pattern = this.ctx.config.testNamePattern
    if (pattern === undefined || modules.some((module) => hasRun(module))) return
    this.ctx.logger.error(`No test has a name that matches ${pattern}.`)
    process.exitCode = 1
  }
}

function hasRun(module: TestModule): boolean {
  for (const test of module.children.allTests()) if (test.result().state !== 'skipped') return true
  return false
}
