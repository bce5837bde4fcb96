import { describe, expect, it, vi } from 'vitest'
import { createTerminal, createToolRenderer, type TerminalOptions } from '../../../src/apps/terminal/index.ts'
import { hermes } from '../../../src/dialects/index.ts'
import { sluice } from '../../../src/engine/stream.ts'
import { type Model, runTurn, type TurnTools } from '../../../src/turn/index.ts'
import { createStreamingView, TurnCoordinator } from '../../../src/views/compat/progress/index.ts'
import { Keyboard } from '../cli/harness.ts'
import { ManualClock } from './clocks.ts'
import { Emulator } from './emulator.ts'

const call = (name: string, input: object): string =>
  `<tool_call>${JSON.stringify({ name, arguments: input })}</tool_call>`

/** A model that says one text after the other, in small pieces. */
const scripted =
  (...texts: string[]): Model =>
  (_request, { reading }) =>
    sluice(texts.shift()?.match(/.{1,9}/gs) ?? [], { dialect: hermes, ...reading })

function open(options: Partial<TerminalOptions> = {}) {
  const emulator = new Emulator(100, 24)
  const clock = new ManualClock()
  const output = emulator.output()
  const terminal = createTerminal({ stdout: output, stderr: output, clock, ...options })
  const keyboard = new Keyboard()
  /** Lets frames be drawn until the screen shows this. */
  const until = (text: string): Promise<unknown> =>
    vi.waitUntil(
      async () => {
        await clock.advance(50)
        return (await emulator.screen()).includes(text)
      },
      { timeout: 20_000, interval: 5 },
    )
  return { emulator, clock, terminal, keyboard, until }
}

describe('a turn on the screen', () => {
  it('asks while it goes on, runs what is allowed, and shows results', async () => {
    const { emulator, terminal, keyboard, until } = open({ display: { results: 2 } })
    terminal.listen(keyboard)
    let finish = (_result: string): void => {}
    const tools: TurnTools = {
      run: { execute: () => new Promise<string>((resolve) => (finish = resolve)) },
      wipe: { execute: () => 'gone' },
    }
    const text = `I start.${call('run', { command: 'ls' })}${call('wipe', { path: '/' })}`
    const turn = runTurn({
      model: scripted(text, 'Done.'),
      conversation: 'Go.',
      tools,
      approve: terminal.approve.bind(terminal),
      onEvent: (event) => terminal.add(event),
    })
    // The second call is read, and asked about, while the first question is open.
    await until('Run run {"command":"ls"}? (1 more)   y yes · n no · v view all of it')
    const asked = await emulator.screen()
    expect(asked).toContain('▸ run  command: ls\n  ✓ complete\n  ? waits for approval')
    expect(asked).toContain('▸ wipe  path: /\n  ✓ complete\n  ? waits for approval')
    await until('Run run')
    for (let look = 0; look < 10; look++) await until('Run run')
    keyboard.press('y')
    // A second key that follows at once is no answer to the next question.
    keyboard.press('y')
    await until('◦ running')
    await until('Run wipe {"path":"/"}?   y yes')
    for (let look = 0; look < 10; look++) await until('Run wipe')
    keyboard.press('n')
    await until('✗ denied')
    finish('one\ntwo\nthree\n')
    const { text: said } = await turn
    terminal.end()
    expect(said).toBe('I start.Done.')
    expect((await emulator.lines()).join('\n')).toBe(`I start.

▸ run  command: ls
  ✓ complete
  ✓ done · 3 lines
  │ one
  │ two
  ⋮ 1 more line

▸ wipe  path: /
  ✓ complete
  ✗ denied · The user did not allow this call. Do not send it again; ask, or do without it.

Done.`)
  })

  it('shows all of a call that is asked about, where somebody wants to see it', async () => {
    const { emulator, terminal, keyboard, until } = open()
    terminal.listen(keyboard)
    const controller = new AbortController()
    const turn = runTurn({
      model: scripted(call('run', { command: 'echo 1\necho 2\n'.repeat(30) })),
      conversation: 'Go.',
      tools: { run: { execute: () => '' } },
      approve: (request) => terminal.approve(request),
      onEvent: (event) => terminal.add(event),
      signal: controller.signal,
    })
    await until('Run run')
    expect(await emulator.screen()).toContain('⋮ ')
    keyboard.press('v')
    await until('Run run')
    const whole = (await emulator.lines()).join('').replaceAll(/[\s│]/g, '')
    expect(whole).toContain('echo1\\necho2\\n'.repeat(30))
    controller.abort()
    await turn
    terminal.end()
    expect((await emulator.lines()).join('\n')).toMatch(
      /\n {2}✗ cancelled · .*\n\n· the turn ended: aborted$/,
    )
  })

  it('denies where nobody can be asked', async () => {
    const { emulator, terminal } = open()
    await runTurn({
      model: scripted(call('run', {}), 'Well.'),
      conversation: 'Go.',
      tools: { run: { execute: () => 'ran' } },
      approve: (request) => terminal.approve(request),
      onEvent: (event) => terminal.add(event),
    })
    terminal.end()
    expect((await emulator.lines()).join('\n')).toContain('✗ denied · No one can approve the call here.')
  })

  it('stops the generation at the first Ctrl-C, and leaves at the second', async () => {
    const controller = new AbortController()
    const left = vi.fn()
    const { emulator, terminal, keyboard, until } = open({ onStop: () => controller.abort(), onLeave: left })
    const release = terminal.listen(keyboard)
    const endless: Model = async function* () {
      yield { type: 'text-start', id: 't' }
      yield { type: 'text-delta', id: 't', delta: 'On and on' }
      await new Promise(() => {})
    }
    const turn = runTurn({
      model: endless,
      conversation: 'Go.',
      onEvent: (event) => terminal.add(event),
      signal: controller.signal,
    })
    await until('On and on')
    keyboard.press('\x03')
    expect((await turn).stopReason).toBe('aborted')
    expect(left).not.toHaveBeenCalled()
    keyboard.press('\x03')
    expect(left).toHaveBeenCalledOnce()
    release()
    expect(keyboard.isRaw).toBe(false)
    expect((await emulator.lines())[0]).toBe('On and on')
  })

  it('hides tools, and shows others as it is told to', async () => {
    const display = (toolName: string) =>
      ({
        secret: { hidden: true },
        quiet: { arguments: 'off', results: 'off' },
        called: { arguments: 'call' },
        json: { arguments: 'json' },
        own: { arguments: (input: unknown) => `about ${(input as { a: string }).a}\x1b[2J` },
        broken: {
          arguments: () => {
            throw new Error('oh')
          },
        },
      })[toolName] as never
    const { emulator, terminal } = open({ display })
    const input = { a: 'x', b: [1] }
    const names = ['secret', 'quiet', 'called', 'json', 'own', 'broken']
    await runTurn({
      model: scripted(names.map((name) => call(name, input)).join(''), ''),
      conversation: 'Go.',
      tools: Object.fromEntries(names.map((name) => [name, { execute: () => 'result' }])),
      onEvent: (event) => terminal.add(event),
    })
    terminal.end()
    const done = '\n  ✓ complete\n  ✓ done · 1 line'
    const json = '  │ {\n  │   "a": "x",\n  │   "b": [\n  │     1\n  │   ]\n  │ }'
    expect((await emulator.lines()).join('\n')).toBe(
      [
        `▸ quiet${done}`,
        `▸ called(a: "x", b: [1])${done}\n  │ result`,
        `▸ json\n${json}${done}\n  │ result`,
        `▸ own\n  │ about x␛[2J${done}\n  │ result`,
        `▸ broken\n${json}\n  │ (The display of this tool failed: Error: oh)${done}\n  │ result`,
      ].join('\n\n'),
    )
  })
})

describe('a renderer for a TurnCoordinator', () => {
  const TEXT = `Hm.${call('write', { path: 'a.ts', lines: 2, tags: ['x'] })}${call('list', {})}`

  function coordinated(view: { add(event: never): void }): TurnCoordinator {
    return new TurnCoordinator({ renderer: createToolRenderer(view) })
  }

  it.each(['events', 'a provider'])('shows calls as they come as %s', async (way) => {
    const { emulator, terminal, clock } = open()
    const coordinator = coordinated(terminal)
    const streaming = createStreamingView((event) => coordinator.handleStreamingEvent(event))
    const emit = way === 'events' ? { json: false, arguments: true } : {}
    const seen: string[] = []
    for await (const event of sluice(TEXT.match(/.{1,7}/gs)!, { dialect: hermes, emit })) {
      if (way === 'events') coordinator.add(event)
      else streaming.add(event)
      await clock.advance(40)
      seen.push(await emulator.screen())
    }
    terminal.end()
    expect((await emulator.lines()).join('\n')).toBe(
      '▸ write  path: a.ts  lines: 2  tags: ["x"]\n  ✓ complete\n\n▸ list\n  ✓ complete',
    )
    // The path is seen before the call is complete.
    expect(seen.some((screen) => /▸ write {2}path: a\.ts.*\n {2}◦ receiving/.test(screen))).toBe(true)
  })

  it('shows calls that failed or were taken back', async () => {
    const { emulator, terminal } = open()
    const coordinator = coordinated(terminal)
    const part = (index: number, id: string, name: string) =>
      coordinator.handleStreamingEvent({
        type: 'Part',
        index,
        part: { type: 'ToolCallRequest', id, name, arguments: {} },
      })
    part(0, '1', 'write')
    coordinator.handleStreamingEvent({
      type: 'ToolCallArgumentChunk',
      index: 0,
      chunk: '{"path":"a.ts","con',
    })
    coordinator.handleStreamingEvent({ type: 'Finished', reason: 'max-tokens' })
    const refused = coordinated(terminal)
    refused.handleStreamingEvent({
      type: 'Part',
      index: 0,
      part: { type: 'ToolCallRequest', id: '2', name: 'wipe', arguments: {} },
    })
    refused.handleStreamingEvent({ type: 'Finished', reason: 'refused' })
    terminal.end()
    expect((await emulator.lines()).join('\n')).toMatch(
      /^▸ write {2}path: a\.ts\n {2}✗ truncated · .*\n(.*\n)*\n▸ wipe\n {2}✗ cancelled · The response was taken back\.$/,
    )
  })
})
