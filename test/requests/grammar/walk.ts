/** Random walks through a grammar: texts that it allows. */

import type { GrammarRule, RuleSet, TextRule } from '../../../src/requests/grammar/grammar-rule.ts'
import { TextAutomaton } from '../../../src/requests/grammar/text-automaton.ts'

/** Numbers from 0 up to 1, the same for the same seed. */
export function randomFrom(seed: number): () => number {
  let state = seed >>> 0
  return () => {
    state = (state + 0x6d2b79f5) >>> 0
    let mixed = Math.imul(state ^ (state >>> 15), state | 1)
    mixed ^= mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61)
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32
  }
}

const PIECES = [
  'a',
  'B',
  '7',
  ' ',
  '\n',
  '.',
  '<',
  '</',
  '>',
  '&',
  '"',
  "'",
  '\\',
  '{',
  '}',
  '[',
  ']',
  ',',
  ':',
  'é',
  '😀',
  '`',
  '|',
]

export function walk({ root, rules }: RuleSet, random: () => number): string {
  const pick = <T>(list: readonly T[]): T => list[Math.floor(random() * list.length)]!
  const visit = (rule: GrammarRule, depth: number): string => {
    switch (rule.kind) {
      case 'literal':
        return rule.text
      case 'sequence':
        return rule.parts.map((part) => visit(part, depth)).join('')
      case 'choice':
        return visit(pick(rule.choices), depth)
      case 'repeat': {
        const spare = depth > 6 ? 0 : Math.floor(random() * 3)
        const count = Math.min(rule.least + spare, rule.most ?? Infinity)
        return Array.from({ length: count }, () => visit(rule.body, depth + 1)).join(rule.separator)
      }
      case 'characters': {
        const most = random() < 0.1 ? rule.most : Math.min(rule.most, rule.least + 3)
        const length = rule.least + Math.floor(random() * (most - rule.least + 1))
        return Array.from({ length }, () => pick(charactersOf(rule.set))).join('')
      }
      case 'text':
        return textOf(rule)
      case 'json':
        return visit(rule.rule, depth)
      case 'reference':
        return visit(rules.get(rule.name)!, depth + 1)
    }
  }
  const textOf = (rule: TextRule): string => {
    const automaton = new TextAutomaton(rule)
    // Most of all, what nearly is a stop.
    const cut = rule.stops.map((stop) => stop.slice(0, 1 + Math.floor(random() * (stop.length - 1))))
    const pieces = [...PIECES, ...cut, ...cut, ...rule.escapes.map(({ written }) => written)]
    const escapes = new Set(rule.escapes.map(({ written }) => written))
    let text = ''
    let state = automaton.start
    for (let left = Math.floor(random() * 8); left > 0 || !automaton.mayEnd(state); left--) {
      const piece = left > 0 ? pick(pieces) : pick(['x', 'y', ' '])
      const characters = escapes.has(piece) ? [piece] : [...piece]
      if (!escapes.has(piece) && !characters.every((one) => automaton.isPlain(one))) continue
      const after = characters.reduce((from, one) => (from === -1 ? -1 : automaton.after(from, one)), state)
      if (after === -1) continue
      text += piece
      state = after
    }
    return text
  }
  return visit(root, 0)
}

function charactersOf(set: string): string[] {
  const pattern = new RegExp(`[${set}]`)
  return Array.from({ length: 128 }, (_, code) => String.fromCharCode(code)).filter((one) =>
    pattern.test(one),
  )
}
