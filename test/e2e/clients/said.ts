/** What a response says, in a form that every client's result can be brought into. */

import { isExecutable } from '../../../src/engine/calls/verdict.ts'
import type { Message } from '../../../src/engine/message.ts'

export interface Said {
  readonly text: string
  readonly reasoning?: string
  /** Calls that an application would run. */
  readonly calls?: readonly Called[]
  /** The provider's own word for why it stopped. */
  readonly reason?: string | undefined
  readonly usage?: Tokens | undefined
}

export type Called = readonly [id: string, tool: string, input: unknown]
export type Tokens = readonly [input: number, output: number]

/** What every fixture says, in the format of its provider. */
export const WEATHER: Said = {
  text: "I'll look at both 🌦.",
  reasoning: 'Two cities, two calls.',
  calls: [
    ['call_paris', 'get_weather', { city: 'Paris', days: 2 }],
    ['call_oslo', 'get_weather', { city: 'Oslo', days: 1 }],
  ],
  usage: [80, 40],
}

/** With all fields, so that what one forgets to say is a difference. */
export function saidInFull({ text, reasoning = '', calls = [], reason, usage }: Said): Said {
  return { text, reasoning, calls, reason, usage }
}

export function saidBySluice({ text, reasoning, toolCalls, finish }: Message): Said {
  const { inputTokens, outputTokens } = finish.usage ?? {}
  return {
    text,
    reasoning,
    calls: toolCalls
      .filter((call) => isExecutable(call))
      .map(({ id, toolName, input }) => [id, toolName, input]),
    reason: finish.rawReason,
    usage: inputTokens === undefined ? undefined : [inputTokens, outputTokens ?? 0],
  }
}

/** The input of a call as its text says it; the text itself, where it is no JSON. */
export function inputOf(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    return text
  }
}

/** Figures of a client that may have none. */
export function tokens(
  input: number | null | undefined,
  output: number | null | undefined,
): Tokens | undefined {
  return typeof input === 'number' ? [input, output ?? 0] : undefined
}
