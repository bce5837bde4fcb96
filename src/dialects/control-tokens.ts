/** Special tokens that servers let through when they do not strip them from the text. */

import { wire } from '../engine/wire/index.ts'

/** They mean nothing, wherever they stand. */
export const CONTROL_TOKENS = [wire`<bos>`, wire`<eos>`]

/** What ends a turn in ChatML, which Qwen, Kimi, LFM2, OLMo and many others write. */
export const CHATML_END = ['<|im_end|>', '<|endoftext|>'] as const

/** What ends a turn of DeepSeek's models. */
export const DEEPSEEK_END = ['<｜end▁of▁sentence｜>', '<|end▁of▁sentence|>', '<｜User｜>'] as const

/** What ends a turn of Llama 3 and 4, or a message in the middle of one. */
export const LLAMA_END = ['<|eot_id|>', '<|eom_id|>', '<|eot|>', '<|eom|>', '<|end_of_text|>'] as const
