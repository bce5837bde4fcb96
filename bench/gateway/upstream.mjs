/**
 * A model server in a process of its own, the same for all gateways. The name of the model says what it does: `whole`, or
 * `CHUNKS-PAUSE`: so many chunks, with so many milliseconds in between.
 */

import { createServer } from 'node:http'

const about = { id: 'chatcmpl-1', created: 1, model: 'm' }
const WHOLE = JSON.stringify({
  ...about,
  object: 'chat.completion',
  choices: [
    {
      index: 0,
      message: { role: 'assistant', content: 'word '.repeat(40) },
      logprobs: null,
      finish_reason: 'stop',
    },
  ],
  usage: { prompt_tokens: 10, completion_tokens: 40, total_tokens: 50 },
})
const chunk = (delta, finish_reason = null) =>
  `data: ${JSON.stringify({ ...about, object: 'chat.completion.chunk', choices: [{ index: 0, delta, finish_reason }] })}\n\n`
const WORD = chunk({ content: ' word' })
const END = `${chunk({}, 'stop')}data: [DONE]\n\n`

const server = createServer(async (request, response) => {
  const pieces = []
  for await (const piece of request) pieces.push(piece)
  const { model } = JSON.parse(Buffer.concat(pieces).toString())
  if (model === 'whole') {
    response.writeHead(200, { 'content-type': 'application/json' }).end(WHOLE)
    return
  }
  const [count, pause] = model.split('-').map(Number)
  response.writeHead(200, { 'content-type': 'text/event-stream' })
  response.socket.setNoDelay(true)
  let left = count
  const write = () => {
    if (response.destroyed) return
    if (left-- > 0) {
      response.write(WORD)
      setTimeout(write, pause)
    } else response.end(END)
  }
  write()
})
server.listen({ port: 0, host: '127.0.0.1', backlog: 4_096 }, () => process.send(server.address().port))
