/** In a section of calls, a tool that is not there takes nothing from the calls beside it, and is reported. */

import { describe, expect, test } from 'vitest'
import { isExecutable } from '../../src/engine/calls/verdict.ts'
import { parse } from '../../src/engine/message.ts'
import { createParser, restoreParser } from '../../src/engine/parser.ts'
import { renderCalls } from '../../src/engine/render.ts'
import { namesCall } from '../../src/engine/wire/call-layout.ts'
import type { Dialect } from '../../src/engine/wire/dialect.ts'
import { isPerTool } from '../../src/engine/wire/template.ts'
import { ENTRIES } from './entries.ts'
import { characters, comparable, type Engine, run } from './observe.ts'

const engine: Engine = { createParser, restoreParser }
const NO_CALLS = { calls: [], weakCalls: [], looseCalls: [], guessedCalls: [] }

/** The dialect once for each of its sections. */
const SECTIONS = ENTRIES.flatMap(({ name, dialect, options }) =>
  (['calls', 'weakCalls', 'looseCalls'] as const).flatMap((kind) =>
    dialect[kind].flatMap((template, index) => {
      // Where the name of the tool is the markup, there is no call of an unknown one.
      const isSection =
        !isPerTool(template.nodes) &&
        template.nodes.some((node) => node.kind === 'each' && namesCall(node.body))
      const spelling: Dialect = { ...dialect, ...NO_CALLS, [kind]: [template] }
      return isSection ? [{ name: `${name}, ${kind} ${index + 1}`, dialect, options, spelling }] : []
    }),
  ),
)

describe.each(SECTIONS)('$name', ({ dialect, options, spelling }) => {
  const call = (toolName: string, position: number) => ({
    id: `functions.${toolName}:${position}`,
    toolName,
    input: { path: toolName, content: 'x' },
  })
  const tools = options.tools!

  test('reports a call of an unknown tool between others, and runs those', () => {
    const group = [call('write_file', 0), call('unlisted', 1), call('write_file', 2)]
    const text = renderCalls(group, { dialect: spelling, tools })
    const calls = parse(text, { ...options, dialect }).toolCalls
    expect(
      calls.map((one) => [one.toolName, one.input, isExecutable(one) || one.error?.code]),
      text,
    ).toEqual([
      ['write_file', { path: 'write_file', content: 'x' }, true],
      ['unlisted', { path: 'unlisted', content: 'x' }, 'unknown-tool'],
      ['write_file', { path: 'write_file', content: 'x' }, true],
    ])
    expect(calls[1]?.raw).toContain('unlisted')
    expect(comparable(run(engine, options, characters(text)))).toBe(comparable(run(engine, options, [text])))
  })
})
