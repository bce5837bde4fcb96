/** What both of OpenAI's protocols refuse in the same words. */

import { type Fields, isFields } from '../../../../src/base/fields.ts'
import { entries, imageType, isBase64, Refusal, textOf } from './refusal.ts'

export function refuse(
  message: string,
  param: string | null,
  code: string | null = null,
  status = 400,
): never {
  throw new Refusal(status, { error: { message, type: 'invalid_request_error', param, code } }, message)
}

export function checkLength(text: unknown, param: string, most: number): void {
  const { length } = textOf(text)
  if (length === 0)
    refuse(
      `Invalid '${param}': empty string. Expected a string with minimum length 1, but got an empty string instead.`,
      param,
      'empty_string',
    )
  if (length > most)
    refuse(
      `Invalid '${param}': string too long. Expected a string with maximum length ${most}, but got a string with length ${length} instead.`,
      param,
      'string_above_max_length',
    )
}

const NAME = /^[a-zA-Z0-9_-]+$/

export function checkName(name: unknown, param: string): void {
  if (name === undefined)
    refuse(`Missing required parameter: '${param}'.`, param, 'missing_required_parameter')
  checkLength(name, param, 64)
  if (!NAME.test(textOf(name)))
    refuse(
      `Invalid '${param}': string does not match pattern. Expected a string that matches the pattern '${NAME.source}'.`,
      param,
      'invalid_value',
    )
}

export function checkFields(fields: Fields, known: ReadonlySet<string>, param = ''): void {
  for (const field of Object.keys(fields))
    if (!known.has(field))
      refuse(`Unknown parameter: '${param}${field}'.`, `${param}${field}`, 'unknown_parameter')
}

export function checkChoiceWord(choice: unknown): void {
  if (typeof choice === 'string' && !['none', 'auto', 'required'].includes(choice))
    refuse(
      `Invalid value: '${choice}'. Supported values are: 'none', 'auto', and 'required'.`,
      'tool_choice',
      'invalid_value',
    )
}

const WHICH =
  "Please make sure your image is valid and has of one the following formats: ['png', 'jpeg', 'gif', 'webp']."

/** An image at an address, or in one. */
export function checkImage(url: unknown, param: string): void {
  const address = textOf(url)
  if (/^https?:\/\//.test(address)) return
  const found = /^data:([^;,]*);base64,(.*)$/s.exec(address)
  if (found === null)
    refuse(
      `Invalid '${param}'. Expected a valid URL, but got a value with an invalid format.`,
      param,
      'invalid_value',
    )
  const [, type, data] = found as unknown as [string, string, string]
  if (!type.startsWith('image/'))
    refuse('Invalid MIME type. Only image types are supported.', param, 'invalid_image_format')
  if (!isBase64(data))
    refuse(`Invalid '${param}'. Expected a base64-encoded data URL.`, param, 'invalid_base64')
  if (imageType(data) === undefined || !/^image\/(png|jpe?g|gif|webp)$/.test(type))
    refuse(`You uploaded an unsupported image. ${WHICH}`, null, 'image_parse_error')
}

/** With `strict`, every object names all of its properties as required and takes no others. */
export function checkStrict(
  name: string,
  schema: unknown,
  param: string,
  path: readonly string[] = [],
): void {
  if (!isFields(schema)) return
  const context = `In context=(${path.map((step) => `'${step}'`).join(', ')}${path.length === 1 ? ',' : ''})`
  const { type, properties, additionalProperties, required, items } = schema
  const wrong = (why: string): never =>
    refuse(`Invalid schema for function '${name}': ${context}, ${why}`, param, 'invalid_function_parameters')
  if (type === 'object') {
    if (additionalProperties !== false)
      wrong("'additionalProperties' is required to be supplied and to be false.")
    const keys = isFields(properties) ? Object.keys(properties) : []
    const missing = keys.find((key) => !(Array.isArray(required) && required.includes(key)))
    if (missing !== undefined)
      wrong(
        `'required' is required to be supplied and to be an array including every key in properties. Missing '${missing}'.`,
      )
    for (const key of keys)
      checkStrict(name, (properties as Fields)[key], param, [...path, 'properties', key])
  }
  checkStrict(name, items, param, [...path, 'items'])
}

export function checkSchema(name: string, schema: unknown, param: string): void {
  if (schema === undefined || schema === null) return
  const { type } = isFields(schema) ? schema : {}
  if (type !== 'object')
    refuse(
      `Invalid schema for function '${name}': schema must be a JSON Schema of 'type: "object"', got 'type: "${type === undefined ? 'None' : textOf(type)}"'.`,
      param,
      'invalid_function_parameters',
    )
}

export function checkList(list: unknown, param: string, most: number): void {
  if (!Array.isArray(list)) return
  if (list.length === 0)
    refuse(
      `Invalid '${param}': empty array. Expected an array with minimum length 1, but got an empty array instead.`,
      param,
      'empty_array',
    )
  if (list.length > most)
    refuse(
      `Invalid '${param}': array too long. Expected an array with maximum length ${most}, but got an array with length ${list.length} instead.`,
      param,
      'array_above_max_length',
    )
}

/** Reasoning models take none of these. */
export function checkSampling(body: Fields, isReasoning: boolean, names: readonly string[]): void {
  if (!isReasoning) return
  for (const name of names)
    if (body[name] !== undefined && !(name === 'temperature' && body[name] === 1))
      refuse(
        `Unsupported parameter: '${name}' is not supported with this model.`,
        name,
        'unsupported_parameter',
      )
}

export const isReasoningModel = (model: unknown): boolean => /^(o\d|gpt-5)/.test(textOf(model))

export { entries, textOf }
