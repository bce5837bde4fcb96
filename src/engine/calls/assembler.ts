/**
 * Native calls: puts a provider's deltas together into the same events that a call in text becomes.
 *
 *     {index: 0, id: 'call_9', name: 'ls'}    {index: 0, arguments: '{"pa'}    {index: 0, arguments: 'th":"."}'}
 *
 * Providers agree on little more than these four fields. Each may come late, again, empty or never; several
 * calls may be open at once; and most providers never end a call explicitly. So for each delta two things
 * are decided: whether it belongs to a known call, and whether it begins a new call in that call's slot.
 *
 * - A call is known by its index; without one by its id; without either it is the last one.
 * - Another id begins a new call if it comes with a name, or if the arguments so far are whole. Otherwise the
 *   provider makes up an id for every delta, and the first one counts.
 * - Another name begins a new call, and so does the same name with arguments of its own once those so far are
 *   whole. Under the same id that takes another name and whole arguments, because ids do not lie as often. Where the
 *   provider ends each call by itself, neither does.
 * - Another name at the same index or id, before any arguments, may be the rest of a name that came in pieces. What was
 *   called is not certain then: the call has two names, and is invalid.
 * - After its end a call takes nothing any more: what still comes for it is a repetition.
 * - Arguments without a name belong to no call, nor do those that follow whole ones. Once there were such, a call without
 *   arguments may lack its own.
 * - A piece that could not be read may have held arguments. The call runs only if it is whole without that piece.
 */

import type { JsonValue, Metadata } from '../../base/event.ts'
import { Ids, type IdsState, idsShape } from '../../base/ids.ts'
import { MOST_IDS } from '../../base/limits.ts'
import { mergeMetadata } from '../../base/merge-metadata.ts'
import {
  type Check,
  checkedPart,
  checkedState,
  copyState,
  either,
  isBoolean,
  isCount,
  isNumber,
  isString,
  listOf,
  mapOf,
  nullable,
  recordOf,
  type Shape,
} from '../../base/plain-state.ts'
import { stringify } from '../../values/numbers/stringify.ts'
import { writeJson } from '../../values/numbers/written.ts'
import { hasRounded } from '../../values/schema/lost-numbers.ts'
import type { CallHost } from './call.ts'
import { NATIVE_CALL, NativeCall, type SavedNativeCall } from './native-call.ts'

export interface CallDelta {
  readonly index?: number | null | undefined
  readonly id?: string | null | undefined
  /** The whole name. The first one that is not empty counts. */
  readonly name?: string | null | undefined
  /** The next piece of JSON text, or the whole input as a value. A value that is no object makes the call invalid. */
  readonly arguments?: unknown
  /** `arguments` repeats everything that came before. */
  readonly cumulative?: boolean | undefined
  /** It holds something that is not known, and that may be a piece of the arguments. */
  readonly isUnread?: boolean | undefined
  /** The provider marks it as a part of the reasoning: the call may only be mentioned there. */
  readonly isInReasoning?: boolean | undefined
  /** The provider ends the call by itself: that the arguments are whole does not end it. */
  readonly hasOwnEnd?: boolean | undefined
  /** The provider runs the tool itself. */
  readonly providerExecuted?: boolean | undefined
  readonly metadata?: Metadata | undefined
}

/** What the assembler needs of its caller, which reads the provider's stream. */
export interface AssemblerHost extends Omit<CallHost, 'offsetOf' | 'claimId'> {
  /** Why a call that is whole may not run; undefined if it may. */
  refusalOf?(call: WholeInput): string | undefined
}

/** A call whose input is whole. */
export interface WholeInput {
  /** The id it was announced with. */
  readonly id: string
  /** The first id that the wire gave; empty if it gave none. */
  readonly wireId: string
  readonly index: number | null
  readonly name: string
  /** The input as it came. */
  readonly text: string
}

/** What a call needs, with ids that are distinct among the calls of this host. */
export function callHost(host: AssemblerHost, ids: Ids): CallHost {
  return {
    settings: host.settings,
    emit: (event) => host.emit(event),
    newId: (kind) => ids.use('', kind),
    claimId: (id) => ids.claim(id),
    report: (code, message, span, id) => host.report(code, message, span, id),
    offsetOf: (index) => index,
    beforeCall: () => host.beforeCall(),
    emitText: (text) => host.emitText(text),
  }
}

export interface AssemblerOptions {
  /**
   * A call is over as soon as its arguments are whole as text, and what still comes for it is passed over. For those who
   * want each call at once, and whose providers never send anything behind the arguments.
   */
  readonly endsWhole?: boolean
}

/** A call by its index, or by the id that the wire gave. */
export type CallKey = number | string

export const isCallKey: Check<CallKey> = either(isNumber, isString)

/**
 *     const calls = new CallAssembler(host)
 *     calls.delta({ index: 0, id: 'call_9', name: 'ls' })
 *     calls.delta({ index: 0, arguments: '{"path":"."}' })
 *     calls.endAll()
 *
 * The id of a call is the provider's if it came before the name did and no other call has it; otherwise one is
 * generated, and the provider's is `wireId` on the verdict.
 */
export class CallAssembler {
  private readonly host: CallHost
  private readonly refusalOf: AssemblerHost['refusalOf']
  private readonly endsWhole: boolean
  /** The calls that are not over, in the order they began. */
  private readonly open = new Set<Slot>()
  /** Those of them whose arguments are whole: they are over as soon as another begins. */
  private readonly whole = new Set<Slot>()
  private readonly byIndex = new Map<number, Slot>()
  private readonly byId = new Map<string, Slot>()
  private last: Slot | null = null
  /** Arguments came that belong to no call. */
  private isStray = false
  private readonly ids: Ids

  constructor(host: AssemblerHost, { endsWhole = false }: AssemblerOptions = {}, ids?: IdsState) {
    this.endsWhole = endsWhole
    this.ids = new Ids(() => host.newId('call'), ids)
    this.host = callHost(host, this.ids)
    this.refusalOf = (call) => host.refusalOf?.(call)
  }

  /** Takes one delta as the provider sent it. */
  delta(delta: CallDelta): void {
    if (this.continuesString(delta)) return
    const normalized = normalize(delta)
    const slot = this.find(normalized)
    if (slot === null || beginsNewCall(slot, normalized)) {
      if (!hasContent(normalized)) return
      const begun = this.begin(normalized, slot)
      // The call before it ended by itself, so this may be a piece of it, and no call without arguments.
      if (this.endsWhole && slot !== null && repeatsName(slot, normalized)) begun.call?.miss(true)
      this.feed(begun, normalized)
    } else if (slot.call !== null) this.feed(slot, normalized)
    else if (normalized.text !== '') {
      this.missStray(slot)
      this.host.report(
        'provider-payload',
        'More input arrived for a call that had ended.',
        undefined,
        slot.id,
      )
    }
  }

  /** Arguments came for a call that has no name, or is over: they may be a piece of any that is open. */
  private missStray(stray: Slot): void {
    if (stray.call === null) this.isStray = true
    for (const slot of this.open) if (slot !== stray && slot.call?.isInside) slot.call.miss(true)
  }

  /** Fast path: a delta that only continues a string of the last call. */
  private continuesString(delta: CallDelta): boolean {
    const { last } = this
    return (
      last?.call != null &&
      delta.index === last.index &&
      typeof delta.arguments === 'string' &&
      (delta.id ?? delta.name ?? delta.cumulative ?? delta.providerExecuted ?? delta.metadata) == null &&
      delta.isUnread !== true &&
      delta.isInReasoning !== true &&
      last.call.continuesString(delta.arguments)
    )
  }

  /**
   * The provider ends a call: the one with this key, or the last. `isCut` is as in `endAll`. `refusal`: why
   * the call is invalid, although it may be whole.
   */
  endCall(key?: CallKey, isCut = false, refusal?: string): void {
    const slot = this.slotOf(key)
    if (slot) this.end(slot, isCut, refusal)
  }

  /**
   * A call comes once more, with its name and all its arguments. If it is open, they go on with those that came, or
   * contradict them.
   */
  confirm(key: CallKey, name: string | undefined, args: unknown): void {
    const slot = this.slotOf(key)
    if (slot?.call != null)
      this.feed(slot, normalize({ name, arguments: args, cumulative: typeof args === 'string' }))
  }

  /** Whether a call is open that may lack arguments although the provider ends it: none came, or a value. */
  mayLackArguments(key?: CallKey): boolean {
    const call = this.slotOf(key)?.call
    return call != null && !call.showsItsEnd
  }

  private slotOf(key: CallKey | undefined): Slot | null | undefined {
    if (typeof key === 'number') return this.byIndex.get(key)
    return typeof key === 'string' ? this.byId.get(key) : this.last
  }

  /**
   * Something is missing in the stream: what is open may lack a piece, and cannot be what was meant. `over`: the calls that
   * the provider ended before, which lack nothing if they have arguments.
   */
  spoilOpen(code: string, message: string, over: ReadonlySet<CallKey | null>): void {
    for (const slot of this.open)
      if (!(slot.call?.isWhole && this.isAmong(over, slot))) slot.call?.call.fail(code, message, 0)
  }

  /**
   * Something came that is not known, and nothing says to which call it belongs: those that are open may lack their
   * arguments. `over`: the calls that the provider ended before.
   */
  missOpen(over: ReadonlySet<CallKey | null>): void {
    for (const slot of this.open) if (!this.isAmong(over, slot)) slot.call?.miss(false)
  }

  private isAmong(keys: ReadonlySet<CallKey | null>, slot: Slot): boolean {
    return [...keys].some((key) => this.slotOf(key ?? undefined) === slot)
  }

  /** Something other than a call comes next: the calls whose arguments are whole are over. */
  endWhole(): void {
    for (const slot of this.whole) this.end(slot)
  }

  /**
   * The response is over, and with it every call. `isCut`: it broke off, so a call of which no arguments came, or only
   * a value, may have had more, and is truncated.
   */
  endAll(isCut = false): void {
    for (const slot of this.open) this.end(slot, isCut)
    this.byIndex.clear()
    this.byId.clear()
    this.last = null
  }

  // ── which call a delta belongs to ────────────────────────────────────────────────────────────────────────

  private find({ index, id, name }: NormalizedDelta): Slot | null {
    const byId = id === '' ? undefined : this.byId.get(id)
    if (index === null) return byId ?? this.last
    const byIndex = this.byIndex.get(index)
    if (byIndex !== undefined) return byIndex
    // Perhaps it is the index that comes late, for a call that is known by its id or only as the last one.
    if (name !== '') return null
    if (byId !== undefined) return byId.call === null || byId.call.isWhole ? null : byId
    const { last } = this
    return last !== null && last.index === null && !isOther(id, last.wireId) ? last : null
  }

  /** A new call. One with the same index is over. */
  private begin({ index, id }: NormalizedDelta, before: Slot | null): Slot {
    if (before !== null && before.index === index && index !== null) this.end(before)
    this.endWhole()
    // Without an index and an id nothing could reach it any more.
    if (this.last !== null && this.last.index === null && this.last.wireId === '') this.end(this.last)
    const slot: Slot = {
      index,
      wireId: id,
      name: '',
      id: '',
      hasOwnEnd: false,
      call: new NativeCall(this.host, this.endsWhole),
    }
    this.open.add(slot)
    if (index !== null) remember(this.byIndex, index, slot)
    if (id !== '') remember(this.byId, id, slot)
    return slot
  }

  // ── feeding a call ───────────────────────────────────────────────────────────────────────

  private feed(slot: Slot, normalized: NormalizedDelta): void {
    const { call } = slot
    if (call === null) return
    this.last = slot
    if (normalized.hasOwnEnd) slot.hasOwnEnd = true
    if (normalized.providerExecuted) call.call.s.providerExecuted = true
    if (normalized.metadata !== undefined)
      call.call.s.metadata = mergeMetadata(call.call.s.metadata, normalized.metadata)
    // Its start says so, too.
    if (normalized.isInReasoning) call.call.standsInReasoning()
    this.identify(slot, call, normalized)
    if (normalized.isUnreadable)
      call.call.fail('unreadable-arguments', 'The arguments hold a value that JSON cannot represent.', 0)
    else if (normalized.isRounded)
      call.call.fail(
        'number',
        'The arguments hold an integer that may have lost digits before it arrived.',
        0,
      )
    else if (normalized.isValue) call.growWhole(normalized.text)
    else call.grow(normalized.text, normalized.repeats)
    if (normalized.isMisfit) call.call.fail('not-an-object', 'The arguments are not an object.', 0)
    if (normalized.isUnread) call.miss(true)
    if (normalized.text !== '' && slot.name === '') this.missStray(slot)
    if (call.isFollowed) this.isStray = true
    if (!call.isWhole) return
    if (this.endsWhole && slot.name !== '' && call.isOver) this.end(slot)
    else if (!slot.hasOwnEnd) this.whole.add(slot)
  }

  private identify(slot: Slot, call: NativeCall, { index, id, name }: NormalizedDelta): void {
    if (index !== null && slot.index === null) {
      slot.index = index
      remember(this.byIndex, index, slot)
    }
    if (id !== '' && slot.wireId === '') {
      slot.wireId = id
      if (!this.byId.has(id)) remember(this.byId, id, slot)
      if (call.call.started) call.call.word('id', id)
    }
    if (name === '' || name === slot.name) return
    call.call.word('name', name)
    if (slot.name !== '') return
    slot.name = name
    this.announce(slot, call)
  }

  private announce(slot: Slot, call: NativeCall): void {
    call.call.word('id', slot.wireId)
    call.announce()
    slot.id = call.call.id
  }

  private end(slot: Slot, isCut = false, refusal?: string): void {
    const { call } = slot
    if (call === null) return
    slot.call = null
    this.open.delete(slot)
    this.whole.delete(slot)
    if (this.last === slot && slot.index === null) this.last = null
    if (slot.name === '') {
      if (slot.wireId === '' && !call.hasArguments) return
      this.isStray ||= call.hasArguments
      this.announce(slot, call)
      call.call.fail('no-name', 'The call has no name.', 0)
    }
    const { index, wireId, id, name } = slot
    const mayLack = isCut || (!call.hasArguments && this.hasStrayArguments())
    // What the provider runs needs no leave.
    const isTheirs = call.call.s.providerExecuted
    const refusalOf = (text: string): string | undefined =>
      isTheirs ? undefined : this.refusalOf?.({ index, wireId, id, name, text })
    call.end(mayLack, (text) => refusal ?? refusalOf(text))
  }

  /** Arguments came that belong to no call, and may be those of a call that has none. */
  private hasStrayArguments(): boolean {
    if (this.isStray) return true
    for (const { name, call } of this.open) if (name === '' && call?.hasArguments) return true
    return false
  }

  // ── snapshots ──────────────────────────────────────────────────────────────────────────────────

  /** Everything needed to go on in another process, as plain data. */
  save(): JsonValue {
    const slots = [...new Set([...this.open, ...this.byIndex.values(), ...this.byId.values()])]
    const numberOf = new Map(slots.map((slot, number) => [slot, number]))
    const numbered = <Key>(map: ReadonlyMap<Key, Slot>): Map<Key, number> =>
      new Map([...map].map(([key, slot]) => [key, numberOf.get(slot)!]))
    return copyState<SavedAssembler>({
      slots: slots.map((slot) => ({ ...slot, call: slot.call?.save() ?? null })),
      whole: [...this.whole].map((slot) => numberOf.get(slot)!),
      byIndex: numbered(this.byIndex),
      byId: numbered(this.byId),
      last: this.last === null ? null : (numberOf.get(this.last) ?? null),
      isStray: this.isStray,
      ids: this.ids.state,
    })
  }

  /** Goes on where a state was saved. */
  static restore(saved: unknown, host: AssemblerHost, options: AssemblerOptions = {}): CallAssembler {
    const { slots: all, whole, byIndex, byId, last, isStray, ids } = checkedState(SAVED_ASSEMBLER, saved)
    checkedPart(numbersBelow(all.length), { whole, byIndex, byId, last })
    const assembler = new CallAssembler(host, options, ids)
    assembler.isStray = isStray
    const slots = all.map(({ call, ...slot }): Slot => {
      const restored = call && NativeCall.restore(call, assembler.host, assembler.endsWhole)
      return { ...slot, call: restored }
    })
    for (const slot of slots) if (slot.call !== null) assembler.open.add(slot)
    for (const number of whole) assembler.whole.add(slots[number]!)
    for (const [index, number] of byIndex) assembler.byIndex.set(index, slots[number]!)
    for (const [id, number] of byId) assembler.byId.set(id, slots[number]!)
    assembler.last = last === null ? null : slots[last]!
    return assembler
  }
}

/** A call among the others. Its slot remains when it is over, so that late deltas are recognized. */
interface Slot {
  index: number | null
  /** The first id that the wire gave. */
  wireId: string
  name: string
  /** The id it was announced with. */
  id: string
  hasOwnEnd: boolean
  call: NativeCall | null
}

/** Slots by their numbers. */
interface SavedSlots {
  /** Those whose arguments are whole, in the order in which they became so. */
  whole: number[]
  byIndex: Map<number, number>
  byId: Map<string, number>
  last: number | null
}

type SavedSlot = Omit<Slot, 'call'> & { call: SavedNativeCall | null }

interface SavedAssembler extends SavedSlots {
  slots: SavedSlot[]
  isStray: boolean
  ids: IdsState
}

function numbersBelow(count: number): Shape<SavedSlots> {
  const isSlot: Check<number> = (value): value is number => isCount(value) && value < count
  return {
    whole: listOf(isSlot),
    byIndex: mapOf(isNumber, isSlot),
    byId: mapOf(isString, isSlot),
    last: nullable(isSlot),
  }
}

const SLOT: Shape<SavedSlot> = {
  index: nullable(isNumber),
  wireId: isString,
  name: isString,
  id: isString,
  hasOwnEnd: isBoolean,
  call: nullable(recordOf(NATIVE_CALL)),
}

const SAVED_ASSEMBLER: Shape<SavedAssembler> = {
  ...numbersBelow(Number.POSITIVE_INFINITY),
  slots: listOf(recordOf(SLOT)),
  isStray: isBoolean,
  ids: recordOf(idsShape()),
}

/** So many calls are found again when they are over; those that are open always are. */
function remember<Key>(slots: Map<Key, Slot>, key: Key, slot: Slot): void {
  slots.set(key, slot)
  if (slots.size <= MOST_IDS) return
  const [oldest, other] = slots.entries().next().value!
  slots.delete(oldest)
  if (other.call !== null) slots.set(oldest, other)
}

function beginsNewCall(
  { call, wireId, name: known, hasOwnEnd }: Slot,
  { index, id, name, text, isValue, hasOwnEnd: isEndedApart }: NormalizedDelta,
): boolean {
  const isSame = id !== '' && id === wireId
  const isOtherName = isOther(name, known)
  if (call === null) return isSame ? isOtherName : name !== '' || isOther(id, wireId)
  if (isOther(id, wireId)) return name !== '' || call.isWhole
  if (isOtherName && (hasOwnEnd || isEndedApart)) return false
  if (isOtherName) return call.isWhole || (!isSame && (call.hasArguments || index === null))
  if (name === '' || known === '' || isSame || hasOwnEnd || !call.isWhole) return false
  return (isValue || beginsArguments(text)) && !call.hasReceived(text)
}

/** Whether a delta holds nothing but the name of a call that is known. */
function repeatsName({ wireId, name: known }: Slot, { id, name, text, isValue }: NormalizedDelta): boolean {
  return name === known && !isOther(id, wireId) && text === '' && !isValue
}

function isOther(word: string, known: string): boolean {
  return word !== '' && known !== '' && word !== known
}

function beginsArguments(text: string): boolean {
  const [first = ''] = text.trimStart()
  return first === '{' || first === '"'
}

// ── normalized deltas ────────────────────────────────────────────────────────────────────────────

/** A delta in one form: missing fields are empty, and arguments are text. */
interface NormalizedDelta {
  readonly index: number | null
  readonly id: string
  readonly name: string
  readonly text: string
  /** The text is the whole input, which came as a value. */
  readonly isValue: boolean
  readonly isUnreadable: boolean
  /** A number in it may be another one than the provider sent. */
  readonly isRounded: boolean
  /** The value is no object. */
  readonly isMisfit: boolean
  readonly repeats: boolean
  readonly isUnread: boolean
  readonly isInReasoning: boolean
  readonly hasOwnEnd: boolean
  readonly providerExecuted: boolean
  readonly metadata: Metadata | undefined
}

function normalize({
  index,
  id,
  name,
  arguments: args,
  cumulative,
  isUnread,
  isInReasoning,
  hasOwnEnd,
  providerExecuted,
  metadata,
}: CallDelta): NormalizedDelta {
  const isValue = typeof args !== 'string' && args !== undefined && args !== null
  const text = isValue ? textOf(args) : typeof args === 'string' ? args : ''
  return {
    index: isNumber(index) ? index : null,
    id: typeof id === 'string' ? id : '',
    name: typeof name === 'string' ? name : '',
    text: text ?? '',
    isValue,
    isUnreadable: text === undefined,
    isRounded: isValue && text !== undefined && hasRounded(args as JsonValue),
    isMisfit: isValue && (typeof args !== 'object' || Array.isArray(args)),
    repeats: cumulative === true,
    isUnread: isUnread === true,
    isInReasoning: isInReasoning === true,
    hasOwnEnd: hasOwnEnd === true,
    providerExecuted: providerExecuted === true,
    metadata: metadata ?? undefined,
  }
}

function hasContent({ id, name, text, isUnreadable }: NormalizedDelta): boolean {
  return id !== '' || name !== '' || isUnreadable || text.trim() !== ''
}

/** An empty object is no arguments: some providers announce a call with one and send the arguments afterwards. */
function textOf(value: unknown): string | undefined {
  try {
    const text = writeJson(value)
    if (text.includes('null') && holdsNonFinite(value)) return undefined
    return text === '{}' ? '' : text
  } catch (error) {
    // Too deep for the platform; anything else is no JSON at all.
    return error instanceof RangeError ? stringify(value as JsonValue) : undefined
  }
}

/** Whether JSON would write a number of it as null. */
function holdsNonFinite(value: unknown): boolean {
  let isFound = false
  JSON.stringify(value, (_, part: unknown) => {
    if (typeof part === 'number' && !Number.isFinite(part)) isFound = true
    return part
  })
  return isFound
}
