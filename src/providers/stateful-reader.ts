/** A reader that remembers something from payload to payload, as plain data that a snapshot can hold. */

import type { Fields } from '../fields.ts'
import type { Output } from './output.ts'
import type { PayloadReader } from './provider.ts'

export abstract class StatefulReader<State extends object> implements PayloadReader {
  readonly state: State
  protected readonly out: Output

  constructor(out: Output, state: State) {
    this.out = out
    this.state = state
  }

  abstract read(payload: Fields, isFramed: boolean): void
}
