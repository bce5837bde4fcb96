/** Objects and arrays: what is open, and which keys an object has. */

import { commit, drop, rewrite } from './canonical-copy.ts'
import { AFTER, ARRAY_FIRST, BRACE_OPEN, BRACKET_CLOSE, OBJECT_FIRST, VALUE } from './grammar.ts'
import { interned } from './intern.ts'
import { ARRAY, type JsonState, OBJECT } from './json-state.ts'
import { announce, fail, repair, type Scan, stop } from './scan.ts'

/** Most objects have so few keys that comparing each is as fast as a set, and takes less memory. */
const FEW_KEYS = 8

export function isInArray(state: JsonState): boolean {
  return state.depth > 0 && state.stack[state.top] === ARRAY
}

export function isInObject(state: JsonState): boolean {
  return state.depth > 0 && state.stack[state.top] === OBJECT
}

/** Whether an array (an object) is among the open containers. */
export function hasOuter({ stack, top }: JsonState, array: boolean): boolean {
  return stack.lastIndexOf(array ? ARRAY : OBJECT, top) !== -1
}

export function openContainer(scan: Scan, c: number, i: number): number {
  const { state } = scan
  if (state.depth >= scan.limits.depth) return fail(scan, 'depth', i)
  const isObject = c === BRACE_OPEN
  announce(scan, isObject ? '{' : '[', i + 1, state.offset + i, state.offset + i + 1)
  if (state.depth === 0) drop(scan, i)
  commit(scan, i + 1)
  state.top = endOfKeys(state)
  state.stack[state.top] = isObject ? OBJECT : ARRAY
  state.depth++
  state.mode = isObject ? OBJECT_FIRST : ARRAY_FIRST
  scan.handler.open(isObject ? 'object' : 'array')
  return i + 1
}

/** A closer. One that belongs to an outer container closes the inner ones too. */
export function closeContainer(scan: Scan, c: number, i: number): number {
  const { state } = scan
  const closesArray = c === BRACKET_CLOSE
  if (isInArray(state) !== closesArray && !hasOuter(state, closesArray)) return fail(scan, 'token', i)
  while (isInArray(state) !== closesArray) {
    repair(scan, 'missing-close', 'guess', i)
    rewrite(scan, i, i, closesArray ? '}' : ']')
    closeTop(scan, i)
  }
  closeTop(scan, i + 1)
  return i + 1
}

function closeTop(scan: Scan, end: number): void {
  const { state } = scan
  const { stack } = state
  commit(scan, end)
  scan.tokenEnd = state.offset + end
  scan.handler.close()
  for (let at = endOfKeys(state) - 1; at >= state.top; at--) stack[at] = ARRAY
  do state.top--
  while (state.top >= 0 && typeof stack[state.top] !== 'number')
  state.depth--
  afterValue(state, true)
}

/** The index behind the innermost container and its keys. */
function endOfKeys({ stack, top }: JsonState): number {
  let at = top + 1
  while (at < stack.length && typeof stack[at] !== 'number') at++
  return at
}

export function afterValue(state: JsonState, spaced: boolean): void {
  state.spaced = spaced
  state.mode = AFTER
  if (state.depth === 0) state.status = 'done'
}

/** After a comma at `i`, or where one is missing. */
export function afterComma(state: JsonState, mode: number, i: number): void {
  state.mode = mode
  state.commaAt = state.offset + i
  state.afterEllipsis = false
}

/** The key is complete at the colon, or at what stands for it. */
export function endKey(scan: Scan, i: number): void {
  const { state } = scan
  const { stack } = state
  const key = interned(state.token)
  state.token = ''
  const first = state.top + 1
  const end = endOfKeys(state)
  const keys = stack[first]
  const isSet = keys instanceof Set
  let at = first
  while (at < end && stack[at] !== key) at++
  const isKnown = isSet ? keys.has(key) : at < end
  const count = isSet ? keys.size : end - first
  if (isKnown) {
    if (scan.rules.repeatedKeys === 'error') stop(scan, 'duplicate-key', i)
    scan.handler.duplicateKey(key)
  } else if (count >= scan.limits.keysPerObject) stop(scan, 'keys-per-object', i)
  else if (isSet) keys.add(key)
  else if (count < FEW_KEYS) stack[end] = key
  else stack[first] = new Set(stack.splice(first, count, ARRAY) as string[]).add(key)
  state.mode = VALUE
  scan.handler.key(key)
}
