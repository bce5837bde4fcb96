/** How a response is spoken. */

import { SluiceError } from '../../../../base/errors.ts'
import { checkOptions, type KnownOptions } from '../../../../base/options.ts'

/** What is spoken, and in which pieces. */
export interface SpeechOptions {
  /** The unit of speech: whole sentences, or clauses as well, which come earlier. Default `sentence`. */
  readonly unit?: 'sentence' | 'clause'
  /** Code blocks: word for word, not at all, or what they are. Default `say`. */
  readonly code?: SpeechManner
  /** Links and images: word for word, only their text, or their text and what they lead to. Default `say`. */
  readonly links?: SpeechManner
  /** What is spoken in place of a code block, or of an address that stands alone. */
  readonly summarise?: (what: Unspoken) => string
  /** Characters of the longest piece; a sentence that is longer is cut between words. Default 400. */
  readonly maxLength?: number
  /** Words whose full stop ends no sentence, besides those that are known: `approx`, `Abb`. */
  readonly abbreviations?: readonly string[]
}

/** How something that is not prose is spoken: word for word, not at all, or as a summary. */
export type SpeechManner = 'say' | 'skip' | 'summarise'

/** Something that is not for the ear. */
export type Unspoken =
  | { readonly kind: 'code'; readonly language: string; readonly lines: number }
  | { readonly kind: 'link'; readonly url: string }

const MANNERS: readonly SpeechManner[] = ['say', 'skip', 'summarise']

export const SPEECH_OPTIONS: KnownOptions<SpeechOptions> = {
  unit: ['sentence', 'clause'],
  code: MANNERS,
  links: MANNERS,
  summarise: 'function',
  maxLength: 'number',
  abbreviations: 'list',
}

export interface SpeechSettings {
  readonly clauses: boolean
  readonly code: SpeechManner
  readonly links: SpeechManner
  readonly summarise: (what: Unspoken) => string
  readonly maxLength: number
  readonly abbreviations: ReadonlySet<string>
}

/** A piece must be long enough to hold a few words, whatever the script. */
const SHORTEST_MAXIMUM = 40

export function resolveSpeech(options: SpeechOptions): SpeechSettings {
  checkOptions(options, SPEECH_OPTIONS)
  const { unit = 'sentence', code = 'say', links = 'say', maxLength = 400 } = options
  if (!(maxLength >= SHORTEST_MAXIMUM))
    throw new SluiceError(
      'invalid-option',
      `'maxLength' is a number of at least ${SHORTEST_MAXIMUM}, not ${String(maxLength)}.`,
    )
  return {
    clauses: unit === 'clause',
    code,
    links,
    summarise: options.summarise ?? inEnglish,
    maxLength: Math.floor(maxLength),
    abbreviations: new Set(
      (options.abbreviations ?? []).map((word) => word.toLowerCase().replace(/\.$/, '')),
    ),
  }
}

function inEnglish(what: Unspoken): string {
  if (what.kind === 'link') return hostOf(what.url)
  const language = what.language === '' ? '' : ` in ${what.language}`
  return `Code${language}, ${what.lines} ${what.lines === 1 ? 'line' : 'lines'}.`
}

function hostOf(url: string): string {
  const [, host = url] = /^[a-z]+:\/\/(?:www\.)?([^/?#:]+)/i.exec(url) ?? []
  return host
}
