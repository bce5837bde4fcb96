/**
 * A chat template: the Jinja program that turns a conversation into a model's prompt. Models carry it in
 * `chat_template.jinja`, in `tokenizer_config.json` or in `chat_template.json`.
 */

import { Template } from '@huggingface/jinja'
import { messageOf, SluiceError } from '../errors.ts'
import { isFields } from '../fields.ts'
import { checkOption } from '../options.ts'

export interface ChatTemplate {
  /** The Jinja source. */
  readonly source: string
  /** The tokens that the source asks for by name. */
  readonly tokens: Readonly<Record<string, string>>
}

/** A message as templates take it: the form of Chat Completions. */
export type TemplateMessage = { readonly role: string; readonly [field: string]: unknown }

/** Renders a conversation; throws what the template or the library throws. */
export type RenderPrompt = (
  messages: readonly TemplateMessage[],
  variables: Readonly<Record<string, unknown>>,
) => string

/**
 * Reads the text of a file: a template, or a JSON file that holds one.
 *
 *     readChatTemplate(await readFile('tokenizer_config.json', 'utf8'))
 *
 * Where a model has several, the one for tools is taken.
 */
export function readChatTemplate(text: string): ChatTemplate {
  checkOption('text', text, 'string')
  const config = jsonObject(text)
  if (config === undefined) return { source: text, tokens: {} }
  const source = sourceIn(config.chat_template)
  if (source === undefined)
    throw invalid("The file is JSON without a template in 'chat_template'; pass the file that has it.")
  return { source, tokens: tokensIn(config) }
}

/** A template that begins with a brace is no JSON. */
function jsonObject(text: string): Readonly<Record<string, unknown>> | undefined {
  if (!text.trimStart().startsWith('{') || text.trimStart().startsWith('{%')) return undefined
  try {
    const value: unknown = JSON.parse(text)
    return isFields(value) ? value : undefined
  } catch {
    return undefined
  }
}

function sourceIn(value: unknown): string | undefined {
  if (typeof value === 'string') return value
  if (!Array.isArray(value)) return undefined
  const named = value.filter(isFields)
  const found = named.find(({ name }) => name === 'tool_use') ?? named.find(({ name }) => name === 'default')
  return typeof found?.template === 'string' ? found.template : undefined
}

function tokensIn(config: Readonly<Record<string, unknown>>): Record<string, string> {
  const tokens: Record<string, string> = {}
  for (const [key, value] of Object.entries(config)) {
    const token = isFields(value) ? value.content : value
    if (key.endsWith('_token') && typeof token === 'string') tokens[key] = token
  }
  return tokens
}

/** Some templates name these without a default. */
const TOKENS = { bos_token: '', eos_token: '' }

/** Compiles the template; throws if it is no Jinja. */
export function compileTemplate({ source, tokens }: ChatTemplate): RenderPrompt {
  const template = compiled(source)
  return (messages, variables) => template.render({ ...TOKENS, ...tokens, ...variables, messages })
}

function compiled(source: string): Template {
  try {
    return new Template(source)
  } catch (error) {
    throw invalid(`The chat template cannot be compiled: ${messageOf(error)}`, error)
  }
}

function invalid(message: string, cause?: unknown): SluiceError {
  return new SluiceError('invalid-chat-template', message, cause === undefined ? undefined : { cause })
}
