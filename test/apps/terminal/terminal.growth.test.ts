import { describe, expect, test } from 'vitest'
import { createTerminal } from '../../../src/apps/terminal/screen.ts'
import type { ToolDisplay } from '../../../src/apps/terminal/tool-display.ts'
import { createTerminalView } from '../../../src/apps/terminal/view.ts'
import type { SluiceEvent } from '../../../src/base/event.ts'
import { growthOf, MOST_GROWTH } from '../../growth.ts'

/** A call with so many arguments. */
function* calling(count: number, value: string, key: (index: number) => string): Generator<SluiceEvent> {
  yield { type: 'tool-input-start', id: 'a', toolName: 'f' }
  const input: Record<string, string> = {}
  for (let index = 0; index < count; index++) {
    const path = [key(index)]
    input[path[0]!] = value
    yield { type: 'argument-start', id: 'a', path, kind: 'string' }
    yield { type: 'argument-delta', id: 'a', path, delta: value }
    yield { type: 'argument-end', id: 'a', path, value }
  }
  yield { type: 'tool-input-end', id: 'a' }
  yield { type: 'tool-call', id: 'a', toolName: 'f', input, status: 'complete', repairs: [] }
}

const LONG = 'x'.repeat(80)

const CALLS: readonly [what: string, events: (count: number) => Iterable<SluiceEvent>][] = [
  ['short ones', (count) => calling(count, 'v', (index) => `k${index}`)],
  ['long ones', (count) => calling(count, LONG, (index) => `k${index}`)],
  ['lines', (count) => calling(count, 'a\nb', (index) => `k${index}`)],
  ['empty ones', (count) => calling(count, '', (index) => `k${index}`)],
  ['the same one again and again', (count) => calling(count, LONG, () => 'path')],
]

describe('9. the work for a call grows with the number of its arguments:', () => {
  test.each(CALLS)('%s, in a view that is only appended to', async (_, events) => {
    const growth = await growthOf((count) => {
      let written = 0
      const view = createTerminalView({
        colour: true,
        write: (text) => {
          written += text.length
        },
      })
      for (const event of events(count)) view.add(event)
      view.end()
      expect(written).toBeGreaterThan(0)
    }, 4_000)
    expect(growth).toBeLessThan(MOST_GROWTH)
  })

  const DISPLAYS: readonly [string, ToolDisplay][] = [
    ['a card', {}],
    ['a call', { arguments: 'call' }],
  ]
  test.each(
    CALLS.flatMap(([what, events]) =>
      DISPLAYS.map(([how, display]) => [what, how, events, display] as const),
    ),
  )('%s, as %s on a screen that draws a frame for each event', async (_, _how, events, display) => {
    const growth = await growthOf((count) => {
      let frames = 0
      const output = { isTTY: true, columns: 80, rows: 40, write: () => ++frames > 0 }
      let now = 0
      const clock = { now: () => (now += 100), wait: () => new Promise<void>(() => {}) }
      const screen = createTerminal({ stdout: output, stderr: output, clock, display })
      for (const event of events(count)) screen.add(event)
      screen.end()
      expect(frames).toBeGreaterThan(0)
    }, 4_000)
    expect(growth).toBeLessThan(MOST_GROWTH)
  })
})
