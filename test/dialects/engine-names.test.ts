/** The names that other engines have for their parsers of calls. */

import { describe, expect, test } from 'vitest'
import { findDialect } from '../../src/dialects/find.ts'

const VLLM = `
  hermes: hermes, granite4, ernie45, holo2
  longcat: longcat
  tool-calls-array: jamba, hunyuan_a13b
  mistral-v11: mistral
  functools: phi4_mini_json
  granite3: granite
  granite-20b-fc: granite-20b-fc
  cohere-action: cohere_command3, cohere_command4
  internlm2: internlm
  apertus: apertus
  gigachat3: gigachat3
  deepseek-v3: deepseek_v3
  deepseek-v31: deepseek_v31
  kimi-k2: kimi_k2
  qwen3-coder: qwen3_coder, qwen3_xml, mimo, step3p5
  seed-oss: seed_oss
  minimax-m2: minimax_m2, minimax_m2_append_think
  dots: dots
  deepseek-dsml: deepseek_v32, deepseek_v4
  step3: step3
  minicpm5: minicpm5
  glm: glm45, glm47, ling3, poolside_v1
  hy-v3: hy_v3
  minimax-m3: minimax_m3
  pythonic: pythonic, llama4_pythonic
  lfm2: lfm2
  olmo3: olmo3
  llama3-json: llama3_json, llama4_json
  xlam: xlam
  harmony: openai, openai_gptoss
  inkling: inkling
  muse-glimmer: muse_glimmer
  kimi-k3: kimi_k3
  gemma4: gemma4
  functiongemma: functiongemma`

const SGLANG = `
  hermes: hermes, qwen, qwen25, trinity
  mistral-v11: mistral
  cohere-action: cohere_command4
  internlm2: interns1
  apertus: apertus2509
  gigachat3: gigachat3
  deepseek-v3: deepseekv3
  deepseek-v31: deepseekv31
  kimi-k2: kimi_k2, kimi
  qwen3-coder: qwen3_coder, step3p5, mimo
  minimax-m2: minimax-m2, minimax, minimax-append-think
  dots: dots
  deepseek-dsml: deepseekv32, deepseekv4
  step3: step3
  minicpm5: minicpm5
  glm: glm, glm45, glm47, poolside_v1
  hy-v3: hunyuan
  minimax-m3: minimax-m3
  pythonic: pythonic
  lfm2: lfm2
  llama3-json: llama3
  generic-json: json_array
  harmony: gpt-oss
  inkling: inkling
  muse-glimmer: muse
  kimi-k3: kimi_k3
  gemma4: gemma4`

const OTHERS = `
  hermes: qwen3, qwen3-thinking, qwen3-vl-instruct, qwen3-vl-thinking
  qwen3-coder: qwen3-coder, qwen3.5, nemotron-3-nano, ornith
  cohere-action: cohere, cohere2moe, cohere_cmd, cmd3, cmd4
  command-r-plus: command_r_plus
  deepseek-v3: cogito
  deepseek-v31: deepseek3
  deepseek-dsml: deepseek_v3_2
  functionary-v32: functionary, functionary_v3_2
  mistral-v11: ministral, ministral_3
  glm: glm-4.7, glm-ocr, laguna, poolside-v1
  lfm2: lfm2-thinking
  olmo3: olmo3-think
  harmony: harmony, gpt_oss
  muse-glimmer: glimmer
  gemma4: gemma4-no-thinking
  gigachat3: gigachat_v3
  k-exaone-2: kExaone2
  ui-tars: uiTars
  sijawara: sijawaraDetailed, sijawaraConcise`

const rowsOf = (table: string): [name: string, dialect: string][] =>
  table
    .trim()
    .split('\n')
    .map((line) => line.trim().split(': ') as [string, string])
    .flatMap(([dialect, names]) => names.split(', ').map((name): [string, string] => [name, dialect]))

describe.each([
  ['vLLM', VLLM],
  ['SGLang', SGLANG],
  ['llama.cpp, Ollama and the AI SDK', OTHERS],
])('a parser of %s', (_, table) => {
  test.each(rowsOf(table))('%s is the dialect %s', (name, dialect) => {
    expect(findDialect(name).name).toBe(dialect)
  })
})
