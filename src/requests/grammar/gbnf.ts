/** Grammars in GBNF, the notation of llama.cpp, which XGrammar reads, too. */

import { SluiceError } from '../../base/errors.ts'
import { checkGrammar, type Escape, type GrammarRule, type RuleSet, type TextRule } from './grammar-rule.ts'
import { TextAutomaton } from './text-automaton.ts'

/**
 * The grammar as GBNF, for the field `grammar` of llama.cpp's server.
 *
 *     root ::= "<tool_call>\n" …
 */
export function toGbnf(grammar: RuleSet): string {
  checkGrammar('toGbnf', grammar)
  const { root, rules } = grammar
  return new GbnfPrinter(rules, false).print(root)
}

/**
 * The same for XGrammar, whose sets of characters hold only ASCII: it ignores `｜` in `[^<｜]`. Where a marker would go on
 * with such a character, the text goes on with that or with ASCII: it holds no `<é` if a marker begins with `<｜`.
 */
export function toXGrammar({ root, rules }: RuleSet): string {
  return new GbnfPrinter(rules, true).print(root)
}

class GbnfPrinter {
  private readonly rules: ReadonlyMap<string, GrammarRule>
  private readonly lines: string[] = []
  private readonly known = new Set<string>()
  /** The first state of each text, by what the text is. */
  private readonly texts = new Map<string, string>()

  private readonly hasAsciiSets: boolean

  constructor(rules: ReadonlyMap<string, GrammarRule>, hasAsciiSets: boolean) {
    this.rules = rules
    this.hasAsciiSets = hasAsciiSets
  }

  print(root: GrammarRule): string {
    return [`root ::= ${this.rule(root)}`, ...this.lines, ''].join('\n')
  }

  private rule(rule: GrammarRule): string {
    switch (rule.kind) {
      case 'literal':
        return quoted(rule.text)
      case 'sequence':
        return rule.parts.map((part) => this.part(part)).join(' ')
      case 'choice':
        return rule.choices.map((one) => this.rule(one)).join(' | ')
      case 'repeat': {
        const body = this.part(rule.body)
        const { separator, least, most } = rule
        if (separator === '') return `${body}${times(least, most)}`
        const more = `(${quoted(separator)} ${body})${times(Math.max(least - 1, 0), most && most - 1)}`
        return least === 0 ? `(${body} ${more})?` : `${body} ${more}`
      }
      case 'characters':
        return `[${rule.set}]${times(rule.least, rule.most)}`
      case 'text':
        return this.text(rule)
      case 'json':
        return this.rule(rule.rule)
      case 'reference':
        this.define(rule.name)
        return rule.name
    }
  }

  /** A rule as a part of another. */
  private part(rule: GrammarRule): string {
    const written = this.rule(rule)
    const isOne = rule.kind === 'literal' || rule.kind === 'reference' || rule.kind === 'text'
    return isOne ? written : `(${written})`
  }

  private define(name: string): void {
    if (this.known.has(name)) return
    this.known.add(name)
    this.lines.push(`${name} ::= ${this.rule(this.rules.get(name)!)}`)
  }

  /** A text as right-linear rules: one for each state of its automaton. */
  private text(rule: TextRule): string {
    const key = JSON.stringify(rule)
    const known = this.texts.get(key)
    if (known !== undefined) return known
    const name = `text-${this.texts.size + 1}`
    const automaton = new TextAutomaton(rule)
    const { start } = automaton
    this.texts.set(key, `${name}-${start}`)
    const escaped = rule.escapes.filter(({ character }) => !automaton.isPlain(character))
    const isCounted = rule.least !== undefined || rule.most !== undefined
    if (rule.stops.length === 0 && isCounted) return this.countedText(rule, name, escaped)
    const alphabet = automaton.alphabet
    const waiting = [start]
    const seen = new Set(waiting)
    for (let state = waiting.pop(); state !== undefined; state = waiting.pop()) {
      const byNext = new Map<number, string[]>()
      const ways: string[] = []
      const go = (next: number): string => {
        if (!seen.has(next)) waiting.push(next)
        seen.add(next)
        return `${name}-${next}`
      }
      // Nearly all characters lead to the same state: they are written as all but the others.
      const usual = automaton.after(state, OUTSIDE)
      const others = escaped.map(({ character }) => character)
      for (const character of alphabet.filter((one) => automaton.isPlain(one))) {
        const next = automaton.after(state, character)
        if (next === usual) continue
        others.push(character)
        if (next !== -1) byNext.set(next, [...(byNext.get(next) ?? []), character])
      }
      for (const [next, characters] of byNext)
        ways.push(...this.sets(characters).map((set) => `${set} ${go(next)}`))
      if (this.hasAsciiSets && automaton.isPlainState(state)) checkAscii(others)
      if (usual !== -1) ways.push(`${this.allBut(others)} ${go(usual)}`)
      for (const { written } of rule.escapes) {
        const next = automaton.after(state, written)
        if (next !== -1) ways.push(`${quoted(written)} ${go(next)}`)
      }
      if (automaton.mayEnd(state)) ways.push('""')
      this.lines.push(`${name}-${state} ::= ${ways.join(' | ')}`)
    }
    return `${name}-${start}`
  }

  /** A text that is limited only in its length. */
  private countedText(rule: TextRule, name: string, escaped: readonly Escape[]): string {
    const ways = [this.allBut(escaped.map(({ character }) => character))]
    for (const { written } of rule.escapes) ways.push(quoted(written))
    this.lines.push(`${name}-one ::= ${ways.join(' | ')}`)
    this.lines.push(`${name}-0 ::= ${name}-one${times(rule.least ?? 0, rule.most)}`)
    return `${name}-0`
  }

  /** Any of some characters. */
  private sets(characters: readonly string[]): string[] {
    if (!this.hasAsciiSets) return [characterSet(characters)]
    const ascii = characters.filter(isAscii)
    const others = characters.filter((one) => !isAscii(one)).map(quoted)
    return ascii.length === 0 ? others : [characterSet(ascii), ...others]
  }

  private allBut(characters: readonly string[]): string {
    if (!this.hasAsciiSets || characters.every(isAscii)) return characterSet(characters, '^')
    return characterSet(ASCII.filter((one) => !characters.includes(one)))
  }
}

const ASCII = Array.from({ length: 128 }, (_, code) => String.fromCharCode(code))

const isAscii = (character: string) => character < '\u0080'

function checkAscii(characters: readonly string[]): void {
  const other = characters.find((one) => !isAscii(one))
  if (other !== undefined)
    throw new SluiceError(
      'unrepresentable',
      `XGrammar cannot keep a text free of a marker that begins with '${other}'; pass 'reasoning: false' if it is that of reasoning, or use GBNF with llama.cpp.`,
    )
}

/** A character that no marker has. */
const OUTSIDE = '\ue000'

function times(least: number, most: number | undefined): string {
  if (least === 1 && most === 1) return ''
  if (most === undefined) return least === 0 ? '*' : least === 1 ? '+' : `{${least},}`
  return least === 0 && most === 1 ? '?' : `{${least},${most}}`
}

function quoted(text: string): string {
  return `"${[...text].map((one) => (one === '"' || one === '\\' ? `\\${one}` : shown(one))).join('')}"`
}

/** A set of characters, neighbours as a range. `sign`: `^` for all others. */
function characterSet(characters: readonly string[], sign: '' | '^' = ''): string {
  const codes = [...new Set(characters.map((one) => one.codePointAt(0)!))].sort((a, b) => a - b)
  const ranges: [number, number][] = []
  for (const code of codes) {
    const last = ranges.at(-1)
    if (last !== undefined && last[1] === code - 1) last[1] = code
    else ranges.push([code, code])
  }
  const one = (code: number) => {
    const character = String.fromCodePoint(code)
    return /[\w\s]/.test(character) ? shown(character) : hex(code)
  }
  const shownRanges = ranges.map(([from, to]) => (from === to ? one(from) : `${one(from)}-${one(to)}`))
  return `[${sign}${shownRanges.join('')}]`
}

const NAMED: Readonly<Record<string, string>> = { '\n': '\\n', '\r': '\\r', '\t': '\\t' }

function shown(character: string): string {
  const code = character.codePointAt(0)!
  return NAMED[character] ?? (code < 32 || code === 127 ? hex(code) : character)
}

/** Always four digits: XGrammar takes all the hexadecimal digits that follow a shorter escape. */
function hex(code: number): string {
  return code > 0xffff ? String.fromCodePoint(code) : `\\u${code.toString(16).toUpperCase().padStart(4, '0')}`
}
