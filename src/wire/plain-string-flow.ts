/** The short way through a string that is written in another notation than JSON. */

import type { JsonArguments } from '../calls/json-arguments.ts'
import { isPlain, type Run, type Stops, stopsAt } from '../run.ts'
import type { Flow } from './flow.ts'

/** Inside a string most text is the same in JSON, and passes as if it were that. */
export class PlainStringFlow implements Flow {
  readonly held = ''
  private readonly json: JsonArguments
  private readonly stops: Stops

  constructor(json: JsonArguments, stops: Stops) {
    this.json = json
    this.stops = stops
  }

  take(chunk: string): boolean {
    return isPlain(chunk, this.stops) && this.json.take(chunk)
  }

  hold(): void {}

  begin(run: Run): boolean {
    return this.json.begin(run, this.stops)
  }

  get keeps(): boolean {
    return this.json.keeps
  }

  passed(count: number, said: number, text: string): void {
    this.json.passed(count, said, text)
  }
}

const stopsByQuote = new Map<string, Stops | null>()

/** What closes the string, and what JSON writes in another way: quotes, control characters, lone surrogates. */
export function stopsInside(quote: string): Stops | null {
  let stops = stopsByQuote.get(quote)
  if (stops === undefined) {
    stops = stopsAt([quote.charCodeAt(0), 34, 92], { low: 32, high: 0xd7ff })
    stopsByQuote.set(quote, stops)
  }
  return stops
}
