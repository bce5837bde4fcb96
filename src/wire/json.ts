/**
 * Readers for calls that are written as JSON.
 *
 *     args      {"city": "Paris"}                                    the arguments alone
 *     object    {"name": "get_weather", "arguments": {"city": …}}    the whole call
 */

import type { Call } from '../calls/call.ts'
import { JsonArguments, type JsonArgumentsState, scannerOptions } from '../calls/json-arguments.ts'
import type { RepairClass } from '../event.ts'
import type { JsonErrorCode, JsonHandler, JsonRepairCode } from '../json/handler.ts'
import { JsonScanner, type JsonScannerState } from '../json/scanner.ts'
import type { Reader, ReaderSettings, ReaderType } from './reader.ts'
import type { Node } from './template.ts'

// ── the arguments alone ──────────────────────────────────────────────────────────────────────────

class ArgumentsReader implements Reader {
  status: Reader['status'] = 'open'
  private readonly scanner: JsonScanner
  private handler: JsonArguments | null = null
  private saved: JsonArgumentsState | null = null

  constructor(scanner: JsonScanner, saved: JsonArgumentsState | null = null) {
    this.scanner = scanner
    this.saved = saved
  }

  read(text: string, from: number, to: number, call: Call): number {
    this.handler ??= this.attach(call, from)
    const at = this.scanner.read(text, from, to, this.handler)
    this.status = this.scanner.status
    return at
  }

  get flow(): JsonArguments | null {
    return this.handler
  }

  private attach(call: Call, from: number): JsonArguments {
    return this.saved === null
      ? new JsonArguments(call, this.scanner, call.offsetOf(from))
      : JsonArguments.restore(this.saved, call, this.scanner)
  }

  end(call: Call): void {
    this.handler ??= this.attach(call, 0)
    this.scanner.end(this.handler)
    this.status = this.scanner.status
  }

  completion(): string {
    return this.handler?.completion() ?? ''
  }

  save(): { scanner: JsonScannerState; handler: JsonArgumentsState | null } {
    return { scanner: this.scanner.save(), handler: this.handler?.save() ?? this.saved }
  }
}

const argumentsType: ReaderType = {
  name: 'args',
  first: '{"',
  namesCall: false,
  create: ({ limits }) => new ArgumentsReader(new JsonScanner(scannerOptions(limits))),
  restore(saved, { limits }) {
    const { scanner, handler } = saved as ReturnType<ArgumentsReader['save']>
    return new ArgumentsReader(JsonScanner.restore(scanner, scannerOptions(limits)), handler)
  },
  render: ({ input }) => JSON.stringify(input),
}

/** The arguments as a JSON object. */
export const args: Node = { kind: 'reader', type: argumentsType }

// ── the whole call ───────────────────────────────────────────────────────────────────────────────

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

type Field = '' | 'name' | 'arguments' | 'id' | 'within' | 'ignore'

class CallObjectReader implements Reader, JsonHandler {
  status: Reader['status'] = 'open'
  private readonly scanner: JsonScanner
  private readonly keys: CallObjectKeys | NameAsKey
  private readonly weak: boolean
  private call!: Call
  private origin = -1
  private depth = 0
  /** The depth at which the call's parts are looked for. */
  private level = 1
  private field: Field = ''
  /** The key can also hold an object with the parts: `"function": {"name": …}` beside `"function": "ls"`. */
  private holdsParts = false
  private word = ''
  /** Where nothing marks a call. */
  private readonly signature: Signature | null
  private handler: JsonArguments | null = null
  private savedHandler: JsonArgumentsState | null = null
  /** Arguments that came before the name. */
  private early = ''
  private isEarly = false
  private hasArguments = false
  private passedOver = false
  /** The name is known, and the key of the arguments has to follow it. */
  private isAwaited = false

  constructor(scanner: JsonScanner, keys: CallObjectKeys | NameAsKey, weak: boolean) {
    this.scanner = scanner
    this.keys = keys
    this.weak = weak
    this.signature = weak ? new Signature(keys) : null
    scanner.decoding = false
  }

  read(text: string, from: number, to: number, call: Call): number {
    this.attach(call)
    if (this.origin === -1) this.origin = call.offsetOf(from)
    const start =
      this.signature === null || this.signature.isKnown
        ? from
        : this.readSignature(this.signature, text, from, to)
    if (this.status !== 'open' || start === to) return start
    const at = this.scanner.read(text, start, to, this)
    this.settle()
    return at
  }

  get flow(): JsonArguments | null {
    return this.handler
  }

  /** Where nothing marks a call, its first key must show that it is one, character by character. */
  private readSignature(signature: Signature, text: string, from: number, to: number): number {
    let at = from
    while (at < to && !signature.isKnown) {
      if (!signature.takes(text[at]!)) {
        this.status = 'failed'
        return at
      }
      at++
    }
    if (signature.isKnown) {
      this.scanner.read(signature.text, 0, signature.text.length, this)
      this.settle()
    }
    return at
  }

  private attach(call: Call): void {
    this.call = call
    if (this.savedHandler === null) return
    this.handler = JsonArguments.restore(this.savedHandler, call, this.scanner)
    this.savedHandler = null
  }

  private settle(): void {
    this.status = this.scanner.status === 'done' && !this.call.started ? 'failed' : this.scanner.status
  }

  end(call: Call): void {
    this.attach(call)
    this.scanner.end(this)
    this.settle()
  }

  completion(): string {
    return this.handler?.completion() ?? ''
  }

  // What the scanner finds. `inArguments`: inside the value of the arguments' key.

  private get inArguments(): boolean {
    return this.handler !== null || this.isEarly
  }

  openObject(): void {
    if (this.handler !== null) this.handler.openObject()
    else if (!this.isEarly && this.beginsArguments()) this.takeArguments((handler) => handler.openObject())
    else if (this.depth === this.level && (this.field === 'within' || this.holdsParts)) this.level++
    else if (this.depth === this.level && this.field === '' && !this.isEarly) this.passedOver = true
    this.depth++
    this.field = this.inArguments ? 'arguments' : ''
  }

  openArray(): void {
    if (this.depth === 0) {
      this.refuse()
      return
    }
    if (this.handler !== null) this.handler.openArray()
    else if (!this.isEarly && this.beginsArguments()) this.takeArguments((handler) => handler.openArray())
    this.depth++
  }

  openString(): void {
    if (this.handler !== null) this.handler.openString()
    else if (!this.isEarly) {
      if (this.beginsArguments()) this.takeArguments((handler) => handler.openString())
      else {
        this.scanner.decoding = this.depth === this.level && (this.field === 'name' || this.field === 'id')
        this.word = ''
      }
    }
  }

  private beginsArguments(): boolean {
    return this.depth === this.level && this.field === 'arguments'
  }

  private takeArguments(open: (handler: JsonArguments) => void): void {
    if (this.hasArguments) this.call.fail('duplicate-key', 'The call has its arguments twice.', this.origin)
    this.hasArguments = true
    if (this.call.started) {
      this.handler = new JsonArguments(this.call, this.scanner, this.origin)
      open(this.handler)
    } else {
      this.isEarly = true
      this.scanner.decoding = false
      this.scanner.startCopy()
    }
  }

  delta(text: string): void {
    if (this.handler !== null) this.handler.delta(text)
    else this.word += text
  }

  closeString(): void {
    if (this.handler !== null) {
      this.handler.closeString()
      this.argumentsMayEnd()
    } else if (this.isEarly) this.argumentsMayEnd()
    else if (this.depth === this.level && this.field === 'name') this.named(this.word)
    else if (this.depth === this.level && this.field === 'id') this.call.word('id', this.word)
    if (this.handler === null) this.scanner.decoding = false
  }

  scalar(value: number | boolean | null, raw: string): void {
    if (this.handler !== null) this.handler.scalar(value, raw)
    else if (this.beginsArguments() && !this.isEarly) {
      this.hasArguments = value !== null
      if (value === null) return
      if (this.call.started) this.call.jsonText(JSON.stringify(value))
      else this.early = JSON.stringify(value)
    } else if (this.depth === this.level && this.field === 'name') this.refuse()
    else if (this.depth === this.level && this.field === 'id' && typeof value === 'number')
      this.call.word('id', raw)
  }

  key(key: string): void {
    if (this.handler !== null) this.handler.key(key)
    else if (!this.isEarly && this.depth === this.level) {
      this.field = this.fieldOf(key)
      this.holdsParts = !('nameAsKey' in this.keys) && (this.keys.within?.includes(key) ?? false)
      if (this.isAwaited) this.begin(this.field === 'arguments')
      else if (this.field === '' && this.weak && !this.call.started) this.refuse()
    }
  }

  private fieldOf(key: string): Field {
    const { keys } = this
    if ('nameAsKey' in keys) {
      if (this.call.started)
        this.call.fail('duplicate-key', `The call has two names, the second is '${key}'.`, this.origin)
      else this.named(key)
      return 'arguments'
    }
    for (const field of ['name', 'arguments', 'id', 'within', 'ignore'] as const) {
      const index = keys[field]?.indexOf(key) ?? -1
      if (index > 0 && field === 'arguments')
        this.call.note('alternative-key', `'${key}' was read in place of the format's own key.`, this.origin)
      if (index !== -1) return field
    }
    return ''
  }

  duplicateKey(key: string): void {
    if (this.handler !== null) this.handler.duplicateKey(key)
    else if (this.isEarly || (this.depth === this.level && this.fieldOf(key) !== '')) {
      if (this.call.started)
        this.call.fail('duplicate-key', `The call has the key '${key}' twice.`, this.origin)
      else this.refuse()
    }
  }

  closeObject(): void {
    this.close((handler) => handler.closeObject())
  }

  closeArray(): void {
    this.close((handler) => handler.closeArray())
  }

  private close(forward: (handler: JsonArguments) => void): void {
    this.depth--
    if (this.handler !== null) {
      forward(this.handler)
      this.argumentsMayEnd()
    } else if (this.isEarly) this.argumentsMayEnd()
    else if (this.depth < this.level && this.depth > 0) this.level--
    if (this.depth === 0 && this.call.started && !this.hasArguments) {
      // An object under a key that means nothing here may have been the arguments.
      if (this.passedOver) this.call.repairedJson('unknown-key', 'guess', this.origin)
      this.call.noArguments()
    }
  }

  private argumentsMayEnd(): void {
    if (this.depth !== this.level) return
    if (this.isEarly) this.scanner.stopCopy()
    this.isEarly = false
    this.handler = null
    this.field = ''
  }

  text(piece: string): void {
    if (this.isEarly) this.early += piece
    else this.call.jsonText(piece)
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
    const { keys } = this
    const isBare = this.weak && this.level === 1 && this.early === '' && !this.hasArguments
    if (isBare && name !== '' && 'needsArguments' in keys && keys.needsArguments) this.isAwaited = true
    else this.begin(name !== '')
  }

  private begin(isCall: boolean): void {
    this.isAwaited = false
    if (!isCall || !this.call.start()) {
      this.refuse()
      return
    }
    if (this.early === '') return
    const scanner = new JsonScanner(scannerOptions(this.call.limits))
    const handler = new JsonArguments(this.call, scanner, this.origin, 'made')
    const { early } = this
    this.early = ''
    scanner.read(early, 0, early.length, handler)
    scanner.end(handler)
  }

  /** This is no call. The scanner stops right behind what it has just read. */
  private refuse(): void {
    this.scanner.status = 'failed'
  }

  save() {
    const { origin, depth, level, field, holdsParts, word, early, isEarly, hasArguments, passedOver } = this
    return {
      ...{ origin, depth, level, field, holdsParts, word, early, isEarly, hasArguments, passedOver },
      isAwaited: this.isAwaited,
      signature: this.signature?.save() ?? null,
      scanner: this.scanner.save(),
      handler: this.handler?.save() ?? this.savedHandler,
    }
  }

  static restore(
    saved: ReturnType<CallObjectReader['save']>,
    keys: CallObjectKeys | NameAsKey,
    { weak, limits }: ReaderSettings,
  ): CallObjectReader {
    const { scanner, handler, signature, ...plain } = saved
    const reader = new CallObjectReader(new JsonScanner(scannerOptions(limits)), keys, weak)
    reader.scanner.resume(scanner)
    Object.assign(reader, plain)
    if (signature !== null) reader.signature?.restore(signature)
    reader.savedHandler = handler
    return reader
  }
}

/**
 * The beginning of a call that nothing marks: a brace, and a key that calls have.
 *
 *     { "na|me": "get_weather"
 */
class Signature {
  isKnown = false
  text = ''
  private readonly keys: readonly string[] | undefined
  private place: 'brace' | 'key' | 'in-key' | 'colon' = 'brace'
  private quote = ''
  private key = ''

  constructor(keys: CallObjectKeys | NameAsKey) {
    this.keys =
      'nameAsKey' in keys
        ? undefined
        : [
            ...keys.name,
            ...keys.arguments,
            ...(keys.id ?? []),
            ...(keys.within ?? []),
            ...(keys.ignore ?? []),
          ]
  }

  /** Takes a character that can stand here. */
  takes(character: string): boolean {
    this.text += character
    const isSpace = character === ' ' || character === '\n' || character === '\t' || character === '\r'
    switch (this.place) {
      case 'brace':
        this.place = 'key'
        return character === '{'
      case 'key':
        if (isSpace) return true
        this.quote = character
        this.place = 'in-key'
        return character === '"' || character === "'"
      case 'in-key':
        if (character === this.quote) {
          this.place = 'colon'
          return this.keys === undefined || this.keys.includes(this.key)
        }
        this.key += character
        return this.keys === undefined || this.keys.some((key) => key.startsWith(this.key))
      case 'colon':
        this.isKnown = character === ':'
        return isSpace || this.isKnown
    }
  }

  save() {
    const { isKnown, text, place, quote, key } = this
    return { isKnown, text, place, quote, key }
  }

  restore(saved: ReturnType<Signature['save']>): void {
    Object.assign(this, saved)
  }
}

/** A whole call as one JSON object. */
export function object(keys: CallObjectKeys | NameAsKey): Node {
  const type: ReaderType = {
    name: 'object',
    first: '{',
    namesCall: true,
    create: ({ weak, limits }) => new CallObjectReader(new JsonScanner(scannerOptions(limits)), keys, weak),
    restore: (saved, settings) =>
      CallObjectReader.restore(saved as ReturnType<CallObjectReader['save']>, keys, settings),
    render({ id, toolName, input }) {
      if ('nameAsKey' in keys) return JSON.stringify({ [toolName]: input })
      const call = { [keys.name[0]]: toolName, [keys.arguments[0]]: input }
      const [idKey] = keys.id ?? []
      const whole = idKey === undefined || id === '' ? call : { ...call, [idKey]: id }
      return JSON.stringify(keys.within?.[0] === undefined ? whole : { [keys.within[0]]: whole })
    },
    show:
      'nameAsKey' in keys
        ? '${object({ nameAsKey: true })}'
        : `\${object({ ${keys.name[0]}, ${keys.arguments[0]} })}`,
  }
  return { kind: 'reader', type }
}
