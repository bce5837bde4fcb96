/** A fingerprint of a call, so that what was decided can be told from anything else that is executed. */

import type { JsonValue } from '../event.ts'
import { stringify } from '../json/stringify.ts'
import { sha256 } from './sha256.ts'

/**
 * The same for two calls exactly if they call the same tool with the same input; the order of keys does not count.
 *
 *     if (digestOf(call) !== verdict.digest) throw new Error('not what was approved')
 */
export function digestOf(call: { readonly toolName: string; readonly input: JsonValue }): string {
  return sha256(canonical([call.toolName, call.input]))
}

type Container = JsonValue[] | { [key: string]: JsonValue }

/** JSON text with sorted keys and nothing between the tokens. No recursion: values can be deep. */
function canonical(value: JsonValue): string {
  let text = ''
  const open: { readonly container: Container; readonly keys: readonly string[]; next: number }[] = []
  const write = (what: JsonValue): void => {
    if (typeof what !== 'object' || what === null) text += stringify(what)
    else {
      text += Array.isArray(what) ? '[' : '{'
      open.push({ container: what, keys: Array.isArray(what) ? [] : Object.keys(what).sort(), next: 0 })
    }
  }
  write(value)
  for (let top = open.at(-1); top !== undefined; top = open.at(-1)) {
    const { container, keys } = top
    const index = top.next++
    const isOver = index >= (Array.isArray(container) ? container.length : keys.length)
    if (isOver) {
      text += Array.isArray(container) ? ']' : '}'
      open.pop()
      continue
    }
    if (index > 0) text += ','
    if (Array.isArray(container)) write(container[index]!)
    else {
      text += `${stringify(keys[index]!)}:`
      write(container[keys[index]!]!)
    }
  }
  return text
}
