/** Whether what was read from a file is an event: its type is known, and each of its fields is what it should be. */

import type { SluiceEvent } from '../../base/event.ts'
import { isFields } from '../../base/fields.ts'
import { described, excerpt } from '../../base/options.ts'

interface Field {
  readonly what: string
  readonly isRight: (value: unknown) => boolean
  readonly isOptional?: true
}

type Fields = Readonly<Record<string, Field>>

/** What is wrong with an event, as the end of a sentence about it; undefined if nothing is. */
export function problemWithEvent(value: unknown): string | undefined {
  if (!isFields(value)) return `is not an event, but ${described(value)}`
  const { type } = value
  if (typeof type !== 'string' || !Object.hasOwn(EVENTS, type))
    return type === undefined
      ? 'is an event without a type'
      : `has the type ${excerpt(JSON.stringify(type))}, which is not an event type`
  const problem = problemIn(value, EVENTS[type as SluiceEvent['type']])
  if (problem !== undefined) return `is a '${type}' whose ${problem}`
  return isTooDeep(value) ? `is a '${type}' that is nested deeper than ${MAX_DEPTH} levels` : undefined
}

/** No parser nests deeper, and what is much deeper cannot be written as JSON again. */
const MAX_DEPTH = 1000

function isTooDeep(value: unknown): boolean {
  let level = [value]
  for (let depth = 0; level.length > 0; depth++) {
    if (depth > MAX_DEPTH) return true
    const next: unknown[] = []
    for (const one of level)
      if (typeof one === 'object' && one !== null) for (const inner of Object.values(one)) next.push(inner)
    level = next
  }
  return false
}

function problemIn(value: object, fields: Fields): string | undefined {
  for (const [name, { what, isRight, isOptional }] of Object.entries(fields)) {
    const found = (value as Record<string, unknown>)[name]
    if (found === undefined ? !isOptional : !isRight(found))
      return `'${name}' ${found === undefined ? 'is missing' : `must be ${what}, not ${described(found)}`}`
  }
  return undefined
}

const shaped =
  (fields: Fields) =>
  (value: unknown): boolean =>
    isFields(value) && problemIn(value, fields) === undefined

const text: Field = { what: 'a text', isRight: (value) => typeof value === 'string' }
const number: Field = { what: 'a number', isRight: (value) => typeof value === 'number' }
const flag: Field = { what: 'true or false', isRight: (value) => typeof value === 'boolean' }
const object: Field = { what: 'an object', isRight: isFields }
const anything: Field = { what: 'anything', isRight: () => true }
const optional = (field: Field): Field => ({ ...field, isOptional: true })

const oneOf = (...words: readonly string[]): Field => ({
  what: `one of ${words.join(', ')}`,
  isRight: (value) => typeof value === 'string' && words.includes(value),
})

const listOf = (
  what: string,
  isItem: (item: unknown) => boolean,
  most = Number.POSITIVE_INFINITY,
): Field => ({
  what: `a list of ${what}`,
  isRight: (value) => Array.isArray(value) && value.length <= most && value.every(isItem),
})

const isKey = (key: unknown): boolean => typeof key === 'string' || Number.isInteger(key)

const id = { id: text }
const delta = { ...id, delta: text }
const metadata = optional(object)
const span = optional({
  what: 'an object with a start and an end',
  isRight: shaped({ start: number, end: number }),
})
const argument = {
  ...id,
  path: listOf(`at most ${MAX_DEPTH} keys and indices`, isKey, MAX_DEPTH),
}

const usage: Fields = Object.fromEntries(
  [
    'inputTokens',
    'outputTokens',
    'totalTokens',
    'reasoningTokens',
    'cachedInputTokens',
    'cacheWriteInputTokens',
    'cost',
  ].map((name) => [name, optional(number)]),
)

const EVENTS: Readonly<Record<SluiceEvent['type'], Fields>> = {
  'text-start': { ...id, metadata },
  'text-delta': delta,
  'text-end': { ...id, metadata },
  'reasoning-start': { ...id, metadata },
  'reasoning-delta': delta,
  'reasoning-end': { ...id, metadata },
  'tool-input-start': { ...id, toolName: text, providerExecuted: optional(flag), metadata },
  'tool-input-delta': delta,
  'tool-input-end': { ...id, metadata },
  'argument-start': { ...argument, kind: oneOf('object', 'array', 'string', 'scalar') },
  'argument-delta': { ...argument, delta: text },
  'argument-end': { ...argument, value: anything },
  'tool-source-delta': delta,
  'tool-call': {
    ...id,
    toolName: text,
    input: anything,
    status: oneOf('complete', 'repaired', 'truncated', 'invalid'),
    repairs: listOf(
      'repairs',
      shaped({ code: text, class: oneOf('lossless', 'guess', 'lossy'), offset: number }),
    ),
    raw: optional(text),
    span,
    error: optional({
      what: 'an error with a code, a message and an offset',
      isRight: shaped({ code: text, message: text, offset: number, path: optional(text) }),
    }),
    wireId: optional(text),
    providerExecuted: optional(flag),
    metadata,
  },
  'tool-result-start': {
    ...id,
    toolName: optional(text),
    isError: optional(flag),
    raw: optional(text),
    metadata,
  },
  'tool-result-delta': delta,
  'tool-result-end': { ...id, isError: optional(flag), raw: optional(text), metadata },
  custom: { kind: text, value: optional(anything) },
  diagnostic: {
    code: text,
    message: text,
    span,
    id: optional(text),
    opener: optional(text),
  },
  finish: {
    reason: oneOf('stop', 'length', 'tool-calls', 'content-filter', 'error', 'aborted', 'other'),
    rawReason: optional(text),
    usage: optional({ what: 'an object of numbers', isRight: shaped(usage) }),
    metadata,
  },
  error: { error: optional(anything) },
}
