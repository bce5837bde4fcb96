/**
 * How a server says no: a status, and the body that its provider sends with it. The words are the provider's as far as they
 * are known; where only the rule is, they say the same.
 */

import { createHmac } from 'node:crypto'
import { type Fields, isFields } from '../../../../src/base/fields.ts'

export class Refusal extends Error {
  readonly status: number
  readonly body: Fields

  constructor(status: number, body: Fields, message: string) {
    super(message)
    this.status = status
    this.body = body
  }
}

/** The fields of a list, with their places; anything else in it counts as an empty object. */
export function entries(list: unknown): [index: number, fields: Fields][] {
  return (Array.isArray(list) ? list : []).map((item, index) => [index, isFields(item) ? item : {}])
}

export const textOf = (value: unknown): string => (typeof value === 'string' ? value : '')

/** What a server signs, it knows again, and only unchanged. */
export function sign(...content: readonly unknown[]): string {
  return createHmac('sha256', 'a key that no client has').update(JSON.stringify(content)).digest('base64')
}

// ── files ────────────────────────────────────────────────────────────────────────────────────────

const IMAGES = [
  ['image/png', /^\x89PNG\r\n/],
  ['image/jpeg', /^\xff\xd8\xff/],
  ['image/gif', /^GIF8/],
  ['image/webp', /^RIFF....WEBP/s],
] as const

/** What bytes in base64 are, as servers find out: by how they begin. */
export function imageType(base64: string): string | undefined {
  const start = Buffer.from(base64.slice(0, 64), 'base64').toString('latin1')
  return IMAGES.find(([, beginning]) => beginning.test(start))?.[0]
}

export const isBase64 = (text: string): boolean => /^[A-Za-z0-9+/_-]*={0,2}$/.test(text)
