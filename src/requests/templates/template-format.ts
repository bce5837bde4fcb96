/** What a chat template says about the way its model writes. */

import { SluiceError } from '../../base/errors.ts'
import type { Dialect } from '../../engine/wire/dialect.ts'

/** How a model writes. `dialect` and `start` are options of every parser. */
export interface TemplateFormat {
  readonly dialect: Dialect
  /** `reasoning`: the prompt opens the reasoning, and the response begins inside it. */
  readonly start: 'text' | 'reasoning'
  /** One of the library's dialects reads what the template writes, or its markers were taken from the template. */
  readonly origin: 'detected' | 'derived'
  /** Other dialects of the library that read it as well. */
  readonly alternatives: readonly string[]
  /** What the template writes behind an answer. */
  readonly footer: string
  /** What was tried. */
  readonly probes: readonly ProbeResult[]
}

/** What one probe showed about a chat template. */
export interface ProbeResult {
  /** What it tried, such as `two calls`. */
  readonly name: string
  /** What the template writes for it; undefined where it does not. */
  readonly written?: string
  /** Why it proves nothing, or what failed. */
  readonly problem?: string
}

/** No dialect survives the probes. `probe` is the one that failed. */
export class UnprovedDialectError extends SluiceError {
  readonly probe: ProbeResult

  constructor(message: string, probe: ProbeResult) {
    super('unproved-dialect', message)
    this.probe = probe
  }
}
