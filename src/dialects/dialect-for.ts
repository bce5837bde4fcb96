/** From the name of a model to what is needed to read what it writes. */

import { SluiceError } from '../base/errors.ts'
import { distanceOf, plain } from '../base/nearest.ts'
import { checkOption, checkOptions, type KnownOptions } from '../base/options.ts'
import { withReasoning } from '../engine/wire/checked-dialect.ts'
import type { Dialect } from '../engine/wire/dialect.ts'
import type { Template } from '../engine/wire/index.ts'
import { FAMILIES, type Family } from './families.ts'
import { WAYS_TO_FIND_ONE } from './find.ts'
import { normaliseModelName } from './model-name.ts'

/** Options of `dialectFor`. */
export interface ModelOptions {
  /** Whether reasoning is switched on in the request. By default it is as the model's chat template has it. */
  readonly thinking?: boolean
}

const OPTIONS: KnownOptions<ModelOptions> = { thinking: 'boolean' }

/** How a model writes. `dialect` and `start` are options of every parser. */
export interface ModelFormat {
  /** The family that the name belongs to, such as `Qwen3-Coder`. */
  readonly family: string
  readonly dialect: Dialect
  /**
   * `reasoning`: the chat template opens the reasoning, and the response begins inside it. `text`: it does not. Undefined:
   * this is not known of the family, and a parser finds it out from the response.
   */
  readonly start: 'text' | 'reasoning' | undefined
  /** The markers around reasoning; `dialect` has them. */
  readonly reasoning: readonly Template[]
  /** Whether a call inside reasoning can end it. */
  readonly callEndsReasoning: boolean
  /** The tokens that end the model's turn; `dialect` has them. */
  readonly endOfTurn: readonly string[]
}

/**
 * Finds the format of a model by its name: a Hugging Face id, an Ollama tag, the name of a GGUF file, or what a host's
 * API calls it.
 *
 *     const { dialect, start } = dialectFor('Qwen/Qwen3-Coder-30B-A3B-Instruct')
 *     const parser = createParser({ dialect, start, tools })
 *
 * Throws for a name that belongs to no family, with those that come near.
 */
export function dialectFor(model: string, options: ModelOptions = {}): ModelFormat {
  checkOption('model', model, 'string')
  checkOptions(options, OPTIONS)
  const name = normaliseModelName(model)
  if (NATIVE.test(name)) throw new SluiceError('unknown-model', native(model))
  const family = FAMILIES.find(({ pattern }) => pattern.test(name))
  if (family === undefined) throw new SluiceError('unknown-model', unknown(model, name))
  const dialect = family.reasoning ? withReasoning(family.dialect, ...family.reasoning) : family.dialect
  return {
    family: family.name,
    dialect,
    start: startOf(family, options.thinking),
    reasoning: dialect.reasoning,
    callEndsReasoning: dialect.callEndsReasoning,
    endOfTurn: dialect.endOfTurn,
  }
}

function startOf(family: Family, wanted: boolean | undefined): ModelFormat['start'] {
  if (family.prefill === undefined || !isThinking(family, wanted)) return 'text'
  return family.prefill === 'unknown' ? undefined : 'reasoning'
}

function isThinking({ thinking }: Family, wanted: boolean | undefined): boolean {
  if (thinking === 'always' || thinking === 'never') return thinking === 'always'
  return wanted ?? thinking === 'unless-disabled'
}

// ── names that belong to no family ───────────────────────────────────────────────────────────────

/** Models whose text holds no calls: their API sends them as data of their own. */
const NATIVE = new RegExp(
  [
    '^(?:gpt-(?!oss)|o[134](?:-|$)|chatgpt|claude|gemini|grok|nova-|deepseek-(?:chat|reasoner)$|sonar)',
    '^qw(?:en|q)[\\d.-]*(?:(?:vl|coder|omni)-)?(?:max|plus|turbo|flash|long)(?:-|$)',
    'stral-.*latest$',
  ].join('|'),
)

function native(model: string): string {
  return `The API of '${model}' sends calls as data, not as text: read its stream with readProvider of 'sluice/providers', without a dialect.`
}

const MOST_GUESSES = 3

function unknown(model: string, name: string): string {
  const near = familiesLike(name).map((one) => `${one.name} (${one.dialect.name})`)
  const guesses = near.length === 0 ? '' : `Similar names belong to ${near.join(', ')}. `
  return `The model '${model}' is not known. ${guesses}If you know its dialect, pass that. ${WAYS_TO_FIND_ONE}`
}

/** The families whose names begin nearly as the model's does: for `qwn2.5-8b` Qwen2.5, whatever follows the version. */
function familiesLike(name: string): readonly Family[] {
  const begun = beginning(name)
  const farness = (family: Family): number => distanceOf(plain(name), plain(family.name))
  return FAMILIES.filter((family) => isNear(begun, beginning(family.name)))
    .sort((a, b) => farness(a) - farness(b))
    .slice(0, MOST_GUESSES)
}

/** A name up to its first number, as it is compared: `qwen3` of `Qwen3-Coder`, `llama31` of `Llama 3.1 to 3.3`. */
function beginning(name: string): string {
  return plain(/^\D*[\d.]*/.exec(name)![0])
}

/** Whether at most a quarter of the letters differ. */
function isNear(word: string, known: string): boolean {
  return distanceOf(word, known) <= Math.max(word.length, known.length) / 4
}
