/**
 * Parts of a model in, parts with its calls out. Streams and whole responses both go through here, so that both
 * say the same: a whole response is a stream in one piece.
 */

import { createSinkParser, type ParserOptions, type SinkParser } from '../../parser.ts'
import type { FailureChoice, FailureClass, OnError } from './failures.ts'
import { callMarkers } from './markers.ts'
import { type FinishReasonLike, type PartLike, type SaidPart, type TextLikePart, withCalls } from './parts.ts'
import { UnreadCalls } from './unread-calls.ts'
import { PartsView } from './view.ts'

export interface TranslatorSettings {
  readonly parser: ParserOptions
  readonly choices: Readonly<Record<FailureClass, FailureChoice>>
  readonly onError?: OnError | undefined
  readonly generateId: () => string
  readonly takenIds: ReadonlySet<string>
  /** Whether calls are said while they grow. */
  readonly isLive: boolean
  /** What the caller is warned of, in the major's own form. */
  readonly warnings: readonly object[]
}

/** Parts that say something about the stream and nothing of the response. */
const ASIDES: ReadonlySet<string> = new Set(['stream-start', 'response-metadata', 'raw', 'ping', 'error'])
/** Parts that may come while text is written, and do not end it. */
const AMID_TEXT: ReadonlySet<string> = new Set([
  'source',
  'reasoning-start',
  'reasoning-delta',
  'reasoning-end',
])

export class PartTranslator {
  private readonly pass: (part: PartLike) => void
  private readonly parser: SinkParser
  private readonly view: PartsView
  private readonly unread: UnreadCalls | null
  private warnings: readonly object[]
  /** The provider's own block of text is open. */
  private isInText = false
  private hasEnded = false

  /** Takes what is said here, and what only passes; both in their order. */
  constructor(
    settings: TranslatorSettings,
    say: (part: SaidPart) => void,
    pass: (part: PartLike) => void = say as (part: PartLike) => void,
  ) {
    this.pass = pass
    this.warnings = settings.warnings
    let ids = 0
    const newId = (kind: string): string =>
      kind === 'call' ? settings.generateId() : `sluice-${kind}-${++ids}`
    const { onError } = settings
    const markers = callMarkers(settings.parser)
    const view = new PartsView({ ...settings, onError, newId, say, markers })
    this.view = view
    const unread = onError === undefined ? null : new UnreadCalls(markers, onError)
    this.unread = unread
    this.parser = createSinkParser(
      (event) => {
        view.add(event)
        unread?.add(event)
      },
      // The view joins texts of the parser into blocks of its own, so theirs need no ids; and it keeps the input as
      // the JSON text it is, so nobody needs the value.
      {
        ...settings.parser,
        generateId: (kind) => (kind === 'text' ? kind : newId(kind)),
        malformed: 'keep',
        emit: { json: true, raw: true, input: false },
      },
    )
  }

  add(part: PartLike): void {
    if (this.warnings.length > 0) part = this.warn(part)
    if (this.hasEnded) this.pass(part)
    else if (part.type === 'text-delta') {
      this.isInText = true
      this.parser.push((part as TextLikePart).delta ?? '')
    } else if (part.type === 'text-start') this.beginText(part as TextLikePart)
    else if (part.type === 'text-end') this.endText(part as TextLikePart)
    else if (part.type === 'finish') {
      this.end()
      const { finishReason } = part as PartLike & { readonly finishReason: FinishReasonLike }
      this.pass({ ...part, finishReason: this.reason(finishReason) } as PartLike)
    } else {
      const isAside = ASIDES.has(part.type) || (this.isInText && AMID_TEXT.has(part.type))
      if (!isAside) this.interrupt()
      this.pass(part)
    }
  }

  /** Nothing more comes, whether it was finished or not: what was held back is said. */
  end(): void {
    if (this.hasEnded) return
    this.hasEnded = true
    this.parser.end()
    this.view.closeText()
    this.unread?.end()
  }

  /** Whether there was a call so far. */
  get hasCalls(): boolean {
    return this.view.calls > 0
  }

  /** Why the model stopped, now that its calls are known. */
  reason<Reason extends FinishReasonLike>(reason: Reason): Reason {
    return this.hasCalls ? withCalls(reason) : reason
  }

  private beginText(part: TextLikePart): void {
    this.isInText = true
    if (part.providerMetadata === undefined) return
    this.interrupt()
    this.view.nextMetadata = part.providerMetadata
  }

  private endText({ providerMetadata, citations }: TextLikePart): void {
    this.isInText = false
    if (providerMetadata === undefined && citations === undefined) return
    this.parser.interrupt()
    this.view.closeText({
      ...(providerMetadata !== undefined && { providerMetadata }),
      ...(citations !== undefined && { citations }),
    })
  }

  private interrupt(): void {
    this.parser.interrupt()
    this.view.closeText()
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
