/**
 * The strict server itself: a request that was taken is refused as soon as one thing in it is wrong, with the status and
 * the words of its provider. So the rounds that it takes prove something.
 */

import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { PageApp } from './page-app.ts'
import { PROTOCOLS, type Servers } from './protocols.ts'
import { converse, ROUNDS, TOOLS } from './six-rounds.ts'
import { StrictServer } from './strict-server.ts'

/** A body as JSON has it, of which every row knows what is where. */
// biome-ignore lint/suspicious/noExplicitAny: the rows break bodies on purpose, in ways that no type allows
export type Body = any

type Row = readonly [rule: string, broken: (body: Body) => unknown, message: string, status?: number]

/** Two parts of a body in each other's place. */
export const swap = (list: Body[], first: number, second: number): void => {
  ;[list[first], list[second]] = [list[second], list[first]]
}
/** Longer than a name may be. */
export const LONG = 'x'.repeat(65)
/** An image of a type that no API takes. */
export const BMP = 'Qk06AAAAAAAAADYAAAAoAAAA'

/**
 * Breaks the second request of a protocol, which was taken: a question with an image, thoughts, two calls, their results.
 *
 * `wrap`: the body of an error, or a piece of it. `ids`: what stands for the words in messages that are ids.
 */
export function refuses(
  name: string,
  wrap: (message: string) => object | string,
  rows: readonly Row[],
  ids: (body: Body) => Readonly<Record<string, string>> = () => ({}),
): void {
  describe(name, () => {
    const protocol = PROTOCOLS.find((one) => one.name === name)!
    let servers: Servers
    let path: string
    let taken: Body

    beforeAll(async () => {
      const strict = await StrictServer.open()
      servers = { strict, page: await PageApp.open(strict.url, TOOLS) }
      await converse(protocol, servers, ROUNDS.slice(0, 2))
      const isPage = protocol.format.name === 'ai-sdk-ui'
      path = isPage ? servers.page.url : strict.url + strict.paths.at(-1)
      taken = (isPage ? servers.page : strict).accepted.at(-1)
    })
    afterAll(async () => {
      await servers.page.close()
      await servers.strict.close()
    })

    async function send(broken: (body: Body) => unknown): Promise<{ status: number; text: string }> {
      const body = structuredClone(taken) as Body
      broken(body)
      const response = await fetch(path, { method: 'POST', body: JSON.stringify(body) })
      return { status: response.status, text: await response.text() }
    }

    test('takes what is right', async () => {
      expect((await send(() => {})).status).toBe(200)
    })

    test.each(rows.map(([rule, ...rest]) => [rule, rest] as const))(
      '%s',
      async (_, [broken, message, status = 400]) => {
        const answer = await send(broken)
        expect(answer.status, answer.text).toBe(status)
        const words = Object.entries(ids(taken))
        const wanted = wrap(
          words.reduce((text, [word, id]) => text.replaceAll(new RegExp(`\\b${word}\\b`, 'g'), id), message),
        )
        if (typeof wanted === 'string') expect(answer.text).toContain(wanted)
        else expect(JSON.parse(answer.text)).toMatchObject(wanted)
      },
    )

    test("is refused by the protocol's own client, too", async () => {
      const [, broken] = rows[0]!
      const body = structuredClone(taken) as Body
      broken(body)
      const sent = protocol.send(servers, { body, path: path.replace(servers.strict.url, '') })
      await expect(Promise.resolve(sent)).rejects.toThrow()
    })
  })
}
