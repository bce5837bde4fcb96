/**
 * Builds the value that a scanner describes, while it grows, with the path of each part. `value` is built in
 * place; `snapshot` gives values that never change and share what is complete.
 */

import { SluiceError } from '../../base/errors.ts'
import type { ArgumentKind, JsonValue, RepairClass } from '../../base/event.ts'
import { Path } from '../../base/path.ts'
import { isString } from '../../base/plain-state.ts'
import { Rope } from '../../base/rope.ts'
import { stringify } from '../numbers/stringify.ts'
import { DEFAULT_JSON_LIMITS, type JsonErrorCode, type JsonHandler, type JsonRepairCode } from './handler.ts'
import { JsonScanner } from './scanner.ts'

export interface BuilderListener {
  start(path: Path, kind: ArgumentKind): void
  /** Decoded text of the string at `path`. */
  delta(path: Path, text: string): void
  end(path: Path, value: JsonValue): void
}

/**
 * A builder as plain data, for `JsonBuilder.restore`: a JSON text that stops where the value does.
 *
 *     {"path":"a.rs","lines":[1,2,
 */
export type JsonBuilderState = string

export type Container = JsonValue[] | { [key: string]: JsonValue }

/**
 *     const builder = new JsonBuilder({ start() {}, delta() {}, end(path, value) { … } })
 *     scanner.read(chunk, 0, chunk.length, builder)
 *     builder.value   // what is known so far
 */
export class JsonBuilder implements JsonHandler {
  listener: BuilderListener | null

  private root: JsonValue | undefined = undefined
  /** The open containers, outermost first. */
  readonly containers: Container[] = []
  /** Of the innermost open container. */
  private path: Path = Path.root
  /** The open containers as the last snapshot has them; null when something was added since. */
  private shown: Container[] | null = null
  private pendingKey = ''

  /** Where the open string stands; null when there is none. */
  stringPath: Path | null = null
  /** The open string. */
  string = new Rope()
  /** How much of it the value holds. */
  private putLength = 0

  constructor(listener: BuilderListener | null = null) {
    this.listener = listener
  }

  /** The value so far; the same object every time, growing. Undefined until the root has begun. */
  get value(): JsonValue | undefined {
    if (this.stringPath !== null && this.string.length !== this.putLength) {
      this.putLength = this.string.length
      this.put(this.stringPath.key, this.string.toString())
    }
    return this.root
  }

  /**
   * The value so far, as one that never changes. What did not grow since the last snapshot is the same object in both:
   * only the containers that are still open are copied, and only if something was added.
   */
  snapshot(): JsonValue | undefined {
    const { value, containers } = this
    if (containers.length === 0) return value
    this.shown ??= this.copyOpen()
    return this.shown[0]
  }

  /** Where the innermost value stands that has begun and is not complete; null when there is none. */
  get openPath(): Path | null {
    return this.stringPath ?? (this.containers.length > 0 ? this.path : null)
  }

  /** Where the next value will stand: after a key, or as the next element. */
  get nextPath(): Path {
    const top = this.containers[this.containers.length - 1]
    if (top === undefined) return Path.root
    return this.path.child(Array.isArray(top) ? top.length : this.pendingKey)
  }

  open(kind: 'object' | 'array'): void {
    const container: Container = kind === 'object' ? {} : []
    const path = this.nextPath
    this.put(path.key, container)
    this.containers.push(container)
    this.path = path
    this.pendingKey = ''
    this.listener?.start(path, kind)
  }

  openString(): void {
    const path = this.nextPath
    this.put(path.key, '')
    this.stringPath = path
    this.string = new Rope()
    this.putLength = 0
    this.listener?.start(path, 'string')
  }

  delta(text: string): void {
    this.append(text)
    if (this.listener !== null && this.stringPath !== null) this.listener.delta(this.stringPath, text)
  }

  /** The same without a call of the listener. */
  append(text: string): void {
    this.string.add(text)
  }

  closeString(): void {
    const path = this.stringPath
    if (path === null) return
    const value = this.string.toString()
    if (this.putLength !== value.length) this.put(path.key, value)
    this.stringPath = null
    this.listener?.end(path, value)
  }

  close(): void {
    const container = this.containers.pop()
    if (container === undefined) return
    const path = this.path
    this.path = path.parent ?? Path.root
    this.pendingKey = ''
    const copy = this.shown?.pop()
    // Nothing was added since the last snapshot, so that its copy is the value.
    if (copy !== undefined) this.set(path.key, copy)
    this.listener?.end(path, copy ?? container)
  }

  key(key: string): void {
    this.pendingKey = key
  }

  /** A value that is there all at once. */
  scalar(value: JsonValue, _raw = ''): void {
    const path = this.nextPath
    this.put(path.key, value)
    if (this.listener === null) return
    this.listener.start(path, 'scalar')
    this.listener.end(path, value)
  }

  duplicateKey(_key: string): void {}
  text(_piece: string): void {}
  repair(_code: JsonRepairCode, _repairClass: RepairClass, _offset: number): void {}
  error(_code: JsonErrorCode, _offset: number): void {}

  save(): JsonBuilderState {
    const { stringPath, containers } = this
    const keys = (stringPath ?? this.path).keys
    let text = ''
    for (const [at, container] of containers.entries()) {
      const open = keys[at]
      const isList = Array.isArray(container)
      // What is open comes last, and once more where it stands, because an object keeps the order of its keys.
      const closed = isList
        ? container.slice(0, open as number)
        : open === undefined
          ? container
          : { ...container, [open]: 0 }
      const whole = stringify(closed)
      text += whole.slice(0, -1)
      if (whole.length > 2) text += ','
      if (!isList) text += `${JSON.stringify(open ?? this.pendingKey)}:`
    }
    if (stringPath !== null) return text + JSON.stringify(this.string.toString()).slice(0, -1)
    return containers.length > 0 || this.root === undefined ? text : stringify(this.root)
  }

  /** A builder that goes on where `state` was saved. */
  static restore(state: JsonBuilderState, listener: BuilderListener | null = null): JsonBuilder {
    const builder = new JsonBuilder()
    const scanner = new JsonScanner({ ...DEFAULT_JSON_LIMITS, depth: Number.POSITIVE_INFINITY })
    const isWhole = isString(state) && scanner.read(state, 0, state.length, builder) === state.length
    if (!isWhole)
      throw new SluiceError('invalid-snapshot', 'This snapshot is damaged: its JSON cannot be read.')
    scanner.end(builder)
    // Half a pair at the end of an open string waits for its other half, but here it was known that none follows.
    if (scanner.held !== '') builder.append(JSON.parse(`"${scanner.held}"`) as string)
    builder.listener = listener
    return builder
  }

  private put(key: string | number, value: JsonValue): void {
    // A key that is there twice may get the value that it had: the snapshot stays what it is.
    if (this.shown !== null && this.has(key, value)) return
    this.shown = null
    this.set(key, value)
  }

  private has(key: string | number, value: JsonValue): boolean {
    const top = this.containers[this.containers.length - 1]
    return (
      top !== undefined &&
      Object.hasOwn(top, key) &&
      (top as Record<string | number, JsonValue>)[key] === value
    )
  }

  private set(key: string | number, value: JsonValue): void {
    const top = this.containers[this.containers.length - 1]
    if (top === undefined) this.root = value
    else store(top, key, value)
  }

  private copyOpen(): Container[] {
    const { containers } = this
    const copies = new Array<Container>(containers.length)
    let { path } = this
    for (let at = containers.length - 1; at >= 0; at--) {
      const container = containers[at]!
      const copy = Array.isArray(container) ? container.slice() : { ...container }
      copies[at] = copy
      const inner = copies[at + 1]
      if (inner === undefined) continue
      store(copy, path.key, inner)
      path = path.parent ?? Path.root
    }
    return copies
  }
}

function store(container: Container, key: string | number, value: JsonValue): void {
  // A site that stores only in arrays is faster than one that stores in both.
  if (typeof key === 'number') (container as JsonValue[])[key] = value
  // `__proto__` and its like are data: an assignment would call a setter or meet a frozen prototype.
  else if (key in Object.prototype)
    Object.defineProperty(container, key, { value, writable: true, enumerable: true, configurable: true })
  else (container as Record<string, JsonValue>)[key] = value
}
