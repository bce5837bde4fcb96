/** The two shells of the translator: a stream of parts, and the content of a whole response. */

import type { Debug } from './debug.ts'
import type { GenerateResultLike, PartLike } from './parts.ts'
import { PartTranslator, type TranslatorSettings } from './translator.ts'

/** How a response is read, in whichever of the two ways it comes. */
export type ReadingSettings = Omit<TranslatorSettings, 'isLive'>

/** Nothing is read before it is asked for, and stopping early cancels the source. */
export function translateStream(
  source: ReadableStream<PartLike>,
  settings: ReadingSettings,
  debug?: Debug,
): ReadableStream<PartLike> {
  const reader = source.getReader()
  let translator: PartTranslator
  let hasEmitted = false
  let failure: { readonly error: unknown } | undefined
  let hasEnded = false
  const end = (): void => {
    hasEnded = true
    translator.end()
    debug?.end()
  }
  return new ReadableStream<PartLike>(
    {
      start(controller) {
        translator = new PartTranslator({ ...settings, isLive: true }, (part) => {
          hasEmitted = true
          debug?.emitted(part)
          controller.enqueue(part)
        })
      },
      async pull(controller) {
        hasEmitted = false
        try {
          while (!hasEmitted && failure === undefined) {
            let step: ReadableStreamReadResult<PartLike>
            try {
              step = await reader.read()
            } catch (error) {
              // What was held back is emitted first: an error that came at once would throw it away.
              failure = { error }
              break
            }
            if (step.done) {
              end()
              controller.close()
              return
            }
            debug?.received(step.value)
            translator.add(step.value)
          }
          if (failure !== undefined && !hasEnded) end()
        } catch (error) {
          // Not the source's doing: a function that was passed as an option threw.
          reader.cancel(error).catch(() => {})
          throw error
        }
        if (failure !== undefined && !hasEmitted) controller.error(failure.error)
      },
      cancel: (reason) => reader.cancel(reason),
    },
    { highWaterMark: 0 },
  )
}

/** The content of a response, as its stream would have held it. */
export function translateContent<Result extends GenerateResultLike>(
  result: Result,
  settings: ReadingSettings,
  debug?: Debug,
): Result {
  const fold = new ContentFold()
  // Warnings stand on the result itself.
  const translator = new PartTranslator({ ...settings, isLive: false, warnings: [] }, (part) => {
    debug?.emitted(part)
    fold.add(part)
  })
  for (const part of result.content) {
    debug?.received(part)
    if (part.type !== 'text') translator.add(part)
    else {
      const { text, ...attached } = part as PartLike & { readonly text: string }
      translator.add({ ...attached, type: 'text-start', id: '' } as PartLike)
      translator.add({ type: 'text-delta', id: '', delta: text } as PartLike)
      translator.add({ ...attached, type: 'text-end', id: '' } as PartLike)
    }
  }
  translator.end(result.finishReason)
  return {
    ...result,
    content: fold.content,
    finishReason: translator.reason(result.finishReason),
    ...(settings.warnings.length > 0 && { warnings: [...(result.warnings ?? []), ...settings.warnings] }),
  }
}

/** Parts of a stream as content: blocks of text and reasoning whole. */
class ContentFold {
  readonly content: PartLike[] = []
  private block: Block | null = null

  add(part: PartLike): void {
    const [, kind, phase] = /^(text|reasoning)-(start|delta|end)$/.exec(part.type) ?? []
    if (kind === undefined) this.content.push(part)
    else {
      const { delta = '', type: _, id: __, ...attached } = part as PartLike & { delta?: string; id: string }
      if (phase === 'start') {
        this.block = { type: kind, text: '' }
        this.content.push(this.block)
      }
      if (this.block === null) return
      Object.assign(this.block, attached)
      this.block.text += delta
    }
  }
}

interface Block extends PartLike {
  text: string
}
