/** Official clients, against the gateway, against a model server: the same message for each client in each mode. */

import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import type { Mode } from '../../../src/gateway/gateway-config.ts'
import { CLIENTS } from './asked.ts'
import { CASES, type Case } from './cases.ts'
import { answering, SERVERS, type ServerKind } from './model-servers.ts'
import { ServedGateway } from './serve.ts'
import { ScriptedUpstream } from './upstream.ts'
import { canSay, type Said } from './wires.ts'

/** What the model says in a mode; nothing where such a server cannot be the one that was reported. */
function saidIn(one: Case, mode: Mode, { protocol }: ServerKind): Said | undefined {
  const { native, natively, written, dialect } = one
  if (mode === 'template') return written
  // How a dialect is read does not depend on who sends the text.
  if (mode === 'prompt') return dialect === undefined || protocol === 'openai-chat' ? written : undefined
  if (natively !== undefined && !natively.includes(protocol)) return undefined
  return native !== undefined && canSay(protocol, native) ? native : undefined
}

interface Row {
  readonly server: ServerKind
  readonly mode: Mode
  /** The name of the upstream. */
  readonly upstream: string
  readonly cases: readonly (readonly [model: string, one: Case, said: Said])[]
}

const ROWS: readonly Row[] = SERVERS.flatMap((server, number) =>
  server.modes.map((mode) => {
    const upstream = `${mode}-${number}`
    const cases = CASES.flatMap((one, at) => {
      const said = saidIn(one, mode, server)
      return said === undefined ? [] : [[`${upstream}-${at}`, one, said] as const]
    })
    return { server, mode, upstream, cases }
  }),
)

let upstream: ScriptedUpstream
let gateway: ServedGateway
beforeAll(async () => {
  upstream = await ScriptedUpstream.start()
  for (const { server, mode, cases } of ROWS)
    for (const [model, , said] of cases) upstream.answers.set(model, answering(server, mode, said))
  const upstreams = ROWS.map(({ server, mode, upstream: name, cases }) => {
    const models = cases.map(([model, { dialect = 'hermes' }]) => [
      model,
      mode === 'native' ? {} : { dialect },
    ])
    const { protocol, settings } = server
    return [name, { url: upstream.url, protocol, mode, ...settings, models: Object.fromEntries(models) }]
  })
  gateway = await ServedGateway.start([], { upstreams: Object.fromEntries(upstreams), retries: 0 })
})
afterAll(async () => {
  await gateway.kill()
  await upstream.stop()
})

describe.each(ROWS)('$server.name, in the mode $mode', ({ cases }) => {
  test.each(cases)('%s: every client gets the same message', async (model, { name, heard, unlike = {} }) => {
    const asked = Object.entries(CLIENTS).map(async ([client, ask]) => {
      const { text, reasoning, calls } = await ask(gateway.url, model).catch((error: unknown) => {
        throw new Error(`${client}: ${String(error)}`, { cause: error })
      })
      return [client, { text: text.trim(), reasoning: reasoning.trim(), calls }]
    })
    const expected = Object.keys(CLIENTS).map((client) => [client, unlike[client] ?? heard])
    expect(Object.fromEntries(await Promise.all(asked)), name).toEqual(Object.fromEntries(expected))
  })
})

test('the command stops on SIGTERM, with what it was doing done', async () => {
  const gateway = await ServedGateway.start([])
  const answer = CLIENTS['openai, chat, streamed']!(gateway.url, 'm')
  await new Promise((resolve) => setTimeout(resolve, 30))
  const over = gateway.kill('SIGTERM')
  expect((await answer).text).toContain('What is here?')
  expect(await over).toBe(0)
})

test('the command says what is wrong with its options', async () => {
  await expect(ServedGateway.start(['--log', 'sqlite:x'])).rejects.toThrow("'log' is file:FOLDER")
  await expect(ServedGateway.start(['--dialect', 'hermes'])).rejects.toThrow("add '--upstream URL'")
})
