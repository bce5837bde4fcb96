/** A chat template as a stream to look at: what the template itself writes, read by the dialect that was found in it. */

import { dialectOfTemplate, type TemplateFormat } from '../../requests/templates/index.ts'
import { PROBE_TOOLS } from '../../requests/templates/probes.ts'
import { CHAT_TEMPLATE, type Sample } from './settings.ts'

/** What was found last: finding it takes a second, and each reading of the stream asks for it. */
let last:
  | { readonly template: string; readonly found: TemplateFormat | { readonly error: unknown } }
  | undefined

/** Throws where the template has none. */
export function formatOf(template: string): TemplateFormat {
  if (last?.template !== template) last = { template, found: found(template) }
  if ('error' in last.found) throw last.found.error
  return last.found
}

function found(template: string): TemplateFormat | { readonly error: unknown } {
  try {
    return dialectOfTemplate(template)
  } catch (error) {
    return { error }
  }
}

/**
 * One's own text, if it is what is shown, is read with the dialect of the template. Otherwise it is what the template
 * writes.
 */
export function sampleOfTemplate(template: string, shown: Sample): Sample {
  const { preset, chunks, ...own } = shown
  const isOwn = preset === undefined && own.form === 'text' && !isExample(shown)
  try {
    const format = formatOf(template)
    const read = { template, dialect: CHAT_TEMPLATE, start: format.start } as const
    if (isOwn) return { ...own, ...read, ...(chunks && { chunks }) }
    return { ...read, form: 'text', tools: PROBE_TOOLS, text: exampleOf(format) }
  } catch {
    // Reading it says what is wrong.
    return { ...own, form: 'text', template, dialect: CHAT_TEMPLATE }
  }
}

/** Whether the text is the example of another template. */
function isExample({ template, tools }: Sample): boolean {
  return template !== undefined && JSON.stringify(tools) === JSON.stringify(PROBE_TOOLS)
}

/** The probes whose text says most, the best first. */
const TELLING = ['reasoning, text and a call', 'text and a call', 'one call']

/** A probe as the template writes it. */
function exampleOf({ probes }: TemplateFormat): string {
  const written = TELLING.map((name) => probes.find((probe) => probe.name === name)?.written)
  return written.find((text) => text !== undefined) ?? ''
}
