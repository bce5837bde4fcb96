/**
 * A chat template: the Jinja program that turns a conversation into a model's prompt. Models carry it in
 * `chat_template.jinja`, in `tokenizer_config.json` or in `chat_template.json`.
 */

import { Environment, Interpreter, parse, tokenize } from '@huggingface/jinja'
import { messageOf, SluiceError } from '../../base/errors.ts'
import { isFields } from '../../base/fields.ts'
import { checkOption } from '../../base/options.ts'
import { limited, MOST_CHARACTERS, MOST_STEPS, TemplateLimitError } from './limited-interpreter.ts'

/** A chat template and its tokens, which `readChatTemplate` reads from a model's files. */
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

/** Milliseconds for all prompts together. The slowest template of a model takes a tenth of a second. */
const MOST_TIME = 5_000
/** White space in a row: compiling takes time in proportion to its square. */
const MOST_SPACE = 1_000

/** Compiles the template; throws if it is no Jinja. A template that took too much once is not rendered again. */
export function compileTemplate({ source, tokens }: ChatTemplate): RenderPrompt {
  const program = parsed(source)
  let tooMuch: TemplateLimitError | undefined
  let timeLeft = MOST_TIME
  return (messages, variables) => {
    if (tooMuch !== undefined) throw tooMuch
    const globals = Object.entries({ ...GLOBALS, ...TOKENS, ...tokens, ...variables, messages })
    const environment = new Environment()
    for (const [name, value] of globals) environment.set(name, value)
    const start = Date.now()
    try {
      return String(limited(new Interpreter(environment), start + timeLeft).run(program).value)
    } catch (error) {
      if (error instanceof TemplateLimitError) tooMuch = error
      throw error
    } finally {
      timeLeft -= Date.now() - start
    }
  }
}

/** What every template may use. It is always the same day, so that prompts can be compared. */
const GLOBALS = {
  ...{ true: true, True: true, false: false, False: false, none: null, None: null },
  strftime_now: (format: string) => format.replace(/%./g, '01'),
  raise_exception: (message: string) => {
    throw new Error(message)
  },
  range: (...limits: readonly number[]): number[] => {
    const [start, stop, step = 1] =
      limits.length === 1 ? [0, limits[0]!] : (limits as [number, number, number?])
    const count = Math.max(Math.ceil((stop - start) / step), 0)
    if (!(count <= MOST_STEPS)) throw new TemplateLimitError(`it counts to more than ${MOST_STEPS}`)
    return Array.from({ length: count }, (_, index) => start + index * step)
  },
}

function parsed(source: string): ReturnType<typeof parse> {
  if (source.length > MOST_CHARACTERS)
    throw invalid(`The chat template has more than ${MOST_CHARACTERS} characters.`)
  for (const [space] of source.matchAll(/\s+/g))
    if (space.length > MOST_SPACE)
      throw invalid(`The chat template has more than ${MOST_SPACE} characters of white space in a row.`)
  try {
    return parse(tokenize(source, { lstrip_blocks: true, trim_blocks: true }))
  } catch (error) {
    throw invalid(`The chat template cannot be compiled: ${messageOf(error)}`, error)
  }
}

function invalid(message: string, cause?: unknown): SluiceError {
  return new SluiceError('invalid-chat-template', message, cause === undefined ? undefined : { cause })
}
