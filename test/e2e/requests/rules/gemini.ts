/** What Gemini's `generateContent` takes, and the errors with which it refuses everything else. */

import { type Fields, isFields } from '../../../../src/base/fields.ts'
import { entries, imageType, isBase64, Refusal, sign, textOf } from './refusal.ts'

function refuse(message: string): never {
  throw new Refusal(400, { error: { code: 400, message, status: 'INVALID_ARGUMENT' } }, message)
}

/** A signature belongs to one part: a call with its arguments, or a text. */
export function signPart({ functionCall }: Fields): string {
  const { name, args } = isFields(functionCall) ? functionCall : {}
  return sign('gemini', ...(functionCall === undefined ? ['text'] : ['call', name, args]))
}

/** What a call of another model may carry instead. */
const UNSIGNED = ['skip_thought_signature_validator', 'context_engineering_is_the_way_to_go']

const FIELDS = new Set([
  ...['contents', 'systemInstruction', 'tools', 'toolConfig', 'generationConfig', 'safetySettings'],
  ...['cachedContent', 'labels'],
])

export function checkGemini(body: Fields, model: string): void {
  unknown(body, FIELDS, '')
  const contents = entries(body.contents).map(([, content]) => content)
  if (contents.length === 0) refuse('* GenerateContentRequest.contents: contents is not specified\n')
  checkSystem(body.systemInstruction)
  checkTools(body)
  checkConfig(body.generationConfig, model)
  contents.forEach((content, place) => {
    checkContent(content, place)
  })
  checkTurns(contents)
  if (/^gemini-3/.test(model)) checkSignatures(contents)
}

function unknown(fields: Fields, known: ReadonlySet<string>, at: string): void {
  for (const field of Object.keys(fields))
    if (!known.has(field))
      refuse(
        `Invalid JSON payload received. Unknown name "${field}"${at === '' ? '' : ` at '${at}'`}: Cannot find field.`,
      )
}

function checkSystem(instruction: unknown): void {
  if (instruction === undefined) return
  const parts = entries(isFields(instruction) ? instruction.parts : undefined)
  if (parts.length === 0)
    refuse('* GenerateContentRequest.system_instruction.parts: contents.parts must not be empty.\n')
}

// ── tools and settings ───────────────────────────────────────────────────────────────────────────

const NAME = /^[a-zA-Z_][\w.:-]{0,63}$/
const WANTED =
  'Invalid function name. Must start with a letter or an underscore. Must be alphanumeric (a-z, A-Z, 0-9), underscores (_), dots (.), colons (:), or dashes (-), with a maximum length of 64.'

/** The part of JSON Schema that `parameters` takes. */
const SCHEMA = new Set([
  ...['type', 'format', 'title', 'description', 'nullable', 'enum', 'maxItems', 'minItems', 'properties'],
  ...['required', 'minProperties', 'maxProperties', 'minLength', 'maxLength', 'pattern', 'example', 'anyOf'],
  ...['propertyOrdering', 'default', 'items', 'minimum', 'maximum'],
])

function checkSchema(schema: unknown, at: string): void {
  if (!isFields(schema)) return
  unknown(schema, SCHEMA, at)
  const properties = isFields(schema.properties) ? Object.entries(schema.properties) : []
  for (const [key, property] of properties) checkSchema(property, `${at}.properties[${key}].value`)
  checkSchema(schema.items, `${at}.items`)
}

function checkTools({ tools, toolConfig }: Fields): void {
  const names = new Set<string>()
  for (const [place, { functionDeclarations }] of entries(tools))
    for (const [index, { name, parameters, parametersJsonSchema }] of entries(functionDeclarations)) {
      const at = `tools[${place}].function_declarations[${index}]`
      if (!NAME.test(textOf(name))) refuse(`* GenerateContentRequest.${at}.name: [FIELD_INVALID] ${WANTED}\n`)
      if (names.has(textOf(name))) refuse(`Duplicate function declaration found: ${textOf(name)}`)
      names.add(textOf(name))
      if (parameters !== undefined && parametersJsonSchema !== undefined)
        refuse(
          `* GenerateContentRequest.${at}: only one of parameters and parameters_json_schema may be set.\n`,
        )
      checkSchema(parameters, at.replace(/$/, '.parameters'))
    }
  const { functionCallingConfig } = isFields(toolConfig) ? toolConfig : {}
  if (!isFields(functionCallingConfig)) return
  const { mode, allowedFunctionNames } = functionCallingConfig
  if (names.size === 0) refuse('Function calling config is set without function_declarations.')
  if (!['AUTO', 'ANY', 'NONE', 'VALIDATED'].includes(textOf(mode)))
    refuse(
      `Invalid value at 'tool_config.function_calling_config.mode' (type.googleapis.com/google.ai.generativelanguage.v1beta.FunctionCallingConfig.Mode), "${textOf(mode)}"`,
    )
  if (!Array.isArray(allowedFunctionNames)) return
  if (mode !== 'ANY' && mode !== 'VALIDATED')
    refuse('Allowed function names should only be set when the function calling mode is ANY or VALIDATED.')
  for (const name of allowedFunctionNames)
    if (!names.has(textOf(name)))
      refuse(
        `* GenerateContentRequest.tool_config.function_calling_config.allowed_function_names: ${textOf(name)} is not in function_declarations\n`,
      )
}

const CONFIG = new Set([
  ...['stopSequences', 'responseMimeType', 'responseSchema', 'responseJsonSchema', 'responseModalities'],
  ...['candidateCount', 'maxOutputTokens', 'temperature', 'topP', 'topK', 'seed', 'presencePenalty'],
  ...[
    'frequencyPenalty',
    'responseLogprobs',
    'logprobs',
    'thinkingConfig',
    'speechConfig',
    'mediaResolution',
  ],
])

function checkConfig(config: unknown, model: string): void {
  if (!isFields(config)) return
  unknown(config, CONFIG, 'generation_config')
  const { stopSequences, thinkingConfig, responseMimeType, responseSchema, responseJsonSchema, logprobs } =
    config
  if (Array.isArray(stopSequences) && stopSequences.length > 5)
    refuse(
      '* GenerateContentRequest.generation_config.stop_sequences: the number of stop sequences must be at most 5\n',
    )
  if (responseSchema !== undefined || responseJsonSchema !== undefined)
    if (responseMimeType !== 'application/json' && responseMimeType !== 'text/x.enum')
      refuse('Response schema is only supported with response mime type application/json or text/x.enum.')
  if (logprobs !== undefined && config.responseLogprobs !== true)
    refuse('Logprobs is set without response_logprobs.')
  const { thinkingLevel, thinkingBudget } = isFields(thinkingConfig) ? thinkingConfig : {}
  if (thinkingLevel !== undefined && thinkingBudget !== undefined)
    refuse('You can only set only one of thinking budget and thinking level.')
  if (thinkingLevel !== undefined && !/^gemini-3/.test(model))
    refuse('Thinking level is not supported for this model.')
  if (thinkingLevel !== undefined && !/^(MINIMAL|LOW|MEDIUM|HIGH)$/.test(textOf(thinkingLevel)))
    refuse(
      `Invalid value at 'generation_config.thinking_config.thinking_level' (type.googleapis.com/google.ai.generativelanguage.v1beta.ThinkingConfig.ThinkingLevel), "${textOf(thinkingLevel)}"`,
    )
}

// ── contents ─────────────────────────────────────────────────────────────────────────────────────

const DATA = [
  ...['text', 'inlineData', 'fileData', 'functionCall', 'functionResponse', 'executableCode'],
  ...['codeExecutionResult'],
]
const PART = new Set([...DATA, 'thought', 'thoughtSignature', 'videoMetadata', 'mediaResolution'])

function checkContent({ role, parts, ...rest }: Fields, place: number): void {
  unknown(rest, new Set(), `contents[${place}]`)
  if (role !== 'user' && role !== 'model') refuse('Please use a valid role: user, model.')
  if (entries(parts).length === 0)
    refuse(`* GenerateContentRequest.contents[${place}].parts: contents.parts must not be empty.\n`)
  for (const [index, part] of entries(parts)) checkPart(part, `contents[${place}].parts[${index}]`)
}

function checkPart(part: Fields, at: string): void {
  unknown(part, PART, at)
  const set = DATA.filter((field) => part[field] !== undefined)
  if (set.length === 0)
    refuse(
      `* GenerateContentRequest.${at}.data: required oneof field 'data' must have one initialized field\n`,
    )
  if (set.length > 1)
    refuse(`Invalid value at '${at}' (oneof), oneof field 'data' is already set. Cannot set '${set[1]}'`)
  const { inlineData, functionCall, functionResponse, thoughtSignature } = part
  if (thoughtSignature !== undefined && !isBase64(textOf(thoughtSignature)))
    refuse(
      `Invalid value at '${at}.thought_signature' (TYPE_BYTES), Base64 decoding failed for "${textOf(thoughtSignature)}"`,
    )
  if (isFields(inlineData)) checkData(inlineData, at)
  if (isFields(functionCall)) {
    unknown(functionCall, new Set(['id', 'name', 'args']), `${at}.function_call`)
    if (textOf(functionCall.name) === '')
      refuse(`* GenerateContentRequest.${at}.function_call.name: Name cannot be empty.\n`)
    if (functionCall.args !== undefined && !isFields(functionCall.args))
      refuse(`Invalid value at '${at}.function_call.args' (type.googleapis.com/google.protobuf.Struct)`)
  }
  if (isFields(functionResponse)) {
    unknown(
      functionResponse,
      new Set(['id', 'name', 'response', 'parts', 'willContinue', 'scheduling']),
      `${at}.function_response`,
    )
    if (textOf(functionResponse.name) === '')
      refuse(`* GenerateContentRequest.${at}.function_response.name: Name cannot be empty.\n`)
    if (!isFields(functionResponse.response))
      refuse(
        `Invalid value at '${at}.function_response.response' (type.googleapis.com/google.protobuf.Struct)`,
      )
    for (const [index, inner] of entries(functionResponse.parts))
      if (isFields(inner.inlineData)) checkData(inner.inlineData, `${at}.function_response.parts[${index}]`)
  }
}

function checkData({ mimeType, data }: Fields, at: string): void {
  const type = textOf(mimeType)
  if (!isBase64(textOf(data)))
    refuse(`Invalid value at '${at}.inline_data.data' (TYPE_BYTES), Base64 decoding failed`)
  if (
    !/^(image\/(png|jpeg|webp|heic|heif)|application\/pdf|text\/\w+|audio\/[\w-]+|video\/[\w-]+)$/.test(type)
  )
    refuse(`Unsupported MIME type: ${type}`)
  const found = imageType(textOf(data))
  if (/^image\/(png|jpeg|webp)$/.test(type) && found !== type)
    refuse(
      'Unable to process input image. Please retry or report in https://developers.generativeai.google/guide/troubleshooting',
    )
}

// ── turns ────────────────────────────────────────────────────────────────────────────────────────

const having = (content: Fields | undefined, field: string): Fields[] =>
  entries(content?.parts).flatMap(([, part]) => (isFields(part[field]) ? [part[field]] : []))

function checkTurns(contents: readonly Fields[]): void {
  contents.forEach((content, place) => {
    const before = contents[place - 1]
    if (content.role === before?.role)
      refuse('Please ensure that multiturn requests alternate between user and model.')
    const calls = having(content, 'functionCall')
    const responses = having(content, 'functionResponse')
    if (calls.length > 0 && before === undefined)
      refuse(
        'Please ensure that function call turn comes immediately after a user turn or after a function response turn.',
      )
    const asked = having(before, 'functionCall')
    if (responses.length > 0 && asked.length === 0)
      refuse('Please ensure that function response turn comes immediately after a function call turn.')
    if (asked.length !== responses.length && asked.length > 0)
      refuse(
        'Please ensure that the number of function response parts is equal to the number of function call parts of the function call turn.',
      )
    responses.forEach(({ name, id }, index) => {
      const call = id === undefined ? asked[index] : asked.find((one) => one.id === id)
      if (call?.name !== name)
        refuse(`Function response ${textOf(name)} does not match the function call it answers.`)
    })
  })
  const last = contents.at(-1)
  if (last?.role !== 'user')
    refuse('Please ensure that multiturn requests ends with a user role or a function response.')
}

/** The first call of each step of the turn that goes on is signed; a signature that stands elsewhere is none. */
function checkSignatures(contents: readonly Fields[]): void {
  const isAsked = (content: Fields): boolean =>
    content.role === 'user' && entries(content.parts).some(([, part]) => part.functionResponse === undefined)
  const asked = contents.map(isAsked).lastIndexOf(true)
  contents.forEach(({ role, parts }, place) => {
    if (role !== 'model') return
    const all = entries(parts)
    for (const [, part] of all)
      if (part.thoughtSignature !== undefined && !UNSIGNED.includes(textOf(part.thoughtSignature)))
        if (part.thoughtSignature !== signPart(part)) refuse('Corrupted thought signature.')
    const first = all.find(([, part]) => part.functionCall !== undefined)
    if (place < asked || first === undefined || first[1].thoughtSignature !== undefined) return
    const { name } = first[1].functionCall as Fields
    refuse(
      `Function call is missing a thought_signature in functionCall parts. This is required for tools to work correctly, and missing thought_signature may lead to degraded model performance. Additional data, function call \`default_api:${textOf(name)}\` , position ${place + 1}. Please refer to https://ai.google.dev/gemini-api/docs/thought-signatures for more details.`,
    )
  })
}
