/** Control bytes from anywhere, through every command and option: none of them reaches a terminal. */

import { describe, expect, test } from 'vitest'
import { fileWith, sluice } from './harness.ts'

/** Clears the screen, colours by C1, deletes, turns the text around, rings, sets the title. */
const BAD = '\u001b[2J\u009b31m\u007f\u202e\u2066\u0007\u001b]0;x\u0007\u0085\u0000'
const JSON_BAD = JSON.stringify(BAD)
/** Everything that is not text, a line break or a tab. */
// biome-ignore lint/suspicious/noControlCharactersInRegex: they are what is looked for
const CONTROL = /[\0-\x08\x0b-\x1f\x7f-\x9f\u202a-\u202e\u2066-\u2069]/

const TEXT = `Hi ${BAD}<think>${BAD}</think><tool_call>{"name": "f${BAD}", "arguments": {"a${BAD}": "${BAD}"}}</tool_call><tool_call>{"name": "f", "arguments": {${BAD}`
const CHAT = [
  { choices: [{ delta: { content: TEXT, [`odd${BAD}`]: 1 } }], [`odd${BAD}`]: BAD },
  {
    choices: [
      {
        delta: {
          tool_calls: [{ index: 0, id: BAD, function: { name: `f${BAD}`, arguments: `{"a": ${JSON_BAD}` } }],
        },
      },
    ],
  },
  { error: { message: BAD, code: BAD } },
]
  .map((payload) => `data: ${JSON.stringify(payload)}\n\n`)
  .join('')
const RECORDING = `{"sluice-recording":1,"kind":"text","dialect":"hermes","note":${JSON_BAD}}\n[0,${JSON.stringify(TEXT)}]\n[1,{"end":"failed","error":${JSON_BAD}}]`
const EVENTS = [
  { type: 'text-delta', id: BAD, delta: BAD },
  { type: 'tool-input-start', id: BAD, toolName: BAD },
  { type: 'argument-delta', id: BAD, path: [BAD], delta: BAD },
  {
    type: 'tool-call',
    id: BAD,
    toolName: BAD,
    input: { [BAD]: BAD },
    status: 'invalid',
    repairs: [],
    error: { code: BAD, message: BAD, offset: 0 },
  },
  { type: 'tool-result-start', id: BAD, toolName: BAD },
  { type: 'diagnostic', code: BAD, message: BAD, span: { start: 0, end: 0 } },
  { type: 'custom', kind: BAD, value: BAD },
  { type: 'error', error: { name: BAD, message: BAD } },
  { type: 'finish', reason: 'error', rawReason: BAD },
]
const RECORDED = [
  '{"sluice-recording":1,"kind":"events"}',
  ...EVENTS.map((event) => JSON.stringify([0, event])),
].join('\n')
const MESSAGE = JSON.stringify({ text: BAD, toolCalls: [{ name: 'f', input: { a: BAD } }] })
const REQUESTS = [
  { id: BAD, dialect: 'hermes', chunks: [TEXT] },
  { id: BAD, dialect: BAD, input: '' },
  { id: BAD, provider: 'auto', input: CHAT },
  { id: BAD, start: BAD },
]
  .map((request) => JSON.stringify(request))
  .join('\n')

type Row = [argv: (file: (content: string) => string) => string[], stdin: string]

const FORMATS = ['openai-chat', 'openai-responses', 'anthropic', 'ollama', 'gemini', 'ai-sdk-ui', 'ag-ui']

const ROWS: [what: string, ...Row][] = [
  ['a text', () => ['parse', '--dialect', 'hermes'], TEXT],
  ['a text without a dialect', () => ['parse'], TEXT],
  ...['--json', '--events'].flatMap((format): [string, ...Row][] => [
    [`a text, ${format}`, () => ['parse', '--dialect', 'hermes', format], TEXT],
    [`a provider, ${format}`, () => ['parse', '--provider', 'auto', '--dialect', 'hermes', format], CHAT],
    [`a recording, ${format}`, () => ['parse', '--recording', format], RECORDING],
    [`recorded events, ${format}`, () => ['parse', '--recording', format], RECORDED],
  ]),
  ...['keep', 'text', 'drop'].map((malformed): [string, ...Row] => [
    `a failed call, ${malformed}`,
    () => ['parse', '--dialect', 'hermes', '--malformed', malformed, '--split', '1'],
    TEXT,
  ]),
  ['reasoning', () => ['parse', '--dialect', 'hermes', '--start', 'reasoning'], TEXT],
  ['a provider', () => ['parse', '--provider', 'openai-chat', '--dialect', 'hermes'], CHAT],
  ['fields that a provider adds', () => ['parse', '--provider', 'openai-chat', '--debug'], CHAT],
  ['a recording', () => ['parse', '--recording'], RECORDING],
  ['recorded events', () => ['parse', '--recording'], RECORDED],
  ['a recording that is none', () => ['parse', '--recording'], `{"sluice-recording":${JSON_BAD}}`],
  [
    'a recording of another kind',
    () => ['parse', '--recording'],
    `{"sluice-recording":1,"kind":${JSON_BAD}}`,
  ],
  [
    'a recording of no event',
    () => ['parse', '--recording'],
    `{"sluice-recording":1,"kind":"events"}\n[0,{"type":${JSON_BAD}}]`,
  ],
  [
    'a recording in no dialect',
    () => ['parse', '--recording'],
    `{"sluice-recording":1,"kind":"text","dialect":${JSON_BAD}}`,
  ],
  [
    'a recording of no provider',
    () => ['parse', '--recording'],
    `{"sluice-recording":1,"kind":"bytes","provider":${JSON_BAD}}`,
  ],
  ['requests', () => ['parse', '--jsonl'], `${REQUESTS}\n${BAD}\n`],
  [
    'tools',
    (file) => [
      'parse',
      '--dialect',
      'hermes',
      '--tools',
      file(JSON.stringify([{ name: `f${BAD}`, headlines: [`a${BAD}`] }])),
    ],
    TEXT,
  ],
  [
    'tools that are wrong',
    (file) => ['parse', '--tools', file(JSON.stringify([{ name: BAD, inputSchema: 7 }]))],
    '',
  ],
  ['tools that are no JSON', (file) => ['parse', '--tools', file(BAD)], ''],
  ['no such file', () => ['parse', `/nowhere/${BAD.replaceAll('\0', '')}`], ''],
  ['a file whose name cannot be', () => ['parse', `/nowhere/${BAD}`], ''],
  ['no such command', () => [BAD], ''],
  ['help on no such command', () => ['help', BAD], ''],
  ['no such option', () => ['parse', `--${BAD}`], ''],
  ['too many files', () => ['parse', 'a', BAD], ''],
  ...['--dialect', '--provider', '--start', '--malformed', '--split', '--tools'].map(
    (option): [string, ...Row] => [`no such value of ${option}`, () => ['parse', option, BAD], ''],
  ),
  ...FORMATS.map((format): [string, ...Row] => [
    `a stream written as ${format}`,
    () => ['convert', '--to', format, '--dialect', 'hermes', '--model', BAD, '--id', BAD],
    CHAT,
  ]),
  ['no such format', () => ['convert', '--to', BAD], ''],
  ['no such provider', () => ['convert', '--from', BAD, '--to', 'ollama'], ''],
  ['a message', () => ['render', '--dialect', 'hermes'], MESSAGE],
  ['a message that is none', () => ['render', '--dialect', 'hermes'], BAD],
  ['a message of unknown parts', () => ['render', '--dialect', 'hermes'], JSON.stringify([{ type: BAD }])],
  [
    'a message that cannot be written',
    () => ['render', '--dialect', 'qwen3-coder'],
    JSON.stringify([{ type: 'call', toolName: BAD, input: { [BAD]: BAD } }]),
  ],
  ['no such dialect', () => ['render', '--dialect', BAD], ''],
  ['dialects', () => ['dialects', BAD], ''],
  ['dialects in JSON', () => ['dialects', '--json'], ''],
  ['no such speed', () => ['demo', '--speed', BAD], ''],
  ['a stream that is watched', () => ['watch', '--provider', 'openai-chat', '--dialect', 'hermes'], CHAT],
  ['a text that is watched', () => ['watch', '--dialect', 'hermes', '--fold', '--lines', '1'], TEXT],
  ['a recording that is played', () => ['play', '--speed', '0'], RECORDING],
  ['recorded events that are played', () => ['play', '--speed', '0'], RECORDED],
  [
    'a recording with a broken line',
    (file) => ['play', '--speed', '0', file(`${RECORDING}\n[9,${JSON_BAD}]\n${BAD}`)],
    '',
  ],
  ['a recording that is explained', () => ['inspect'], RECORDING],
  ['recorded events that are explained', () => ['inspect'], RECORDED],
  ['the picture of a recording', () => ['inspect', '--svg'], RECORDED],
  ['the figures of a recording', () => ['inspect', '--json'], RECORDED],
  ['a stream that is recorded', () => ['record', '--note', BAD], TEXT],
  ['no such command to record', () => ['record', '--', `/nowhere/${BAD.replaceAll('\0', '')}`], ''],
  ['no such shell', () => ['completions', BAD], ''],
  ['no such header', () => ['watch', 'http://127.0.0.1:9/', '--header', BAD], ''],
  ['no such server', () => ['watch', `http://127.0.0.1:9/?${BAD}`], ''],
]

describe('nothing that a terminal would obey is shown', () => {
  test.each(ROWS)('of %s', async (_, argv, stdin) => {
    const file = (content: string): string => fileWith(content)
    const { stdout, stderr } = await sluice(argv(file), { stdin, isTTY: true, env: { NO_COLOR: '1' } })
    expect(CONTROL.exec(stdout)).toBe(null)
    expect(CONTROL.exec(stderr)).toBe(null)
  })
})

test.each([
  [['--json'], TEXT],
  [['--jsonl'], `${JSON.stringify({ dialect: 'hermes', chunks: [TEXT] })}\n`],
])('JSON says the same characters by their numbers: %j', async ([format], stdin) => {
  const argv = format === '--jsonl' ? ['parse', format] : ['parse', '--dialect', 'hermes', format!]
  const { stdout } = await sluice(argv, { stdin })
  expect(stdout).toContain('\\u009b31m\\u007f\\u202e\\u2066')
  expect(JSON.parse(stdout).reasoning).toBe(BAD)
})

test('a message that is piped on is written as it is', async () => {
  const { stdout } = await sluice(['render', '--dialect', 'hermes'], { stdin: JSON.stringify({ text: BAD }) })
  expect(stdout).toBe(BAD)
})
