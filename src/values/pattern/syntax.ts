/** Reads regular expressions into trees. */

import { SluiceError } from '../../base/errors.ts'
import {
  type Characters,
  character,
  DIGITS,
  except,
  ignoringCase,
  NEWLINES,
  propertyOf,
  SPACES,
  union,
  WORDS,
} from './characters.ts'

export type Assertion = 'start' | 'end' | 'line-start' | 'line-end' | 'word-boundary' | 'no-word-boundary'

export type Part =
  /** One character of the set with this number. */
  | { readonly type: 'one'; readonly set: number }
  | { readonly type: 'place'; readonly is: Assertion }
  | { readonly type: 'sequence'; readonly parts: readonly Part[] }
  | { readonly type: 'choice'; readonly options: readonly Part[] }
  | RepeatPart
  /** One end of a group: `slot` is twice the number of the group, and one more where the group ends. */
  | { readonly type: 'mark'; readonly slot: number }
  | LookPart
  /** `\1`: the text of the one of these groups that has matched. */
  | { readonly type: 'back'; readonly groups: readonly number[] }

export interface RepeatPart {
  readonly type: 'repeat'
  readonly part: Part
  readonly min: number
  readonly max: number
  readonly isLazy: boolean
  /** Its number among the repetitions. */
  readonly loop: number
  /** The groups inside, from the first up to the last: each round begins without them. */
  readonly groups: readonly [from: number, to: number]
}

/** `(?=…)`, `(?!…)`, `(?<=…)` and `(?<!…)`. Inside one that looks behind, sequences are in the order from right to left. */
export interface LookPart {
  readonly type: 'look'
  readonly part: Part
  readonly isBehind: boolean
  readonly isNegated: boolean
}

export interface PatternSyntax {
  readonly part: Part
  readonly groups: number
  readonly loops: number
  /** How many properties of Unicode it names. */
  readonly properties: number
  readonly hasLooks: boolean
  readonly hasBackreferences: boolean
  readonly sets: readonly Characters[]
  /** The sets of what a place asks to have beside it, parts of words and ends of lines; -1 if none does. */
  readonly wordSet: number
  readonly lineSet: number
}

const MAX_SOURCE = 1024

/** What a letter behind a backslash stands for. */
const CLASSES: ReadonlyMap<string, Characters> = new Map([
  ['d', DIGITS],
  ['w', WORDS],
  ['s', SPACES],
  ['D', except(DIGITS)],
  ['W', except(WORDS)],
  ['S', except(SPACES)],
])
/** Letters of control characters, each at its code. Outside of classes `\b` is read as a place before. */
const CONTROLS = '        btnvfr'

/** The engine has already accepted the expression, so that only what it means is read here, not whether it is one. */
export function readPattern(expression: RegExp): PatternSyntax {
  if (expression.source.length > MAX_SOURCE)
    throw unsafe(expression, `is longer than ${MAX_SOURCE} characters. Split it into several.`)
  return new PatternReader(expression).read()
}

export function unsafe(expression: RegExp, why: string): SluiceError {
  return new SluiceError('unsafe-pattern', `The pattern ${String(expression)} ${why}`)
}

class PatternReader {
  private readonly expression: RegExp
  private readonly source: string
  private at = 0
  /** The code of the character just read, when it was one and not a class of them. */
  private lastCode: number | undefined
  private readonly sets: Characters[] = []
  private readonly setNumbers = new Map<string, number>()
  /** How many parts so far take a character. */
  private ones = 0
  private wordSet = -1
  private lineSet = -1
  private groups = 0
  private loops = 0
  private readonly properties = new Set<string>()
  private readonly groupsByName = new Map<string, number[]>()
  private highestReference = 0
  private hasLooks = false
  private hasBackreferences = false
  /** Whether what is read is matched from right to left. */
  private isBackward = false

  constructor(expression: RegExp) {
    this.expression = expression
    this.source = expression.source
  }

  read(): PatternSyntax {
    const part = this.readChoice()
    // Without the `u` flag, `\8` is a digit where there are fewer groups, and `\k` a letter where none has a name.
    const isNamed = [...this.groupsByName.values()].every((groups) => groups.length > 0)
    if (this.highestReference > this.groups || !isNamed) throw this.unknown()
    const { sets, wordSet, lineSet, groups, loops, hasLooks, hasBackreferences } = this
    const { size: properties } = this.properties
    return { part, sets, wordSet, lineSet, groups, loops, properties, hasLooks, hasBackreferences }
  }

  private readChoice(): Part {
    const options = [this.readSequence()]
    while (this.takes('|')) options.push(this.readSequence())
    return options.length === 1 ? options[0]! : { type: 'choice', options }
  }

  private readSequence(): Part {
    const parts: Part[] = []
    while (this.at < this.source.length && !'|)'.includes(this.source[this.at]!))
      parts.push(this.readRepeat())
    return this.sequence(parts)
  }

  private sequence(parts: Part[]): Part {
    if (parts.length === 1) return parts[0]!
    return { type: 'sequence', parts: this.isBackward ? parts.reverse() : parts }
  }

  private readRepeat(): Part {
    const { ones: onesBefore, groups: groupsBefore } = this
    const part = this.readPart()
    const bounds = this.readBounds()
    if (bounds === undefined) return part
    const isLazy = this.takes('?')
    // Nothing, however often, is nothing: once is enough.
    const most = this.ones === onesBefore ? 1 : Infinity
    const [min, max] = [Math.min(bounds[0], most), Math.min(bounds[1], most)]
    return {
      type: 'repeat',
      part,
      min,
      max,
      isLazy,
      loop: this.loops++,
      groups: [groupsBefore + 1, this.groups],
    }
  }

  private readBounds(): [min: number, max: number] | undefined {
    if (this.takes('*')) return [0, Infinity]
    if (this.takes('+')) return [1, Infinity]
    if (this.takes('?')) return [0, 1]
    const written = this.takesMatch(/\{(\d+)(,(\d*))?\}/y)
    if (written === null) return undefined
    const [, min, comma, max] = written
    return [Number(min), comma === undefined ? Number(min) : max ? Number(max) : Infinity]
  }

  private readPart(): Part {
    if (this.takes('(')) return this.readGroup()
    if (this.takes('[')) return this.one(this.readClass())
    if (this.takes('^')) return this.edge('start', 'line-start')
    if (this.takes('$')) return this.edge('end', 'line-end')
    if (this.takes('\\b')) return this.boundary('word-boundary')
    if (this.takes('\\B')) return this.boundary('no-word-boundary')
    if (this.takes('.')) return this.one(except(this.expression.dotAll ? [] : NEWLINES))
    const reference = this.takesMatch(/\\(?:([1-9]\d*)|k<([^>]*)>)/y)
    if (reference !== null) return this.backreference(reference)
    return this.one(this.withCase(this.readCharacter()))
  }

  private one(set: Characters): Part {
    this.ones++
    return { type: 'one', set: this.numberOf(set) }
  }

  private edge(ofText: Assertion, ofLine: Assertion): Part {
    if (!this.expression.multiline) return { type: 'place', is: ofText }
    this.lineSet = this.numberOf(NEWLINES)
    return { type: 'place', is: ofLine }
  }

  private boundary(is: Assertion): Part {
    this.wordSet = this.numberOf(WORDS)
    return { type: 'place', is }
  }

  private numberOf(set: Characters): number {
    const key = set.join(';')
    const number = this.setNumbers.get(key) ?? this.sets.push(set) - 1
    this.setNumbers.set(key, number)
    return number
  }

  private readGroup(): Part {
    if (this.takes('?:')) return this.readUntilClosed()
    const look = this.takesMatch(/\?(<)?([=!])/y)
    if (look !== null) return this.readLook(look[1] !== undefined, look[2] === '!')
    const number = ++this.groups
    if (this.takes('?')) {
      const named = this.takesMatch(/<([^>]*)>/y)
      if (named === null) throw this.unknown()
      this.groupsNamed(named[1]!).push(number)
    }
    const inner = this.readUntilClosed()
    return this.sequence([{ type: 'mark', slot: 2 * number }, inner, { type: 'mark', slot: 2 * number + 1 }])
  }

  private readLook(isBehind: boolean, isNegated: boolean): Part {
    const outer = this.isBackward
    this.hasLooks = true
    this.isBackward = isBehind
    const part = this.readUntilClosed()
    this.isBackward = outer
    return { type: 'look', part, isBehind, isNegated }
  }

  private readUntilClosed(): Part {
    const inner = this.readChoice()
    this.at++ // Its bracket.
    return inner
  }

  private backreference([, number, name]: RegExpExecArray): Part {
    this.hasBackreferences = true
    this.ones++
    if (number === undefined) return { type: 'back', groups: this.groupsNamed(name!) }
    this.highestReference = Math.max(this.highestReference, Number(number))
    return { type: 'back', groups: [Number(number)] }
  }

  /** The groups of this name, also those that are still to be read. */
  private groupsNamed(name: string): number[] {
    const known = this.groupsByName.get(name) ?? []
    this.groupsByName.set(name, known)
    return known
  }

  /** `[a-z_\d]`, from after its bracket. */
  private readClass(): Characters {
    const isNegated = this.takes('^')
    const sets: Characters[] = []
    while (!this.takes(']')) {
      sets.push(this.readCharacter())
      const low = this.lastCode
      if (this.source[this.at] !== '-' || this.source[this.at + 1] === ']') continue
      this.at++
      sets.push(this.readCharacter())
      const high = this.lastCode
      // Beside a class such as \w the dash stands for itself.
      sets.push(low === undefined || high === undefined ? character(45) : [[low, high]])
    }
    const set = this.withCase(union(sets))
    return isNegated ? except(set) : set
  }

  private withCase(set: Characters): Characters {
    return this.expression.ignoreCase ? ignoringCase(set) : set
  }

  private readCharacter(): Characters {
    this.lastCode = undefined
    if (!this.takes('\\')) return this.single(this.takeCode())
    const letter = this.source[this.at++]!
    const set = CLASSES.get(letter)
    if (set !== undefined) return set
    const control = CONTROLS.indexOf(letter)
    if (control >= 8) return this.single(control)
    if (letter === 'x') return this.single(this.readHex(/[0-9a-f]{2}/iy))
    if (letter === 'u') return this.single(this.readUnicode())
    if (letter === '0' && !/\d/.test(this.source.charAt(this.at))) return this.single(0)
    if (/p/i.test(letter) && this.expression.unicode) return this.readProperty(letter)
    if (/\w/.test(letter)) throw this.unknown()
    return this.single(letter.charCodeAt(0))
  }

  /** `\p{Script=Greek}`, from after its letter. */
  private readProperty(letter: string): Characters {
    const [written] = this.takesMatch(/\{\w+(?:=\w+)?\}/y)!
    const property = `\\${letter}${written}`
    this.properties.add(property)
    return propertyOf(property)
  }

  /** `\u0041`, and with the `u` flag `\u{1f600}` and `\ud83d\ude00`, which are one character. */
  private readUnicode(): number {
    const { unicode } = this.expression
    const braced = unicode ? this.takesMatch(/\{([0-9a-f]+)\}/iy) : null
    if (braced !== null) return Number.parseInt(braced[1]!, 16)
    const high = this.readHex(/[0-9a-f]{4}/iy)
    const isHigh = unicode && high >= 0xd800 && high <= 0xdbff
    const low = isHigh ? this.takesMatch(/\\u(d[c-f][0-9a-f]{2})/iy) : null
    return low === null ? high : String.fromCharCode(high, Number.parseInt(low[1]!, 16)).codePointAt(0)!
  }

  private readHex(digits: RegExp): number {
    const written = this.takesMatch(digits)
    if (written === null) throw this.unknown()
    return Number.parseInt(written[0], 16)
  }

  private takeCode(): number {
    const { unicode } = this.expression
    const code = unicode ? this.source.codePointAt(this.at)! : this.source.charCodeAt(this.at)
    this.at += code > 0xffff ? 2 : 1
    return code
  }

  private single(code: number): Characters {
    this.lastCode = code
    return character(code)
  }

  private takes(text: string): boolean {
    if (!this.source.startsWith(text, this.at)) return false
    this.at += text.length
    return true
  }

  /** What a sticky expression finds here. */
  private takesMatch(expression: RegExp): RegExpExecArray | null {
    expression.lastIndex = this.at
    const found = expression.exec(this.source)
    this.at += found?.[0].length ?? 0
    return found
  }

  private unknown(): SluiceError {
    return unsafe(this.expression, `has unsupported syntax at character ${this.at + 1}.`)
  }
}
