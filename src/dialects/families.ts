/**
 * Families of models, by what they write. A name belongs to the first family whose pattern is found in it, so that what
 * is special stands before what is general: `qwen3-coder` before `qwen3`, a fine-tune before the model it was made of.
 *
 * Patterns see names as `model-name.ts` leaves them: in lower case, without publisher, quantisation and file type, with
 * `-` between words. A version is written with a point or with a hyphen, and with or without a hyphen before it; `(?!\d*b)`
 * tells it from a size, and `(?!\d)` from a date.
 */

import type { Dialect } from '../engine/wire/dialect.ts'
import type { Template } from '../engine/wire/index.ts'
import { apertus } from './apertus.ts'
import { cohereAction } from './cohere-action.ts'
import { commandRPlus } from './command-r-plus.ts'
import { deepseekDsml } from './deepseek-dsml.ts'
import { deepseekV3 } from './deepseek-v3.ts'
import { deepseekV31 } from './deepseek-v31.ts'
import { dots } from './dots.ts'
import { functionaryV31 } from './functionary-v31.ts'
import { functionaryV32 } from './functionary-v32.ts'
import { functiongemma } from './functiongemma.ts'
import { functools } from './functools.ts'
import { gemma4 } from './gemma4.ts'
import { gigachat3 } from './gigachat3.ts'
import { glm } from './glm.ts'
import { glm4 } from './glm4.ts'
import { granite20bFc } from './granite-20b-fc.ts'
import { granite3 } from './granite3.ts'
import { harmony } from './harmony.ts'
import { hermes } from './hermes.ts'
import { hyV3 } from './hy-v3.ts'
import { inkling } from './inkling.ts'
import { internlm2 } from './internlm2.ts'
import { jsonToolsOpenAi } from './json-tools.ts'
import { kExaone2 } from './k-exaone-2.ts'
import { kimiK2 } from './kimi-k2.ts'
import { kimiK3 } from './kimi-k3.ts'
import { lfm2 } from './lfm2.ts'
import { llama3Json } from './llama3-json.ts'
import { longcat } from './longcat.ts'
import { minicpm5 } from './minicpm5.ts'
import { minimaxM2 } from './minimax-m2.ts'
import { minimaxM3 } from './minimax-m3.ts'
import { mistralArray, mistralV11 } from './mistral.ts'
import { museGlimmer } from './muse-glimmer.ts'
import { nemotronV2 } from './nemotron-v2.ts'
import { olmo3 } from './olmo3.ts'
import { prompted } from './prompted.ts'
import { pythonic } from './pythonic.ts'
import { qwen3Coder } from './qwen3-coder.ts'
import { think } from './reasoning.ts'
import { reasoningMarkers } from './reasoning-markers.ts'
import { seedOss } from './seed-oss.ts'
import { solarOpen } from './solar-open.ts'
import { step3 } from './step3.ts'
import { toolCallsArray } from './tool-calls-array.ts'
import { uiTars } from './ui-tars.ts'
import { xlam } from './xlam.ts'

/** Whether a model reasons: whether it can, and if it can be switched, what it does when nothing is said. */
export type Thinking = 'never' | 'always' | 'unless-disabled' | 'if-enabled'

export interface Family {
  /** How people call the family. */
  readonly name: string
  readonly pattern: RegExp
  readonly dialect: Dialect
  /** Where the family has other markers than the dialect has. */
  readonly reasoning?: readonly Template[]
  readonly thinking: Thinking
  /**
   * What the chat template writes where the model is to reason: nothing by default, so that the response begins in text;
   * the marker that opens reasoning; or `unknown`, where templates differ or none was read.
   */
  readonly prefill?: 'reasoning' | 'unknown'
}

const NEVER = { thinking: 'never' } as const
const ALWAYS = { thinking: 'always' } as const
const UNLESS_DISABLED = { thinking: 'unless-disabled' } as const
const IF_ENABLED = { thinking: 'if-enabled' } as const
const PREFILLED = { prefill: 'reasoning' } as const
const UNKNOWN = { prefill: 'unknown' } as const

export const FAMILIES: readonly Family[] = [
  // ── by other makers than the base model's, or for one job ──────────────────────────────────────
  { name: 'Functionary v3.1', pattern: /functionary.*v3[.-]1/, dialect: functionaryV31, ...NEVER },
  { name: 'Functionary v3.2', pattern: /functionary.*v3[.-]2/, dialect: functionaryV32, ...NEVER },
  { name: 'xLAM 2', pattern: /xlam-?2(?!\d*b)/, dialect: xlam, ...NEVER },
  { name: 'xLAM 1', pattern: /xlam/, dialect: jsonToolsOpenAi, ...NEVER },
  { name: 'UI-TARS', pattern: /ui-?tars/, dialect: uiTars, ...NEVER },
  { name: 'FireFunction v2', pattern: /firefunction-?v2/, dialect: functools, ...NEVER },
  { name: 'ToolACE', pattern: /toolace/, dialect: pythonic, ...NEVER },
  { name: 'watt-tool', pattern: /watt-tool/, dialect: pythonic, ...NEVER },
  { name: 'Llama 3 Groq Tool Use', pattern: /llama-?3-groq.*tool/, dialect: hermes, ...NEVER },
  {
    name: 'DeepSeek R1 distillations',
    pattern: /deepseek-r1.*(?:distill|qwen|llama)/,
    dialect: deepseekV3,
    ...ALWAYS,
    ...PREFILLED,
  },
  { name: 'Cogito v2', pattern: /cogito-?v?2(?!\d*b)/, dialect: deepseekV3, ...IF_ENABLED, ...UNKNOWN },
  {
    name: 'Nemotron of Llama 3',
    pattern: /llama.*nemotron-(?:super|ultra|nano)|nemotron-(?:super-49b|ultra-253b)/,
    dialect: nemotronV2,
    ...UNLESS_DISABLED,
    ...UNKNOWN,
  },
  {
    name: 'Nemotron Nano v2',
    pattern: /nemotron-nano-(?:9b|12b)-v2|nemotron-nano-v2/,
    dialect: nemotronV2,
    ...UNLESS_DISABLED,
    ...PREFILLED,
  },
  {
    name: 'Nemotron 3',
    pattern: /nemotron-3(?!\d*b)/,
    dialect: qwen3Coder,
    ...UNLESS_DISABLED,
    ...PREFILLED,
  },
  { name: 'Hermes 4', pattern: /hermes-?4/, dialect: hermes, ...IF_ENABLED, ...UNKNOWN },
  {
    name: 'Hermes 3',
    pattern: /hermes-?3/,
    dialect: hermes,
    reasoning: [think, reasoningMarkers.scratchPad],
    ...NEVER,
  },
  { name: 'Hermes 2 Theta 70B', pattern: /hermes-?2-?theta.*70b/, dialect: jsonToolsOpenAi, ...NEVER },
  { name: 'Hermes 2 Pro and Theta', pattern: /hermes-?2-?(?:pro|theta)/, dialect: hermes, ...NEVER },
  { name: 'SmolLM3', pattern: /smollm-?3/, dialect: hermes, ...UNLESS_DISABLED },
  { name: 'Trinity', pattern: /\btrinity/, dialect: hermes, ...UNLESS_DISABLED, ...UNKNOWN },
  { name: 'Bielik v3', pattern: /bielik.*v3/, dialect: hermes, ...IF_ENABLED, ...PREFILLED },
  { name: 'Reka Edge', pattern: /reka-edge/, dialect: hermes, ...IF_ENABLED, ...PREFILLED },
  {
    name: 'ERNIE 4.5 Thinking',
    pattern: /ernie-?4[.-]5.*thinking/,
    dialect: hermes,
    ...ALWAYS,
    ...PREFILLED,
  },

  // ── Qwen ───────────────────────────────────────────────────────────────────────────────────────
  { name: 'Qwen3-Coder', pattern: /qwen-?3-?coder/, dialect: qwen3Coder, ...NEVER },
  {
    name: 'Qwen3.5 and 3.6',
    pattern: /qwen-?3[.-][56](?!\d|[\d.]*b)/,
    dialect: qwen3Coder,
    ...UNLESS_DISABLED,
    ...PREFILLED,
  },
  { name: 'Qwen3 Thinking', pattern: /qwen-?3.*thinking/, dialect: hermes, ...ALWAYS, ...PREFILLED },
  { name: 'Qwen3 Instruct', pattern: /qwen-?3.*instruct/, dialect: hermes, ...NEVER },
  { name: 'Qwen3', pattern: /qwen-?3(?![.\d])/, dialect: hermes, ...UNLESS_DISABLED },
  { name: 'QwQ Preview', pattern: /\bqwq.*preview/, dialect: hermes, ...NEVER },
  { name: 'QwQ', pattern: /\bqwq/, dialect: hermes, ...ALWAYS, ...PREFILLED },
  { name: 'Qwen2.5', pattern: /qwen-?2[.-]5(?!\d*b)/, dialect: hermes, ...NEVER },

  // ── DeepSeek ───────────────────────────────────────────────────────────────────────────────────
  { name: 'DeepSeek V4', pattern: /deepseek-?v4/, dialect: deepseekDsml, ...UNLESS_DISABLED, ...PREFILLED },
  {
    name: 'DeepSeek V3.2 Exp',
    pattern: /deepseek-?v3[.-]2-?exp/,
    dialect: deepseekV31,
    ...IF_ENABLED,
    ...PREFILLED,
  },
  {
    name: 'DeepSeek V3.2 Speciale',
    pattern: /deepseek-?v3[.-]2-?speciale/,
    dialect: deepseekDsml,
    ...ALWAYS,
    ...PREFILLED,
  },
  {
    name: 'DeepSeek V3.2',
    pattern: /deepseek-?v3[.-]2(?!\d)/,
    dialect: deepseekDsml,
    ...IF_ENABLED,
    ...PREFILLED,
  },
  {
    name: 'DeepSeek V3.1',
    pattern: /deepseek-?(?:chat-)?v3[.-]1(?!\d)/,
    dialect: deepseekV31,
    ...IF_ENABLED,
    ...PREFILLED,
  },
  {
    name: 'DeepSeek V3',
    pattern: /deepseek-?(?:chat-)?v3(?![.\d]|-\d(?!\d|[\d.]*b))/,
    dialect: deepseekV3,
    ...NEVER,
  },
  { name: 'DeepSeek R1', pattern: /deepseek-?r1|\br1-v1/, dialect: deepseekV3, ...ALWAYS, ...PREFILLED },

  // ── Kimi, GLM, MiniMax ─────────────────────────────────────────────────────────────────────────
  { name: 'Kimi K3', pattern: /kimi-?k3/, dialect: kimiK3, ...UNLESS_DISABLED, ...PREFILLED },
  {
    name: 'Kimi K2 Thinking',
    pattern: /kimi-?k2.*thinking/,
    dialect: kimiK2,
    ...UNLESS_DISABLED,
  },
  {
    name: 'Kimi K2.5',
    pattern: /kimi-?k2[.-][56](?!\d)/,
    dialect: kimiK2,
    ...UNLESS_DISABLED,
    ...UNKNOWN,
  },
  { name: 'Kimi K2', pattern: /kimi-?k2/, dialect: kimiK2, ...NEVER },
  { name: 'GLM 4.5 and 4.6', pattern: /glm-?4[.-][56]/, dialect: glm, ...UNLESS_DISABLED },
  { name: 'GLM 4.7 and 5', pattern: /glm-?(?:4[.-]7|5)/, dialect: glm, ...UNLESS_DISABLED, ...PREFILLED },
  { name: 'Ling 2', pattern: /\bling-(?:2|1t|flash|mini|lite|plus)/, dialect: hermes, ...NEVER },
  { name: 'Ring 2', pattern: /\bring-(?:2|1t|flash|mini|lite)/, dialect: hermes, ...ALWAYS, ...UNKNOWN },
  { name: 'Ling 3', pattern: /\bling-?3/, dialect: glm, ...IF_ENABLED, ...UNKNOWN },
  { name: 'Laguna XS', pattern: /\blaguna-?xs/, dialect: glm, ...IF_ENABLED, ...PREFILLED },
  { name: 'Laguna', pattern: /\blaguna/, dialect: glm, ...UNLESS_DISABLED, ...PREFILLED },
  { name: 'MiniMax M3', pattern: /minimax-?m3/, dialect: minimaxM3, ...IF_ENABLED, ...PREFILLED },
  { name: 'MiniMax M2', pattern: /minimax-?m2/, dialect: minimaxM2, ...ALWAYS, ...PREFILLED },
  { name: 'MiniMax M1', pattern: /minimax-?m1/, dialect: toolCallsArray, ...ALWAYS },

  // ── Llama ──────────────────────────────────────────────────────────────────────────────────────
  { name: 'Llama 4', pattern: /llama-?4(?!\d*b)/, dialect: pythonic, ...NEVER },
  { name: 'Llama 3.1 to 3.3', pattern: /llama-?3[.-][123](?!\d|[\d.]*b)/, dialect: llama3Json, ...NEVER },

  // ── Mistral ────────────────────────────────────────────────────────────────────────────────────
  { name: 'Magistral', pattern: /magistral/, dialect: mistralV11, ...UNLESS_DISABLED },
  { name: 'Ministral 3', pattern: /ministral-?3(?!\d*b)/, dialect: mistralV11, ...IF_ENABLED },
  { name: 'Devstral', pattern: /devstral/, dialect: mistralV11, ...NEVER },
  {
    name: 'Mistral from tokenizer v11 on',
    pattern:
      /mistral-(?:(?:small|large|medium).*-25(?!01)\d\d|small-?(?:3[.-][12]|4)|large-?3|medium-?3)(?!\d)/,
    dialect: mistralV11,
    ...IF_ENABLED,
  },
  {
    name: 'Mistral before tokenizer v11',
    pattern:
      /mistral-(?:7b-instruct-v0[.-]3|nemo|large|small)|mixtral-8x(?:7|22)b|ministral-(?:3|8)b|pixtral/,
    dialect: mistralArray,
    ...NEVER,
  },

  // ── Google, OpenAI, IBM, Cohere, Microsoft ─────────────────────────────────────────────────────
  { name: 'FunctionGemma', pattern: /functiongemma/, dialect: functiongemma, ...NEVER },
  { name: 'Gemma 4', pattern: /gemma-?4(?!\d*b)/, dialect: gemma4, ...IF_ENABLED, ...UNKNOWN },
  { name: 'gpt-oss', pattern: /gpt-?oss/, dialect: harmony, ...ALWAYS },
  { name: 'Granite 4', pattern: /granite-?4/, dialect: hermes, ...NEVER },
  { name: 'Granite 3.3', pattern: /granite-?3[.-]3/, dialect: granite3, reasoning: [think], ...IF_ENABLED },
  { name: 'Granite 3', pattern: /granite-?3/, dialect: granite3, ...IF_ENABLED },
  {
    name: 'Granite 20B function calling',
    pattern: /granite-20b-function-?calling/,
    dialect: granite20bFc,
    ...NEVER,
  },
  {
    name: 'Command A+',
    pattern: /command-?a-?(?:plus|\+)|cohere-?2-?moe/,
    dialect: cohereAction,
    ...UNLESS_DISABLED,
    ...PREFILLED,
  },
  {
    name: 'Command A Reasoning',
    pattern: /command-?a-reasoning/,
    dialect: cohereAction,
    ...UNLESS_DISABLED,
    ...PREFILLED,
  },
  {
    name: 'Command A and R7B',
    pattern: /command-?(?:a|r7b)(?![a-z])/,
    dialect: cohereAction,
    ...IF_ENABLED,
    ...PREFILLED,
  },
  { name: 'Command R and R+', pattern: /command-?r(?!-?7b)(?:-|$)/, dialect: commandRPlus, ...NEVER },
  { name: 'Phi-4-mini', pattern: /phi-?4-?mini(?!-(?:flash-)?reasoning)/, dialect: functools, ...NEVER },

  // ── others ─────────────────────────────────────────────────────────────────────────────────────
  { name: 'Apertus', pattern: /\bapertus/, dialect: apertus, ...IF_ENABLED },
  {
    name: 'Apriel 1.6',
    pattern: /apriel-?(?:v?1[.-]6|.*-v?1[.-]6)/,
    dialect: toolCallsArray,
    reasoning: [reasoningMarkers.apriel],
    ...ALWAYS,
    ...PREFILLED,
  },
  {
    name: 'Apriel 1.5',
    pattern: /apriel-?(?:v?1[.-]5|.*-v?1[.-]5)/,
    dialect: toolCallsArray,
    reasoning: [reasoningMarkers.thinking],
    ...ALWAYS,
  },
  { name: 'dots', pattern: /\bdots[.-]?llm/, dialect: dots, ...IF_ENABLED, ...UNKNOWN },
  { name: 'GigaChat 3', pattern: /gigachat-?3/, dialect: gigachat3, ...NEVER },
  { name: 'Hunyuan 3', pattern: /\b(?:hy-?3|hunyuan-?3)(?!\d*b)/, dialect: hyV3, ...UNLESS_DISABLED },
  { name: 'Hunyuan A13B', pattern: /hunyuan-a13b/, dialect: toolCallsArray, ...UNLESS_DISABLED },
  { name: 'Inkling', pattern: /\binkling/, dialect: inkling, ...UNLESS_DISABLED },
  {
    name: 'Intern-S1',
    pattern: /intern-?s1/,
    dialect: internlm2,
    reasoning: [think],
    ...UNLESS_DISABLED,
    ...UNKNOWN,
  },
  { name: 'InternLM 2', pattern: /internlm-?2/, dialect: internlm2, ...NEVER },
  {
    name: 'K-EXAONE 2',
    pattern: /k-?exaone-?2(?!\d*b|\d)/,
    dialect: kExaone2,
    ...UNLESS_DISABLED,
    ...PREFILLED,
  },
  { name: 'K-EXAONE', pattern: /k-?exaone/, dialect: hermes, ...UNLESS_DISABLED, ...UNKNOWN },
  { name: 'EXAONE 4', pattern: /exaone-?4(?!\d*b)/, dialect: hermes, ...IF_ENABLED, ...UNKNOWN },
  { name: 'Jamba', pattern: /jamba/, dialect: toolCallsArray, ...NEVER },
  { name: 'LFM2', pattern: /\blfm-?2/, dialect: lfm2, ...IF_ENABLED },
  {
    name: 'LongCat Thinking',
    pattern: /longcat-flash.*thinking/,
    dialect: longcat,
    ...ALWAYS,
    ...UNKNOWN,
  },
  { name: 'LongCat', pattern: /longcat-flash/, dialect: longcat, ...IF_ENABLED, ...UNKNOWN },
  { name: 'MiMo V2', pattern: /\bmimo-?v2/, dialect: qwen3Coder, ...IF_ENABLED, ...UNKNOWN },
  { name: 'MiMo 7B', pattern: /\bmimo-(?:7b|vl)/, dialect: hermes, ...ALWAYS },
  { name: 'MiniCPM5', pattern: /minicpm-?5/, dialect: minicpm5, ...IF_ENABLED, ...PREFILLED },
  { name: 'Muse Glimmer', pattern: /muse-?glimmer/, dialect: museGlimmer, ...ALWAYS },
  { name: 'OLMo 3 Think', pattern: /olmo-?3.*think/, dialect: olmo3, ...ALWAYS, ...PREFILLED },
  { name: 'OLMo 3', pattern: /olmo-?3/, dialect: olmo3, ...NEVER },
  { name: 'Seed-OSS', pattern: /seed-?oss/, dialect: seedOss, ...UNLESS_DISABLED },
  { name: 'Solar Open', pattern: /solar-open/, dialect: solarOpen, ...UNLESS_DISABLED },
  {
    name: 'Step 3.5',
    pattern: /\bstep-?3[.-]5(?!\d*b)|\bstep-?3p5/,
    dialect: qwen3Coder,
    ...ALWAYS,
    ...PREFILLED,
  },
  { name: 'Step 3', pattern: /\bstep-?3/, dialect: step3, ...ALWAYS, ...PREFILLED },

  // ── whose own format no dialect reads yet; the nearest one stands in ───────────────────────────
  { name: 'GLM-4', pattern: /glm-?4(?![.\dv])/, dialect: glm4, ...NEVER },

  // ── without a format of their own: they write calls as the prompt asks, in some notation ──────
  { name: 'Llama 3', pattern: /llama-?3(?![.\d])/, dialect: prompted, ...NEVER },
  { name: 'Gemma 3', pattern: /gemma-?3(?!\d|[\d.]*b)/, dialect: prompted, ...NEVER },
  {
    name: 'Mistral without function calling',
    pattern: /mistral-(?:medium|tiny|7b-instruct-v0[.-][12])/,
    dialect: prompted,
    ...NEVER,
  },
  { name: 'Gorilla OpenFunctions', pattern: /gorilla-openfunctions/, dialect: prompted, ...NEVER },
  { name: 'NexusRaven', pattern: /nexus(?:flow)?-?raven/, dialect: prompted, ...NEVER },
]
