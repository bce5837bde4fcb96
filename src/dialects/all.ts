/** Every dialect there is, by the name it is known by. */

import type { Dialect } from '../wire/index.ts'
import { apertus } from './apertus.ts'
import { clineXml } from './cline-xml.ts'
import { cohereAction } from './cohere-action.ts'
import { deepseekDsml } from './deepseek-dsml.ts'
import { deepseekV3 } from './deepseek-v3.ts'
import { deepseekV31 } from './deepseek-v31.ts'
import { dots } from './dots.ts'
import { functionCalls } from './function-calls.ts'
import { functionaryV31 } from './functionary-v31.ts'
import { functiongemma } from './functiongemma.ts'
import { functools } from './functools.ts'
import { gemma4 } from './gemma4.ts'
import { genericJson } from './generic-json.ts'
import { gigachat3 } from './gigachat3.ts'
import { glm } from './glm.ts'
import { granite20bFc } from './granite-20b-fc.ts'
import { granite3 } from './granite3.ts'
import { harmony } from './harmony.ts'
import { hermes } from './hermes.ts'
import { hyV3 } from './hy-v3.ts'
import { inkling } from './inkling.ts'
import { internlm2 } from './internlm2.ts'
import { jsonTools, jsonToolsGemini, jsonToolsOpenAi } from './json-tools.ts'
import { kimiK2 } from './kimi-k2.ts'
import { kimiK3 } from './kimi-k3.ts'
import { lfm2 } from './lfm2.ts'
import { llama3Json } from './llama3-json.ts'
import { longcat } from './longcat.ts'
import { minicpm5 } from './minicpm5.ts'
import { minimaxM2 } from './minimax-m2.ts'
import { minimaxM3 } from './minimax-m3.ts'
import { mistralArray, mistralV11 } from './mistral.ts'
import { morphXml } from './morph-xml.ts'
import { nemotronV2 } from './nemotron-v2.ts'
import { olmo3 } from './olmo3.ts'
import { pythonic } from './pythonic.ts'
import { qwen3Coder } from './qwen3-coder.ts'
import { seedOss } from './seed-oss.ts'
import { sentinel } from './sentinel.ts'
import { shorthand } from './shorthand.ts'
import { step3 } from './step3.ts'
import { toolCallsArray } from './tool-calls-array.ts'
import { toolXml } from './tool-xml.ts'

export const ALL: readonly Dialect[] = [
  hermes,
  longcat,
  toolCallsArray,
  nemotronV2,
  mistralArray,
  functools,
  granite3,
  granite20bFc,
  cohereAction,
  internlm2,
  apertus,
  gigachat3,
  inkling,
  deepseekV3,
  deepseekV31,
  kimiK2,
  mistralV11,
  functionaryV31,
  qwen3Coder,
  seedOss,
  functionCalls,
  minimaxM2,
  dots,
  deepseekDsml,
  kimiK3,
  step3,
  minicpm5,
  glm,
  hyV3,
  morphXml,
  clineXml,
  toolXml,
  minimaxM3,
  shorthand,
  sentinel,
  jsonTools,
  jsonToolsOpenAi,
  jsonToolsGemini,
  pythonic,
  lfm2,
  olmo3,
  llama3Json,
  genericJson,
  harmony,
  gemma4,
  functiongemma,
]
