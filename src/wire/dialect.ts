/** A dialect: how one family of models writes reasoning, calls and results as text. */

import type { Template, ToolOnTheWire } from './template.ts'

/** What `dialect` takes: the templates of a format, and how it is read. */
export interface DialectDefinition {
  /** How calls are written; several ways are tried in order where they begin alike. */
  readonly call?: Template | readonly Template[]
  /** How calls are written when nothing marks them: only at the start of a message, and given back as text when in doubt. */
  readonly weakCall?: Template | readonly Template[]
  /** Nothing marks a weak call, and yet it may begin any line of text, if its tool is known. */
  readonly weakCallInLines?: boolean
  /** How calls are written when nothing marks them but what they look like; anywhere, and given back when in doubt. */
  readonly looseCall?: Template | readonly Template[]
  /**
   * How models write calls against the format, with nothing that marks them: anywhere in text, if the tool is known. Such
   * a call is always a guess.
   */
  readonly guessedCall?: Template | readonly Template[]
  readonly reasoning?: Template | readonly Template[]
  /** Reasoning that begins with a word that ordinary text may hold, too: only where content begins. */
  readonly weakReasoning?: Template | readonly Template[]
  readonly result?: Template
  /** Markup around visible text that means nothing to a reader: dropped. */
  readonly drop?: Template | readonly Template[]
  /** The same with nothing that marks it: only where content begins. */
  readonly weakDrop?: Template | readonly Template[]
  /** Markers of calls with no call between them: an opener, then what closes it. Dropped, and reported. */
  readonly emptyCall?: Template | readonly Template[]
  /** Tokens that mean nothing wherever they appear, in text or in reasoning. */
  readonly ignore?: Template | readonly Template[]
  /**
   * What the chat template has written of a response's first marker. The response begins behind it, or with the whole
   * marker, or with text.
   */
  readonly prefilled?: string
  /** Tokens that end the model's turn: in visible text they stop the response, in reasoning they mean nothing. */
  readonly endOfTurn?: readonly string[]
  /** Tokens that no text holds: a marker that begins with one, and that the end of the text cuts off, is dropped. */
  readonly tokens?: readonly string[]
  /**
   * A call's opener inside reasoning ends it, at the moment the call is certain. The call is meant if the model
   * stopped behind it; until that is known its verdict waits.
   */
  readonly callEndsReasoning?: boolean
  /** Markup around visible text ends reasoning that was not closed. */
  readonly dropEndsReasoning?: boolean
  /**
   * What to do with a closer that closes nothing: one of reasoning anywhere in text, one of a call directly behind a call.
   * Default `drop`, with a diagnostic.
   */
  readonly strayCloser?: 'drop' | 'text'
  /** How a value is read when no schema and no wire type says: as a string that streams, or as JSON when it is. */
  readonly untyped?: 'string' | 'json'
  /** ASCII letters in markers match in either case. */
  readonly ignoreCase?: boolean
  /** White space may stand before the `>` of a marker that is a tag, as in XML: `</city >`. */
  readonly spacedTags?: boolean
  /**
   * White space is markup before a call that nothing but reasoning stands before, and behind a call that nothing
   * follows.
   */
  readonly spacedCalls?: boolean
  /** Only calls of tools that were given are calls. */
  readonly knownToolsOnly?: boolean
  /** Words that stand where a tool's name does and mean something else: what is addressed to them is no call. */
  readonly reservedNames?: readonly string[]
  /** How a tool's output is made harmless when it is rendered: what each `<` becomes, and so on. */
  readonly neutralise?: Readonly<Record<string, string>>
  /** An example of the format, shown by `sluice dialects` and in the documentation. */
  readonly example?: string
  /** Names that other engines use for this format. */
  readonly aliases?: readonly string[]
}

/** How a model writes tool calls and reasoning as text. Import one, or define one with `dialect`. */
export interface Dialect {
  readonly name: string
  readonly calls: readonly Template[]
  readonly weakCalls: readonly Template[]
  readonly weakCallInLines: boolean
  readonly looseCalls: readonly Template[]
  readonly guessedCalls: readonly Template[]
  readonly reasoning: readonly Template[]
  readonly weakReasoning: readonly Template[]
  readonly result: Template | undefined
  readonly drop: readonly Template[]
  readonly weakDrop: readonly Template[]
  readonly emptyCalls: readonly Template[]
  readonly ignore: readonly Template[]
  readonly prefilled: string
  readonly endOfTurn: readonly string[]
  readonly tokens: readonly string[]
  readonly callEndsReasoning: boolean
  readonly dropEndsReasoning: boolean
  readonly strayCloser: 'drop' | 'text'
  readonly untyped: 'string' | 'json'
  readonly ignoreCase: boolean
  readonly spacedTags: boolean
  readonly spacedCalls: boolean
  readonly knownToolsOnly: boolean
  readonly reservedNames: readonly string[]
  readonly neutralise: Readonly<Record<string, string>>
  readonly example: string
  readonly aliases: readonly string[]
  /** Passed to the view that the dialect belongs to with the start of each call. */
  readonly annotation?: object
  /** Throws if its templates cannot work with these tools. Only users' dialects have it; tests check all others. */
  readonly check?: (dialect: Dialect, tools: readonly ToolOnTheWire[]) => void
}

/** A dialect as it was written down. Nothing is checked here: it is for those whose tests do that. */
export function define<const Name extends string>(
  name: Name,
  definition: DialectDefinition,
): Dialect & { readonly name: Name } {
  const {
    call,
    weakCall,
    looseCall,
    guessedCall,
    reasoning,
    weakReasoning,
    result,
    drop,
    weakDrop,
    emptyCall,
    ignore,
    ...rest
  } = definition
  return Object.freeze({
    ...DEFAULTS,
    ...rest,
    name,
    calls: listOf(call),
    weakCalls: listOf(weakCall),
    looseCalls: listOf(looseCall),
    guessedCalls: listOf(guessedCall),
    reasoning: listOf(reasoning),
    weakReasoning: listOf(weakReasoning),
    result,
    drop: listOf(drop),
    weakDrop: listOf(weakDrop),
    emptyCalls: listOf(emptyCall),
    ignore: listOf(ignore),
  })
}

/** All that a dialect is made of. */
export function templatesOf(dialect: Dialect): Template[] {
  const { calls, looseCalls, weakCalls, guessedCalls, reasoning, weakReasoning, result = [] } = dialect
  const { drop, weakDrop, emptyCalls, ignore } = dialect
  return [
    calls,
    looseCalls,
    weakCalls,
    guessedCalls,
    reasoning,
    weakReasoning,
    drop,
    weakDrop,
    emptyCalls,
    ignore,
    result,
  ].flat()
}

const DEFAULTS = {
  prefilled: '',
  endOfTurn: [] as readonly string[],
  tokens: [] as readonly string[],
  weakCallInLines: false,
  callEndsReasoning: false,
  dropEndsReasoning: false,
  strayCloser: 'drop' as 'drop' | 'text',
  untyped: 'string' as 'string' | 'json',
  ignoreCase: false,
  spacedTags: false,
  spacedCalls: false,
  knownToolsOnly: false,
  reservedNames: [] as readonly string[],
  neutralise: {} as Readonly<Record<string, string>>,
  example: '',
  aliases: [] as readonly string[],
}

function listOf(templates: Template | readonly Template[] | undefined): readonly Template[] {
  return [templates ?? []].flat()
}
