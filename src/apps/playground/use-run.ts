/** The run at the gateway that is watched, as a timeline that grows. */

import { useCallback, useEffect, useRef, useState } from 'preact/hooks'
import { messageOf } from '../../base/errors.ts'
import type { WatchedRun } from './connect-pane.ts'
import { type GatewayConnection, type RunRequest, readFrames } from './connection.ts'
import { loadPartsFor } from './parts.ts'
import type { Settings } from './settings.ts'
import { Timeline } from './timeline.ts'

export interface LiveRun {
  readonly run: WatchedRun | null
  /** Absent if no run is watched. */
  readonly timeline: Timeline | undefined
  readonly settings: Settings | undefined
  /** The id that an address may hold. */
  readonly runId: string | undefined
  start(request: RunRequest): void
  stop(): void
  /** Watches it no longer. A run that is kept goes on. */
  leave(): void
}

const EVENTS: Settings = { form: 'events', dialect: 'auto', start: 'text' }
/** What the gateway answers if it keeps no runs. */
const CHAT: Settings = { form: 'openai-chat', dialect: 'auto', start: 'text' }

interface Watched {
  readonly timeline: Timeline
  readonly settings: Settings
  readonly controller: AbortController
}

export function useRun(connection: GatewayConnection | undefined, initialId: string | undefined): LiveRun {
  const [run, setRun] = useState<WatchedRun | null>(null)
  const [, redraw] = useState(0)
  const watched = useRef<Watched | null>(null)

  const leave = useCallback(() => {
    watched.current?.controller.abort()
    watched.current = null
    setRun(null)
  }, [])

  /** Reads a run into a timeline of its own, until it is over. */
  const watch = useCallback(
    async (
      id: string,
      isKept: boolean,
      settings: Settings,
      read: (one: Watched, push: (text: string) => void) => Promise<unknown>,
    ) => {
      const one: Watched = { timeline: new Timeline(settings), settings, controller: new AbortController() }
      watched.current?.controller.abort()
      watched.current = one
      const begun = performance.now()
      const isCurrent = (): boolean => watched.current === one
      const push = (text: string): void => {
        one.timeline.push(text, performance.now() - begun)
        if (isCurrent()) redraw((count) => count + 1)
      }
      setRun({ id, isKept, state: 'running' })
      try {
        await read(one, push)
        one.timeline.finish()
        if (isCurrent()) setRun({ id, isKept, state: 'over' })
      } catch (error) {
        if (isCurrent()) setRun({ id, isKept, state: 'failed', problem: messageOf(error) })
      }
    },
    [],
  )

  const follow = useCallback(
    (id: string) =>
      watch(id, true, EVENTS, ({ controller }, push) => connection!.follow(id, push, controller.signal)),
    [connection, watch],
  )

  useEffect(() => {
    if (connection !== undefined && initialId !== undefined) void follow(initialId)
  }, [connection, initialId, follow])

  const start = async (request: RunRequest): Promise<void> => {
    try {
      const { id, isKept, body } = await connection!.start(request)
      if (isKept) {
        // It is read from the log, as everybody reads it who comes later.
        void body.cancel()
        await follow(id)
      } else {
        await loadPartsFor(CHAT)
        await watch(id, false, CHAT, ({ controller }, push) => {
          controller.signal.addEventListener('abort', () => void body.cancel().catch(() => {}))
          return readFrames(body, push)
        })
      }
    } catch (error) {
      setRun({ id: '', isKept: false, state: 'failed', problem: messageOf(error) })
    }
  }

  const stop = (): void => {
    if (run === null) return
    if (!run.isKept) watched.current?.controller.abort()
    else
      connection!
        .stop(run.id)
        .catch((error: unknown) => setRun({ ...run, state: 'failed', problem: messageOf(error) }))
  }

  const current = watched.current
  return {
    run,
    timeline: current?.timeline,
    settings: current?.settings,
    runId: run?.isKept ? run.id : undefined,
    start: (request) => void start(request),
    stop,
    leave,
  }
}
