/** An object whose fields may hold anything: what JSON, a program or a provider gave. */

export type Fields = Readonly<Record<string, unknown>>

/** Whether a value is an object, and no list. */
export function isFields(value: unknown): value is Fields {
  return typeof value === 'object' && value !== null && !Array.isArray(value)
}
