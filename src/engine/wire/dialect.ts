/** A dialect: how one family of models writes reasoning, calls and results as text. */

import type { Template, ToolOnTheWire } from './template.ts'

/** The templates and options of a dialect. */
export interface DialectDefinition {
  /** Calls. If several templates begin alike, the next one is tried when one fails. */
  readonly call?: Template | readonly Template[]
  /** Calls without a marker, only where the content of a message begins. */
  readonly weakCall?: Template | readonly Template[]
  /** With `tools`, a weak call of one of them may begin any line. Default false. */
  readonly weakCallInLines?: boolean
  /** Calls without a marker, anywhere. */
  readonly looseCall?: Template | readonly Template[]
  /** Calls that break the format and have no marker, anywhere; only for one of the `tools`, and always a guess. */
  readonly guessedCall?: Template | readonly Template[]
  readonly reasoning?: Template | readonly Template[]
  /** Reasoning that begins with an ordinary word; only where content begins. */
  readonly weakReasoning?: Template | readonly Template[]
  readonly result?: Template
  /** Markup around visible text; removed. */
  readonly drop?: Template | readonly Template[]
  /** The same for ordinary text; only where content begins. */
  readonly weakDrop?: Template | readonly Template[]
  /** An opener and a closer with no call in between; removed and reported. */
  readonly emptyCall?: Template | readonly Template[]
  /** Tokens without meaning; removed from text and reasoning. */
  readonly ignore?: Template | readonly Template[]
  /** The part of a response's first marker that the chat template writes. */
  readonly prefilled?: string
  /** Tokens that end the response in visible text and are removed from reasoning. */
  readonly endOfTurn?: readonly string[]
  /** Tokens that never occur in text: if the text ends inside a marker that begins with one, the marker is removed. */
  readonly tokens?: readonly string[]
  /** A call inside reasoning ends the reasoning. Its verdict waits until the model stops. Default false. */
  readonly callEndsReasoning?: boolean
  /** A `drop` marker ends reasoning that was not closed. Default false. */
  readonly dropEndsReasoning?: boolean
  /**
   * A closer that closes nothing, of reasoning anywhere or of a call directly after one: `drop` (the default) removes it
   * with a diagnostic, `show` keeps it as text. Either way a closer of reasoning makes guesses of the calls before it, unless
   * the parser knows where the response starts. `text`: it is text like any other.
   */
  readonly strayCloser?: 'drop' | 'show' | 'text'
  /** The type of a value without a schema or a type in the format. Default `string`. */
  readonly untyped?: 'string' | 'json'
  /** ASCII letters in markers match in either case. */
  readonly ignoreCase?: boolean
  /** A marker that is a tag may have whitespace before its `>`: `</city >`. Default false. */
  readonly spacedTags?: boolean
  /** Whitespace is markup before a call that begins the message (reasoning aside) and after one that ends it. */
  readonly spacedCalls?: boolean
  /** Whitespace between two calls is text. Default false: it is markup. */
  readonly textBetweenCalls?: boolean
  /** Only a call of one of the `tools` is a call. */
  readonly knownToolsOnly?: boolean
  /** Words that name no tool, such as `user`. */
  readonly reservedNames?: readonly string[]
  /** Replacements for markup in a tool's output when it is rendered: `{ '<': '&lt;' }`. */
  readonly neutralise?: Readonly<Record<string, string>>
  /** An example of the format, shown by `sluice dialects` and in the documentation. */
  readonly example?: string
  /** Other names of the format. */
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
  readonly strayCloser: 'drop' | 'show' | 'text'
  readonly untyped: 'string' | 'json'
  readonly ignoreCase: boolean
  readonly spacedTags: boolean
  readonly spacedCalls: boolean
  readonly textBetweenCalls: boolean
  readonly knownToolsOnly: boolean
  readonly reservedNames: readonly string[]
  readonly neutralise: Readonly<Record<string, string>>
  readonly example: string
  readonly aliases: readonly string[]
  /** A published design takes every loose call for one that is meant, whatever follows it. */
  readonly looseCallsAreMeant?: true
  /** Passed to the view that the dialect belongs to with the start of each call. */
  readonly annotation?: object
  /** Throws if its templates cannot work with these tools. Only users' dialects have it; tests check all others. */
  readonly check?: (dialect: Dialect, tools: readonly ToolOnTheWire[]) => void
}

/** A dialect without the checks of `dialect`; tests check the dialects of this library. */
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
  strayCloser: 'drop' as 'drop' | 'show' | 'text',
  untyped: 'string' as 'string' | 'json',
  ignoreCase: false,
  spacedTags: false,
  spacedCalls: false,
  textBetweenCalls: false,
  knownToolsOnly: false,
  reservedNames: [] as readonly string[],
  neutralise: {} as Readonly<Record<string, string>>,
  example: '',
  aliases: [] as readonly string[],
}

function listOf(templates: Template | readonly Template[] | undefined): readonly Template[] {
  return [templates ?? []].flat()
}
