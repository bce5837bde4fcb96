import { DEFAULT_JSON_LIMITS, IGNORES_ALL, type JsonHandler, type JsonLimits } from './handler.ts'
import { type JsonRules, type RuleOptions, rulesOf, TOLERANT } from './rules.ts'
import { enterChunk, leaveChunk, startCopy, stopCopy } from './scan/canonical-copy.ts'
import { KEY_STRING, MAYBE_CLOSED, NUMBER, STRING } from './scan/grammar.ts'
import { ARRAY, initialState, type JsonState } from './scan/json-state.ts'
import { mayPassOn, passOn } from './scan/passing.ts'
import { isInScalar } from './scan/scalars.ts'
import { handOut, type Scan, Stop } from './scan/scan.ts'
import { commitString, flushDecoded } from './scan/strings.ts'
import { finishRoot, readNext } from './scan/structure.ts'

export type { JsonHandler } from './handler.ts'

export interface ScannerOptions extends RuleOptions {
  readonly limits?: Partial<JsonLimits>
}

/** A strict scanner, unless the options say otherwise. */
export function createScanner({ limits, ...options }: ScannerOptions): JsonScanner {
  return new JsonScanner({ ...DEFAULT_JSON_LIMITS, ...limits }, rulesOf(options))
}

/** Reads one JSON text, pushed in pieces: by default what models write, and not only what the standard allows. */
export class JsonScanner implements Scan {
  readonly limits: Readonly<JsonLimits>
  readonly rules: JsonRules
  readonly state: JsonState
  readonly markers: Scan['markers']

  handler: JsonHandler = IGNORES_ALL
  chunk = ''
  decoded = ''
  passed = ''
  unit = 0
  tokenEnd = 0
  startText = ''
  startMark = 0
  certain = ''
  mark = 0
  committed = 0
  marker = ''

  /** `state`: goes on where it stands. It is changed in place. `markers`: those around the text. */
  constructor(
    limits: Readonly<JsonLimits> = DEFAULT_JSON_LIMITS,
    rules: JsonRules = TOLERANT,
    state: JsonState = initialState(),
    markers: Scan['markers'] = null,
  ) {
    this.limits = limits
    this.rules = rules
    this.state = state
    this.markers = markers
  }

  get status(): JsonState['status'] {
    return this.state.status
  }

  /** Reads nothing more. */
  stop(): void {
    this.state.status = 'failed'
  }

  /** Open containers. While one is announced or closed it counts itself. */
  get depth(): number {
    return this.state.depth
  }

  /** Absolute offset of the announced token. */
  get tokenStart(): number {
    return this.state.tokenStart
  }

  /** Absolute offset of the next character to be read. */
  get offset(): number {
    return this.state.offset
  }

  set offset(offset: number) {
    this.state.offset = offset
  }

  /** Whether `handler.delta` is wanted; a handler may switch it inside `openString`. */
  get decoding(): boolean {
    return this.state.decoding
  }

  set decoding(decoding: boolean) {
    this.state.decoding = decoding
  }

  /** The end of the last chunk, if only the next one tells what it is. */
  get held(): string {
    return this.state.held
  }

  set held(held: string) {
    this.state.held = held
  }

  /** The end of an open comment that may become a marker; or the marker at which the text failed. */
  get undecided(): string {
    return this.marker || this.state.lookahead
  }

  /** Whether a number, a literal or an unquoted value is being read. */
  get isInScalar(): boolean {
    return isInScalar(this.state)
  }

  /**
   * Reads `text[from, to)` and returns the index after the last character taken. Stops right after the root
   * value (`done`), or at the character that made the text impossible (`failed`), which is not taken. A root
   * number or literal is complete at the first character that cannot belong to it, which is not taken either.
   */
  read(text: string, from: number, to: number, handler: JsonHandler): number {
    if (from === 0 && to === text.length && this.readPlain(text, handler)) return to
    const { state } = this
    if (state.status !== 'open' || from === to) return from
    const { held } = state
    if (held === '' && to === text.length) return this.readChunk(text, from, handler)
    const chunk = held + text.slice(from, to)
    state.held = ''
    state.offset -= held.length
    // What was held is taken, even where it fails in the text of a damaged snapshot.
    return Math.max(from, from + this.readChunk(chunk, 0, handler) - held.length)
  }

  /** No more text. A root number or literal is complete now; otherwise an open scanner means truncation. */
  end(handler: JsonHandler): void {
    if (this.status === 'open' && this.depth === 0) this.readChunk('', 0, handler)
  }

  /** Reads all that is there from `from` on. If that is nothing, the text ends here. */
  private readChunk(text: string, from: number, handler: JsonHandler): number {
    const { state } = this
    this.handler = handler
    enterChunk(this, text, from)
    state.offset -= from
    let i = from
    try {
      if (text === '') finishRoot(this)
      while (i < text.length && state.status === 'open') i = readNext(this, text, i)
    } catch (reason) {
      if (!(reason instanceof Stop)) throw reason
      i = reason.at
    }
    this.leave(i)
    return i
  }

  private leave(i: number): void {
    const { state } = this
    const { status, mode } = state
    const end = i - state.held.length
    if (status === 'open' && (mode === STRING || mode === KEY_STRING)) {
      flushDecoded(this)
      commitString(this, end)
    }
    state.offset += i
    handOut(this, leaveChunk(this, end, status !== 'open' || mode >= NUMBER))
    this.handler = IGNORES_ALL
  }

  // ── the fast path ──────────────────────────────────────────────────────────────────────────────

  /** Whether `passOn` may be tried. */
  get mayPassOn(): boolean {
    return mayPassOn(this.state) && this.limits.stringLength === Number.POSITIVE_INFINITY
  }

  /**
   * Takes a chunk that is nothing but more of the open string. Returns what there is to copy of it, or null; `passed`
   * is the same, decoded, if that is wanted.
   */
  passOn(chunk: string): string | null {
    return passOn(this, chunk)
  }

  /** Reads a chunk that is nothing but more of the open string; false, and nothing was done, if it is not. */
  private readPlain(chunk: string, handler: JsonHandler): boolean {
    const piece = this.mayPassOn ? this.passOn(chunk) : null
    if (piece === null) return false
    if (piece !== '') {
      if (this.decoding) handler.delta(this.passed)
      if (this.copying) handler.text(piece)
    }
    return true
  }

  // ── canonical text ─────────────────────────────────────────────────────────────────────────────

  /** Whether `handler.text` receives the canonical text. */
  get copying(): boolean {
    return this.state.uncertain !== null
  }

  /**
   * Copies from the start of the value that is announced, if called inside `open`, `openString` or `scalar`.
   * Before the first `read`: copies everything.
   */
  startCopy(): void {
    startCopy(this)
  }

  /** Called inside the matching close, or `scalar`: hands out the rest of that value's text and stops. */
  stopCopy(): void {
    handOut(this, stopCopy(this))
  }

  /**
   * The closers which, appended to the canonical text that was handed out, make it valid JSON. `from`: how many
   * containers were open when copying began.
   */
  completion(from = 0): string {
    if (!this.copying) return ''
    const { mode, depth, stack, top } = this.state
    let closers = mode === STRING || mode === MAYBE_CLOSED ? '"' : ''
    for (let at = top, left = depth; left > from && at >= 0; at--) {
      const mark = stack[at]
      if (typeof mark !== 'number') continue
      closers += mark === ARRAY ? ']' : '}'
      left--
    }
    return closers
  }
}
