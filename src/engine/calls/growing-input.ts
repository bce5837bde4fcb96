/**
 * The input of a call while it is written. Each snapshot is a value of its own that never changes, and shares what is
 * complete with the ones before:
 *
 *     {"path":"a.ts","edits":["one","tw        { path: 'a.ts', edits: ['one', 'tw'] }
 *
 * It reads the JSON text of `tool-input-delta`, or `argument-*` events. A call may have both; the first kind counts.
 */

import type { ArgumentDelta, ArgumentEnd, ArgumentPath, ArgumentStart, JsonValue } from '../../base/event.ts'
import { Rope } from '../../base/rope.ts'
import { JsonBuilder } from '../../values/json/builder.ts'
import { DEFAULT_JSON_LIMITS } from '../../values/json/handler.ts'
import { STRICT_UNIQUE } from '../../values/json/rules.ts'
import { JsonScanner } from '../../values/json/scanner.ts'

export class GrowingInput {
  private readonly builder = new JsonBuilder()
  private kind: 'text' | 'arguments' | null = null
  private scanner: JsonScanner | null = null
  /** JSON text since the last snapshot. It is read only when someone wants to see the value. */
  private unread = new Rope()

  /** The next piece of the input as JSON text. */
  text(delta: string): void {
    this.kind ??= 'text'
    if (this.kind === 'text') this.unread.add(delta)
  }

  argument(event: ArgumentStart | ArgumentDelta | ArgumentEnd): void {
    this.kind ??= 'arguments'
    if (this.kind !== 'arguments') return
    if (event.type === 'argument-start') this.start(event)
    else if (!this.isOpen(event.path)) return
    else if (event.type === 'argument-delta') this.builder.append(event.delta)
    else this.end(event.value)
  }

  /** What is certain of the input; undefined as long as nothing is. */
  snapshot(): JsonValue | undefined {
    if (this.unread.length > 0) {
      const text = this.unread.toString()
      this.unread = new Rope()
      this.scanner ??= new JsonScanner(DEFAULT_JSON_LIMITS, STRICT_UNIQUE)
      if (this.scanner.status === 'open') this.scanner.read(text, 0, text.length, this.builder)
    }
    return this.builder.snapshot()
  }

  // ── arguments, in the order in which they nest; events that do not fit are passed over ──────────

  private hasRoot = false
  /** A number or a literal has begun, and its value comes with its end. */
  private awaitsScalar = false

  private start({ path, kind }: ArgumentStart): void {
    const { builder } = this
    const [first] = path
    if (!this.hasRoot) {
      this.hasRoot = true
      // The input itself has no events, unless it is a string.
      if (first !== undefined) builder.open(typeof first === 'number' ? 'array' : 'object')
    }
    if (!this.isNext(path)) return
    builder.key(String(path.at(-1) ?? ''))
    if (kind === 'scalar') this.awaitsScalar = true
    else if (kind === 'string') builder.openString()
    else builder.open(kind)
  }

  private end(value: JsonValue): void {
    const { builder } = this
    if (builder.stringPath !== null) builder.closeString()
    else if (!this.awaitsScalar) builder.close()
    else {
      this.awaitsScalar = false
      if (typeof value !== 'string' && (typeof value !== 'object' || value === null))
        builder.scalar(value, '')
    }
  }

  /** Whether a value can begin there now. */
  private isNext(path: ArgumentPath): boolean {
    const { builder } = this
    if (builder.stringPath !== null || this.awaitsScalar || path.length !== builder.containers.length)
      return false
    const top = builder.containers.at(-1)
    const key = path.at(-1)
    return top === undefined || (Array.isArray(top) ? key === top.length : typeof key === 'string')
  }

  /** Whether the innermost open value stands there. */
  private isOpen(path: ArgumentPath): boolean {
    const open = this.awaitsScalar ? this.builder.nextPath : this.builder.openPath
    return open !== null && open.depth === path.length && (open.depth === 0 || open.key === path.at(-1))
  }
}
