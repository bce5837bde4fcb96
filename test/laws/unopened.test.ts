/**
 * Law 8 where nobody says where a response starts: a closer of reasoning that nothing opened shows that all before it was
 * a thought. The prompts of many models end with the opener, so that the response has only the closer.
 */

import { describe, expect, test } from 'vitest'
import { FIXED_LIMITS } from '../../src/base/limits.ts'
import { allDialects, hermes } from '../../src/dialects/index.ts'
import { parse } from '../../src/engine/message.ts'
import { createParser, restoreParser } from '../../src/engine/parser.ts'
import { render } from '../../src/engine/render.ts'
import { ENTRIES, type LawEntry } from './entries.ts'
import { characters, run } from './observe.ts'
import { engineRuns, eventsOf, type Response } from './runs.ts'
import { gatewayRuns, turnRuns } from './runs-in-rooms.ts'
import { written } from './suite.ts'
import { aiSdkGenerateRuns, aiSdkStreamRuns, EVENT_VIEWS, providerRuns } from './view-runs.ts'

const TOOLS = ['ping', 'rm'].map((name) => ({
  name,
  inputSchema: { type: 'object', properties: {} } as const,
}))

/** Dialects whose closer of reasoning closes nothing else, and can be told from it. */
const REASONING = ENTRIES.filter(
  ({ dialect }) => dialect.reasoning.length > 0 && dialect.strayCloser !== 'text',
)

const callOf = (entry: LawEntry, toolName: string): string =>
  written(entry, [{ type: 'call', toolName, input: {} }])!

const closerOf = ({ dialect }: LawEntry): string =>
  render([{ type: 'reasoning', text: '§' }], { dialect }).split('§')[1]!

/** Those that are made from chat templates have no name that the gateway knows. */
const isNamed = ({ dialect }: LawEntry): boolean => allDialects.includes(dialect)

const responseOf = ({ dialect }: LawEntry, text: string): Response => ({
  text,
  dialect,
  tools: TOOLS,
  ending: 'stop',
})

/** The verdict on a call that nothing marks waits for what follows it anyway. */
const MARKED = REASONING.filter(({ dialect }) => dialect.calls.length > 0)

describe.each(REASONING)('8. $name, whose response may begin inside reasoning', (entry) => {
  const rm = callOf(entry, 'rm')
  const ping = callOf(entry, 'ping')
  const closer = closerOf(entry)

  test.each([
    ['a call alone', `${rm}${closer}No.`],
    ['a call and more of the thought', `I could\n${rm}\nbut no.${closer}No.`],
    ['two calls', `${rm}\n${rm}\nbut no.${closer}No.`],
    ['a call that a later thought follows', `I could\n${rm}\nbut no.${closer}Well.${closer}No.`],
  ])('runs nothing of the thought, anywhere: %s', async (_, text) => {
    const response = responseOf(entry, text)
    const events = eventsOf(response)
    expect(engineRuns(events)).toEqual([])
    for (const view of EVENT_VIEWS) expect(view.runs(events, response), view.name).toEqual([])
    expect(providerRuns(response)).toEqual([])
    expect(await aiSdkStreamRuns(response)).toEqual([])
    expect(await aiSdkGenerateRuns(response)).toEqual([])
    expect(await turnRuns(response)).toEqual([])
    if (isNamed(entry)) expect(await gatewayRuns(response)).toEqual([])
  })

  test('runs a call without any closer, everywhere, and at the end', async () => {
    const response = responseOf(entry, ping)
    const ran = [{ toolName: 'ping', input: {} }]
    const events = eventsOf(response)
    expect(engineRuns(events)).toEqual(ran)
    for (const view of EVENT_VIEWS) expect(view.runs(events, response), view.name).toEqual(ran)
    expect(providerRuns(response)).toEqual(ran)
    expect(await aiSdkStreamRuns(response)).toEqual(ran)
    expect(await aiSdkGenerateRuns(response)).toEqual(ran)
    expect(await turnRuns(response)).toEqual(ran)
    if (isNamed(entry)) expect(await gatewayRuns(response)).toEqual(ran)
    const parser = createParser({ dialect: entry.dialect, tools: TOOLS })
    expect(parser.push(ping).map(({ type }) => type)).not.toContain('tool-call')
    expect(parser.end().map(({ type }) => type)).toContain('tool-call')
  })

  test('goes on from a snapshot with the verdicts that wait', () => {
    const options = { dialect: entry.dialect, tools: TOOLS }
    const text = `I could\n${rm}\nbut no.${closer}No.`
    const whole = JSON.stringify(
      run({ createParser, restoreParser }, options, characters(text)).filter(
        ({ type }) => type === 'tool-call',
      ),
    )
    for (let at = 1; at < text.length; at++) {
      const parser = createParser(options)
      const before = parser.push(text.slice(0, at))
      const rest = restoreParser(JSON.parse(JSON.stringify(parser.snapshot())), options)
      const events = [...before, ...rest.push(text.slice(at)), ...rest.end()]
      expect(JSON.stringify(events.filter(({ type }) => type === 'tool-call'))).toBe(whole)
    }
  })
})

test.each(MARKED)(
  '8. $name has its verdicts at once where the start is known, and behind a thought that it opens',
  (entry) => {
    const ping = callOf(entry, 'ping')
    const known = run(
      { createParser, restoreParser },
      { dialect: entry.dialect, tools: TOOLS, start: 'text' },
      [`${ping}\nx`],
    )
    const opened = run({ createParser, restoreParser }, { dialect: entry.dialect, tools: TOOLS }, [
      `${written(entry, [{ type: 'reasoning', text: 'Hm.' }])}${ping}\nx`,
    ])
    for (const events of [known, opened]) {
      const verdict = events.findIndex(({ type }) => type === 'tool-call')
      const end = events.findIndex(({ type }) => type === 'tool-input-end')
      expect(events.slice(end + 1, verdict).filter(({ type }) => type !== 'diagnostic')).toEqual([])
    }
  },
)

test('8. a closer in a call that failed ends the thought before it, too', () => {
  const call = '<tool_call>{"name": "rm", "arguments": {}}</tool_call>'
  const broken = '<tool_call>{"name": "rm", "arguments": nope'
  for (const emit of [{}, { input: false }]) {
    const parser = createParser({ dialect: hermes, tools: TOOLS, emit })
    const events = [...parser.push(`I could ${call} or ${broken}, but no.</think>Which?`), ...parser.end()]
    expect(events.flatMap((event) => (event.type === 'tool-call' ? event.status : []))).toEqual([
      'invalid',
      'repaired',
    ])
  }
})

test('9. more calls than a limit are guesses, and what is kept of them has one', () => {
  const call = '<tool_call>{"name": "ping", "arguments": {}}</tool_call>\n'
  const most = FIXED_LIMITS.unopenedCalls
  const few = parse(call.repeat(most), { dialect: hermes, tools: TOOLS })
  expect(few.toolCalls.filter(({ status }) => status === 'complete')).toHaveLength(most)
  const { toolCalls, diagnostics } = parse(call.repeat(most + 2), { dialect: hermes, tools: TOOLS })
  expect(toolCalls.filter(({ status }) => status === 'complete')).toEqual([])
  expect(diagnostics.filter(({ code }) => code === 'limit-reached')).toHaveLength(1)
  const known = parse(call.repeat(most + 2), { dialect: hermes, tools: TOOLS, start: 'text' })
  expect(known.toolCalls.filter(({ status }) => status === 'complete')).toHaveLength(most + 2)
  const long = `<tool_call>{"name": "ping", "arguments": {"text": "${'x'.repeat(FIXED_LIMITS.tentativeLength / 4)}"}}</tool_call>`
  const parser = createParser({ dialect: hermes, tools: TOOLS })
  for (let count = 0; count < 8; count++) parser.push(long)
  expect(JSON.stringify(parser.snapshot()).length).toBeLessThan(2 * FIXED_LIMITS.tentativeLength)
})
