/**
 * The servers behind the gateway, each as strict as it really is. Their model knows a tool only if the request puts it into
 * the prompt, and a server that parses text, or takes tokens out of it, does so unless it is asked not to.
 */

import type { Fields } from '../../../src/base/fields.ts'
import type { Mode, UpstreamProtocol } from '../../../src/gateway/gateway-config.ts'
import { checkAnthropic } from '../requests/rules/anthropic.ts'
import { checkGemini } from '../requests/rules/gemini.ts'
import { checkOllama } from '../requests/rules/ollama.ts'
import { checkOpenaiChat } from '../requests/rules/openai-chat.ts'
import { checkOpenaiResponses, Issued } from '../requests/rules/openai-responses.ts'
import { Refusal } from '../requests/rules/refusal.ts'
import type { AskedRequest, ScriptedAnswer } from './upstream.ts'
import { type Said, WIRES } from './wires.ts'

export interface ServerKind {
  readonly name: string
  readonly protocol: UpstreamProtocol
  readonly modes: readonly Mode[]
  /** More settings of such an upstream. */
  readonly settings?: object
  /** Throws a refusal. */
  check(asked: AskedRequest): void
  /** What becomes of what the model writes. */
  readonly sent?: (body: Fields, said: Said) => Said
}

const hasTools = ({ tools }: Fields): boolean => Array.isArray(tools) && tools.length > 0

const refuse = (message: string): never => {
  throw new Refusal(400, { error: { message, type: 'BadRequestError' } }, message)
}

/** Markers that are tokens of their own vanish from the text, unless they are asked for. */
const withoutSpecialTokens = ({ skip_special_tokens }: Fields, said: Said): Said =>
  skip_special_tokens === false || said.text === undefined
    ? said
    : { ...said, text: said.text.replace(/<\|[^|>]*\|>|<\/?(?:tool_call|think)>/g, '') }

export const SERVERS: readonly ServerKind[] = [
  {
    name: 'OpenAI, Chat Completions',
    protocol: 'openai-chat',
    modes: ['native', 'prompt'],
    check: ({ body }) => checkOpenaiChat(body, 'none', new Map()),
  },
  {
    name: 'OpenAI, Responses',
    protocol: 'openai-responses',
    modes: ['native', 'prompt'],
    check: ({ body }) => checkOpenaiResponses(body, new Issued()),
  },
  {
    name: 'Anthropic',
    protocol: 'anthropic',
    modes: ['native', 'prompt'],
    check: ({ body }) => checkAnthropic(body),
  },
  {
    name: 'Gemini',
    protocol: 'gemini',
    modes: ['native', 'prompt'],
    check: ({ body, path }) => checkGemini(body, /models\/([^:]+)/.exec(path)?.[1] ?? ''),
  },
  { name: 'Ollama', protocol: 'ollama', modes: ['native', 'prompt'], check: ({ body }) => checkOllama(body) },
  {
    name: 'vLLM without a parser',
    protocol: 'openai-chat',
    modes: ['template'],
    check: ({ body }) => {
      if (hasTools(body) && body.tool_choice !== 'none')
        refuse('"auto" tool choice requires --enable-auto-tool-choice and --tool-call-parser to be set')
    },
    sent: withoutSpecialTokens,
  },
  {
    name: 'llama.cpp',
    protocol: 'openai-chat',
    modes: ['template'],
    check: () => {},
    // It has a parser for every template, which is out of the way where no call may be made.
    sent: ({ tool_choice, reasoning_format }, said) => {
      if (tool_choice !== 'none') return { text: 'This was parsed.' }
      const [, thought, rest] = /^<think>([\s\S]*)<\/think>([\s\S]*)$/.exec(said.text ?? '') ?? []
      return reasoning_format === 'none' || rest === undefined
        ? said
        : { ...said, reasoning: thought ?? '', text: rest }
    },
  },
  {
    name: 'SGLang without a parser',
    protocol: 'openai-chat',
    modes: ['template'],
    settings: { server: 'sglang' },
    check: () => {},
    sent: withoutSpecialTokens,
  },
]

/** Whether the model has heard of the tool. */
function isTold({ name }: ServerKind, mode: Mode, body: Fields): boolean {
  const { tools, tool_choice, ...prompt } = body
  if (mode === 'prompt') return !hasTools(body) && /\bls\b/.test(JSON.stringify(prompt))
  // SGLang leaves the tools out of the prompt where none may be called.
  if (name.startsWith('SGLang') && tool_choice === 'none') return false
  return /\bls\b/.test(JSON.stringify(tools ?? null))
}

/** What a server answers if its model says this. */
export function answering(kind: ServerKind, mode: Mode, said: Said): (asked: AskedRequest) => ScriptedAnswer {
  const write = WIRES[kind.protocol]
  return (asked) => {
    try {
      kind.check(asked)
    } catch (error) {
      if (!(error instanceof Refusal)) throw error
      const { status, body } = error
      return { status, contentType: 'application/json', chunks: [JSON.stringify(body)] }
    }
    if (!isTold(kind, mode, asked.body)) return write({ text: 'I know of no tools.' })
    return write(kind.sent?.(asked.body, said) ?? said)
  }
}
