/** The page: what is looked at, the moment that is shown, and the panes that show it. */

import { html } from 'htm/preact'
import type { VNode } from 'preact'
import { useCallback, useEffect, useMemo, useRef, useState } from 'preact/hooks'
import { messageOf } from '../../base/errors.ts'
import type { Diagnostic } from '../../base/event.ts'
import { AnswerPane } from './answer-pane.ts'
import { cutSample } from './chunking.ts'
import { ConnectPane } from './connect-pane.ts'
import type { GatewayConnection } from './connection.ts'
import { copyAsCode, copyAsTest } from './copied-code.ts'
import { CutPane } from './cut-pane.ts'
import { EditorPane } from './editor-pane.ts'
import { EventList } from './event-list.ts'
import { linkOf, type PageState } from './link.ts'
import { inWords, type Lit } from './lit.ts'
import { isLoaded, loadPart, loadPartsFor, missingParts, part } from './parts.ts'
import { ProtocolPane } from './protocol-pane.ts'
import { isChatTemplate, sampleOfFile, textOf } from './read-file.ts'
import { CHAT_TEMPLATE, type Cut, type Sample } from './settings.ts'
import { SourceBar, sampleNamed } from './source-bar.ts'
import { type StepKind, Timeline, timelineOf } from './timeline.ts'
import { TimelinePane } from './timeline-pane.ts'
import { usePlayback } from './use-playback.ts'
import { useRun } from './use-run.ts'
import { WirePane } from './wire-pane.ts'

export interface AppProps {
  readonly initial: PageState
  /** The gateway that served the page. */
  readonly connection?: GatewayConnection | undefined
  /** The run that the address names. */
  readonly runId?: string | undefined
  readonly prefersStillness: boolean
  /** Something to say when the page opens. */
  readonly notice: string
}

/** Behind all moments: whatever the last one is. */
const END = Number.MAX_SAFE_INTEGER

type Tab = 'events' | 'protocols' | 'connect'

/** A stream that is read, or why it cannot be. */
interface Read {
  readonly timeline: Timeline
  readonly problem?: string
}

function readSample(sample: Sample): Read {
  try {
    return { timeline: timelineOf(sample, sample.text, []) }
  } catch (error) {
    return {
      timeline: new Timeline({ form: 'events', dialect: 'auto', start: 'text' }),
      problem: messageOf(error),
    }
  }
}

export function App({ initial, connection, runId, prefersStillness, notice: said }: AppProps): VNode {
  const [sample, setSample] = useState(initial.sample)
  const [cut, setCut] = useState<Cut>(initial.cut)
  const read = useMemo(() => readSample(sample), [sample])
  const live = useRun(connection, runId)
  const timeline = live.timeline ?? read.timeline
  const chunks = useMemo(() => cutSample(sample, cut), [sample, cut])
  if (live.timeline === undefined) timeline.chunks = [...chunks]
  const version = live.timeline === undefined ? `${cut.by}${chunks.length}` : timeline.version

  const [shown, setMoment] = useState(initial.at ?? (prefersStillness || runId !== undefined ? END : 0))
  const [isPlaying, setPlaying] = useState(
    initial.at === undefined && !prefersStillness && runId === undefined,
  )
  const [speed, setSpeed] = useState(1)
  const [isFollowing, setFollowing] = useState(true)
  const isLive = live.run?.state === 'running'
  const moment = isLive && isFollowing ? timeline.end : Math.min(shown, timeline.end)
  const [lit, setLit] = useState<Lit | null>(null)
  const [tab, setTab] = useState<Tab>(runId === undefined ? 'events' : 'connect')
  const [isEditing, setEditing] = useState(false)
  const [notice, setNotice] = useState(said)

  const go = useCallback(
    (to: number) => {
      setPlaying(false)
      setMoment(Math.max(0, Math.min(to, timeline.end)))
      setFollowing(to >= timeline.end)
    },
    [timeline],
  )
  const step = (by: StepKind, direction: 1 | -1): void =>
    go(direction > 0 ? timeline.next(moment, by) : timeline.previous(moment, by))
  const play = (): void => {
    if (!isLive && !isPlaying && moment >= timeline.end) setMoment(0)
    if (isLive) setFollowing(!isFollowing)
    else setPlaying(!isPlaying)
  }
  const wish = useRef(0)
  const look = async (next: Sample, isEdited: boolean): Promise<void> => {
    const own = ++wish.current
    if (missingParts(next).length > 0)
      try {
        await loadPartsFor(next)
      } catch (error) {
        return setNotice(messageOf(error))
      }
    // Something else was chosen meanwhile.
    if (own !== wish.current) return
    live.leave()
    setLit(null)
    setSample(next)
    setPlaying(!isEdited && !prefersStillness)
    setMoment(isEdited || prefersStillness ? END : 0)
    setNotice('')
  }
  const lookAtName = async (name: string): Promise<void> => {
    try {
      const found = await sampleNamed(name)
      if (found !== undefined) await look(found, false)
    } catch (error) {
      setNotice(messageOf(error))
    }
  }
  const lookAtTemplate = async (template: string): Promise<void> => {
    setNotice('The dialect of the chat template is being found …')
    try {
      const { sampleOfTemplate } = await loadPart('templates')
      // It takes a second, in which the page should say so.
      await drawn()
      await look(sampleOfTemplate(template, sample), true)
    } catch (error) {
      setNotice(messageOf(error))
    }
  }
  const lookAtFile = async (file: File): Promise<void> => {
    try {
      const bytes = new Uint8Array(await file.arrayBuffer())
      const text = textOf(bytes)
      if (isChatTemplate(text, file.name)) await lookAtTemplate(text)
      else await look(sampleOfFile(bytes), false)
      setNotice(`${file.name} was read.`)
    } catch (error) {
      setNotice(messageOf(error))
    }
  }

  usePlayback({ timeline, isPlaying, speed, moment, onMoment: setMoment, onEnd: () => setPlaying(false) })
  useKeys({ step, play, go, timeline })
  useDrop((file) => void lookAtFile(file))
  useLink({ sample, cut, at: moment }, isPlaying, live.runId)

  const settings = live.settings ?? sample
  const pieces = (): string[] =>
    timeline.chunks.map(({ to }, index, all) => timeline.wire.slice(all[index - 1]?.to ?? 0, to))
  const copy = async (what: string, text: string | undefined): Promise<void> => {
    if (text === undefined) return setNotice('This stream is too long for a link.')
    try {
      await navigator.clipboard.writeText(text)
      setNotice(`${what} was copied.`)
    } catch {
      setNotice(`The browser does not allow copying here.`)
    }
  }
  const copyLink = async (): Promise<void> => {
    const link = live.runId
      ? `run=${encodeURIComponent(live.runId)}`
      : await linkOf({ sample, cut, at: moment }, sampleNamed)
    await copy('The link', link && `${location.href.split('#')[0]}#${link}`)
  }

  const tabs: [Tab, string][] = [
    ['events', 'Events'],
    ['protocols', 'As other protocols'],
    ...(connection ? ([['connect', 'Ask a model']] as [Tab, string][]) : []),
  ]
  const onTabKey = (event: KeyboardEvent): void => {
    const by = { ArrowRight: 1, ArrowLeft: -1 }[event.key]
    if (by === undefined) return
    const names = tabs.map(([name]) => name)
    const next = names.at((names.indexOf(tab) + by) % names.length)!
    setTab(next)
    document.getElementById(`tab-${next}`)!.focus()
  }
  const common = { timeline, moment, lit, onLight: setLit }
  return html`<div class="page">
    <header>
      <div><h1>Sluice</h1><p>See a stream be understood, character by character. Nothing leaves your browser${connection ? ', unless you ask a model' : ''}.</p></div>
    </header>
    <main>
      <${SourceBar} sample=${sample} isEditing=${isEditing} reason=${live.runId ? 'You are watching a run of the gateway.' : reasonOf(sample, timeline)}
        isLive=${live.timeline !== undefined} onName=${(name: string) => void lookAtName(name)}
        onDialect=${(dialect: string) => void look({ ...sample, dialect }, false)} onEdit=${() => setEditing(!isEditing)}
        copies=${[
          ['Copy link', () => void copyLink()],
          [
            'Copy as test',
            () => void copy('The test', copyAsTest(settings, pieces(), timeline.log.eventsAt(timeline.end))),
          ],
          ['Copy as code', () => void copy('The code', copyAsCode(settings))],
        ]} />
      ${
        isEditing
          ? html`<${EditorPane} sample=${sample} onSample=${(next: Sample) => void look(next, true)} onFile=${(file: File) => void lookAtFile(file)}
        onTemplate=${(template: string) => void lookAtTemplate(template)} />`
          : null
      }
      ${sample.dialect === CHAT_TEMPLATE && isLoaded('templates') && live.timeline === undefined ? html`<${part('templates').TemplatePane} template=${sample.template ?? ''} />` : null}
      ${read.problem === undefined ? null : html`<p class="problem" role="alert">${read.problem}</p>`}
      <div class="panes">
        <div class="pane">
          <div class="pane-head"><h2>What arrives</h2><${Legend} /></div>
          <${WirePane} ...${common} />
        </div>
        <div class="pane">
          <div class="pane-head"><h2>What a person sees</h2></div>
          <${AnswerPane} ...${common} version=${version} />
        </div>
      </div>
      <${TimelinePane} ...${common} version=${version} isPlaying=${isLive ? isFollowing : isPlaying}
        speed=${speed} onMoment=${go} onStep=${step} onPlay=${play} onSpeed=${setSpeed} />
      ${live.timeline === undefined ? html`<${CutPane} settings=${sample} timeline=${timeline} chunks=${chunks} cut=${cut} onCut=${setCut} />` : null}
      <p class="explained" aria-hidden="true">${explained(timeline, lit)}</p>
      <section class="more" aria-label="More">
        <div class="tabs" role="tablist" aria-label="More views" onKeyDown=${onTabKey}>
          ${tabs.map(
            ([
              name,
              title,
            ]) => html`<button type="button" role="tab" key=${name} id="tab-${name}" aria-selected=${tab === name}
            aria-controls="panel" onClick=${() => setTab(name)}>${title}</button>`,
          )}
        </div>
        <div role="tabpanel" id="panel" aria-labelledby="tab-${tab}">
          ${tab === 'events' ? html`<${EventList} ...${common} onMoment=${go} />` : null}
          ${tab === 'protocols' ? html`<${ProtocolPane} settings=${settings} timeline=${timeline} moment=${moment} />` : null}
          ${
            tab === 'connect' && connection
              ? html`<${ConnectPane} connection=${connection} run=${live.run} onStop=${live.stop}
                  onSend=${(model: string, prompt: string) => {
                    setPlaying(false)
                    setFollowing(true)
                    setMoment(END)
                    live.start({ model, prompt, tools: sample.tools })
                  }} />`
              : null
          }
        </div>
      </section>
    </main>
    <footer><p>Keys: <kbd>←</kbd> <kbd>→</kbd> character, <kbd>Shift</kbd> + <kbd>←</kbd> <kbd>→</kbd> chunk,${' '}
      <kbd>Page ↑</kbd> <kbd>Page ↓</kbd> event, <kbd>Home</kbd> <kbd>End</kbd>, <kbd>Space</kbd> play.</p></footer>
    <p class="notice" role="status">${notice}</p>
    <p class="visually-hidden" role="status" aria-live="polite">${useAnnouncement(timeline, moment)}</p>
  </div>`
}

const LEGEND = [
  ['text', 'text'],
  ['reasoning', 'reasoning'],
  ['value', 'argument'],
  ['markup', 'markup'],
  ['held', 'held back'],
] as const

function Legend(): VNode {
  return html`<ul class="legend">${LEGEND.map(([kind, word]) => html`<li key=${kind}><span class="w-${kind}">${word}</span></li>`)}</ul>`
}

/** How the stream is read, and how that was found out. */
function reasonOf({ form, dialect }: Sample, { log }: Timeline): string {
  if (form === 'events') return 'These are recorded events.'
  const provider =
    form === 'text'
      ? ''
      : form === 'provider'
        ? "Read as a provider's stream, which one goes by its first payload. "
        : `Read as the stream of ${form}. `
  if (dialect === CHAT_TEMPLATE) return `${provider}Read with the dialect of the chat template.`
  if (dialect !== 'auto') return `${provider}Read as ${dialect}.`
  if (form !== 'text') return provider
  const found = log.entries.find(
    ({ event }) => event.type === 'diagnostic' && event.code === 'dialect-detected',
  )
  if (found === undefined) return 'No dialect is detected: nothing looks like a call.'
  const { dialects = [], message } = found.event as Diagnostic
  const others = dialects.length - 1
  return `Detected: ${dialects[0]}. ${message}${others > 0 ? ` ${others} other${others > 1 ? 's' : ''} would read it alike.` : ''}`
}

function explained({ log, wire, map }: Timeline, lit: Lit | null): string {
  if (lit?.entry === undefined) return ''
  const entry = log.entries[lit.entry]
  if (entry === undefined) return ''
  const run = map.runs.find((one) => one.entry === lit.entry)
  const held =
    run !== undefined && run.settledAt > run.to ? ` It was held back until character ${run.settledAt}.` : ''
  return `${entry.event.type} at character ${Math.min(entry.at, wire.length)}: ${inWords(entry.event)}${held}`
}

/** The browser has drawn what is set. */
function drawn(): Promise<unknown> {
  return new Promise((resolve) => requestAnimationFrame(() => setTimeout(resolve)))
}

// ── the surroundings of the page ─────────────────────────────────────────────────────────────────

interface KeyActions {
  readonly timeline: Timeline
  step(by: StepKind, direction: 1 | -1): void
  play(): void
  go(moment: number): void
}

/** Keys work wherever nothing else needs them. */
function useKeys(actions: KeyActions): void {
  const latest = useRef(actions)
  latest.current = actions
  useEffect(() => {
    const onKey = (event: KeyboardEvent): void => {
      const { step, play, go, timeline } = latest.current
      const target = event.target as HTMLElement
      const isSlider = target.matches('input[type=range]')
      if (event.altKey || event.ctrlKey || event.metaKey) return
      if (!isSlider && target.closest('input, textarea, select, [role=tablist], .answer, .rows')) return
      if (event.key === ' ' && target.closest('button, a, summary')) return
      const done = ((): boolean => {
        const by = event.shiftKey ? 'chunk' : 'character'
        if (event.key === 'ArrowRight') step(by, 1)
        else if (event.key === 'ArrowLeft') step(by, -1)
        else if (event.key === 'PageDown') step('event', 1)
        else if (event.key === 'PageUp') step('event', -1)
        else if (event.key === 'Home') go(0)
        else if (event.key === 'End') go(timeline.end)
        else if (event.key === ' ') play()
        else return false
        return true
      })()
      if (done) event.preventDefault()
    }
    document.addEventListener('keydown', onKey)
    return () => document.removeEventListener('keydown', onKey)
  }, [])
}

function useDrop(onFile: (file: File) => void): void {
  const latest = useRef(onFile)
  latest.current = onFile
  useEffect(() => {
    const onDragOver = (event: DragEvent): void => event.preventDefault()
    const onDrop = (event: DragEvent): void => {
      event.preventDefault()
      const file = event.dataTransfer?.files[0]
      if (file !== undefined) latest.current(file)
    }
    document.addEventListener('dragover', onDragOver)
    document.addEventListener('drop', onDrop)
    return () => {
      document.removeEventListener('dragover', onDragOver)
      document.removeEventListener('drop', onDrop)
    }
  }, [])
}

/** Milliseconds without a change before the address follows: browsers refuse to change it all the time. */
const ADDRESS_PAUSE_MS = 250

/** Keeps the address of the page up to date. */
function useLink(state: PageState, isPlaying: boolean, runId: string | undefined): void {
  const { sample, cut, at } = state
  // biome-ignore lint/correctness/useExhaustiveDependencies: the moment counts only while nothing plays
  useEffect(() => {
    const timer = setTimeout(async () => {
      const link =
        runId === undefined
          ? await linkOf(isPlaying ? { sample, cut } : state, sampleNamed)
          : `run=${encodeURIComponent(runId)}`
      history.replaceState(null, '', link === undefined ? location.pathname : `#${link}`)
    }, ADDRESS_PAUSE_MS)
    return () => clearTimeout(timer)
  }, [sample, cut, isPlaying ? 0 : at, isPlaying, runId])
}

/** The last thing worth saying aloud: a verdict, or the end. */
function useAnnouncement({ log }: Timeline, moment: number): string {
  for (let index = log.countAt(moment) - 1; index >= 0; index--) {
    const { event } = log.entries[index]!
    if (event.type === 'tool-call') return `Call of ${event.toolName}: ${event.status}.`
    if (event.type === 'finish') return `Finished: ${event.reason}.`
  }
  return ''
}
