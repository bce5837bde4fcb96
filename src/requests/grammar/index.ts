/** Grammars for constrained decoding: from a dialect and its tools. */

export { accepts } from './accepts.ts'
export { type CallGrammar, callGrammar, type GrammarOptions } from './call-grammar.ts'
export { toGbnf } from './gbnf.ts'
export type { Escape, GrammarRule, RuleSet, TextRule } from './grammar-rule.ts'
export type { ListFrame } from './list-frame.ts'
export {
  type StructuralFormat,
  type StructuralTag,
  type TagFormat,
  toStructuralTag,
} from './structural-tag.ts'
