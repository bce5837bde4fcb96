/** Whether a text is one of those that a grammar allows. */

import { checkGrammar, type GrammarRule, type RuleSet, type TextRule } from './grammar-rule.ts'
import { TextAutomaton } from './text-automaton.ts'

/** Whether a grammar allows a text as a whole. */
export function accepts(grammar: RuleSet, text: string): boolean {
  checkGrammar('accepts', grammar)
  const { root, rules } = grammar
  return new Matcher(rules, text).ends(root, new Set([0])).has(text.length)
}

type Places = ReadonlySet<number>

/** Follows all ways through the grammar at once: for a rule and the places where it may begin, those where it may end. */
class Matcher {
  private readonly rules: ReadonlyMap<string, GrammarRule>
  private readonly text: string
  private readonly automata = new Map<TextRule, TextAutomaton>()

  constructor(rules: ReadonlyMap<string, GrammarRule>, text: string) {
    this.rules = rules
    this.text = text
  }

  ends(rule: GrammarRule, from: Places): Places {
    if (from.size === 0) return from
    switch (rule.kind) {
      case 'literal':
        return new Set(
          [...from].filter((at) => this.text.startsWith(rule.text, at)).map((at) => at + rule.text.length),
        )
      case 'sequence':
        return rule.parts.reduce((places, part) => this.ends(part, places), from)
      case 'choice':
        return new Set(rule.choices.flatMap((one) => [...this.ends(one, from)]))
      case 'repeat':
        return this.repeated(rule, from)
      case 'characters':
        return this.repeated(
          { body: rule, separator: '', least: rule.least, most: rule.most },
          from,
          (places) => this.oneOf(rule.set, places),
        )
      case 'text':
        return new Set([...from].flatMap((at) => this.textEnds(rule, at)))
      case 'json':
        return this.ends(rule.rule, from)
      case 'reference':
        return this.ends(this.rules.get(rule.name)!, from)
    }
  }

  private repeated(
    { body, separator, least, most }: { body: GrammarRule; separator: string; least: number; most?: number },
    from: Places,
    one = (places: Places) => this.ends(body, places),
  ): Places {
    const found = new Set(least === 0 ? from : [])
    let places = from
    for (let count = 1; places.size > 0 && count <= (most ?? this.text.length + 1); count++) {
      const begin = count === 1 ? places : this.ends({ kind: 'literal', text: separator }, places)
      places = one(begin)
      if (count >= least) for (const place of places) found.add(place)
    }
    return found
  }

  private oneOf(set: string, places: Places): Places {
    const pattern = new RegExp(`^[${set}]$`, 'u')
    return new Set([...places].filter((at) => pattern.test(this.text[at] ?? '')).map((at) => at + 1))
  }

  private textEnds(rule: TextRule, from: number): number[] {
    const automaton = this.automata.get(rule) ?? new TextAutomaton(rule)
    this.automata.set(rule, automaton)
    const ends: number[] = []
    // Where a character may be escaped or stand for itself, there are several ways on.
    const waiting: [at: number, state: number][] = [[from, automaton.start]]
    const seen = new Set<string>()
    for (let next = waiting.pop(); next !== undefined; next = waiting.pop()) {
      const [at, state] = next
      if (seen.has(`${at} ${state}`)) continue
      seen.add(`${at} ${state}`)
      if (automaton.mayEnd(state)) ends.push(at)
      const pieces = rule.escapes.map(({ written }) => written).filter((one) => this.text.startsWith(one, at))
      const code = this.text.codePointAt(at)
      const character = code === undefined ? '' : String.fromCodePoint(code)
      if (character !== '' && automaton.isPlain(character)) pieces.push(character)
      for (const piece of pieces) {
        const after = automaton.after(state, piece)
        if (after !== -1) waiting.push([at + piece.length, after])
      }
    }
    return ends
  }
}
