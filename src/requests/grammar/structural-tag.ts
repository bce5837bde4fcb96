/** Grammars as structural tags, the form of XGrammar, which vLLM and SGLang take. */

import type { JsonSchema } from '../../values/schema/json-schema.ts'
import type { CallGrammar } from './call-grammar.ts'
import { toXGrammar } from './gbnf.ts'
import { checkGrammar, type GrammarRule, sequence } from './grammar-rule.ts'

/** A tag: what it begins with, what it holds, what it ends with. */
export interface TagFormat {
  readonly type: 'tag'
  readonly begin: string
  readonly content: StructuralFormat
  readonly end: string
}

/** A format inside a structural tag, as XGrammar defines it. */
export type StructuralFormat =
  | { readonly type: 'const_string'; readonly value: string }
  | { readonly type: 'json_schema'; readonly json_schema: JsonSchema }
  | { readonly type: 'grammar'; readonly grammar: string }
  | { readonly type: 'any_text' }
  | { readonly type: 'sequence'; readonly elements: readonly StructuralFormat[] }
  | { readonly type: 'or'; readonly elements: readonly StructuralFormat[] }
  | TagFormat
  | {
      readonly type: 'triggered_tags'
      readonly triggers: readonly string[]
      readonly tags: readonly TagFormat[]
      readonly at_least_one: boolean
      readonly stop_after_first: boolean
    }
  | {
      readonly type: 'tags_with_separator'
      readonly tags: readonly TagFormat[]
      readonly separator: string
      readonly at_least_one: boolean
      readonly stop_after_first: boolean
    }

/** A structural tag, for `response_format` of vLLM and SGLang. */
export interface StructuralTag {
  readonly type: 'structural_tag'
  readonly format: StructuralFormat
}

/**
 * The grammar as a structural tag: the `response_format` of a request to vLLM or SGLang.
 *
 * JSON is left to the engine, by its schema, and so is the white space in it.
 */
export function toStructuralTag(grammar: CallGrammar): StructuralTag {
  checkGrammar('toStructuralTag', grammar)
  const { reasoning, start, rules } = grammar
  if (!fitsTags(grammar))
    return { type: 'structural_tag', format: { type: 'grammar', grammar: toXGrammar(grammar) } }
  const print = (rule: GrammarRule) => toXGrammar({ root: rule, rules })
  const answer = answerOf(grammar, print)
  if (reasoning === undefined) return { type: 'structural_tag', format: answer }
  const thought = (begin: string): TagFormat => ({
    type: 'tag',
    begin,
    content: { type: 'any_text' },
    end: reasoning.behind.trimStart(),
  })
  const behind = (begin: string): StructuralFormat => ({
    type: 'sequence',
    elements: [thought(begin), answer],
  })
  const format: StructuralFormat =
    start === 'reasoning' ? behind('') : { type: 'or', elements: [behind(reasoning.before), answer] }
  return { type: 'structural_tag', format }
}

/**
 * Tags have no empty separators, ends and contents: where the dialect has some, all of it is one grammar. So it is where
 * the prompt has the beginning of a tag.
 */
function fitsTags({ mode, frame, calls, prompt }: CallGrammar): boolean {
  if (prompt !== '') return false
  if (mode === 'none') return true
  const hasFrame = frame.before + frame.behind !== ''
  if (frame.between === '' || (hasFrame && (frame.before === '' || frame.behind === ''))) return false
  return calls.every(
    ({ rule }) => rule.kind === 'sequence' && rule.parts.length > 2 && rule.parts.at(-1)!.kind === 'literal',
  )
}

function answerOf(grammar: CallGrammar, print: (rule: GrammarRule) => string): StructuralFormat {
  const { mode, text, isBare, frame, calls, isParallel } = grammar
  const free: StructuralFormat = { type: 'grammar', grammar: print(text) }
  if (mode === 'none') return free
  const tags = calls.map(({ rule }) => tagOf(rule, print))
  const list: StructuralFormat = {
    type: 'tags_with_separator',
    tags,
    separator: frame.between,
    at_least_one: true,
    stop_after_first: !isParallel,
  }
  const hasFrame = frame.before + frame.behind !== ''
  const section: TagFormat = { type: 'tag', begin: frame.before, content: list, end: frame.behind }
  if (mode === 'required') return hasFrame ? section : list
  if (isBare) return { type: 'or', elements: [hasFrame ? section : list, free] }
  const outer = hasFrame ? [section] : tags
  return {
    type: 'triggered_tags',
    triggers: triggersOf(outer, text.stops),
    tags: outer,
    at_least_one: false,
    stop_after_first: !isParallel,
  }
}

/** What the tags begin with: a marker of the dialect, or all that they share. */
function triggersOf(tags: readonly TagFormat[], markers: readonly string[]): string[] {
  return [
    ...new Set(
      tags.map(({ begin }) => {
        const [longest] = markers.filter((one) => begin.startsWith(one)).sort((a, b) => b.length - a.length)
        return longest ?? begin
      }),
    ),
  ]
}

/** A call between the literals that it begins and ends with. */
function tagOf(rule: GrammarRule, print: (rule: GrammarRule) => string): TagFormat {
  const parts = rule.kind === 'sequence' ? [...rule.parts] : [rule]
  const first = parts[0]?.kind === 'literal' ? parts.shift() : undefined
  const last = parts.at(-1)?.kind === 'literal' ? parts.pop() : undefined
  return {
    type: 'tag',
    begin: textOf(first),
    content: contentOf(sequence(...parts), print),
    end: textOf(last),
  }
}

function textOf(rule: GrammarRule | undefined): string {
  return rule?.kind === 'literal' ? rule.text : ''
}

function contentOf(rule: GrammarRule, print: (rule: GrammarRule) => string): StructuralFormat {
  if (rule.kind === 'json') return { type: 'json_schema', json_schema: rule.schema }
  if (rule.kind === 'literal') return { type: 'const_string', value: rule.text }
  return { type: 'grammar', grammar: print(rule) }
}
