/** `sluice watch`: a stream as a person sees it, live. */

import { existsSync } from 'node:fs'
import { attendKeys } from '../terminal/keys.ts'
import { type Command, INTERRUPTED, readArguments, UsageError } from './command.ts'
import { eventInCommandWords } from './command-words.ts'
import { streamOf } from './files.ts'
import type { Io } from './io.ts'
import { openTerminal, readShowing, SHOWING_HELP, SHOWING_OPTIONS } from './live-terminal.ts'
import { isUrl, REQUEST_HELP, REQUEST_OPTIONS, send } from './request.ts'
import { READING_OPTIONS, readLive, readOptions } from './stream-reading.ts'

const HELP = `Usage: sluice watch [options] [file|URL]

Shows a stream live: text, reasoning, and a card with growing arguments for each call. It reads a file,
a URL or stdin. Text goes to stdout and everything else to stderr, so '> file' captures only the text.
Whether it is a provider's stream or text is detected, and whose, or in which dialect. Calls in the
text of a provider's stream are read with --dialect only.

  --provider NAME         whose stream it is, such as anthropic or openai-chat
  --dialect NAME[,NAME]   how the model writes its calls in text; auto detects it
  --model NAME            in place of --dialect: the name of the model
  --tools FILE            the tools, as a JSON array: 'streams' is the argument that is shown while it
                          grows, 'headlines' are those beside the name
  --start text|reasoning  where the response begins (text)
  --malformed keep|text|drop
                          what happens to the source of a failed call (keep)
${SHOWING_HELP}${REQUEST_HELP}
Ctrl-C stops the stream and shows what has arrived; a second Ctrl-C exits at once.

Examples:
  curl -N https://api.openai.com/v1/chat/completions -H "authorization: Bearer $KEY" --json @request.json | sluice watch
  ollama run qwen3 'Write a haiku' | sluice watch --dialect hermes
  sluice watch http://localhost:11434/api/chat --body @request.json
  sluice watch response.sse > answer.md
`

const OPTIONS = {
  ...READING_OPTIONS,
  provider: { type: 'string' },
  ...SHOWING_OPTIONS,
  ...REQUEST_OPTIONS,
} as const

export const watch: Command = {
  help: HELP,
  options: OPTIONS,
  async run(args, io) {
    const { values, file } = readArguments(args, OPTIONS, true)
    if (!isUrl(file ?? '') && (values.header !== undefined || values.body !== undefined))
      throw new UsageError("'--header' and '--body' are for a URL.")
    const options = await readOptions(values)
    const showing = readShowing(values)
    const stop = new AbortController()
    const { terminal, drained } = openTerminal(io, {
      ...showing,
      ...(options.tools !== undefined && { tools: options.tools }),
      onStop: () => stop.abort(),
      onLeave: () => process.exit(INTERRUPTED),
    })
    const onSignal = (): void => terminal.interrupt()
    io.on?.('SIGINT', onSignal)
    const release =
      file === undefined || file === '-' ? undefined : attendKeys(io.stdin, (key) => terminal.key(key))
    terminal.status('waiting for the stream')
    let isEmpty = true
    try {
      const source = await sourceOf(file, values, io, stop.signal)
      const events = await readLive(source, { options, provider: values.provider, signal: stop.signal })
      let isWaiting = true
      for await (const event of events) {
        isEmpty &&= event.type === 'finish'
        if (isWaiting) terminal.status('')
        isWaiting = false
        terminal.add(eventInCommandWords(event))
        await drained()
      }
    } catch (error) {
      // Ctrl-C came before there was a stream.
      if (error !== stop.signal.reason) throw error
    } finally {
      terminal.end()
      release?.()
      io.off?.('SIGINT', onSignal)
    }
    if (isEmpty && !stop.signal.aborted) io.stderr.write('The stream was empty.\n')
    if (!stop.signal.aborted) return 0
    // Whoever writes to us may never stop by himself.
    io.stdin.destroy?.()
    return INTERRUPTED
  },
}

async function sourceOf(
  file: string | undefined,
  values: { readonly header?: readonly string[]; readonly body?: string },
  io: Io,
  signal: AbortSignal,
): Promise<AsyncIterable<string | Uint8Array>> {
  if (/^(localhost|[\w.-]+:\d+)([:/]|$)/.test(file ?? '') && !existsSync(file!))
    throw new UsageError(`There is no file '${file}'; write http://${file} for a URL.`)
  if (file === undefined || !isUrl(file)) return streamOf(file, io, "show it with 'sluice play'")
  // What was not read when a connection breaks is lost, so nothing is loaded once the response arrives.
  const [{ body }] = await Promise.all([send(file, values, signal), import('./providers.ts')])
  return (body ?? []) as AsyncIterable<Uint8Array>
}
