/**
 * Detection: which of several dialects a response is written in, found out while it is read.
 *
 *     Let me look. <tool_call>\n<function=ls>|        qwen3-coder: `<tool_call>` alone would fit four others
 *
 * `detection/openers.ts` says which markers begin something in which dialect, `detection/reading.ts` reads the text as
 * one of them, and `detection/detector.ts` decides.
 */

import { SluiceError } from '../../base/errors.ts'
import type { JsonValue, Sink } from '../../base/event.ts'
import type { Pauses } from './compile/states.ts'
import { Detector } from './detection/detector.ts'
import type { Dialect } from './dialect.ts'
import type { EndReason, Interruption, Machine, MachineSettings } from './machine.ts'
import type { Program } from './program.ts'

/** Takes the place of a dialect in the options of a parser. Made by `detect`. */
export interface Detection {
  /** The dialects that can be found. Where several fit, the first one is taken. */
  readonly candidates: readonly Dialect[]
  /** Opens the part of a parser that reads the text. */
  readonly open: (context: DetectionContext) => DetectingReader
}

export interface DetectionContext {
  readonly settings: MachineSettings
  readonly sink: Sink
  /** The options shape programs, and are told apart by this. */
  readonly shape: string
  /** Whether reasoning is read. */
  readonly reasoning: boolean
  readonly compile: (dialects: readonly Dialect[], pauses?: Pauses) => Program
}

/** What a parser asks of a detection. */
export interface DetectingReader {
  /** The machine whose fast path may take the next chunk. */
  readonly machine: Machine
  startAnywhere(): void
  startInReasoning(): boolean
  prefill(text: string): void
  push(chunk: string): void
  interrupt(by: Interruption): void
  end(reason: EndReason): void
  save(): JsonValue
  restore(saved: unknown): void
}

/** Detection among these dialects. */
export function detectAmong(candidates: readonly Dialect[]): Detection {
  if (!Array.isArray(candidates) || candidates.length === 0)
    throw new SluiceError('invalid-option', 'detect() takes a list of dialects, or nothing for all of them.')
  const loose = candidates.find(({ looseCalls }) => looseCalls.length > 0)
  if (loose !== undefined)
    throw new SluiceError(
      'invalid-option',
      `The dialect '${loose.name}' cannot be detected, because its calls have no marker; pass it as 'dialect' by itself.`,
    )
  return Object.freeze({
    candidates,
    open: (context: DetectionContext) => new Detector(candidates, context),
  })
}
