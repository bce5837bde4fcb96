/** Tokens that end or begin a turn and that some servers let through: they mean nothing in a response. */

import { wire } from '../wire/index.ts'

export const CONTROL_TOKENS = [wire`<bos>`, wire`<eos>`, wire`<|im_end|>`, wire`<|endoftext|>`]
