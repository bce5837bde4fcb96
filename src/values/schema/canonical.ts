/** JSON text with sorted keys and nothing between the tokens: the same for equal values, and for no others. */

import { writtenNumber } from '../numbers/written.ts'

interface OpenContainer {
  readonly container: Readonly<Record<string | number, unknown>>
  readonly keys: readonly (string | number)[]
  readonly closer: ']' | '}'
  next: number
}

/**
 * Undefined for what is no JSON (a date, or what holds itself), and for a longer text than `longest`. Zero has no sign.
 * `numbers`: whether 1.0 is 1, or is as it was written. No recursion: values can be deep.
 */
export function canonical(
  value: unknown,
  longest = Infinity,
  numbers: 'values' | 'written' = 'values',
): string | undefined {
  let text = ''
  const open: OpenContainer[] = []
  const around = new Set<object>()
  let lexeme: string | undefined
  for (let what = value; ; ) {
    if (typeof what === 'object' && what !== null) {
      if (around.has(what) || !isPlain(what)) return undefined
      around.add(what)
      const container = what as OpenContainer['container']
      const keys = Array.isArray(what) ? [...what.keys()] : keysOf(container)
      open.push({ container, keys, closer: Array.isArray(what) ? ']' : '}', next: 0 })
      text += Array.isArray(what) ? '[' : '{'
    } else {
      const scalar = lexeme ?? scalarText(what)
      if (scalar === undefined) return undefined
      text += scalar
    }

    let top = open.at(-1)
    for (; top !== undefined && top.next === top.keys.length; top = open.at(-1)) {
      text += top.closer
      around.delete(top.container)
      open.pop()
    }
    if (text.length > longest) return undefined
    if (top === undefined) return text
    const key = top.keys[top.next]!
    if (top.next++ > 0) text += ','
    if (top.closer === '}') text += `${JSON.stringify(key)}:`
    what = top.container[key]
    if (numbers === 'written')
      lexeme = writtenNumber(top.container, key) ?? (Object.is(what, -0) ? '-0' : undefined)
  }
}

/** A key without a value is not there. */
function keysOf(container: Readonly<Record<string, unknown>>): string[] {
  return Object.keys(container)
    .filter((key) => container[key] !== undefined)
    .sort()
}

/** A list, or an object that is nothing else. */
function isPlain(value: object): boolean {
  const prototype: unknown = Object.getPrototypeOf(value)
  return Array.isArray(value) || prototype === null || Object.getPrototypeOf(prototype) === null
}

function scalarText(value: unknown): string | undefined {
  if (typeof value === 'string') return JSON.stringify(value)
  // A number that is too large for the language was written like this.
  if (value === Infinity || value === -Infinity) return String(value).replace('Infinity', '1e999')
  const isJson = value === null || typeof value === 'boolean' || Number.isFinite(value)
  return isJson ? String(value) : undefined
}
