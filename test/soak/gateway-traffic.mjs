// Both sides of a gateway under load, in a process of their own: a model server, and clients that keep so many streams
// open. Each client checks what it gets; some leave in the middle.
//
//   fork('gateway-traffic.mjs')   → { port }, the model server's
//   send({ url, atOnce, total, pauseMs, every })   → { done, wrong } with every so many streams, and { over: true }

import { Agent, createServer, request } from 'node:http'

const WORDS = 20
/** Milliseconds between two chunks. */
let pause = 0
const about = { id: 'c', object: 'chat.completion.chunk', created: 1, model: 'm' }
const chunk = (/** @type {object} */ delta, /** @type {string | null} */ finish_reason = null) =>
  `data: ${JSON.stringify({ ...about, choices: [{ index: 0, delta, finish_reason }] })}\n\n`
const CALL = '<tool_call>{"name": "ls", "arguments": {"path": "."}}</tool_call>'
const SAID = Array.from({ length: WORDS }, (_, at) => ` word${at}`)
const TEXT = SAID.join('')
const PIECES = [...SAID, ...(CALL.match(/.{1,12}/g) ?? [])].map((content) => chunk({ content }))
const END = `${chunk({}, 'stop')}data: [DONE]\n\n`

const server = createServer((asked, response) => {
  asked.resume()
  response.writeHead(200, { 'content-type': 'text/event-stream' })
  let at = 0
  const write = () => {
    if (response.destroyed) return
    if (at === PIECES.length) {
      response.end(END)
      return
    }
    response.write(PIECES[at++])
    setTimeout(write, pause)
  }
  write()
})
server.listen({ port: 0, host: '127.0.0.1', backlog: 4_096 }, () => {
  const { port } = /** @type {import('node:net').AddressInfo} */ (server.address())
  process.send?.({ port })
})

const BODY = JSON.stringify({
  model: 'm',
  stream: true,
  messages: [{ role: 'user', content: 'Hi' }],
  tools: [{ type: 'function', function: { name: 'ls', parameters: { type: 'object' } } }],
})
const agent = new Agent({ keepAlive: true, maxSockets: Number.POSITIVE_INFINITY })

/** Whether a client got all that the model said, and a call that it may run. */
const isWhole = (/** @type {string} */ text) =>
  text.endsWith('data: [DONE]\n\n') &&
  Array.from(text.matchAll(/"content":"([^"]*)"/g), ([, said]) => said).join('') === TEXT &&
  text.includes('"finish_reason":"tool_calls"')

/**
 * One stream: whether all is well.
 * @param {string} url
 * @param {boolean} leaves The client closes its connection in the middle.
 * @returns {Promise<boolean>}
 */
function ask(url, leaves) {
  return new Promise((resolve) => {
    const sent = request(
      `${url}/v1/chat/completions`,
      { method: 'POST', agent, headers: { 'content-type': 'application/json' } },
      (response) => {
        /** @type {string[]} */
        const texts = []
        response.setEncoding('utf8')
        response.on('data', (text) => {
          texts.push(text)
          if (leaves && texts.length === WORDS / 2) sent.destroy()
        })
        response.on('error', () => {})
        response.on('close', () => resolve(leaves || isWhole(texts.join(''))))
      },
    )
    sent.on('error', (error) => {
      // A server that was busy for seconds closes connections that wait for their next request, also one just sent.
      const isTooLate = sent.reusedSocket && 'code' in error && error.code === 'ECONNRESET'
      resolve(isTooLate ? ask(url, leaves) : leaves)
    })
    sent.end(BODY)
  })
}

process.on('message', async (/** @type {any} */ { url, atOnce, total, pauseMs, every }) => {
  pause = pauseMs
  let begun = 0
  let done = 0
  let wrong = 0
  const client = async (/** @type {number} */ number) => {
    // Node accepts one connection in each turn of its event loop, so that clients come one after the other.
    await new Promise((resolve) => setTimeout(resolve, number * 4))
    while (begun < total) {
      const leaves = begun++ % 10 === 9
      if (!(await ask(url, leaves))) wrong++
      if (++done % every === 0) process.send?.({ done, wrong })
    }
  }
  await Promise.all(Array.from({ length: atOnce }, (_, number) => client(number)))
  process.send?.({ done, wrong, over: true })
})
