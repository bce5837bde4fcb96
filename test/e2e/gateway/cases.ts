/** What people have reported about gateways and model servers, with the issue, and what a client has to get. */

import type { UpstreamProtocol } from '../../../src/gateway/gateway-config.ts'
import type { Heard } from './asked.ts'
import type { Said } from './wires.ts'

export interface Case {
  readonly name: string
  /** What a server sends that has calls in its API. */
  readonly native?: Said
  /** The only servers that do so. */
  readonly natively?: readonly UpstreamProtocol[]
  /** What the model writes where it does not. */
  readonly written?: Said
  /** Of what is written; hermes by default. */
  readonly dialect?: string
  /** The servers that send what is written in that dialect; of Chat Completions by default. */
  readonly writing?: readonly UpstreamProtocol[]
  /** A server with calls in its API leaves something in the text, which is read with this dialect. */
  readonly readsNative?: string
  readonly heard: Heard
  /** Clients that get something else, by the rules of their protocol. */
  readonly unlike?: Readonly<Record<string, Heard>>
}

const LOOK: Heard = { text: 'I look.', reasoning: '', calls: [['ls', { path: '.' }]] }
/** A call came that may not run. */
const NO_CALL: Heard = { ...LOOK, calls: [] }
const TWO: Heard = {
  text: 'I look.',
  reasoning: '',
  calls: [
    ['ls', { path: 'a' }],
    ['ls', { path: 'b' }],
  ],
}
const hermes = (json: string): string => `<tool_call>${json}</tool_call>`
const LSA = hermes('{"name": "ls", "arguments": {"path": "a"}}')
const LSB = hermes('{"name": "ls", "arguments": {"path": "b"}}')
const LS = hermes('{"name": "ls", "arguments": {"path": "."}}')
/** Longer than what some readers look at before they decide. */
const THOUGHT = `Which folder? ${'The user did not name one, so I go through what I know. '.repeat(4)}Here.`

export const CASES: readonly Case[] = [
  // ── calls as text ──
  {
    name: 'a text and a call',
    native: { text: 'I look.', calls: [['ls', '{"pa', 'th": "."}']] },
    written: { text: `I look.${LS}` },
    heard: LOOK,
  },
  {
    name: 'a call as bare JSON',
    written: { text: '{"name": "ls", "parameters": {"path": "."}}' },
    dialect: 'llama3-json',
    writing: ['openai-chat', 'ollama'],
    heard: { ...LOOK, text: '' },
  },
  {
    name: 'a list as Python',
    written: { text: 'I look.<|tool_call_start|>[ls(path=".")]<|tool_call_end|>' },
    dialect: 'lfm2',
    heard: LOOK,
  },
  {
    name: 'parallel calls',
    native: {
      text: 'I look.',
      calls: [
        ['ls', '{"path":', '"a"}'],
        ['ls', '{"path":"b"', '}'],
      ],
    },
    written: {
      text: 'I look.<tool_call>ls\n<arg_key>path</arg_key>\n<arg_value>a</arg_value>\n</tool_call><tool_call>ls\n<arg_key>path</arg_key>\n<arg_value>b</arg_value>\n</tool_call>',
    },
    dialect: 'glm',
    heard: TWO,
  },
  {
    name: 'the newest markers of MiniMax',
    written: {
      text: 'I look.]<]minimax[>[<tool_call>\n]<]minimax[>[<invoke name="ls">]<]minimax[>[<path>.]<]minimax[>[</path>]<]minimax[>[</invoke>\n]<]minimax[>[</tool_call>',
    },
    dialect: 'minimax-m3',
    heard: LOOK,
  },
  {
    name: 'channels of harmony',
    written: {
      text: '<|channel|>analysis<|message|>Which folder?<|end|><|start|>assistant<|channel|>commentary to=functions.ls <|constrain|>json<|message|>{"path": "."}<|call|>',
    },
    dialect: 'harmony',
    heard: { ...LOOK, text: '', reasoning: 'Which folder?' },
  },
  // ── streams that differ from whole answers ──
  {
    name: 'the same arguments twice',
    native: { text: 'I look.', calls: [['ls', '{"path": "."}', '{"path": "."}']] },
    natively: ['openai-chat', 'anthropic'],
    written: { text: 'I look.<tool_call>[{"name": "ls", "arguments": {"path": "."}}]</tool_call>' },
    dialect: 'xlam',
    heard: LOOK,
  },
  {
    name: 'a call behind one without arguments',
    native: {
      text: 'I look.',
      calls: [
        ['now', '{}'],
        ['ls', '{"path": "."}'],
      ],
    },
    written: { text: `I look.${hermes('{"name": "now", "arguments": {}}')}${LS}` },
    heard: {
      ...LOOK,
      calls: [
        ['now', {}],
        ['ls', { path: '.' }],
      ],
    },
  },
  {
    name: 'markers inside of an argument',
    native: { text: 'I look.', calls: [['ls', '{"path": "</tool_call><｜DSML｜invoke"}']] },
    written: {
      text: `I look.${hermes('{"name": "ls", "arguments": {"path": "</tool_call><｜DSML｜invoke"}}')}`,
    },
    heard: { ...LOOK, calls: [['ls', { path: '</tool_call><｜DSML｜invoke' }]] },
  },
  {
    name: 'two calls, one character at a time',
    written: { text: `I look.${LSA}\n${LSB}`, pieceLength: 1 },
    heard: TWO,
  },
  {
    name: 'two calls in one piece',
    written: { text: `I look.${LSA}\n${LSB}`, pieceLength: 1_000 },
    heard: TWO,
  },
  // ── arguments that are no JSON at the border of two protocols ──
  {
    name: 'a first piece that is only the brace',
    native: { text: 'I look.', calls: [['ls', '{"', 'path', '": ".', '"}']] },
    heard: LOOK,
  },
  {
    name: 'a call without arguments',
    native: { calls: [['now']] },
    written: { text: hermes('{"name": "now", "arguments": {}}') },
    heard: { text: '', reasoning: '', calls: [['now', {}]] },
  },
  {
    name: 'an empty object before the arguments',
    native: { text: 'I look.', calls: [['ls', '{}', '{"path": "."}']] },
    heard: NO_CALL,
  },
  {
    name: 'two arguments of which nobody knows which one is meant',
    native: { text: 'I look.', calls: [['ls', '{"path": "a"}', '{"path": "b"}']] },
    heard: NO_CALL,
  },
  {
    name: 'a call that was cut off',
    native: { text: 'I look.', calls: [['ls', '{"path": "/et']], isCut: true },
    written: { text: 'I look.<tool_call>{"name": "ls", "arguments": {"path": "/et', isCut: true },
    heard: NO_CALL,
  },
  {
    name: 'a call that was cut off, of a server that says that it is whole',
    native: { text: 'I look.', calls: [['ls', '{"path": "/et']] },
    heard: NO_CALL,
  },
  {
    name: 'arguments that are no JSON',
    native: { text: 'I look.', calls: [['ls', '{"path": "a"', ' / "b"}']] },
    written: { text: `I look.${hermes('{"name": "ls", "arguments": {"path": "a" / "b"}}')}` },
    heard: NO_CALL,
  },
  {
    name: 'arguments that do not fit the schema',
    native: { text: 'I look.', calls: [['ls', '{"path": ["a", {}]}']] },
    written: { text: `I look.${hermes('{"name": "ls", "arguments": {"path": ["a", {}]}}')}` },
    heard: NO_CALL,
  },
  {
    name: 'a call that may not run before one that may',
    native: {
      text: 'I look.',
      calls: [
        ['ls', '{"path": ["a", {}]}'],
        ['ls', '{"path": "."}'],
      ],
    },
    written: { text: `I look.${hermes('{"name": "ls", "arguments": {"path": ["a", {}]}}')}${LS}` },
    heard: LOOK,
    // It reads the arguments of a call while they grow: behind one that may not run, nothing can follow.
    unlike: { 'anthropic, streamed': NO_CALL },
  },
  {
    name: 'a tool that was not offered',
    native: { text: 'I look.', calls: [['rm', '{"path": "."}']] },
    written: { text: `I look.${hermes('{"name": "rm", "arguments": {"path": "."}}')}` },
    heard: NO_CALL,
  },
  // ── reasoning ──
  {
    name: 'reasoning beside a text and a call',
    native: { reasoning: THOUGHT, text: 'I look.', calls: [['ls', '{"path": "."}']] },
    heard: { ...LOOK, reasoning: THOUGHT },
  },
  {
    name: 'reasoning tags in the text',
    written: { text: `<think>${THOUGHT}</think>I look.${LS}` },
    heard: { ...LOOK, reasoning: THOUGHT },
  },
  {
    name: 'reasoning tags in the text of a server that has calls in its API',
    native: { text: `<think>${THOUGHT}</think>I look.`, calls: [['ls', '{"path": "."}']] },
    readsNative: 'hermes',
    heard: { ...LOOK, reasoning: THOUGHT },
  },
  // ── nothing of it ──
  {
    name: 'no call at all',
    native: { text: 'Nothing is here: 1 < 2.' },
    written: { text: 'Nothing is here: 1 < 2.' },
    heard: { text: 'Nothing is here: 1 < 2.', reasoning: '', calls: [] },
  },
]
