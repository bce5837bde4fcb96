/**
 * An answer in the types of its schema, while it is written. Listens to the values as they are written, and builds the ones
 * that the schema means:
 *
 *     {"Severity": "High", "days": "3", "title": "Broken la|
 *     {"severity": "high", "days":  3,  "title": "Broken la"}
 *
 * An object, a list or a string appears at its beginning if it can only become what the schema wants there; any other value
 * is held until it is complete, then converted, and shown if it fits. So nothing that was shown changes.
 */

import type { ArgumentKind, JsonValue } from '../../../base/event.ts'
import type { Path } from '../../../base/path.ts'
import { isHeld } from '../../numbers/exact.ts'
import { saysAll } from '../../numbers/written.ts'
import { Coercion } from '../../schema/coerce-value.ts'
import { isSchemaObject, type JsonSchema, list, resolve } from '../../schema/json-schema.ts'
import { ARRAY, kindOfValue, OBJECT, STRING } from '../../schema/kinds.ts'
import { Lenient, type LenientOptions } from '../../schema/lenient.ts'
import { type BuilderListener, JsonBuilder } from '../builder.ts'
import type { DocumentListener, JsonDocument } from '../document.ts'
import type { Holds } from './holds.ts'

export interface TypedOptions extends LenientOptions {
  readonly holds: Holds
}

/** Where the next value stands: what its schema is, and what is held there. */
interface Place {
  readonly schema: JsonSchema | undefined
  readonly holds: Holds
}

/** An open container that is shown. */
interface Frame extends Place {
  readonly schema: JsonSchema
  /** The keys as they were written, by the names that they were read as; only of an object. */
  readonly keys: Map<string, string> | null
  /** Of a list: where its items stand, if they are all alike. */
  readonly items: Place | null
  /** How many items of a list were not shown, and with one all that follow. */
  hidden: number
}

/** What a value may be shown as while it grows; null: nothing. */
type Shape = JsonSchema | null

export class TypedView implements DocumentListener {
  /** What is shown. */
  readonly shown: JsonBuilder
  /** Who tells the values as they are written. */
  document!: JsonDocument

  private readonly lenient: Lenient
  private readonly coercion: Coercion
  private readonly options: TypedOptions
  private readonly root: JsonSchema
  private readonly frames: Frame[] = []
  private readonly objects = new WeakMap<object, Shape>()
  private readonly lists = new WeakMap<object, Shape>()
  /** Where the next value stands; null: it is not shown, because its key is not declared. */
  private next: Place | null
  /** How many values of those that are held are open. */
  private held = 0
  /** Where the value of an undeclared key stands. */
  private undeclared: Path | null = null
  /** A string whose end is certain only with what follows it: the one that is shown, or one that is held. */
  private ending: { readonly held: JsonValue | undefined } | null = null
  /** A number with more digits than a number keeps, in what is held. */
  private lost: string | null = null
  /** The answer has begun, and its first key tells whether it is only wrapped around the answer. */
  private isUndecided = false

  constructor(root: JsonSchema, options: TypedOptions, listener: BuilderListener) {
    this.root = root
    this.options = options
    this.shown = new JsonBuilder(listener)
    this.lenient = new Lenient(options)
    this.coercion = new Coercion(root, {}, this.lenient)
    this.lenient.join(this.coercion)
    this.next = { schema: root, holds: options.holds }
  }

  /** What was changed, what is not shown, and why the answer cannot be accepted. */
  get findings(): Coercion['changes'] {
    return this.coercion.changes
  }

  // ── what was written ───────────────────────────────────────────────────────────────────────────

  start(_path: Path, kind: ArgumentKind): void {
    this.settle()
    if (this.held > 0) {
      this.held++
      return
    }
    const place = this.place()
    const isHeld = place === null || this.isHeld(place, kind)
    const shape = isHeld ? null : this.shapeOf(place.schema, kind)
    if (shape === null) this.held = 1
    else if (kind === 'string') this.shown.openString()
    else if (kind !== 'object' || this.frames.length > 0 || !this.options.unwrap) this.open(kind, shape)
    else this.isUndecided = true
  }

  key(path: Path): void {
    this.settle()
    if (this.isUndecided) this.decide(path.key as string)
    const frame = this.frames[this.frames.length - 1]
    if (this.held > 0 || frame === undefined || frame.keys === null) return
    const key = path.key as string
    const name = this.lenient.nameOf(frame.schema, key)
    const known = name === undefined ? undefined : frame.keys.get(name)
    this.undeclared = null
    if (name === undefined || (known !== undefined && known !== key)) {
      const place = this.shown.openPath!.child(name ?? key)
      if (name === undefined) this.undeclared = place
      else this.lenient.clash(place, key)
      this.next = null
      return
    }
    frame.keys.set(name, key)
    this.shown.key(name)
    if (name !== key && known === undefined) this.lenient.renamed(this.shown.nextPath, key)
    this.next = {
      schema: this.coercion.propertyOf(frame.schema, name),
      holds: frame.holds.below(name),
    }
  }

  delta(_path: Path, text: string): void {
    if (this.held === 0) this.shown.delta(text)
  }

  end(_path: Path, value: JsonValue): void {
    this.settle()
    if (this.isUndecided) this.decide(undefined)
    if (this.held > 1) {
      this.held--
      if (typeof value === 'number') this.look(value)
    } else if (typeof value === 'string') this.ending = { held: this.held === 1 ? value : undefined }
    else if (this.held === 1) this.release(value)
    else {
      this.shown.close()
      this.frames.pop()
    }
  }

  /** What was written last is complete: something follows that can stand there, or the text is over. */
  settle(): void {
    const { ending } = this
    if (ending === null) return
    this.ending = null
    if (ending.held === undefined) this.shown.closeString()
    else this.release(ending.held)
  }

  // ── what is shown ──────────────────────────────────────────────────────────────────────────────

  private place(): Place | null {
    const frame = this.frames[this.frames.length - 1]
    if (frame === undefined || frame.keys !== null) return this.next
    if (frame.items !== null) return frame.items
    return this.itemOf(frame.schema, frame.holds, lengthOf(this.shown) + frame.hidden)
  }

  private itemOf(schema: JsonSchema, holds: Holds, index: number): Place {
    return { schema: this.coercion.known.itemOf(schema, index), holds: holds.below(index) }
  }

  private open(kind: ArgumentKind, schema: JsonSchema): void {
    const { holds } = this.place()!
    this.shown.open(kind === 'object' ? 'object' : 'array')
    const isTuple =
      isSchemaObject(schema) && (schema.prefixItems !== undefined || Array.isArray(schema.items))
    const areAlike = kind === 'array' && !isTuple && holds.below(0) === holds
    this.frames.push({
      schema,
      holds,
      keys: kind === 'object' ? new Map() : null,
      items: areAlike ? this.itemOf(schema, holds, 0) : null,
      hidden: 0,
    })
  }

  /** The first key of the answer: it is the answer's own, or the answer is the value of that key. */
  private decide(key: string | undefined): void {
    this.isUndecided = false
    const shape = this.shapeOf(this.root, 'object') ?? true
    if (key === undefined || this.lenient.nameOf(shape, key) !== undefined) this.open('object', shape)
    else this.held = 1
  }

  private isHeld({ holds }: Place, kind: ArgumentKind): boolean {
    const frame = this.frames[this.frames.length - 1]
    return kind === 'scalar' || (frame !== undefined && (frame.hidden > 0 || holds.has(kind)))
  }

  /** What is held is complete. */
  private release(value: JsonValue): void {
    this.held = 0
    const { lenient, shown, frames } = this
    if (typeof value === 'number') this.look(value)
    const place = this.place()
    if (place !== null) {
      const frame = frames[frames.length - 1]
      const hidden = frame?.hidden ?? 0
      const path = hidden === 0 ? shown.nextPath : shown.nextPath.parent!.child(lengthOf(shown) + hidden)
      const coerced = this.typed(value, place, path)
      if (this.lost !== null && typeof coerced !== 'string') lenient.lose(path, this.lost)
      if (coerced !== undefined && hidden === 0 && this.fits(coerced, place.schema)) shown.scalar(coerced)
      else if (coerced !== undefined) {
        lenient.hide(path, coerced, false)
        if (frame?.keys === null) frame.hidden++
      }
    } else if (this.undeclared !== null) lenient.hide(this.undeclared, value, true)
    lenient.lexeme = undefined
    this.lost = null
  }

  /** Whether a value that was converted is of its type. */
  private fits(value: JsonValue, schema: JsonSchema | undefined): boolean {
    if (schema === undefined || schema === true) return true
    const { known } = this.coercion
    const isPlain = isSchemaObject(schema) && schema.anyOf === undefined && schema.oneOf === undefined
    if (!isPlain || typeof value === 'object') return this.coercion.outcomeOf(value, schema) !== 'invalid'
    const constants = known.constantsOf(schema)
    return (known.kindsOf(schema) & kindOfValue(value)) !== 0 && (constants === null || constants.has(value))
  }

  /** A number, or one in what is held, that its value may not tell. */
  private look(value: number): void {
    const { raw } = this.document
    if (saysAll(raw, value)) return
    this.lenient.lexeme = this.held > 0 ? null : raw
    if (!isHeld(raw, value)) this.lost ??= raw
  }

  /** A value in the type that its schema wants; undefined where it is left out. */
  private typed(value: JsonValue, { schema }: Place, path: Path): JsonValue | undefined {
    const { coercion } = this
    const frame = this.frames[this.frames.length - 1]
    coercion.steps = 0
    if (frame?.keys) return coercion.coerceProperty(value, frame.schema, path)
    if (schema === undefined) return value
    if (frame === undefined && this.options.unwrap) return this.unwrapped(value, schema, path)
    return coercion.coerce(value, schema, path)
  }

  /** `{"ticket": {…}}` for `{…}`. */
  private unwrapped(value: JsonValue, schema: JsonSchema, path: Path): JsonValue {
    const { coercion, lenient } = this
    const [[key, inner] = ['', null], ...others] = Array.isArray(value)
      ? []
      : Object.entries(Object(value) as Record<string, JsonValue>)
    const isWrapped =
      typeof value === 'object' && others.length === 0 && lenient.nameOf(schema, key) === undefined
    const kind = isWrapped ? kindOfValue(inner) & (OBJECT | ARRAY) : 0
    if (kind === 0) return coercion.coerce(value, schema, path)
    coercion.changes.push({ path: path.pointer, from: value, to: inner })
    return coercion.coerce(inner, schema, path)
  }

  // ── shapes ─────────────────────────────────────────────────────────────────────────────────────

  /** The schema by which a value grows, if it can only become what that schema wants. */
  private shapeOf(schema: JsonSchema | undefined, kind: ArgumentKind): Shape {
    if (schema === undefined) return true
    if (!isSchemaObject(schema)) return schema ? true : null
    if (kind === 'string') return this.growsAsText(schema) ? schema : null
    const shapes = kind === 'object' ? this.objects : this.lists
    let shape = shapes.get(schema)
    if (shape === undefined) {
      shape = this.findShape(schema, kind === 'object' ? OBJECT : ARRAY)
      shapes.set(schema, shape)
    }
    return shape
  }

  /** Whether any text is a text that the schema wants, and no constant. */
  private growsAsText(schema: JsonSchema): boolean {
    const { known } = this.coercion
    return (known.kindsOf(schema) & STRING) !== 0 && known.textsOf(schema).size === 0
  }

  /** Of a union, the only member for values of this kind. */
  private findShape(schema: JsonSchema, kind: number): Shape {
    const { known } = this.coercion
    for (let at = schema, depth = 0; depth < MAX_UNIONS; depth++) {
      const resolved = resolve(at, this.root)
      if (!isSchemaObject(resolved) || (known.kindsOf(resolved) & kind) === 0) return null
      const members = [...list(resolved.anyOf), ...list(resolved.oneOf)] as JsonSchema[]
      if (members.length === 0)
        return resolved.enum === undefined && resolved.const === undefined ? resolved : null
      const fitting = members.filter((member) => (known.kindsOf(member) & kind) !== 0)
      const isMore = resolved.properties !== undefined || resolved.items !== undefined
      if (fitting.length !== 1 || isMore) return null
      at = fitting[0]!
    }
    return null
  }
}

/** Unions in unions. */
const MAX_UNIONS = 16

/** Items of the list that is open. */
function lengthOf({ containers }: JsonBuilder): number {
  return (containers[containers.length - 1] as JsonValue[]).length
}
