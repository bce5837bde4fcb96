/**
 * A middleware for each dialect. A bundle holds only those it uses.
 *
 * Written by `npm run docs` from src/dialects/named-dialects.ts.
 */

import { apertus } from '../../dialects/apertus.ts'
import { clineXml } from '../../dialects/cline-xml.ts'
import { cohereAction } from '../../dialects/cohere-action.ts'
import { commandRPlus } from '../../dialects/command-r-plus.ts'
import { deepseekDsml } from '../../dialects/deepseek-dsml.ts'
import { deepseekV3 } from '../../dialects/deepseek-v3.ts'
import { deepseekV31 } from '../../dialects/deepseek-v31.ts'
import { dots } from '../../dialects/dots.ts'
import { functionCalls } from '../../dialects/function-calls.ts'
import { functionaryV31 } from '../../dialects/functionary-v31.ts'
import { functionaryV32 } from '../../dialects/functionary-v32.ts'
import { functiongemma } from '../../dialects/functiongemma.ts'
import { functools } from '../../dialects/functools.ts'
import { gemma4 } from '../../dialects/gemma4.ts'
import { genericJson } from '../../dialects/generic-json.ts'
import { gigachat3 } from '../../dialects/gigachat3.ts'
import { glm } from '../../dialects/glm.ts'
import { glm4 } from '../../dialects/glm4.ts'
import { granite20bFc } from '../../dialects/granite-20b-fc.ts'
import { granite3 } from '../../dialects/granite3.ts'
import { harmony } from '../../dialects/harmony.ts'
import { hermes } from '../../dialects/hermes.ts'
import { hyV3 } from '../../dialects/hy-v3.ts'
import { inkling } from '../../dialects/inkling.ts'
import { internlm2 } from '../../dialects/internlm2.ts'
import { jsonTools, jsonToolsGemini, jsonToolsOpenAi } from '../../dialects/json-tools.ts'
import { kExaone2 } from '../../dialects/k-exaone-2.ts'
import { kimiK2 } from '../../dialects/kimi-k2.ts'
import { kimiK3 } from '../../dialects/kimi-k3.ts'
import { lfm2 } from '../../dialects/lfm2.ts'
import { llama3Json } from '../../dialects/llama3-json.ts'
import { longcat } from '../../dialects/longcat.ts'
import { minicpm5 } from '../../dialects/minicpm5.ts'
import { minimaxM2 } from '../../dialects/minimax-m2.ts'
import { minimaxM3 } from '../../dialects/minimax-m3.ts'
import { mistralArray, mistralV11 } from '../../dialects/mistral.ts'
import { morphXml } from '../../dialects/morph-xml.ts'
import { museGlimmer } from '../../dialects/muse-glimmer.ts'
import { nemotronV2 } from '../../dialects/nemotron-v2.ts'
import { olmo3 } from '../../dialects/olmo3.ts'
import { prompted } from '../../dialects/prompted.ts'
import { pythonic } from '../../dialects/pythonic.ts'
import { qwen3Coder } from '../../dialects/qwen3-coder.ts'
import { seedOss } from '../../dialects/seed-oss.ts'
import { sentinel } from '../../dialects/sentinel.ts'
import { shorthand } from '../../dialects/shorthand.ts'
import { sijawara } from '../../dialects/sijawara.ts'
import { solarOpen } from '../../dialects/solar-open.ts'
import { step3 } from '../../dialects/step3.ts'
import { theta } from '../../dialects/theta.ts'
import { toolCallsArray } from '../../dialects/tool-calls-array.ts'
import { toolXml } from '../../dialects/tool-xml.ts'
import { uiTars } from '../../dialects/ui-tars.ts'
import { xlam } from '../../dialects/xlam.ts'
import { createToolMiddleware } from './versions.ts'

/** Gives a model tool calls in the dialect `apertus`. */
export const apertusMiddleware = /* @__PURE__ */ createToolMiddleware({ dialect: apertus })
/** Gives a model tool calls in the dialect `clineXml`. */
export const clineXmlMiddleware = /* @__PURE__ */ createToolMiddleware({ dialect: clineXml })
/** Gives a model tool calls in the dialect `cohereAction`. */
export const cohereActionMiddleware = /* @__PURE__ */ createToolMiddleware({ dialect: cohereAction })
/** Gives a model tool calls in the dialect `commandRPlus`. */
export const commandRPlusMiddleware = /* @__PURE__ */ createToolMiddleware({ dialect: commandRPlus })
/** Gives a model tool calls in the dialect `deepseekDsml`. */
export const deepseekDsmlMiddleware = /* @__PURE__ */ createToolMiddleware({ dialect: deepseekDsml })
/** Gives a model tool calls in the dialect `deepseekV3`. */
export const deepseekV3Middleware = /* @__PURE__ */ createToolMiddleware({ dialect: deepseekV3 })
/** Gives a model tool calls in the dialect `deepseekV31`. */
export const deepseekV31Middleware = /* @__PURE__ */ createToolMiddleware({ dialect: deepseekV31 })
/** Gives a model tool calls in the dialect `dots`. */
export const dotsMiddleware = /* @__PURE__ */ createToolMiddleware({ dialect: dots })
/** Gives a model tool calls in the dialect `functionCalls`. */
export const functionCallsMiddleware = /* @__PURE__ */ createToolMiddleware({ dialect: functionCalls })
/** Gives a model tool calls in the dialect `functionaryV31`. */
export const functionaryV31Middleware = /* @__PURE__ */ createToolMiddleware({ dialect: functionaryV31 })
/** Gives a model tool calls in the dialect `functionaryV32`. */
export const functionaryV32Middleware = /* @__PURE__ */ createToolMiddleware({ dialect: functionaryV32 })
/** Gives a model tool calls in the dialect `functiongemma`. */
export const functiongemmaMiddleware = /* @__PURE__ */ createToolMiddleware({ dialect: functiongemma })
/** Gives a model tool calls in the dialect `functools`. */
export const functoolsMiddleware = /* @__PURE__ */ createToolMiddleware({ dialect: functools })
/** Gives a model tool calls in the dialect `gemma4`. */
export const gemma4Middleware = /* @__PURE__ */ createToolMiddleware({ dialect: gemma4 })
/** Gives a model tool calls in the dialect `genericJson`. */
export const genericJsonMiddleware = /* @__PURE__ */ createToolMiddleware({ dialect: genericJson })
/** Gives a model tool calls in the dialect `gigachat3`. */
export const gigachat3Middleware = /* @__PURE__ */ createToolMiddleware({ dialect: gigachat3 })
/** Gives a model tool calls in the dialect `glm`. */
export const glmMiddleware = /* @__PURE__ */ createToolMiddleware({ dialect: glm })
/** Gives a model tool calls in the dialect `glm4`. */
export const glm4Middleware = /* @__PURE__ */ createToolMiddleware({ dialect: glm4 })
/** Gives a model tool calls in the dialect `granite20bFc`. */
export const granite20bFcMiddleware = /* @__PURE__ */ createToolMiddleware({ dialect: granite20bFc })
/** Gives a model tool calls in the dialect `granite3`. */
export const granite3Middleware = /* @__PURE__ */ createToolMiddleware({ dialect: granite3 })
/** Gives a model tool calls in the dialect `harmony`. */
export const harmonyMiddleware = /* @__PURE__ */ createToolMiddleware({ dialect: harmony })
/** Gives a model tool calls in the dialect `hermes`. */
export const hermesMiddleware = /* @__PURE__ */ createToolMiddleware({ dialect: hermes })
/** Gives a model tool calls in the dialect `hyV3`. */
export const hyV3Middleware = /* @__PURE__ */ createToolMiddleware({ dialect: hyV3 })
/** Gives a model tool calls in the dialect `inkling`. */
export const inklingMiddleware = /* @__PURE__ */ createToolMiddleware({ dialect: inkling })
/** Gives a model tool calls in the dialect `internlm2`. */
export const internlm2Middleware = /* @__PURE__ */ createToolMiddleware({ dialect: internlm2 })
/** Gives a model tool calls in the dialect `jsonTools`. */
export const jsonToolsMiddleware = /* @__PURE__ */ createToolMiddleware({ dialect: jsonTools })
/** Gives a model tool calls in the dialect `jsonToolsGemini`. */
export const jsonToolsGeminiMiddleware = /* @__PURE__ */ createToolMiddleware({ dialect: jsonToolsGemini })
/** Gives a model tool calls in the dialect `jsonToolsOpenAi`. */
export const jsonToolsOpenAiMiddleware = /* @__PURE__ */ createToolMiddleware({ dialect: jsonToolsOpenAi })
/** Gives a model tool calls in the dialect `kExaone2`. */
export const kExaone2Middleware = /* @__PURE__ */ createToolMiddleware({ dialect: kExaone2 })
/** Gives a model tool calls in the dialect `kimiK2`. */
export const kimiK2Middleware = /* @__PURE__ */ createToolMiddleware({ dialect: kimiK2 })
/** Gives a model tool calls in the dialect `kimiK3`. */
export const kimiK3Middleware = /* @__PURE__ */ createToolMiddleware({ dialect: kimiK3 })
/** Gives a model tool calls in the dialect `lfm2`. */
export const lfm2Middleware = /* @__PURE__ */ createToolMiddleware({ dialect: lfm2 })
/** Gives a model tool calls in the dialect `llama3Json`. */
export const llama3JsonMiddleware = /* @__PURE__ */ createToolMiddleware({ dialect: llama3Json })
/** Gives a model tool calls in the dialect `longcat`. */
export const longcatMiddleware = /* @__PURE__ */ createToolMiddleware({ dialect: longcat })
/** Gives a model tool calls in the dialect `minicpm5`. */
export const minicpm5Middleware = /* @__PURE__ */ createToolMiddleware({ dialect: minicpm5 })
/** Gives a model tool calls in the dialect `minimaxM2`. */
export const minimaxM2Middleware = /* @__PURE__ */ createToolMiddleware({ dialect: minimaxM2 })
/** Gives a model tool calls in the dialect `minimaxM3`. */
export const minimaxM3Middleware = /* @__PURE__ */ createToolMiddleware({ dialect: minimaxM3 })
/** Gives a model tool calls in the dialect `mistralArray`. */
export const mistralArrayMiddleware = /* @__PURE__ */ createToolMiddleware({ dialect: mistralArray })
/** Gives a model tool calls in the dialect `mistralV11`. */
export const mistralV11Middleware = /* @__PURE__ */ createToolMiddleware({ dialect: mistralV11 })
/** Gives a model tool calls in the dialect `morphXml`. */
export const morphXmlMiddleware = /* @__PURE__ */ createToolMiddleware({ dialect: morphXml })
/** Gives a model tool calls in the dialect `museGlimmer`. */
export const museGlimmerMiddleware = /* @__PURE__ */ createToolMiddleware({ dialect: museGlimmer })
/** Gives a model tool calls in the dialect `nemotronV2`. */
export const nemotronV2Middleware = /* @__PURE__ */ createToolMiddleware({ dialect: nemotronV2 })
/** Gives a model tool calls in the dialect `olmo3`. */
export const olmo3Middleware = /* @__PURE__ */ createToolMiddleware({ dialect: olmo3 })
/** Gives a model tool calls in the dialect `prompted`. */
export const promptedMiddleware = /* @__PURE__ */ createToolMiddleware({ dialect: prompted })
/** Gives a model tool calls in the dialect `pythonic`. */
export const pythonicMiddleware = /* @__PURE__ */ createToolMiddleware({ dialect: pythonic })
/** Gives a model tool calls in the dialect `qwen3Coder`. */
export const qwen3CoderMiddleware = /* @__PURE__ */ createToolMiddleware({ dialect: qwen3Coder })
/** Gives a model tool calls in the dialect `seedOss`. */
export const seedOssMiddleware = /* @__PURE__ */ createToolMiddleware({ dialect: seedOss })
/** Gives a model tool calls in the dialect `sentinel`. */
export const sentinelMiddleware = /* @__PURE__ */ createToolMiddleware({ dialect: sentinel })
/** Gives a model tool calls in the dialect `shorthand`. */
export const shorthandMiddleware = /* @__PURE__ */ createToolMiddleware({ dialect: shorthand })
/** Gives a model tool calls in the dialect `sijawara`. */
export const sijawaraMiddleware = /* @__PURE__ */ createToolMiddleware({ dialect: sijawara })
/** Gives a model tool calls in the dialect `solarOpen`. */
export const solarOpenMiddleware = /* @__PURE__ */ createToolMiddleware({ dialect: solarOpen })
/** Gives a model tool calls in the dialect `step3`. */
export const step3Middleware = /* @__PURE__ */ createToolMiddleware({ dialect: step3 })
/** Gives a model tool calls in the dialect `theta`. */
export const thetaMiddleware = /* @__PURE__ */ createToolMiddleware({ dialect: theta })
/** Gives a model tool calls in the dialect `toolCallsArray`. */
export const toolCallsArrayMiddleware = /* @__PURE__ */ createToolMiddleware({ dialect: toolCallsArray })
/** Gives a model tool calls in the dialect `toolXml`. */
export const toolXmlMiddleware = /* @__PURE__ */ createToolMiddleware({ dialect: toolXml })
/** Gives a model tool calls in the dialect `uiTars`. */
export const uiTarsMiddleware = /* @__PURE__ */ createToolMiddleware({ dialect: uiTars })
/** Gives a model tool calls in the dialect `xlam`. */
export const xlamMiddleware = /* @__PURE__ */ createToolMiddleware({ dialect: xlam })
