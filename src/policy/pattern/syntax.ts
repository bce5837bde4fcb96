/**
 * Reads the regular expressions that can be followed character by character: everything but what looks around
 * (`(?=…)`, `(?<=…)`) or back (`\1`), and what only the `u` flag gives a meaning.
 */

import { SluiceError } from '../../errors.ts'
import {
  type Characters,
  character,
  DIGITS,
  except,
  ignoringCase,
  NEWLINES,
  SPACES,
  union,
  WORDS,
} from './characters.ts'

export type Assertion = 'start' | 'end' | 'line-start' | 'line-end' | 'word-boundary' | 'no-word-boundary'

export type Part =
  | { readonly type: 'one'; readonly of: Characters }
  | { readonly type: 'place'; readonly is: Assertion }
  | { readonly type: 'sequence'; readonly parts: readonly Part[] }
  | { readonly type: 'choice'; readonly options: readonly Part[] }
  | { readonly type: 'repeat'; readonly part: Part; readonly min: number; readonly max: number }

const MAX_SOURCE = 1024
const FLAGS = 'ims'

export function readPattern(expression: RegExp): Part {
  const { source, flags } = expression
  if (source.length > MAX_SOURCE)
    throw unsafe(expression, `is longer than ${MAX_SOURCE} characters. Split it into several rules.`)
  const odd = [...flags].find((flag) => !FLAGS.includes(flag))
  if (odd !== undefined) throw unsafe(expression, `has the flag '${odd}'. Only i, m and s are understood.`)
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

  constructor(expression: RegExp) {
    this.expression = expression
    this.source = expression.source
  }

  read(): Part {
    const pattern = this.readChoice()
    if (this.at < this.source.length) throw this.unknown()
    return pattern
  }

  private readChoice(): Part {
    const options = [this.readSequence()]
    while (this.takes('|')) options.push(this.readSequence())
    return options.length === 1 ? options[0]! : { type: 'choice', options }
  }

  private readSequence(): Part {
    const parts: Part[] = []
    while (this.at < this.source.length && !'|)'.includes(this.source[this.at]!))
      parts.push(this.readRepeats(this.readPart()))
    return { type: 'sequence', parts }
  }

  private readRepeats(part: Part): Part {
    const bounds = this.readBounds()
    if (bounds === undefined) return part
    this.takes('?') // a lazy repetition matches the same texts
    return { type: 'repeat', part, min: bounds[0], max: bounds[1] }
  }

  private readBounds(): [min: number, max: number] | undefined {
    if (this.takes('*')) return [0, Infinity]
    if (this.takes('+')) return [1, Infinity]
    if (this.takes('?')) return [0, 1]
    const written = /^\{(\d+)(,(\d*))?\}/.exec(this.source.slice(this.at, this.at + 24))
    if (written === null) return undefined
    const [all, min = '', comma, max] = written
    this.at += all.length
    return [Number(min), comma === undefined ? Number(min) : max ? Number(max) : Infinity]
  }

  private readPart(): Part {
    const { multiline, dotAll } = this.expression
    if (this.takes('(')) return this.readGroup()
    if (this.takes('[')) return { type: 'one', of: this.readClass() }
    if (this.takes('^')) return { type: 'place', is: multiline ? 'line-start' : 'start' }
    if (this.takes('$')) return { type: 'place', is: multiline ? 'line-end' : 'end' }
    if (this.takes('\\b')) return { type: 'place', is: 'word-boundary' }
    if (this.takes('\\B')) return { type: 'place', is: 'no-word-boundary' }
    if (this.takes('.')) return { type: 'one', of: except(dotAll ? [] : NEWLINES) }
    return { type: 'one', of: this.withCase(this.readCharacter(false)) }
  }

  private readGroup(): Part {
    if (this.takes('?') && !this.takes(':')) {
      // What is left is a name, `(?<year>…)`, or something that looks around or changes the flags.
      if (!this.takes('<') || '=!'.includes(this.source[this.at] ?? '='))
        throw unsafe(this.expression, 'looks around, which cannot be done while a text still grows.')
      this.at = this.source.indexOf('>', this.at) + 1
    }
    const inner = this.readChoice()
    if (!this.takes(')')) throw this.unknown()
    return inner
  }

  /** `[a-z_\d]`, from after its bracket. */
  private readClass(): Characters {
    const isNegated = this.takes('^')
    const sets: Characters[] = []
    while (!this.takes(']')) {
      if (this.at >= this.source.length) throw this.unknown()
      sets.push(this.readCharacter(true))
      const low = this.lastCode
      if (this.source[this.at] !== '-' || this.source[this.at + 1] === ']') continue
      this.at++
      sets.push(this.readCharacter(true))
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

  private readCharacter(isInClass: boolean): Characters {
    this.lastCode = undefined
    if (!this.takes('\\')) return this.single(this.source.charCodeAt(this.at++))
    const letter = this.source[this.at++] ?? ''
    const control = 'tnvfr'.indexOf(letter)
    if (control !== -1) return this.single(9 + control)
    switch (letter) {
      case 'd':
        return DIGITS
      case 'w':
        return WORDS
      case 's':
        return SPACES
      case 'D':
        return except(DIGITS)
      case 'W':
        return except(WORDS)
      case 'S':
        return except(SPACES)
      case 'x':
        return this.readHex(2)
      case 'u':
        return this.readHex(4)
      case 'b':
        if (isInClass) return this.single(8)
        break
      case '0':
        if (!/\d/.test(this.source[this.at] ?? '')) return this.single(0)
        break
    }
    if (/[1-9k]/.test(letter))
      throw unsafe(this.expression, 'refers back to a group, which can take forever to match.')
    if (/\w/.test(letter)) throw this.unknown()
    return this.single(letter.charCodeAt(0))
  }

  private readHex(digits: number): Characters {
    const written = this.source.slice(this.at, this.at + digits)
    if (written.length < digits || !/^[0-9a-f]+$/i.test(written)) throw this.unknown()
    this.at += digits
    return this.single(Number.parseInt(written, 16))
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

  private unknown(): SluiceError {
    return unsafe(this.expression, `is not understood at character ${this.at + 1}.`)
  }
}
