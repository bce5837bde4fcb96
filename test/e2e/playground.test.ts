/** The playground in a real browser, as `sluice playground` and `sluice serve` serve it, and from disk. */

import { type ChildProcess, spawn, spawnSync } from 'node:child_process'
import { once } from 'node:events'
import {
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { createInterface } from 'node:readline'
import { fileURLToPath, pathToFileURL } from 'node:url'
import { gzipSync } from 'node:zlib'
import axe from 'axe-core'
import type { Browser, BrowserContextOptions, Page } from 'playwright-core'
import { afterAll, beforeAll, describe, expect, it, onTestFinished } from 'vitest'
import { inWords } from '../../src/apps/playground/lit.ts'
import { presetNamed } from '../../src/apps/playground/presets.ts'
import type { SluiceEvent } from '../../src/base/event.ts'
import { parse } from '../../src/index.ts'
import '../../src/apps/playground/providers-part.ts'
import type { Sample } from '../../src/apps/playground/settings.ts'
import { sampleNamed } from '../../src/apps/playground/source-bar.ts'
import { visible } from '../../src/apps/playground/visible-text.ts'
import { openReader, parserOptions } from '../../src/apps/playground/wire-reader.ts'
import { formatRecording } from '../../src/runs/recording/index.ts'
import { merged } from '../laws/observe.ts'
import { Gate, launchBrowser } from './browser.ts'
import { ServedGateway } from './gateway/serve.ts'
import { chunk } from './gateway/upstream.ts'

const ROOT = fileURLToPath(new URL('../..', import.meta.url))
const FOLDER = join(ROOT, 'dist', 'playground')

describe('the files of the playground', () => {
  const size = (name: string): number => gzipSync(readFileSync(join(FOLDER, name)), { level: 9 }).length

  it('are small: what the page loads when it opens, and all of them', () => {
    const atOnce = ['index.html', 'playground-style.css', 'playground.js']
    const later = ['playground-providers.js', 'playground-templates.js']
    expect(readdirSync(FOLDER).sort()).toEqual([...atOnce, ...later].sort())
    expect(atOnce.map(size).reduce((sum, one) => sum + one)).toBeLessThan(146_500)
    // Most of it is the library: every dialect, every provider, read and written, segments, blocks, Jinja.
    expect([...atOnce, ...later].map(size).reduce((sum, one) => sum + one)).toBeLessThan(233_500)
  })
})

describe.skipIf(!process.env.SLUICE_HAS_CHROMIUM)('the playground, in a real browser', () => {
  let browser: Browser
  let command: ChildProcess
  let url: string

  beforeAll(async () => {
    command = spawn(process.execPath, [join(ROOT, 'dist/cli/main.js'), 'playground', '--port', '0'])
    const [line] = (await once(createInterface({ input: command.stdout! }), 'line')) as [string]
    url = line.replace('sluice playground: ', '')
    browser = await launchBrowser()
  })
  afterAll(async () => {
    await browser.close()
    command.kill()
  })

  /** A page whose console has to stay silent, and that asks nobody but its own origin. */
  async function openAt(address: string, options: BrowserContextOptions = {}): Promise<Page> {
    const context = await browser.newContext({ viewport: { width: 1280, height: 900 }, ...options })
    const page = await context.newPage()
    const problems: string[] = []
    const origin = new URL(address).origin
    page.on('console', (message) => problems.push(message.text()))
    page.on('pageerror', (error) => problems.push(String(error)))
    page.on('request', (request) => {
      if (!request.url().startsWith('data:') && new URL(request.url()).origin !== origin)
        problems.push(request.url())
    })
    onTestFinished(async () => {
      await context.close()
      expect(problems).toEqual([])
    })
    await page.goto(address)
    await page.locator('.page').waitFor()
    return page
  }

  /** A picture at a quarter of its size. */
  async function asWebp(png: Buffer): Promise<Buffer> {
    const blank = await browser.newPage()
    onTestFinished(() => blank.close())
    const url = await blank.evaluate(
      async (source) => {
        const image = new Image()
        image.src = source
        await image.decode()
        const canvas = document.createElement('canvas')
        canvas.width = image.width
        canvas.height = image.height
        canvas.getContext('2d')!.drawImage(image, 0, 0)
        return canvas.toDataURL('image/webp', 0.7)
      },
      `data:image/png;base64,${png.toString('base64')}`,
    )
    return Buffer.from(url.split(',')[1]!, 'base64')
  }

  /** A format that no dialect of the library reads. */
  const CHAT_TEMPLATE = `{%- for message in messages %}
    {{- '<|' + message.role + '|>' + (message.content or '') }}
    {%- for call in message.tool_calls or [] %}
        {{- '<|act|>' + call.function.name + '<|with|>' + call.function.arguments | tojson + '<|/act|>' }}
    {%- endfor %}
    {{- '<|over|>' }}
{%- endfor %}
{%- if add_generation_prompt %}{{- '<|assistant|>' }}{%- endif %}`

  async function drop(page: Page, name: string, text: string): Promise<void> {
    await page.evaluate(
      ([file, content]) => {
        const dataTransfer = new DataTransfer()
        dataTransfer.items.add(new File([content], file))
        const event = new DragEvent('drop', { dataTransfer, bubbles: true, cancelable: true })
        document.body.dispatchEvent(event)
      },
      [name, text] as const,
    )
  }

  const still: BrowserContextOptions = { reducedMotion: 'reduce' }

  /** Each event that is shown, as `type what`. */
  const shownEvents = (page: Page): Promise<string[]> =>
    page
      .locator('.event')
      .evaluateAll((rows) =>
        rows.map((row) => `${row.children[1]!.textContent} ${row.children[2]!.textContent}`),
      )

  /** What the parser says after so many characters, in the same words. */
  function expectedEvents(sample: Sample, length: number, isEnded = false): string[] {
    const events: SluiceEvent[] = []
    const reader = openReader(sample, (event) => events.push(event))
    reader.push(sample.text.slice(0, length))
    if (isEnded) reader.end()
    return merged(events).map((event) => `${event.type} ${visible(inWords(event))}`)
  }

  it('plays when it opens, and shows the first card within five seconds', async () => {
    const page = await openAt(url)
    await page.locator('.card').first().waitFor({ timeout: 5_000 })
    expect(await page.locator('.card .tool').first().textContent()).toBe('write_file')
    expect(await page.locator('.card .badge').first().textContent()).toContain('being written')
    expect(await page.locator('.w-markup').count()).toBeGreaterThan(0)
  })

  it('opens from disk, too, with the parts that it loads later', async () => {
    const page = await openAt(pathToFileURL(join(FOLDER, 'index.html')).href, still)
    await page.locator('.card').first().waitFor()
    await page.locator('select.stream').selectOption('provider:anthropic')
    await page.getByText('Read as the stream of anthropic.').waitFor()
    await page.getByRole('tab', { name: 'As other protocols' }).click()
    await page.locator('.written').first().waitFor()
    await drop(page, 'chat_template.jinja', CHAT_TEMPLATE)
    await page.getByText('A dialect made from the chat template').waitFor()
  })

  it('loads nothing but itself when it opens, and a part when it is needed', async () => {
    const page = await openAt(url, still)
    const loaded = (): Promise<string[]> =>
      page.evaluate(() =>
        performance
          .getEntriesByType('resource')
          .map(({ name }) => new URL(name).pathname)
          .filter((path) => path.endsWith('.js')),
      )
    expect(await loaded()).toEqual(['/playground.js'])
    await page.locator('select.stream').selectOption('parallel-calls')
    await page.locator('.card .tool', { hasText: 'get_weather' }).nth(1).waitFor()
    expect(await loaded()).toEqual(['/playground.js', '/playground-providers.js'])
  })

  it('says that a part cannot be loaded, and tries again', async () => {
    const page = await openAt(url, still)
    await page.route('**/playground-providers.js', (route) => route.fulfill({ status: 204 }))
    await page.locator('select.stream').selectOption('parallel-calls')
    await page.getByText('playground-providers.js, a part of this page, cannot be loaded.').waitFor()
    await page.unroute('**/playground-providers.js')
    await page.locator('select.stream').selectOption('cut-off')
    await page.locator('select.stream').selectOption('parallel-calls')
    await page.locator('.card .tool', { hasText: 'get_weather' }).nth(1).waitFor()
  })

  it('shows the end, and does not move, for those who prefer that', async () => {
    const page = await openAt(url, still)
    await page.locator('.finish').waitFor()
    expect(await page.locator('.card[data-status=complete]').count()).toBe(2)
    const sample = presetNamed('rate-limit')!
    await page.locator('.events').evaluate((list) => (list.style.height = '3000px'))
    const expected = expectedEvents(sample, sample.text.length, true)
    await expect.poll(() => shownEvents(page)).toEqual(expected)
    const { toolCalls, text } = parse(sample.text, parserOptions(sample))
    expect(await page.locator('.card .tool').allTextContents()).toEqual(
      toolCalls.map(({ toolName }) => toolName),
    )
    expect(await page.locator('.prose').first().textContent()).toContain(text.trim())
  })

  it.each(['rate-limit', 'dialect:kimi-k2', 'provider:ai-sdk'])(
    'shows at each tenth character what the parser says there: %s',
    async (name) => {
      const sample = (await sampleNamed(name))!
      const page = await openAt(`${url}#preset=${encodeURIComponent(name)}&at=0`)
      await page.locator('.events').evaluate((list) => (list.style.height = '6000px'))
      const moments = Array.from(
        { length: Math.floor(sample.text.length / 10) + 1 },
        (_, index) => index * 10,
      )
      const shown = await page.evaluate(async (all) => {
        const slider = document.querySelector<HTMLInputElement>('.slider')!
        const found: { events: string[]; wire: string }[] = []
        for (const moment of all) {
          slider.value = String(moment)
          slider.dispatchEvent(new Event('input', { bubbles: true }))
          await new Promise((resolve) => setTimeout(resolve))
          found.push({
            events: [...document.querySelectorAll('.event')].map(
              (row) => `${row.children[1]!.textContent} ${row.children[2]!.textContent}`,
            ),
            wire: document.querySelector('.where')!.textContent!,
          })
        }
        return found
      }, moments)
      const expected = moments.map((moment) => ({
        events: expectedEvents(sample, moment),
        wire: `${moment.toLocaleString('en')} of ${sample.text.length.toLocaleString('en')} characters`,
      }))
      expect(shown).toEqual(expected)
    },
  )

  it('keeps its state in the address', async () => {
    const page = await openAt(url, still)
    await page.getByRole('button', { name: 'Your own' }).click()
    await page
      .getByLabel('What the model wrote')
      .fill('Hi 😀<tool_call>{"name": "ls", "arguments": {"path": "ä"}}</tool_call>')
    await page.locator('select.dialect').selectOption('auto')
    await page.getByRole('button', { name: '3 bytes', exact: true }).click()
    await page.getByText('Detected: hermes').waitFor()
    await page.locator('.checked.good').waitFor()
    await page.getByRole('slider').focus()
    await page.keyboard.press('PageUp')
    await page.waitForURL(/text=.*cut=bytes-3&at=\d+/)
    const events = await shownEvents(page)
    const moment = await page.locator('.where').textContent()
    const other = await openAt(page.url(), still)
    await other.getByText('Detected: hermes').waitFor()
    expect(await other.locator('.where').textContent()).toBe(moment)
    await expect.poll(() => shownEvents(other)).toEqual(events)
    expect(await other.locator('.chip[aria-pressed=true]').textContent()).toBe('3 bytes')
  })

  it.each([
    ['a text that is cut off', '#text=q1YqyUx'],
    ['chunks that are none', '#text=U0pUKEktLlECAA&chunks=i4421jGM1Yk20jGKjQUA'],
  ])('says that a link is damaged: %s', async (_, fragment) => {
    const page = await openAt(`${url}${fragment}`, still)
    await page.getByText('This link is damaged.').waitFor()
    await page.locator('.finish').waitFor()
  })

  it('keeps what is typed and cannot be read, and says what is wrong with it', async () => {
    const page = await openAt(url, still)
    await page.getByRole('button', { name: 'Your own' }).click()
    const field = page.getByLabel('What the model wrote')
    await field.fill('{"sluice-recording": 1}')
    await page.getByRole('alert').getByText('has the kind undefined').waitFor()
    expect(await field.inputValue()).toBe('{"sluice-recording": 1}')
    // Another text is read by itself, and not as the preset was.
    await field.fill('<tool_call>{"name": "ls", "arguments": {}}</tool_call>')
    await page.getByText('Detected: hermes').waitFor()
    expect(await page.getByRole('alert').count()).toBe(0)
  })

  it('takes a long text that is pasted without putting it into the field', async () => {
    const page = await openAt(url, still)
    await page.getByRole('button', { name: 'Your own' }).click()
    const text = 'while a < b, a line of <tool_cal prose\n'.repeat(10_000)
    await page.evaluate((pasted) => {
      const clipboardData = new DataTransfer()
      clipboardData.setData('text/plain', pasted)
      const event = new ClipboardEvent('paste', { clipboardData, bubbles: true, cancelable: true })
      document.querySelector('#own-text')!.dispatchEvent(event)
    }, text)
    await page.getByText(`of ${text.length.toLocaleString('en')} characters`).waitFor()
    await page.getByText('are too many to edit here').waitFor()
    await page.getByRole('button', { name: 'Clear' }).click()
    expect(await page.getByLabel('What the model wrote').inputValue()).toBe('')
  })

  it('reads with the dialect of a chat template that is dropped, and keeps it in the address', async () => {
    const page = await openAt(url, still)
    await drop(page, 'chat_template.jinja', CHAT_TEMPLATE)
    await page.getByText('A dialect made from the chat template').waitFor()
    await page.locator('.card[data-status=complete] .tool', { hasText: 'note_medlar' }).waitFor()
    await page.getByText('<|act|>find_quince<|with|>{"orchard": "Hesperia", "baskets": 73}<|/act|>').waitFor()
    await page.waitForURL(/dialect=chat-template&template=/)
    const before = page.url()
    await page.getByRole('button', { name: 'Your own' }).click()
    await page
      .getByLabel('What the model wrote')
      .fill('Look: <|act|>note_medlar<|with|>{"remark": "Mine"}<|/act|>')
    const remark = '.card[data-status=complete] .short'
    await page.locator(remark, { hasText: 'Mine' }).waitFor()
    await page.waitForURL(({ href }) => href !== before)
    const other = await openAt(page.url(), still)
    await other.locator(remark, { hasText: 'Mine' }).waitFor()
    expect(await other.locator('.prose').allTextContents()).toEqual(['Look: '])
    const folder = folderWithPackage()
    writeFileSync(join(folder, 'copied.test.mjs'), await copied(other, 'Copy as test'))
    const { stdout } = spawnSync(process.execPath, ['--test', folder], { encoding: 'utf8' })
    expect(stdout).toMatch(/^# pass 1\n# fail 0$/m)
  })

  it('says why a chat template has no dialect', async () => {
    const page = await openAt(url, still)
    await page.getByRole('button', { name: 'Your own' }).click()
    await page.getByLabel('A chat template').fill('{{ messages[0].content }}')
    await page.getByRole('button', { name: 'Find its dialect' }).click()
    await page.getByRole('alert').getByText('The chat template writes no calls').waitFor()
  })

  it('reads a recording that is dropped', async () => {
    const recording = formatRecording({
      kind: 'text',
      header: { dialect: 'hermes' },
      chunks: [
        { at: 0, chunk: 'Dropped <tool_' },
        { at: 5, chunk: 'call>{"name": "ls", "arguments": {}}</tool_call>' },
      ],
    })
    const page = await openAt(url, still)
    await drop(page, 'dropped.jsonl', recording)
    await page.getByText('dropped.jsonl was read.').waitFor()
    await page.locator('.card[data-status=complete] .tool', { hasText: 'ls' }).waitFor()
    expect(await page.locator('.lane-name').nth(1).textContent()).toBe('2 chunks')
  })

  /** A folder in which the built package is installed. */
  function folderWithPackage(): string {
    const folder = mkdtempSync(join(tmpdir(), 'sluice-copied-'))
    onTestFinished(() => rmSync(folder, { recursive: true }))
    mkdirSync(join(folder, 'node_modules'))
    symlinkSync(ROOT, join(folder, 'node_modules', 'sluice'))
    return folder
  }

  async function copied(page: Page, title: string): Promise<string> {
    await page.context().grantPermissions(['clipboard-read', 'clipboard-write'])
    await page.getByRole('button', { name: title }).click()
    await page.getByText('was copied.').waitFor()
    return page.evaluate(() => navigator.clipboard.readText())
  }

  it.each([
    ['a preset, in pieces of three bytes', '#preset=rate-limit&cut=bytes-3&at=0'],
    ['hostile characters', '#preset=hostile&at=0'],
    ['a detected dialect', '#preset=dialect%3Akimi-k2&dialect=auto&at=0'],
    ["a provider's stream", '#preset=parallel-calls&at=0'],
    ['a binary stream', '#preset=provider%3Abedrock&at=0'],
  ])('copies a test that runs: %s', async (_, fragment) => {
    const page = await openAt(`${url}${fragment}`)
    const folder = folderWithPackage()
    const [same, other] = ['same.test.mjs', 'other.test.mjs'].map((name) => join(folder, name))
    const code = await copied(page, 'Copy as test')
    writeFileSync(same!, code)
    // It is a test: another stream fails it.
    writeFileSync(other!, code.replace('const chunks = [', 'const chunks = ["A",'))
    const { stdout } = spawnSync(process.execPath, ['--test', same!, other!], { encoding: 'utf8' })
    expect(stdout).toMatch(/^# pass 1\n# fail 1$/m)
    expect(stdout).toMatch(/^not ok .*\n(?: {2}.*\n)*? {2}location: '.*other\.test\.mjs/m)
  })

  it('copies code that runs', async () => {
    const folder = folderWithPackage()
    const run = async (fragment: string, source: [string, string]): Promise<string> => {
      const page = await openAt(`${url}${fragment}`)
      const file = join(folder, 'copied.mjs')
      const code = await copied(page, 'Copy as code')
      expect(code).toContain(source[0])
      writeFileSync(file, code.replace(...source))
      return spawnSync(process.execPath, [file], { encoding: 'utf8' }).stdout
    }
    const { text } = presetNamed('cut-off')!
    const written = await run('#preset=cut-off&at=0', ["['Hello']", JSON.stringify([...text])])
    expect(written).toContain("run_command { command: 'rm -rf build' } truncated")
    const wire = `data:text/event-stream,${encodeURIComponent(presetNamed('parallel-calls')!.text)}`
    const provided = await run('#preset=parallel-calls&at=0', [
      "'https://example.com/v1/chat/completions'\nconst request = { method: 'POST', body: '{}' }",
      `${JSON.stringify(wire)}\nconst request = {}`,
    ])
    expect(provided).toBe(
      "Both at once.\nget_weather { city: 'Paris', days: 2 } complete\nget_weather { city: 'Oslo' } complete\n",
    )
  })

  it('is used with the keyboard alone', async () => {
    const page = await openAt(url, still)
    await page.locator('.finish').waitFor()
    for (let presses = 0; presses < 40; presses++) {
      await page.keyboard.press('Tab')
      if (await page.evaluate(() => document.activeElement?.matches('.slider'))) break
    }
    const where = async (): Promise<number> =>
      Number.parseInt((await page.locator('.where').textContent())!, 10)
    await page.keyboard.press('Home')
    expect(await where()).toBe(0)
    await page.keyboard.press('ArrowRight')
    expect(await where()).toBe(1)
    await page.keyboard.press('Shift+ArrowRight')
    expect(await where()).toBe(3)
    await page.keyboard.press('PageDown')
    expect(await where()).toBe(7)
    await page.keyboard.press('ArrowLeft')
    expect(await where()).toBe(6)
    await page.keyboard.press('End')
    await page.locator('.finish').waitFor()
    // The tabs, and the list of events: arrows go through both, and light up what an event was made of.
    await page.getByRole('tab', { name: 'Events' }).focus()
    await page.keyboard.press('ArrowRight')
    await page.getByRole('tabpanel', { name: 'As other protocols' }).waitFor()
    await page.keyboard.press('ArrowRight')
    await page.getByRole('log').focus()
    await page.keyboard.press('ArrowDown')
    await page.keyboard.press('ArrowDown')
    await page.locator('.event.lit', { hasText: 'reasoning-delta' }).waitFor()
    await page.locator('.wire').evaluate((box) => box.scrollTo(0, 0))
    await page.locator('.wire .lit').first().waitFor()
    await page.keyboard.press('Enter')
    expect(await where()).toBe(9)
    await page.getByRole('slider').focus()
    await page.keyboard.press('Home')
    await page.keyboard.press('Space')
    await page.getByRole('button', { name: 'Pause' }).waitFor()
    await page.locator('.card').first().waitFor()
  })

  /** What axe finds: each rule with the elements that break it. */
  async function violationsIn(page: Page): Promise<unknown[]> {
    await page.evaluate(axe.source)
    const { violations } = await page.evaluate(() => (globalThis as unknown as { axe: typeof axe }).axe.run())
    return violations.map(({ id, nodes }) => [id, nodes.map(({ html }) => html)])
  }

  it.each(['light', 'dark'] as const)('has no violations that axe finds, in %s', async (colorScheme) => {
    const page = await openAt(`${url}#preset=cut-off&at=60`, { colorScheme })
    await page.getByRole('button', { name: 'Your own' }).click()
    for (const tab of ['Events', 'As other protocols']) {
      await page.getByRole('tab', { name: tab }).click()
      expect(await violationsIn(page)).toEqual([])
    }
    await drop(page, 'chat_template.jinja', CHAT_TEMPLATE)
    await page.locator('.template').waitFor()
    expect(await violationsIn(page)).toEqual([])
  })

  it('shows hostile text as text', async () => {
    const page = await openAt(`${url}#preset=hostile&at=99999`)
    await page.locator('.finish').waitFor()
    for (const tab of ['As other protocols', 'Events']) await page.getByRole('tab', { name: tab }).click()
    expect(await page.title()).toBe('Sluice playground')
    expect(await page.locator('#page img, #page script, #page b[onclick]').count()).toBe(0)
    const shown = (await page.locator('.page').innerText()) + (await page.locator('.page').textContent())
    expect(shown).toContain('<img src=x onerror="document.title=1">')
    expect(shown).toContain('␛[31mred')
    expect(shown).not.toMatch(/[^\P{Cc}\n\t]|\p{Cf}/u)
  })

  it('lights up what an event was made of, and back', async () => {
    const page = await openAt(`${url}#preset=cut-off&at=99999`)
    await page.locator('.event', { hasText: 'tool-input-start' }).hover()
    expect(await page.locator('.wire .lit').allTextContents()).toContain('run_command')
    await page.locator('.wire .w-value').first().hover()
    expect(await page.locator('.event.lit .type').allTextContents()).toEqual(['argument-delta'])
    await page.locator('.lit-card').waitFor()
  })

  // How much is done for a frame, and not how long that takes, which depends on what else the machine does.
  it('stays smooth while a megabyte plays: each frame changes only what can be seen', async () => {
    const page = await openAt(url, still)
    const line = 'const a = 1 < 2 // a line of a long file\n'
    const text = `<tool_call>\n<function=write_file>\n<parameter=content>\n${line.repeat(25_000)}</parameter>\n</function>\n</tool_call>`
    expect(text.length).toBeGreaterThan(1_000_000)
    const file = join(mkdtempSync(join(tmpdir(), 'sluice-page-')), 'long.txt')
    onTestFinished(() => rmSync(file))
    writeFileSync(file, text)
    await page.getByRole('button', { name: 'Your own' }).click()
    await page.locator('input[type=file]').setInputFiles(file)
    await page.getByText(`of ${text.length.toLocaleString('en')} characters`).waitFor()
    await page.getByLabel('Speed').selectOption('8')
    await page.evaluate(() => {
      const most = { moments: 0, nodes: 0, characters: 0, elements: 0 }
      Object.assign(globalThis, { most })
      // It is told of all changes of a frame at once.
      new MutationObserver((changes) => {
        let [nodes, characters] = [0, 0]
        for (const { addedNodes, removedNodes, type, target } of changes) {
          nodes += addedNodes.length + removedNodes.length
          for (const node of addedNodes) characters += node.textContent!.length
          if (type === 'characterData') characters += target.textContent!.length
        }
        most.moments++
        most.nodes = Math.max(most.nodes, nodes)
        most.characters = Math.max(most.characters, characters)
        most.elements = Math.max(most.elements, document.querySelectorAll('*').length)
      }).observe(document.body, { childList: true, characterData: true, subtree: true })
    })
    await page.getByRole('button', { name: 'Play', exact: true }).click()
    await page.locator('.card[data-status=writing]').waitFor()
    await page.locator('.finish').waitFor()
    const most = await page.evaluate(
      () =>
        (globalThis as unknown as { most: Record<'moments' | 'nodes' | 'characters' | 'elements', number> })
          .most,
    )
    expect(most.moments).toBeGreaterThan(10)
    expect(most.nodes).toBeLessThan(400)
    expect(most.characters).toBeLessThan(20_000)
    expect(most.elements).toBeLessThan(1_500)
  })

  it.each([
    [390, 844],
    [820, 1180],
    [1440, 900],
  ])('fits a screen that is %i pixels wide', async (width, height) => {
    // The first call is whole, and the opener of the second one is held back.
    const moment = presetNamed('rate-limit')!.text.lastIndexOf('<tool_call>') + 8
    const page = await openAt(`${url}#preset=rate-limit&at=${moment}`, {
      viewport: { width, height },
    })
    await page.locator('.card').waitFor()
    const fits = (): Promise<boolean> =>
      page.evaluate(() => document.documentElement.scrollWidth <= innerWidth)
    expect(await fits()).toBe(true)
    // Kept in docs/, and looked at by a person whenever they are taken.
    if (process.env.SLUICE_SCREENSHOTS)
      writeFileSync(join(ROOT, `docs/playground-${width}.webp`), await asWebp(await page.screenshot()))
    await page.getByRole('button', { name: 'Your own' }).click()
    await page.locator('.editor').waitFor()
    expect(await fits()).toBe(true)
    if (width > 390) return
    await drop(page, 'chat_template.jinja', CHAT_TEMPLATE)
    await page.locator('.template').waitFor()
    expect(await fits()).toBe(true)
  })

  describe('with a gateway behind it', () => {
    /** A gateway that keeps runs, in front of a model that speaks only as far as the test lets it. */
    async function gatedGateway(): Promise<{
      gate: Gate
      gateway: ServedGateway
      hasLeft: Promise<unknown>
    }> {
      const gate = new Gate()
      let left = (): void => {}
      const hasLeft = new Promise<void>((resolve) => {
        left = resolve
      })
      const pieces = ANSWER.match(/[\s\S]{1,5}/g)!
      const model = createServer(async (request, response) => {
        if (request.method !== 'POST') {
          response.writeHead(404).end()
          return
        }
        request.resume()
        response.on('close', left)
        response.writeHead(200, { 'content-type': 'text/event-stream' })
        for (const content of pieces) {
          await gate.pass(content)
          if (response.destroyed) return
          response.write(chunk({ content }))
        }
        response.end(`${chunk({}, 'stop')}data: [DONE]\n\n`)
      })
      await new Promise<void>((resolve) => model.listen(0, '127.0.0.1', resolve))
      const folder = mkdtempSync(join(tmpdir(), 'sluice-runs-'))
      const upstream = `http://127.0.0.1:${(model.address() as AddressInfo).port}`
      const options = [
        '--upstream',
        upstream,
        '--mode',
        'prompt',
        '--dialect',
        'hermes',
        '--log',
        `file:${folder}`,
      ]
      const gateway = await ServedGateway.start(options)
      onTestFinished(async () => {
        await gateway.kill()
        model.closeAllConnections()
        model.close()
        rmSync(folder, { recursive: true })
      })
      return { gate, gateway, hasLeft }
    }
    const ANSWER =
      'I look. <tool_call>{"name": "get_weather", "arguments": {"city": "Paris", "days": 2}}</tool_call> That was it.'

    async function ask(page: Page): Promise<void> {
      await page.getByRole('tab', { name: 'Ask a model' }).click()
      await page.getByRole('combobox', { name: 'Model' }).fill('gated')
      await page.getByRole('button', { name: 'Send' }).click()
      await page.getByText(/Run run_\w+ is going on/).waitFor()
    }

    it('watches a run, goes on with it after a reload, and shows it in a second tab', async () => {
      const { gate, gateway } = await gatedGateway()
      const page = await openAt(`${gateway.url}/`, still)
      gate.letSay('"Par')
      await ask(page)
      const card = '.card[data-status=writing] .tool'
      await page.locator(card, { hasText: 'get_weather' }).waitFor()
      await page.waitForURL(/#run=run_/)

      await page.reload()
      await page.locator(card, { hasText: 'get_weather' }).waitFor()
      const other = await openAt(page.url(), still)
      await other.locator(card, { hasText: 'get_weather' }).waitFor()

      gate.letSay('something it never says')
      for (const one of [page, other]) {
        await one.locator('.card[data-status=complete]').waitFor()
        await one.getByText('is over').waitFor()
        expect(await one.locator('.prose').allTextContents()).toEqual(['I look. ', ' That was it.'])
        expect(await one.locator('.card .short').allTextContents()).toEqual(['Paris', '2'])
      }
    })

    it('stops a run', async () => {
      const { gate, gateway, hasLeft } = await gatedGateway()
      const page = await openAt(`${gateway.url}/`, still)
      gate.letSay('"Par')
      await ask(page)
      await page.locator('.card[data-status=writing]').waitFor()
      await page.getByRole('button', { name: 'Stop' }).click()
      await hasLeft
      await page.locator('.card[data-status=truncated]').waitFor()
      await page.getByText('is over').waitFor()
    })

    it('shows the end of a run that is not kept, although a recording played when it was asked for', async () => {
      const gateway = await ServedGateway.start(['--log', 'none'])
      onTestFinished(() => void gateway.kill())
      const page = await openAt(`${gateway.url}/`)
      await page.getByRole('tab', { name: 'Ask a model' }).click()
      await expect
        .poll(() => page.getByRole('combobox', { name: 'Model' }).inputValue())
        .toBe('sluice-scripted')
      expect(await violationsIn(page)).toEqual([])
      await page.getByRole('button', { name: 'Send' }).click()
      await page.getByText('keeps no runs').waitFor()
      await page.locator('.card[data-status=complete]').waitFor()
      await page.locator('.finish').waitFor()
    })
  })
})
