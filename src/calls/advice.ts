/** What a model should do instead of sending a refused call again as it was: one sentence for each kind of problem. */

import type { ToolCall } from '../event.ts'
import { isFields } from '../fields.ts'
import { keysOf } from '../path.ts'
import { UNKNOWN_TOOL } from './tools.ts'

/** `known`: how many tools there are, if the call is not one of them. */
export function adviceFor(call: ToolCall, known?: number): string {
  const { status, error, repairs } = call
  if (error?.code === 'denied') return 'Do without it.'
  if (known === 0) return 'Answer without tools.'
  if (known !== undefined || error?.code === UNKNOWN_TOOL) return 'Call a tool that exists.'
  if (status === 'truncated') return adviceForCutOff(call)
  if (status === 'invalid') return ERRORS.get(error?.code ?? '') ?? AGAIN
  const codes = repairs.flatMap((repair) => (repair.class === 'lossless' ? [] : repair.code))
  return REPAIRS.find(([, about]) => about.some((code) => codes.includes(code)))?.[0] ?? AGAIN
}

const AGAIN = 'Send the whole call again with this put right.'

/** The same call would be cut off at the same place. A smaller one is not. */
function adviceForCutOff({ error, input }: ToolCall): string {
  const [argument] = error?.path === undefined ? Object.keys(Object(input)).slice(-1) : keysOf(error.path)
  const value = argument !== undefined && isFields(input) ? input[argument] : undefined
  // A number or a boolean cannot be divided.
  const isLong = typeof value === 'string' || (typeof value === 'object' && value !== null)
  return isLong
    ? `Do not send the whole call again: write \`${argument}\` in two or more calls, each short enough for one message.`
    : 'Do not send the whole call again: divide the work among several shorter calls.'
}

/** A call that is not valid has one problem. */
const ERRORS: ReadonlyMap<string, string> = byCode([
  ['Send the whole call again with each argument once.', ['duplicate-key']],
  ['Send the whole call again with the name of the tool.', ['no-name']],
  ['Send the whole call again with every argument inside its arguments.', ['unknown-key']],
  ['Send the whole call again with its arguments as one object.', ['not-an-object']],
  ['Send the whole call again with one value for each argument.', ['adjacent-strings']],
  [
    'Send the whole call again with that number as a string, or with a smaller one.',
    ['number', 'non-finite', 'number-length'],
  ],
  [
    'Send the whole call again with the quotes, backslashes and line breaks inside strings escaped once.',
    ['escape', 'control-char'],
  ],
  [
    'Send the whole call again with its arguments as valid JSON.',
    ['json', 'token', 'literal', 'trailing-content', 'comment', 'repairs', 'unreadable-arguments'],
  ],
  ['Send the whole call again with all of its markers.', ['malformed']],
  [
    'Divide the work among several shorter calls.',
    ['limit-reached', 'string-length', 'bare-length', 'key-length', 'keys-per-object', 'total-length'],
  ],
  ['Send the whole call again with arguments that are less deeply nested.', ['depth']],
  // The model is not to blame: its call was damaged on the way.
  ['Send the same call again.', ['payload-lost', 'arguments-changed']],
  ['Do not send it again as it is.', ['refused']],
])

function byCode(
  entries: readonly (readonly [advice: string, codes: readonly string[]])[],
): ReadonlyMap<string, string> {
  return new Map(entries.flatMap(([advice, codes]) => codes.map((code) => [code, advice] as const)))
}

/** The first that fits is given: where a call stands matters more than how it is written. */
const REPAIRS: readonly (readonly [advice: string, codes: readonly string[]])[] = [
  ['To call the tool, close the reasoning first, and send the call behind it.', ['inside-reasoning']],
  ['To call the tool, send the call with nothing behind it.', ['text-behind-call']],
  ['Send the call again in a message of its own, without such markers.', ['place-uncertain']],
  ['Send the whole call again, and write out everything that `...` stands for.', ['ellipsis']],
  ['Send the whole call again with the name of the tool.', ['missing-name']],
  ['Send the whole call again with each argument once.', ['repeated-key', 'repeated-arguments']],
  [
    'Send the whole call again with every argument under its own name.',
    ['positional-argument', 'unknown-key', 'wrapped-arguments'],
  ],
  ['Send the whole call again with every string in quotes.', ['bare-string']],
  [
    'Send the whole call again with the quotes and backslashes inside strings escaped once.',
    [
      'inner-quote',
      'invalid-escape',
      'escaped-document',
      'escaped-whitespace',
      'escaped-json',
      'double-encoded',
    ],
  ],
  [
    'Send the whole call again with its arguments as valid JSON.',
    [
      'missing-comma',
      'missing-colon',
      'missing-close',
      'extra-comma',
      'leading-content',
      'trailing-content',
      'not-json',
    ],
  ],
  [
    'Send the whole call again with all of its markers.',
    [
      'missing-closer',
      'missing-opener',
      'missing-token',
      'stripped-tokens',
      'unclosed-element',
      'stray-closer',
      'miscased-tag',
    ],
  ],
  [
    'Send the whole call again with each value between the markers of its own argument.',
    ['mixed-text', 'duplicate-string-tag'],
  ],
  ['Send the whole call again with a number that JSON has, or with a string.', ['non-finite']],
  [
    'Send the whole call again with a line break on both sides of each value, or on neither.',
    ['unpaired-newline'],
  ],
]
