/**
 * Calls as a template writes them, cut down to what one call is. All have the same id, so that what differs between two
 * calls is their names and arguments.
 *
 *     <calls><call>find_quince{"orchard": "Hesperia", "baskets": 73}</call><call>note_medlar…</call></calls>
 *     ^^^^^^^ before                                                                     behind ^^^^^^^^
 */

import { SluiceError } from '../../base/errors.ts'
import type { JsonValue } from '../../base/event.ts'
import { itemIn, type ListFrame, listFrame } from '../grammar/list-frame.ts'
import { PLAIN, type Probe, SPOKEN } from './probes.ts'
import { commonPrefix, isWritten, snapped, type TurnWriter } from './written-turns.ts'

/** The name, the arguments and their values that all samples are made of. */
export const SAMPLE = { toolName: 'find_quince', orchard: 'Hesperia', baskets: 73 } as const

export interface CallSamples {
  /** What stands around all calls, and between two. */
  readonly frame: ListFrame
  /** A call of the tool with these arguments; undefined where the template writes none. */
  one(input: { readonly [key: string]: JsonValue }): string | undefined
  /** The id of every call. */
  readonly id: string
}

const both = { orchard: SAMPLE.orchard, baskets: SAMPLE.baskets }
const OTHER = { toolName: 'note_medlar', input: { remark: 'Bletted' } } as const
const NO_FRAME: ListFrame = { before: '', between: '', behind: '' }

export function callSamples(writer: TurnWriter): CallSamples {
  const sameIds = writer.withSameIds()
  const plain = sameIds.write(PLAIN)
  const beforeText = isWritten(plain) ? plain.responses[0].split(SPOKEN)[0]! : ''
  const written = (calls: Probe['calls'] & object): string | undefined => {
    const turn = sameIds.write({ name: 'a sample', calls })
    return isWritten(turn) ? withoutStart(turn.responses[0], beforeText).trim() : undefined
  }
  const find = (input: { readonly [key: string]: JsonValue }) => ({ toolName: SAMPLE.toolName, input })
  const frame = frameOf(written([find(both)]), written([OTHER]), written([find(both), OTHER]))
  return {
    frame,
    id: sameIds.idOf(SAMPLE.toolName),
    one: (input) => {
      const text = written([find(input)])
      return text === undefined ? undefined : inFrame(frame, text)
    },
  }
}

/** A text without what text begins with, too, such as empty reasoning. */
function withoutStart(text: string, start: string): string {
  return text.slice(snapped(text, commonPrefix(text, start)))
}

/** A template that writes one call at a time has no frame. */
function frameOf(first?: string, second?: string, pair?: string): ListFrame {
  if (first === undefined || second === undefined || pair === undefined) return NO_FRAME
  return unlessUnlike(() => listFrame(first, second, uncounted(pair, second))) ?? NO_FRAME
}

/** Where the second call has a higher number than if it were alone, the calls are counted: both get the same number. */
function uncounted(pair: string, second: string): string {
  const offset = pair.length - second.length
  return [...pair]
    .map((character, at) => {
      const alone = second[at - offset] ?? ''
      return /\d/.test(alone) && Number(character) === Number(alone) + 1 ? alone : character
    })
    .join('')
}

/** What is in the frame; undefined where the frame is another one. */
export function inFrame(frame: ListFrame, text: string): string | undefined {
  return unlessUnlike(() => itemIn(frame, text))
}

/** The result, or undefined where the texts are not built alike. */
export function unlessUnlike<T>(make: () => T): T | undefined {
  try {
    return make()
  } catch (error) {
    if (error instanceof SluiceError) return undefined
    throw error
  }
}
