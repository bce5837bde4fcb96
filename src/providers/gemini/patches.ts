/**
 * Gemini's arguments in pieces: values with the path at which each stands. They become JSON text that only grows.
 *
 *     {"jsonPath":"$.edits[0].text","stringValue":"he","willContinue":true}     {"edits":[{"text":"he
 *     {"jsonPath":"$.edits[0].text","stringValue":"llo"}                        llo"
 *     {"jsonPath":"$.edits[1].text","numberValue":7}                            },{"text":7
 *
 * Text that was written cannot be changed. A value that comes for a place that is past makes its key a
 * duplicate, and one that cannot be placed at all leaves the text open: neither gives a call that may run.
 */

import { flag, list, optional, type StateOf } from '../../base/declared-state.ts'
import { type Fields, isFields } from '../../base/fields.ts'
import { FIXED_LIMITS } from '../../base/limits.ts'
import { either, isBoolean, isCount, isString } from '../../base/plain-state.ts'
import { escaped } from '../../engine/calls/values.ts'
import { writtenNumber } from '../../values/numbers/written.ts'

type Key = string | number

export const PATCHES = {
  /** A patch could not be placed, and the text stays open. */
  isBroken: flag,
  /** For each open object the key it is at, and for each open array the index. */
  levels: list<Key>(either(isCount, isString)),
  /** The path of the string that goes on. */
  openString: optional(isString),
}
type PatchState = StateOf<typeof PATCHES>

export class PatchWriter {
  private readonly state: PatchState

  constructor(state: PatchState) {
    this.state = state
  }

  /** The JSON text that a patch adds. */
  apply(patch: unknown): string {
    const { state } = this
    if (state.isBroken) return ''
    const added = isFields(patch) && isReadable(patch) ? this.write(patch) : undefined
    if (added === undefined) state.isBroken = true
    return added ?? ''
  }

  /** Undefined if the patch cannot be placed, or has no value. */
  private write(patch: Fields): string | undefined {
    const { state } = this
    const path = typeof patch.jsonPath === 'string' ? patch.jsonPath : ''
    const goesOn = patch.willContinue === true
    const value = patchedValue(patch)
    if (state.openString === path) return this.goOn(value ?? '', goesOn)
    if (value === undefined && !goesOn) return path === '' ? '' : undefined
    const keys = keysOf(path)
    // A string that was announced to go on has an end of its own, which did not come.
    const way = keys === undefined || state.openString !== null ? undefined : this.moveTo(keys)
    if (way === undefined) return undefined
    if (typeof value !== 'string' && value !== undefined) return `${way}${value.json}`
    state.openString = goesOn ? path : null
    return `${way}"${escaped(value ?? '')}${goesOn ? '' : '"'}`
  }

  /** What closes the arguments. Nothing, where a string was announced to go on and did not. */
  end(): string {
    const { state } = this
    if (state.isBroken || state.openString !== null) return ''
    if (state.levels.length === 0) return '{}'
    return this.closeDownTo(0)
  }

  private goOn(value: PatchedValue, goesOn: boolean): string | undefined {
    if (typeof value !== 'string') return undefined
    if (goesOn) return escaped(value)
    this.state.openString = null
    return `${escaped(value)}"`
  }

  /** Closes what the next value is not in, and opens what it is in. */
  private moveTo(keys: readonly Key[]): string | undefined {
    const { state } = this
    let shared = 0
    while (
      shared < keys.length - 1 &&
      shared < state.levels.length - 1 &&
      state.levels[shared] === keys[shared]
    )
      shared++
    let text = this.closeDownTo(shared + 1)
    for (let depth = shared; depth < keys.length; depth++) {
      const step = this.step(depth, keys[depth]!)
      if (step === undefined) return undefined
      text += step
    }
    return text
  }

  private step(depth: number, key: Key): string | undefined {
    const { state } = this
    const level = state.levels[depth]
    const isArray = typeof key === 'number'
    if (level === undefined) {
      if (isArray && key !== 0) return undefined
      state.levels.push(key)
      return isArray ? '[' : `{${JSON.stringify(key)}:`
    }
    if (typeof level !== typeof key || (isArray && key !== (level as number) + 1)) return undefined
    state.levels[depth] = key
    return isArray ? ',' : `,${JSON.stringify(key)}:`
  }

  private closeDownTo(depth: number): string {
    const { state } = this
    let text = ''
    while (state.levels.length > depth) text += typeof state.levels.pop() === 'number' ? ']' : '}'
    return text
  }
}

const FIELDS: ReadonlyMap<string, (value: unknown) => boolean> = new Map([
  ['jsonPath', isString],
  ['stringValue', isString],
  ['boolValue', isBoolean],
  ['numberValue', Number.isFinite],
  ['nullValue', () => true],
  ['willContinue', isBoolean],
])

/** Whether all of a patch is understood: the value may be under an unknown name, or be of another type. */
function isReadable(patch: Fields): boolean {
  return Object.entries(patch).every(([field, value]) => {
    const isExpected = FIELDS.get(field)
    return isExpected !== undefined && (value === undefined || value === null || isExpected(value))
  })
}

/** A string as it is, anything else as its JSON text. */
type PatchedValue = string | { readonly json: string }

function patchedValue(patch: Fields): PatchedValue | undefined {
  const { stringValue, boolValue, numberValue } = patch
  if (typeof stringValue === 'string') return stringValue
  const value = boolValue ?? numberValue
  if (value !== undefined && value !== null)
    return { json: writtenNumber(patch, 'numberValue') ?? JSON.stringify(value) }
  return 'nullValue' in patch ? { json: 'null' } : undefined
}

/** The keys of a path such as `$.a.b[0]['c d']`; undefined where it is none. */
function keysOf(path: string): Key[] | undefined {
  if (!path.startsWith('$')) return undefined
  const keys: Key[] = []
  const part = /\.([^.[\]]+)|\[(\d+)\]|\['((?:[^'\\]|\\.)*)'\]|\["((?:[^"\\]|\\.)*)"\]/y
  part.lastIndex = 1
  while (part.lastIndex < path.length && keys.length < FIXED_LIMITS.patchKeys) {
    const [, name, index, single, double] = part.exec(path) ?? []
    if (index !== undefined) keys.push(Number(index))
    else {
      const key = name ?? single?.replace(/\\(.)/g, '$1') ?? double?.replace(/\\(.)/g, '$1')
      if (key === undefined) return undefined
      keys.push(key)
    }
  }
  return keys.length === 0 || keys.length === FIXED_LIMITS.patchKeys ? undefined : keys
}
