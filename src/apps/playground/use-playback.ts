/** Plays a timeline: chunks come when they came, at any speed. */

import { useLayoutEffect, useRef } from 'preact/hooks'
import { lastIndexUpTo } from './growth.ts'
import type { Timeline } from './timeline.ts'

export interface PlaybackOptions {
  readonly timeline: Timeline
  readonly isPlaying: boolean
  readonly speed: number
  readonly moment: number
  onMoment(moment: number): void
  onEnd(): void
}

/** While it plays, moves the moment on with each frame of the page. */
export function usePlayback(options: PlaybackOptions): void {
  const latest = useRef(options)
  latest.current = options
  const { timeline, isPlaying, speed } = options
  // Not an effect after the next frame, which would set the moment that was left.
  useLayoutEffect(() => {
    if (!isPlaying) return
    let frame = 0
    let before: number | undefined
    let elapsed = timeOf(timeline, latest.current.moment)
    const play = (now: number): void => {
      elapsed += (now - (before ?? now)) * speed
      before = now
      const { onMoment, onEnd } = latest.current
      const index = lastIndexUpTo(timeline.chunks, elapsed, ({ at }) => at)
      if (index >= timeline.chunks.length - 1) {
        onMoment(timeline.end)
        onEnd()
        return
      }
      if (index >= 0) onMoment(timeline.chunks[index]!.to)
      frame = requestAnimationFrame(play)
    }
    frame = requestAnimationFrame(play)
    return () => cancelAnimationFrame(frame)
  }, [timeline, isPlaying, speed])
}

/** Milliseconds from the start to a moment. */
function timeOf({ chunks }: Timeline, moment: number): number {
  return chunks[lastIndexUpTo(chunks, moment, ({ to }) => to)]?.at ?? 0
}
