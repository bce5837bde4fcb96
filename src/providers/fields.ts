/** Reads fields of payloads, which may hold anything: what is not of the wanted type is not there. */

export type Fields = Readonly<Record<string, unknown>>

const NONE: Fields = Object.freeze({})

export function isFields(value: unknown): value is Fields {
  return typeof value === 'object' && value !== null && !Array.isArray(value)
}

export function fieldsOf(value: unknown): Fields {
  return isFields(value) ? value : NONE
}

export function listOf(value: unknown): readonly unknown[] {
  return Array.isArray(value) ? value : []
}

/** The text, or none. */
export function textOf(value: unknown): string {
  return typeof value === 'string' ? value : ''
}

export function wordOf(value: unknown): string | undefined {
  return typeof value === 'string' && value !== '' ? value : undefined
}

export function numberOf(value: unknown): number | undefined {
  return typeof value === 'number' && Number.isFinite(value) ? value : undefined
}

/** Those fields that are there: null and undefined are the same as none. */
export function present(fields: Fields): Fields | undefined {
  const found = Object.entries(fields).filter(([, value]) => value !== undefined && value !== null)
  return found.length === 0 ? undefined : Object.fromEntries(found)
}

/** A value as text: text as it is, and anything else as JSON. */
export function contentOf(value: unknown): string {
  if (typeof value === 'string') return value
  if (value === undefined || value === null) return ''
  try {
    return JSON.stringify(value) ?? ''
  } catch {
    return ''
  }
}
