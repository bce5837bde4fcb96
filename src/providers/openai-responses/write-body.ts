/** A request for OpenAI's Responses API. */

import type { Fields } from '../../base/fields.ts'
import type { ConversationMessage, Settings, ToolChoice } from '../../requests/conversation/model-request.ts'
import type { CheckedRequest, Report } from '../../requests/conversation/request-format.ts'
import { isFunctionTool } from '../../requests/conversation/write-request.ts'
import { ofProvider } from '../metadata.ts'
import { fieldsOf, listOf } from '../payload-fields.ts'
import { given, plainTextOf, reportUnsupported, schemaOf, someGiven, wireFields } from '../request-fields.ts'
import { conversationOf } from './read-body.ts'
import { writeInput } from './write-input.ts'

const NAME = 'openai-responses'

export function writeBody(request: CheckedRequest, report: Report): Fields {
  const { model, messages, tools, settings, stream, options } = request
  reportUnsupported(settings, UNSUPPORTED, NAME, report)
  const instructions = instructionsOf(messages[0])
  const own = given({
    model,
    instructions,
    input: writeInput(instructions === undefined ? messages : messages.slice(1), request, report),
    tools: tools.length === 0 ? undefined : writeTools(request),
    tool_choice: writeChoice(request, report),
    parallel_tool_calls: settings.parallelToolCalls,
    previous_response_id: previousOf(request),
    stream,
    max_output_tokens: settings.maxOutputTokens,
    temperature: settings.temperature,
    top_p: settings.topP,
    ...writeLogprobs(settings, options),
    text: writeText(settings, options),
    reasoning: writeReasoning(settings, options, report),
  })
  return { ...options, ...own }
}

/** A conversation that the server keeps has a field of its own. */
function previousOf({ previousResponseId, options }: CheckedRequest): string | undefined {
  return previousResponseId === conversationOf(options) ? undefined : previousResponseId
}

const UNSUPPORTED = [
  ...['topK', 'minP', 'seed', 'presencePenalty', 'frequencyPenalty', 'stopSequences', 'candidates'],
] as (keyof Settings)[]

/** The first message, unless a client wrote it as an item. */
function instructionsOf(message: ConversationMessage | undefined): string | undefined {
  const isItem = message?.role !== 'system' || ofProvider(message.metadata, NAME).role !== undefined
  return isItem ? undefined : plainTextOf(message.parts)
}

// ── settings ─────────────────────────────────────────────────────────────────────────────────────

const LOGPROBS = 'message.output_text.logprobs'

function writeLogprobs({ logprobs }: Settings, options: Fields): Fields {
  if (logprobs === undefined || logprobs === false) return {}
  const included = listOf(options.include)
  return {
    include: included.includes(LOGPROBS) ? included : [...included, LOGPROBS],
    top_logprobs: logprobs === true ? undefined : logprobs,
  }
}

function writeText({ output }: Settings, options: Fields): Fields | undefined {
  const text = fieldsOf(options.text)
  if (output === undefined) return someGiven(text)
  const { schema, name = 'response', description, strict } = output
  const format =
    schema === undefined
      ? { type: 'json_object' }
      : {
          type: 'json_schema',
          name: name.replace(/[^\w-]/g, '_').slice(0, 64),
          schema,
          description,
          strict,
        }
  return { ...text, format: given({ ...fieldsOf(text.format), ...format }) }
}

function writeReasoning({ reasoning }: Settings, options: Fields, report: Report): Fields | undefined {
  const { effort, budgetTokens } = reasoning ?? {}
  if (budgetTokens !== undefined)
    report('setting-left-out', `The budget for reasoning is left out: '${NAME}' takes an effort instead.`)
  return someGiven({ ...fieldsOf(options.reasoning), effort: effort === 'max' ? 'xhigh' : effort })
}

const isForced = (choice: ToolChoice | undefined): boolean =>
  choice !== undefined && choice !== 'auto' && choice !== 'none'

// ── tools ────────────────────────────────────────────────────────────────────────────────────────

function customTools({ tools }: CheckedRequest): ReadonlySet<string> {
  return new Set(tools.flatMap((tool) => (tool.type === 'custom' ? tool.name : [])))
}

/** A tool of another protocol is not strict unless it says so; here that is the other way around. */
function writeTools({ tools }: CheckedRequest): readonly Fields[] {
  return tools.map((tool): Fields => {
    if (!isFunctionTool(tool)) return tool.definition
    const { type = 'function', name, description, metadata } = tool
    const rest = wireFields(metadata, NAME)
    if (type === 'custom') return given({ ...rest, type, name, description })
    const strict = tool.strict ?? ('strict' in ofProvider(metadata, NAME) ? undefined : false)
    return given({ ...rest, type, name, description, parameters: schemaOf(tool), strict })
  })
}

function writeChoice(request: CheckedRequest, report: Report): unknown {
  const { toolChoice: choice, tools, options } = request
  const custom = customTools(request)
  // A prompt that the server keeps may have tools of its own.
  if (isForced(choice) && tools.length === 0 && options.prompt === undefined) {
    report('setting-left-out', `The choice of a tool is left out: there is no tool to choose.`)
    return undefined
  }
  if (typeof choice !== 'object') return choice
  const chosen = (name: string): Fields => ({ type: custom.has(name) ? 'custom' : 'function', name })
  if ('toolName' in choice) return chosen(choice.toolName)
  return { type: 'allowed_tools', mode: choice.mode, tools: choice.toolNames.map(chosen) }
}
