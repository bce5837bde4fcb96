/**
 * Trust as a property: of a message that quotes calls and has one slip in it, only calls that stood at the top level
 * may run, in the engine and in every view.
 *
 *     npx vitest run test/laws/trust.test.ts                       a short hunt, from a fixed seed
 *     SLUICE_SECONDS=1800 npx vitest run test/laws/trust.test.ts   half an hour at full speed, and one line of result
 *
 * `SLUICE_SEED` sets the seed; every failure prints its own, with the shortest message that was found.
 */

import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { runs, SEED } from '../effort.ts'
import { ENTRIES, type LawEntry } from './entries.ts'
import { engineRuns, eventsOf, type Ran } from './runs.ts'
import { type HostileMessage, hostileMessage, recipeArbitrary, wronglyRun } from './trust.ts'
import { aiSdkGenerateRuns, aiSdkStreamRuns, EVENT_VIEWS, providerRuns } from './view-runs.ts'

const RUNS = { engine: runs(400), views: runs(40) }
const SECONDS = Number(process.env.SLUICE_SECONDS ?? 0)

type Violation = string | undefined

const inEngine = (message: HostileMessage): Violation =>
  wronglyRun(message, engineRuns(eventsOf(message, 'calls'))) ??
  wronglyRun(message, engineRuns(eventsOf(message)))

/** What a view would run that it should not: what nobody may, and what the engine would not. */
function inView(
  message: HostileMessage,
  view: string,
  ran: readonly Ran[],
  engine: readonly Ran[],
): Violation {
  const left = engine.map((call) => JSON.stringify(call))
  for (const call of ran) {
    const at = left.indexOf(JSON.stringify(call))
    if (at === -1) return `${view} runs what the engine does not: ${JSON.stringify(call)}`
    left.splice(at, 1)
  }
  const wrong = wronglyRun(message, ran)
  return wrong && `${view}: ${wrong}`
}

async function inViews(message: HostileMessage): Promise<Violation> {
  const events = eventsOf(message)
  const engine = engineRuns(events)
  const others: [string, Ran[]][] = [
    ...EVENT_VIEWS.map((view): [string, Ran[]] => [view.name, view.runs(events, message)]),
    ['a provider', providerRuns(message)],
    ['the AI SDK, streaming', await aiSdkStreamRuns(message)],
    ['the AI SDK, generating', await aiSdkGenerateRuns(message)],
  ]
  for (const [view, ran] of others) {
    const wrong = inView(message, view, ran, engine)
    if (wrong !== undefined) return wrong
  }
  return undefined
}

const shown = ({ text, start, protectCode, limits, ending }: HostileMessage): string =>
  `${text}\n${JSON.stringify({ start, protectCode, limits, ending })}`

/** Throws with the shortest message that breaks the property. */
async function hunt(
  entry: LawEntry,
  { seed, runs }: { readonly seed: number; readonly runs: number },
  judge: (message: HostileMessage) => Violation | Promise<Violation>,
): Promise<void> {
  const property = fc.asyncProperty(recipeArbitrary(entry), async (recipe) => {
    const message = hostileMessage(entry, recipe)
    expect(await judge(message), shown(message)).toBeUndefined()
  })
  await fc.assert(property, { seed, numRuns: runs })
}

describe.skipIf(SECONDS > 0).each(ENTRIES)('$name', (entry) => {
  test('runs no call that is only quoted, whatever slip the model makes', async () => {
    await hunt(entry, { seed: SEED, runs: RUNS.engine }, inEngine)
  })

  test('runs in no view what the engine would not', async () => {
    await hunt(entry, { seed: SEED, runs: RUNS.views }, inViews)
  })
})

describe.runIf(SECONDS > 0)('for a long time', () => {
  test(
    'runs no call that is only quoted, whatever slip the model makes',
    async () => {
      const until = performance.now() + SECONDS * 1000
      let checks = 0
      let seed = SEED
      for (; performance.now() < until; seed++)
        for (const entry of ENTRIES) {
          await hunt(entry, { seed, runs: 100 }, inEngine)
          await hunt(entry, { seed, runs: 10 }, inViews)
          checks += 110
        }
      process.stdout.write(`trust: ${checks} checks, seeds ${SEED} to ${seed - 1}\n`)
    },
    (SECONDS + 600) * 1000,
  )
})
