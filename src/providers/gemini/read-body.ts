/** A request of Gemini's `generateContent` as plain data. */

import { type Fields, isFields } from '../../base/fields.ts'
import type {
  ConversationMessage,
  ModelRequest,
  RequestTool,
  Settings,
  ToolChoice,
} from '../../requests/conversation/model-request.ts'
import type { Report } from '../../requests/conversation/request-format.ts'
import { fieldsIn, fieldsOf, listOf, numberOf, textOf, textsOf, wordOf } from '../payload-fields.ts'
import { given, invalidRequest, someGiven, unknownFields, withoutFields } from '../request-fields.ts'
import { camelFields } from './field-names.ts'
import { readContents, readSystem } from './read-contents.ts'
import { jsonSchemaOf } from './schema.ts'

const NAME = 'gemini'

const KNOWN_FIELDS = ['contents', 'systemInstruction', 'tools', 'toolConfig', 'generationConfig', 'model']

export function readBody(
  sent: Fields,
  _report: Report,
  path: string | undefined,
): ModelRequest<readonly RequestTool[]> {
  const body = camelFields(sent)
  const toolConfig = camelFields(fieldsOf(body.toolConfig))
  const calling = camelFields(fieldsOf(toolConfig.functionCallingConfig))
  const toolChoice = readChoice(calling)
  const config = camelFields(fieldsOf(body.generationConfig))
  const options = someGiven({
    ...withoutFields(body, KNOWN_FIELDS),
    toolConfig: someGiven({
      ...toolConfig,
      functionCallingConfig: withoutFields(
        calling,
        toolChoice === undefined ? [] : ['mode', 'allowedFunctionNames'],
      ),
    }),
    generationConfig: readConfigOptions(config),
  })
  const { model, stream } = readPath(path)
  return given({
    model: model ?? wordOf(body.model)?.replace(/^models\//, ''),
    messages: [...readSystem(body.systemInstruction), ...readMessages(body.contents)],
    tools: readTools(body.tools),
    toolChoice,
    settings: someGiven(readSettings(config)),
    stream,
    // What is cached is the beginning of the conversation, which other protocols do not have.
    previousResponseId: wordOf(body.cachedContent),
    providerOptions: options && { [NAME]: options },
  }) as ModelRequest<readonly RequestTool[]>
}

/** `/v1beta/models/gemini-3-flash:streamGenerateContent?alt=sse` */
function readPath(path = ''): { readonly model?: string; readonly stream?: boolean } {
  const [, folder, name = '', method] =
    /(models|tunedModels)\/([^/:?]+):(generateContent|streamGenerateContent)/.exec(path) ?? []
  if (folder === undefined) return {}
  const model = folder === 'models' ? decoded(name) : `${folder}/${decoded(name)}`
  return { ...(name !== '{model}' && { model }), ...(method !== 'generateContent' && { stream: true }) }
}

/** What a segment of a path means; one that is not encoded rightly is taken as it is. */
function decoded(segment: string): string {
  try {
    return decodeURIComponent(segment)
  } catch {
    return segment
  }
}

function readMessages(contents: unknown): ConversationMessage[] {
  const list = isFields(contents) ? [contents] : (contents ?? [])
  if (!Array.isArray(list)) throw invalidRequest("'contents' must be a list.")
  const wrong = list.findIndex((content) => !isFields(content))
  if (wrong !== -1) throw invalidRequest(`'contents[${wrong}]' must be an object.`)
  return readContents(list as Fields[])
}

// ── settings ─────────────────────────────────────────────────────────────────────────────────────

const JSON_TYPE = 'application/json'

function readSettings(config: Fields): Settings {
  const { thinkingBudget, thinkingLevel } = camelFields(fieldsOf(config.thinkingConfig))
  const budget = numberOf(thinkingBudget)
  const effort = budget === 0 ? 'none' : wordOf(thinkingLevel)?.toLowerCase()
  return {
    maxOutputTokens: numberOf(config.maxOutputTokens),
    temperature: numberOf(config.temperature),
    topP: numberOf(config.topP),
    topK: numberOf(config.topK),
    seed: numberOf(config.seed),
    presencePenalty: numberOf(config.presencePenalty),
    frequencyPenalty: numberOf(config.frequencyPenalty),
    stopSequences: textsOf(config.stopSequences),
    candidates: numberOf(config.candidateCount),
    reasoning: someGiven({ effort, budgetTokens: budget !== undefined && budget > 0 ? budget : undefined }),
    output: config.responseMimeType === JSON_TYPE ? readOutput(config) : undefined,
    logprobs: readLogprobs(config),
  } as Settings
}

function readOutput({ responseJsonSchema, responseSchema }: Fields): Settings['output'] {
  if (isFields(responseJsonSchema)) return { schema: responseJsonSchema }
  return isFields(responseSchema) ? { schema: jsonSchemaOf(responseSchema) } : {}
}

function readLogprobs({ responseLogprobs, logprobs }: Fields): boolean | number | undefined {
  if (typeof responseLogprobs !== 'boolean') return undefined
  return responseLogprobs ? (numberOf(logprobs) ?? true) : false
}

const CONFIG_FIELDS = [
  ...['maxOutputTokens', 'temperature', 'topP', 'topK', 'seed', 'presencePenalty', 'frequencyPenalty'],
  ...['stopSequences', 'candidateCount', 'responseLogprobs', 'thinkingConfig'],
]

/** What has no name here. A schema in Gemini's own form stays, too: it goes back in the same form. */
function readConfigOptions(config: Fields): Fields | undefined {
  const { thinkingBudget, ...thinking } = camelFields(fieldsOf(config.thinkingConfig))
  // A negative budget leaves it to the model.
  const isOpen = (numberOf(thinkingBudget) ?? 0) < 0
  const known = [
    ...CONFIG_FIELDS,
    ...(config.responseMimeType === JSON_TYPE ? ['responseMimeType', 'responseJsonSchema'] : []),
    ...(config.responseLogprobs === true ? ['logprobs'] : []),
  ]
  return someGiven({
    ...withoutFields(config, known),
    thinkingConfig: someGiven({
      ...withoutFields(thinking, ['thinkingLevel']),
      thinkingBudget: isOpen ? thinkingBudget : undefined,
    }),
  })
}

// ── tools ────────────────────────────────────────────────────────────────────────────────────────

/** Names may only stand beside `ANY` and `VALIDATED`; the latter, without names, is a way of writing calls. */
function readChoice({ mode, allowedFunctionNames }: Fields): ToolChoice | undefined {
  const toolNames = listOf(allowedFunctionNames).map(textOf)
  switch (textOf(mode).toUpperCase()) {
    case 'AUTO':
      return 'auto'
    case 'NONE':
      return 'none'
    case 'ANY':
      if (toolNames.length === 0) return 'required'
      return toolNames.length === 1 ? { toolName: toolNames[0]! } : { toolNames, mode: 'required' }
    case 'VALIDATED':
      return toolNames.length === 0 ? undefined : { toolNames, mode: 'auto' }
  }
  return undefined
}

/** What stands beside the functions are tools that Google runs. */
function readTools(tools: unknown): readonly RequestTool[] | undefined {
  const list = isFields(tools) ? [tools] : fieldsIn(tools)
  if (tools === undefined || tools === null) return undefined
  return list.flatMap((tool): RequestTool[] => {
    const { functionDeclarations, ...definition } = camelFields(tool)
    const hosted: RequestTool = { type: 'provider', provider: NAME, definition }
    return [
      ...fieldsIn(functionDeclarations).map(readDeclaration),
      ...(Object.keys(definition).length > 0 ? [hosted] : []),
    ]
  })
}

function readDeclaration(declaration: Fields): RequestTool {
  const fields = camelFields(declaration)
  const { name, description, parameters, parametersJsonSchema } = fields
  const inputSchema = isFields(parametersJsonSchema)
    ? parametersJsonSchema
    : isFields(parameters)
      ? jsonSchemaOf(parameters)
      : undefined
  return given({
    name: textOf(name),
    description: wordOf(description),
    inputSchema,
    ...unknownFields(NAME, fields, ['name', 'description', 'parametersJsonSchema']),
  }) as RequestTool
}
