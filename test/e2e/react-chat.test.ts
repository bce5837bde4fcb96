import type { Locator } from 'playwright-core'
import { describe, expect, it } from 'vitest'
import { startChat } from '../../examples/react-chat/server.ts'
import { Gate, openPage } from './browser.ts'

const rendersOf = async (part: Locator): Promise<number> => Number(await part.getAttribute('data-renders'))

describe.skipIf(!process.env.SLUICE_HAS_CHROMIUM)(
  'the chat of examples/react-chat, in a real browser',
  () => {
    it('shows calls while they are written, and renders only what grew', async () => {
      const gate = new Gate()
      const page = await openPage(await startChat(0, gate.pass))
      await page.click('button')
      const [shopping, packing] = [page.locator('.call').nth(0), page.locator('.call').nth(1)]

      // The model has said so much and waits: what the page shows now, it shows while the call is being written.
      gate.letSay('- bread')
      await shopping.locator('pre').filter({ hasText: '- b' }).waitFor()
      expect(await page.locator('.reasoning').textContent()).toBe('Two short files.')
      expect(await page.locator('.text').first().textContent()).toBe('I write both.\n')
      expect(await shopping.locator('h2').textContent()).toBe('write_file shopping.md')
      expect(await shopping.locator('pre').textContent()).not.toContain('lamp')
      expect(await shopping.locator('.status').textContent()).toBe('writing…')
      expect(await page.locator('main').getAttribute('data-state')).toBe('streaming')
      const early = await rendersOf(shopping)

      gate.letSay('socks')
      await packing.locator('pre').filter({ hasText: '- s' }).waitFor()
      expect(await shopping.locator('pre').textContent()).toBe('# Shopping\n\n- bread\n- a lamp < 40 watts\n')
      expect(await shopping.locator('.status').textContent()).toBe('complete')
      const finished = [page.locator('.reasoning'), page.locator('.text').first(), shopping]
      const before = await Promise.all(finished.map(rendersOf))
      const growing = await rendersOf(packing)
      expect(before[2]).toBeGreaterThan(early)

      gate.letSay('something it never says')
      await page.locator('main[data-finish="tool-calls"]').waitFor()
      expect(await packing.locator('pre').textContent()).toBe('# Packing\n\n- socks\n- a book\n')
      expect(await packing.locator('.status').textContent()).toBe('complete')
      expect(await rendersOf(packing)).toBeGreaterThan(growing)
      expect(await Promise.all(finished.map(rendersOf))).toEqual(before)
      expect(await page.locator('main').getAttribute('data-state')).toBe('idle')
      expect(await page.locator('main').textContent()).not.toMatch(/tool_call|<think>/)
    })
  },
)
