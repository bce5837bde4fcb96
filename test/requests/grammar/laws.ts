/** What must hold for the grammars of every dialect. */

import type { Part } from '../../../src/base/part.ts'
import { prepareInStep } from '../../../src/engine/calls/prepare.ts'
import { createToolTable } from '../../../src/engine/calls/tools.ts'
import { isExecutable } from '../../../src/engine/calls/verdict.ts'
import { parse } from '../../../src/engine/message.ts'
import { render } from '../../../src/engine/render.ts'
import type { Dialect } from '../../../src/engine/wire/dialect.ts'
import { behindPrompt } from '../../../src/requests/grammar/behind-prompt.ts'
import {
  accepts,
  type CallGrammar,
  callGrammar,
  type GrammarOptions,
} from '../../../src/requests/grammar/index.ts'
import type { JsonSchema } from '../../../src/values/schema/json-schema.ts'
import { randomFrom, walk } from './walk.ts'

export const GRAMMAR_TOOLS = [
  {
    name: 'get_weather',
    inputSchema: {
      type: 'object',
      properties: { city: { type: 'string' }, days: { type: 'integer' } },
      required: ['city'],
    },
  },
  {
    name: 'search',
    inputSchema: {
      type: 'object',
      properties: {
        query: { type: 'string' },
        kind: { enum: ['all', 'some', 'the "best"'] },
        exact: { type: 'boolean' },
        most: { anyOf: [{ type: 'number' }, { type: 'null' }] },
      },
    },
  },
  {
    name: 'plot',
    inputSchema: {
      type: 'object',
      properties: {
        points: {
          type: 'array',
          items: {
            type: 'object',
            properties: { x: { type: 'number' }, label: { type: 'string' } },
            required: ['x'],
          },
          minItems: 2,
          maxItems: 3,
        },
        title: { type: 'string' },
      },
      required: ['points', 'title'],
    },
  },
  { name: 'ping', inputSchema: { type: 'object', properties: {} } },
] as const

/** One tool with every limit that a schema may set. */
export const LIMITED_TOOLS = [
  {
    name: 'limits',
    inputSchema: {
      type: 'object',
      properties: {
        code: { type: 'string', maxLength: 4 },
        page: { type: 'integer', minimum: 1, maximum: 120 },
        shift: { type: 'integer', exclusiveMinimum: -31, exclusiveMaximum: 5 },
        share: { type: 'number', minimum: 0 },
        pair: { type: 'array', prefixItems: [{ type: 'string' }, { type: 'integer' }], items: false },
        list: {
          type: 'array',
          prefixItems: [{ type: 'boolean' }],
          items: { type: 'string' },
          minItems: 2,
          maxItems: 3,
        },
        shape: {
          oneOf: [
            {
              type: 'object',
              properties: { kind: { const: 'a' }, r: { type: 'number' } },
              required: ['kind', 'r'],
            },
            {
              type: 'object',
              properties: { kind: { const: 'b' }, w: { type: 'integer', maximum: 3 } },
              required: ['kind'],
            },
          ],
        },
        level: { type: 'integer', enum: [1, 2, 3, 'x'], minimum: 2 },
      },
      required: ['code', 'page', 'shift'],
      additionalProperties: true,
    },
  },
] as const

const CALLS: readonly Part[] = [
  { type: 'call', toolName: 'get_weather', input: { city: 'São Paulo', days: 2 } },
  {
    type: 'call',
    toolName: 'search',
    input: { query: 'a "b" <c>\n', kind: 'some', exact: false, most: null },
  },
  { type: 'call', toolName: 'plot', input: { points: [{ x: 1.5 }, { x: -2, label: '' }], title: 'two' } },
  { type: 'call', toolName: 'ping', input: {} },
]

/** Messages that every dialect can write: each call alone, two, and all of them. */
export const MESSAGES: readonly (readonly Part[])[] = [
  ...CALLS.map((call) => [call]),
  CALLS.slice(0, 2),
  CALLS,
]

type GrammarTools = readonly { readonly name: string; readonly inputSchema: JsonSchema }[]

/** Walks through a grammar, and says what is wrong with the first text that is not read as it should be. */
export function problemOfWalks(
  dialect: Dialect,
  options: Omit<GrammarOptions, 'dialect' | 'tools'>,
  seeds: number,
  tools: GrammarTools = GRAMMAR_TOOLS,
): string | undefined {
  const grammar = callGrammar({ dialect, tools, ...options })
  for (let seed = 1; seed <= seeds; seed++) {
    const text = walk(grammar, randomFrom(seed))
    const problem = accepts(grammar, text) ? problemOf(grammar, text, dialect, tools) : 'is not accepted'
    if (problem !== undefined) return `${JSON.stringify(text)} ${problem}`
  }
  return undefined
}

function problemOf(
  { mode, start }: CallGrammar,
  text: string,
  dialect: Dialect,
  tools: GrammarTools,
): string | undefined {
  const message = parse(text, { dialect, tools, start })
  if (mode === 'required' && (message.toolCalls.length === 0 || message.text.trim() !== ''))
    return `is read as ${message.toolCalls.length} calls and the text ${JSON.stringify(message.text)}`
  if (mode === 'none' && message.toolCalls.length > 0) return 'holds a call'
  for (const call of message.toolCalls) {
    if (call.status !== 'complete' || !isExecutable(call))
      return `has a call that is ${call.status}: ${JSON.stringify([call.error, call.repairs])}`
    const table = createToolTable(tools)
    // Also without the text of its numbers, which not everyone passes on.
    const { inputText: _, ...withoutText } = structuredClone(call)
    for (const one of [call, withoutText]) {
      const prepared = prepareInStep(one, table, {})
      if (prepared instanceof Promise || !prepared.ok || prepared.changes.length > 0)
        return `has a call that does not fit: ${JSON.stringify([call.input, prepared])}`
    }
  }
  return undefined
}

/** Wherever the prompt ends in a message, the grammar behind it accepts the rest, and nothing that is no rest. */
export function problemOfPrompts(
  { root, rules }: CallGrammar,
  text: string,
  step: number,
): string | undefined {
  for (let at = 1; at < text.length; at += step) {
    const [prompt, rest] = [text.slice(0, at), text.slice(at)]
    const behind = behindPrompt({ root, rules }, prompt)
    if (behind === undefined) return `nothing follows ${JSON.stringify(prompt)}`
    const grammar = { root: behind, rules }
    if (!accepts(grammar, rest)) return `${JSON.stringify(rest)} is refused behind ${JSON.stringify(prompt)}`
    for (const other of [rest.slice(1), text, `${rest}<`, rest.slice(0, -1)])
      if (accepts(grammar, other) !== accepts({ root, rules }, prompt + other))
        return `${JSON.stringify(other)} is taken differently behind ${JSON.stringify(prompt)}`
  }
  return undefined
}

/** Messages that the dialect can write are accepted; a message of a tool that is not allowed is not. */
export function problemOfMessage(
  grammar: CallGrammar,
  dialect: Dialect,
  parts: readonly Part[],
): string | undefined {
  let text: string
  try {
    text = render(parts, { dialect, tools: GRAMMAR_TOOLS })
  } catch {
    return undefined
  }
  return accepts(grammar, text) ? undefined : `${JSON.stringify(text)} is refused`
}
