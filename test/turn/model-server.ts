/** A scripted server that stops with the test that started it. */

import { onTestFinished } from 'vitest'
import { type Reply, ScriptedServer } from './scripted-server.ts'

export { type Reply, refusal, streamed } from './scripted-server.ts'

export type ModelServer = ScriptedServer

export const ModelServer = {
  async start(replies: readonly Reply[]): Promise<ScriptedServer> {
    const server = await ScriptedServer.listen(replies)
    onTestFinished(() => server.stop())
    return server
  },
}
