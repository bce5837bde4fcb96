import { describe, expect, it } from 'vitest'
import { startServer } from '../../examples/events-page/server.ts'
import { Gate, openPage } from './browser.ts'

describe.skipIf(!process.env.SLUICE_HAS_CHROMIUM)(
  'the page of examples/events-page, in a real browser',
  () => {
    it('shows text and an argument while they grow, and never a tag', async () => {
      const gate = new Gate()
      const server = await startServer(0, gate.pass)
      const page = await openPage(server)
      await page.click('#ask')

      // The model has written so much and waits: what the page shows now, it shows while the call is being written.
      const content = page.locator('.content')
      gate.letSay('1. Boil')
      await content.filter({ hasText: '1. Boil' }).waitFor()
      expect(await page.locator('.reasoning').textContent()).toBe('Two steps.')
      expect(await page.locator('.text').textContent()).toBe('I write it down.\n')
      expect(await content.textContent()).not.toContain('Wait')
      expect(await content.getAttribute('data-status')).toBe('writing')
      expect(await page.locator('#answer').getAttribute('data-reason')).toBeNull()

      gate.letSay('something it never writes')
      await page.locator('#answer[data-reason="tool-calls"]').waitFor()
      expect(await content.textContent()).toBe('# Tea\n\n1. Boil water.\n2. Wait < 5 minutes.\n')
      expect(await content.getAttribute('data-status')).toBe('complete')
      expect(await page.locator('#answer').textContent()).not.toMatch(/tool_call|<think>/)
    })

    it('ends a call as truncated when the server goes away', async () => {
      const gate = new Gate()
      const server = await startServer(0, gate.pass)
      const page = await openPage(server)
      await page.click('#ask')
      gate.letSay('1. Boil')
      await page.locator('.content').filter({ hasText: '1. Boil' }).waitFor()
      server.closeAllConnections()
      await page.locator('#answer[data-reason="error"]').waitFor()
      expect(await page.locator('.content').getAttribute('data-status')).toBe('truncated')
      expect(await page.locator('.error').textContent()).toMatch(/network error|connection/i)
    })
  },
)
