/**
 * Reads a call that is one JSON object.
 *
 *     {"name": "get_weather", "arguments": {"city": "Paris"}}
 *
 * While its arguments are being read, all that the scanner finds goes to them.
 *
 * Nothing in the object is dropped silently. Keys beside the name are the arguments, as a guess, if there are no others:
 *
 *     {"name": "get_weather", "city": "Paris"}
 *
 * Beside arguments they make the call invalid.
 */

import type { RepairClass } from '../../base/event.ts'
import {
  isBoolean,
  isCount,
  isString,
  nullable,
  oneOf,
  recordOf,
  type Shape,
} from '../../base/plain-state.ts'
import type { JsonErrorCode, JsonHandler, JsonRepairCode } from '../../values/json/handler.ts'
import { TOLERANT } from '../../values/json/rules.ts'
import { initialState, isJsonState, type JsonState } from '../../values/json/scan/json-state.ts'
import { JsonScanner } from '../../values/json/scanner.ts'
import type { JsonSchema } from '../../values/schema/json-schema.ts'
import type { Call } from '../calls/call.ts'
import {
  JSON_ARGUMENTS,
  JsonArguments,
  type JsonArgumentsState,
  jsonArguments,
  jsonLimitsOf,
} from '../calls/json-arguments.ts'
import type { JsonFastPath } from '../calls/json-fast-path.ts'
import type { Reader, ReaderSettings } from './reader.ts'
import { newSignature, SIGNATURE, type SignatureState, takesSignature } from './signature.ts'

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

export interface CallObjectState {
  json: JsonState
  arguments: JsonArgumentsState
  /** Where nothing marks a call. */
  signature: SignatureState | null
  /** The depth at which the call's parts are looked for. */
  level: number
  field: Field
  /** The key can also hold an object with the parts: `"function": {"name": …}` beside `"function": "ls"`. */
  holdsParts: boolean
  word: string
  /** Arguments that came before the name. While they are read, the scanner copies. */
  early: string
  /** The last key at the level of the parts. */
  member: string
  /** The members that are no part of a call, as JSON text. While one of them is read, the scanner copies it. */
  others: string
  isOther: boolean
  found: Found
}

export const CALL_OBJECT: Shape<CallObjectState> = {
  json: isJsonState,
  arguments: recordOf(JSON_ARGUMENTS),
  signature: nullable(recordOf(SIGNATURE)),
  level: isCount,
  field: oneOf('', ...FIELDS),
  holdsParts: isBoolean,
  word: isString,
  early: isString,
  member: isString,
  others: isString,
  isOther: isBoolean,
  found: oneOf('nothing', 'awaited', 'open', 'taken'),
}

const begin = ({ weak }: ReaderSettings): CallObjectState => ({
  json: initialState(),
  arguments: jsonArguments('source', -1),
  signature: weak ? newSignature() : null,
  level: 1,
  field: '',
  holdsParts: false,
  word: '',
  early: '',
  member: '',
  others: '',
  isOther: false,
  found: 'nothing',
})

export class CallObjectReader implements Reader<CallObjectState>, JsonHandler {
  private readonly keys: Keys
  readonly state: CallObjectState
  private readonly scanner: JsonScanner
  private readonly arguments: JsonArguments
  /** Unknown until the first `read`. */
  private call!: Call

  constructor(keys: Keys, settings: ReaderSettings, state = begin(settings)) {
    this.keys = keys
    this.state = state
    this.scanner = new JsonScanner(jsonLimitsOf(settings.limits), TOLERANT, state.json, settings.markers)
    this.arguments = new JsonArguments(this.scanner, state.arguments)
  }

  get status(): Reader['status'] {
    const { status } = this.scanner
    return status === 'done' && !this.call.started ? 'failed' : status
  }

  get undecided(): string {
    return this.scanner.undecided
  }

  read(text: string, from: number, to: number, call: Call): number {
    const { scanner } = this
    const { signature } = this.state
    this.attach(call, from)
    if (signature === null) call.s.hasBegun = true
    let at = from
    if (signature !== null && !signature.isKnown) {
      const keys = signatureOf(this.keys)
      // Where nothing marks a call, its first key must show that it is one, character by character.
      while (at < to && !signature.isKnown) {
        if (!takesSignature(signature, keys, text[at]!)) {
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

  cutOff(call: Call): void {
    this.attach(call, 0)
    this.startUnnamed()
  }

  private attach(call: Call, from: number): void {
    this.call = call
    this.arguments.attach(call, from)
  }

  get fastPath(): JsonFastPath | null {
    return this.isReading ? this.arguments.fastPath : null
  }

  completion(): string {
    return this.isReading ? this.arguments.completion() : ''
  }

  // ── what the scanner finds ───────────────────────────────────────────────────────────────────────

  private get isReading(): boolean {
    return this.state.found === 'open'
  }

  private get origin(): number {
    return this.state.arguments.origin
  }

  /** The part of the call whose value stands inside so many containers; undefined if it is none. */
  private partAt(depth: number): Field | undefined {
    return depth === this.state.level ? this.state.field : undefined
  }

  open(container: 'object' | 'array'): void {
    const depth = this.scanner.depth - 1
    const part = this.partAt(depth)
    if (this.isReading) this.arguments.open(container)
    else if (part === 'arguments') {
      if (this.takeArguments()) this.arguments.open(container)
    } else if (depth === 0 && container === 'array') this.refuse()
    else if (part !== undefined && this.state.holdsParts && container === 'object') this.state.level++
    else if (part !== undefined) this.takeOther(part)
    this.state.field = ''
  }

  openString(): void {
    const { scanner } = this
    const part = this.partAt(scanner.depth)
    if (this.isReading) this.arguments.openString()
    else if (part === 'arguments') {
      if (this.takeArguments()) this.arguments.openString()
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
    this.state.found = call.started ? 'open' : 'taken'
    if (call.started) {
      this.state.arguments.outside = this.state.level
      return true
    }
    scanner.startCopy()
    return false
  }

  /** A value begins that is no part of a call. */
  private takeOther(part: Field): void {
    if (part === 'ignore') return
    const { member, others } = this.state
    this.state.isOther = true
    this.state.others = `${others === '' ? '' : `${others},`}${JSON.stringify(member)}:`
    this.scanner.startCopy()
  }

  /** Arguments that come a second time are passed over: someone may have acted on the first. */
  private areRepeated(): boolean {
    if (this.state.found !== 'taken') return false
    this.call.fail('duplicate-key', 'The call has its arguments twice.', this.origin)
    return true
  }

  private argumentsEnd(): void {
    this.state.found = 'taken'
    this.state.field = ''
  }

  delta(text: string): void {
    if (this.isReading) this.arguments.delta(text)
    else this.state.word += text
  }

  closeString(): void {
    const { scanner } = this
    const part = this.partAt(scanner.depth)
    if (this.isReading) {
      this.arguments.closeString()
      if (part !== undefined) this.argumentsEnd()
      return
    }
    if (scanner.copying) this.copyMayEnd(part)
    else if (part === 'name') this.named(this.state.word)
    else if (part === 'id') this.call.word(part, this.state.word)
    scanner.decoding = false
    this.state.word = ''
  }

  scalar(value: number | boolean | null, raw: string): void {
    const part = this.partAt(this.scanner.depth)
    if (this.isReading) this.arguments.scalar(value, raw)
    else if (part === undefined || (value === null && part !== '')) return
    else if (part === 'arguments') {
      if (this.areRepeated()) return
      this.state.found = 'taken'
      this.call.s.isObject = false
      if (this.call.started) this.call.jsonText(JSON.stringify(value))
      else this.state.early = JSON.stringify(value)
    } else if (part === 'name') this.refuse()
    else if (part === 'id' && typeof value === 'number') this.call.word(part, raw)
    else {
      this.takeOther(part)
      this.copyMayEnd(part)
    }
  }

  unrepresentable(value: number, raw: string): number | null {
    // What is not copied is no part of the input.
    return this.isReading || this.scanner.copying ? this.arguments.unrepresentable(value, raw) : value
  }

  key(key: string): void {
    if (this.isReading) this.arguments.key(key)
    else if (this.scanner.depth === this.state.level) this.beginPart(key)
  }

  /** The key of a part of the call. */
  private beginPart(key: string): void {
    const isType = this.state.member === '' && this.state.signature?.type !== ''
    this.state.member = key
    this.state.field = this.fieldOf(key)
    this.state.holdsParts = this.keys.within?.includes(key) === true
    if (this.state.found === 'awaited') {
      if (this.state.field === '' || this.state.field === 'arguments')
        this.start(this.state.field === 'arguments')
    } else if (this.state.field === '' && this.state.signature !== null && !this.call.started && !isType)
      this.refuse()
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
    const isArgument = takesArgument(key, call.schema)
    if (!ARGUMENTS.includes(key) || isArgument) return ''
    call.repairedJson('unknown-key', this.classOf(isArgument), this.origin)
    return 'arguments'
  }

  duplicateKey(key: string): void {
    if (this.isReading) this.arguments.duplicateKey(key)
    else if (this.scanner.copying || this.scanner.depth === this.state.level) {
      if (!this.call.started) this.refuse()
      else this.call.fail('duplicate-key', `The call has the key '${key}' twice.`, this.origin)
    }
  }

  close(): void {
    const depth = this.scanner.depth - 1
    if (this.isReading) {
      this.arguments.close()
      if (depth === this.state.level) this.argumentsEnd()
      return
    }
    if (this.scanner.copying) this.copyMayEnd(this.partAt(depth))
    else if (depth < this.state.level && depth > 0) this.state.level--
    if (depth !== 0) return
    if (this.state.found === 'awaited')
      this.start(!this.keys.needsArguments && this.fieldOf(this.state.member) === 'name')
    if (this.call.started) this.finish()
  }

  private copyMayEnd(part: Field | undefined): void {
    if (part === undefined) return
    this.scanner.stopCopy()
    this.state.field = ''
    this.state.isOther = false
  }

  /** The object is complete. What stands beside the name is the input, if nothing else is. */
  private finish(): void {
    const { call, origin } = this
    const { found, others } = this.state
    if (found === 'taken') this.passOver(membersOf(others))
    else if (others === '' || others === API_TYPE) call.noArguments()
    else {
      call.repairedJson('unknown-key', 'guess', origin)
      this.readMade(`{${others}}`)
    }
  }

  /** What stands beside arguments is left out, unless it may be one of them. */
  private passOver(members: readonly (readonly [key: string, value: unknown])[]): void {
    const { call, origin } = this
    for (const [key, value] of members) {
      if (value === null || BESIDE_ARGUMENTS.includes(key)) continue
      const isArgument = takesArgument(key, call.schema)
      if (isArgument) call.fail('unknown-key', `The call has the key '${key}' beside its arguments.`, origin)
      else call.repairedJson('unknown-key', this.classOf(isArgument), origin)
    }
  }

  /** A key that is none of the format's loses nothing if it is none of the tool's either. */
  private classOf(isArgument: boolean | undefined): RepairClass {
    return isArgument === false && this.state.signature === null ? 'lossless' : 'guess'
  }

  text(piece: string): void {
    if (this.isReading) this.arguments.text(piece)
    else if (this.state.isOther) this.state.others += piece
    else this.state.early += piece
  }

  repair(code: JsonRepairCode, repairClass: RepairClass, offset: number): void {
    this.arguments.repair(code, repairClass, offset)
  }

  error(code: JsonErrorCode, offset: number): void {
    this.call.s.hasBegun = true
    this.startUnnamed()
    if (this.call.started) this.call.fail(code, `The call is not JSON (${code}).`, this.origin + offset)
  }

  /** The name can no longer come. Behind a marker, arguments show that this is a call all the same. */
  private startUnnamed(): void {
    const { call } = this
    const { found, signature } = this.state
    if (call.started || signature !== null || found !== 'taken') return
    call.s.isUnnamed = true
    call.start()
  }

  /**
   * The name is known: the call is certain, and arguments that came before it can be passed on. Where nothing marks a
   * call and no tools are known, any object may have a name: it is a call if its arguments follow, or nothing at all.
   */
  private named(name: string): void {
    const { call, keys } = this
    const isName = call.word('name', name) && name !== ''
    const isBare = this.state.signature !== null && this.state.level === 1 && this.state.found === 'nothing'
    const mayBeAnything = keys.needsArguments || call.host.settings.tools.size === 0
    if (isBare && mayBeAnything && isName) this.state.found = 'awaited'
    else this.start(isName)
  }

  private start(isCall: boolean): void {
    const { call } = this
    const { early } = this.state
    if (this.state.found === 'awaited') this.state.found = 'nothing'
    if (!isCall || !call.start()) this.refuse()
    else if (early !== '') {
      this.state.early = ''
      this.readMade(early)
    }
  }

  /** Reads arguments that were copied. */
  private readMade(json: string): void {
    const scanner = new JsonScanner(this.scanner.limits)
    const handler = new JsonArguments(scanner, jsonArguments('made', this.origin)).attach(this.call)
    scanner.read(json, 0, json.length, handler)
    scanner.end(handler)
  }

  /** This is no call. The scanner stops right behind what it has just read. */
  private refuse(): void {
    this.scanner.stop()
  }
}

/** Members as the scanner copied them. A snapshot may hold any text in their place. */
function membersOf(others: string): readonly (readonly [key: string, value: unknown])[] {
  try {
    return Object.entries(JSON.parse(`{${others}}`))
  } catch {
    return [[others, others]]
  }
}

/**
 * Whether a tool has an argument of that name; undefined where its schema does not list them all. Looking no further keeps
 * JSON Schema out of bundles that need none.
 */
function takesArgument(key: string, schema: JsonSchema | undefined): boolean | undefined {
  if (typeof schema !== 'object' || typeof schema.properties !== 'object') return undefined
  if (Object.hasOwn(schema.properties, key)) return true
  return UNLISTED.some((keyword) => schema[keyword]) ? undefined : false
}

/** Keywords beside which a schema may have arguments that it does not list. */
const UNLISTED = [
  '$ref',
  'allOf',
  'anyOf',
  'oneOf',
  'if',
  'patternProperties',
  'additionalProperties',
] as const

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
