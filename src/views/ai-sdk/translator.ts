/**
 * Parts of a model in, parts with its calls out. Streams and whole responses both go through here, so that both
 * give the same: a whole response is a stream in one piece.
 */

import type { FinishReason } from '../../base/event.ts'
import { Ids } from '../../base/ids.ts'
import type { ParserOptions } from '../../engine/parser.ts'
import type { FailureChoice, FailureClass, OnError } from './failures.ts'
import {
  type EmittedPart,
  type FinishReasonLike,
  type PartLike,
  type TextLikePart,
  withCalls,
} from './parts.ts'
import { TextReader } from './text-reader.ts'

export interface TranslatorSettings {
  readonly parser: ParserOptions
  readonly choices: Readonly<Record<FailureClass, FailureChoice>>
  readonly onError: OnError | undefined
  readonly generateId: () => string
  readonly takenIds: Set<string>
  /** Whether calls are emitted while they grow. */
  readonly isLive: boolean
  /** No other tool may be called than those of the parser. */
  readonly isChoice?: boolean
  /** Tools that the AI SDK has and the model is not told of. */
  readonly hiddenTools?: ReadonlySet<string>
  /** What the caller is warned of, in the major's own form. */
  readonly warnings: readonly object[]
}

/** Parts that are about the stream and not about the response. */
const ASIDES: ReadonlySet<string> = new Set(['stream-start', 'response-metadata', 'raw', 'ping', 'error'])
/** Parts that may come while text is written, and do not end it. */
const AMID_TEXT: ReadonlySet<string> = new Set([
  'source',
  'reasoning-start',
  'reasoning-delta',
  'reasoning-end',
])

/** Parts of a call that the provider sends by itself. */
const CALLS: ReadonlySet<string> = new Set([
  'tool-input-start',
  'tool-input-delta',
  'tool-input-end',
  'tool-call',
])

/** Reasons that mean the same here as in the AI SDK. All others leave open whether the model stopped by itself. */
const REASONS: readonly FinishReason[] = ['stop', 'tool-calls', 'length', 'content-filter', 'error']

export class PartTranslator {
  private readonly pass: (part: PartLike) => void
  private readonly openText: () => TextReader
  /** Blocks of text that come one after the other are one text. */
  private readonly text: TextReader
  /** A block that begins while another is open is a text of its own, by the provider's id of it. */
  private readonly beside = new Map<string, TextReader>()
  /** The provider's id of the block that is open. */
  private block: string | null = null
  /** There were calls in texts that are over. */
  private hadCalls = false
  private warnings: readonly object[]

  /** Takes what is emitted here, and what only passes; both in their order. */
  constructor(
    settings: TranslatorSettings,
    emit: (part: EmittedPart) => void,
    pass: (part: PartLike) => void = emit as (part: PartLike) => void,
  ) {
    this.pass = pass
    this.warnings = settings.warnings
    let count = 0
    const reading = {
      ...settings,
      ids: new Ids(settings.generateId, { count: 0, taken: settings.takenIds }),
      newId: (kind: string): string =>
        kind === 'call' ? settings.generateId() : `sluice-${kind}-${++count}`,
      emit,
    }
    this.openText = () => new TextReader(reading)
    this.text = this.openText()
  }

  add(part: PartLike): void {
    if (this.warnings.length > 0) part = this.warn(part)
    switch (part.type) {
      case 'text-start':
        this.beginText(part as TextLikePart)
        break
      case 'text-delta':
        this.readText(part as TextLikePart)
        break
      case 'text-end':
        this.endText(part as TextLikePart)
        break
      case 'finish': {
        const { finishReason } = part as PartLike & { readonly finishReason: FinishReasonLike }
        this.end(finishReason)
        this.pass({ ...part, finishReason: this.reason(finishReason) } as PartLike)
        break
      }
      default: {
        const isInText = this.block !== null || this.beside.size > 0
        if (!ASIDES.has(part.type) && !(isInText && AMID_TEXT.has(part.type)))
          for (const text of this.texts()) text.interrupt(CALLS.has(part.type) ? 'call' : 'other')
        this.pass(part)
      }
    }
  }

  /** Nothing more comes, whether it was finished or not: what was held back is emitted. */
  end(reason?: FinishReasonLike): void {
    const word = typeof reason === 'string' ? reason : reason?.unified
    for (const text of this.texts()) text.end(REASONS.find((known) => known === word) ?? 'aborted')
  }

  /** Whether there was a call so far. */
  get hasCalls(): boolean {
    return this.hadCalls || this.texts().some((text) => text.hasCalls)
  }

  /** Why the model stopped, now that its calls are known. */
  reason<Reason extends FinishReasonLike>(reason: Reason): Reason {
    return this.hasCalls ? withCalls(reason) : reason
  }

  // ── text ───────────────────────────────────────────────────────────────────────────────────────

  private texts(): TextReader[] {
    return [this.text, ...this.beside.values()]
  }

  private textOf(id: string): TextReader {
    return this.beside.get(id) ?? this.text
  }

  private beginText({ id, providerMetadata }: TextLikePart): void {
    if (this.block === null) this.block = id
    else if (this.block !== id && !this.beside.has(id)) this.beside.set(id, this.openText())
    if (providerMetadata === undefined) return
    const text = this.textOf(id)
    text.interrupt('call')
    text.attach(providerMetadata)
  }

  private readText({ id, delta, providerMetadata }: TextLikePart): void {
    this.block ??= id
    // Hardly ever is there more than one.
    const text = this.beside.size === 0 ? this.text : this.textOf(id)
    text.push(delta ?? '', providerMetadata)
  }

  private endText({ id, providerMetadata, citations }: TextLikePart): void {
    const text = this.textOf(id)
    if (providerMetadata !== undefined || citations !== undefined)
      text.interrupt('call', {
        ...(providerMetadata !== undefined && { providerMetadata }),
        ...(citations !== undefined && { citations }),
      })
    text.attach(undefined)
    if (this.beside.delete(id)) {
      // Another text goes on beside it.
      text.end('aborted')
      this.hadCalls ||= text.hasCalls
    } else this.block = null
  }

  /** Warnings stand on the first part of a stream; one that begins without it gets one. */
  private warn(part: PartLike): PartLike {
    const own = this.warnings
    this.warnings = []
    if (part.type !== 'stream-start') {
      this.pass({ type: 'stream-start', warnings: own } as PartLike)
      return part
    }
    const { warnings = [] } = part as { readonly warnings?: readonly object[] }
    return { ...part, warnings: [...warnings, ...own] } as PartLike
  }
}
