import { isBoolean, isString, oneOf, type Shape } from '../plain-state.ts'
import { isSpace } from '../whitespace.ts'

export interface SignatureState {
  isKnown: boolean
  /** All that was read. */
  text: string
  place: 'brace' | 'key' | 'in-key' | 'colon'
  quote: string
  key: string
}

export const SIGNATURE: Shape<SignatureState> = {
  isKnown: isBoolean,
  text: isString,
  place: oneOf('brace', 'key', 'in-key', 'colon'),
  quote: isString,
  key: isString,
}

export const newSignature = (): SignatureState => ({
  isKnown: false,
  text: '',
  place: 'brace',
  quote: '',
  key: '',
})

/**
 * The beginning of a call that nothing marks: a brace, and a key that calls have. Until that is there, each
 * character must be one that can stand in it.
 *
 *     { "na|me": "get_weather"
 *
 * Takes a character that can stand here. `keys`: those that show that it is a call; undefined if any may.
 */
export function takesSignature(
  s: SignatureState,
  keys: readonly string[] | undefined,
  character: string,
): boolean {
  s.text += character
  switch (s.place) {
    case 'brace':
      s.place = 'key'
      return character === '{'
    case 'key':
      if (isSpace(character)) return true
      s.quote = character
      s.place = 'in-key'
      return character === '"' || character === "'"
    case 'in-key':
      if (character === s.quote) {
        s.place = 'colon'
        return keys === undefined || keys.includes(s.key)
      }
      s.key += character
      return keys === undefined || keys.some((key) => key.startsWith(s.key))
    case 'colon':
      s.isKnown = character === ':'
      return isSpace(character) || s.isKnown
  }
}
