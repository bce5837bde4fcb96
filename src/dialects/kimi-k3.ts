/**
 * Kimi K3: elements whose tags are tokens; the wire says of which type a value is.
 *
 *     <|open|>tools<|sep|><|open|>call tool="get_weather" index="1"<|sep|><|open|>argument key="days"
 *     type="number"<|sep|>2<|close|>argument<|sep|><|close|>call<|sep|><|close|>tools<|sep|>
 */

import { define } from '../engine/wire/dialect.ts'
import { args, closer, each, either, optional, space, tag, wire, wrapper } from '../engine/wire/index.ts'
import { parameterValue } from './parameter-value.ts'
import { reasoningMarkers } from './reasoning-markers.ts'
import { strayBrace } from './stray-brackets.ts'
import {
  XTML_BRACKETS as brackets,
  xtmlClose as close,
  xtmlClosed as closed,
  xtmlOpen as open,
  xtmlOpened as opened,
  xtmlUnfinished as unfinished,
} from './xtml.ts'

const call = tag('call', { tool: 'name', index: 'index' }, { brackets, optional: ['index'] })
const argument = tag('argument', { key: 'key', type: 'type' }, { brackets, optional: ['type'] })

const pairs = each`${space}${argument}${parameterValue}${closer`${closed('argument')}`}`
const json = wire`${space}${optional`${open('json')}`}${space}${args}${strayBrace}${space}${optional`${close('json')}`}`

/** The dialect of Kimi K3. */
export const kimiK3 = define('kimi-k3', {
  reasoning: reasoningMarkers.kimiK3,
  call: wire`${wrapper`${opened('tools')}`}${each`${space}${call}${either(pairs, json)}${space}${closer`${closed('call')}`}`}${space}${closer`${closed('tools')}`}`,
  drop: [
    wire`${open('response')}`,
    wire`${close('response')}`,
    // The closer of reasoning, as it is written without its last token.
    ...unfinished('think'),
  ],
  emptyCall: wire`${open('tools')}${space}${close('tools')}`,
  ignore: [wire`${close('message')}`],
  spacedCalls: true,
  endOfTurn: ['<|end_of_msg|>'],
  tokens: ['<|open|>', '<|close|>'],
  callEndsReasoning: true,
  dropEndsReasoning: true,
  untyped: 'json',
  aliases: ['kimi_k3'],
})
