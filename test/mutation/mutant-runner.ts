/**
 * Runs each test once as it is, and once more for each mutant that is still alive and that the test reaches. A mutant that
 * makes the test fail, or wait for too long, is dead. All mutants are loaded at once, so that a run costs what the test
 * takes.
 */

import type { RunnerTask } from 'vitest'
import { TestRunner } from 'vitest'
import { MUTANTS } from './decisive.ts'
import { mutation } from './mutation-state.ts'

/** A test that waits for so much longer than without the mutant, in milliseconds, would wait forever. */
const PATIENCE = 2000

type Test = Parameters<TestRunner['onAfterTryTask']>[0] & {
  /** What `onTestFinished` was given. */
  onFinished?: ((context: unknown) => unknown)[]
}

export default class MutantRunner extends TestRunner {
  async runTask(test: Test): Promise<void> {
    try {
      await this.runWithMutants(test)
    } finally {
      mutation.reached.fill(0)
      mutation.attempt = 0
    }
  }

  private async runWithMutants(test: Test): Promise<void> {
    const run = TestRunner.getTestFn(test)
    mutation.reached.fill(0)
    mutation.attempt = ++attempts
    const start = performance.now()
    await run()
    const took = performance.now() - start
    const reached = reachedNow()
    const alive = reached.filter((number) => isNear(test, number) && !mutation.killedBy.has(number))
    if (alive.length === 0) return
    const attempt = (number: number): Promise<boolean> => this.passes(test, run, number, took)
    // A test that cannot be repeated says nothing of a mutant.
    if (!(await attempt(NONE))) return void mutation.skipped.push(nameOf(test))
    for (const number of alive) {
      if (await attempt(number)) continue
      if (!(await attempt(NONE))) return void mutation.skipped.push(nameOf(test))
      mutation.killedBy.set(number, nameOf(test))
    }
  }

  private async passes(test: Test, run: () => unknown, mutant: number, took: number): Promise<boolean> {
    mutation.active = mutant
    mutation.hits = 0
    mutation.attempt = ++attempts
    this.onBeforeTryTask(test)
    let timer: NodeJS.Timeout | undefined
    const late = new Promise<never>((_, reject) => {
      timer = setTimeout(() => reject(new Error('late')), PATIENCE + 10 * took)
    })
    try {
      await Promise.race([Promise.resolve(run()), late])
      this.onAfterTryTask(test)
      return true
    } catch {
      return false
    } finally {
      clearTimeout(timer)
      mutation.active = NONE
      const finished = test.onFinished ?? []
      test.onFinished = []
      for (const hook of finished.reverse()) await Promise.resolve(hook(test.context)).catch(() => {})
    }
  }
}

const NONE = -1

let attempts = 0

const reachedNow = (): number[] =>
  MUTANTS.flatMap((_, number) => (mutation.reached[number] === 1 ? number : []))

/** The tests of a folder are to notice the mistakes in it. */
const isNear = (test: Test, number: number): boolean =>
  test.file.name.startsWith(`test/${MUTANTS[number]!.file.split('/')[0]}/`)

const nameOf = (task: RunnerTask): string => task.fullName
