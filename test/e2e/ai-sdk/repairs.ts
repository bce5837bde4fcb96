/** Calls that must not run, of a tool that takes anything: what runs, what a repair sees, and what the model is told. */

import { z } from 'zod'
import type { Major } from './majors.ts'

const BROKEN = {
  malformed: '<tool_call>{"name": "rm", "arguments": {"path": "a", "path": "b"}}\n</tool_call>',
  guessed: '<tool_call>{"name": "rm", "arguments": {"path": New York}}</tool_call>',
  // The JSON of its arguments is whole, and the call is not.
  truncated: '<tool_call>{"name": "rm", "arguments": {"path": "a"}',
  // Every JSON value is an input for such a tool, and so is a string.
  quoted: '<tool_call>{"name": "rm", "arguments": "a"}</tool_call>',
}

interface SeenOfRepairs {
  /** What ran without a repair. */
  readonly ran: readonly unknown[]
  /** What the repair was given, each beginning with the text of its call. */
  readonly repaired: readonly {
    readonly error: string
    readonly isWhole: boolean
    readonly hasReason: boolean
  }[]
  /** What ran with it. */
  readonly ranRepaired: readonly unknown[]
  /** What the model was told: with the text of each call, and without a repair. */
  readonly told: readonly boolean[]
}

const all = <T>(value: T): T[] => Object.keys(BROKEN).map(() => value)

export const EXPECTED_OF_REPAIRS: SeenOfRepairs = {
  ran: [],
  repaired: all({ error: 'AI_InvalidToolInputError', isWhole: true, hasReason: true }),
  ranRepaired: all({ path: 'fixed' }),
  told: all(true),
}

export async function seeRepairs(major: Major): Promise<SeenOfRepairs> {
  const ran: unknown[] = []
  const tools = {
    rm: major.tool({
      inputSchema: z.any(),
      execute: async (input: unknown) => {
        ran.push(input)
        return 'done'
      },
    }),
  }
  const run = async (text: string, repair?: (options: Repair) => Promise<unknown>): Promise<unknown[]> => {
    const { model, prompts } = major.model([`I do. ${text}`, 'Oh.'])
    const { steps } = await major.generateText({
      model: major.wrap(model),
      tools,
      prompt: 'Go.',
      stopWhen: major.stepCountIs(2),
      experimental_repairToolCall: repair,
    })
    if (steps.length !== 2) throw new Error(`The loop ended after ${text}.`)
    return prompts
  }
  const told: boolean[] = []
  for (const text of Object.values(BROKEN)) {
    const prompt = JSON.stringify((await run(text)).at(-1))
    told.push(
      prompt.includes(JSON.stringify(text).slice(1, -1)) &&
        /Error: The call of .* It was not run/.test(prompt),
    )
  }
  const ranBroken = [...ran]
  ran.length = 0
  const repaired: SeenOfRepairs['repaired'][number][] = []
  for (const text of Object.values(BROKEN))
    await run(text, async ({ toolCall, error }) => {
      const { input } = toolCall
      repaired.push({
        error: error.name,
        isWhole: input.startsWith(text),
        hasReason: /\nError: The call of .* It was not run\./.test(input),
      })
      return { ...toolCall, input: '{"path": "fixed"}' }
    })
  return { ran: ranBroken, repaired, ranRepaired: ran, told }
}

interface Repair {
  readonly toolCall: { readonly input: string }
  readonly error: Error
}
