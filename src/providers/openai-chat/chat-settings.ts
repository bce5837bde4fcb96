/** The settings of a Chat Completions request, with every spelling that clients and servers have for them. */

import { type Fields, isFields } from '../../base/fields.ts'
import type { ReasoningSettings, Settings, ToolChoice } from '../../requests/conversation/model-request.ts'
import type { JsonSchema } from '../../values/schema/json-schema.ts'
import { fieldsIn, fieldsOf, numberOf, textOf, textsOf, wordOf } from '../payload-fields.ts'
import { given, someGiven } from '../request-fields.ts'
import { LOGPROBS, numberField, type SettingFields, type Spelling, settingFields } from '../setting-fields.ts'

const NAME = 'openai-chat'

const LIMITS = ['max_completion_tokens', 'max_tokens']

/** OpenAI's own models. Those that reason refuse `max_tokens`; servers of other models often know nothing else. */
const OPENAI_MODEL = /(?:^|\/)(?:o\d|gpt-(?!oss)|chatgpt-|codex-)/

/** More of them are an error. */
const MAX_STOPS = 4

export const SETTINGS: readonly SettingFields[] = [
  numberField('temperature', 'temperature'),
  numberField('topP', 'top_p'),
  numberField('seed', 'seed'),
  numberField('presencePenalty', 'presence_penalty'),
  numberField('frequencyPenalty', 'frequency_penalty'),
  numberField('candidates', 'n'),
  compatible('topK', 'top_k'),
  compatible('minP', 'min_p'),
  settingFields({
    setting: 'maxOutputTokens',
    fields: LIMITS,
    read: (body) => numberOf(body.max_completion_tokens) ?? numberOf(body.max_tokens),
    write(limit, { model = '', options }) {
      const spelled = LIMITS.filter((field) => options[field] !== undefined)
      const field = OPENAI_MODEL.test(model) ? 'max_completion_tokens' : 'max_tokens'
      return Object.fromEntries((spelled.length > 0 ? spelled : [field]).map((name) => [name, limit]))
    },
  }),
  settingFields({
    setting: 'stopSequences',
    fields: ['stop'],
    read: ({ stop }) => (typeof stop === 'string' ? [stop] : textsOf(stop)),
    write(stops, { report }) {
      if (stops.length > MAX_STOPS)
        report(
          'setting-left-out',
          `All stop sequences but the first ${MAX_STOPS} are left out: '${NAME}' takes no more.`,
        )
      return stops.length === 0 ? {} : { stop: stops.slice(0, MAX_STOPS) }
    },
  }),
  settingFields({
    setting: 'reasoning',
    fields: ['reasoning_effort', 'reasoning'],
    read: readReasoning,
    write: writeReasoning,
  }),
  settingFields({
    setting: 'output',
    fields: ['response_format'],
    read: readOutput,
    write: writeOutput,
  }),
  settingFields({
    setting: 'parallelToolCalls',
    fields: ['parallel_tool_calls'],
    read: ({ parallel_tool_calls: value }) => (typeof value === 'boolean' ? value : undefined),
    // Without tools it is an error.
    write: (value, { hasTools }) => (hasTools ? { parallel_tool_calls: value } : {}),
  }),
  LOGPROBS,
  settingFields({
    setting: 'includeUsage',
    fields: ['stream_options'],
    read({ stream_options }) {
      const { include_usage } = fieldsOf(stream_options)
      return typeof include_usage === 'boolean' ? include_usage : undefined
    },
    // A response that is no stream always has its usage, and refuses the option.
    write: (include_usage, { isStream, options }) =>
      isStream ? { stream_options: { ...fieldsOf(options.stream_options), include_usage } } : {},
  }),
  settingFields({
    setting: 'toolChoice',
    fields: ['tool_choice', 'function_call'],
    read: readChoice,
    write: (choice, spelling) => (spelling.hasTools ? { tool_choice: writeChoice(choice, spelling) } : {}),
  }),
]

/** A number that OpenAI refuses, and that many compatible servers have: it is written where the options have it. */
function compatible(setting: 'topK' | 'minP', field: string): SettingFields {
  return {
    ...numberField(setting, field),
    write(value, { options, report }) {
      if (options[field] !== undefined) return { [field]: value }
      report('setting-left-out', `'${setting}' is left out: '${NAME}' does not have it.`)
      return {}
    },
  }
}

/** OpenAI has a word; OpenRouter has an object. */
function readReasoning({ reasoning_effort, reasoning }: Fields): ReasoningSettings | undefined {
  const { effort, enabled, max_tokens } = fieldsOf(reasoning)
  return someGiven({
    effort: wordOf(reasoning_effort) ?? wordOf(effort) ?? (enabled === false ? 'none' : undefined),
    budgetTokens: numberOf(max_tokens),
  })
}

function writeReasoning({ effort, budgetTokens }: ReasoningSettings, { options, report }: Spelling): Fields {
  if (isFields(options.reasoning))
    return { reasoning: { ...options.reasoning, ...given({ effort, max_tokens: budgetTokens }) } }
  if (effort !== undefined || budgetTokens === undefined) return given({ reasoning_effort: effort })
  const reasoning_effort = budgetTokens <= 2048 ? 'low' : budgetTokens <= 8192 ? 'medium' : 'high'
  report(
    'setting-changed',
    `The budget of ${budgetTokens} tokens for thinking is sent as the effort '${reasoning_effort}': '${NAME}' has no budget.`,
  )
  return { reasoning_effort }
}

function readOutput({ response_format }: Fields): Settings['output'] {
  const { type, json_schema } = fieldsOf(response_format)
  if (type === 'json_object') return {}
  if (type !== 'json_schema') return undefined
  const { schema, name, description, strict } = fieldsOf(json_schema)
  return given({
    schema: isFields(schema) ? (schema as JsonSchema) : undefined,
    name: wordOf(name),
    description: wordOf(description),
    strict: typeof strict === 'boolean' ? strict : undefined,
  })
}

function writeOutput({ schema, name = 'output', ...rest }: Exclude<Settings['output'], undefined>): Fields {
  if (schema === undefined) return { response_format: { type: 'json_object' } }
  const fitting = name.replace(/[^\w-]/g, '_').slice(0, 64)
  return { response_format: { type: 'json_schema', json_schema: { name: fitting, schema, ...rest } } }
}

/** `any` is Mistral's word; `function_call` is what there was before tools. */
function readChoice({ tool_choice, function_call }: Fields): ToolChoice | undefined {
  const choice = tool_choice ?? function_call
  if (choice === 'auto' || choice === 'none' || choice === 'required') return choice
  if (choice === 'any') return 'required'
  const { type, allowed_tools } = fieldsOf(choice)
  if (type === 'allowed_tools') {
    const { mode, tools } = fieldsOf(allowed_tools)
    return { toolNames: fieldsIn(tools).map(chosenName), mode: mode === 'required' ? mode : 'auto' }
  }
  const toolName = chosenName(fieldsOf(choice))
  return toolName === '' ? undefined : { toolName }
}

const chosenName = ({ function: called, custom, name }: Fields): string =>
  textOf(fieldsOf(called).name) || textOf(fieldsOf(custom).name) || textOf(name)

function writeChoice(choice: ToolChoice, { isTextTool }: Spelling): unknown {
  if (typeof choice === 'string') return choice
  const chosen = (name: string): Fields =>
    isTextTool(name) ? { type: 'custom', custom: { name } } : { type: 'function', function: { name } }
  if ('toolName' in choice) return chosen(choice.toolName)
  const { mode, toolNames } = choice
  return { type: 'allowed_tools', allowed_tools: { mode, tools: toolNames.map(chosen) } }
}
