/**
 * Inkling: messages of several kinds, which all end alike. Before the kind may stand which tool a message is for.
 *
 *     <|message_model|>get_weather<|content_invoke_tool_json|>{"name":"get_weather","args":{"city":"Paris"}}<|end_message|>
 */

import { define } from '../engine/wire/dialect.ts'
import { closer, name, object, perTool, space, valueWith, wire } from '../engine/wire/index.ts'
import { label } from '../engine/wire/label.ts'
import { seen } from '../engine/wire/seen.ts'
import { unnamed } from '../engine/wire/template.ts'
import { reasoningMarkers } from './reasoning-markers.ts'
import { strayBrace } from './stray-brackets.ts'

const body = object({ name: ['name'], arguments: ['args', 'arguments'] })

const plain = wire`${valueWith({ key: 'text' })}${closer`<|end_message|>`}`

/** The dialect of Inkling. */
export const inkling = define('inkling', {
  reasoning: reasoningMarkers.inkling,
  call: [
    wire`<|content_invoke_tool_json|>${space}${body}${strayBrace}${space}${closer`<|end_message|>`}`,
    // The tool's name stands in the header and nowhere else.
    wire`<|message_model|>${name}<|content_invoke_tool_text|>${plain}`,
    wire`<|content_invoke_tool_text|>${unnamed}${plain}`,
  ],
  // The prompt ends behind the token before a header.
  weakCall: wire`${perTool(({ name }) => wire`${name}<|content_invoke_tool_text|>`)}${plain}`,
  weakDrop: wire`${label}${seen('<|content_')}`,
  drop: [
    wire`<|message_model|>${label}${seen('<|content_')}`,
    wire`<|content_text|>`,
    wire`<|content_tool_error|>`,
    wire`<|end_message|>`,
  ],
  endOfTurn: ['<|content_model_end_sampling|>'],
  callEndsReasoning: true,
  dropEndsReasoning: true,
  strayCloser: 'text', // its closer ends every kind of message, and is dropped
})
