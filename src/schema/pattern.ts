/**
 * Which regular expressions of a schema may be run at all.
 *
 * A schema's `pattern` may come from anywhere, and JavaScript's engine backtracks: `^(a+)+$` takes longer
 * than the universe on forty characters. So a pattern is read here first, and only one whose cost is
 * known is run. The measure is one character of lookahead: where the next character alone decides how
 * to go on (`^[a-z]+(-[a-z]+)*$`), there is nothing to backtrack into, however deeply it repeats.
 */

const MAX_SOURCE = 256
/** The longest text a pattern of quadratic cost is run on. */
const MAX_QUADRATIC = 2048
/** Ways to match one place that the next character does not decide between, all multiplied. */
const MAX_WAYS = 16
/** Copies of a part that counted repetitions (`{3}`, `{1,20}`), one inside the other, may ask for. */
const MAX_COPIES = 4096

/**
 * Whether a pattern can be run on texts of this length without running away. Refused are
 * backreferences, lookarounds, whatever is not understood, repetitions and alternatives inside
 * repetitions that the next character does not decide, and patterns beyond 256 characters.
 *
 *     isSafePattern('^[a-z]+(-[a-z]+)*$', 1_000_000)  // true
 *     isSafePattern('^(a+)+$')                        // false
 */
export function isSafePattern(source: string, length: number = MAX_QUADRATIC): boolean {
  return readPattern(source)?.isSafeFor(length) ?? false
}

/** A pattern whose cost is known, ready to be run. */
export interface Pattern {
  readonly expression: RegExp
  isSafeFor(length: number): boolean
}

/** Undefined for a pattern that must never be run. */
export function readPattern(source: string): Pattern | undefined {
  if (source.length > MAX_SOURCE) return undefined
  const expression = compile(source)
  const parts = expression === undefined ? undefined : new PatternReader(source).read()
  if (expression === undefined || parts === undefined) return undefined
  const costs = new Costs()
  costs.add(parts, { after: NOTHING, isLast: true, isRepeated: false, copies: 1 })
  const power = costs.power(isAnchored(parts))
  if (power === undefined) return undefined
  return { expression, isSafeFor: (length) => power === 1 || length <= MAX_QUADRATIC }
}

/** With the unicode flag that JSON Schema asks for, where the pattern takes it. */
function compile(source: string): RegExp | undefined {
  for (const flags of ['u', '']) {
    try {
      return new RegExp(source, flags)
    } catch {
      // Many patterns in the wild escape what needs no escape, which only the older syntax takes.
    }
  }
  return undefined
}

// ── what a pattern is made of ────────────────────────────────────────────────────────────────────

/** A set of characters: a bit for each of ASCII, and one for all the others together. */
type Characters = bigint

const NOTHING: Characters = 0n
const OTHERS: Characters = 1n << 128n
const EVERYTHING: Characters = (1n << 129n) - 1n

function character(code: number): Characters {
  return code < 128 ? 1n << BigInt(code) : OTHERS
}

function range(from: number, to: number): Characters {
  let all = to >= 128 ? OTHERS : NOTHING
  for (let code = from; code <= Math.min(to, 127); code++) all |= character(code)
  return all
}

/** Of characters beyond ASCII it is never known that none is left. */
function except(characters: Characters): Characters {
  return (EVERYTHING & ~characters) | OTHERS
}

const DIGITS = range(48, 57)
const WORDS = DIGITS | range(65, 90) | range(97, 122) | character(95)
const SPACES = range(9, 13) | character(32) | OTHERS
const HEX = '0123456789abcdefABCDEF'
const NEWLINES = character(10) | character(13)

type Part =
  | { readonly type: 'one'; readonly of: Characters }
  /** Matches no character: `^`, `$`, `\b`. */
  | { readonly type: 'place'; readonly isStart: boolean }
  | { readonly type: 'sequence'; readonly parts: readonly Part[] }
  | { readonly type: 'choice'; readonly options: readonly Part[] }
  | { readonly type: 'repeat'; readonly part: Part; readonly min: number; readonly max: number }

function isNullable(part: Part): boolean {
  switch (part.type) {
    case 'one':
      return false
    case 'place':
      return true
    case 'sequence':
      return part.parts.every(isNullable)
    case 'choice':
      return part.options.some(isNullable)
    case 'repeat':
      return part.min === 0 || isNullable(part.part)
  }
}

/** The characters a match of the part can start with. */
function firstOf(part: Part): Characters {
  switch (part.type) {
    case 'one':
      return part.of
    case 'place':
      return NOTHING
    case 'sequence':
      return firstOfSequence(part.parts, 0, NOTHING)
    case 'choice':
      return part.options.reduce((all, option) => all | firstOf(option), NOTHING)
    case 'repeat':
      return part.max === 0 ? NOTHING : firstOf(part.part)
  }
}

function firstOfSequence(parts: readonly Part[], from: number, after: Characters): Characters {
  let first = NOTHING
  for (let at = from; at < parts.length; at++) {
    first |= firstOf(parts[at]!)
    if (!isNullable(parts[at]!)) return first
  }
  return first | after
}

function isAnchored(part: Part): boolean {
  if (part.type === 'place') return part.isStart
  if (part.type === 'sequence') return part.parts[0] !== undefined && isAnchored(part.parts[0])
  return part.type === 'choice' && part.options.every(isAnchored)
}

/** Where a part stands in the pattern. */
interface Context {
  /** The characters that can follow it. */
  readonly after: Characters
  /** Nothing is asked of what follows, so that nothing there can fail. */
  readonly isLast: boolean
  /** It is matched more than once, so that ways to match it multiply. */
  readonly isRepeated: boolean
  /** How many copies of it the counted repetitions around it make. */
  readonly copies: number
}

/** Adds up what the places cost at which the next character does not decide. */
class Costs {
  private isRefused = false
  private ways = 1
  private undecidedLoops = 0
  private hasDecidedLoop = false

  /** The power of the text's length that matching takes at most: 1, 2, or undefined for anything worse. */
  power(isAnchoredAtStart: boolean): number | undefined {
    if (this.isRefused || this.ways > MAX_WAYS) return undefined
    // Without an anchor the engine starts anew at each character.
    const power = this.undecidedLoops + (this.hasDecidedLoop ? 1 : 0) + (isAnchoredAtStart ? 0 : 1)
    return power <= 2 ? Math.max(power, 1) : undefined
  }

  add(part: Part, context: Context): void {
    if (part.type === 'sequence') this.addSequence(part.parts, context)
    else if (part.type === 'choice') this.addChoice(part.options, context)
    else if (part.type === 'repeat') this.addRepeat(part, context)
  }

  private addSequence(parts: readonly Part[], context: Context): void {
    parts.forEach((part, index) => {
      const isLast = context.isLast && index === parts.length - 1
      this.add(part, { ...context, after: firstOfSequence(parts, index + 1, context.after), isLast })
    })
  }

  private addChoice(options: readonly Part[], context: Context): void {
    const firsts = options.map((option) => firstOf(option) | (isNullable(option) ? context.after : NOTHING))
    if (!areApart(firsts)) this.addWays(options.length, context)
    for (const option of options) this.add(option, context)
  }

  private addRepeat({ part, min, max }: Part & { type: 'repeat' }, context: Context): void {
    const copies = context.copies * (max === Infinity ? 1 : Math.max(max, 1))
    if (copies > MAX_COPIES || (max > 1 && isNullable(part))) {
      this.isRefused = true
      return
    }
    const isDecided = min === max || (firstOf(part) & context.after) === NOTHING
    if (isDecided) this.hasDecidedLoop ||= max > MAX_WAYS && !context.isLast
    else if (max !== Infinity) this.addWays(max - min + 1, context)
    else if (context.isRepeated) this.isRefused = true
    else this.undecidedLoops++

    if (max <= 1) this.add(part, context)
    else this.add(part, { after: context.after | firstOf(part), isLast: false, isRepeated: true, copies })
  }

  private addWays(ways: number, context: Context): void {
    if (context.isRepeated) this.isRefused = true
    this.ways *= ways
  }
}

function areApart(sets: readonly Characters[]): boolean {
  let all = NOTHING
  for (const set of sets) {
    if ((all & set) !== NOTHING) return false
    all |= set
  }
  return true
}

// ── reading it ───────────────────────────────────────────────────────────────────────────────────

/** Reads the syntax that is understood; `failed` for the rest. The engine has already accepted the source. */
class PatternReader {
  private readonly source: string
  private at = 0
  private failed = false
  /** The code of the character just read, when it was one and not a class of them. */
  private lastCode: number | undefined

  constructor(source: string) {
    this.source = source
  }

  read(): Part | undefined {
    const pattern = this.readChoice()
    return this.failed || this.at < this.source.length ? undefined : pattern
  }

  private readChoice(): Part {
    const options = [this.readSequence()]
    while (this.takes('|')) options.push(this.readSequence())
    return options.length === 1 ? options[0]! : { type: 'choice', options }
  }

  private readSequence(): Part {
    const parts: Part[] = []
    while (!this.failed && this.at < this.source.length && !'|)'.includes(this.source[this.at]!))
      parts.push(this.readRepeats(this.readPart()))
    return { type: 'sequence', parts }
  }

  private readRepeats(part: Part): Part {
    const bounds = this.readBounds()
    if (bounds === undefined) return part
    this.takes('?') // a lazy repetition tries the same ways in another order
    return { type: 'repeat', part, min: bounds[0], max: bounds[1] }
  }

  private readBounds(): [min: number, max: number] | undefined {
    if (this.takes('*')) return [0, Infinity]
    if (this.takes('+')) return [1, Infinity]
    if (this.takes('?')) return [0, 1]
    const end = this.source[this.at] === '{' ? this.source.indexOf('}', this.at) : -1
    if (end === -1) return undefined
    const [min = '', max, ...more] = this.source.slice(this.at + 1, end).split(',')
    if (!isNumber(min) || (max !== undefined && max !== '' && !isNumber(max)) || more.length > 0)
      return undefined
    this.at = end + 1
    return [Number(min), max === undefined ? Number(min) : max === '' ? Infinity : Number(max)]
  }

  private readPart(): Part {
    if (this.takes('(')) return this.readGroup()
    if (this.takes('[')) return { type: 'one', of: this.readClass() }
    if (this.takes('^')) return { type: 'place', isStart: true }
    if (this.takes('$') || this.takes('\\b') || this.takes('\\B')) return { type: 'place', isStart: false }
    if (this.takes('.')) return { type: 'one', of: except(NEWLINES) }
    return { type: 'one', of: this.readCharacter() }
  }

  private readGroup(): Part {
    if (this.takes('?') && !this.takes(':')) {
      // What is left is a name, `(?<year>…)`, or something that looks around or changes the flags.
      if (!this.takes('<') || '=!'.includes(this.source[this.at] ?? '=')) return this.fail()
      this.at = this.source.indexOf('>', this.at) + 1
    }
    const inner = this.readChoice()
    return this.takes(')') ? inner : this.fail()
  }

  /** `[a-z_\d]`, from after its bracket. */
  private readClass(): Characters {
    const isNegated = this.takes('^')
    let all = NOTHING
    while (!this.takes(']')) {
      if (this.failed || this.at >= this.source.length) return this.failSet()
      all |= this.readCharacter()
      const low = this.lastCode
      if (this.source[this.at] !== '-' || this.source[this.at + 1] === ']') continue
      this.at++
      all |= this.readCharacter()
      const high = this.lastCode
      // Beside a class such as \w the dash stands for itself.
      all |= low === undefined || high === undefined ? character(45) : range(low, high)
    }
    return isNegated ? except(all) : all
  }

  private readCharacter(): Characters {
    this.lastCode = undefined
    if (!this.takes('\\')) {
      const code = this.source.codePointAt(this.at)!
      this.at += code > 0xffff ? 2 : 1
      return this.single(code)
    }
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
    }
    // What is neither a letter nor a digit stands for itself; no other escape is known.
    const code = letter.charCodeAt(0)
    return (WORDS & character(code)) === NOTHING ? this.single(code) : this.failSet()
  }

  private readHex(digits: number): Characters {
    const written = this.source.slice(this.at, this.at + digits)
    if (written.length < digits || ![...written].every((digit) => HEX.includes(digit))) return this.failSet()
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

  private fail(): Part {
    this.failed = true
    return { type: 'sequence', parts: [] }
  }

  private failSet(): Characters {
    this.failed = true
    return EVERYTHING
  }
}

function isNumber(text: string): boolean {
  return text !== '' && [...text].every((digit) => digit >= '0' && digit <= '9')
}
