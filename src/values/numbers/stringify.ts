/**
 * A value as JSON text that `JSON.parse` gives back exactly, `-0` and infinite numbers included, at any depth:
 * `JSON.stringify` loses the first and overflows the stack on the second. Numbers are written as they came, where that is known.
 */

import type { JsonValue } from '../../base/event.ts'
import { writtenNumber } from './written.ts'

type Container = JsonValue[] | { [key: string]: JsonValue }

export function stringify(value: JsonValue): string {
  let text = ''
  /** Open containers, each with its keys (null for an array) and how many of its entries are written. */
  const open: { container: Container; keys: string[] | null; next: number }[] = []
  let current: JsonValue | undefined = value
  /** How the current value was written, if it is a number that does not say so. */
  let written: string | undefined
  for (;;) {
    if (current !== undefined) {
      if (typeof current === 'object' && current !== null) {
        const keys = Array.isArray(current) ? null : Object.keys(current)
        text += keys === null ? '[' : '{'
        open.push({ container: current, keys, next: 0 })
      } else {
        text += typeof current === 'number' ? (written ?? numberText(current)) : JSON.stringify(current)
      }
    }
    const top = open[open.length - 1]
    if (top === undefined) return text
    const index = top.next++
    const key = top.keys === null ? index : top.keys[index]
    const size = top.keys === null ? (top.container as JsonValue[]).length : top.keys.length
    if (key === undefined || index >= size) {
      text += top.keys === null ? ']' : '}'
      open.pop()
      current = undefined
    } else {
      if (index > 0) text += ','
      if (typeof key === 'string') text += `${JSON.stringify(key)}:`
      current = (top.container as Record<string | number, JsonValue>)[key]
      written = typeof current === 'number' ? writtenNumber(top.container, key) : undefined
    }
  }
}

function numberText(value: number): string {
  if (Object.is(value, -0)) return '-0'
  if (Number.isFinite(value)) return String(value)
  return value > 0 ? '1e999' : '-1e999'
}
