/** Reads an answer by the types of a schema. */

import type { JsonValue } from '../../../base/event.ts'
import { Path } from '../../../base/path.ts'
import type { Change, Remark } from '../../schema/coerce-value.ts'
import type { JsonSchema } from '../../schema/json-schema.ts'
import { isSameJson, type JsonObject, setOwn } from '../../schema/json-values.ts'
import { kindsOf, STRING } from '../../schema/kinds.ts'
import type { StandardIssue } from '../../schema/standard.ts'
import type { BuilderListener, JsonBuilder } from '../builder.ts'
import { JsonDocument } from '../document.ts'
import type { JsonParserOptions } from '../json-options.ts'
import { isThere, Progress, type Reading } from '../reading.ts'
import { type ObjectOptions, parserOptions } from '../reading-options.ts'
import { Holds } from './holds.ts'
import { type TypedOptions, TypedView } from './typed-view.ts'

export class TypedReading implements Reading {
  readonly progress = new Progress()
  private readonly types: JsonSchema
  private readonly typed: TypedOptions
  private readonly options: JsonParserOptions
  private view: TypedView
  /** The whole text, if strings may have to be read again. */
  private text = ''
  private readonly mayReadAgain: boolean
  private skipped = ''
  private isEnded = false

  /** `listener` takes what is shown, in place of `progress`. */
  constructor(types: JsonSchema, options: ObjectOptions, listener?: BuilderListener) {
    const { hold = [], numbers, unwrap = false } = options
    const reading = parserOptions(options)
    this.types = types
    this.typed = { holds: Holds.of(hold), formatted: numbers === 'formatted', unwrap }
    const isText = (kindsOf(types) & STRING) !== 0
    // What was shown of the first value would be wrong if a second counted.
    this.options = { duplicateKeys: 'error', unwrapStringified: !isText, ...reading }
    this.mayReadAgain = reading.mode !== 'strict' && reading.stringClose === undefined
    this.view = this.openView(this.options, listener ?? this.progress)
  }

  private openView(options: JsonParserOptions, listener: BuilderListener): TypedView {
    const view = new TypedView(this.types, this.typed, listener)
    view.document = new JsonDocument(options, view, true)
    return view
  }

  get document(): JsonDocument {
    return this.view.document
  }

  get shown(): JsonBuilder {
    return this.view.shown
  }

  get isOver(): boolean {
    return this.document.status === 'invalid' && !this.mayReadAgain
  }

  get value(): JsonValue | undefined {
    const { shown, findings } = this.view
    return withHidden(
      shown.value,
      findings.flatMap((found) => ('hidden' in found && found.hidden) || []),
    )
  }

  /** Whether the JSON is whole, and everything that its schema declares is shown. */
  get isSound(): boolean {
    const { status } = this.document
    const hasHidden = this.view.findings.some(
      (found) => 'hidden' in found && found.hidden?.isUndeclared === false,
    )
    return (status === 'complete' || status === 'repaired') && this.issues.length === 0 && !hasHidden
  }

  get changes(): readonly Change[] {
    return this.view.findings.filter((found) => 'from' in found)
  }

  get issues(): readonly StandardIssue[] {
    const found = this.view.findings.flatMap((finding) => ('issue' in finding && finding.issue) || [])
    return [...found, ...doubtsAbout(this.document)]
  }

  skip(text: string): void {
    this.skipped = text
    this.document.passWords(text)
  }

  push(text: string): void {
    if (this.mayReadAgain) this.text += text
    if (this.document.status === 'open') this.document.push(text)
  }

  end(): void {
    if (this.isEnded) return
    this.isEnded = true
    end(this.view)
    if (this.document.status === 'invalid' && this.mayReadAgain) this.readAgain()
  }

  /**
   * Reads the text once more, with quotes that were not escaped as text. That counts if it gives an answer in which all that
   * was shown is the same, or goes on.
   *
   *     {"title": "Broken "Tiffany" lamp"}
   */
  private readAgain(): void {
    const { shown, progress } = this
    const found = new Progress()
    const again = this.openView({ ...this.options, stringClose: 'delimiter' }, found)
    again.document.passWords(this.skipped)
    again.document.push(this.text)
    end(again)
    if (
      again.document.status !== 'repaired' ||
      hidesMember(again.document) ||
      !goesOn(shown, again.shown.value)
    )
      return
    this.view = again
    for (const path of found.completed)
      if (!isThere(shown.value, path.keys.map(String), shown.openPath)) progress.end(path)
    progress.hasNews = true
  }
}

function end(view: TypedView): void {
  const { document } = view
  document.end()
  if (document.status === 'complete' || document.status === 'repaired') view.settle()
}

/** What was read with a loss, or as a text that a quote is missing of. */
function doubtsAbout({ repairs, value }: JsonDocument): StandardIssue[] {
  return repairs.flatMap(({ code, class: kind, path }) => {
    if (kind === 'lossy') return { path: path.keys, message: 'something is left out, for which dots stand' }
    const isQuoteLost = code === 'bare-string' && textAt(value, path).includes('"')
    return isQuoteLost ? { path: path.keys, message: 'a quote is missing' } : []
  })
}

/** Whether a string with quotes in it may also be a shorter one with another member behind it. */
function hidesMember({ repairs, value }: JsonDocument): boolean {
  return repairs.some(({ code, path }) => code === 'inner-quote' && MEMBER.test(textAt(value, path)))
}

/** What stands between two members: `", severity: ` */
const MEMBER = /["'”’]\s*,\s*["'“]?[\p{L}_$][\p{L}\d_$ -]{0,63}["'”]?\s{0,9}:/u

function textAt(root: JsonValue | undefined, path: Path): string {
  let value: unknown = root
  for (const key of path) value = (value as JsonObject)[key]
  return String(value)
}

/** Whether a value has all that was shown: the same, or, where it was open, more. */
function goesOn({ value: before, openPath }: JsonBuilder, after: JsonValue | undefined): boolean {
  let [was, is]: [unknown, unknown] = [before, after]
  if (was === undefined) return true
  for (const open of [...(openPath?.keys ?? []), undefined]) {
    if (typeof was !== 'object' || was === null || typeof is !== 'object' || is === null) break
    for (const [key, value] of Object.entries(was))
      if (key !== String(open) && !isSameJson(value, (is as JsonObject)[key])) return false
    if (open === undefined) return Array.isArray(was) === Array.isArray(is)
    was = (was as JsonObject)[open]
    is = (is as JsonObject)[open]
  }
  const mayGrow = openPath !== null && typeof was === 'string' && typeof is === 'string'
  return mayGrow ? (is as string).startsWith(was as string) : isSameJson(was, is)
}

/** A value with what was not shown of it. What that is in is copied, because a snapshot may have it. */
function withHidden(
  shown: JsonValue | undefined,
  found: readonly NonNullable<Remark['hidden']>[],
): JsonValue | undefined {
  // What is in something that was not shown comes behind it.
  const hidden = [...found].sort((one, other) => one.path.depth - other.path.depth)
  const root = hidden[0]?.path.parent === null ? hidden.shift()?.value : shown
  if (hidden.length === 0) return root
  const copies = new WeakSet<object>()
  const copied = (value: JsonValue | undefined): JsonObject => {
    if (typeof value === 'object' && value !== null && copies.has(value)) return value as JsonObject
    const copy = Array.isArray(value) ? [...value] : { ...(value as JsonObject) }
    copies.add(copy)
    return copy as JsonObject
  }
  const whole = copied(root)
  // Many of them may lie deep.
  const known = new Map<Path, JsonObject>([[Path.root, whole]])
  for (const { path, value } of hidden) {
    const below: Path[] = []
    let parent = path.parent!
    for (; !known.has(parent) && parent.parent !== null; parent = parent.parent) below.push(parent)
    let at = known.get(parent) ?? whole
    for (const place of below.reverse()) {
      const inner = copied(at[place.key])
      setOwn(at, String(place.key), inner)
      known.set(place, inner)
      at = inner
    }
    setOwn(at, String(path.key), value)
  }
  return whole
}
