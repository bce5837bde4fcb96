/** Upstreams that repeat the key that they were sent. */

import { describe, expect, test } from 'vitest'
import { bodyWithoutKey, withoutKey } from '../../src/gateway/without-key.ts'
import { ModelServer, type Reply } from '../turn/model-server.ts'
import { CHAT, chunk, serve } from './harness.ts'

const KEY = 'token-abc123-abc124'
const QUOTED = JSON.stringify({ error: { message: `There is no key ${KEY}.`, type: 'auth' } })

describe('the key of an upstream', () => {
  test('is taken out of what it sends, however that is cut', () => {
    const text = `token-${KEY}${KEY} and token-abc123-abc12, token`
    for (let first = 0; first <= text.length; first++)
      for (let second = first; second <= text.length; second++) {
        const filter = withoutKey(KEY)
        const pieces = [text.slice(0, first), text.slice(first, second), text.slice(second)]
        const passed = [...pieces.map((piece) => filter.push(Buffer.from(piece))), filter.end()]
        expect(Buffer.concat(passed).toString()).toBe('token-[key][key] and token-abc123-abc12, token')
      }
  })

  test('does not change what a byte is called, however the body is cut', async () => {
    const text = `Ü token-${KEY}${KEY} 😀 token-abc123-abc12, token`
    const whole = Buffer.from(text)
    const keptBefore = (offset: number): string =>
      whole.subarray(0, offset).toString('latin1').replaceAll(KEY, '[key]')
    for (let cut = 1; cut < whole.length; cut++) {
      let kept = ''
      const offsets: number[] = []
      const onPiece = (piece: Uint8Array, next: number): void => {
        kept += Buffer.from(piece).toString('latin1')
        offsets.push(next)
        expect(kept, `cut at ${cut}`).toBe(keptBefore(next))
      }
      const body = new Response(
        new ReadableStream({
          start(controller) {
            controller.enqueue(whole.subarray(0, cut))
            controller.enqueue(whole.subarray(cut))
            controller.close()
          },
        }),
      ).body!
      await new Response(bodyWithoutKey(body, KEY, { onPiece })).text()
      expect(offsets.at(-1)).toBe(whole.length)
    }
  })

  test('may be short', () => {
    const filter = withoutKey('hunter-2')
    const passed = [filter.push(Buffer.from('No key hunt')), filter.push(Buffer.from('er-2.')), filter.end()]
    expect(Buffer.concat(passed).toString()).toBe('No key [key].')
  })

  test('that is a word and no secret stays what it is', () => {
    expect(Buffer.from(withoutKey('none').push(Buffer.from('There is none.'))).toString()).toBe(
      'There is none.',
    )
  })

  test.each<[path: string, body: object, reply: Reply]>([
    ['/v1/chat/completions', CHAT, { status: 401, chunks: [QUOTED] }],
    [
      '/v1/chat/completions',
      CHAT,
      { chunks: [chunk({ content: 'a' }), `data: ${QUOTED.slice(0, 40)}`, `${QUOTED.slice(40)}\n\n`] },
    ],
    [
      '/v1/messages',
      { ...CHAT, tools: [], stream: true },
      { chunks: [chunk({ content: 'a' }), `data: ${QUOTED}\n\n`] },
    ],
    ['/v1/embeddings', { model: 'm', input: 'a' }, { status: 401, chunks: [QUOTED] }],
    ['/v1/completions', { model: 'm', prompt: 'a' }, { chunks: [QUOTED.slice(0, 40), QUOTED.slice(40)] }],
  ])('is in no response, no run and no log: %s', async (path, body, reply) => {
    const model = await ModelServer.start([reply])
    const upstreams = { one: { url: model.url, protocol: 'openai-chat', key: KEY } }
    const { post, reports, log } = await serve(
      { upstreams, resumable: 'always', retries: 0 },
      { hasLog: true },
    )
    const response = await post(path, body)
    const run = response.headers.get('sluice-run')
    const text = await response.text()
    expect(text).toContain('There is no key [key].')
    const records: unknown[] = []
    if (run !== null)
      for await (const record of log!.read(run))
        records.push(record, 'input' in record && Buffer.from(record.input as Uint8Array).toString())
    expect(JSON.stringify([text, reports, records])).not.toContain(KEY)
  })
})
