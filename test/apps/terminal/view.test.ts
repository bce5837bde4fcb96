import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { createTerminalView } from '../../../src/apps/terminal/index.ts'
import type { SluiceEvent } from '../../../src/base/event.ts'
import { hermes, qwen3Coder } from '../../../src/dialects/index.ts'
import { createSinkParser, type ParserOptions } from '../../../src/engine/parser.ts'

const TOOLS = [
  {
    name: 'write_file',
    streams: 'content',
    headlines: ['path'],
    inputSchema: { type: 'object', properties: { path: { type: 'string' }, content: { type: 'string' } } },
  },
] as const

/** What a person sees after each event, as one text. */
function showEvents(events: readonly SluiceEvent[], options: { colour?: boolean } = {}): string {
  let shown = ''
  const view = createTerminalView({
    colour: options.colour ?? false,
    tools: TOOLS,
    write: (text) => {
      shown += text
    },
  })
  for (const event of events) view.add(event)
  view.end()
  return shown
}

/** What a person sees of a response that comes in these pieces. */
function show(
  pieces: string | readonly string[],
  options: ParserOptions & { colour?: boolean } = {},
): string {
  const { colour = false, ...parserOptions } = options
  const events: SluiceEvent[] = []
  const parser = createSinkParser((event) => events.push(event), {
    dialect: hermes,
    emit: { json: false, arguments: true },
    ...parserOptions,
  })
  for (const piece of [pieces].flat()) parser.push(piece)
  parser.end()
  return showEvents(events, { colour })
}

const call = (json: string) => `<tool_call>${json}</tool_call>`

describe('a person at a terminal', () => {
  it('sees the first 20 short arguments behind the name, and the others below it', () => {
    const given = Object.fromEntries(Array.from({ length: 22 }, (_, index) => [`k${index}`, index]))
    expect(show(call(JSON.stringify({ name: 'f', arguments: given })))).toBe(`▸ f  ${[
      'k0: 0  k1: 1  k2: 2  k3: 3  k4: 4  k5: 5  k6: 6  k7: 7  k8: 8  k9: 9',
      'k10: 10  k11: 11  k12: 12  k13: 13  k14: 14  k15: 15  k16: 16  k17: 17  k18: 18  k19: 19',
    ].join('  ')}
  k20: 20
  k21: 21
  ✓ complete
`)
  })

  it('sees reasoning, text and a file that is written', () => {
    const response = `<think>
First this.

Then that.
</think>

I'll write it.

${call('{"name": "write_file", "arguments": {"path": "a.ts", "content": "one\\n\\n  two\\n"}}')}

Done.
`
    expect(show(response)).toBe(`┊ First this.
┊
┊ Then that.

I'll write it.

▸ write_file  a.ts
  │ one
  │
  │   two
  ✓ complete · 3 lines, 11 characters

Done.
`)
  })

  it('sees each line of a file as it comes', () => {
    let shown = ''
    const view = createTerminalView({
      colour: false,
      tools: TOOLS,
      write: (text) => {
        shown += text
      },
    })
    const parser = createSinkParser((event) => view.add(event), {
      dialect: hermes,
      start: 'text',
      emit: { arguments: true, json: false },
    })
    const shownFor = (piece: string): string => {
      shown = ''
      parser.push(piece)
      return shown
    }
    expect(shownFor('<tool_call>{"name": "write_file", ')).toBe('▸ write_file')
    expect(shownFor('"arguments": {"path": "a')).toBe('')
    expect(shownFor('.ts"')).toBe('  a.ts')
    expect(shownFor(', "content": "one')).toBe('')
    expect(shownFor('\\n')).toBe('\n  │ one')
    expect(shownFor('tw')).toBe('')
    expect(shownFor('o"}}</tool_call>')).toBe('\n  │ two\n  ✓ complete · 2 lines, 7 characters\n')
  })

  it('sees the path below the content where it comes later', () => {
    const text = call('{"name": "write_file", "arguments": {"content": "x", "path": "a.ts"}}')
    expect(show(text)).toBe(`▸ write_file
  │ x
  path: a.ts
  ✓ complete · 1 line, 1 character
`)
  })

  it('sees the arguments of a tool that nobody described, short ones behind its name', () => {
    const text = call(
      '{"name": "search", "arguments": {"query": "cats", "limit": 3, "tags": ["a", "b"], "note": ""}}',
    )
    expect(show(text)).toBe(`▸ search  query: cats  limit: 3  tags: ["a","b"]  note: ""
  ✓ complete
`)
  })

  it('sees long arguments and those of several lines below it', () => {
    const long = 'x'.repeat(61)
    const text = call(`{"name": "run", "arguments": {"script": "a\\nb", "flag": true, "list": ["${long}"]}}`)
    expect(show(text)).toBe(`▸ run
  script:
  │ a
  │ b
  flag: true
  list:
  │ [
  │   "${long}"
  │ ]
  ✓ complete
`)
  })

  it('sees a call without arguments', () => {
    expect(show(call('{"name": "ping", "arguments": {}}'))).toBe('▸ ping\n  ✓ complete\n')
  })

  it('sees that a call was cut off, where, and how much of it there was', () => {
    const text = '<tool_call>{"name": "write_file", "arguments": {"path": "a.ts", "content": "one\\ntw'
    expect(show(text)).toBe(`▸ write_file  a.ts
  │ one
  │ tw
  ✗ truncated · 2 lines, 6 characters · The call was cut off in the argument /content.
`)
  })

  it('sees how far a short argument had come', () => {
    const text = '<tool_call>{"name": "write_file", "arguments": {"path": "a.t'
    expect(show(text)).toBe(`▸ write_file  a.t…
  ✗ truncated · The call was cut off in the argument /path.
`)
  })

  it('sees why a call is invalid', () => {
    const text = call('{"name": "f", "arguments": {"a": 1, "a": 2}}')
    expect(show(text)).toContain("✗ invalid · The arguments have the key 'a' twice.\n")
  })

  it('sees what was repaired', () => {
    const text = call('{"name": "f", "arguments": {"a": 1,}}')
    expect(show(text)).toBe(`▸ f  a: 1
  ✓ repaired · trailing-comma

· json-repaired: The arguments were not quite JSON (trailing-comma).
`)
  })

  it('sees all arguments at the end where nobody said them one by one', () => {
    const text = call('{"name": "write_file", "arguments": {"path": "a.ts", "content": "one\\n"}}')
    expect(show(text, { emit: {} })).toBe(`▸ write_file  a.ts
  │ one
  ✓ complete · 1 line, 4 characters
`)
  })

  it('sees remarks after the text they are about, not inside it', () => {
    const events: SluiceEvent[] = [
      { type: 'text-start', id: 't' },
      { type: 'text-delta', id: 't', delta: 'Hel' },
      { type: 'diagnostic', code: 'stray-closer', message: 'One.', span: { start: 0, end: 1 } },
      { type: 'text-delta', id: 't', delta: 'lo' },
      { type: 'diagnostic', code: 'stray-closer', message: 'Two.', span: { start: 0, end: 1 } },
      { type: 'text-end', id: 't' },
      { type: 'finish', reason: 'length' },
    ]
    expect(showEvents(events)).toBe(`Hello

· stray-closer: One.
· stray-closer: Two.
· ended: length
`)
  })

  it('sees the results of tools', () => {
    const events: SluiceEvent[] = [
      { type: 'tool-result-start', id: '1', toolName: 'ls' },
      { type: 'tool-result-delta', id: '1', delta: 'a\nb\n' },
      { type: 'tool-result-end', id: '1', isError: true },
      { type: 'finish', reason: 'stop' },
    ]
    expect(showEvents(events)).toBe('◂ result of ls\n  │ a\n  │ b\n  ✗ the tool failed\n')
  })

  it('sees that the stream failed', () => {
    const events: SluiceEvent[] = [
      { type: 'text-start', id: 't' },
      { type: 'text-delta', id: 't', delta: 'Hel' },
      { type: 'error', error: new Error('socket hang up') },
      { type: 'finish', reason: 'error' },
    ]
    expect(showEvents(events)).toBe('Hel\n\n✗ The stream failed: socket hang up\n')
  })

  it('sees calls that come at the same time one after the other', () => {
    const events: SluiceEvent[] = [
      { type: 'tool-input-start', id: '1', toolName: 'write_file' },
      { type: 'tool-input-start', id: '2', toolName: 'ping' },
      { type: 'argument-start', id: '1', path: ['content'], kind: 'string' },
      { type: 'argument-delta', id: '1', path: ['content'], delta: 'a\nb' },
      { type: 'tool-input-end', id: '2' },
      { type: 'tool-call', id: '2', toolName: 'ping', input: {}, status: 'complete', repairs: [] },
      { type: 'text-start', id: 't' },
      { type: 'text-delta', id: 't', delta: 'Meanwhile' },
      { type: 'argument-delta', id: '1', path: ['content'], delta: 'c' },
      { type: 'argument-end', id: '1', path: ['content'], value: 'a\nbc' },
      {
        type: 'tool-call',
        id: '1',
        toolName: 'write_file',
        input: { content: 'a\nbc' },
        status: 'complete',
        repairs: [],
      },
      { type: 'text-delta', id: 't', delta: ', more.' },
      { type: 'text-end', id: 't' },
      { type: 'finish', reason: 'tool-calls' },
    ]
    expect(showEvents(events)).toBe(`▸ write_file
  │ a
  │ bc
  ✓ complete · 2 lines, 4 characters

▸ ping
  ✓ complete

Meanwhile, more.
`)
  })

  it('sees nothing of text that is empty space', () => {
    const ping = call('{"name": "ping", "arguments": {}}')
    expect(show(`\n\n${ping}\n\n \n${ping}\n`)).toBe('▸ ping\n  ✓ complete\n\n▸ ping\n  ✓ complete\n')
  })

  it('sees the indentation of text, but not the space that follows a call', () => {
    const ping = call('{"name": "ping", "arguments": {}}')
    expect(show(`${ping} Now this.\n${ping}\n\n    an indented line\n`)).toBe(`▸ ping
  ✓ complete

Now this.

▸ ping
  ✓ complete

    an indented line
`)
  })

  it('sees nothing when nothing was said', () => {
    expect(show('')).toBe('')
  })
})

describe('what a model writes', () => {
  it('cannot colour, move or clear anything in text', () => {
    expect(show('a\x1b[31mb\x1b[2J\rc\u202ed')).toBe('abcd\n')
  })

  it('cannot hide what a call will do', () => {
    const text = call('{"name": "run", "arguments": {"command": "rm -rf ~\\r\\u001b[2Kls"}}')
    expect(show(text)).toBe('▸ run  command: rm -rf ~␍␛[2Kls\n  ✓ complete\n')
  })

  it('cannot forge a verdict with the name of a tool or of an argument', () => {
    const text = call('{"name": "a\\n  ✓ complete", "arguments": {"b\\nc\\u001b": 1}}')
    expect(show(text)).toBe('▸ a␊  ✓ complete  b␊c␛: 1\n  ✓ complete\n')
  })
})

describe('colours', () => {
  it('are taken back with every piece', () => {
    const response = `<think>\nhm\n</think>\n\nHi${call('{"name": "write_file", "arguments": {"content": "x"}}')}`
    expect(show(response, { colour: true })).toBe(
      [
        '\x1b[2m┊ \x1b[22m\x1b[2mhm\x1b[22m\n\n',
        'Hi\n\n',
        '\x1b[2m▸ \x1b[22m\x1b[1mwrite_file\x1b[22m\n',
        '\x1b[2m  │ \x1b[22mx\n',
        '  \x1b[32m✓ complete\x1b[39m\x1b[2m · 1 line, 1 character\x1b[22m\n',
      ].join(''),
    )
  })
})

describe('however the response is cut', () => {
  const response = `<think>\nLook \x1b[1mfirst\x1b[0m.\n\n</think>\n\nText  \n\n
<tool_call>
<function=write_file>
<parameter=path>
a.ts
</parameter>
<parameter=content>
one 😀

\ttwo\x1b[31m
</parameter>
</function>
<function=other>
<parameter=short>
x
</parameter>
<parameter=long>
${'0123456789'.repeat(7)}
</parameter>
</function>
</tool_call>
 The end. \n\n<tool_call>\n<function=write_file>\n<parameter=path>\nb`
  const options = { dialect: qwen3Coder }
  const whole = show(response, options)

  it('the same is shown for every cut in two', () => {
    for (let at = 1; at < response.length; at++)
      expect(show([response.slice(0, at), response.slice(at)], options)).toBe(whole)
  })

  it('the same is shown in colour for any cuts', () => {
    const joined = (shown: string): string => shown.replaceAll('\x1b[22m\x1b[2m', '')
    const expected = joined(show(response, { ...options, colour: true }))
    fc.assert(
      fc.property(fc.array(fc.integer({ min: 1, max: 9 }), { minLength: 1, maxLength: 20 }), (lengths) => {
        const pieces: string[] = []
        for (let from = 0; from < response.length; ) {
          const to = from + lengths[pieces.length % lengths.length]!
          pieces.push(response.slice(from, to))
          from = to
        }
        expect(joined(show(pieces, { ...options, colour: true }))).toBe(expected)
      }),
    )
  })
})
