import { createSpeaker } from '../../../src/views/compat/blocks/index.ts'
import type { ViewUnderLaw } from '../view.ts'

/** Joined, what is spoken is the visible text; only space at its very end is nothing to say. */
export const speech: ViewUnderLaw = {
  name: 'speech',
  lags: true,
  options: { emit: { json: false } },
  open() {
    const pieces: string[] = []
    let heard = ''
    let visible = ''
    let isOver = false
    const speaker = createSpeaker((piece) => {
      pieces.push(piece)
      heard += piece
    })
    return {
      add(event) {
        speaker.add(event)
        if (event.type === 'text-delta') visible += event.delta
        isOver ||= event.type === 'finish'
      },
      said: () => pieces,
      told: () => ({
        text:
          isOver && visible.startsWith(heard) && visible.trimEnd().length <= heard.length ? visible : heard,
      }),
      check: () => (pieces.some((piece) => piece.trim() === '') ? 'a piece that nobody can hear' : undefined),
    }
  },
}
