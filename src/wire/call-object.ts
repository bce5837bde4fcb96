/**
 * Reads a call that is one JSON object.
 *
 *     {"name": "get_weather", "arguments": {"city": "Paris"}}
 *
 * While its arguments are being read, it is nothing but a reader of arguments.
 *
 * Nothing in the object is dropped silently. Keys beside the name are the arguments, as a guess, if there are no others:
 *
 *     {"name": "get_weather", "city": "Paris"}
 *
 * Beside arguments they make the call invalid.
 */

import type { Call } from '../calls/call.ts'
import { JsonArguments, jsonLimitsOf } from '../calls/json-arguments.ts'
import type { JsonFastPath } from '../calls/json-fast-path.ts'
import type { JsonErrorCode } from '../json/handler.ts'
import { JsonScanner } from '../json/scanner.ts'
import type { JsonSchema } from '../schema/json-schema.ts'
import type { Reader, ReaderSettings } from './reader.ts'
import { Signature } from './signature.ts'

export interface CallObjectKeys {
  /** The keys under which each part may stand; the first is the format's own, the others are tolerated. */
  readonly name: readonly [string, ...string[]]
  readonly arguments: readonly [string, ...string[]]
  readonly id?: readonly string[]
  /** Keys whose object holds the parts, as in `{"function": {"name": …}}`. */
  readonly within?: readonly string[]
  /** Keys that a call may have and that say nothing. Where nothing marks a call, no others may come before its name. */
  readonly ignore?: readonly string[]
  /** Where nothing marks a call, its name alone does not make one: the key of its arguments must follow it. */
  readonly needsArguments?: boolean
}

/** The name is itself the key: `{"get_weather": {"city": "Paris"}}`. */
export interface NameAsKey {
  readonly nameAsKey: true
}

const FIELDS = ['name', 'arguments', 'id', 'within', 'ignore'] as const
/** Either of them. */
type Keys = Partial<CallObjectKeys & NameAsKey>

type Field = '' | (typeof FIELDS)[number]

/** Other names that models have for the arguments. */
const ARGUMENTS: readonly string[] = ['arguments', 'parameters', 'args', 'params', 'input']
/** What APIs put beside the arguments of a call, and is none of them. */
const BESIDE_ARGUMENTS: readonly string[] = ['type', 'id', 'index']
const API_TYPE = '"type":"function"'

/** What is known of the call's arguments: */
type Found =
  | 'nothing'
  /** The name is known, and what follows it shows whether this is a call. */
  | 'awaited'
  /** They are being read. */
  | 'open'
  /** They are there, or come early: the name is not known yet. */
  | 'taken'

export class CallObjectReader extends JsonArguments implements Reader {
  private readonly keys: Keys
  /** The depth at which the call's parts are looked for. */
  private level = 1
  private field: Field = ''
  /** The key can also hold an object with the parts: `"function": {"name": …}` beside `"function": "ls"`. */
  private holdsParts = false
  private word = ''
  /** Where nothing marks a call. */
  private readonly signature: Signature | null
  /** Arguments that came before the name. While they are read, the scanner copies. */
  private early = ''
  /** The last key at the level of the parts. */
  private member = ''
  /** The members that are no part of a call, as JSON text. While one of them is read, the scanner copies it. */
  private others = ''
  private isOther = false
  /** The first of their keys that may not stand beside arguments. */
  private extra = ''
  private found: Found = 'nothing'

  constructor(keys: Keys, { weak, limits }: ReaderSettings) {
    super(null, new JsonScanner(jsonLimitsOf(limits)), -1)
    this.keys = keys
    this.signature = weak ? new Signature(signatureOf(keys)) : null
  }

  get status(): Reader['status'] {
    const { status } = this.scanner
    return status === 'done' && !this.call.started ? 'failed' : status
  }

  read(text: string, from: number, to: number, call: Call): number {
    const { signature, scanner } = this
    this.attach(call, from)
    if (signature === null) call.hasBegun = true
    let at = from
    if (signature !== null && !signature.isKnown) {
      // Where nothing marks a call, its first key must show that it is one, character by character.
      while (at < to && !signature.isKnown) {
        if (!signature.takes(text[at]!)) {
          this.refuse()
          return at
        }
        at++
      }
      if (signature.isKnown) scanner.read(signature.text, 0, signature.text.length, this)
    }
    return scanner.read(text, at, to, this)
  }

  end(call: Call): void {
    this.attach(call, 0)
    this.scanner.end(this)
  }

  /** Not before it knows its call. */
  override get fastPath(): JsonFastPath | null {
    return this.isReading && this.call !== undefined ? super.fastPath : null
  }

  override completion(): string {
    return this.isReading ? super.completion() : ''
  }

  // ── what the scanner finds ───────────────────────────────────────────────────────────────────────

  private get isReading(): boolean {
    return this.found === 'open'
  }

  protected override get outside(): number {
    return this.level
  }

  /** The part of the call whose value stands inside so many containers; undefined if it is none. */
  private partAt(depth: number): Field | undefined {
    return depth === this.level ? this.field : undefined
  }

  override open(container: 'object' | 'array'): void {
    const depth = this.scanner.depth - 1
    const part = this.partAt(depth)
    if (this.isReading) super.open(container)
    else if (part === 'arguments') {
      if (this.takeArguments()) super.open(container)
    } else if (depth === 0 && container === 'array') this.refuse()
    else if (part !== undefined && this.holdsParts && container === 'object') this.level++
    else if (part !== undefined) this.takeOther(part)
    this.field = ''
  }

  override openString(): void {
    const { scanner } = this
    const part = this.partAt(scanner.depth)
    if (this.isReading) super.openString()
    else if (part === 'arguments') {
      if (this.takeArguments()) super.openString()
    } else {
      scanner.decoding = part === 'name' || part === 'id'
      if (part !== undefined && !scanner.decoding) this.takeOther(part)
    }
  }

  /** The arguments begin. Answers whether they can be read: they have to wait for the name. */
  private takeArguments(): boolean {
    const { call, scanner } = this
    scanner.decoding = false
    if (this.areRepeated()) return false
    this.found = call.started ? 'open' : 'taken'
    if (call.started) return true
    scanner.startCopy()
    return false
  }

  /** A value begins that is no part of a call. */
  private takeOther(part: Field, isNull = false): void {
    if (part === 'ignore') return
    const { member, others } = this
    this.isOther = true
    this.others = `${others === '' ? '' : `${others},`}${JSON.stringify(member)}:`
    if (this.extra === '' && !isNull && !BESIDE_ARGUMENTS.includes(member)) this.extra = member
    this.scanner.startCopy()
  }

  /** Arguments that come a second time are passed over: someone may have acted on the first. */
  private areRepeated(): boolean {
    if (this.found !== 'taken') return false
    this.call.fail('duplicate-key', 'The call has its arguments twice.', this.origin)
    return true
  }

  protected override ended(): void {
    this.found = 'taken'
    this.field = ''
  }

  override delta(text: string): void {
    if (this.isReading) super.delta(text)
    else this.word += text
  }

  override closeString(): void {
    if (this.isReading) {
      super.closeString()
      return
    }
    const { scanner } = this
    const part = this.partAt(scanner.depth)
    if (scanner.copying) this.copyMayEnd(part)
    else if (part === 'name') this.named(this.word)
    else if (part === 'id') this.call.word(part, this.word)
    scanner.decoding = false
    this.word = ''
  }

  override scalar(value: number | boolean | null, raw: string): void {
    const part = this.partAt(this.scanner.depth)
    if (this.isReading) super.scalar(value, raw)
    else if (part === undefined || (value === null && part !== '')) return
    else if (part === 'arguments') {
      if (this.areRepeated()) return
      this.found = 'taken'
      this.call.isObject = false
      if (this.call.started) this.call.jsonText(JSON.stringify(value))
      else this.early = JSON.stringify(value)
    } else if (part === 'name') this.refuse()
    else if (part === 'id' && typeof value === 'number') this.call.word(part, raw)
    else {
      this.takeOther(part, value === null)
      this.copyMayEnd(part)
    }
  }

  override unrepresentable(value: number): number | null {
    // What is not copied is no part of the input.
    return this.isReading || this.scanner.copying ? super.unrepresentable(value) : value
  }

  override key(key: string): void {
    if (this.isReading) super.key(key)
    else if (this.scanner.depth === this.level) this.beginPart(key)
  }

  /** The key of a part of the call. */
  private beginPart(key: string): void {
    this.member = key
    this.field = this.fieldOf(key)
    this.holdsParts = this.keys.within?.includes(key) === true
    if (this.found === 'awaited') {
      if (this.field === '' || this.field === 'arguments') this.start(this.field === 'arguments')
    } else if (this.field === '' && this.signature !== null && !this.call.started) this.refuse()
  }

  private fieldOf(key: string): Field {
    const { call, keys } = this
    if (keys.nameAsKey) {
      if (call.started)
        call.fail('duplicate-key', `The call has two names, the second is '${key}'.`, this.origin)
      else this.named(key)
      return 'arguments'
    }
    const field = FIELDS.find((one) => keys[one]?.includes(key))
    if (field === 'arguments' && key !== keys.arguments?.[0])
      call.note('alternative-key', `'${key}' was read in place of the format's own key.`, this.origin)
    if (field !== undefined) return field
    if (!ARGUMENTS.includes(key) || isDeclared(key, call.schema)) return ''
    call.repairedJson('unknown-key', 'guess', this.origin)
    return 'arguments'
  }

  override duplicateKey(key: string): void {
    if (this.isReading) super.duplicateKey(key)
    else if (this.scanner.copying || this.scanner.depth === this.level) {
      if (!this.call.started) this.refuse()
      else this.call.fail('duplicate-key', `The call has the key '${key}' twice.`, this.origin)
    }
  }

  override close(): void {
    if (this.isReading) {
      super.close()
      return
    }
    const depth = this.scanner.depth - 1
    if (this.scanner.copying) this.copyMayEnd(this.partAt(depth))
    else if (depth < this.level && depth > 0) this.level--
    if (depth !== 0) return
    if (this.found === 'awaited')
      this.start(!this.keys.needsArguments && this.fieldOf(this.member) === 'name')
    if (this.call.started) this.finish()
  }

  private copyMayEnd(part: Field | undefined): void {
    if (part === undefined) return
    this.scanner.stopCopy()
    this.field = ''
    this.isOther = false
  }

  /** The object is complete. What stands beside the name is the input, if nothing else is. */
  private finish(): void {
    const { call, extra, found, others, origin } = this
    if (found === 'taken') {
      if (extra !== '')
        call.fail('unknown-key', `The call has the key '${extra}' beside its arguments.`, origin)
    } else if (others === '' || others === API_TYPE) call.noArguments()
    else {
      call.repairedJson('unknown-key', 'guess', origin)
      this.readMade(`{${others}}`)
    }
  }

  override text(piece: string): void {
    if (this.isReading) super.text(piece)
    else if (this.isOther) this.others += piece
    else this.early += piece
  }

  override error(code: JsonErrorCode, offset: number): void {
    this.call.hasBegun = true
    if (this.call.started) this.call.fail(code, `The call is not JSON (${code}).`, this.origin + offset)
  }

  /**
   * The name is known: the call is certain, and arguments that came before it can be passed on. Where nothing marks a
   * call and no tools are known, any object may have a name: it is a call if its arguments follow, or nothing at all.
   */
  private named(name: string): void {
    const { call, keys } = this
    call.word('name', name)
    const isBare = this.signature !== null && this.level === 1 && this.found === 'nothing'
    const mayBeAnything = keys.needsArguments || call.host.settings.tools.size === 0
    if (isBare && mayBeAnything && name !== '') this.found = 'awaited'
    else this.start(name !== '')
  }

  private start(isCall: boolean): void {
    const { call, early } = this
    if (this.found === 'awaited') this.found = 'nothing'
    if (!isCall || !call.start()) this.refuse()
    else if (early !== '') {
      this.early = ''
      this.readMade(early)
    }
  }

  /** Reads arguments that were copied. */
  private readMade(json: string): void {
    const scanner = new JsonScanner(this.scanner.limits)
    const handler = new JsonArguments(this.call, scanner, this.origin, 'made')
    scanner.read(json, 0, json.length, handler)
    scanner.end(handler)
  }

  /** This is no call. The scanner stops right behind what it has just read. */
  private refuse(): void {
    this.scanner.stop()
  }

  // ── snapshots ────────────────────────────────────────────────────────────────────────────────────

  override save() {
    const { call, scanner, inner, keys, signature, ...plain } = this
    return {
      ...super.save(),
      plain: plain as object,
      scanner: scanner.save(),
      signature: signature?.save() ?? null,
    }
  }

  restore(saved: ReturnType<CallObjectReader['save']>): this {
    Object.assign(this, saved.plain)
    if (saved.signature !== null) this.signature?.restore(saved.signature)
    this.scanner.resume(saved.scanner)
    return this.resume(saved)
  }
}

/** Whether a tool has an argument of that name. Looking no further keeps JSON Schema out of bundles that need none. */
function isDeclared(key: string, schema: JsonSchema | undefined): boolean {
  const properties = typeof schema === 'object' ? schema.properties : undefined
  return typeof properties === 'object' && Object.hasOwn(properties, key)
}

/** The keys that show that an object is a call; undefined if any may. Found once, because every `{` in a text asks. */
function signatureOf(keys: Keys): readonly string[] | undefined {
  if (keys.nameAsKey) return undefined
  let found = signatures.get(keys)
  if (found === undefined) {
    found = FIELDS.flatMap((field) => keys[field] ?? [])
    signatures.set(keys, found)
  }
  return found
}

const signatures = new WeakMap<Keys, readonly string[]>()
