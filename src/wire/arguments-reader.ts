/** Reads the arguments of a call, where they stand alone: `{"city": "Paris"}`. */

import type { Call } from '../calls/call.ts'
import { JsonArguments, scannerOptions } from '../calls/json-arguments.ts'
import { JsonScanner } from '../json/scanner.ts'
import type { Limits } from '../limits.ts'
import type { Reader } from './reader.ts'

export class ArgumentsReader extends JsonArguments implements Reader {
  constructor(limits: Limits) {
    super(null, new JsonScanner(scannerOptions(limits)), -1)
  }

  get status(): Reader['status'] {
    return this.scanner.status
  }

  /** Not before it knows its call. */
  get flow(): JsonArguments | null {
    return this.call === undefined ? null : this
  }

  read(text: string, from: number, to: number, call: Call): number {
    this.attach(call, from)
    return this.scanner.read(text, from, to, this)
  }

  end(call: Call): void {
    this.attach(call, 0)
    this.scanner.end(this)
  }

  override save() {
    return { ...super.save(), scanner: this.scanner.save() }
  }

  restore(saved: ReturnType<ArgumentsReader['save']>): this {
    this.scanner.resume(saved.scanner)
    return this.resume(saved)
  }
}
