/**
 * Runs each test once as it is. When all have run, it runs them again, the quickest first: once for each mutant that is
 * still alive and that the test reaches. A mutant that makes the test fail, or never end, is dead. All mutants are loaded at
 * once, so that a run costs what the test takes.
 */

import { posix } from 'node:path'
import type { RunnerTask } from 'vitest'
import { TestRunner } from 'vitest'
import { MUTANTS } from './decisive.ts'
import { isListed } from './equivalent.ts'
import { mutation } from './mutation-state.ts'

/** Tests that take longer, in milliseconds, meet no mutants: a quick one is to notice each of them. */
const TOO_SLOW = 5000

const QUICK = 30

/**
 * A test that waits for so much longer than without the mutant, in milliseconds, would wait forever. It has to do so twice:
 * the machine may be busy.
 */
const PATIENCE = [250, 1500]

export interface Test extends Omit<Parameters<TestRunner['onAfterTryTask']>[0], 'onFinished'> {
  /** What `onTestFinished` was given. */
  onFinished?: ((context: unknown) => unknown)[]
}

/** A test and what it takes to run it again. */
export interface Repeatable {
  readonly test: Test
  readonly run: () => unknown
  /** Milliseconds without a mutant. */
  readonly took: number
  /** How often it came across a mutant then. */
  readonly calls: number
  readonly reached: readonly number[]
}

export default class MutantRunner extends TestRunner {
  async runTask(test: Test): Promise<void> {
    try {
      if (test.file.name.endsWith(REPORT)) await this.runAgain(test)
      await this.runOnce(test)
    } finally {
      mutation.reached.fill(0)
      mutation.attempt = 0
    }
  }

  private async runOnce(test: Test): Promise<void> {
    const run = TestRunner.getTestFn(test as never)
    mutation.reached.fill(0)
    mutation.calls = 0
    mutation.attempt = ++attempts
    const start = performance.now()
    await run()
    const took = performance.now() - start
    const reached = MUTANTS.flatMap((_, number) =>
      mutation.reached[number] === 1 && isNear(test, number) ? number : [],
    )
    if (reached.length > 0) mutation.tests.push({ test, run, took, calls: mutation.calls, reached })
  }

  /** `host`: the test that vitest takes for the one that runs. */
  private async runAgain(host: Test): Promise<void> {
    const tests = mutation.tests.splice(0).filter(({ took }) => took < TOO_SLOW)
    for (const [at, one] of tests.sort((a, b) => a.took - b.took).entries()) {
      await this.runWithMutants(one, host)
      if (at % 50 === 0 || one.took > 1000)
        process.stdout.write(`${mutation.killedBy.size} noticed by ${at + 1} of ${tests.length} tests\n`)
    }
  }

  private async runWithMutants(one: Repeatable, host: Test): Promise<void> {
    // What is listed as equivalent meets only tests that cost next to nothing.
    const isTried = (number: number): boolean => one.took < QUICK || !isListed(number)
    const alive = one.reached.filter((number) => !mutation.killedBy.has(number) && isTried(number))
    if (alive.length === 0) return
    const attempt = (number: number): Promise<boolean> => this.passes(one, host, number)
    // A test that cannot be repeated says nothing of a mutant.
    if (!(await attempt(NONE))) return void mutation.skipped.push(nameOf(one.test))
    for (const number of alive) {
      if (await attempt(number)) continue
      if (!(await attempt(NONE))) return void mutation.skipped.push(nameOf(one.test))
      mutation.killedBy.set(number, nameOf(one.test))
    }
  }

  private async passes(one: Repeatable, host: Test, mutant: number): Promise<boolean> {
    for (const patience of PATIENCE) {
      const outcome = await this.attempt(one, host, mutant, patience + 10 * one.took)
      if (outcome !== 'late') return outcome === 'passed'
    }
    return false
  }

  private async attempt(
    one: Repeatable,
    host: Test,
    mutant: number,
    patience: number,
  ): Promise<'passed' | 'failed' | 'late'> {
    mutation.active = mutant
    mutation.calls = 0
    mutation.mostCalls = 100_000 + 20 * one.calls
    mutation.attempt = ++attempts
    this.onBeforeTryTask(host as never)
    let timer: NodeJS.Timeout | undefined
    const late = new Promise<'late'>((resolve) => {
      timer = setTimeout(() => resolve('late'), patience)
    })
    try {
      const outcome = await Promise.race([Promise.resolve(one.run()).then(() => 'passed' as const), late])
      if (outcome === 'passed') this.onAfterTryTask(host as never)
      return outcome
    } catch {
      return 'failed'
    } finally {
      clearTimeout(timer)
      mutation.active = NONE
      mutation.mostCalls = Number.POSITIVE_INFINITY
      // Vitest would await what a test expects of a promise, and with a mutant it may never settle.
      host.promises = []
      const finished = host.onFinished ?? []
      host.onFinished = []
      for (const hook of finished.reverse()) await Promise.resolve(hook(host.context)).catch(() => {})
    }
  }
}

const NONE = -1

const REPORT = 'test/mutation/survivors.ts'

let attempts = 0

/** The tests of a folder are to notice the mistakes in it. */
const isNear = (test: Test, number: number): boolean =>
  posix.dirname(test.file.name) === `test/${posix.dirname(MUTANTS[number]!.file)}`

const nameOf = (task: RunnerTask | Test): string => (task as RunnerTask).fullName
