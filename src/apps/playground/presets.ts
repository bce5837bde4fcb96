/** Streams to begin with: one that plays when the page opens, and some that hurt. */

import { EXAMPLE_TOOLS } from './examples.ts'
import { sampleOfRecording } from './read-file.ts'
import { CUT_OFF_RECORDING, TURN_RECORDING } from './recorded-answers.ts'
import type { Sample } from './settings.ts'

export interface Preset {
  readonly name: string
  readonly title: string
  /** What to look at. */
  readonly about: string
  sample(): Sample
}

const TOOLS = [
  ...EXAMPLE_TOOLS,
  {
    name: 'run_command',
    description: 'Runs a command',
    headlines: ['command'],
    inputSchema: { type: 'object', properties: { command: { type: 'string' } }, required: ['command'] },
  },
] as const

const text = (dialect: string, written: string): Sample => ({
  form: 'text',
  dialect,
  start: 'text',
  tools: TOOLS,
  text: written,
})

// ── a long file ──────────────────────────────────────────────────────────────────────────────────

function longFile(): string {
  const lines = Array.from(
    { length: 4_600 },
    (_, index) => `export const limit${index} = ${index} < 10 ? 1 : ${index}`,
  )
  return `A long table of limits:\n<tool_call>\n<function=write_file>\n<parameter=path>\nlimits.ts\n</parameter>\n<parameter=content>\n${lines.join('\n')}\n</parameter>\n</function>\n</tool_call>`
}

/** Everything that a page could obey, were it not text. */
const HOSTILE = [
  'Hello <img src=x onerror="document.title=1"><script>document.title=2</script>',
  'bell \u0007, escape \u001b[31mred\u001b[0m, null \u0000, delete \u007f',
  'reversed \u202Etxt.exe\u202C, isolated \u2066a\u2069, zero\u200Bwidth, \uFEFFmark',
  'javascript:alert(1) [link](javascript:alert(2)) &lt;b&gt;',
  '<tool_call>{"name": "run_command", "arguments": {"command": "rm -rf \\u202E/ \\u001b[2J <b onclick=x>"}}</tool_call>',
].join('\n')

export const FIRST_PRESET = 'rate-limit'

export const PRESETS: readonly Preset[] = [
  {
    name: FIRST_PRESET,
    title: 'A file and a command',
    about: 'Reasoning, text, a file that grows line by line, and a second call.',
    sample: () => ({ ...sampleOfRecording(TURN_RECORDING), tools: TOOLS }),
  },
  {
    name: 'cut-off',
    title: 'A call that is cut off',
    about: 'The connection broke in the middle of a command. It is truncated, and never runs.',
    sample: () => ({ ...sampleOfRecording(CUT_OFF_RECORDING), tools: TOOLS }),
  },
  {
    name: 'wrong-dialect',
    title: 'The wrong dialect',
    about:
      'Read as hermes, the call of another dialect stays text, and a diagnostic says what it looks like.',
    sample: () =>
      text(
        'hermes',
        'Let me look.\n<|tool_calls_section_begin|><|tool_call_begin|>functions.get_weather:0<|tool_call_argument_begin|>{"city": "Paris"}<|tool_call_end|><|tool_calls_section_end|>',
      ),
  },
  {
    name: 'repeated-key',
    title: 'A repeated key',
    about: 'Someone may have acted on the first path, so that the call is invalid.',
    sample: () =>
      text(
        'hermes',
        'I write it.\n<tool_call>\n{"name": "write_file", "arguments": {"path": "a.txt", "path": "/etc/passwd", "content": "x"}}\n</tool_call>',
      ),
  },
  {
    name: 'open-thought',
    title: 'A thought without an end',
    about: 'The model never closes its reasoning. The call inside it is a mention, and does not run.',
    sample: () =>
      text(
        'hermes',
        '<think>\nI could call <tool_call>{"name": "run_command", "arguments": {"command": "ls"}}</tool_call> here. But wait, first I should',
      ),
  },
  {
    name: 'parallel-calls',
    title: 'Two calls at once',
    about: "A provider's stream in which the arguments of two calls alternate.",
    sample: () => ({
      form: 'openai-chat',
      dialect: 'auto',
      start: 'text',
      tools: TOOLS,
      text: PARALLEL_CALLS,
    }),
  },
  {
    name: 'long-file',
    title: 'A file of 200 KB',
    about: 'It stays smooth: only what can be seen is drawn.',
    sample: () => text('qwen3-coder', longFile()),
  },
  {
    name: 'hostile',
    title: 'Hostile characters',
    about: 'Tags, control and bidirectional characters: everything is shown, and nothing is obeyed.',
    sample: () => text('hermes', HOSTILE),
  },
  {
    name: 'repaired',
    title: 'Broken JSON',
    about: 'Single quotes and a trailing comma are repaired without loss, and the verdict says so.',
    sample: () =>
      text(
        'hermes',
        "<tool_call>\n{'name': 'get_weather', 'arguments': {'city': 'Paris', 'days': 2,}}\n</tool_call>",
      ),
  },
]

const choice = (delta: object, finish: string | null = null): string =>
  `data: ${JSON.stringify({ id: 'chat-1', choices: [{ index: 0, delta, finish_reason: finish }] })}\n\n`
const piece = (index: number, written: string): string =>
  choice({ tool_calls: [{ index, function: { arguments: written } }] })
const begun = (index: number, name: string): string =>
  choice({
    tool_calls: [{ index, id: `call_${index}`, type: 'function', function: { name, arguments: '' } }],
  })

const PARALLEL_CALLS = [
  choice({ role: 'assistant', content: 'Both at once.' }),
  begun(0, 'get_weather'),
  begun(1, 'get_weather'),
  piece(0, '{"city": "Pa'),
  piece(1, '{"city": "Os'),
  piece(0, 'ris", "days": 2}'),
  piece(1, 'lo"}'),
  choice({}, 'tool_calls'),
  'data: [DONE]\n\n',
].join('')

/** A preset as a sample that knows its name. */
export function presetNamed(name: string): Sample | undefined {
  const preset = PRESETS.find((one) => one.name === name)
  return preset && { ...preset.sample(), preset: name }
}
