/**
 * A chat whose model has no tools of its own, and whose page shows a file while it is written.
 *
 *     npm run build && node examples/ai-sdk/server.ts     # Node 22.18 or newer
 */

import { readFileSync } from 'node:fs'
import { createServer, type Server } from 'node:http'
import { setTimeout as sleep } from 'node:timers/promises'
import { fileURLToPath } from 'node:url'
// In a project of your own this is 'ai'.
import { stepCountIs, streamText, tool, wrapLanguageModel } from 'ai6'
import { build } from 'esbuild'
import { hermesMiddleware } from 'sluice/ai-sdk'
import { z } from 'zod'
import { type Pace, scriptedModel } from './model.ts'

const here = (name: string): string => fileURLToPath(new URL(name, import.meta.url))

export async function startChat(port = 0, pace: Pace = () => sleep(20)): Promise<Server> {
  const { outputFiles } = await build({
    entryPoints: [here('page.ts')],
    bundle: true,
    format: 'esm',
    write: false,
  })
  const model = wrapLanguageModel({ model: scriptedModel(pace), middleware: hermesMiddleware })
  const files = new Map<string, string>()
  const tools = {
    write_file: tool({
      description: 'Writes a file.',
      inputSchema: z.object({ path: z.string(), content: z.string() }),
      execute: async ({ path, content }) => {
        files.set(path, content)
        return `${path}: ${content.length} characters`
      },
    }),
  }
  const server = createServer((request, response) => {
    if (request.url === '/chat')
      streamText({
        model,
        tools,
        prompt: 'What do I need?',
        stopWhen: stepCountIs(3),
      }).pipeUIMessageStreamToResponse(response)
    else if (request.url === '/page.js')
      response.setHeader('content-type', 'text/javascript').end(outputFiles[0]!.contents)
    else response.setHeader('content-type', 'text/html; charset=utf-8').end(readFileSync(here('page.html')))
  })
  await new Promise<void>((resolve) => server.listen(port, '127.0.0.1', resolve))
  return server
}

if (process.argv[1] === fileURLToPath(import.meta.url)) {
  await startChat(8080)
  console.log('The chat is at http://127.0.0.1:8080')
}
