import { describe, expect, it } from 'vitest'
import { DEMO_RECORDING } from '../../src/cli/demo-recording.ts'
import { sluice } from './harness.ts'

/** A clock that is always right and never makes anyone wait. */
function fastClock() {
  let time = 0
  return {
    now: () => time,
    async wait(milliseconds: number) {
      time += milliseconds
    },
  }
}

const SHOWN = `
┊ Uploads need a limit. A token bucket fits: it allows a burst and then a steady rate.
┊ One class without dependencies will do, and its tests are there already.

I'll write a token bucket and run its tests.

▸ write_file  src/rate-limit.ts
  │ /** A token bucket: allows bursts, and settles at a steady rate. */
  │ export class RateLimit {
  │   private tokens: number
  │   private last = Date.now()
  │
  │   constructor(
  │     private readonly capacity: number,
  │     private readonly perSecond: number,
  │   ) {
  │     this.tokens = capacity
  │   }
  │
  │   /** Takes one token, if there is one. */
  │   take(): boolean {
  │     this.refill()
  │     if (this.tokens < 1) return false
  │     this.tokens -= 1
  │     return true
  │   }
  │
  │   private refill(): void {
  │     const now = Date.now()
  │     const earned = ((now - this.last) / 1000) * this.perSecond
  │     this.tokens = Math.min(this.capacity, this.tokens + earned)
  │     this.last = now
  │   }
  │ }
  ✓ complete · 27 lines, 646 characters

▸ run_command  npm test -- rate-limit
  ✓ complete

Call take() before each upload, and answer 429 when it returns false.
`

describe('sluice demo', () => {
  it.each([
    [['--speed', '0'], {}],
    [['--speed', 'instant'], {}],
    [[], { SLUICE_DEMO_SPEED: 'instant' }],
    [[], { SLUICE_DEMO_SPEED: '0' }],
  ])('shows a whole turn at once with %j and %j', async (args, env) => {
    const { code, stdout, stderr } = await sluice(['demo', ...args], { env })
    expect({ code, stderr }).toEqual({ code: 0, stderr: '' })
    expect(stdout).toContain(SHOWN)
    expect(stdout).toMatch(
      /\nThat was \d+ events and 2 calls: write_file complete, run_command complete\.\n$/,
    )
  })

  it.each([
    ['1', 6000, 8000],
    ['4', 1500, 2000],
  ])('takes its time at speed %s', async (speed, least, most) => {
    const clock = fastClock()
    await sluice(['demo', '--speed', speed], { clock })
    expect(clock.now()).toBeGreaterThan(least)
    expect(clock.now()).toBeLessThan(most)
  })

  it('plays pieces of every length, with tags that are cut in the middle', () => {
    const pieces = DEMO_RECORDING.chunks.map(({ chunk }) => chunk)
    expect([...new Set(pieces.map((piece) => piece.length))].sort()).toEqual([1, 2, 3, 4, 5, 6, 7, 8])
    const text = pieces.join('')
    for (const tag of ['<think>', '<tool_call>', '</function>', '<parameter=content>']) {
      expect(text).toContain(tag)
      expect(pieces.join('|')).not.toContain(tag)
    }
  })
})
