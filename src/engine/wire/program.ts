/**
 * A compiled dialect: a table of states, which the machine interprets. A state says where its characters go, which
 * literals lead out of it, and what happens on each of these edges.
 */

import type { DiagnosticCode } from '../../base/event.ts'
import type { OpenValueOptions, TextArguments } from '../calls/text-arguments.ts'
import type { OwnOpener } from '../calls/value-watch.ts'
import type { CallHints } from './call-hints.ts'
import type { Dialect } from './dialect.ts'
import type { Literals } from './literals.ts'
import type { Markers } from './markers.ts'
import type { ReaderType } from './reader.ts'
import type { WordRole, WordSplit } from './template.ts'

/** An operation on the way from one state to the next. */
export type Op =
  | BeginCall
  | { readonly op: 'named'; readonly name: string }
  | { readonly op: 'unnamed' }
  | { readonly op: 'certain' }
  | { readonly op: 'open-value'; readonly options: OpenValueOptions }
  /** `unpaired`: a line break before the value was taken for markup, and none stands behind the value. */
  | { readonly op: 'close-value'; readonly unpaired?: true }
  | EndCall
  /** `hasHeader`: its opener has several parts, which were read as markup. */
  | { readonly op: 'open-reasoning'; readonly hasHeader?: true }
  | { readonly op: 'close-reasoning' }
  /** The marker that closes reasoning is about to be read. */
  | { readonly op: 'reasoning-closer' }
  /** It closes nothing: what came before it was a thought that the prompt opened. */
  | { readonly op: 'unopened-closer' }
  | { readonly op: 'open-result' }
  | { readonly op: 'close-result' }
  /** A recovery was used. `inValue`: it decided what an argument's value is; `endsValue`: where it ends. */
  | {
      readonly op: 'report'
      readonly code: DiagnosticCode
      readonly inValue: boolean
      readonly endsValue?: boolean
      /** It is about markup that was dropped, of which so many of the last characters were only seen. */
      readonly seen?: number
    }
  /** Markup that means nothing is complete, and dropped. */
  | { readonly op: 'drop' }
  | { readonly op: 'stop' }
  /** Nothing more is read until the machine's owner has looked at what was found. */
  | { readonly op: 'pause' }

/** A call is over. */
export interface EndCall {
  readonly op: 'end-call'
  /**
   * It ended by a bracket of its own, which may be one too many. Where a marker should follow the bracket, the verdict
   * waits for the next character.
   */
  readonly bracket?: 'waits' | 'ends'
}

/** Another call of a section begins. `returnState`: where its source goes if it turns out to be no call. */
export interface BeginCall {
  readonly op: 'begin-call'
  returnState: ScanState | undefined
}

/** Where the characters of a scanning state go. */
export type Channel = 'text' | 'reasoning' | 'result' | 'value' | 'nowhere'

/** What an opener begins. */
export interface Construct {
  /** Its place in the program's list: what a snapshot remembers. */
  readonly index: number
  readonly kind: 'call' | 'reasoning' | 'result' | 'markup'
  readonly dialect: Dialect
  /** It begins with something that ordinary text may hold, too. */
  readonly weak: boolean
  /** It can stand anywhere, although nothing marks it. */
  readonly isLoose: boolean
  /** It can only stand where the content begins; when it fails, all of it is read again as text. */
  readonly atStart: boolean
  /** It can only stand at the start of a line of text. */
  readonly atLineStart: boolean
  /** Nothing but the name of a tool tells that it is one. */
  readonly isGuess: boolean
  /** A closer that closes nothing: it is dropped, and yet the model went on behind the call before it. */
  readonly isStray: boolean
  /** Where a call that failed after it was certain is read to its end. */
  readonly resync: ScanState | undefined
  /** The same for a call inside reasoning: where that is closed, the call is over, too. */
  readonly resyncInReasoning: ScanState | undefined
  /** What turned out to be no call is read as text to its end. */
  readonly plain: ReadState | undefined
}

/** What happens when a literal is found. */
export interface Edge {
  /** Its place in the program's list: what a snapshot remembers. */
  readonly index: number
  readonly literal: string
  /** The operations that close the call before the one that opens. */
  readonly leaving: readonly Op[]
  /** The operations before the literal and behind it. Both run only when it is found. */
  readonly before: readonly Op[]
  readonly after: readonly Op[]
  readonly next: State
  readonly opens: Construct | undefined
  /** Lookahead: how many of the literal's last characters the next state reads, too. */
  readonly back: number
  /** Other edges on the same literal; each is tried when the one before it fails. */
  readonly alternatives: readonly Edge[]
}

/** What a state does when no literal fits. */
export interface Fallback {
  /** Only if the next character is one of these; empty: any. */
  readonly first: string
  readonly ops: readonly Op[]
  readonly next: State
  readonly opens: Construct | undefined
  /** The response may end here: this fallback is taken then. `only`: and at no other time. */
  readonly atEnd: boolean | 'only'
}

interface AnyState {
  /** Its index in the table, which a snapshot holds. */
  readonly index: number
}

/**
 * Characters flow to a channel until a literal is found.
 *
 *     <parameter=path>src/ma|in.rs</parameter>
 */
export interface ScanState extends AnyState {
  readonly kind: 'scan'
  readonly channel: Channel
  /** Inside CDATA: no entity is decoded. */
  readonly verbatim: boolean
  /** The marker before reasoning or a result. */
  readonly own: OwnOpener | undefined
  /** Reasoning that a call may end: what is read behind such a call, before the reasoning goes on or is over. */
  behindCall: State | undefined
  literals: Literals
  edges: readonly Edge[]
}

/**
 * One of these literals must come here, after optional whitespace, or a fallback is taken.
 *
 *     <tool_call>  |<function=get_weather>
 */
export interface ExpectState extends AnyState {
  readonly kind: 'expect'
  space: boolean
  literals: Literals
  edges: readonly Edge[]
  fallbacks: readonly Fallback[]
}

/**
 * A short word: a name, an id, a key.
 *
 *     <function=get_we|ather>
 */
export interface WordState extends AnyState {
  readonly kind: 'word'
  readonly role: WordRole
  readonly split: WordSplit | undefined
  /** The rest of a tag's name: white space and quotes around it are no part of it. */
  readonly isInTag: boolean
  /** It may hold any character: `literals` end it, which are those of the next state and line breaks. */
  readonly isFree: boolean
  literals: Literals | undefined
  /** The characters that end it, if it is not free. */
  stops: string
  readonly next: ExpectState
}

/**
 * A reader takes the characters until it is done.
 *
 *     <tool_call>{"name": "get_we|ather"}
 */
export interface ReadState extends AnyState {
  readonly kind: 'read'
  readonly type: ReaderType
  after: Way
  /** Where a tag that closes itself leads. */
  readonly selfClosed: Way | undefined
}

export interface Way {
  readonly ops: readonly Op[]
  readonly next: State
}

export type State = ScanState | ExpectState | WordState | ReadState

export interface Program {
  readonly states: readonly State[]
  readonly constructs: readonly Construct[]
  readonly edges: readonly Edge[]
  /** Where a response begins: the content, or a state that also takes the rest of a marker that the prompt began. */
  readonly start: State
  /** Visible text. */
  readonly text: ScanState
  /** Where visible content begins: the text state, or one that also takes calls which nothing marks. */
  readonly content: State
  /** The same behind text: nothing is taken there that can only begin a response. */
  readonly laterContent: State
  /** Behind a call, where another may begin. */
  readonly afterCall: State
  /** What takes arguments one by one; absent when every dialect writes JSON. */
  readonly textArguments: typeof TextArguments | undefined
  /** Inside reasoning from the start; absent when no dialect has reasoning. */
  readonly reasoning: State | undefined
  /** White space between a call and the end of the response is markup. */
  readonly spacedCalls: boolean
  /** Closers of reasoning that are found also where nothing opened reasoning. */
  readonly strayReasoning: readonly string[]
  /** The markers of other dialects that are reported if the text holds one; null: none are. Made on first use. */
  readonly hints: () => CallHints | null
  /** Something begins only at the start of a line: a fence around code, or a call that nothing marks. */
  readonly tracksLines: boolean
  /** Tokens that no text holds. */
  readonly tokens: readonly string[]
  /** The markers that raw text must not hold. Made on first use. */
  readonly markers: () => Markers
}
