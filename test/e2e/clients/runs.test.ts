/**
 * What clients run of what Sluice writes: a model answers in Chat Completions, Sluice reads and writes the answer, and
 * a client that runs tools by itself reads it. Nothing may run that Sluice would not run.
 */

import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { findWriter } from '../../../src/providers/any.ts'
import { openaiChat } from '../../../src/providers/named-providers.ts'
import { readProvider } from '../../../src/providers/read-provider.ts'
import { createWriter, writeProvider } from '../../../src/providers/write-provider.ts'
import { sse } from '../../providers/told.ts'
import { type BadCall, RUNNERS } from './runners.ts'
import { LocalServer } from './server.ts'

const chunk = (delta: object, finish_reason: string | null = null): object => ({
  id: 'r1',
  object: 'chat.completion.chunk',
  created: 1_700_000_000,
  model: 'm',
  choices: [{ index: 0, delta, finish_reason }],
})
const call = (id: string, pieces: readonly string[]) => (index: number) => [
  chunk({ tool_calls: [{ index, id, type: 'function', function: { name: 'rm', arguments: '' } }] }),
  ...pieces.map((piece) => chunk({ tool_calls: [{ index, function: { arguments: piece } }] })),
]
const answer = (calls: readonly ((index: number) => object[])[], finish: string): string =>
  sse(
    chunk({ role: 'assistant', content: 'Let me see.' }),
    ...calls.flatMap((one, index) => one(index)),
    chunk({}, finish),
  )

const GOOD = call('call_good', ['{"path":', '"/tmp/old"}'])

const BAD: readonly [what: string, kind: BadCall['kind'], pieces: readonly string[]][] = [
  ['was cut off in a value', 'cut', ['{"path":"/', 't']],
  ['was cut off behind a value', 'cut', ['{"path":"/"']],
  ['was cut off behind an object', 'cut', ['{"path":"/","options":{}', '']],
  ['has a key twice', 'wrong', ['{"path":"/tmp/old",', '"path":"/"}']],
  ['is not JSON', 'wrong', ['{"path":"/"', ' "force" ]}']],
  ['had to be guessed', 'wrong', ['{"path":', ' tmp', '}']],
  ['is a list that was cut off', 'absent', ['["/tmp"', ',"/"']],
]
const ENDS = ['tool_calls', 'length']

let server: LocalServer
beforeAll(async () => {
  server = await LocalServer.open()
})
afterAll(() => server.close())

/** The answer as this format, and then an answer without calls for a client that goes on. */
async function serve(format: string, upstream: string): Promise<string> {
  const about = { id: 'r1', model: 'm', created: 1_700_000_000 }
  const writer = findWriter(format)
  const type = createWriter(writer, about).contentType
  const written = async (text: string): Promise<string> => {
    let body = ''
    for await (const piece of writeProvider(readProvider(text, { provider: openaiChat }), writer, about))
      body += piece
    return body
  }
  const rest = sse(chunk({ role: 'assistant', content: 'Done.' }), chunk({}, 'stop'))
  return server.serve({ body: await written(upstream), type }, { body: await written(rest), type })
}

describe.each(RUNNERS)('$name, with $format', (runner) => {
  const ranBy = async (upstream: string): Promise<unknown[]> => {
    const ran: unknown[] = []
    await runner.run(await serve(runner.format, upstream), (input) => void ran.push(input))
    return ran
  }
  const OLD = { path: '/tmp/old' }

  test('runs calls that are whole', async () => {
    const other = call('call_other', ['{"path":"/tmp/', 'other"}'])
    expect(await ranBy(answer([GOOD, other], 'tool_calls'))).toEqual([OLD, { path: '/tmp/other' }])
  })

  describe.each(BAD)('does not run a call that %s', (_, kind, pieces) => {
    const bad = call('call_bad', pieces)

    test.each(ENDS)('alone; the answer ends with %s', async (finish) => {
      expect(await ranBy(answer([bad], finish))).toEqual([])
    })

    test('before more text', async () => {
      const more = () => [chunk({ content: 'I shall wait.' })]
      expect(await ranBy(answer([bad, more], 'stop'))).toEqual([])
    })

    test.each(ENDS)('behind a good one; the answer ends with %s', async (finish) => {
      const runs = runner.runsBeside?.({ kind, comes: 'last', finish }) ?? true
      expect(await ranBy(answer([GOOD, bad], finish))).toEqual(runs ? [OLD] : [])
    })

    test.each(ENDS)('before a good one; the answer ends with %s', async (finish) => {
      const runs = runner.runsBeside?.({ kind, comes: 'first', finish }) ?? true
      expect(await ranBy(answer([bad, GOOD], finish))).toEqual(runs ? [OLD] : [])
    })
  })
})
