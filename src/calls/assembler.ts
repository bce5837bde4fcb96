/**
 * Native calls: puts a provider's deltas together into the same events that a call in text becomes.
 *
 *     {index: 0, id: 'call_9', name: 'ls'}    {index: 0, arguments: '{"pa'}    {index: 0, arguments: 'th":"."}'}
 *
 * Providers agree on little more than these four fields. Each may come late, again, empty or never; several
 * calls may be open at once; and most providers never say that a call is over. So for each delta two things
 * are decided: whether it belongs to a call that is known, and whether it begins a new one in the same place.
 *
 * - A call is known by its index; without one by its id; without either it is the last one.
 * - Another id begins a new call if it comes with a name, or if the arguments so far are whole. Otherwise the
 *   provider makes up an id for every delta, and the first one counts.
 * - Another name begins a new call, and so does the same name with arguments of its own once those so far are
 *   whole. Under the same id that takes another name and whole arguments, because ids do not lie as often.
 * - Another name at the same index or id, before any arguments, may be the rest of a name that came in pieces. What was
 *   called is not certain then: the call has two names, and is invalid.
 * - After its end a call takes nothing any more: what still comes for it is a repetition.
 */

import type { JsonValue, Metadata } from '../event.ts'
import { stringify } from '../json/stringify.ts'
import { MOST_IDS } from '../limits.ts'
import type { CallHost } from './call.ts'
import { NativeCall, type NativeCallState } from './native-call.ts'

export interface CallDelta {
  readonly index?: number | null | undefined
  readonly id?: string | null | undefined
  /** The whole name. The first one that is not empty counts. */
  readonly name?: string | null | undefined
  /** The next piece of JSON text, or the whole input as a value. */
  readonly arguments?: string | object | null | undefined
  /** `arguments` repeats everything that came before. */
  readonly cumulative?: boolean | undefined
  /** The provider runs the tool itself. */
  readonly providerExecuted?: boolean | undefined
  readonly metadata?: Metadata | undefined
}

/** What the assembler needs of whoever reads the provider's stream. */
export type AssemblerHost = Omit<CallHost, 'offsetOf' | 'claimId'>

export interface AssemblerOptions {
  /**
   * A call is over as soon as its arguments are whole, and what still comes for it is passed over. For those who
   * want each call at once, and whose providers never send anything behind the arguments.
   */
  readonly endsWhole?: boolean
}

/** A call by its index, or by the id that the wire gave. */
export type CallKey = number | string

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
  private readonly endsWhole: boolean
  /** The calls that are not over, in the order they began. */
  private readonly open = new Set<Place>()
  /** Those of them whose arguments are whole: they are over as soon as another begins. */
  private readonly whole = new Set<Place>()
  private readonly byIndex = new Map<number, Place>()
  private readonly byId = new Map<string, Place>()
  private last: Place | null = null
  private readonly announced = new Set<string>()
  private collisions = 0

  constructor(host: AssemblerHost, { endsWhole = false }: AssemblerOptions = {}) {
    this.endsWhole = endsWhole
    this.host = {
      settings: host.settings,
      emit: (event) => host.emit(event),
      newId: (kind) => this.distinct(host.newId(kind)),
      claimId: () => true, // ids are made distinct when a call begins
      report: (code, message, span, id) => host.report(code, message, span, id),
      offsetOf: (index) => index,
      beforeCall: () => host.beforeCall(),
      sayText: (text) => host.sayText(text),
    }
  }

  /** Takes one delta as the provider sent it. */
  delta(delta: CallDelta): void {
    if (this.goesOn(delta)) return
    const heard = hear(delta)
    const place = this.find(heard)
    if (place === null || beginsAnew(place, heard)) {
      if (saysSomething(heard)) this.feed(this.begin(heard, place), heard)
    } else if (place.call !== null) this.feed(place, heard)
    else if (heard.text !== '')
      this.host.report('provider-payload', 'More came for a call that was over.', undefined, place.id)
  }

  /** The usual delta, which has nothing but more of a string for the call that was meant last. */
  private goesOn(delta: CallDelta): boolean {
    const { last } = this
    return (
      last?.call != null &&
      delta.index === last.index &&
      typeof delta.arguments === 'string' &&
      (delta.id ?? delta.name ?? delta.cumulative ?? delta.providerExecuted ?? delta.metadata) == null &&
      last.call.goesOn(delta.arguments)
    )
  }

  /**
   * The provider says that a call is over: the one that is meant, or the last. `isCut` is as in `endAll`. `refusal`: why
   * the call is invalid, although it may be whole.
   */
  endCall(key?: CallKey, isCut = false, refusal?: string): void {
    const place = this.placeOf(key)
    if (place) this.end(place, isCut, refusal)
  }

  /** Whether a call is open of whose arguments nothing came. */
  lacksArguments(key?: CallKey): boolean {
    const call = this.placeOf(key)?.call
    return call != null && !call.hasArguments
  }

  private placeOf(key: CallKey | undefined): Place | null | undefined {
    if (typeof key === 'number') return this.byIndex.get(key)
    return typeof key === 'string' ? this.byId.get(key) : this.last
  }

  /** Something other than a call comes next: the calls whose arguments are whole are over. */
  endWhole(): void {
    for (const place of this.whole) this.end(place)
  }

  /**
   * The response is over, and with it every call. `isCut`: it broke off, so a call of which no arguments came
   * may have had some, and is truncated.
   */
  endAll(isCut = false): void {
    for (const place of this.open) this.end(place, isCut)
    this.byIndex.clear()
    this.byId.clear()
    this.last = null
  }

  // ── which call is meant ────────────────────────────────────────────────────────────────────────

  private find({ index, id, name }: Heard): Place | null {
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

  /** A new call, in the place of another where it takes that one's index. */
  private begin({ index, id }: Heard, before: Place | null): Place {
    if (before !== null && before.index === index && index !== null) this.end(before)
    this.endWhole()
    // Without an index and an id nothing could reach it any more.
    if (this.last !== null && this.last.index === null && this.last.wireId === '') this.end(this.last)
    const place: Place = {
      index,
      wireId: id,
      name: '',
      id: '',
      call: new NativeCall(this.host, this.endsWhole),
    }
    this.open.add(place)
    if (index !== null) remember(this.byIndex, index, place)
    if (id !== '') remember(this.byId, id, place)
    return place
  }

  // ── what is done with it ───────────────────────────────────────────────────────────────────────

  private feed(place: Place, heard: Heard): void {
    const { call } = place
    if (call === null) return
    this.last = place
    if (heard.providerExecuted) call.call.providerExecuted = true
    if (heard.metadata !== undefined) call.call.metadata = { ...call.call.metadata, ...heard.metadata }
    this.identify(place, call, heard)
    if (heard.isUnreadable) call.call.fail('unreadable-arguments', 'The arguments hold what JSON cannot.', 0)
    else if (heard.isValue) call.growWhole(heard.text)
    else call.grow(heard.text, heard.repeats)
    if (!call.isWhole) return
    if (this.endsWhole && place.name !== '' && call.isOver) this.end(place)
    else this.whole.add(place)
  }

  private identify(place: Place, call: NativeCall, { index, id, name }: Heard): void {
    if (index !== null && place.index === null) {
      place.index = index
      remember(this.byIndex, index, place)
    }
    if (id !== '' && place.wireId === '') {
      place.wireId = id
      if (!this.byId.has(id)) remember(this.byId, id, place)
      if (call.call.started) call.call.word('id', id)
    }
    if (name === '' || name === place.name) return
    call.call.word('name', name)
    if (place.name !== '') return
    place.name = name
    this.announce(place, call)
  }

  private announce(place: Place, call: NativeCall): void {
    const hasRoom = this.announced.size < MOST_IDS
    const isTaken = !hasRoom || this.announced.has(place.wireId)
    if (!isTaken) call.call.word('id', place.wireId)
    call.announce()
    if (isTaken) call.call.word('id', place.wireId)
    place.id = call.call.id
    if (hasRoom) this.announced.add(place.id)
  }

  private end(place: Place, isCut = false, refusal?: string): void {
    const { call } = place
    if (call === null) return
    place.call = null
    this.open.delete(place)
    this.whole.delete(place)
    if (this.last === place && place.index === null) this.last = null
    if (place.name === '') {
      if (place.wireId === '' && !call.hasArguments) return
      this.announce(place, call)
      call.call.fail('no-name', 'The call has no name.', 0)
    }
    call.end(isCut, refusal)
  }

  private distinct(id: string): string {
    let distinct = id
    while (this.announced.has(distinct)) distinct = `${id}-${++this.collisions}`
    return distinct
  }

  // ── snapshots ──────────────────────────────────────────────────────────────────────────────────

  /** Everything needed to go on in another process, as plain data. */
  save(): AssemblerState {
    const places = [...new Set([...this.open, ...this.byIndex.values(), ...this.byId.values()])]
    const numberOf = new Map(places.map((place, number) => [place, number]))
    return {
      places: places.map((place) => ({ ...place, call: place.call?.save() ?? null })),
      whole: [...this.whole].map((place) => numberOf.get(place)!),
      byIndex: [...this.byIndex].map(([index, place]) => [index, numberOf.get(place)!]),
      byId: [...this.byId].map(([id, place]) => [id, numberOf.get(place)!]),
      last: this.last === null ? -1 : (numberOf.get(this.last) ?? -1),
      announced: [...this.announced],
      collisions: this.collisions,
    }
  }

  /** Goes on where a state was saved. */
  static restore(state: AssemblerState, host: AssemblerHost, options: AssemblerOptions = {}): CallAssembler {
    const assembler = new CallAssembler(host, options)
    const places = state.places.map(({ call, ...place }): Place => {
      return {
        ...place,
        call: call === null ? null : NativeCall.restore(call, assembler.host, assembler.endsWhole),
      }
    })
    for (const place of places) if (place.call !== null) assembler.open.add(place)
    for (const number of state.whole) assembler.whole.add(places[number]!)
    for (const [index, number] of state.byIndex) assembler.byIndex.set(index, places[number]!)
    for (const [id, number] of state.byId) assembler.byId.set(id, places[number]!)
    assembler.last = places[state.last] ?? null
    for (const id of state.announced) assembler.announced.add(id)
    assembler.collisions = state.collisions
    return assembler
  }
}

export interface AssemblerState {
  readonly places: readonly (Omit<Place, 'call'> & { readonly call: NativeCallState | null })[]
  /** Those whose arguments are whole, in the order in which they became so. */
  readonly whole: readonly number[]
  readonly byIndex: readonly (readonly [index: number, place: number])[]
  readonly byId: readonly (readonly [id: string, place: number])[]
  readonly last: number
  readonly announced: readonly string[]
  readonly collisions: number
}

/** Where a call stands among the others, also when it is over: what still comes for it must find it. */
interface Place {
  index: number | null
  /** The first id that the wire gave. */
  wireId: string
  name: string
  /** The id it was announced with. */
  id: string
  call: NativeCall | null
}

/** So many calls are found again when they are over; those that are open always are. */
function remember<Key>(places: Map<Key, Place>, key: Key, place: Place): void {
  places.set(key, place)
  if (places.size <= MOST_IDS) return
  const [oldest, other] = places.entries().next().value!
  places.delete(oldest)
  if (other.call !== null) places.set(oldest, other)
}

function beginsAnew(
  { call, wireId, name: known }: Place,
  { index, id, name, text, isValue }: Heard,
): boolean {
  const isSame = id !== '' && id === wireId
  const isOtherName = isOther(name, known)
  if (call === null) return isSame ? isOtherName : name !== '' || isOther(id, wireId)
  if (isOther(id, wireId)) return name !== '' || call.isWhole
  if (isOtherName) return call.isWhole || (!isSame && (call.hasArguments || index === null))
  if (name === '' || known === '' || isSame || !call.isWhole) return false
  return (isValue || beginsArguments(text)) && !call.hasReceived(text)
}

function isOther(word: string, known: string): boolean {
  return word !== '' && known !== '' && word !== known
}

function beginsArguments(text: string): boolean {
  const [first = ''] = text.trimStart()
  return first === '{' || first === '"'
}

// ── what a delta says ────────────────────────────────────────────────────────────────────────────

/** A delta without the many ways of saying nothing. */
interface Heard {
  readonly index: number | null
  readonly id: string
  readonly name: string
  readonly text: string
  /** The text is the whole input, which came as a value. */
  readonly isValue: boolean
  readonly isUnreadable: boolean
  readonly repeats: boolean
  readonly providerExecuted: boolean
  readonly metadata: Metadata | undefined
}

function hear({
  index,
  id,
  name,
  arguments: args,
  cumulative,
  providerExecuted,
  metadata,
}: CallDelta): Heard {
  const isValue = typeof args === 'object' && args !== null
  const text = isValue ? textOf(args) : typeof args === 'string' ? args : ''
  return {
    index: typeof index === 'number' ? index : null,
    id: typeof id === 'string' ? id : '',
    name: typeof name === 'string' ? name : '',
    text: text ?? '',
    isValue,
    isUnreadable: text === undefined,
    repeats: cumulative === true,
    providerExecuted: providerExecuted === true,
    metadata: metadata ?? undefined,
  }
}

function saysSomething({ id, name, text, isUnreadable }: Heard): boolean {
  return id !== '' || name !== '' || isUnreadable || text.trim() !== ''
}

/** An empty object says nothing: some providers announce a call with one and send its arguments afterwards. */
function textOf(value: object): string | undefined {
  try {
    const text = JSON.stringify(value)
    if (text.includes('null') && holdsNonFinite(value)) return undefined
    return text === '{}' ? '' : text
  } catch (error) {
    // Too deep for the platform; anything else is no JSON at all.
    return error instanceof RangeError ? stringify(value as JsonValue) : undefined
  }
}

/** Whether JSON would write a number of it as null. */
function holdsNonFinite(value: object): boolean {
  let isFound = false
  JSON.stringify(value, (_, part: unknown) => {
    if (typeof part === 'number' && !Number.isFinite(part)) isFound = true
    return part
  })
  return isFound
}
