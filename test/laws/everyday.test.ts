/**
 * The other side of trust: everyday work runs. Files of every kind, written as an argument, come out exactly and may
 * run, and so may the call behind them; and who thinks or talks about calls still gets the real one.
 *
 * @reads test/laws/everyday/
 */

import { readdirSync, readFileSync } from 'node:fs'
import { describe, expect, test } from 'vitest'
import { parse } from '../../src/engine/message.ts'
import { render, renderCalls } from '../../src/engine/render.ts'
import { sampleOf } from '../effort.ts'
import { ENTRIES, type LawEntry } from './entries.ts'
import { engineRuns, eventsOf, type Ran } from './runs.ts'
import { TRUST_TOOLS } from './trust.ts'
import { EVENT_VIEWS } from './view-runs.ts'

const folder = new URL('./everyday/fixtures/', import.meta.url)

/** Without white space at the end, which formats that trim their values cannot keep. */
const FILES = readdirSync(folder).map((name) => ({
  name,
  content: readFileSync(new URL(name, folder), 'utf8').trimEnd(),
}))

/** A call that writes the file, and another one behind it. */
function written({ dialect }: LawEntry, path: string, content: string): { text: string; meant: Ran[] } {
  const meant: Ran[] = [
    { toolName: 'write_file', input: { path, content } },
    { toolName: 'note', input: { path: 'done.txt', content: `wrote ${path}` } },
  ]
  const parts = meant.map((call, index) => ({
    ...call,
    type: 'call' as const,
    id: `functions.${call.toolName}:${index}`,
  }))
  return { text: render(parts, { dialect, tools: TRUST_TOOLS }), meant }
}

/** A call of its own: `{}` for a name that no message asks for. */
const forbidden = ({ dialect }: LawEntry): string =>
  renderCalls([{ id: 'functions.forbidden:0', toolName: 'forbidden', input: {} }], {
    dialect,
    tools: TRUST_TOOLS,
  })

/** In harmony a message with a recipient is a call in every channel. */
const THINKING = ENTRIES.filter(({ dialect }) => dialect.reasoning.length > 0 && dialect.name !== 'harmony')

/** Formats whose opener means nothing until an object or a list follows. */
const MENTIONED = ENTRIES.filter((entry) => /^\S+\s*\[?\s*\{"/.test(forbidden(entry)))
  .filter(({ dialect }) => dialect.calls.length > 0)
  .map((entry) => ({
    entry,
    name: entry.name,
    opener: forbidden(entry)
      .split('{"')[0]!
      .trim()
      .replace(/\s*\[$/, ''),
  }))

describe('a model that thinks about calls', () => {
  test.each(THINKING)('still gets its real one in $name', (entry) => {
    const { dialect } = entry
    const { text, meant } = written(entry, 'a.txt', 'b')
    const [opener, closer] = render([{ type: 'reasoning', text: 'HOLE' }], { dialect }).split('HOLE')
    for (const thought of [`I could do ${forbidden(entry)} but not yet.`, PHRASE]) {
      const whole = `${opener}${thought}${closer}${text}`
      const events = eventsOf({ text: whole, dialect, tools: TRUST_TOOLS, ending: 'stop' })
      expect(engineRuns(events), whole).toEqual(meant)
    }
  })
})

/** As models are told about calls, and repeat it in their thoughts. */
const PHRASE =
  'The call goes into <tool_call>{"name": <function-name>, "arguments": <args-json-object>}</tool_call>, so I look first.'

describe('prose that mentions an opener', () => {
  test.each(MENTIONED)('keeps no call from running in $name', ({ entry, opener }) => {
    const { dialect } = entry
    const { text, meant } = written(entry, 'a.txt', 'b')
    const whole = `Calls begin with ${opener} here.\n${text}`
    const events = eventsOf({ text: whole, dialect, tools: TRUST_TOOLS, ending: 'stop' })
    expect(engineRuns(events), whole).toEqual(meant)
  })
})

test('there are files to write', () => {
  expect(FILES.length).toBeGreaterThan(20)
})

describe.each(sampleOf(ENTRIES, 1, 9))('$name', (entry) => {
  const { dialect } = entry

  test.each(FILES)('writes $name, and the call behind it runs, in every view', ({ name, content }) => {
    const { text, meant } = written(entry, name, content)
    const response = { text, dialect, tools: TRUST_TOOLS, ending: 'stop' } as const
    const events = eventsOf(response)
    expect(engineRuns(events)).toEqual(meant)
    const statuses = parse(text, { dialect, tools: TRUST_TOOLS }).toolCalls.map(({ status }) => status)
    expect(statuses).toEqual(['complete', 'complete'])
    for (const view of EVENT_VIEWS) expect(view.runs(events, response), view.name).toEqual(meant)
  })
})
