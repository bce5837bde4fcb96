import { describe, expect, it, vi } from 'vitest'
import { Playback } from '../../../src/runs/recording/index.ts'
import { AutoClock, ManualClock } from '../terminal/clocks.ts'
import { Emulator } from '../terminal/emulator.ts'
import { fileWith, Keyboard, sluice } from './harness.ts'

/** A busy machine is slow. */
const PATIENCE = { timeout: 60_000, interval: 5 }

const RECORDING = `{"sluice-recording":1,"kind":"text","dialect":"hermes"}
[0,"Let me look.<tool"]
[1000,"_call>{\\"name\\": \\"ls\\", \\"arg"]
[2000,"uments\\": {}}</tool_call>"]
[4000,{"end":"finished"}]
`

describe('sluice play', () => {
  it.each([
    ['1', 4000],
    ['2', 2000],
    ['0.5', 8000],
    ['0', 0],
  ])('at speed %s takes %i ms', async (speed, time) => {
    const clock = new AutoClock()
    const answer = await sluice(['play', '--speed', speed, fileWith(RECORDING)], { clock })
    expect(answer).toEqual({ code: 0, stdout: 'Let me look.\n', stderr: '▸ ls\n  ✓ complete\n' })
    expect(Math.round(clock.now() / 100) * 100).toBe(time)
  })

  it('names a broken line, and plays the rest', async () => {
    const broken = RECORDING.replace('[1000', '[1000 oops\n[1000').replace('[2000', '[7,"x"]\n[2000')
    const file = fileWith(broken)
    const { code, stdout, stderr } = await sluice(['play', '--speed', '0', file])
    expect({ code, stdout }).toEqual({ code: 0, stdout: 'Let me look.\n' })
    expect(stderr).toBe(
      `Line 3 of ${file} is not JSON; if the recording was cut off while it was written, remove this line.\nLine 5 of ${file} has the time 7, which is before the 1000 of the line above.\n▸ ls\n  ✓ complete\n`,
    )
  })

  it('plays recorded events, and one that failed', async () => {
    const events = `{"sluice-recording":1,"kind":"events"}
[0,{"type":"text-delta","id":"t","delta":"Hel"}]
[5,{"end":"failed","error":"socket hang up"}]
`
    const { stdout, stderr } = await sluice(['play', '--speed', '0', fileWith(events)])
    expect([stdout, stderr]).toEqual(['Hel\n', '✗ The stream failed: socket hang up\n'])
  })

  it('pauses, steps, goes on and leaves by keys', async () => {
    const emulator = new Emulator(60, 10)
    const clock = new ManualClock()
    const stdin = new Keyboard()
    const played = sluice(['play', '--start', 'text', fileWith(RECORDING)], {
      stdin,
      clock,
      screen: emulator.output(),
    })
    /** Lets frames be drawn until the screen shows this. */
    const until = (text: string): Promise<unknown> =>
      vi.waitUntil(async () => {
        await clock.advance(40)
        return (await emulator.screen()).includes(text)
      }, PATIENCE)
    await until('Let me look.')
    expect(stdin.isRaw).toBe(true)
    stdin.press(' ')
    await clock.advance(60_000)
    expect(await emulator.screen()).toBe('Let me look.')
    stdin.press('.')
    await until('▸ ls\n  ◦ receiving · 0.0 s\npaused · 1.0 s of 4.0 s')
    stdin.press(' ')
    await until('▸ ls\n  ✓ complete')
    stdin.press('q')
    expect((await played).code).toBe(130)
    expect(stdin.isRaw).toBe(false)
    expect(await emulator.screen()).toBe('Let me look.\n\n▸ ls\n  ✓ complete')
  })
})

describe('a playback', () => {
  it('keeps its time through pauses and other speeds', async () => {
    const clock = new ManualClock()
    const playback = new Playback(2, clock)
    await clock.advance(100)
    expect(playback.now()).toBe(200)
    playback.pause()
    await clock.advance(100)
    expect([playback.now(), playback.isPaused]).toEqual([200, true])
    playback.resume()
    playback.setSpeed(0.5)
    await clock.advance(100)
    expect([playback.now(), playback.speed]).toEqual([250, 0.5])
    let woken = 0
    const waits = [playback.wait(50), playback.wait(20)].map((wait) =>
      wait.then(() => {
        woken++
      }),
    )
    await clock.advance(40)
    expect(woken).toBe(1)
    playback.step()
    await Promise.all(waits)
    expect([woken, playback.now()]).toEqual([2, 300])
  })

  it('leaves no timer behind when a wait is aborted', async () => {
    const clock = new ManualClock()
    const leave = new AbortController()
    const wait = new Playback(1, clock).wait(60_000, leave.signal)
    leave.abort()
    await expect(wait).rejects.toThrow('aborted')
    expect(clock.goToNext()).toBe(false)
  })

  it('refuses a speed that is none', () => {
    expect(() => new Playback(0)).toThrow("'speed' is a number above 0, not 0.")
  })
})
