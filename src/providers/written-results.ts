/** The results that a writer has read so far: formats take a result whole, and it comes in deltas. */

import type { Metadata, SluiceEvent } from '../base/event.ts'

type ResultEvent = SluiceEvent & { readonly type: `tool-result-${string}` }

export interface WrittenResult {
  readonly id: string
  readonly content: string
  readonly isError: boolean
  readonly metadata?: Metadata
}

export class WrittenResults {
  private readonly open = new Map<string, WrittenResult>()

  /** Takes the next event of a result. Answers the whole result if the event ends it. */
  add(event: ResultEvent): WrittenResult | undefined {
    const { id } = event
    if (event.type === 'tool-result-start') {
      const { isError = false, metadata } = event
      this.open.set(id, { id, content: '', isError, ...(metadata && { metadata }) })
      return undefined
    }
    const result = this.open.get(id)
    if (result === undefined) return undefined
    if (event.type === 'tool-result-delta') {
      this.open.set(id, { ...result, content: result.content + event.delta })
      return undefined
    }
    this.open.delete(id)
    return { ...result, isError: result.isError || (event.isError ?? false) }
  }
}
