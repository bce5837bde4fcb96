/**
 * A provider's own client: the chunks that it yields, and the message that it puts together. Where a client leaves
 * that to its user, the message is what its documented fields add up to.
 */

import type { Said } from './said.ts'

export interface Client {
  readonly name: string
  /** Whose chunks they are, for Sluice. */
  readonly provider: string
  chunks(url: string): Promise<AsyncIterable<unknown>> | AsyncIterable<unknown>
  /** What the message says. `tools`: those that the application has, for clients that ask for them. */
  assemble(url: string, tools?: readonly string[]): Promise<Said>
  /** All that the client has of the message in the end. Rejects where it fails. */
  message(url: string): Promise<unknown>
}

export const NO_KEY = { apiKey: 'none', maxRetries: 0 }
