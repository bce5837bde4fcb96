import type { AddressInfo } from 'node:net'
import { describe, expect, it, onTestFinished } from 'vitest'
import { startChat } from '../../../examples/ai-sdk/server.ts'
import { Gate, openBrowser } from '../browser.ts'

describe.skipIf(!process.env.SLUICE_HAS_CHROMIUM)('the chat of examples/ai-sdk, in a real browser', () => {
  it('shows a file while it is written, and never a tag', async () => {
    const gate = new Gate()
    const server = await startChat(0, gate.pass)
    onTestFinished(() => void server.close())
    const page = await (await openBrowser()).newPage()
    await page.goto(`http://127.0.0.1:${(server.address() as AddressInfo).port}/`)
    await page.click('#ask')

    // The model has said so much and waits: what the page shows now, it shows while the call is being written.
    const content = page.locator('.call .content')
    gate.letSay('- bread')
    await content.filter({ hasText: '# Shopping' }).waitFor()
    expect(await page.locator('.reasoning').textContent()).toBe('A list will do.')
    expect(await page.locator('.text').first().textContent()).toBe('I write it down.\n')
    expect(await page.locator('.call .title').textContent()).toBe('write_file shopping.md')
    expect(await content.textContent()).not.toContain('apples')
    expect(await page.locator('.call .status').textContent()).toBe('writing…')

    gate.letSay('- apples')
    await content.filter({ hasText: 'apples' }).waitFor()
    expect(await content.textContent()).not.toContain('lamp')
    expect(await page.locator('.call .status').textContent()).toBe('writing…')

    gate.letSay('something it never says')
    await page.locator('#chat[data-done]').waitFor()
    expect(await content.textContent()).toBe('# Shopping\n\n- bread\n- apples\n- a lamp < 40 watts\n')
    expect(await page.locator('.call .status').textContent()).toBe('shopping.md: 49 characters')
    expect(await page.locator('.text').last().textContent()).toBe('The list is in shopping.md.')
    expect(await page.locator('#chat').textContent()).not.toMatch(/tool_call|<think>/)
  })
})
