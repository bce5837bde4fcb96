/** `sluice convert`: reads one provider's stream and writes it as another's, as it comes; or a request. */

import type { ParserOptions } from '../../engine/parser.ts'
import { type Command, readArguments, UsageError } from './command.ts'
import { eventInCommandWords } from './command-words.ts'
import { dialectOption } from './dialects.ts'
import { readTools, streamOf } from './files.ts'
import { harmlessJson, write } from './io.ts'

const HELP = `Usage: sluice convert [--from NAME] --to NAME [options] [file]

Reads one provider's stream, from a file or from stdin, and writes it as another's while it is read.

  --from NAME             whose stream it is (auto): openai-chat, openai-responses, anthropic, gemini,
                          ollama, bedrock, cohere, claude-code, codex, langchain, ai-sdk,
                          ai-sdk-ui or ag-ui
  --to NAME               what to write: openai-chat, openai-responses, anthropic, gemini, ollama,
                          ai-sdk-ui or ag-ui
  --dialect NAME[,NAME]   how an open model writes its calls in the text
  --tools FILE            the tools it may call, as a JSON array
  --model NAME            the model that the stream names
  --id ID                 the id that the response is given
  --request               converts a request instead of a stream; with --dialect, its tools, calls and results are
                          written as text. What the protocol cannot carry is reported on stderr.
  --path PATH             the path that the request was sent to, which names the model for gemini

Examples:
  curl -N http://localhost:11434/api/chat --json @request.json | sluice convert --to openai-chat
  sluice convert --from anthropic --to ai-sdk-ui response.sse
  sluice convert --request --from anthropic --to openai-chat request.json
`

const OPTIONS = {
  from: { type: 'string' },
  to: { type: 'string' },
  dialect: { type: 'string' },
  tools: { type: 'string' },
  model: { type: 'string' },
  id: { type: 'string' },
  request: { type: 'boolean' },
  path: { type: 'string' },
} as const

export const convert: Command = {
  help: HELP,
  options: OPTIONS,
  async run(args, io) {
    const { values, file } = readArguments(args, OPTIONS, true)
    if (values.request) {
      const { convertRequest } = await import('./convert-request.ts')
      return convertRequest(values, file, io)
    }
    const { createProviderParser, createWriter, providerOption, WRITER_NAMES, writerOption } = await import(
      './providers.ts'
    )
    if (values.to === undefined)
      throw new UsageError(`'--to NAME' is missing; use one of ${WRITER_NAMES.join(', ')}.`)
    const writer = createWriter(writerOption(values.to), {
      ...(values.model !== undefined && { model: values.model }),
      ...(values.id !== undefined && { id: values.id }),
    })
    const options: ParserOptions = {
      ...(values.dialect !== undefined && { dialect: await dialectOption(values.dialect) }),
      ...(values.tools !== undefined && { tools: await readTools(values.tools) }),
    }
    let text = ''
    const parser = createProviderParser(
      (event) => {
        text += harmlessJson(writer.add(eventInCommandWords(event)))
      },
      { provider: providerOption(values.from ?? 'auto'), ...options },
    )
    const flush = async (): Promise<void> => {
      const written = text
      text = ''
      await write(io.stdout, written)
    }
    for await (const chunk of streamOf(
      file,
      io,
      "only 'sluice play', 'inspect' and 'parse --recording' read it",
    )) {
      parser.push(chunk)
      await flush()
    }
    parser.end()
    await flush()
    return 0
  },
}
