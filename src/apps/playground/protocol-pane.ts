/** The same message as other protocols have it, side by side. */

import { html } from 'htm/preact'
import type { VNode } from 'preact'
import { useMemo, useState } from 'preact/hooks'
import { messageOf } from '../../base/errors.ts'
import { LongText } from './long-text.ts'
import { part } from './parts.ts'
import type { Settings } from './settings.ts'
import type { Timeline } from './timeline.ts'
import { usePart } from './use-part.ts'

export interface ProtocolPaneProps {
  readonly settings: Settings
  readonly timeline: Timeline
  readonly moment: number
}

export function ProtocolPane({ settings, timeline, moment }: ProtocolPaneProps): VNode {
  const [chosen, choose] = useState(['openai-chat', 'anthropic', 'segments'])
  const loading = usePart('providers')
  if (loading !== 'loaded') return html`<p class="note loading" role="status">${loading}</p>`
  return html`<div class="protocols">
    ${chosen.map(
      (protocol, index) => html`<div class="protocol" key=${index}>
      <label>As <select onChange=${(event: Event) => choose(chosen.map((one, at) => (at === index ? (event.target as HTMLSelectElement).value : one)))}>
        ${part('providers').protocols.map((name) => html`<option value=${name} selected=${name === protocol}>${name}</option>`)}
      </select></label>
      <${Written} protocol=${protocol} settings=${settings} timeline=${timeline} moment=${moment} />
    </div>`,
    )}
  </div>`
}

function Written({
  protocol,
  settings,
  timeline,
  moment,
}: ProtocolPaneProps & { readonly protocol: string }): VNode {
  const isEnded = moment > timeline.length
  const text = useMemo(() => {
    try {
      return part('providers').writtenAs(protocol, settings, timeline.wire.slice(0, moment), isEnded)
    } catch (error) {
      return messageOf(error)
    }
  }, [protocol, settings, timeline, moment, isEnded])
  return html`<div class="written" tabindex="0" role="region" aria-label="As ${protocol}"><${LongText} text=${text}
    label=${protocol} isGrowing=${!isEnded} /></div>`
}
