/** A response for a voice: its visible text alone, in pieces that can be spoken one by one. */

import { checkEvent } from '../../../../base/errors.ts'
import type { SluiceEvent } from '../../../../base/event.ts'
import { checkOption } from '../../../../base/options.ts'
import { CodeFences, type CodeListener } from './code-fences.ts'
import { Sentences } from './sentences.ts'
import { resolveSpeech, type SpeechOptions, type SpeechSettings } from './speech-options.ts'
import { wording } from './wording.ts'

/** Turns events into sentences to speak, which `createSpeaker` creates. */
export interface Speaker {
  add(event: SluiceEvent): void
  /** Nothing has come for a while: the buffered text is spoken, up to the last whole word. */
  pause(): void
  /** Nothing more comes: all of the buffered text is spoken. */
  end(): void
}

/**
 * Says what events show to a person, a sentence at a time.
 *
 *     const speaker = createSpeaker((sentence) => voice.say(sentence))
 *     for await (const event of sluice(source, { dialect })) speaker.add(event)
 *     speaker.end()
 */
export function createSpeaker(say: (piece: string) => void, options: SpeechOptions = {}): Speaker {
  checkOption('say', say, 'function')
  return new VisibleTextSpeaker(say, resolveSpeech(options))
}

class VisibleTextSpeaker implements Speaker, CodeListener {
  private readonly say: (piece: string) => void
  private readonly settings: SpeechSettings
  private readonly sentences: Sentences
  private readonly fences: CodeFences
  private language = ''
  private lines = 0
  /** The last line of the code block has not ended yet. */
  private isInLine = false

  constructor(say: (piece: string) => void, settings: SpeechSettings) {
    this.say = say
    this.settings = settings
    this.sentences = new Sentences(settings, (piece) => this.utter(wording(piece, settings)))
    this.fences = new CodeFences(this)
  }

  add(event: SluiceEvent): void {
    checkEvent(event, 'Speech')
    if (event.type === 'text-delta') this.fences.push(event.delta)
    else if (ENDS_SPEECH.has(event.type)) this.end()
  }

  pause(): void {
    this.sentences.pause()
  }

  end(): void {
    this.fences.end()
    this.sentences.end()
  }

  private utter(text: string): void {
    if (text.trim() !== '') this.say(text)
  }

  // ── what the fences find ───────────────────────────────────────────────────────────────────────

  prose(text: string): void {
    this.sentences.push(text)
  }

  codeStart(language: string): void {
    this.sentences.end()
    this.language = language
    this.lines = 0
    this.isInLine = false
  }

  code(text: string, isFence: boolean): void {
    if (this.settings.code === 'say') {
      this.sentences.push(text, true)
      return
    }
    if (isFence) return
    if (!this.isInLine) this.lines++
    this.isInLine = !text.endsWith('\n')
  }

  codeEnd(): void {
    const { language, lines } = this
    if (this.settings.code === 'summarise')
      this.utter(this.settings.summarise({ kind: 'code', language, lines }))
  }
}

/**
 * Something other than text begins, and the buffered text is spoken before it. The end of a text alone does
 * not count: some providers cut one text in several.
 */
const ENDS_SPEECH: ReadonlySet<SluiceEvent['type']> = new Set([
  'reasoning-start',
  'tool-input-start',
  'tool-call',
  'tool-result-start',
  'finish',
])
