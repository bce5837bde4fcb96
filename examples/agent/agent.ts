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
import { createInterface } from 'node:readline/promises'
import { parseArgs } from 'node:util'
import { findDialect } from 'sluice/dialects'
import { createTerminalView, sanitise } from 'sluice/terminal'
import {
  type ApprovalRequest,
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
const questions = createInterface({ input: process.stdin, output: process.stdout })
const controller = new AbortController()
questions.on('SIGINT', () => controller.abort())
questions.on('close', () => controller.abort())

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

// One question at a time, and only when the response has been shown to its end.
let response = { isShown: Promise.resolve(), show: (): void => {} }
let asked: Promise<unknown> = Promise.resolve()

function nextResponse(): void {
  let show = (): void => {}
  const isShown = new Promise<void>((shown) => {
    show = shown
  })
  response = { isShown, show }
}

function approve({ toolName, input, isGuess, signal }: ApprovalRequest): Promise<boolean> {
  const { isShown } = response
  const answer = asked.then(async () => {
    await isShown
    const what = sanitise(JSON.stringify(input), 'visualise')
    const doubt = isGuess ? ' (what it means was guessed)' : ''
    const said = await questions.question(`\n? ${toolName} ${what}${doubt} [y/N] `, { signal })
    return /^y(es)?$/i.test(said.trim())
  })
  asked = answer.catch(() => {})
  return answer
}

const newView = () =>
  createTerminalView({
    colour: process.stdout.isTTY === true,
    tools,
    write: (piece) => void process.stdout.write(piece),
  })
let view = newView()
try {
  const { stopReason, toolResults } = await runTurn({
    model: modelOf(),
    conversation: positionals.join(' ') || 'Write a summary of this folder.',
    tools,
    policy: policyOf(folder),
    approve,
    signal: controller.signal,
    maxToolDepth: 50,
    emit: { arguments: true },
    onEvent(event) {
      switch (event.type) {
        case 'round-start':
          nextResponse()
          view = newView()
          break
        case 'finish':
          view.add(event)
          view.end()
          break
        case 'tools-start':
          response.show()
          break
        case 'call-succeeded':
          console.log(`\n= ${event.toolName} done`)
          break
        case 'call-denied':
        case 'call-failed':
        case 'call-timed-out':
          console.log(`\n! ${event.toolName}: ${sanitise(event.reason, 'visualise')}`)
          break
        default:
          if (/^(text|reasoning|tool-input|tool-call|argument)/.test(event.type)) view.add(event as never)
      }
    },
  })
  console.log(`\n${stopReason}, ${toolResults.length} calls answered`)
} finally {
  questions.close()
  script?.close()
}
