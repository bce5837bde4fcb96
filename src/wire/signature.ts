import { isSpace } from '../whitespace.ts'

/**
 * The beginning of a call that nothing marks: a brace, and a key that calls have. Until that is there, each
 * character must be one that can stand in it.
 *
 *     { "na|me": "get_weather"
 */
export class Signature {
  isKnown = false
  text = ''
  private readonly keys: readonly string[] | undefined
  private place: 'brace' | 'key' | 'in-key' | 'colon' = 'brace'
  private quote = ''
  private key = ''

  constructor(keys: readonly string[] | undefined) {
    this.keys = keys
  }

  /** Takes a character that can stand here. */
  takes(character: string): boolean {
    this.text += character
    switch (this.place) {
      case 'brace':
        this.place = 'key'
        return character === '{'
      case 'key':
        if (isSpace(character)) return true
        this.quote = character
        this.place = 'in-key'
        return character === '"' || character === "'"
      case 'in-key':
        if (character === this.quote) {
          this.place = 'colon'
          return this.keys === undefined || this.keys.includes(this.key)
        }
        this.key += character
        return this.keys === undefined || this.keys.some((key) => key.startsWith(this.key))
      case 'colon':
        this.isKnown = character === ':'
        return isSpace(character) || this.isKnown
    }
  }

  save(): object {
    const { keys, ...plain } = this
    return plain as object
  }

  restore(saved: object): void {
    Object.assign(this, saved)
  }
}
