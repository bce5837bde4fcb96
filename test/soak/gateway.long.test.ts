/**
 * Many streams through one gateway at once, for a long time: every client gets all of its response, and memory stays where
 * it is. The long laws take a few.
 *
 *     npm run prove -- soak
 *
 * The model server and the clients run in a process of their own. In one process with the gateway they starve each other:
 * Node accepts one connection in each turn of its event loop, and a turn that serves hundreds of streams on both sides
 * is long.
 *
 * @reads test/soak/gateway-traffic.mjs
 */

import { fork } from 'node:child_process'
import { on, once } from 'node:events'
import { fileURLToPath } from 'node:url'
import { expect, onTestFinished, test } from 'vitest'
import { serve } from '../gateway/harness.ts'
import { growthOf, heapInUse, shown } from './heap.ts'

interface Progress {
  readonly done: number
  readonly wrong: number
  readonly over?: true
}

/** The heap at ten moments at which as many streams as may are on their way: not while the first begin and the last end. */
async function soakGateway(
  atOnce: number,
  total: number,
  pauseMs: number,
  isKept: boolean,
): Promise<{ wrong: number; most: number; heap: number[] }> {
  const traffic = fork(fileURLToPath(new URL('gateway-traffic.mjs', import.meta.url)))
  onTestFinished(() => void traffic.kill())
  const [{ port }] = (await once(traffic, 'message')) as [{ port: number }]
  const url = `http://127.0.0.1:${port}`
  const upstreams = { one: { url, protocol: 'openai-chat', mode: 'template', dialect: 'hermes' } }
  const served = await serve({ upstreams, resumable: isKept ? 'always' : 'never' }, { hasLog: isKept })
  const heap: number[] = []
  let most = 0
  const told = on(traffic, 'message') as AsyncIterable<[Progress]>
  const tenth = (total - 2 * atOnce) / 10
  traffic.send({ url: served.url, atOnce, total, pauseMs, every: tenth })
  let wrong = 0
  for await (const [progress] of told) {
    wrong = progress.wrong
    if (progress.over) break
    if (progress.done <= atOnce || progress.done > total - atOnce) continue
    most = Math.max(most, served.gateway.limits.running)
    heap.push(heapInUse())
  }
  // Runs that are kept go on when their clients leave.
  await expect.poll(() => served.gateway.limits.running, { timeout: 60_000 }).toBe(0)
  return { wrong, most, heap }
}

/** The last tenth may need so much more than the first: what is left of measuring it. */
const MOST_GROWTH = 0.1

test('streams that go through a gateway at once are whole', async () => {
  expect((await soakGateway(20, 60, 1, false)).wrong).toBe(0)
})

test.runIf(process.env.SLUICE_SOAK === 'true').each([
  { isKept: false, name: 'not kept' },
  { isKept: true, name: 'kept in files' },
])('1,000 streams at once need as much at the end as at the beginning: $name', async ({ isKept, name }) => {
  const { wrong, most, heap: tenths } = await soakGateway(1_000, 6_000, 800, isKept)
  process.stdout.write(`soak: 6,000 streams, ${most} at once, ${name}: ${shown(tenths)}\n`)
  expect(wrong).toBe(0)
  expect(tenths).toHaveLength(10)
  expect(most).toBeGreaterThan(900)
  expect(growthOf(tenths), shown(tenths)).toBeLessThan(MOST_GROWTH)
})
