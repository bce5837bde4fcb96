/**
 * The same bytes, read three times: by a provider's own client, by Sluice, and by Sluice out of the chunks that
 * the client decoded. All three say the same, unless a row states what the client makes of it and why.
 */

import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import type { Message } from '../../../src/engine/message.ts'
import { anyProvider, findProvider } from '../../../src/providers/any.ts'
import { readProvider } from '../../../src/providers/read-provider.ts'
import type { Client } from './client.ts'
import { type Said, saidBySluice, saidInFull } from './said.ts'
import { LocalServer } from './server.ts'

export interface Scenario {
  readonly name: string
  readonly body: string | Uint8Array
  readonly status?: number
  /** The connection breaks at the end of the body. */
  readonly dies?: boolean
  /** What the bytes say. */
  readonly says: Said
  /** Calls that must not run, with the verdict of Sluice. */
  readonly failed?: readonly (readonly [id: string, status: string])[]
  /** The response failed: Sluice says it with an event behind all that came before, and a client throws. */
  readonly fails?: true
  /** What clients make of it that are wrong, by their names. A string is how the client fails. */
  readonly wrong?: { readonly [client: string]: Partial<Said> | string }
  /** What is left of it in the chunks of clients that hand on less than they were sent. */
  readonly left?: { readonly [client: string]: Partial<Outcome> }
}

/** What Sluice makes of a response. */
type Outcome = Pick<Scenario, 'says' | 'failed'> & { readonly fails?: boolean }

export interface Proof {
  /** What the server speaks, as Sluice calls it. */
  readonly format: string
  readonly contentType: string
  readonly clients: readonly Client[]
  readonly scenarios: readonly Scenario[]
}

export function prove({ format, contentType, clients, scenarios }: Proof): void {
  let server: LocalServer
  beforeAll(async () => {
    server = await LocalServer.open()
  })
  afterAll(() => server.close())
  const serve = ({ body, status = 200, dies = false }: Scenario): string =>
    server.serve({ body, type: contentType, status, dies })

  describe.each(scenarios)('$name', (scenario) => {
    test('is read by Sluice', async () => {
      check(
        await readProvider(fetch(serve(scenario)), { provider: findProvider(format) }).message(),
        scenario,
      )
      check(await readProvider(fetch(serve(scenario)), { provider: anyProvider }).message(), scenario)
    })

    test.each(clients)('is put together by $name', async (client) => {
      const url = serve(scenario)
      const wrong = scenario.wrong?.[client.name]
      if (typeof wrong === 'string' || (scenario.fails && wrong === undefined))
        await expect(client.assemble(url)).rejects.toThrow(wrong)
      else expect(saidInFull(await client.assemble(url))).toEqual(saidInFull({ ...scenario.says, ...wrong }))
    })

    test.each(clients)('is read by Sluice from $name', async ({ name, provider, chunks }) => {
      const message = await readProvider(Promise.resolve(chunks(serve(scenario))), {
        provider: findProvider(provider),
      }).message()
      check(message, { ...scenario, ...scenario.left?.[name] })
    })
  })
}

function check(message: Message, { says, failed = [], fails = false }: Outcome): void {
  const said = saidBySluice(message)
  const { calls } = said
  // A stream that failed did not stop for a reason.
  expect(fails ? { ...said, reason: undefined } : said).toEqual(saidInFull(says))
  const whole = new Set(calls?.map(([id]) => id))
  expect(message.toolCalls.flatMap(({ id, status }) => (whole.has(id) ? [] : [[id, status]]))).toEqual(failed)
  expect(message.finish.reason === 'error').toBe(fails)
  // A stream that just ends is no error of anybody, and is told as what it is.
  const isTold =
    message.error !== undefined || message.diagnostics.some(({ code }) => code === 'truncated-stream')
  expect(isTold).toBe(fails)
}
