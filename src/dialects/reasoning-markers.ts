/** Reasoning markers: an axis of their own, which any dialect can take. */

import { literal, newline, optional, type Template, text, wire } from '../engine/wire/index.ts'
import { think } from './reasoning.ts'
import { xtmlClose, xtmlOpen } from './xtml.ts'

/** Mistral from v13 on, Magistral, Ministral 3. */
const brackets = wire`[THINK]${newline}${text}${newline}[/THINK]${newline}${newline}`
/** Seed-OSS. */
const seed = wire`<seed:think>${newline}${text}${newline}</seed:think>${newline}${newline}`
/** Gemma 4; the label may be missing. */
const gemma = wire`<|channel>${optional`thought`}${newline}${text}<channel|>`
/** Cohere Command. */
const cohere = wire`<|START_THINKING|>${text}<|END_THINKING|>`
/** Apertus. */
const inner = wire`<|inner_prefix|>${text}<|inner_suffix|>`
/** Granite 3.2 says it in prose. */
const granite = wire`${literal('Here is my thought process:', "Here's my thought process:")}${newline}${text}${newline}${literal('Here is my response:', "Here's my response:")}${newline}`

/** The markers that models use, for `withReasoning(dialect, reasoningMarkers.kimi)`. */
export const reasoningMarkers = {
  think,
  brackets,
  seed,
  gemma,
  cohere,
  inner,
  granite,
  /** Apriel 1.5, and models that are prompted for it. */
  thinking: wire`<thinking>${newline}${text}${newline}</thinking>${newline}`,
  /** Kimi-VL. */
  kimi: wire`◁think▷${newline}${text}${newline}◁/think▷${newline}`,
  /** MiniMax M3. */
  minimaxM3: wire`<mm:think>${newline}${text}${newline}</mm:think>${newline}`,
  /** Kimi K3. */
  kimiK3: wire`${xtmlOpen('think')}${text}${xtmlClose('think')}`,
  /** Inkling. */
  inkling: wire`<|content_thinking|>${text}<|end_message|>`,
  /** Solar Open. */
  solar: wire`<|think|>${text}<|end|>`,
  /** Apriel 1.6 says it in prose. */
  apriel: wire`Here are my reasoning steps:${newline}${text}${newline}[BEGIN FINAL RESPONSE]${newline}`,
  /** Hermes 3. */
  scratchPad: wire`<scratch_pad>${newline}${text}${newline}</scratch_pad>${newline}`,
} as const satisfies Record<string, Template>
