import type { Browser, Page } from 'playwright-core'
import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest'
import { serve } from '../../examples/segments-websocket/server.ts'
import { launchBrowser } from './browser.ts'

const FILE = `
/** Greets someone by name; nobody is greeted as the world. */
export function greet(name = 'world'): string {
  const trimmed = name.trim()
  if (trimmed.length < 1) return greet()
  return \`Hello, \${trimmed}! 👋\`
}

export function greetAll(names: readonly string[]): string[] {
  return names.filter((name) => name !== '').map((name) => greet(name))
}
`

/** What a person sees: each segment with its heading and its text. */
const seen = (page: Page) =>
  page.$$eval('#turn section', (sections) =>
    sections.map((section) => ({
      type: section.className,
      state: section.getAttribute('data-state'),
      runs: section.getAttribute('data-runs'),
      heading: section.querySelector('header')?.textContent ?? null,
      text: section.querySelector('pre')?.textContent ?? '',
    })),
  )

describe.skipIf(!process.env.SLUICE_HAS_CHROMIUM)('segments over a socket, in a real browser', () => {
  let server: Awaited<ReturnType<typeof serve>>
  let browser: Browser

  beforeAll(async () => {
    server = await serve()
    browser = await launchBrowser()
  })

  afterAll(async () => {
    await browser?.close()
    server?.close()
  })

  it('shows text, a growing file and a command, to those who come early and to those who come late', async () => {
    const page = await browser.newPage()
    await page.goto(server.url)
    const frames: Awaited<ReturnType<typeof seen>>[] = []
    await vi.waitUntil(
      async () => {
        frames.push(await seen(page))
        return (await page.getAttribute('#turn', 'data-state')) === 'over'
      },
      { timeout: 400_000, interval: 20 },
    )

    const expected = [
      { type: 'reasoning', text: 'A greeting with a test will do.' },
      { type: 'text', text: 'I write the greeting first.\n\n' },
      { type: 'write_file', heading: 'src/greet.ts', text: FILE, runs: 'write_file' },
      { type: 'text', text: '\nNow I look whether it works.\n\n' },
      {
        type: 'run_bash',
        heading: 'Terminal',
        text: 'npm test -- greet && echo "all < done"',
        runs: 'run_bash',
      },
      { type: 'text', text: '\nThat was all.\n' },
    ].map((segment) => ({ heading: null, runs: null, state: 'complete', ...segment }))
    expect(await seen(page)).toEqual(expected)

    // The file was there before it was complete, never with a tag in it, and only ever grew.
    const growing = frames.flatMap((frame) =>
      frame.filter(({ type, state }) => type === 'write_file' && state === 'open').map(({ text }) => text),
    )
    expect(new Set(growing).size).toBeGreaterThan(5)
    for (const [index, text] of growing.entries()) {
      expect(FILE.startsWith(text)).toBe(true)
      expect(text.length).toBeGreaterThanOrEqual(growing[index - 1]?.length ?? 0)
    }

    const late = await browser.newPage()
    await late.goto(server.url)
    await late.waitForSelector('#turn[data-state=over]')
    expect(await seen(late)).toEqual(expected)
  })
})
