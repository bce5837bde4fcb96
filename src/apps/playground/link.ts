/**
 * The state of the page as the fragment of its address, so that a report of a bug is a link. A fragment is never sent to a
 * server.
 *
 *     #preset=cut-off&cut=bytes-3&at=120
 *     #text=q1YqyUxOTVGyUlAqyVeqBQA&dialect=hermes&at=40
 */

import { fromBase64, toBase64 } from '../../base/base64.ts'
import type { Cut, Sample, SampleChunk } from './settings.ts'

export interface PageState {
  readonly sample: Sample
  readonly cut: Cut
  /** The moment; absent: it plays from the start. */
  readonly at?: number
}

/** The longest link that is made: browsers take more, many places where links are pasted do not. */
const LONGEST_LINK = 30_000

/** Knows the presets by their names. */
export type PresetNamed = (name: string) => Sample | undefined | Promise<Sample | undefined>

/** The fragment without `#`; undefined if it would be too long. Of a preset it has only what was changed. */
export async function linkOf(
  { sample, cut, at }: PageState,
  presetNamed: PresetNamed,
): Promise<string | undefined> {
  const { preset, text, form, dialect, template, start, tools, chunks } = sample
  const fields = new URLSearchParams()
  const known = (preset !== undefined && (await presetNamed(preset))) || OWN
  if (preset !== undefined) fields.set('preset', preset)
  else {
    fields.set('text', await packed(text))
    if (chunks !== undefined) fields.set('chunks', await packed(chunks.map((one) => [one.to, one.at])))
  }
  if (form !== known.form) fields.set('form', form)
  if (dialect !== known.dialect) fields.set('dialect', dialect)
  if (template !== undefined) fields.set('template', await packed(template))
  if (start !== known.start) fields.set('start', start)
  if (JSON.stringify(tools) !== JSON.stringify(known.tools))
    fields.set('tools', tools === undefined ? '' : await packed(tools))
  if (cut.by !== 'recorded') fields.set('cut', `${cut.by}-${cut.by === 'random' ? cut.seed : cut.size}`)
  if (at !== undefined) fields.set('at', String(at))
  const link = fields.toString()
  return link.length > LONGEST_LINK ? undefined : link
}

/** How one's own text is read if nothing else is said. */
const OWN: Omit<Sample, 'text'> = { form: 'text', dialect: 'auto', start: 'text' }

/** The state of a link; undefined if it has none, or if it is damaged. */
export async function readLink(link: string, presetNamed: PresetNamed): Promise<PageState | undefined> {
  const fields = new URLSearchParams(link.replace(/^#/, ''))
  try {
    const sample = await sampleIn(fields, presetNamed)
    if (sample === undefined) return undefined
    const at = fields.get('at')
    return {
      sample,
      cut: cutIn(fields.get('cut')),
      ...(at !== null && /^\d{1,9}$/.test(at) && { at: Number(at) }),
    }
  } catch {
    return undefined
  }
}

async function sampleIn(fields: URLSearchParams, presetNamed: PresetNamed): Promise<Sample | undefined> {
  const names = ['preset', 'text', 'template', 'tools', 'chunks']
  const [preset, text, template, tools, chunks] = names.map((name) => fields.get(name))
  const known = preset
    ? await presetNamed(preset)
    : text
      ? { ...OWN, text: String(await unpacked(text)) }
      : undefined
  if (known === undefined) return undefined
  return {
    ...known,
    form: fields.get('form') ?? known.form,
    dialect: fields.get('dialect') ?? known.dialect,
    ...(template && { template: String(await unpacked(template)) }),
    start: (fields.get('start') ?? known.start) === 'reasoning' ? 'reasoning' : 'text',
    tools: tools ? await unpacked(tools) : tools === '' ? undefined : known.tools,
    ...(chunks && { chunks: chunksIn(await unpacked(chunks), known.text.length) }),
  }
}

/** Chunks that follow each other up to the end of the text; throws if they are something else. */
function chunksIn(value: unknown, length: number): SampleChunk[] {
  const chunks = (value as [number, number][]).map(([to, at]) => ({ to, at }))
  const areInOrder = chunks.every(({ to, at }, index) => {
    const { to: from, at: before } = chunks[index - 1] ?? { to: 0, at: 0 }
    return Number.isInteger(to) && to > from && at >= before
  })
  if (!areInOrder || (chunks.at(-1)?.to ?? 0) !== length) throw new Error('These are no chunks of the text.')
  return chunks
}

function cutIn(text: string | null): Cut {
  const [, by, number] = /^(characters|bytes|random)-(\d{1,9})$/.exec(text ?? '') ?? []
  if (by === undefined) return { by: 'recorded' }
  if (by === 'random') return { by, seed: Number(number) }
  return { by: by as 'characters' | 'bytes', size: Math.max(1, Number(number)) }
}

// ── packed text ──────────────────────────────────────────────────────────────────────────────────

/** JSON, because UTF-8 has no half of a surrogate pair. */
async function packed(value: unknown): Promise<string> {
  const json = new TextEncoder().encode(JSON.stringify(value))
  const bytes = await through(json, new CompressionStream('deflate-raw'))
  return toBase64(bytes).replaceAll('+', '-').replaceAll('/', '_').replace(/=+$/, '')
}

async function unpacked(text: string): Promise<unknown> {
  const bytes = fromBase64(text.replaceAll('-', '+').replaceAll('_', '/')) ?? new Uint8Array()
  return JSON.parse(new TextDecoder().decode(await through(bytes, new DecompressionStream('deflate-raw'))))
}

/** The most that a link unpacks to: a few kilobytes could become gigabytes. */
const MOST_BYTES = 16_000_000

async function through(
  bytes: Uint8Array,
  transform: CompressionStream | DecompressionStream,
): Promise<Uint8Array> {
  let left = MOST_BYTES
  const limit = new TransformStream<Uint8Array, Uint8Array>({
    transform(chunk, controller) {
      left -= chunk.length
      if (left < 0) controller.error(new Error('It is too long.'))
      else controller.enqueue(chunk)
    },
  })
  const source = new Blob([bytes as Uint8Array<ArrayBuffer>]).stream()
  const stream = source.pipeThrough(transform as unknown as ReadableWritablePair<Uint8Array, Uint8Array>)
  return new Uint8Array(await new Response(stream.pipeThrough(limit)).arrayBuffer())
}
