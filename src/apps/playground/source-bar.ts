/** What is looked at: presets, an example of each dialect and provider, and how it is read. */

import { html } from 'htm/preact'
import type { VNode } from 'preact'
import { findDialect } from '../../dialects/index.ts'
import { DIALECT_NAMES, dialectExample, PROVIDER_NAMES } from './examples.ts'
import { loadPart } from './parts.ts'
import { PRESETS, presetNamed } from './presets.ts'
import { CHAT_TEMPLATE, type Sample } from './settings.ts'

export interface SourceBarProps {
  readonly sample: Sample
  readonly isEditing: boolean
  /** How it is read, and why. */
  readonly reason: string
  /** A run is watched instead. */
  readonly isLive: boolean
  /** What can be copied. */
  readonly copies: readonly (readonly [title: string, copy: () => void])[]
  /** A preset or an example was chosen. */
  onName(name: string): void
  onDialect(dialect: string): void
  onEdit(): void
}

export function SourceBar(props: SourceBarProps): VNode {
  const { sample, isEditing, reason, isLive, copies, onName, onDialect, onEdit } = props
  const chosen = sample.preset ?? 'own'
  const option = (value: string, title: string): unknown =>
    html`<option key=${value} value=${value} selected=${value === chosen}>${title}</option>`
  const preset = PRESETS.find(({ name }) => name === sample.preset)
  return html`<div class="sources">
    <div class="choices">
      <label>Stream
        <select class="stream" onChange=${(event: Event) => onName((event.target as HTMLSelectElement).value)}>
          ${chosen === 'own' ? option('own', 'Your own') : null}
          <optgroup label="To begin with">${option(PRESETS[0]!.name, PRESETS[0]!.title)}</optgroup>
          <optgroup label="That hurt">${PRESETS.slice(1).map(({ name, title }) => option(name, title))}</optgroup>
          <optgroup label="Dialects of open models">${DIALECT_NAMES.map((name) => option(`dialect:${name}`, name))}</optgroup>
          <optgroup label="Streams of providers">${PROVIDER_NAMES.map((name) => option(`provider:${name}`, name))}</optgroup>
        </select>
      </label>
      <label>Dialect
        <select class="dialect" onChange=${(event: Event) => onDialect((event.target as HTMLSelectElement).value)}>
          <option value="auto" selected=${sample.dialect === 'auto'}>${sample.form === 'text' ? 'detect it' : 'none'}</option>
          ${sample.template === undefined ? null : html`<option value=${CHAT_TEMPLATE} selected=${sample.dialect === CHAT_TEMPLATE}>of the chat template</option>`}
          ${DIALECT_NAMES.map((name) => html`<option key=${name} value=${name} selected=${name === sample.dialect}>${name}</option>`)}
        </select>
      </label>
      <button type="button" aria-expanded=${isEditing} onClick=${onEdit}>Your own …</button>
    </div>
    <div class="buttons copies">
      ${copies.map(([title, copy]) => html`<button type="button" class="quiet" key=${title} onClick=${copy}>${title}</button>`)}
    </div>
    <p class="about">${isLive ? '' : preset?.about} <span class="read-as">${reason}</span></p>
  </div>`
}

/** The sample of a preset, or the example of a dialect or provider. */
export async function sampleNamed(name: string): Promise<Sample | undefined> {
  const preset = presetNamed(name)
  if (preset !== undefined) return preset
  const [kind, wanted = ''] = name.split(':')
  if (kind === 'dialect' && DIALECT_NAMES.includes(wanted))
    return { ...dialectExample(findDialect(wanted as string)), preset: name }
  if (kind === 'provider' && PROVIDER_NAMES.some((one) => one === wanted))
    return { ...(await loadPart('providers')).providerExample(wanted), preset: name }
  return undefined
}
