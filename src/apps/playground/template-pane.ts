/** What was found in a chat template: the dialect, why it is this one, and a call in it. */

import { html } from 'htm/preact'
import type { VNode } from 'preact'
import { showTemplate } from '../../engine/wire/template.ts'
import type { ProbeResult, TemplateFormat } from '../../requests/templates/index.ts'
import { formatOf } from './template-sample.ts'
import { visible } from './visible-text.ts'

export function TemplatePane({ template }: { readonly template: string }): VNode | null {
  const format = formatIn(template)
  if (format === undefined) return null
  const { dialect, origin, probes } = format
  const rows = rowsOf(format)
  return html`<section class="template" aria-label="The chat template">
    <div>
      <h2>${origin === 'detected' ? `The chat template writes ${dialect.name}` : 'A dialect made from the chat template'}</h2>
      <p>${origin === 'detected' ? `Of all dialects of the library, ${dialect.name} reads back best what this template writes.` : 'No dialect of the library reads what this template writes. This one is made of its markers.'}
        ${` ${proofOf(probes)}`}</p>
      <dl>${rows.map(([title, text]) => html`<div key=${title}><dt>${title}</dt><dd>${visible(text)}</dd></div>`)}</dl>
    </div>
    <div>
      <h2>A call in it</h2>
      <pre class="value-text" tabindex="0">${visible(probes.find(({ name }) => name === 'one call')?.written?.trim() ?? '')}</pre>
    </div>
  </section>`
}

/** Undefined where the page says already what is wrong with it. */
function formatIn(template: string): TemplateFormat | undefined {
  try {
    return formatOf(template)
  } catch {
    return undefined
  }
}

function proofOf(probes: readonly ProbeResult[]): string {
  const proved = probes.filter(({ problem }) => problem === undefined)
  return `${proved.length} answers that the template wrote came back as they were, cut at every character.`
}

function rowsOf({
  dialect,
  origin,
  start,
  alternatives,
  footer,
  probes,
}: TemplateFormat): [string, string][] {
  const rows: [string, string][] = [
    ['A response begins', start === 'text' ? 'in text' : 'inside reasoning, which the prompt opens'],
    ['A turn ends with', footer.trim()],
    ['Reads it as well', alternatives.join(', ')],
    ['Not tried', untriedOf(probes)],
    [
      'As a wire template',
      origin === 'derived' ? dialect.calls.map(({ nodes }) => showTemplate(nodes)).join(' ') : '',
    ],
  ]
  return rows.filter(([, text]) => text !== '')
}

/** Why probes prove nothing, once for each reason. */
function untriedOf(probes: readonly ProbeResult[]): string {
  const names = new Map<string, string[]>()
  for (const { name, problem } of probes)
    if (problem !== undefined) names.set(problem, [...(names.get(problem) ?? []), name])
  return [...names].map(([problem, all]) => `${all.join('; ')} (${problem})`).join('. ')
}
