/** `sluice serve`: the gateway. */

import { type Command, Failure, readArguments, UsageError } from './command.ts'
import { harmlessJson, type Io, write } from './io.ts'

const HELP = `Usage: sluice serve [options]

Serves any client, with any model behind it: Chat Completions, Responses, Anthropic Messages, Ollama and the AI SDK's UI
stream. Without --upstream or --config, a scripted model answers, so you can try everything at once. At / is a page
where you can ask the model and watch the run.

  --upstream URL     the server of the model, such as http://127.0.0.1:8000 or https://api.openai.com
  --protocol NAME    what it speaks: openai-chat, openai-responses, anthropic, gemini or ollama
                     (by default derived from the address)
  --mode MODE        how the model gets its tools: native (in the API), template (in the API, and its calls come as
                     text) or prompt (as text); native, or prompt with --dialect
  --server NAME      in the mode template, what serves the model: vllm (the default), llama.cpp or sglang
  --dialect NAME     how the model writes calls in the text; auto: by the name of the model
  --template FILE    the chat template of the model, which shows how it writes calls (implies the mode template)
  --log PLACE        where resumable runs are kept: file:FOLDER, redis://HOST:PORT,
                     nats://HOST:PORT or none (a folder in ~/.local/state/sluice)
  --config FILE      a configuration in JSON; the options above are for one upstream only
  --host HOST        where to listen (127.0.0.1)
  --port N           0: any free port (8787)

The first line on stdout is the address. The API key of the client goes to the upstream.

Examples:
  sluice serve
  sluice serve --upstream http://127.0.0.1:8000 --mode template --dialect auto --log file:./runs
`

const OPTIONS = {
  upstream: { type: 'string' },
  protocol: { type: 'string' },
  server: { type: 'string' },
  mode: { type: 'string' },
  dialect: { type: 'string' },
  template: { type: 'string' },
  log: { type: 'string' },
  config: { type: 'string' },
  host: { type: 'string' },
  port: { type: 'string' },
} as const

export const serve: Command = {
  help: HELP,
  options: OPTIONS,
  async run(args, io) {
    const { values } = readArguments(args, OPTIONS)
    const [{ ConfigError }, { configOf, openLog }, { startGateway }, { pageFiles }] = await Promise.all([
      import('../../gateway/gateway-config.ts'),
      import('./serve-config.ts'),
      import('../../gateway/server.ts'),
      import('./playground-files.ts'),
    ])
    try {
      const env = io.env ?? {}
      const config = await configOf(values, env)
      const report = reporter(io)
      const log = await openLog(config, env, (message) =>
        report('warn', 'runs are not kept; name a place with --log', { message }),
      )
      const keepsRuns = log !== undefined && config.resumable !== 'never'
      const page = pageFiles(keepsRuns ? 'gateway-with-log' : 'gateway')
      const tracing = await import('@opentelemetry/api').catch(() => undefined)
      const server = await startGateway({ config, log, report, tracing, page })
      await write(io.stdout, `sluice serve: ${server.url}\n`)
      for (const { name, protocol, mode } of config.upstreams)
        report('info', 'upstream', { upstream: name, protocol, mode })
      if (config.upstreams.length === 0)
        report('info', 'a scripted model answers; name a server with --upstream')
      await untilStopped()
      await server.stop()
      return 0
    } catch (error) {
      if (error instanceof ConfigError) throw new UsageError(error.message)
      const { code, message } = Object(error) as NodeJS.ErrnoException
      if (code === 'EADDRINUSE' || code === 'EACCES' || code === 'EADDRNOTAVAIL')
        throw new Failure(
          `The server cannot listen on this address: ${message}. Choose another '${code === 'EADDRNOTAVAIL' ? '--host' : '--port'}'.`,
        )
      throw (error as Error).name === 'LogError' ? new Failure(message) : error
    }
  },
}

/** One JSON object per line on stderr. */
function reporter(io: Io) {
  return (level: string, what: string, more: object = {}): void => {
    const line = JSON.stringify({ time: new Date().toISOString(), level, what, ...more })
    io.stderr.write(`${harmlessJson(line)}\n`)
  }
}

function untilStopped(): Promise<void> {
  return new Promise((resolve) => {
    const stop = (): void => {
      process.off('SIGTERM', stop)
      process.off('SIGINT', stop)
      resolve()
    }
    process.on('SIGTERM', stop)
    process.on('SIGINT', stop)
  })
}
