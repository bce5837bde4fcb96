/** What a dialect writes around a thought. */

import { render } from '../engine/render.ts'
import type { Dialect } from '../engine/wire/dialect.ts'

export interface ReasoningLiterals {
  readonly opener: string
  readonly closer: string
}

/** A thought that no marker contains. */
const SAMPLE = '§'

/** Undefined if the dialect has no thoughts, or does not write them. */
export function reasoningLiterals(dialect: Dialect): ReasoningLiterals | undefined {
  try {
    const [opener = '', closer = ''] = render([{ type: 'reasoning', text: SAMPLE }], { dialect }).split(
      SAMPLE,
    )
    return { opener, closer: closer.trim() }
  } catch {
    return undefined
  }
}
