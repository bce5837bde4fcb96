/**
 * The reasoning markers of most models. Those of all others are a file of their own, which a dialect without them
 * does not need.
 *
 *     <think>
 *     The user wants the weather.
 *     </think>
 */

import { newline, type Template, text, wire } from '../engine/wire/index.ts'

/** DeepSeek R1 and later, Qwen3, QwQ, GLM 4.5+, Kimi K2 Thinking, MiniMax M2, Nemotron and most others. */
export const think: Template = wire`<think>${newline}${text}${newline}</think>${newline}${newline}`
