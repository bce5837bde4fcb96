/** Recorded answers that the page and `sluice demo` play: as models write them, cut as a server sends them. */

import type { RecordedChunk, TextRecording } from '../../runs/recording/index.ts'

const RESPONSE = `<think>
Uploads need a limit. A token bucket fits: it allows a burst,
and then a steady rate. Its tests are there already.
</think>

I'll write a token bucket: while used < capacity, a call passes.

<tool_call>
<function=write_file>
<parameter=path>
src/rate-limit.ts
</parameter>
<parameter=content>
/** A token bucket: allows bursts, and settles at a steady rate. */
export class RateLimit {
  private tokens: number
  private last = Date.now()

  constructor(
    private readonly capacity: number,
    private readonly perSecond: number,
  ) {
    this.tokens = capacity
  }

  /** Takes one token, if there is one. */
  take(): boolean {
    const now = Date.now()
    const earned = ((now - this.last) / 1000) * this.perSecond
    this.tokens = Math.min(this.capacity, this.tokens + earned)
    this.last = now
    if (this.tokens < 1) return false
    this.tokens -= 1
    return true
  }
}
</parameter>
</function>
</tool_call>
<tool_call>
<function=run_command>
<parameter=command>
npm test -- rate-limit
</parameter>
</function>
</tool_call>`

/** The connection was lost in the middle of a command. */
const CUT_OFF = `The tests pass. I'll clean up.

<tool_call>
<function=run_command>
<parameter=command>
rm -rf build`

/** As a server sends them: no piece ends where a tag does, except by chance. */
const LENGTHS = [3, 5, 2, 7, 4, 1, 6, 3, 8, 2, 5, 4]
/** Milliseconds before each piece. */
const PAUSES = [16, 29, 13, 35, 22, 10, 42, 20, 27, 15, 32]
const FIRST_PAUSE = 250

function cut(text: string): RecordedChunk<string>[] {
  const chunks: RecordedChunk<string>[] = []
  let at = FIRST_PAUSE
  for (let from = 0; from < text.length; ) {
    const length = LENGTHS[chunks.length % LENGTHS.length]!
    chunks.push({ at, chunk: text.slice(from, from + length) })
    at += PAUSES[chunks.length % PAUSES.length]!
    from += length
  }
  return chunks
}

export const TURN_RECORDING = {
  kind: 'text',
  header: { dialect: 'qwen3-coder', note: 'writes a rate limiter and runs its tests' },
  chunks: cut(RESPONSE),
} as const satisfies TextRecording

export const CUT_OFF_RECORDING = {
  kind: 'text',
  header: { dialect: 'qwen3-coder', note: 'a command that is cut off' },
  chunks: cut(CUT_OFF),
} as const satisfies TextRecording
