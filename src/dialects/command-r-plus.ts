/**
 * Command R and R+: a list of actions in a code block behind a word. An action of `directly_answer` calls nothing.
 *
 *     Action:
 *     ```json
 *     [{"tool_name": "get_weather", "parameters": {"city": "Paris"}}]
 *     ```
 */

import { define } from '../engine/wire/dialect.ts'
import { closer, list, literal, object, optional, space, wire } from '../engine/wire/index.ts'

// The word alone is prose. Only the block behind it makes it a marker.
const open = literal('Action:\n```json', 'Action: ```json', 'Action:```json')

/** The dialect of Cohere Command R and R+. */
export const commandRPlus = define('command-r-plus', {
  call: wire`${open}
    [
    ${list(object({ name: ['tool_name'], arguments: ['parameters'] }))}
    ]
    ${closer`${'```'}`}`,
  drop: wire`${open}
    [
    {
    "tool_name"${space}:${space}"${literal('directly_answer', 'directly-answer')}"${space},
    "parameters"${space}:${space}{
    }
    }
    ]
    ${optional`${'```'}`}`,
  reservedNames: ['directly_answer', 'directly-answer'],
  spacedCalls: true,
  endOfTurn: ['<|END_OF_TURN_TOKEN|>'],
  aliases: ['command_r_plus', 'command_r', 'cohere_command_r_plus'],
})
