/**
 * Settings as fields of a body, in both directions. A client may spell a setting in several ways: what would be written
 * otherwise than it came is kept among the provider's own options, and goes back as it came while it means the same.
 *
 *     readSettings(rows, { stop: 'END' })   // { settings: { stopSequences: ['END'] }, kept: { stop: 'END' } }
 */

import type { Fields } from '../base/fields.ts'
import type { Settings, ToolChoice } from '../requests/conversation/model-request.ts'
import type { Report } from '../requests/conversation/request-format.ts'
import { jsonOf, numberOf } from './payload-fields.ts'
import { withoutFields } from './request-fields.ts'

/** Everything that a body says besides its conversation and its tools. */
export interface Chosen extends Settings {
  readonly toolChoice?: ToolChoice
}

/** What the spelling of a setting depends on. */
export interface Spelling {
  readonly model: string | undefined
  readonly isStream: boolean
  readonly hasTools: boolean
  /** Whether a tool is one whose input is free text. */
  isTextTool(name: string): boolean
  /** The provider's own options: a field of theirs says that the server has it. */
  readonly options: Fields
  readonly report: Report
}

/** A setting, and the fields that stand for it. */
export interface SettingFields<Name extends keyof Chosen = keyof Chosen> {
  readonly setting: Name
  readonly fields: readonly string[]
  read(body: Fields): Chosen[Name] | undefined
  write(value: Exclude<Chosen[Name], undefined>, spelling: Spelling): Fields
}

/** A row of a table whose rows are of different settings. */
export function settingFields<Name extends keyof Chosen>(row: SettingFields<Name>): SettingFields {
  return row as unknown as SettingFields
}

/** Chat Completions and Ollama spell it alike. */
export const LOGPROBS = settingFields({
  setting: 'logprobs',
  fields: ['logprobs', 'top_logprobs'],
  read: ({ logprobs, top_logprobs }) =>
    typeof logprobs === 'boolean' ? logprobs && (numberOf(top_logprobs) ?? true) : undefined,
  write: (value) =>
    typeof value === 'boolean' ? { logprobs: value } : { logprobs: true, top_logprobs: value },
})

/** A setting that is a number in one field. */
export function numberField(setting: keyof Chosen, field: string): SettingFields {
  return {
    setting,
    fields: [field],
    read: (body) => numberOf(body[field]) as never,
    write: (value) => ({ [field]: value }),
  }
}

export function readSettings(
  rows: readonly SettingFields[],
  body: Fields,
  spelling: Omit<Spelling, 'options' | 'report'>,
): { readonly chosen: Chosen; readonly kept: Fields } {
  const chosen: Record<string, unknown> = {}
  const kept: Record<string, unknown> = {}
  const plain: Spelling = { ...spelling, options: {}, report: () => undefined }
  for (const { setting, fields, read, write } of rows) {
    const came = Object.fromEntries(
      fields.flatMap((name) => (body[name] == null ? [] : [[name, body[name]]])),
    )
    const value = read(body)
    if (value !== undefined) chosen[setting] = value
    if (value === undefined || !isSame(write(value as never, plain), came)) Object.assign(kept, came)
  }
  return { chosen, kept }
}

/** The provider's own options, with the settings. */
export function writeSettings(
  rows: readonly SettingFields[],
  chosen: Chosen,
  spelling: Spelling,
): { readonly [field: string]: unknown } {
  let { options } = spelling
  for (const { setting, fields, read, write } of rows) {
    const value = chosen[setting]
    if (value === undefined || isSame(read(options), value)) continue
    options = { ...withoutFields(options, fields), ...write(value as never, spelling) }
  }
  return options
}

/** Whether two plain values are the same, whatever the order of their fields. */
export function isSame(one: unknown, other: unknown): boolean {
  return jsonOf(sorted(one)) === jsonOf(sorted(other))
}

function sorted(value: unknown): unknown {
  if (typeof value !== 'object' || value === null) return value
  if (Array.isArray(value)) return value.map(sorted)
  const entries = Object.entries(value).filter(([, inner]) => inner !== undefined)
  return Object.fromEntries(
    entries.sort(([a], [b]) => (a < b ? -1 : 1)).map(([key, inner]) => [key, sorted(inner)]),
  )
}
