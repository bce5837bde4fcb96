/**
 * MiniMax M3: elements, lists and objects among them. Every tag has the same token before it, so nothing in a value
 * can be taken for one.
 *
 *     ]<]minimax[>[<tool_call>
 *     ]<]minimax[>[<invoke name="get_weather">]<]minimax[>[<city>Paris]<]minimax[>[</city>]<]minimax[>[</invoke>
 *     ]<]minimax[>[</tool_call>
 */

import { define } from '../engine/wire/dialect.ts'
import { closer, each, elements, tag, wire, wrapper } from '../engine/wire/index.ts'
import { CONTROL_TOKENS } from './control-tokens.ts'
import { reasoningMarkers } from './reasoning-markers.ts'

const TOKEN = ']<]minimax[>['

const invoke = tag('invoke', { name: 'name' }, { brackets: { open: [`${TOKEN}<`], close: '>' } })

/** The dialect of MiniMax M3. */
export const minimaxM3 = define('minimax-m3', {
  reasoning: reasoningMarkers.minimaxM3,
  call: wire`${wrapper`${TOKEN}<tool_call>`}${each`
    ${invoke}${elements('invoke', { prefix: TOKEN, once: true })}`}
    ${closer`${TOKEN}</tool_call>`}`,
  spacedTags: true,
  ignore: CONTROL_TOKENS,
  spacedCalls: true,
  endOfTurn: ['[e~['],
  emptyCall: wire`${TOKEN}<tool_call>
    ${TOKEN}</tool_call>`,
  aliases: ['minimax_m3'],
})
