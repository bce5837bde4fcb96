/** The shells around a speaker: pieces of speech as an iterable, from events as they come. */

import { SluiceError } from '../../../../base/errors.ts'
import type { SluiceEvent } from '../../../../base/event.ts'
import { checkOptions, type KnownOptions } from '../../../../base/options.ts'
import { createSpeaker } from './speaker.ts'
import { SPEECH_OPTIONS, type SpeechOptions } from './speech-options.ts'

/** Calls back after some milliseconds, unless the function that it returns is called first. */
export type SpeechTimer = (callback: () => void, milliseconds: number) => () => void

/** Options of `speak`. */
export interface SpeakOptions extends SpeechOptions {
  /** When nothing has come for so many milliseconds, the buffered text is spoken. Default: only whole pieces are. */
  readonly pauseAfter?: number
  /** The clock for that. Default: that of the platform. */
  readonly timer?: SpeechTimer
}

const OPTIONS: KnownOptions<SpeakOptions> = { ...SPEECH_OPTIONS, pauseAfter: 'number', timer: 'function' }

/**
 * The visible text of a response in sentences, each as soon as it is complete.
 *
 *     for await (const sentence of speak(sluice(source, { dialect }))) await voice.say(sentence)
 */
export async function* speak(
  events: AsyncIterable<SluiceEvent> | Iterable<SluiceEvent>,
  options: SpeakOptions = {},
): AsyncGenerator<string, undefined, undefined> {
  checkOptions(options, OPTIONS)
  const { pauseAfter, timer = platformTimer, ...speech } = options
  if (pauseAfter !== undefined && !(pauseAfter >= 0))
    throw new SluiceError(
      'invalid-option',
      `'pauseAfter' is a number of milliseconds, not ${String(pauseAfter)}.`,
    )
  let ready: string[] = []
  const speaker = createSpeaker((piece) => ready.push(piece), speech)
  const source = iteratorOf(events)
  let coming: Promise<IteratorResult<SluiceEvent, unknown>> | null = null
  let hasPaused = pauseAfter === undefined
  let isOver = false
  try {
    while (!isOver) {
      coming ??= Promise.resolve(source.next())
      const next: IteratorResult<SluiceEvent, unknown> | typeof SILENCE = hasPaused
        ? await coming
        : await orSilence(coming, pauseAfter ?? 0, timer)
      hasPaused = next === SILENCE || pauseAfter === undefined
      if (next === SILENCE) speaker.pause()
      else {
        coming = null
        isOver = next.done === true
        if (next.done) speaker.end()
        else speaker.add(next.value)
      }
      const pieces = ready
      ready = []
      yield* pieces
    }
  } finally {
    // A consumer that leaves early releases the source; one that still owes an event may never answer, and is not waited for.
    if (!isOver) {
      const left = Promise.resolve(source.return?.())
      if (coming === null) await left
      else left.catch(() => {})
    }
  }
}

/** The same of events that are all there. */
export function* speakSync(
  events: Iterable<SluiceEvent>,
  options: SpeechOptions = {},
): Generator<string, undefined, undefined> {
  let ready: string[] = []
  const speaker = createSpeaker((piece) => ready.push(piece), options)
  for (const event of events) {
    speaker.add(event)
    if (ready.length === 0) continue
    const pieces = ready
    ready = []
    yield* pieces
  }
  speaker.end()
  yield* ready
}

const SILENCE = Symbol('silence')

function orSilence<T>(
  coming: Promise<T>,
  milliseconds: number,
  timer: SpeechTimer,
): Promise<T | typeof SILENCE> {
  return new Promise((resolve, reject) => {
    const cancel = timer(() => resolve(SILENCE), milliseconds)
    coming.then(resolve, reject).finally(cancel)
  })
}

const platformTimer: SpeechTimer = (callback, milliseconds) => {
  const timeout = setTimeout(callback, milliseconds)
  return () => clearTimeout(timeout)
}

interface AnyIterator {
  next(): PromiseLike<IteratorResult<SluiceEvent, unknown>> | IteratorResult<SluiceEvent, unknown>
  return?(): PromiseLike<unknown> | unknown
}

function iteratorOf(events: AsyncIterable<SluiceEvent> | Iterable<SluiceEvent>): AnyIterator {
  if (Symbol.asyncIterator in events) return events[Symbol.asyncIterator]()
  return events[Symbol.iterator]()
}
