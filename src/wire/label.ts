/**
 * A short word that means nothing to anyone, in markup that is dropped: letters, digits, `_`, `.`, `:` and `-`, or none
 * of them.
 *
 *     <|message_model|>get_wea|ther<|content_text|>
 */

import type { Limits } from '../limits.ts'
import type { Reader, ReaderType } from './reader.ts'
import type { Node } from './template.ts'

class LabelReader implements Reader {
  status: Reader['status'] = 'open'
  private readonly limits: Limits
  private taken: number

  constructor(limits: Limits, taken: number) {
    this.limits = limits
    this.taken = taken
  }

  read(text: string, from: number, to: number): number {
    let at = from
    while (at < to && /[\w.:-]/.test(text[at]!)) at++
    const most = from + this.limits.name - this.taken
    if (at > most) {
      this.status = 'failed'
      return most
    }
    this.taken += at - from
    if (at < to) this.status = 'done'
    return at
  }

  end(): void {}

  save(): number {
    return this.taken
  }
}

const type: ReaderType = {
  name: 'label',
  first: '',
  namesCall: false,
  isIgnored: true,
  create: ({ limits }) => new LabelReader(limits, 0),
  restore: (taken, { limits }) => new LabelReader(limits, taken as number),
  render: () => '',
}

export const label: Node = { kind: 'reader', type }
