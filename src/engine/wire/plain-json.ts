/**
 * JSON that is no call: all of it is text up to its closing bracket, so that nothing inside it is a call.
 *
 *     {"example": {"name": "get_weather", "args": {}}}|
 *
 * Only brackets, strings and words are told apart, because models quote JavaScript, too, and JSON with a quote missing.
 * It ends early where JSON never goes on: at any other character outside a string, at a line break inside one, and at a
 * word behind another one.
 * What follows is read like any other text, so a brace in prose hides nothing for long:
 *
 *     the set {x |such that …
 */

import { oneOf, scalarsLike } from '../../base/plain-state.ts'
import { isSpace } from '../../base/whitespace.ts'
import type { Call } from '../calls/call.ts'
import type { Reader, ReaderSettings, ReaderType } from './reader.ts'

const PLACES = [
  'outside', //  |{
  'first', //    {|             a brace right behind it shows that it is prose
  'between', //  {"a": |1   [1, |2]
  'word', //     {"a": tr|ue    {a|: 1    {"a"|: 1
  'string', //   {"a|": "b|"
  'behind', //   {"a" |: 1 |
] as const
type Place = (typeof PLACES)[number]

interface PlainJsonState {
  place: Place
  /** The opening brackets of all that is open. */
  open: string
  quote: string
  isEscaped: boolean
}

class PlainJsonReader implements Reader<PlainJsonState> {
  status: Reader['status'] = 'open'
  readonly state: PlainJsonState
  private readonly limit: number

  constructor(state: PlainJsonState, { limits }: ReaderSettings) {
    this.state = state
    this.limit = limits.depth
  }

  read(text: string, from: number, to: number, call: Call): number {
    const { state } = this
    for (let at = from; at < to; at++) {
      const isTaken = this.takes(text[at]!)
      // Nothing is known of brackets that are not counted, or of a string without its end: no call behind is certain.
      const isBroken = !isTaken && state.place === 'string' && state.quote === '"'
      if (isBroken || state.open.length > this.limit) call.host.placeLost?.()
      else if (isTaken && (state.open !== '' || state.place === 'outside')) continue
      this.status = 'done'
      return isTaken ? at + 1 : at
    }
    return to
  }

  /** Takes a character; false, and it was not taken, if JSON has none here. */
  private takes(character: string): boolean {
    const { state } = this
    if (state.place === 'string') return this.takesInString(character)
    if (isSpace(character)) {
      if (state.place === 'word') state.place = 'behind'
      return true
    }
    if (character === '{' || character === '[') {
      const isProse = character === '{' && state.place === 'first'
      state.place = character === '{' && state.place === 'outside' ? 'first' : 'between'
      state.open += character
      return !isProse
    }
    if (state.place === 'outside') return false
    if (isWord(character)) {
      const isFirst = state.place !== 'behind'
      state.place = 'word'
      return isFirst
    }
    switch (character) {
      case '}':
      case ']': {
        const isClosed = state.open.endsWith(character === '}' ? '{' : '[')
        state.open = state.open.slice(0, -1)
        state.place = 'behind'
        return isClosed
      }
      case ',':
      case ':':
        state.place = 'between'
        return true
      case '"':
      case "'":
        // Right behind a word it is the half of a pair, and the other half is missing.
        if (state.place === 'word' || state.place === 'behind') return state.place === 'word'
        state.place = 'string'
        state.quote = character
        return true
      default:
        return false
    }
  }

  private takesInString(character: string): boolean {
    const { state } = this
    if (state.isEscaped) state.isEscaped = false
    else if (character === '\\') state.isEscaped = true
    else if (character === state.quote) state.place = 'word'
    else return character !== '\n'
    return true
  }

  end(): void {
    this.status = 'done'
  }
}

/** A character of a number, a literal or a key without quotes. */
function isWord(character: string): boolean {
  const code = character.charCodeAt(0)
  const letter = code | 32
  return (letter >= 97 && letter <= 122) || (code >= 48 && code <= 57) || '_$+-.'.includes(character)
}

function initialState(): PlainJsonState {
  return { place: 'outside', open: '', quote: '', isEscaped: false }
}

export const plainJson: ReaderType<PlainJsonState> = {
  name: 'json',
  first: '{[',
  visible: true,
  namesCall: false,
  shape: { ...scalarsLike(initialState()), place: oneOf(...PLACES) },
  create: (settings, state = initialState()) => new PlainJsonReader(state, settings),
  render: () => '',
}
