/** Recordings of events that no parser made: refused with a reason, or harmless to everyone who takes events. */

import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { SluiceError } from '../../../src/base/errors.ts'
import type { SluiceEvent } from '../../../src/base/event.ts'
import { Ids } from '../../../src/base/ids.ts'
import { createToolTable } from '../../../src/engine/calls/tools.ts'
import { MessageFold } from '../../../src/engine/message.ts'
import { findWriter } from '../../../src/providers/any.ts'
import { createWriter } from '../../../src/providers/index.ts'
import { parseRecording } from '../../../src/runs/recording/index.ts'
import { resolveChoices } from '../../../src/views/ai-sdk/failures.ts'
import { PartsView } from '../../../src/views/ai-sdk/parts-view.ts'
import {
  createOrderView,
  createProgressView,
  createTruncationView,
} from '../../../src/views/compat/progress/index.ts'
import { sluice } from '../../apps/cli/harness.ts'
import { VIEWS } from '../../laws/views.ts'

const HEADER = '{"sluice-recording":1,"kind":"events"}'

const id = fc.constantFrom('a', 'b', '')
const text = fc.constantFrom('x', '', '{"path":', '"a"}', '\ud800', '\u001b[2J')
const name = fc.constantFrom('write_file', 'search', '', '__proto__', 'constructor')
const path = fc.array(fc.constantFrom('path', 'content', '__proto__', 0, 7), { maxLength: 3 })
const value = fc.jsonValue({ maxDepth: 3 })
const metadata = fc.option(fc.dictionary(fc.string({ maxLength: 3 }), value, { maxKeys: 2 }), {
  nil: undefined,
})
const flag = fc.option(fc.boolean(), { nil: undefined })

const fields = (given: Record<string, fc.Arbitrary<unknown>>) => fc.record(given)
const typed = (...types: string[]) => fc.constantFrom(...types)

/** Events that have the right form, in no order that makes sense. */
const event = fc.oneof(
  fields({
    type: typed('text-start', 'text-end', 'reasoning-start', 'reasoning-end', 'tool-input-end'),
    id,
    metadata,
  }),
  fields({
    type: typed(
      'text-delta',
      'reasoning-delta',
      'tool-input-delta',
      'tool-source-delta',
      'tool-result-delta',
    ),
    id,
    delta: text,
  }),
  fields({ type: typed('tool-input-start'), id, toolName: name, providerExecuted: flag, metadata }),
  fields({
    type: typed('argument-start'),
    id,
    path,
    kind: fc.constantFrom('object', 'array', 'string', 'scalar'),
  }),
  fields({ type: typed('argument-delta'), id, path, delta: text }),
  fields({ type: typed('argument-end'), id, path, value }),
  fields({
    type: typed('tool-call'),
    id,
    toolName: name,
    input: value,
    status: fc.constantFrom('complete', 'repaired', 'truncated', 'invalid'),
    repairs: fc.array(
      fc.record({ code: text, class: fc.constantFrom('lossless', 'guess', 'lossy'), offset: fc.nat() }),
      { maxLength: 2 },
    ),
    raw: fc.option(text, { nil: undefined }),
    error: fc.option(fc.record({ code: text, message: text, offset: fc.nat(), path: text }), {
      nil: undefined,
    }),
    providerExecuted: flag,
    metadata,
  }),
  fields({ type: typed('tool-result-start'), id, toolName: name, isError: flag, raw: text, metadata }),
  fields({ type: typed('tool-result-end'), id, isError: flag, raw: text, metadata }),
  fields({ type: typed('custom'), kind: text, value }),
  fields({
    type: typed('diagnostic'),
    code: text,
    message: text,
    span: fc.record({ start: fc.nat(), end: fc.nat() }),
    id,
  }),
  fields({
    type: typed('finish'),
    reason: fc.constantFrom('stop', 'tool-calls', 'error'),
    rawReason: text,
    metadata,
  }),
  fields({ type: typed('error'), error: value }),
)

/** The same with one field that is something else, or gone. */
const junk = fc
  .tuple(event, fc.nat(), fc.oneof(value, fc.constant(undefined)))
  .map(([whole, which, other]) => {
    const names = Object.keys(whole)
    return { ...whole, [names[which % names.length]!]: other }
  })

const recordingOf = (events: readonly unknown[], end = ''): string =>
  [HEADER, ...events.map((one) => JSON.stringify([0, one])), end].join('\n')

const FORMATS = ['openai-chat', 'openai-responses', 'anthropic', 'ollama', 'ai-sdk-ui']

/** Everyone who takes events. */
const TAKERS: [who: string, open: () => (event: SluiceEvent) => void][] = [
  // What is said there is read again by the law itself.
  ...VIEWS.filter(({ name }) => name !== 'ai-sdk').map(
    ({ name, open }): [string, () => (event: SluiceEvent) => void] => [
      name,
      () => {
        const view = open()
        return (one) => view.add(one)
      },
    ],
  ),
  [
    'the AI SDK',
    () =>
      taking(
        new PartsView({
          choices: resolveChoices({}),
          onError: undefined,
          newId: (kind) => kind,
          ids: new Ids(),
          markers: [],
          tools: createToolTable([]),
          closers: [],
          behind: () => undefined,
          isLive: true,
          emit: () => {},
        }),
      ),
  ],
  ['the progress view', () => taking(createProgressView(() => {}))],
  ['the order view', () => taking(createOrderView({}, () => {}))],
  ['the truncation view', () => taking(createTruncationView(() => {}))],
  ['a message', () => taking(new MessageFold())],
  ...FORMATS.map((format): [string, () => (event: SluiceEvent) => void] => [
    `the writer of ${format}`,
    () => {
      const writer = createWriter(findWriter(format))
      return (one) => writer.add(one)
    },
  ]),
]

const taking = (view: { add(event: SluiceEvent): unknown }) => (one: SluiceEvent) => void view.add(one)

test('a recording of junk is refused, with its line', () => {
  fc.assert(
    fc.property(fc.array(fc.oneof(event, junk, value), { maxLength: 6 }), (events) => {
      try {
        parseRecording(recordingOf(events))
      } catch (error) {
        expect(error).toBeInstanceOf(SluiceError)
        expect((error as SluiceError).code).toBe('invalid-recording')
        expect((error as SluiceError).message).toMatch(/^Line \d+ /)
      }
    }),
    { numRuns: 1000 },
  )
})

describe.each(TAKERS)('%s', (_, open) => {
  test('takes events in any order', () => {
    fc.assert(
      fc.property(fc.array(event, { maxLength: 12 }), (events) => {
        const { chunks } = parseRecording(recordingOf(events))
        const add = open()
        for (const { chunk } of chunks)
          try {
            add(chunk as SluiceEvent)
          } catch (error) {
            // What cannot be written is refused.
            if (!(error instanceof SluiceError) || error.code !== 'unrepresentable') throw error
          }
      }),
      { numRuns: 400 },
    )
  })
})

describe.each([[], ['--json'], ['--events']])('the command with %j', (...args) => {
  test('shows what it can read, and says what it cannot', async () => {
    const end = fc.constantFrom(
      '',
      '[0,{"end":"failed","error":"socket hang up"}]',
      '[0,{"end":"interrupted"}]',
    )
    await fc.assert(
      fc.asyncProperty(fc.array(fc.oneof(event, junk), { maxLength: 6 }), end, async (events, last) => {
        const stdin = recordingOf(events, last)
        const { code, stderr } = await sluice(['parse', '--recording', ...args], { stdin })
        expect(stderr).toMatch(code === 0 ? /^$/ : /^sluice parse: /)
      }),
      { numRuns: 200 },
    )
  })
})

test.each(['text', 'events'])(
  'a recorded stream of %s that failed is shown as far as it came',
  async (kind) => {
    const start = '[0,{"type":"text-start","id":"a"}]\n[0,{"type":"text-delta","id":"a","delta":"Hello"}]'
    const stdin = `{"sluice-recording":1,"kind":"${kind}"}\n${kind === 'text' ? '[0,"Hello"]' : start}\n[1,{"end":"failed","error":"socket hang up"}]`
    const { code, stdout } = await sluice(['parse', '--recording', '--json'], { stdin })
    const { text, finish, error } = JSON.parse(stdout)
    expect([code, text, finish.reason, error]).toEqual([0, 'Hello', 'error', 'socket hang up'])
  },
)
