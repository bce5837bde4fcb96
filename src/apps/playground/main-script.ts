/** The script of the page. */

import { html } from 'htm/preact'
import { render } from 'preact'
import { GatewayConnection } from './connection.ts'
import { readLink } from './link.ts'
import { loadPartsFor } from './parts.ts'
import { App } from './playground-app.ts'
import { FIRST_PRESET, presetNamed } from './presets.ts'
import { sampleNamed } from './source-bar.ts'

async function open(): Promise<void> {
  const root = document.querySelector('#page')!
  // The server that sends the page says what is behind it.
  const { behind = 'nothing' } = document.documentElement.dataset
  const connection = behind === 'nothing' ? undefined : new GatewayConnection(behind === 'gateway-with-log')
  const runId = new URLSearchParams(location.hash.slice(1)).get('run') ?? undefined
  const linked = await readLink(location.hash, sampleNamed)
  const isDamaged = linked === undefined && /^#(text|preset)=/.test(location.hash)
  const initial = linked ?? { sample: presetNamed(FIRST_PRESET)!, cut: { by: 'recorded' } }
  // Without them the page says what is missing.
  await loadPartsFor(initial.sample).catch(() => {})
  const app = html`<${App}
    initial=${initial} runId=${connection && runId} connection=${connection}
    notice=${isDamaged ? 'This link is damaged. It may have been cut off.' : ''}
    prefersStillness=${matchMedia('(prefers-reduced-motion: reduce)').matches}
  />`
  render(app, root)
}

void open()
// A link that is pasted into the address of the open page.
addEventListener('hashchange', () => location.reload())
