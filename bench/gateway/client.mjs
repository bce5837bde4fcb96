/** Asks a gateway, and notes when what came. */

import { Agent, request } from 'node:http'

const agent = new Agent({ keepAlive: true, maxSockets: Number.POSITIVE_INFINITY, noDelay: true })

/** The times in milliseconds of the first chunk with text and of the end, and how many chunks came. */
export function ask({ url, headers }, model) {
  const isStreamed = model !== 'whole'
  const body = JSON.stringify({
    model,
    stream: isStreamed,
    messages: [{ role: 'user', content: 'Say something.' }],
    tools: [{ type: 'function', function: { name: 'ls', parameters: { type: 'object' } } }],
  })
  return new Promise((resolve, reject) => {
    const start = performance.now()
    const sent = request(
      `${url}/v1/chat/completions`,
      {
        method: 'POST',
        agent,
        headers: {
          'content-type': 'application/json',
          'content-length': Buffer.byteLength(body),
          authorization: 'Bearer none',
          ...headers,
        },
      },
      (response) => {
        let first
        const pieces = []
        response.setEncoding('utf8')
        response.on('data', (piece) => {
          if (first === undefined && piece.includes('word')) first = performance.now() - start
          pieces.push(piece)
        })
        response.on('error', reject)
        response.on('end', () => {
          const total = performance.now() - start
          const text = pieces.join('')
          const isWhole = response.statusCode === 200 && text.includes(isStreamed ? '[DONE]' : '"usage"')
          if (isWhole) resolve({ first, total, chunks: text.split('word').length - 1 })
          else reject(new Error(`${url} answered ${response.statusCode}: ${text.slice(0, 300)}`))
        })
      },
    )
    sent.on('error', reject)
    sent.end(body)
  })
}
