/**
 * What people said of one call. An approval lets it run; a denial by anyone counts until its tool starts, whoever approved
 * it before.
 */

import type { Denied } from './turn-call.ts'

export class Ballot {
  /** The tool that the call named when it began: an approval is for that one. */
  readonly toolName: string
  private isApproved = false
  private denied: Denied | undefined
  private waiting: (() => void)[] = []

  constructor(toolName: string) {
    this.toolName = toolName
  }

  approve(): void {
    this.isApproved = true
    this.wake()
  }

  deny(denial: Denied): void {
    this.denied ??= denial
    this.wake()
  }

  /** The first denial; undefined as long as nobody denied the call. */
  get denial(): Denied | undefined {
    return this.denied
  }

  /** Whether somebody approved the call of this tool. */
  approves(toolName: string): boolean {
    return this.isApproved && toolName === this.toolName
  }

  /** Until something is said that `counts`. */
  until<Answer>(counts: () => Answer | undefined): Promise<Answer> {
    return new Promise((resolve) => {
      const look = (): void => {
        const answer = counts()
        if (answer === undefined) this.waiting.push(look)
        else resolve(answer)
      }
      look()
    })
  }

  private wake(): void {
    for (const look of this.waiting.splice(0)) look()
  }
}
