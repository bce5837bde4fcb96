/** A request for Gemini's `generateContent`. */

import { type Fields, isFields } from '../../base/fields.ts'
import type { FunctionTool, Settings, ToolChoice } from '../../requests/conversation/model-request.ts'
import type { CheckedRequest, Report } from '../../requests/conversation/request-format.ts'
import { isFunctionTool, refusePrevious } from '../../requests/conversation/write-request.ts'
import { ofProvider } from '../metadata.ts'
import { fieldsOf, jsonOf } from '../payload-fields.ts'
import {
  given,
  reportUnsupported,
  someGiven,
  TEXT_INPUT,
  wireFields,
  withoutFields,
} from '../request-fields.ts'
import { jsonSchemaOf } from './schema.ts'
import { writeContents, writeSystem } from './write-contents.ts'

const NAME = 'gemini'

export function writeBody(request: CheckedRequest, report: Report): Fields {
  const { messages, tools, settings, options, previousResponseId } = request
  // What is cached is written in a field of its own.
  if (previousResponseId !== options.cachedContent) refusePrevious(request, NAME)
  reportUnsupported(settings, ['minP'], NAME, report)
  if (settings.parallelToolCalls === false)
    report('setting-left-out', `'parallelToolCalls' is left out: '${NAME}' does not have it.`)
  const own = given({
    systemInstruction: writeSystem(messages, report),
    contents: writeContents(request, report),
    tools: tools.length === 0 ? undefined : writeTools(request, report),
    toolConfig: writeToolConfig(request, report),
    generationConfig: writeConfig(request, report),
  })
  return { ...withoutFields(options, ['toolConfig', 'generationConfig']), ...own }
}

// ── tools ────────────────────────────────────────────────────────────────────────────────────────

function writeTools({ tools }: CheckedRequest, report: Report): readonly Fields[] {
  const functions = tools.filter(isFunctionTool)
  if (functions.some(({ strict }) => strict === true))
    report('setting-left-out', `'strict' is left out of tools: '${NAME}' does not have it.`)
  const functionDeclarations = functions.map(writeDeclaration)
  const hosted = tools.flatMap((tool): Fields[] => (isFunctionTool(tool) ? [] : [tool.definition]))
  return [...(functions.length > 0 ? [{ functionDeclarations }] : []), ...hosted]
}

/**
 * `parameters` takes only a part of JSON Schema, and refuses the rest of it (`$ref`, `const`, `additionalProperties`, an
 * object without properties). `parametersJsonSchema` takes it as it is. What came in the first form goes back in it.
 */
function writeDeclaration(tool: FunctionTool): Fields {
  const { name, description, type, inputSchema, metadata } = tool
  const { parameters } = ofProvider(metadata, NAME)
  const schema = type === 'custom' ? TEXT_INPUT : isFields(inputSchema) ? inputSchema : undefined
  const isSame = isFields(parameters) && jsonOf(jsonSchemaOf(parameters)) === jsonOf(schema)
  return given({
    name,
    description,
    ...(isSame ? { parameters } : { parametersJsonSchema: schema }),
    ...wireFields(metadata, NAME, ['parameters']),
  })
}

function writeToolConfig(request: CheckedRequest, report: Report): Fields | undefined {
  const { toolChoice, tools, options } = request
  const config = fieldsOf(options.toolConfig)
  const isIdle = toolChoice !== undefined && !tools.some(isFunctionTool)
  if (isIdle && toolChoice !== 'auto' && toolChoice !== 'none')
    report('setting-left-out', `The choice of a tool is left out: there is no tool to choose.`)
  return someGiven({
    ...config,
    functionCallingConfig: someGiven({
      ...fieldsOf(config.functionCallingConfig),
      ...(isIdle ? {} : writeChoice(toolChoice)),
    }),
  })
}

/** Names may only stand beside `ANY` and `VALIDATED`. */
function writeChoice(choice: ToolChoice | undefined): Fields {
  if (choice === undefined) return {}
  if (choice === 'auto' || choice === 'none') return { mode: choice.toUpperCase() }
  if (choice === 'required') return { mode: 'ANY' }
  if ('toolName' in choice) return { mode: 'ANY', allowedFunctionNames: [choice.toolName] }
  return { mode: choice.mode === 'auto' ? 'VALIDATED' : 'ANY', allowedFunctionNames: choice.toolNames }
}

// ── settings ─────────────────────────────────────────────────────────────────────────────────────

/** The API takes no more. */
const MOST_STOPS = 5

function writeConfig(request: CheckedRequest, report: Report): Fields | undefined {
  const { settings, options } = request
  const { stopSequences, logprobs } = settings
  if (stopSequences !== undefined && stopSequences.length > MOST_STOPS)
    report('setting-changed', `Only ${MOST_STOPS} stop sequences are sent: '${NAME}' takes no more.`)
  return someGiven({
    ...withoutFields(fieldsOf(options.generationConfig), ['responseSchema', 'thinkingConfig']),
    maxOutputTokens: settings.maxOutputTokens,
    temperature: settings.temperature,
    topP: settings.topP,
    topK: settings.topK,
    seed: settings.seed,
    presencePenalty: settings.presencePenalty,
    frequencyPenalty: settings.frequencyPenalty,
    stopSequences: stopSequences?.slice(0, MOST_STOPS),
    candidateCount: settings.candidates,
    ...(logprobs !== undefined && { responseLogprobs: logprobs !== false }),
    ...(typeof logprobs === 'number' && { logprobs }),
    ...writeOutput(settings, fieldsOf(options.generationConfig)),
    thinkingConfig: writeThinking(request, report),
  })
}

/** A schema in Gemini's own form goes back in it. */
function writeOutput({ output }: Settings, { responseSchema, responseMimeType }: Fields): Fields {
  // Another type, such as one of the values of an enumeration, has no name here.
  if (output === undefined) return responseMimeType === undefined ? {} : { responseSchema }
  const isSame = isFields(responseSchema) && jsonOf(jsonSchemaOf(responseSchema)) === jsonOf(output.schema)
  return {
    responseMimeType: 'application/json',
    ...(isSame ? { responseSchema } : { responseJsonSchema: output.schema }),
  }
}

/** Models before the third take a budget, where later ones take a level. */
const BUDGETS: Readonly<Record<string, number>> = { minimal: 1024, low: 1024, medium: 8192, high: 24_576 }

function writeThinking({ model, settings, options }: CheckedRequest, report: Report): Fields | undefined {
  const { effort, budgetTokens } = settings.reasoning ?? {}
  const config = fieldsOf(fieldsOf(options.generationConfig).thinkingConfig)
  if (effort === undefined)
    return someGiven({ ...config, thinkingBudget: budgetTokens ?? config.thinkingBudget })
  if (effort === 'none') return { ...config, thinkingBudget: 0 }
  const level = Object.hasOwn(BUDGETS, effort) ? effort : 'high'
  if (level !== effort)
    report('setting-changed', `The effort '${effort}' is sent as '${level}': '${NAME}' does not have it.`)
  const isOld = /\bgemini-[12]\b/.test(model ?? '')
  if (isOld) return { ...config, thinkingBudget: budgetTokens ?? BUDGETS[level] }
  if (budgetTokens !== undefined)
    report(
      'setting-left-out',
      `The budget for thinking is left out: '${NAME}' takes it or an effort, not both.`,
    )
  return { ...withoutFields(config, ['thinkingBudget']), thinkingLevel: level.toUpperCase() }
}
