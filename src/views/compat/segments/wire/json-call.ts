/**
 * Calls as JSON in the shapes that providers use, anywhere in the text. Other JSON stays text.
 *
 *     {"tool_calls": [{"function": {"name": "ls", "arguments": {"d": "/"}}}]}     OpenAI, Mistral, DeepSeek, Grok
 *     {"name": "ls", "args": {"d": "/"}}                                          Gemini
 *     {"tool": {"function": "ls", "parameters": {"d": "/"}}}                      the others
 */

import type { CallObjectKeys } from '../../../../engine/wire/call-object-reader.ts'
import { type Dialect, define } from '../../../../engine/wire/dialect.ts'
import { object } from '../../../../engine/wire/json.ts'
import { plainJson } from '../../../../engine/wire/plain-json.ts'
import { ahead, list, type Node, space, type Template, wire } from '../../../../engine/wire/template.ts'
import type { SegmentHints } from '../hints.ts'

export const JSON_PROFILES = ['openai', 'gemini', 'default', 'any'] as const

/** The shapes of calls in JSON, by the provider whose API has them. */
export type JsonProfileName = (typeof JSON_PROFILES)[number]

interface JsonProfile {
  readonly keys: CallObjectKeys
  /** Keys whose list holds the calls. */
  readonly lists: readonly string[]
}

/** The tool's name is in the content, which is the JSON itself. */
export const IN_ITS_CONTENT: SegmentHints = { toolName: null }

const IGNORED = ['type', 'id']

const PROFILES: Readonly<Record<JsonProfileName, JsonProfile>> = {
  openai: {
    keys: {
      name: ['name', 'function'],
      arguments: ['arguments', 'parameters'],
      within: ['function', 'tool'],
      ignore: IGNORED,
    },
    lists: ['tool_calls', 'tools'],
  },
  gemini: { keys: { name: ['name'], arguments: ['args'], ignore: IGNORED }, lists: [] },
  default: {
    keys: {
      name: ['function', 'name'],
      arguments: ['parameters', 'arguments'],
      within: ['tool', 'function'],
      ignore: IGNORED,
    },
    lists: [],
  },
  any: {
    keys: {
      name: ['name', 'function', 'tool'],
      arguments: ['arguments', 'parameters', 'args'],
      within: ['function', 'tool'],
      ignore: IGNORED,
    },
    lists: ['tool_calls', 'tools'],
  },
}

/** `knowsTools`: the parser has the tools, and recognises calls by them. */
export function jsonCalls(profile: JsonProfileName, knowsTools: boolean): Dialect {
  const { keys, lists } = PROFILES[profile]
  const call = object({ ...keys, needsArguments: !knowsTools }, plainJson)
  // The brackets that close a list belong to its last call, so that it is shown as it was written.
  const closing = (marker: Template): Node => ({ kind: 'optional', body: marker.nodes, isInside: true })
  const listed = list(wire`${call}${closing(wire`${space}]`)}`)
  // Behind the list its object may go on with other keys: they are text, and the calls are calls.
  const ofObject = list(wire`${call}${closing(wire`${space}]${closing(wire`${space}}`)}`)}`)
  const under = (key: string) => wire`{${space}"${key}"${space}:${space}[${space}${ofObject}`
  const dialect = define(`segments-json-${profile}`, {
    looseCall: [
      ...lists.map(under),
      wire`${call}`,
      // The bracket alone would hide markers that begin with two.
      wire`${ahead('[', '{ \n\t\r')}${space}${listed}`,
    ],
  })
  return { ...dialect, looseCallsAreMeant: true, annotation: IN_ITS_CONTENT }
}
