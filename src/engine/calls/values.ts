/** Small things about JSON values that calls need. */

import type { JsonValue } from '../../base/event.ts'
import { isFields } from '../../base/fields.ts'
import { Path } from '../../base/path.ts'
import { type BuilderListener, JsonBuilder } from '../../values/json/builder.ts'
import { DEFAULT_JSON_LIMITS } from '../../values/json/handler.ts'
import { JsonScanner } from '../../values/json/scanner.ts'
import { parseWritten } from '../../values/numbers/written.ts'

/** The arguments of a call, one by one; an input that is no object has none. */
export function argumentsOf(input: JsonValue | undefined): [string, JsonValue][] {
  return isFields(input) ? Object.entries(input) : []
}

/** Calls a handler for a finished value as if the value had grown. No recursion: values can be deep. */
export function walkValue(path: Path, value: JsonValue, listener: BuilderListener): void {
  const open: { path: Path; value: JsonValue; entries: [string | number, JsonValue][]; next: number }[] = []
  const visit = (at: Path, what: JsonValue): void => {
    if (typeof what === 'string') {
      listener.start(at, 'string')
      if (what !== '') listener.delta(at, what)
      listener.end(at, what)
    } else if (what === null || typeof what !== 'object') {
      listener.start(at, 'scalar')
      listener.end(at, what)
    } else {
      listener.start(at, Array.isArray(what) ? 'array' : 'object')
      const entries: [string | number, JsonValue][] = Array.isArray(what)
        ? [...what.entries()]
        : Object.entries(what)
      open.push({ path: at, value: what, entries, next: 0 })
    }
  }
  visit(path, value)
  for (let top = open.at(-1); top !== undefined; top = open.at(-1)) {
    const entry = top.entries[top.next++]
    if (entry !== undefined) visit(top.path.child(entry[0]), entry[1])
    else {
      listener.end(top.path, top.value)
      open.pop()
    }
  }
}

/**
 * What keeps a value from being an argument: it is nested deeper than so many levels, or has a number that is too
 * large for JSON. A −0 in it becomes 0. No recursion: values can be deep.
 */
export function problemIn(value: JsonValue, levels: number): 'depth' | 'number' | undefined {
  let level: JsonValue[] = [value]
  for (let depth = 0; depth <= levels; depth++) {
    const next: JsonValue[] = []
    for (const one of level) {
      if (typeof one === 'number' && !Number.isFinite(one)) return 'number'
      if (one === null || typeof one !== 'object') continue
      for (const [key, inner] of Object.entries(one)) {
        if (Object.is(inner, -0)) (one as Record<string, JsonValue>)[key] = 0
        next.push(inner)
      }
    }
    if (next.length === 0) return undefined
    level = next
  }
  return 'depth'
}

/** An object or a list that is not quite JSON (`{'a': True}`), where what it means is beyond doubt. */
export function readRelaxed(text: string): JsonValue | undefined {
  const scanner = new JsonScanner({ ...DEFAULT_JSON_LIMITS, repairs: 1000 })
  const builder = new JsonBuilder()
  let isGuess = false
  builder.repair = (_code, repairClass) => {
    if (repairClass !== 'lossless') isGuess = true
  }
  builder.duplicateKey = () => {
    isGuess = true
  }
  let json = ''
  builder.text = (piece) => {
    json += piece
  }
  scanner.startCopy()
  const end = scanner.read(text, 0, text.length, builder)
  const isWhole = scanner.status === 'done' && !isGuess && text.slice(end).trim() === ''
  return isWhole ? (parseWritten(json) as JsonValue) : undefined
}

const QUOTE = 34
const BACKSLASH = 92
/** The escapes that source code is full of. Other characters that JSON escapes are rare. */
const USUAL_ESCAPES: readonly string[] = Object.assign([], {
  9: '\\t',
  10: '\\n',
  [QUOTE]: '\\"',
  [BACKSLASH]: '\\\\',
})

/** Longer text is searched with a compiled pattern, which is faster than looking at each character. */
const LONG = 16
const PLAIN = /[ !#-[\]-\ud7ff\ue000-\uffff]*/y

/** Text as it stands inside a JSON string. */
export function escaped(text: string): string {
  let done = ''
  let from = 0
  for (;;) {
    const at = endOfPlain(text, from)
    if (at === text.length) return from === 0 ? text : done + text.slice(from)
    const written = USUAL_ESCAPES[text.charCodeAt(at)]
    if (written === undefined) return JSON.stringify(text).slice(1, -1)
    done += from === at ? written : text.slice(from, at) + written
    from = at + 1
  }
}

/** Where the text ends from `from` on that is the same inside a JSON string. */
function endOfPlain(text: string, from: number): number {
  if (text.length - from > LONG) {
    PLAIN.lastIndex = from
    PLAIN.test(text)
    return PLAIN.lastIndex
  }
  let at = from
  for (; at < text.length; at++) {
    const code = text.charCodeAt(at)
    if (code < 32 || code === QUOTE || code === BACKSLASH || (code & 0xf800) === 0xd800) break
  }
  return at
}

/**
 * Where a value was cut off that some closers made whole: in the last string or container that they close.
 *
 *     {"edits":[{"path":"a"},{"path":"b      closed by      "}]}      cut off in /edits/1/path
 */
export function openPath(value: JsonValue, closers: string): Path | null {
  const isInString = closers.startsWith('"')
  let levels = closers.length - 1
  let path = Path.root
  for (let here = value; levels > 0; levels--) {
    if (typeof here !== 'object' || here === null) return null
    const keys = Object.keys(here)
    const key = keys[keys.length - 1]
    // Numbers among the keys are not in the order in which they came.
    if (key === undefined || (!Array.isArray(here) && keys.some((one) => /^\d+$/.test(one)))) return null
    path = path.child(Array.isArray(here) ? here.length - 1 : key)
    here = (here as Record<string, JsonValue>)[key]!
  }
  return isInString || path.depth > 0 ? path : null
}
