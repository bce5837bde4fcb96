/** What a person sees: text, folded reasoning, a card for each call, and how it ended. */

import { html } from 'htm/preact'
import type { VNode } from 'preact'
import { useLayoutEffect, useMemo, useRef } from 'preact/hooks'
import type { JsonValue, ToolCall } from '../../base/event.ts'
import type { CallPart, Part } from '../../base/part.ts'
import { isExecutable } from '../../engine/calls/verdict.ts'
import { foldEvents, type Message } from '../../engine/message.ts'
import { isLitCall, type Lit } from './lit.ts'
import { LongText } from './long-text.ts'
import type { Timeline } from './timeline.ts'
import { visible } from './visible-text.ts'

export interface AnswerPaneProps {
  readonly timeline: Timeline
  readonly moment: number
  /** Changes when the timeline grew. */
  readonly version: number
  readonly lit: Lit | null
  onLight(lit: Lit | null): void
}

/** Parts that are drawn; of a longer answer these are the last. */
const MOST_PARTS = 80

export function AnswerPane({ timeline, moment, version, lit, onLight }: AnswerPaneProps): VNode {
  // biome-ignore lint/correctness/useExhaustiveDependencies: the timeline grows, and its version says so
  const message = useMemo(() => foldEvents(timeline.log.eventsAt(moment)), [timeline, moment, version])
  const box = useRef<HTMLDivElement>(null)
  // biome-ignore lint/correctness/useExhaustiveDependencies: each moment is shown from its end
  useLayoutEffect(() => {
    box.current!.scrollTop = box.current!.scrollHeight
  }, [moment, timeline])
  const hidden = Math.max(0, message.parts.length - MOST_PARTS)
  return html`<div class="answer" ref=${box} tabindex="0" role="region" aria-label="What a person sees">
    ${hidden > 0 ? html`<p class="note">${hidden} earlier parts are not drawn.</p>` : null}
    ${message.parts.length === 0 && moment > 0 ? html`<p class="note">Nothing may be shown yet.</p>` : null}
    ${message.parts.slice(hidden).map(
      (part, index) => html`<${PartView} key=${hidden + index} part=${part}
      isLit=${part.type === 'call' && isLitCall(timeline, lit, part.id)} onLight=${onLight} />`,
    )}
    <${Ending} message=${message} />
  </div>`
}

interface PartProps {
  readonly part: Part
  readonly isLit: boolean
  onLight(lit: Lit | null): void
}

function PartView({ part, isLit, onLight }: PartProps): VNode | null {
  switch (part.type) {
    case 'text':
      return html`<div class="prose"><${LongText} text=${part.text.replace(/\n+$/, '')} label="Text" isGrowing=${part.state === 'streaming'} /></div>`
    case 'reasoning':
      return html`<details class="reasoning">
        <summary>${part.state === 'streaming' ? 'Thinking' : 'Thought'} <span class="faint">${visible(lastLine(part.text))}</span></summary>
        <${LongText} text=${part.text} label="Reasoning" isGrowing=${part.state === 'streaming'} />
      </details>`
    case 'call':
      return html`<${CallCard} call=${part} isLit=${isLit} onLight=${onLight} />`
    case 'result':
      return html`<div class="card result"><div class="card-head"><span class="tool">${visible(part.toolName ?? 'result')}</span>
        <span class="badge">${part.isError ? '✕ error' : 'answer'}</span></div>
        <${LongText} text=${part.content} label="Result" isGrowing=${part.state === 'streaming'} /></div>`
    case 'custom':
      return html`<p class="note">${part.kind}</p>`
  }
}

function lastLine(text: string): string {
  return text.trim().split('\n').at(-1)!.slice(-72)
}

// ── calls ────────────────────────────────────────────────────────────────────────────────────────

/** Word, icon and class of each verdict. */
const VERDICTS = {
  writing: ['…', 'being written', 'busy'],
  complete: ['✓', 'complete', 'good'],
  repaired: ['✓', 'repaired', 'fair'],
  truncated: ['✂', 'truncated', 'bad'],
  invalid: ['✕', 'invalid', 'bad'],
} as const

interface CallProps {
  readonly call: CallPart
  readonly isLit: boolean
  onLight(lit: Lit | null): void
}

function CallCard({ call, isLit, onLight }: CallProps): VNode {
  const [icon, word, look] = VERDICTS[call.status ?? 'writing']
  const fields = fieldsOf(call.input)
  const isWriting = call.state === 'streaming'
  const light = (): void => onLight(call.id === undefined ? null : { id: call.id })
  return html`<article class="card ${look}${isLit ? ' lit-card' : ''}" data-status=${call.status ?? 'writing'}
    onMouseEnter=${light} onMouseLeave=${() => onLight(null)}>
    <div class="card-head">
      <span class="tool">${visible(call.toolName)}</span>
      <span class="badge"><span aria-hidden="true">${icon}</span> ${word}</span>
    </div>
    ${fields.map(
      ([key, value], index) => html`<${Argument} key=${key} name=${key} value=${value}
      isGrowing=${isWriting && index === fields.length - 1} />`,
    )}
    <${Reasons} call=${call} />
  </article>`
}

function fieldsOf(input: JsonValue): [string, JsonValue][] {
  if (input === null) return []
  return typeof input === 'object' && !Array.isArray(input) ? Object.entries(input) : [['input', input]]
}

interface ArgumentProps {
  readonly name: string
  readonly value: JsonValue
  readonly isGrowing: boolean
}

function Argument({ name, value, isGrowing }: ArgumentProps): VNode {
  const isLong = typeof value === 'string' && (value.length > 60 || value.includes('\n'))
  const kind = typeof value === 'string' ? '' : ' json'
  const text = typeof value === 'string' ? value : JSON.stringify(value)
  return html`<div class=${isLong ? 'argument long-argument' : 'argument'}>
    <span class="key">${visible(name)}</span>
    ${
      isLong
        ? html`<${LongText} text=${text} label=${name} isGrowing=${isGrowing} />`
        : html`<code class="short${kind}">${visible(text)}${isGrowing ? html`<span class="caret"></span>` : null}</code>`
    }
  </div>`
}

/** Why it may not run, and what was repaired. */
function Reasons({ call }: { readonly call: CallPart }): VNode | null {
  if (call.status === undefined) return null
  const runs = isExecutable(call as unknown as ToolCall)
  const repairs = (call.repairs ?? []).map((repair) => `${repair.code} (${repair.class})`).join(', ')
  if (runs && repairs === '') return null
  return html`<p class="reason">
    <b class=${runs ? '' : 'refused'}>${runs ? 'May run.' : 'Does not run.'}</b>
    ${call.error === undefined ? null : html` <span>${visible(call.error.message)}</span>`}
    ${repairs === '' ? null : html` <span>Repairs: ${repairs}.</span>`}
  </p>`
}

// ── the end ──────────────────────────────────────────────────────────────────────────────────────

function Ending({ message }: { readonly message: Message }): VNode {
  const { finish, state, error, parts } = message
  // The card of a call that failed says why by itself.
  const failed = new Set(parts.flatMap((part) => (part.type === 'call' && part.error ? [part.id] : [])))
  const diagnostics = message.diagnostics.filter(({ id }) => id === undefined || !failed.has(id))
  return html`<div class="ending">
    ${diagnostics.slice(-8).map((one, index) => html`<p class="diagnostic" key=${index}><b>${one.code}</b> ${visible(one.message)}</p>`)}
    ${error === undefined ? null : html`<p class="diagnostic failed"><b>error</b> ${visible(error.message)}</p>`}
    ${state === 'streaming' ? null : html`<p class="finish">Finished: <strong>${finish.reason}</strong></p>`}
  </div>`
}
