/** Runs on a Node that the newest major of the AI SDK needs, and writes down what it has seen. */

import * as ai7 from 'ai7'
import { MockLanguageModelV4 } from 'ai7/test'
import { createToolMiddlewareV4, hermesMiddleware } from 'sluice/ai-sdk'
import { type Dialect, hermes } from 'sluice/dialects'
import { seeAgents } from './agents.ts'
import { seeFailed } from './failed-calls.ts'
import { hearsEarly, majorOf, see } from './majors.ts'
import { seeRepairs } from './repairs.ts'

const END = {
  finishReason: { unified: 'stop', raw: 'eos' },
  usage: {
    inputTokens: { total: 1, noCache: 1, cacheRead: 0, cacheWrite: 0 },
    outputTokens: { total: 1, text: 1, reasoning: 0 },
  },
}

const seen = []
for (const middleware of [createToolMiddlewareV4({ dialect: hermes }), hermesMiddleware])
  for (const look of [see, seeFailed, seeRepairs, hearsEarly])
    seen.push(await look(majorOf(ai7, MockLanguageModelV4, END, middleware)))
const agents = (dialect: Dialect) =>
  majorOf(ai7, MockLanguageModelV4, END, createToolMiddlewareV4({ dialect }))
seen.push(await seeAgents(agents))
console.log(JSON.stringify(seen))
