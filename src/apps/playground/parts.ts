/**
 * Parts of the page that are loaded when they are first needed. Each is a classic script beside the page's own, so that it
 * loads from disk, too, and adds itself when it runs.
 */

import type { VNode } from 'preact'
import type { Sink } from '../../base/event.ts'
import type { ParserOptions } from '../../engine/parser.ts'
import type { TemplateFormat } from '../../requests/templates/index.ts'
import { CHAT_TEMPLATE, type Sample, type Settings } from './settings.ts'
import type { WireReader } from './wire-reader.ts'

/** Reads and writes the streams of providers. */
export interface ProvidersPart {
  openProviderReader(form: string, options: ParserOptions, sink: Sink): WireReader
  providerExample(name: string): Sample
  /** The names of what a message can be written as. */
  readonly protocols: readonly string[]
  /** What the wire text up to a moment is in a protocol. */
  writtenAs(protocol: string, settings: Settings, text: string, isEnded: boolean): string
}

/** Finds the dialect of a chat template. */
export interface TemplatesPart {
  /** Throws where the template has none. */
  formatOf(template: string): TemplateFormat
  /** The stream to look at once a template is given. */
  sampleOfTemplate(template: string, shown: Sample): Sample
  TemplatePane(props: { readonly template: string }): VNode | null
}

interface Parts {
  providers: ProvidersPart
  templates: TemplatesPart
}

export type PartName = keyof Parts

const loaded: Partial<Parts> = {}
const loading = new Map<PartName, Promise<void>>()

/** Called by the script of a part. */
export function addPart<Name extends PartName>(name: Name, part: Parts[Name]): void {
  loaded[name] = part
}

/** A part that is loaded already. */
export function part<Name extends PartName>(name: Name): Parts[Name] {
  const found = loaded[name]
  if (found === undefined)
    throw new Error(`${scriptOf(name)}, a part of this page, cannot be loaded. Is its server still there?`)
  return found
}

export function isLoaded(name: PartName): boolean {
  return loaded[name] !== undefined
}

export async function loadPart<Name extends PartName>(name: Name): Promise<Parts[Name]> {
  if (!isLoaded(name)) {
    const started = loading.get(name) ?? runScript(scriptOf(name))
    loading.set(name, started)
    await started
    // Whoever asks again after a failure tries again.
    loading.delete(name)
  }
  return part(name)
}

/** The parts that reading a stream needs and that are not loaded. */
export function missingParts({ form, dialect }: Settings): PartName[] {
  const needed: PartName[] = []
  if (form !== 'text' && form !== 'events') needed.push('providers')
  if (dialect === CHAT_TEMPLATE) needed.push('templates')
  return needed.filter((name) => !isLoaded(name))
}

export async function loadPartsFor(settings: Settings): Promise<void> {
  await Promise.all(missingParts(settings).map((name) => loadPart(name)))
}

const scriptOf = (name: PartName): string => `playground-${name}.js`

/** Ends when it ran, or when it is known that it cannot. */
function runScript(file: string): Promise<void> {
  return new Promise((resolve) => {
    const script = document.createElement('script')
    script.src = file
    script.onload = script.onerror = () => resolve()
    document.head.append(script)
  })
}
