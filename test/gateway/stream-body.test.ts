import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import { streamBody } from '../../src/gateway/stream-body.ts'

beforeEach(() => void vi.useFakeTimers())
afterEach(() => void vi.useRealTimers())

const OPTIONS = { keepAliveMs: 10, slowClientMs: 1000, keepAlive: ': keep-alive\n\n', breakOff: () => false }

/** Frames that never come, and cannot be let go of either. */
const never: AsyncIterator<string, void, undefined> = { next: () => new Promise(() => {}) }

test('a client that waits gets signs of life, and one that has left gets none', async () => {
  let left = 0
  const reader = streamBody(never, { ...OPTIONS, onLeave: () => void left++ }).getReader()
  const read = reader.read()
  await vi.advanceTimersByTimeAsync(10)
  expect(new TextDecoder().decode((await read).value)).toBe(': keep-alive\n\n')
  void reader.read()
  await reader.cancel()
  expect(left).toBe(1)
  // A sign of life into a body that is closed would be an error that nobody catches.
  await vi.advanceTimersByTimeAsync(100)
})
