/** What a model should do instead of sending a refused call again as it was: one sentence for each kind of problem. */

import type { FinishReason, ToolCall } from '../../base/event.ts'
import { isFields } from '../../base/fields.ts'
import { keysOf } from '../../base/path.ts'
import { UNKNOWN_TOOL } from './tools.ts'

/** `known`: how many tools there are, if the call is not one of them. `finish`: why the response ended. */
export function adviceFor(call: ToolCall, known?: number, finish?: FinishReason): string {
  const { status, error, repairs } = call
  if (error?.code === 'denied') return 'Do without it.'
  if (known === 0) return 'Answer without tools.'
  if (known !== undefined || error?.code === UNKNOWN_TOOL) return 'Call a tool that exists.'
  // The model stopped by itself, so that less text would change nothing.
  if (status === 'truncated' && (finish === 'stop' || finish === 'tool-calls')) return UNCLOSED
  if (status === 'truncated') return adviceForCutOff(call)
  const codes =
    status === 'invalid'
      ? [error?.code ?? '']
      : repairs.flatMap((repair) => (repair.class === 'lossless' ? [] : repair.code))
  return ADVICE.find(([, about]) => codes.some((code) => about.split(' ').includes(code)))?.[0] ?? AGAIN
}

const again = (how: string): string => `Send the whole call again with ${how}.`

const AGAIN = again('this put right')
const UNCLOSED = again('all of its markers')

/** In characters. A shorter call was cut off because of what came before it. */
const LONG_CALL = 200

/** A long call would be cut off at the same place. A smaller one is not. */
function adviceForCutOff({ error, input, raw }: ToolCall): string {
  if (raw !== undefined && raw.length < LONG_CALL)
    return 'Send the whole call again, with less text before it.'
  const [argument] = error?.path === undefined ? Object.keys(Object(input)).slice(-1) : keysOf(error.path)
  const value = argument !== undefined && isFields(input) ? input[argument] : undefined
  // A number or a boolean cannot be divided.
  const isLong = typeof value === 'string' || (typeof value === 'object' && value !== null)
  return isLong
    ? `Do not send the whole call again: write \`${argument}\` in two or more calls, each short enough for one message.`
    : 'Do not send the whole call again: divide the work among several shorter calls.'
}

/**
 * Errors and repairs, by their codes. The first that fits is given: where a call stands matters more than how it is
 * written.
 */
const ADVICE: readonly (readonly [advice: string, codes: string])[] = [
  ['To call the tool, close the reasoning first, and send the call behind it.', 'inside-reasoning'],
  ['To call the tool, send the call with nothing behind it.', 'text-behind-call'],
  [again('nothing directly behind the bracket that ends it'), 'trailing-content'],
  ['Send the call again in a message of its own, without such markers.', 'place-uncertain'],
  ['Do not send it again as it is.', 'refused'],
  // The model is not to blame: its call was damaged on the way.
  ['Send the same call again.', 'payload-lost arguments-changed'],
  [
    'Divide the work among several shorter calls.',
    'limit-reached string-length bare-length key-length keys-per-object total-length',
  ],
  [again('everything written out that `...` stands for'), 'ellipsis'],
  [again('the name of the tool'), 'missing-name no-name'],
  [again('each argument once'), 'repeated-key repeated-arguments duplicate-key'],
  [again('every argument inside its arguments'), 'unknown-key wrapped-arguments'],
  [again('every argument under its own name'), 'positional-argument'],
  [again('its arguments as one object'), 'empty-arguments not-an-object'],
  [again('arguments that are less deeply nested'), 'depth'],
  [again('one value for each argument'), 'adjacent-strings'],
  [again('every string in quotes'), 'bare-string'],
  [again('a number that JSON has, or with a string'), 'number non-finite number-length'],
  [
    again('the quotes, backslashes and line breaks inside strings escaped once'),
    'inner-quote invalid-escape escape control-char escaped-document escaped-whitespace escaped-json double-encoded',
  ],
  [
    again('its arguments as valid JSON'),
    'missing-comma missing-colon missing-close extra-comma leading-content not-json json token literal comment repairs unreadable-arguments',
  ],
  [
    UNCLOSED,
    'missing-closer missing-opener missing-token stripped-tokens unclosed-element stray-closer miscased-tag malformed',
  ],
  [
    again('each value between the markers of its own argument'),
    'mixed-text duplicate-string-tag ignored-attribute',
  ],
  [again('a line break on both sides of each value, or on neither'), 'unpaired-newline'],
]
