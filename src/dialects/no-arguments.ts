/**
 * Nothing where an object of arguments should be, directly before the marker that ends the call.
 *
 *     <|tool_call_argument_begin|>|<|tool_call_end|>
 */

import { wire } from '../engine/wire/index.ts'
import { type Node, reported } from '../engine/wire/template.ts'

export const noArguments = (end: Node | string) => wire`${reported('empty-arguments')}${end}`
