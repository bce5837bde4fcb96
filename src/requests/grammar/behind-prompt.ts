/**
 * What may follow the beginning of a response that the prompt has written already, so that a grammar can begin inside a
 * marker or inside a call.
 *
 *     >>>|get_weather⏎{"city": …        the prompt ends with `>>>`
 */

import { choice, type GrammarRule, literal, type RuleSet, sequence, type TextRule } from './grammar-rule.ts'
import { TextAutomaton } from './text-automaton.ts'

/** The grammar behind a text; undefined where no text that it allows begins like this. */
export function behindPrompt({ root, rules }: RuleSet, prompt: string): GrammarRule | undefined {
  const grammar = new Derivatives(rules)
  let rule: GrammarRule | undefined = root
  for (const character of prompt) rule = rule && grammar.after(rule, character)
  return rule
}

/** The derivatives of rules, after Brzozowski: what is left of a rule behind a character. */
class Derivatives {
  private readonly rules: ReadonlyMap<string, GrammarRule>

  constructor(rules: ReadonlyMap<string, GrammarRule>) {
    this.rules = rules
  }

  after(rule: GrammarRule, character: string): GrammarRule | undefined {
    switch (rule.kind) {
      case 'literal':
        return rule.text.startsWith(character) ? literal(rule.text.slice(character.length)) : undefined
      case 'sequence':
        return this.afterSequence(rule.parts, character)
      case 'choice':
        return either(rule.choices.map((one) => this.after(one, character)))
      case 'repeat':
        return this.afterRepeat(rule, character)
      case 'characters': {
        const { set, least, most } = rule
        if (most === 0 || !new RegExp(`^[${set}]$`, 'u').test(character)) return undefined
        return { ...rule, least: Math.max(least - 1, 0), most: most - 1 }
      }
      case 'text':
        return afterText(rule, character)
      case 'json':
        return this.after(rule.rule, character)
      case 'reference':
        return this.after(this.rules.get(rule.name)!, character)
    }
  }

  private afterSequence(parts: readonly GrammarRule[], character: string): GrammarRule | undefined {
    const [first, ...rest] = parts
    if (first === undefined) return undefined
    const begun = this.after(first, character)
    const ways = [begun && sequence(begun, ...rest)]
    if (this.mayBeEmpty(first)) ways.push(this.afterSequence(rest, character))
    return either(ways)
  }

  private afterRepeat(
    rule: GrammarRule & { readonly kind: 'repeat' },
    character: string,
  ): GrammarRule | undefined {
    const { body, separator, least, most } = rule
    const begun = most === 0 ? undefined : this.after(body, character)
    if (begun === undefined) return undefined
    const more: GrammarRule = {
      kind: 'repeat',
      body: sequence(literal(separator), body),
      separator: '',
      least: Math.max(least - 1, 0),
      ...(most !== undefined && { most: most - 1 }),
    }
    return sequence(begun, more)
  }

  private mayBeEmpty(rule: GrammarRule): boolean {
    switch (rule.kind) {
      case 'literal':
        return rule.text === ''
      case 'sequence':
        return rule.parts.every((part) => this.mayBeEmpty(part))
      case 'choice':
        return rule.choices.some((one) => this.mayBeEmpty(one))
      case 'repeat':
        return rule.least === 0 || this.mayBeEmpty(rule.body)
      case 'characters':
        return rule.least === 0
      case 'text': {
        const automaton = new TextAutomaton(rule)
        return automaton.mayEnd(automaton.start)
      }
      case 'json':
        return this.mayBeEmpty(rule.rule)
      case 'reference':
        return this.mayBeEmpty(this.rules.get(rule.name)!)
    }
  }
}

function afterText(rule: TextRule, character: string): GrammarRule | undefined {
  const automaton = new TextAutomaton(rule)
  const isBegunBy = (written: string) => automaton.after(automaton.start, written) !== -1
  const { least, most } = rule
  const behind = (written: string): TextRule => ({
    ...rule,
    begun: rule.begun + written,
    ...(least !== undefined && { least: Math.max(least - 1, 0) }),
    ...(most !== undefined && { most: most - 1 }),
  })
  const escapes = rule.escapes
    .filter(({ written }) => written.startsWith(character) && isBegunBy(written))
    .map(({ written }) => sequence(literal(written.slice(character.length)), behind(written)))
  const plain = automaton.isPlain(character) && isBegunBy(character) ? behind(character) : undefined
  return either([plain, ...escapes])
}

function either(ways: readonly (GrammarRule | undefined)[]): GrammarRule | undefined {
  const open = ways.filter((way) => way !== undefined)
  return open.length === 0 ? undefined : choice(...open)
}
