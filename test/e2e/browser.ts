/** A page in Debian's Chromium, and a model that speaks only as far as a test lets it. */

import type { Server } from 'node:http'
import type { AddressInfo } from 'node:net'
import { type Browser, chromium, type Page } from 'playwright-core'
import { onTestFinished } from 'vitest'

/** Where Debian puts it. */
const CHROMIUM = '/usr/bin/chromium'

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

export function launchBrowser(): Promise<Browser> {
  return chromium.launch({ executablePath: CHROMIUM, args: FLAGS })
}

/** The page that a server serves. Both are closed when the test is over. */
export async function openPage(server: Server): Promise<Page> {
  onTestFinished(() => void server.close())
  const browser = await launchBrowser()
  onTestFinished(() => browser.close())
  const page = await browser.newPage()
  await page.goto(`http://127.0.0.1:${(server.address() as AddressInfo).port}/`)
  return page
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
