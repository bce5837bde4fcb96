/** Debian's own Chromium, and a way to hold a model back while a page is looked at. */

import { execFileSync } from 'node:child_process'
import { type Browser, chromium } from 'playwright-core'
import { onTestFinished } from 'vitest'

const FLAGS = [
  '--headless',
  '--no-sandbox',
  '--disable-gpu',
  '--disable-quic',
  '--no-first-run',
  '--disable-background-networking',
  '--disable-component-update',
  '--disable-sync',
]

/** A browser that is closed when the test is over. */
export async function openBrowser(): Promise<Browser> {
  const executablePath = execFileSync('sh', ['-c', 'command -v chromium'], { encoding: 'utf8' }).trim()
  const browser = await chromium.launch({ executablePath, args: FLAGS })
  onTestFinished(() => browser.close())
  return browser
}

/** Lets the model speak until it has said something, and then makes it wait. */
export class Gate {
  private said = ''
  private goal = 'nothing yet'
  private isOpen = false
  private wake = (): void => {}

  readonly pass = async (piece: string): Promise<void> => {
    while (!this.isOpen)
      await new Promise<void>((resolve) => {
        this.wake = resolve
      })
    this.said += piece
    if (this.said.includes(this.goal)) this.isOpen = false
  }

  letSay(goal: string): void {
    this.goal = goal
    this.isOpen = true
    this.wake()
  }
}
