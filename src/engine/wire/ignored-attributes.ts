/**
 * The attributes of a tag that mean nothing: from the white space behind its name to the bracket that ends it, which is
 * not read. Each has a value in quotes, as XML wants it: prose goes on with words.
 *
 *     <thinking depth="2|">
 *     <thinking about i|t        no attribute
 */

import type { Limits } from '../../base/limits.ts'
import { isCount, oneOf } from '../../base/plain-state.ts'
import { isSpace } from '../../base/whitespace.ts'
import type { Reader, ReaderType } from './reader.ts'
import { Template } from './template.ts'

const PLACES = ['behind', 'before-name', 'name', 'before-equals', 'before-value', '"', "'"] as const

interface AttributesState {
  place: (typeof PLACES)[number]
  /** How many characters were read. */
  taken: number
}

class IgnoredAttributesReader implements Reader<AttributesState> {
  status: Reader['status'] = 'open'
  readonly state: AttributesState
  private readonly limits: Limits

  constructor(limits: Limits, state: AttributesState) {
    this.limits = limits
    this.state = state
  }

  read(text: string, from: number, to: number): number {
    const { state } = this
    let at = from
    while (at < to && this.status === 'open') {
      const next = state.taken < this.limits.tag ? placeAfter(state.place, text[at]!) : 'failed'
      if (next === 'done' || next === 'failed') this.status = next
      else {
        state.place = next
        state.taken++
        at++
      }
    }
    return at
  }

  end(): void {}
}

/** Where one character leads. */
function placeAfter(
  place: AttributesState['place'],
  character: string,
): AttributesState['place'] | 'done' | 'failed' {
  const isBlank = isSpace(character)
  switch (place) {
    case 'behind':
    case 'before-name':
      if (isBlank) return 'before-name'
      if (character === '>') return 'done'
      return place === 'before-name' && isNameCharacter(character) ? 'name' : 'failed'
    case 'name':
      if (isNameCharacter(character)) return 'name'
      return placeAfter('before-equals', character)
    case 'before-equals':
      if (character === '=') return 'before-value'
      return isBlank ? 'before-equals' : 'failed'
    case 'before-value':
      if (character === '"' || character === "'") return character
      return isBlank ? 'before-value' : 'failed'
    default:
      if (character === place) return 'behind'
      return character === '<' ? 'failed' : place
  }
}

function isNameCharacter(character: string): boolean {
  return /[\w:.-]/.test(character)
}

const type: ReaderType<AttributesState> = {
  name: 'ignoredAttributes',
  first: '',
  namesCall: false,
  givesNothing: true,
  shape: { place: oneOf(...PLACES), taken: isCount },
  create: ({ limits }, state = { place: 'before-name', taken: 0 }) =>
    new IgnoredAttributesReader(limits, state),
  render: () => undefined,
}

export const ignoredAttributes = new Template([
  { kind: 'space', written: ' ' },
  { kind: 'reader', type },
])
