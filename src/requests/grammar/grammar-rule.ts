/**
 * The tree of a grammar: what a model may write, as plain data. It is printed for each engine, and nothing in it belongs
 * to one of them.
 */

import { isFields } from '../../base/fields.ts'
import { wrongOption } from '../../base/options.ts'
import type { JsonSchema } from '../../values/schema/json-schema.ts'

/** A rule of a grammar, as plain data. */
export type GrammarRule =
  | { readonly kind: 'literal'; readonly text: string }
  | { readonly kind: 'sequence'; readonly parts: readonly GrammarRule[] }
  | { readonly kind: 'choice'; readonly choices: readonly GrammarRule[] }
  /** `separator` stands between two of them. Without `most` there is no limit. */
  | {
      readonly kind: 'repeat'
      readonly body: GrammarRule
      readonly separator: string
      readonly least: number
      readonly most?: number
    }
  /** Characters of a set, such as `0-9`. */
  | { readonly kind: 'characters'; readonly set: string; readonly least: number; readonly most: number }
  | TextRule
  /** A JSON value. Engines that know JSON Schema take `schema`, others take `rule`. */
  | { readonly kind: 'json'; readonly schema: JsonSchema; readonly rule: GrammarRule }
  /** A rule that has a name, because it stands in several places or in itself. */
  | { readonly kind: 'reference'; readonly name: string }

/** Any text in which none of some literals stands. */
export interface TextRule {
  readonly kind: 'text'
  readonly stops: readonly string[]
  /** What stands before the rule and belongs to the text: a stop may have begun in it. */
  readonly begun: string
  /** How the stops are found: letters in either case, white space before the `>` of a tag. */
  readonly ignoreCase: boolean
  readonly spacedTags: boolean
  /** How characters are written that do not stand for themselves. */
  readonly escapes: readonly Escape[]
  /** What follows the text: its end must not become a part of a stop. */
  readonly follow: string
  /** How many characters it has. Without `most` there is no limit. */
  readonly least?: number
  readonly most?: number
}

/** How a character of a text is written in a format. */
export interface Escape {
  readonly character: string
  readonly written: string
  /** The character may also stand for itself: it is escaped only at the ends of a text. */
  readonly isOptional: boolean
}

/** A grammar: where it begins, and the rules that have a name. */
export interface RuleSet {
  readonly root: GrammarRule
  readonly rules: ReadonlyMap<string, GrammarRule>
}

/** Rejects what is no grammar, such as the dialect that one is made of. */
export function checkGrammar(taker: string, grammar: RuleSet): void {
  if (!isFields(grammar) || !isFields(grammar.root))
    throw wrongOption(`${taker} takes a grammar; make one with callGrammar({ dialect, tools }).`)
}

export function literal(text: string): GrammarRule {
  return { kind: 'literal', text }
}

/** Parts one after the other; literals side by side are one. */
export function sequence(...parts: readonly GrammarRule[]): GrammarRule {
  const joined: GrammarRule[] = []
  for (const part of parts.flatMap((one) => (one.kind === 'sequence' ? one.parts : [one]))) {
    const last = joined.at(-1)
    if (part.kind === 'literal' && part.text === '') continue
    if (part.kind === 'literal' && last?.kind === 'literal') {
      joined.pop()
      joined.push(literal(last.text + part.text))
    } else joined.push(part)
  }
  return joined.length === 1
    ? joined[0]!
    : joined.length === 0
      ? literal('')
      : { kind: 'sequence', parts: joined }
}

export function choice(...choices: readonly GrammarRule[]): GrammarRule {
  return choices.length === 1 ? choices[0]! : { kind: 'choice', choices }
}

export function optional(rule: GrammarRule): GrammarRule {
  return choice(rule, literal(''))
}
