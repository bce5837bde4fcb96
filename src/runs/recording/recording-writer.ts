/** Writes a recording while its stream runs. */

import { messageOf, SluiceError } from '../../base/errors.ts'
import { checkOption } from '../../base/options.ts'
import type { StreamEnd } from '../../engine/wire/machine.ts'
import { chunkLine, endLine, headerLine, type RecordingHeader, type RecordingKind } from './format.ts'

/**
 * Takes chunks as they come and gives out the lines of their recording, each with its newline.
 *
 *     const writer = new RecordingWriter((line) => log.write(line), 'text', { dialect: 'hermes' })
 *     writer.append(0, 'Let me look.')
 *     writer.end(120)
 */
export class RecordingWriter {
  private readonly write: (line: string) => void
  private readonly kind: RecordingKind
  private last = 0
  private isOver = false

  constructor(write: (line: string) => void, kind: RecordingKind, header: RecordingHeader = {}) {
    checkOption('write', write, 'function')
    this.write = write
    this.kind = kind
    write(headerLine(kind, header))
  }

  /** `at`: milliseconds since the start. A clock that was set back does not make time run backwards. */
  append(at: number, chunk: unknown): void {
    this.check()
    this.write(chunkLine(this.kind, this.later(at), chunk))
  }

  /** How the stream ended; `error` is what it failed with. */
  end(at: number, reason: StreamEnd = 'finished', error?: unknown): void {
    this.check()
    this.isOver = true
    const message = error === undefined ? {} : { error: messageOf(error) }
    this.write(endLine({ at: this.later(at), reason, ...message }))
  }

  private later(at: number): number {
    if (at > this.last) this.last = at
    return this.last
  }

  private check(): void {
    if (this.isOver)
      throw new SluiceError('push-after-end', 'This recording has ended; start another for the next stream.')
  }
}
