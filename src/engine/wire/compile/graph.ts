/**
 * The graph of a template: a nondeterministic automaton, whose nodes are the positions between the parts of the template.
 *
 *     <function=${name}>        literal ─► word ─► literal ─►
 *
 * `literal`, `word`, `scan` and `read` consume input. All other nodes are ε-moves, which consume nothing: `split`
 * branches, `op` does something on the way, `open`, `leave` and `interlude` are the borders of constructs. Optional
 * whitespace (`space`, `newline`) is an ε-move, too, because the state that it leads to skips it.
 */

import type { DiagnosticCode } from '../../../base/event.ts'
import type { TextArguments } from '../../calls/text-arguments.ts'
import type { OwnOpener } from '../../calls/value-watch.ts'
import type { BeginCall, Channel, Construct, Op } from '../program.ts'
import type { ReaderType } from '../reader.ts'
import type { WordRole, WordSplit } from '../template.ts'

export type GraphNode =
  | LiteralNode
  | { readonly kind: 'space'; readonly next: GraphNode }
  /** At most one line break. `isPaired`: one stands before the value that ends here. */
  | { readonly kind: 'newline'; readonly next: GraphNode; readonly isPaired?: true }
  | {
      readonly kind: 'word'
      readonly role: WordRole
      readonly split: WordSplit | undefined
      readonly isInTag: boolean | undefined
      readonly isFree: boolean | undefined
      readonly next: GraphNode
    }
  | ScanNode
  | {
      readonly kind: 'read'
      readonly type: ReaderType
      readonly next: GraphNode
      /** Where a tag that closes itself leads. */
      readonly selfClosed: GraphNode | undefined
    }
  | SplitNode
  | { readonly kind: 'op'; readonly op: Op; readonly next: GraphNode }
  | OpenNode
  /** The construct is over. `restarts`: the calls that may begin here although the call before them was not closed. */
  | { readonly kind: 'leave'; readonly to: GraphNode; readonly restarts: SplitNode }
  /** Between two calls of a section stands something that belongs to neither. `begin`: how the next call begins. */
  | { readonly kind: 'interlude'; readonly section: GraphNode; readonly begin: BeginCall }
  /** The text may end here; nothing else is taken. */
  | { readonly kind: 'end'; readonly next: GraphNode }
  /** One of these calls may begin here, behind optional whitespace; anything else is text. */
  | { readonly kind: 'entry'; readonly calls: SplitNode }

/** One of several spellings. The last `back` characters are lookahead: the next state reads them, too. */
export interface LiteralNode {
  readonly kind: 'literal'
  readonly forms: readonly string[]
  readonly back: number
  readonly next: GraphNode
}

/** Any text, up to what can follow. */
export interface ScanNode {
  readonly kind: 'scan'
  readonly channel: Channel
  readonly next: GraphNode
  readonly verbatim?: boolean
  /** The marker before the text. */
  readonly own?: OwnOpener | undefined
  /** What is read behind a call that ended this reasoning. */
  readonly behindCall?: GraphNode
  /** Literals that stop the response if they end the text. */
  readonly stops?: readonly string[]
  /** What takes the value of an argument. */
  readonly textArguments?: typeof TextArguments
}

/** Alternatives. Branches are added while the graph is built: a loop is a split that one of its branches leads back to. */
export interface SplitNode {
  readonly kind: 'split'
  readonly branches: GraphNode[]
}

/** A construct begins. The operations before this node close the call before it. */
export interface OpenNode {
  readonly kind: 'open'
  readonly opens: Construct
  readonly next: GraphNode
}

export const op = (operation: Op, next: GraphNode): GraphNode => ({ kind: 'op', op: operation, next })

export const literalNode = (forms: readonly string[], next: GraphNode, back = 0): LiteralNode => ({
  kind: 'literal',
  forms,
  back,
  next,
})

export const scanNode = (channel: Channel, next: GraphNode): ScanNode => ({ kind: 'scan', channel, next })

export const readNode = (type: ReaderType, next: GraphNode, selfClosed?: GraphNode): GraphNode => ({
  kind: 'read',
  type,
  next,
  selfClosed,
})

export const split = (...branches: GraphNode[]): SplitNode => ({ kind: 'split', branches })

/** A branch that is reported when it is taken. `isGuess`: what is skipped may have been a value. */
export const recovery = (code: DiagnosticCode, next: GraphNode, isGuess = false): GraphNode =>
  op({ op: 'report', code, inValue: isGuess }, next)

export const leaveTo = (to: GraphNode, restarts = split()): GraphNode => ({ kind: 'leave', to, restarts })

export const entry = (calls: SplitNode): GraphNode => ({ kind: 'entry', calls })
