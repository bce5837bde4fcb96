// An agent on a folder. It reads, writes and runs commands; a policy and you decide what of it happens.
//
// After `npm run build`, Node 22.18 and newer run it directly. Without an endpoint it plays a script:
//
//   node examples/agent/agent.ts --folder /tmp/work
//   node examples/agent/agent.ts --folder . --api anthropic --model claude-sonnet-4-5 'Write a summary of this project'
//   node examples/agent/agent.ts --folder . --url http://127.0.0.1:8000 --model hermes-4 --dialect hermes 'What is here?'
//
// The key of an API is taken from API_KEY.
import { resolve } from 'node:path'
import { parseArgs } from 'node:util'
import { findDialect } from 'sluice/dialects'
import { createTerminal } from 'sluice/terminal'
import {
  anthropicModel,
  geminiModel,
  type Model,
  ollamaModel,
  openaiChatModel,
  promptedModel,
  runTurn,
} from 'sluice/turn'
import { serveScript } from './scripted-model.ts'
import { policyOf, toolsOf } from './tools.ts'

const APIS = { openai: openaiChatModel, anthropic: anthropicModel, gemini: geminiModel, ollama: ollamaModel }

const { values, positionals } = parseArgs({
  allowPositionals: true,
  options: {
    folder: { type: 'string', default: '.' },
    api: { type: 'string' },
    url: { type: 'string' },
    model: { type: 'string' },
    dialect: { type: 'string' },
  },
})

const isScripted = values.api === undefined && values.url === undefined
const script = isScripted ? await serveScript() : undefined
const folder = resolve(values.folder)
const tools = toolsOf(folder)
const controller = new AbortController()
const terminal = createTerminal({
  stdout: process.stdout,
  stderr: process.stderr,
  env: process.env,
  tools,
  onStop: () => controller.abort(),
  onLeave: () => process.exit(130),
})
// Without a keyboard nobody can be asked, and whatever needs an answer is denied.
const giveKeyboardBack = terminal.listen(process.stdin)

function modelOf(): Model {
  const open = APIS[(values.api ?? 'openai') as keyof typeof APIS]
  const baseUrl = script?.url ?? values.url
  const apiKey = process.env.API_KEY
  const model = open({
    model: values.model ?? 'scripted',
    ...(baseUrl !== undefined && { baseUrl }),
    ...(apiKey !== undefined && { apiKey }),
  })
  return values.dialect === undefined ? model : promptedModel(model, { dialect: findDialect(values.dialect) })
}

try {
  const { stopReason, toolResults } = await runTurn({
    model: modelOf(),
    conversation: positionals.join(' ') || 'Write a summary of this folder.',
    tools,
    policy: policyOf(folder),
    approve: (request) => terminal.approve(request),
    signal: controller.signal,
    maxToolDepth: 50,
    emit: { arguments: true },
    onEvent: (event) => terminal.add(event),
  })
  terminal.end()
  console.log(`\n${stopReason}, ${toolResults.length} calls answered`)
} finally {
  terminal.end()
  giveKeyboardBack()
  script?.close()
}
