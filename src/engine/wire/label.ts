/**
 * A short word without a meaning, in markup that is dropped: letters, digits, `_`, `.`, `:` and `-`, or none
 * of them.
 *
 *     <|message_model|>get_wea|ther<|content_text|>
 */

import type { Limits } from '../../base/limits.ts'
import { isCount } from '../../base/plain-state.ts'
import type { Reader, ReaderType } from './reader.ts'
import type { Node } from './template.ts'

interface LabelState {
  /** How many characters were read. */
  taken: number
}

class LabelReader implements Reader<LabelState> {
  status: Reader['status'] = 'open'
  readonly state: LabelState
  private readonly limits: Limits

  constructor(limits: Limits, state: LabelState) {
    this.limits = limits
    this.state = state
  }

  read(text: string, from: number, to: number): number {
    let at = from
    while (at < to && /[\w.:-]/.test(text[at]!)) at++
    const most = from + this.limits.name - this.state.taken
    if (at > most) {
      this.status = 'failed'
      return most
    }
    this.state.taken += at - from
    if (at < to) this.status = 'done'
    return at
  }

  end(): void {}
}

const type: ReaderType<LabelState> = {
  name: 'label',
  first: '',
  namesCall: false,
  givesNothing: true,
  shape: { taken: isCount },
  create: ({ limits }, state = { taken: 0 }) => new LabelReader(limits, state),
  render: () => undefined,
}

export const label: Node = { kind: 'reader', type }
