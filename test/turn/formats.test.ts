import { expect, test } from 'vitest'
import { hermes } from '../../src/dialects/hermes.ts'
import { sluice } from '../../src/engine/stream.ts'
import { runTurn } from '../../src/turn/run-turn.ts'

const CALL = '<tool_call>{"name": "plan", "arguments": {"on": "soon", "colour": "red"}}</tool_call>'

test.each([
  ['ignore', ['ran', 'ran'], []],
  ['check', [], ['colour']],
] as const)(
  'with the option %s for formats, %j of two calls, and %j is reported',
  async (format, ran, unknown) => {
    const texts = [CALL, CALL, 'Done.']
    const runs: string[] = []
    const reported: string[] = []
    await runTurn({
      model: (_, { reading }) => sluice(texts.shift() ?? '', { dialect: hermes, ...reading }),
      conversation: 'Plan it.',
      tools: {
        plan: {
          inputSchema: { properties: { on: { format: 'date' }, colour: { format: 'colour' } } },
          execute: () => void runs.push('ran'),
        },
      },
      format,
      onUnknownFormat: (name) => reported.push(name),
    })
    expect([runs, reported]).toEqual([ran, unknown])
  },
)
