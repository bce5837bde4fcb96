/** What a model should do instead of sending a refused call again as it was: one sentence for each kind of problem. */

import type { ToolCall } from '../event.ts'
import { isFields } from '../fields.ts'
import { keysOf } from '../path.ts'
import { UNKNOWN_TOOL } from './tools.ts'

export function adviceFor(call: ToolCall, isUnknownTool: boolean): string {
  const { status, error, repairs } = call
  if (error?.code === 'denied') return 'Do without it.'
  if (isUnknownTool || error?.code === UNKNOWN_TOOL) return 'Call a tool that exists.'
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

const ERRORS: ReadonlyMap<string, string> = new Map([
  ['duplicate-key', 'Send the whole call again with each argument once.'],
  ['limit-reached', 'Divide the work among several shorter calls.'],
  ['no-name', 'Send the whole call again with the name of the tool.'],
])

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
    ],
  ],
]
