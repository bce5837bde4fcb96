/**
 * Probes: answers of an assistant that a template is asked to write, and that a dialect has to read again. They hold
 * words that no template has, so that their places can be found.
 */

import type { JsonValue } from '../../base/event.ts'

export interface ProbeCall {
  readonly toolName: string
  readonly input: { readonly [key: string]: JsonValue }
}

export interface Probe {
  /** What it tries, in a few words. */
  readonly name: string
  readonly text?: string
  readonly reasoning?: string
  readonly calls?: readonly ProbeCall[]
}

/** The tools that the probes call. */
export const PROBE_TOOLS = [
  {
    name: 'find_quince',
    description: 'Finds quinces.',
    inputSchema: {
      type: 'object',
      properties: { orchard: { type: 'string' }, baskets: { type: 'integer' } },
      required: ['orchard', 'baskets'],
    },
  },
  {
    name: 'note_medlar',
    description: 'Keeps a note.',
    inputSchema: {
      type: 'object',
      properties: { remark: { type: 'string' } },
      required: ['remark'],
    },
  },
  {
    name: 'list_sloes',
    description: 'Lists sloes.',
    inputSchema: { type: 'object', properties: {}, required: [] },
  },
] as const

const find: ProbeCall = { toolName: 'find_quince', input: { orchard: 'Hesperia', baskets: 73 } }
const note: ProbeCall = { toolName: 'note_medlar', input: { remark: 'Bletted' } }
const list: ProbeCall = { toolName: 'list_sloes', input: {} }
const hard: ProbeCall = {
  toolName: 'note_medlar',
  input: { remark: 'first line\n  "second" line\n<b>bold</b> & it\'s 100% {x} C:\\temp [1]' },
}

/** What every probe with text or reasoning says. */
export const SPOKEN = 'Pomona speaks.'
const THOUGHT = 'Vertumnus thinks.'

export const PLAIN: Probe = { name: 'text', text: SPOKEN }
export const ONE_CALL: Probe = { name: 'one call', calls: [find] }

/** The calls of a template. The first has to be rendered; those that a template cannot render say nothing. */
export const CALL_PROBES: readonly Probe[] = [
  ONE_CALL,
  { name: 'a call with a hard text', calls: [hard] },
  { name: 'a call without arguments', calls: [list] },
  { name: 'two calls', calls: [find, note] },
  { name: 'three calls', calls: [note, list, find] },
  { name: 'text and a call', text: SPOKEN, calls: [note] },
]

export const REASONING_PROBES: readonly Probe[] = [
  { name: 'reasoning and text', reasoning: THOUGHT, text: SPOKEN },
  { name: 'reasoning and a call', reasoning: THOUGHT, calls: [find] },
  { name: 'reasoning, text and a call', reasoning: THOUGHT, text: SPOKEN, calls: [find] },
]

/** Words that stand in whatever shows the probe, however it writes strings. */
export function needlesOf({ text, reasoning, calls = [] }: Probe): string[] {
  const needles = [text ?? '', reasoning ?? '']
  for (const { toolName, input } of calls) {
    needles.push(toolName, ...Object.keys(input))
    for (const value of Object.values(input))
      needles.push(...(typeof value === 'string' ? (value.match(/\w+/g) ?? []) : [String(value)]))
  }
  return needles.filter((needle) => needle !== '')
}
