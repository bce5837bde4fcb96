import { readFileSync } from 'node:fs'
import { describe, expect, it } from 'vitest'
import { COMMANDS } from '../../../src/apps/cli/commands.ts'
import { fileWith, Keyboard, serve, sluice } from './harness.ts'

describe('sluice', () => {
  it.each([[[]], [['--help']], [['-h']], [['help']], [['help', '--help']]])(
    'says what it can do: %j',
    async (argv) => {
      const { code, stdout, stderr } = await sluice(argv)
      expect(code).toBe(0)
      expect(stdout).toMatch(/^Usage: sluice COMMAND/)
      for (const name of ['watch', 'play', 'record', 'inspect', 'parse', 'render', 'dialects', 'demo'])
        expect(stdout).toContain(`\n  ${name} `)
      expect(stderr).toBe('')
    },
  )

  it.each(COMMANDS.map(({ name }) => name))('says more about %s, in either way', async (name) => {
    const help = await sluice(['help', name])
    expect(help.stdout).toMatch(new RegExp(`^Usage: sluice ${name} `))
    expect(help.stdout).toMatch(new RegExp(`\nExamples:\n(.*\n)*  .*sluice ${name}`))
    expect(await sluice([name, '--help'])).toEqual(help)
    expect(await sluice([name, '-h'])).toEqual({ code: 0, stdout: help.stdout, stderr: '' })
  })

  it('says its version', async () => {
    const { version } = JSON.parse(readFileSync(new URL('../../../package.json', import.meta.url), 'utf8'))
    expect(await sluice(['--version'])).toEqual({ code: 0, stdout: `${version}\n`, stderr: '' })
  })

  const wrong: [argv: string[], stderr: string][] = [
    [['prase'], "sluice: There is no command 'prase'; did you mean 'parse'? (see 'sluice --help').\n"],
    [
      ['help', 'x'],
      "sluice: There is no command 'x'; use one of watch, play, record, inspect, parse, render, convert, dialects, dialect, serve, playground, demo, completions, help (see 'sluice --help').\n",
    ],
    [
      ['demo', '--sped', '2'],
      "sluice demo: There is no option '--sped'; did you mean '--speed'? (see 'sluice help demo').\n",
    ],
    [
      ['parse', '-d', 'hermes'],
      "sluice parse: There is no option '-d'; use one of --dialect, --model, --tools, --start, --malformed, --split, --recording, --provider, --debug, --json, --events, --jsonl, --help (see 'sluice help parse').\n",
    ],
    [['parse', '--dialect'], "sluice parse: '--dialect' needs a value (see 'sluice help parse').\n"],
    [
      ['parse', '--dialect', '--json'],
      "sluice parse: '--dialect' needs a value (see 'sluice help parse').\n",
    ],
    [['parse', '--json=yes'], "sluice parse: '--json' takes no value (see 'sluice help parse').\n"],
    [
      ['parse', '--dialect', 'hermes', '--dialect', 'glm'],
      "sluice parse: '--dialect' appears twice (see 'sluice help parse').\n",
    ],
    [
      ['parse', '--dialect', 'hermes,'],
      "sluice parse: '--dialect' is a name, or several with commas between them, and one of them is empty (see 'sluice help parse').\n",
    ],
    [
      ['parse', '--debug', '--dialect', 'hermes'],
      "sluice parse: '--debug' needs a provider's stream; name the provider with '--provider' (see 'sluice help parse').\n",
    ],
    [
      ['render', '--dialect', 'hermes,glm'],
      "sluice render: '--dialect' takes one dialect here, because a message is written in one dialect (see 'sluice help render').\n",
    ],
    [
      ['demo', '--speed', '-1'],
      "sluice demo: The speed is a number such as 1 or 2.5, not '-1' (see 'sluice help demo').\n",
    ],
    [
      ['parse', '--split', '0'],
      "sluice parse: '--split' is a number of characters, not '0' (see 'sluice help parse').\n",
    ],
    [
      ['parse', '--start', 'x'],
      "sluice parse: '--start' is text or reasoning, not 'x' (see 'sluice help parse').\n",
    ],
    [
      ['parse', '--malformed', 'x'],
      "sluice parse: '--malformed' is keep, text or drop, not 'x' (see 'sluice help parse').\n",
    ],
    [
      ['parse', '--json', '--events'],
      "sluice parse: '--json' and '--events' cannot be used together (see 'sluice help parse').\n",
    ],
    [
      ['parse', '--jsonl', '--dialect', 'hermes'],
      "sluice parse: '--jsonl' takes no other arguments: each request says what it wants (see 'sluice help parse').\n",
    ],
    [
      ['parse', 'a', 'b'],
      "sluice parse: 'b' is an extra argument; the command takes one file (see 'sluice help parse').\n",
    ],
    [
      ['dialects', 'hermes'],
      "sluice dialects: 'hermes' is an extra argument (see 'sluice help dialects').\n",
    ],
    [
      ['demo', '--speed', 'fast'],
      "sluice demo: The speed is a number such as 1 or 2.5, not 'fast' (see 'sluice help demo').\n",
    ],
    [
      ['render'],
      "sluice render: '--dialect NAME' is missing; 'sluice dialects' lists the names (see 'sluice help render').\n",
    ],
  ]
  it.each(wrong)('says in one sentence what is wrong with %j', async (argv, stderr) => {
    expect(await sluice(argv)).toEqual({ code: 2, stdout: '', stderr })
  })

  it('says how a dialect is found when there is no such dialect', async () => {
    const { code, stderr } = await sluice(['parse', '--dialect', 'hermes,klingon'])
    expect(code).toBe(2)
    expect(stderr).toBe(
      "sluice parse: There is no dialect 'klingon'. 'sluice dialects' lists the dialects; 'sluice dialect FILE' finds one by the model's chat template, and '--dialect auto' by what the model writes (see 'sluice help parse').\n",
    )
  })

  it('says which file is not there', async () => {
    const { code, stderr } = await sluice(['parse', '--dialect', 'hermes', 'no-such-file'])
    expect(code).toBe(1)
    expect(stderr).toBe('sluice parse: no-such-file cannot be read: it does not exist.\n')
  })

  it.each([
    ['watch', [], "show it with 'sluice play'"],
    ['parse', ['--dialect', 'hermes'], "add '--recording', or show it with 'sluice play'"],
    ['parse', ['--provider', 'auto'], "add '--recording', or show it with 'sluice play'"],
    ['convert', ['--to', 'ollama'], "only 'sluice play', 'inspect' and 'parse --recording' read it"],
  ])('does not take a recording for a stream: %s %j', async (command, options, advice) => {
    const file = fileWith('{"sluice-recording":1,"kind":"text"}\n{"at":0,"text":"Hi"}\n')
    const stderr = `sluice ${command}: ${file} is a recording; ${advice} (see 'sluice help ${command}').\n`
    expect(await sluice([command, ...options, file])).toEqual({ code: 2, stdout: '', stderr })
  })

  it.each<[argv: string[], stdin: string | Keyboard, stderr: string]>([
    [
      ['convert', '--to', 'ollama', '--dialect', 'cline-xml'],
      '',
      "sluice convert: The dialect 'cline-xml' finds calls by the names of the tools; add '--tools FILE' (see 'sluice help convert').\n",
    ],
    [
      ['parse', '--dialect', 'cline-xml'],
      'Hi',
      "sluice parse: The dialect 'cline-xml' finds calls by the names of the tools; add '--tools FILE' (see 'sluice help parse').\n",
    ],
    [
      ['parse', '--model', 'nosuch'],
      'Hi',
      "sluice parse: The model 'nosuch' is not known. If you know its dialect, name it with '--dialect'. 'sluice dialects' lists the dialects; 'sluice dialect FILE' finds one by the model's chat template, and '--dialect auto' by what the model writes (see 'sluice help parse').\n",
    ],
    [
      ['parse', '--model', 'gpt-5'],
      'Hi',
      "sluice parse: The API of 'gpt-5' sends calls as data, not as text: read its stream with '--provider', without '--model' (see 'sluice help parse').\n",
    ],
    [
      ['serve', '--upstream', 'localhost:11434'],
      '',
      "sluice serve: '--upstream' must be an address such as http://127.0.0.1:8000, not 'localhost:11434' (see 'sluice help serve').\n",
    ],
    [
      ['serve', '--upstream', 'http://x', '--protocol', 'openai'],
      '',
      `sluice serve: '--protocol' must be 'openai-chat', 'openai-responses', 'anthropic', 'gemini' or 'ollama', not "openai" (see 'sluice help serve').\n`,
    ],
    [
      ['watch', 'localhost:11434/v1'],
      '',
      "sluice watch: There is no file 'localhost:11434/v1'; write http://localhost:11434/v1 for a URL (see 'sluice help watch').\n",
    ],
    [
      ['play'],
      new Keyboard(),
      "sluice play: Name the file of a recording; 'sluice record' makes one (see 'sluice help play').\n",
    ],
    [
      ['render', '--dialect', 'hermes'],
      '{"foo": 1}',
      `sluice render: A message has 'text', 'reasoning', 'toolCalls' or 'results', such as {"text": "Hi", "toolCalls": [{"name": "ls", "input": {}}]} (see 'sluice help render').\n`,
    ],
  ])('names what to type: %j', async (argv, stdin, stderr) => {
    expect(await sluice(argv, { stdin })).toEqual({ code: 2, stdout: '', stderr })
  })

  it.each([
    [
      'Hi',
      `This is not a provider's stream: it begins with "Hi". Check the address that it comes from; to parse plain text, use 'sluice parse' without '--provider'.`,
    ],
    [
      '{"a":1}',
      "None of the providers ag-ui, ai-sdk, ai-sdk-ui, anthropic, bedrock, claude-code, codex, cohere, gemini, langchain, ollama, openai-chat, openai-responses reads this stream. To parse plain text, use 'sluice parse' without '--provider'.",
    ],
  ])('says what to do with %j where a provider is expected', async (stdin, error) => {
    const { code, stdout } = await sluice(['parse', '--provider', 'auto', '--json'], { stdin })
    expect([code, JSON.parse(stdout).error]).toEqual([0, error])
  })

  it('says that one tool is not a list', async () => {
    const tools = fileWith('{"name": "ls"}')
    const stderr = `sluice parse: ${tools} is one tool; put it in a list: [{"name": …}].\n`
    expect(await sluice(['parse', '--tools', tools])).toEqual({ code: 1, stdout: '', stderr })
  })

  it('says how to serve on another port', async () => {
    const { port } = new URL(await serve(() => {}))
    for (const argv of [['serve', '--log', 'none'], ['playground']]) {
      const { code, stderr } = await sluice([...argv, '--port', port])
      expect([code, stderr]).toEqual([
        1,
        expect.stringMatching(/EADDRINUSE.*\. Choose another '--port'\.\n$/),
      ])
    }
  })

  it('says how to serve on another host', async () => {
    // An address that no machine has.
    const { code, stderr } = await sluice(['serve', '--log', 'none', '--port', '0', '--host', '192.0.2.1'])
    expect([code, stderr]).toEqual([
      1,
      expect.stringMatching(/EADDRNOTAVAIL.*\. Choose another '--host'\.\n$/),
    ])
  })

  it.each(['{}', '{"upstreams": {}}', 'null', '[]'])(
    'serves no scripted model where %s is configured',
    async (config) => {
      const file = fileWith(config)
      const stderr = `sluice serve: The configuration ${file} has no 'upstreams'; add one, or leave out '--config' to try the scripted model (see 'sluice help serve').\n`
      expect(await sluice(['serve', '--config', file])).toEqual({ code: 2, stdout: '', stderr })
    },
  )

  it('says what is wrong with the tools', async () => {
    const tools = fileWith('[{"description": "no name"}]')
    const { code, stderr } = await sluice(['parse', '--dialect', 'hermes', '--tools', tools])
    expect(code).toBe(1)
    expect(stderr).toBe('sluice parse: Tool 1 of the list has no name; give it a `name`.\n')
  })
})
