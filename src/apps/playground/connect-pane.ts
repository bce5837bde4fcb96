/** The gateway behind the page: send a request, watch the run, stop it, and open it elsewhere. */

import { html } from 'htm/preact'
import type { VNode } from 'preact'
import { useEffect, useState } from 'preact/hooks'
import { messageOf } from '../../base/errors.ts'
import type { GatewayConnection } from './connection.ts'

/** A run that is watched. */
export interface WatchedRun {
  readonly id: string
  readonly isKept: boolean
  readonly state: 'running' | 'over' | 'failed'
  readonly problem?: string
}

export interface ConnectPaneProps {
  readonly connection: GatewayConnection
  readonly run: WatchedRun | null
  onSend(model: string, prompt: string): void
  onStop(): void
}

export function ConnectPane({ connection, run, onSend, onStop }: ConnectPaneProps): VNode {
  const [models, setModels] = useState<readonly string[]>([])
  const [model, setModel] = useState('')
  const [prompt, setPrompt] = useState('Which weather is it in Paris, and in Oslo?')
  const [key, setKey] = useState('')
  const [problem, setProblem] = useState('')
  useEffect(() => {
    connection.key = key
    connection.models().then(
      (names) => {
        setModels(names)
        setModel((known) => known || (names[0] ?? ''))
        setProblem('')
      },
      (error) => setProblem(messageOf(error)),
    )
  }, [connection, key])
  const isRunning = run?.state === 'running'
  const submit = (event: Event): void => {
    event.preventDefault()
    onSend(model, prompt)
  }
  return html`<form class="connect" onSubmit=${submit}>
    <p>This page was served by a gateway. A request goes to it, with the tools of the stream above, and you watch the run as it
      comes. A run that is kept goes on when you leave: reload the page, or open it in a second tab.</p>
    <div class="connect-fields">
      <label>Model <input list="models" value=${model} required onInput=${(event: Event) => setModel((event.target as HTMLInputElement).value)} /></label>
      <datalist id="models">${models.map((name) => html`<option value=${name}></option>`)}</datalist>
      <label>Key, if it wants one <input type="password" autocomplete="off" value=${key} onChange=${(event: Event) => setKey((event.target as HTMLInputElement).value)} /></label>
    </div>
    <label class="wide">Request <textarea rows="2" value=${prompt} onInput=${(event: Event) => setPrompt((event.target as HTMLTextAreaElement).value)}></textarea></label>
    <div class="buttons">
      <button type="submit" class="play" disabled=${isRunning || model === ''}>Send</button>
      <button type="button" onClick=${onStop} disabled=${!isRunning}>Stop</button>
      ${run?.isKept ? html`<a class="button" href="#run=${encodeURIComponent(run.id)}" target="_blank" rel="noopener">Open in a second tab</a>` : null}
    </div>
    <p class="run-state" role="status">${run === null ? problem : inWords(run)}</p>
  </form>`
}

function inWords({ id, isKept, state, problem }: WatchedRun): string {
  if (state === 'failed') return `The run cannot be followed. ${problem ?? ''}`
  const kept = isKept
    ? ''
    : ' The gateway keeps no runs (start it with --log file:./runs), so that it ends when you leave.'
  return `Run ${id} ${state === 'running' ? 'is going on' : 'is over'}.${kept}`
}
