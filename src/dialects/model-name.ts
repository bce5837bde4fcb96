/**
 * The names that people know models by, brought to one form:
 *
 *     Qwen/Qwen3-Coder-30B-A3B-Instruct                 qwen3-coder-30b-a3b-instruct
 *     hf.co/unsloth/Qwen3-8B-GGUF:Q4_K_M                qwen3-8b-gguf-q4-k-m
 *     models/Llama-3.3-70B-Instruct.Q5_K_S.gguf         llama-3.3-70b-instruct.q5-k-s
 *     us.meta.llama3-1-70b-instruct-v1:0                llama3-1-70b-instruct-v1-0
 */

/** No name is longer. */
const LONGEST = 300

/** Bedrock's: where it runs, and whose model it is. */
const REGION = /^(?:us|eu|apac|global)\./
const VENDOR =
  /^(?:ai21|amazon|anthropic|cohere|deepseek|google|meta|minimax|mistral|moonshot|moonshotai|nvidia|openai|qwen|writer|zai)\./

export function normaliseModelName(name: string): string {
  const file = name.slice(0, LONGEST).trim().toLowerCase().split(/[/\\]/).at(-1)!
  return file
    .replace(REGION, '')
    .replace(VENDOR, '')
    .replace(/\.(?:gguf|safetensors|bin)$/, '')
    .replace(/^meta-/, '')
    .replace(/[_\s:@]+/g, '-')
}
