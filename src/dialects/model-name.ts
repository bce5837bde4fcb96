/**
 * The names that people know models by, brought to one form:
 *
 *     Qwen/Qwen3-Coder-30B-A3B-Instruct                 qwen3-coder-30b-a3b-instruct
 *     hf.co/unsloth/Qwen3-8B-GGUF:Q4_K_M                qwen3-8b
 *     models/Llama-3.3-70B-Instruct.Q5_K_S.gguf         llama-3.3-70b-instruct
 *     us.meta.llama3-1-70b-instruct-v1:0                llama3-1-70b-instruct-v1-0
 *     mlx-community/Kimi-K2-Instruct-5bit@mlx           kimi-k2-instruct
 *     deepseek/deepseek-chat-v3-0324:free               deepseek-chat-v3-0324
 */

/** No name is longer. */
const LONGEST = 300

/** Bedrock's: where it runs, and whose model it is. */
const REGION = /^(?:us|eu|apac|global)\./
const VENDOR =
  /^(?:ai21|amazon|anthropic|cohere|deepseek|google|meta|minimax|mistral|moonshot|moonshotai|nvidia|openai|qwen|writer|zai)\./

/** Tags that say how a host runs the model. Other tags, such as `:8b-0528-qwen3`, say which model it is. */
const VARIANT = /:(?:free|nitro|floor|exacto|extended|beta|online|cloud|latest)$/

/** How the numbers of a model are packed: a `4bit` must not be read as a version. */
const PACKING = new RegExp(
  `[-.](?:${[
    'gguf|ggml|mlx|exl[23]|awq|gptq|bnb|hqq|aqlm|dwq|imatrix|i1|ud|quantized|dynamic',
    '(?:i|t)?q\\d(?:-(?:k|nl|[01]|[smlx]+))*',
    '(?:nv|mx)?(?:fp|nf)\\d+|b?f(?:16|32)|int\\d+|w\\d+a\\d+',
    '\\d+(?:\\.\\d+)?-?bits?|\\d+(?:\\.\\d+)?bpw|gs?\\d+',
  ].join('|')})(?=[-.]|$)`,
  'g',
)

export function normaliseModelName(name: string): string {
  const file =
    name
      .slice(0, LONGEST)
      .trim()
      .toLowerCase()
      .split(/[/\\]+/)
      .filter(Boolean)
      .at(-1) ?? ''
  return file
    .replace(/(.)@.*/, '$1')
    .replace(VARIANT, '')
    .replace(REGION, '')
    .replace(VENDOR, '')
    .replace(/\.(?:gguf|safetensors|bin)$/, '')
    .replace(/^meta-/, '')
    .replace(/[_\s:]+/g, '-')
    .replace(PACKING, '')
}
