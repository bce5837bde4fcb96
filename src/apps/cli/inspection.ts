/** What can be said about a recording: when what came, what was held back and for how long, and the verdicts. */

import type { CallError, Diagnostic, FinishReason, Repair, SluiceEvent, Usage } from '../../base/event.ts'
import { ChunkDecoder } from '../../base/source.ts'
import { detect } from '../../dialects/index.ts'
import { withArguments } from '../../engine/calls/with-arguments.ts'
import { createSinkParser, type ParserOptions, restoreSinkParser } from '../../engine/parser.ts'
import type { Recording } from '../../runs/recording/index.ts'
import { isProvidersStart } from './stream-reading.ts'

export interface Inspection {
  readonly kind: Recording['kind']
  readonly form: string
  readonly chunks: readonly number[]
  readonly bytes: number
  readonly duration: number
  readonly end?: { readonly reason: string; readonly error?: string }
  /** Milliseconds from the start to the first of each. */
  readonly first: { [what in 'chunk' | 'reasoning' | 'text' | 'name' | 'argument']?: number }
  readonly spans: readonly InspectedSpan[]
  readonly calls: readonly InspectedCall[]
  readonly heldBack: HeldBack
  readonly diagnostics: readonly { readonly at: number; readonly code: string; readonly message: string }[]
  readonly finish?: { readonly reason: FinishReason; readonly usage?: Usage }
  readonly error?: string
}

export interface InspectedSpan {
  readonly kind: 'text' | 'reasoning'
  from: number
  to: number
  characters: number
}

export interface InspectedCall {
  readonly id: string
  readonly toolName: string
  /** When its name was known. */
  readonly from: number
  /** When its verdict came. */
  to: number
  readonly arguments: InspectedArgument[]
  status: string
  repairs: readonly Repair[]
  error?: CallError
}

export interface InspectedArgument {
  readonly key: string
  readonly from: number
  to: number
  characters: number
  isComplete: boolean
}

/** Text that had come and was not shown yet, because it could still become markup. */
export interface HeldBack {
  mostCharacters: number
  longestMs: number
  totalMs: number
  /** How often something was held back. */
  times: number
}

export async function inspectRecording(
  recording: Recording,
  options: ParserOptions,
  provider: string | undefined,
  onProgress: (share: number) => void,
): Promise<Inspection> {
  const timeline = new Timeline()
  const add = withArguments((event) => timeline.add(event))
  const reader = await readerOf(recording, options, provider, add)
  let bytes = 0
  for (const [index, { at, chunk }] of recording.chunks.entries()) {
    timeline.at = at
    timeline.first.chunk ??= at
    bytes += sizeOf(chunk)
    reader.push(chunk)
    // A call holds back no text, and its state may be long.
    timeline.hold(timeline.isInCall ? 0 : reader.heldBack())
    if (index % 64 === 0) onProgress(index / recording.chunks.length)
  }
  const { end } = recording
  const duration = end?.at ?? recording.chunks.at(-1)?.at ?? 0
  timeline.at = duration
  reader.end()
  timeline.hold(0)
  return {
    kind: recording.kind,
    form: reader.form,
    chunks: recording.chunks.map(({ at }) => at),
    bytes,
    duration,
    ...(end && { end: { reason: end.reason, ...(end.error !== undefined && { error: end.error }) } }),
    ...timeline.told(),
  }
}

class Timeline {
  at = 0
  readonly first: Inspection['first'] = {}
  private readonly spans: InspectedSpan[] = []
  private readonly open = new Map<string, InspectedSpan>()
  private readonly calls: InspectedCall[] = []
  private readonly growing = new Map<string, InspectedCall>()
  private readonly diagnostics: { at: number; code: Diagnostic['code']; message: string }[] = []
  private readonly heldBack: HeldBack = { mostCharacters: 0, longestMs: 0, totalMs: 0, times: 0 }
  private heldSince: number | null = null
  private ended: Pick<Inspection, 'finish' | 'error'> = {}

  get isInCall(): boolean {
    return this.growing.size > 0
  }

  add(event: SluiceEvent): void {
    const { at } = this
    switch (event.type) {
      case 'text-delta':
      case 'reasoning-delta': {
        const kind = event.type === 'text-delta' ? 'text' : 'reasoning'
        this.first[kind] ??= at
        const key = `${kind} ${event.id}`
        let span = this.open.get(key)
        if (span === undefined) {
          span = { kind, from: at, to: at, characters: 0 }
          this.open.set(key, span)
          this.spans.push(span)
        }
        span.to = at
        span.characters += event.delta.length
        break
      }
      case 'tool-input-start':
        this.first.name ??= at
        this.callOf(event)
        break
      case 'argument-start':
      case 'argument-delta':
      case 'argument-end':
        if (event.path.length === 1) this.argument(event, String(event.path[0]))
        break
      case 'tool-call': {
        const call = this.callOf(event)
        call.to = at
        call.status = event.status
        call.repairs = event.repairs
        if (event.error !== undefined) call.error = event.error
        this.growing.delete(event.id)
        break
      }
      case 'diagnostic':
        this.diagnostics.push({ at, code: event.code, message: event.message })
        break
      case 'error':
        this.ended = { ...this.ended, error: event.error.message }
        break
      case 'finish':
        this.ended = {
          ...this.ended,
          finish: { reason: event.reason, ...(event.usage && { usage: event.usage }) },
        }
        break
    }
  }

  private callOf({ id, toolName }: { readonly id: string; readonly toolName: string }): InspectedCall {
    const known = this.growing.get(id)
    if (known !== undefined) return known
    const call = { id, toolName, from: this.at, to: this.at, arguments: [], status: '', repairs: [] }
    this.calls.push(call)
    this.growing.set(id, call)
    return call
  }

  private argument(event: SluiceEvent & { type: `argument-${string}` }, key: string): void {
    const call = this.growing.get(event.id)
    if (call === undefined) return
    let argument = call.arguments.at(-1)
    if (argument?.key !== key || event.type === 'argument-start') {
      this.first.argument ??= this.at
      argument = { key, from: this.at, to: this.at, characters: 0, isComplete: false }
      call.arguments.push(argument)
    }
    argument.to = this.at
    if (event.type === 'argument-delta') argument.characters += event.delta.length
    if (event.type !== 'argument-end') return
    argument.isComplete = true
    argument.characters = Math.max(argument.characters, JSON.stringify(event.value)?.length ?? 0)
    if (typeof event.value === 'string') argument.characters = event.value.length
  }

  hold(characters: number): void {
    const { heldBack } = this
    heldBack.mostCharacters = Math.max(heldBack.mostCharacters, characters)
    if (characters > 0 && this.heldSince === null) {
      this.heldSince = this.at
      heldBack.times++
    } else if (characters === 0 && this.heldSince !== null) {
      const held = this.at - this.heldSince
      heldBack.longestMs = Math.max(heldBack.longestMs, held)
      heldBack.totalMs += held
      this.heldSince = null
    }
  }

  told(): Omit<Inspection, 'kind' | 'form' | 'chunks' | 'bytes' | 'duration' | 'end'> {
    const { first, spans, calls, heldBack, diagnostics, ended } = this
    return { first, spans, calls, heldBack, diagnostics, ...ended }
  }
}

// ── the parsers, chunk by chunk ──────────────────────────────────────────────────────────────────

interface ChunkReader {
  readonly form: string
  push(chunk: unknown): void
  end(): void
  /** Characters of text that would come out if the stream ended here. */
  heldBack(): number
}

async function readerOf(
  recording: Recording,
  options: ParserOptions,
  provider: string | undefined,
  add: (event: SluiceEvent) => void,
): Promise<ChunkReader> {
  if (recording.kind === 'events')
    return {
      form: 'events',
      push: (event) => add(event as SluiceEvent),
      end() {},
      heldBack: () => 0,
    }
  const decoder = new ChunkDecoder()
  const start = recording.chunks
    .slice(0, 16)
    .map(({ chunk }) => decoder.text(chunk))
    .join('')
  const all = { ...options, emit: { json: false, arguments: true } }
  return provider !== undefined || isProvidersStart(start.trimStart())
    ? providerReader(provider ?? 'auto', all, add)
    : textReader({ dialect: detect(), ...all }, add)
}

function textReader(options: ParserOptions, add: (event: SluiceEvent) => void): ChunkReader {
  const decoder = new ChunkDecoder()
  const parser = createSinkParser(add, options)
  return {
    form: 'text',
    push: (chunk) => parser.push(decoder.text(chunk)),
    end: () => {
      parser.push(decoder.end())
      parser.end()
    },
    heldBack: () => lengthOf((sink) => restoreSinkParser(parser.snapshot(), sink, options).end()),
  }
}

async function providerReader(
  name: string,
  options: ParserOptions,
  add: (event: SluiceEvent) => void,
): Promise<ChunkReader> {
  const { createProviderParser, providerOption, tellingProvider } = await import('./providers.ts')
  const { restoreProviderParser } = await import('../../providers/provider-parser.ts')
  let found: string | undefined
  const provider = tellingProvider(providerOption(name), (one) => {
    found = one
  })
  const all = { ...options, provider }
  const parser = createProviderParser(add, all)
  return {
    get form() {
      return found === undefined ? 'the stream of an unknown provider' : `provider ${found}`
    },
    push: (chunk) => parser.push(chunk as Uint8Array),
    end: () => parser.end(),
    heldBack: () => lengthOf((sink) => restoreProviderParser(parser.snapshot(), sink, all).end()),
  }
}

function lengthOf(end: (sink: (event: SluiceEvent) => void) => void): number {
  let length = 0
  end((event) => {
    if (event.type === 'text-delta') length += event.delta.length
  })
  return length
}

function sizeOf(chunk: unknown): number {
  if (typeof chunk === 'string') return Buffer.byteLength(chunk)
  return chunk instanceof Uint8Array ? chunk.length : Buffer.byteLength(JSON.stringify(chunk))
}
