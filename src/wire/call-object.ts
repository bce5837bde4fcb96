/**
 * Reads a call that is one JSON object.
 *
 *     {"name": "get_weather", "arguments": {"city": "Paris"}}
 *
 * It listens to the scanner until the arguments begin. Those listen for themselves, up to their end.
 */

import type { Call } from '../calls/call.ts'
import {
  type ArgumentsOwner,
  JsonArguments,
  type JsonArgumentsState,
  scannerOptions,
} from '../calls/json-arguments.ts'
import type { RepairClass } from '../event.ts'
import type { JsonErrorCode, JsonHandler, JsonRepairCode } from '../json/handler.ts'
import { JsonScanner } from '../json/scanner.ts'
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

export class CallObjectReader implements Reader, JsonHandler, ArgumentsOwner {
  private readonly scanner: JsonScanner
  private readonly keys: Keys
  private call!: Call
  private origin = -1
  /** The depth at which the call's parts are looked for. */
  private level = 1
  private field: Field = ''
  /** The key can also hold an object with the parts: `"function": {"name": …}` beside `"function": "ls"`. */
  private holdsParts = false
  private word = ''
  /** Where nothing marks a call. */
  private readonly signature: Signature | null
  /** The arguments, while they are being read. */
  private arguments: JsonArguments | null = null
  private saved: JsonArgumentsState | null = null
  /** Arguments that came before the name. While they are read, the scanner copies. */
  private early = ''
  private hasArguments = false
  private passedOver = false
  /** The name is known, and the key of the arguments has to follow it. */
  private isAwaited = false

  constructor(keys: Keys, { weak, limits }: ReaderSettings) {
    this.scanner = new JsonScanner(scannerOptions(limits))
    this.keys = keys
    this.signature = weak ? new Signature(keysOf(keys)) : null
  }

  get status(): Reader['status'] {
    const { status } = this.scanner
    return status === 'done' && !this.call.started ? 'failed' : status
  }

  read(text: string, from: number, to: number, call: Call): number {
    this.attach(call)
    if (this.origin === -1) this.origin = call.offsetOf(from)
    const start =
      this.signature === null || this.signature.isKnown
        ? from
        : this.readSignature(this.signature, text, from, to)
    return this.scanner.read(text, start, to, this.arguments ?? this)
  }

  get flow(): JsonArguments | null {
    return this.arguments
  }

  /** Where nothing marks a call, its first key must show that it is one, character by character. */
  private readSignature(signature: Signature, text: string, from: number, to: number): number {
    let at = from
    while (at < to && !signature.isKnown) {
      if (!signature.takes(text[at]!)) {
        this.refuse()
        return at
      }
      at++
    }
    if (signature.isKnown) this.scanner.read(signature.text, 0, signature.text.length, this)
    return at
  }

  private attach(call: Call): void {
    this.call = call
    if (this.saved === null) return
    this.arguments = JsonArguments.restore(this.saved, call, this.scanner, this)
    this.saved = null
  }

  end(call: Call): void {
    this.attach(call)
    this.scanner.end(this.arguments ?? this)
  }

  completion(): string {
    return this.arguments?.completion() ?? ''
  }

  // ── what the scanner finds outside of the arguments ──────────────────────────────────────────────

  /** Whether what stands inside so many containers is the value of this part of the call. */
  private isAt(field: Field, depth: number): boolean {
    return this.field === field && depth === this.level
  }

  open(container: 'object' | 'array'): void {
    const depth = this.scanner.depth - 1
    if (this.isAt('arguments', depth)) this.takeArguments()?.open(container)
    else if (container === 'array') {
      if (depth === 0) this.refuse()
      return
    } else if (depth === this.level && this.holdsParts) this.level++
    else if (this.isAt('', depth)) this.passedOver = true
    this.field = ''
  }

  openString(): void {
    const { scanner } = this
    if (this.isAt('arguments', scanner.depth)) this.takeArguments()?.openString()
    else scanner.decoding = this.isAt('name', scanner.depth) || this.isAt('id', scanner.depth)
  }

  /** From here on the arguments listen; null if they have to wait for the name. */
  private takeArguments(): JsonArguments | null {
    const { call, scanner } = this
    if (this.hasArguments) call.fail('duplicate-key', 'The call has its arguments twice.', this.origin)
    this.hasArguments = true
    if (call.started) {
      this.arguments = new JsonArguments(call, scanner, this.origin, 'source', this.level, this)
      scanner.handler = this.arguments
      return this.arguments
    }
    scanner.decoding = false
    scanner.startCopy()
    return null
  }

  argumentsEnd(): void {
    this.arguments = null
    this.field = ''
    this.scanner.handler = this
  }

  delta(text: string): void {
    this.word += text
  }

  closeString(): void {
    const { scanner } = this
    if (scanner.copying) this.earlyMayEnd(scanner.depth)
    else if (this.isAt('name', scanner.depth)) this.named(this.word)
    else if (this.isAt('id', scanner.depth)) this.call.word('id', this.word)
    scanner.decoding = false
    this.word = ''
  }

  scalar(value: number | boolean | null, raw: string): void {
    const { depth } = this.scanner
    if (this.isAt('arguments', depth)) {
      this.hasArguments = value !== null
      if (value === null) return
      if (this.call.started) this.call.jsonText(JSON.stringify(value))
      else this.early = JSON.stringify(value)
    } else if (this.isAt('name', depth)) this.refuse()
    else if (this.isAt('id', depth) && typeof value === 'number') this.call.word('id', raw)
  }

  key(key: string): void {
    if (this.scanner.depth !== this.level) return
    this.field = this.fieldOf(key)
    this.holdsParts = this.keys.within?.includes(key) === true
    if (this.isAwaited) this.begin(this.field === 'arguments')
    else if (this.field === '' && this.signature !== null && !this.call.started) this.refuse()
  }

  private fieldOf(key: string): Field {
    const { keys } = this
    if (keys.nameAsKey) {
      if (this.call.started)
        this.call.fail('duplicate-key', `The call has two names, the second is '${key}'.`, this.origin)
      else this.named(key)
      return 'arguments'
    }
    for (const field of FIELDS) {
      const own = keys[field]?.find((candidate) => candidate === key)
      if (own === undefined) continue
      if (field === 'arguments' && own !== keys.arguments?.[0])
        this.call.note('alternative-key', `'${key}' was read in place of the format's own key.`, this.origin)
      return field
    }
    return ''
  }

  duplicateKey(key: string): void {
    if (!this.scanner.copying && (this.scanner.depth !== this.level || this.fieldOf(key) === '')) return
    if (this.call.started)
      this.call.fail('duplicate-key', `The call has the key '${key}' twice.`, this.origin)
    else this.refuse()
  }

  close(): void {
    const depth = this.scanner.depth - 1
    if (this.scanner.copying) this.earlyMayEnd(depth)
    else if (depth < this.level && depth > 0) this.level--
    if (depth === 0 && this.call.started && !this.hasArguments) {
      // An object under a key that means nothing here may have been the arguments.
      if (this.passedOver) this.call.repairedJson('unknown-key', 'guess', this.origin)
      this.call.noArguments()
    }
  }

  private earlyMayEnd(depth: number): void {
    if (depth !== this.level) return
    this.scanner.stopCopy()
    this.field = ''
  }

  text(piece: string): void {
    this.early += piece
  }

  repair(code: JsonRepairCode, repairClass: RepairClass, offset: number): void {
    this.call.repairedJson(code, repairClass, this.origin + offset)
  }

  error(code: JsonErrorCode, offset: number): void {
    if (this.call.started) this.call.fail(code, `The call is not JSON (${code}).`, this.origin + offset)
  }

  /** The name is known: the call is certain, and arguments that came before it can be passed on. */
  private named(name: string): void {
    this.call.word('name', name)
    const isBare = this.signature !== null && this.level === 1 && this.early === '' && !this.hasArguments
    if (isBare && name !== '' && this.keys.needsArguments) this.isAwaited = true
    else this.begin(name !== '')
  }

  private begin(isCall: boolean): void {
    const { call, early } = this
    this.isAwaited = false
    if (!isCall || !call.start()) this.refuse()
    else if (early !== '') {
      const scanner = new JsonScanner(scannerOptions(call.limits))
      const handler = new JsonArguments(call, scanner, this.origin, 'made')
      this.early = ''
      scanner.read(early, 0, early.length, handler)
      scanner.end(handler)
    }
  }

  /** This is no call. The scanner stops right behind what it has just read. */
  private refuse(): void {
    this.scanner.status = 'failed'
  }

  // ── snapshots ────────────────────────────────────────────────────────────────────────────────────

  save() {
    const { scanner, keys, call, signature, arguments: open, saved, ...plain } = this
    return {
      plain: plain as object,
      signature: signature?.save() ?? null,
      scanner: scanner.save(),
      saved: open?.save() ?? saved,
    }
  }

  restore({ plain, signature, scanner, saved }: ReturnType<CallObjectReader['save']>): this {
    Object.assign(this, plain)
    if (signature !== null) this.signature?.restore(signature)
    this.scanner.resume(scanner)
    this.saved = saved
    return this
  }
}

/** The keys that show that an object is a call; undefined if any may. */
function keysOf(keys: Keys): readonly string[] | undefined {
  return keys.nameAsKey ? undefined : FIELDS.flatMap((field) => keys[field] ?? [])
}
