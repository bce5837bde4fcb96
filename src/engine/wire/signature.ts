import { isBoolean, isString, oneOf, type Shape } from '../../base/plain-state.ts'
import { isSpace } from '../../base/whitespace.ts'

const PLACES = ['brace', 'key', 'in-key', 'colon', 'type', 'comma'] as const
const TYPE = '"function"'

export interface SignatureState {
  isKnown: boolean
  /** All that was read. */
  text: string
  place: (typeof PLACES)[number]
  quote: string
  key: string
  /** It begins with the type that APIs give a call, of which this much was read. */
  type: string
}

export const SIGNATURE: Shape<SignatureState> = {
  isKnown: isBoolean,
  text: isString,
  place: oneOf(...PLACES),
  quote: isString,
  key: isString,
  type: isString,
}

export const newSignature = (): SignatureState => ({
  isKnown: false,
  text: '',
  place: 'brace',
  quote: '',
  key: '',
  type: '',
})

/**
 * The beginning of a call that nothing marks: a brace, and a key that calls have. Until that is there, each
 * character must be one that can stand in it.
 *
 *     { "na|me": "get_weather"
 *     {"type": "func|tion", "name": "get_weather"
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
        return keys === undefined || keys.includes(s.key) || s.key === 'type'
      }
      s.key += character
      return keys === undefined || 'type'.startsWith(s.key) || keys.some((key) => key.startsWith(s.key))
    case 'colon': {
      const isColon = character === ':'
      if (isColon && keys !== undefined && !keys.includes(s.key)) s.place = 'type'
      else s.isKnown = isColon
      return isSpace(character) || isColon
    }
    case 'type':
      if (s.type === '' && isSpace(character)) return true
      s.type += character === "'" ? '"' : character
      if (s.type === TYPE) s.place = 'comma'
      return TYPE.startsWith(s.type)
    case 'comma':
      s.isKnown = character === ','
      return isSpace(character) || s.isKnown
  }
}
