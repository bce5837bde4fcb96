import { describe, expect, it } from 'vitest'
import { allDialects } from '../../../src/apps/cli/all-dialects.ts'
import { TURN_RECORDING } from '../../../src/apps/playground/recorded-answers.ts'
import { AutoClock } from '../terminal/clocks.ts'
import { sluice } from './harness.ts'

const SHOWN = `
what arrives            held back             what comes out
──────────────────────  ────────────────────  ──────────────────────────────────
'Is it a <'             <                     text 'Is it a '
' b? '                                        text '< b? '
'I look.<to'            <to                   text 'I look.'
'ol_call>{"name"'       <tool_call>{"name"
': "read_file", "arg'                         call read_file
'uments": {"path": '
'"src/li'                                     path + 'src/li'
'mit.ts"'                                     path + 'mit.ts'
'}}</tool_'             </tool_               complete
'call>'

The same for an agent's turn of 253 chunks, as a user sees it. The file is
shown while the model writes it, and below it the end of the wire text:

┊ Uploads need a limit. A token bucket fits: it allows a burst,
┊ and then a steady rate. Its tests are there already.

I'll write a token bucket: while used < capacity, a call passes.

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
  │     const now = Date.now()
  │     const earned = ((now - this.last) / 1000) * this.perSecond
  │     this.tokens = Math.min(this.capacity, this.tokens + earned)
  │     this.last = now
  │     if (this.tokens < 1) return false
  │     this.tokens -= 1
  │     return true
  │   }
  │ }
  ✓ complete · 23 lines, 596 characters

▸ run_command  npm test -- rate-limit
  ✓ complete

Now the connection is lost in the middle of a call:

The tests pass. I'll clean up.

▸ run_command  rm -rf build…
  ✗ truncated · The call was cut off in the argument /command.

isExecutable(call) is false: a call that was cut off never runs.

Try next:
`

describe('sluice demo', () => {
  it.each([
    [['--speed', '0'], {}],
    [['--speed', 'instant'], {}],
    [[], { SLUICE_DEMO_SPEED: 'instant' }],
    [[], { SLUICE_DEMO_SPEED: '0' }],
  ])('shows everything at once with %j and %j', async (args, env) => {
    const { code, stdout, stderr } = await sluice(['demo', ...args], { env })
    expect({ code, stderr }).toEqual({ code: 0, stderr: '' })
    expect(stdout).toContain(SHOWN)
    // Commands that work in a clone and where the package is installed.
    expect(stdout).toContain(
      `    npx sluice parse --dialect hermes   your own text, in ${(await allDialects()).length} dialects\n  npx sluice dialects  `,
    )
    expect(stdout.split('\n').filter((line) => line.length > 80)).toEqual([])
  })

  it.each([
    ['1', 10_000, 13_000],
    ['4', 2500, 3250],
  ])('takes its time at speed %s', async (speed, least, most) => {
    const clock = new AutoClock()
    await sluice(['demo', '--speed', speed], { clock })
    expect(clock.now()).toBeGreaterThan(least)
    expect(clock.now()).toBeLessThan(most)
  })

  it('plays pieces of every length, with tags that are cut in the middle', () => {
    const pieces = TURN_RECORDING.chunks.map(({ chunk }) => chunk)
    expect([...new Set(pieces.map((piece) => piece.length))].sort()).toEqual([1, 2, 3, 4, 5, 6, 7, 8])
    const text = pieces.join('')
    for (const tag of ['<think>', '<tool_call>', '</function>', '<parameter=content>']) {
      expect(text).toContain(tag)
      expect(pieces.join('|')).not.toContain(tag)
    }
  })
})
