/**
 * Functionary v3.2: a line says who a message is for: `all`, or the name of a tool that is known, whose arguments follow as
 * JSON. Anything else behind it, such as code for `python`, stays text. The prompt ends behind `>>>`.
 *
 *     all
 *     Let me look.>>>get_weather
 *     {"city": "Paris"}
 */

import { define } from '../engine/wire/dialect.ts'
import { args, perTool, wire } from '../engine/wire/index.ts'
import { ahead } from '../engine/wire/template.ts'
import { LLAMA_END } from './control-tokens.ts'

/** The dialect of Functionary v3.2. */
export const functionaryV32 = define('functionary-v32', {
  call: wire`${perTool(({ name }) => wire`${ahead(`>>>${name}\n`, '{')}`)}${args}`,
  drop: wire`>>>all${'\n'}`,
  prefilled: '>>>',
  reservedNames: ['all'],
  endOfTurn: LLAMA_END,
  knownToolsOnly: true,
  aliases: ['functionary', 'functionary_v3_2'],
  neutralise: { '>>>': '&gt;&gt;&gt;' },
})
