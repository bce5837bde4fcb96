/** Official clients, against the gateway, against a model server: the same message for each client in each mode. */

import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { CLIENTS, type Heard } from './asked.ts'
import { ServedGateway } from './serve.ts'
import { asCalls, asText, type ScriptedAnswer, ScriptedUpstream } from './upstream.ts'

const THOUGHT = '<think>Which folder?</think>'

interface Case {
  readonly name: string
  /** What the model server sends, by the mode in which it is asked. */
  readonly sent: Readonly<Partial<Record<'native' | 'template' | 'prompt', ScriptedAnswer>>>
  readonly heard: Heard
}

const text = (content: string, finish?: string): Case['sent'] => ({
  template: asText(content, finish),
  prompt: asText(content, finish),
})

/** What people have reported about gateways and servers, with the issue. */
const CASES: readonly Case[] = [
  {
    name: 'a text and a call (BerriAI/litellm#17246: the call is lost)',
    sent: {
      native: asCalls('I look.', [['ls', '{"pa', 'th": "."}']]),
      ...text('I look.<tool_call>{"name": "ls", "arguments": {"path": "."}}</tool_call>'),
    },
    heard: { text: 'I look.', reasoning: '', calls: [['ls', { path: '.' }]] },
  },
  {
    name: 'parallel calls (lmstudio-bug-tracker#1528)',
    sent: {
      native: asCalls('', [
        ['ls', '{"path":', '"a"}'],
        ['ls', '{"path":"b"', '}'],
      ]),
      ...text(
        '<tool_call>{"name": "ls", "arguments": {"path": "a"}}</tool_call>\n<tool_call>{"name": "ls", "arguments": {"path": "b"}}</tool_call>',
      ),
    },
    heard: {
      text: '',
      reasoning: '',
      calls: [
        ['ls', { path: 'a' }],
        ['ls', { path: 'b' }],
      ],
    },
  },
  {
    name: 'a call without arguments (agentgateway#3002, Kilo-Org/cloud#4753, tidyverse/ellmer#228)',
    sent: {
      native: asCalls('', [['now']]),
      ...text('<tool_call>{"name": "now", "arguments": {}}</tool_call>'),
    },
    heard: { text: '', reasoning: '', calls: [['now', {}]] },
  },
  {
    name: 'reasoning tags in the text (router-for-me/CLIProxyAPI#4037, litellm#29518)',
    sent: text(`${THOUGHT}I look.<tool_call>{"name": "ls", "arguments": {"path": "."}}</tool_call>`),
    heard: { text: 'I look.', reasoning: 'Which folder?', calls: [['ls', { path: '.' }]] },
  },
  {
    name: 'a call that was cut off (decolua/9router#3416, anthropics/claude-code#67765: it ran)',
    sent: {
      native: asCalls('I look.', [['ls', '{"path": "/et']], 'length'),
      ...text('I look.<tool_call>{"name": "ls", "arguments": {"path": "/et', 'length'),
    },
    heard: { text: 'I look.', reasoning: '', calls: [] },
  },
  {
    name: 'the same arguments twice (vllm#51697)',
    sent: { native: asCalls('I look.', [['ls', '{"path": "."}', '{"path": "."}']]) },
    heard: { text: 'I look.', reasoning: '', calls: [['ls', { path: '.' }]] },
  },
  {
    name: 'two arguments of which nobody knows which one is meant',
    sent: { native: asCalls('I look.', [['ls', '{"path": "a"}', '{"path": "b"}']]) },
    heard: { text: 'I look.', reasoning: '', calls: [] },
  },
  {
    name: 'an empty object before the arguments (envoyproxy/ai-gateway#1465: it ran with none)',
    sent: { native: asCalls('I look.', [['ls', '{}', '{"path": "."}']]) },
    heard: { text: 'I look.', reasoning: '', calls: [] },
  },
  {
    name: 'arguments that do not fit the schema',
    sent: {
      native: asCalls('I look.', [['ls', '{"path": ["a", {}]}']]),
      ...text('I look.<tool_call>{"name": "ls", "arguments": {"path": ["a", {}]}}</tool_call>'),
    },
    heard: { text: 'I look.', reasoning: '', calls: [] },
  },
  {
    name: 'no call at all',
    sent: { native: asText('Nothing is here: 1 < 2.'), ...text('Nothing is here: 1 < 2.') },
    heard: { text: 'Nothing is here: 1 < 2.', reasoning: '', calls: [] },
  },
]

const MODES = ['native', 'template', 'prompt'] as const

let upstream: ScriptedUpstream
let gateway: ServedGateway
beforeAll(async () => {
  upstream = await ScriptedUpstream.start()
  const server = (mode: string) => ({
    url: upstream.url,
    protocol: 'openai-chat',
    mode,
    ...(mode !== 'native' && { dialect: 'hermes' }),
  })
  const upstreams = Object.fromEntries(MODES.map((mode) => [mode, server(mode)]))
  gateway = await ServedGateway.start([], { upstreams, retries: 0 })
})
afterAll(async () => {
  await gateway.kill()
  await upstream.stop()
})

describe.each(Object.entries(CLIENTS))('%s', (_, ask) => {
  for (const { name, sent, heard } of CASES)
    for (const [mode, answer] of Object.entries(sent))
      test(`${mode}: ${name}`, async () => {
        upstream.answers.set('m', answer)
        const { text, reasoning, calls } = await ask(gateway.url, `${mode}/m`)
        expect({ text: text.trim(), reasoning, calls }).toEqual(heard)
      })
})

test('the command stops on SIGTERM, with what it was doing done', async () => {
  const gateway = await ServedGateway.start([])
  const answer = CLIENTS['openai, chat, streamed']!(gateway.url, 'm')
  await new Promise((resolve) => setTimeout(resolve, 30))
  const over = gateway.kill('SIGTERM')
  expect((await answer).text).toContain('What is here?')
  expect(await over).toBe(0)
})

test('the command says what is wrong with its options', async () => {
  await expect(ServedGateway.start(['--log', 'sqlite:x'])).rejects.toThrow("'log' is file:FOLDER")
  await expect(ServedGateway.start(['--dialect', 'hermes'])).rejects.toThrow("name it with '--upstream URL'")
})
