/** One's own stream: text, tools, and where the response begins. Each change is read at once. */

import { html } from 'htm/preact'
import type { VNode } from 'preact'
import { useRef, useState } from 'preact/hooks'
import { messageOf } from '../../base/errors.ts'
import { sampleOfText } from './read-file.ts'
import type { Sample } from './settings.ts'

export interface EditorPaneProps {
  readonly sample: Sample
  onSample(sample: Sample): void
  onFile(file: File): void
  onTemplate(template: string): void
}

/** A text that is longer is not put into a field, where typing would become slow. */
const LONGEST_EDITED = 300_000

export function EditorPane({ sample, onSample, onFile, onTemplate }: EditorPaneProps): VNode {
  const [problem, setProblem] = useState('')
  /** A text that cannot be read yet, and what is shown instead. */
  const [draft, setDraft] = useState({ text: '', shown: null as Sample | null })
  const templateField = useRef<HTMLTextAreaElement>(null)
  const { preset: _, chunks: _chunks, ...own } = sample

  const take = (text: string): void => {
    try {
      const read = sampleOfText(text)
      const isOther = read.form !== own.form || (sample.preset !== undefined && !isEdited(sample.text, text))
      // A recording says itself how it is read.
      if (read.chunks !== undefined) onSample({ ...own, ...read })
      else if (isOther) onSample({ ...read, tools: own.tools })
      else onSample({ ...own, text })
      setProblem('')
    } catch (error) {
      setDraft({ text, shown: sample })
      setProblem(messageOf(error))
    }
  }
  const onText = (event: Event): void => take((event.target as HTMLTextAreaElement).value)
  // Browsers take minutes to put a long text into a field.
  const onPaste = (event: ClipboardEvent): void => {
    const text = event.clipboardData?.getData('text') ?? ''
    if (text.length <= LONGEST_EDITED) return
    event.preventDefault()
    take(text)
  }
  const onTools = (event: Event): void => {
    const json = (event.target as HTMLTextAreaElement).value
    try {
      onSample({ ...sample, tools: json.trim() === '' ? undefined : (JSON.parse(json) as unknown) })
      setProblem('')
    } catch (error) {
      setProblem(`The tools are not JSON: ${messageOf(error)}`)
    }
  }
  const onPick = (event: Event): void => {
    const file = (event.target as HTMLInputElement).files?.[0]
    if (file !== undefined) onFile(file)
  }
  const onFind = (): void => {
    const template = templateField.current!.value
    if (template.trim() !== '') onTemplate(template)
  }
  const isLong = sample.text.length > LONGEST_EDITED
  return html`<section class="editor" aria-label="Your own stream">
    <div class="field">
      <label class="title" for="own-text">What the model wrote, a provider's stream, or a recording</label>
      ${
        isLong
          ? html`<p class="note">${sample.text.length.toLocaleString('en')} characters are too many to edit here.
            <button type="button" onClick=${() => take('')}>Clear</button></p>`
          : html`<textarea id="own-text" rows="9" spellcheck=${false} value=${draft.shown === sample ? draft.text : sample.text} onInput=${onText} onPaste=${onPaste}></textarea>`
      }
      <p class="hint">Paste it, or drop a file anywhere on this page: a stream, a recording, or a chat template.
        <label class="file">Choose a file<input type="file" class="visually-hidden" onChange=${onPick} /></label></p>
    </div>
    <div class="field">
      <label class="title" for="own-tools">Tools, as JSON: a schema types the arguments</label>
      <textarea id="own-tools" rows="9" spellcheck=${false} defaultValue=${sample.tools === undefined ? '' : JSON.stringify(sample.tools, null, 1)}
        key=${sample.preset ?? 'own'} onInput=${onTools}></textarea>
      <p class="hint"><label>The response begins in${' '}
        <select onChange=${(event: Event) =>
          onSample({ ...sample, start: (event.target as HTMLSelectElement).value as Sample['start'] })}>
          <option value="text" selected=${sample.start === 'text'}>text</option>
          <option value="reasoning" selected=${sample.start === 'reasoning'}>reasoning</option>
        </select></label></p>
    </div>
    <div class="field wide-field">
      <label class="title" for="own-template">A chat template, or a tokenizer_config.json: the dialect is found in it</label>
      <textarea id="own-template" rows="4" spellcheck=${false} defaultValue=${sample.template ?? ''} key=${sample.template}
        ref=${templateField}></textarea>
      <p class="hint"><button type="button" onClick=${onFind}>Find its dialect</button></p>
    </div>
    ${problem === '' ? null : html`<p class="problem" role="alert">${problem}</p>`}
  </section>`
}

/** Whether a text is another one with changes, and not a new one. */
function isEdited(before: string, after: string): boolean {
  const isKept = (from: number, to?: number): boolean => before.slice(from, to) === after.slice(from, to)
  return isKept(0, KEPT) || isKept(-KEPT)
}

/** Characters at the start or at the end that tell an edited text. */
const KEPT = 24
