/**
 * What looks at the raw text of a value while it passes. Text up to a closing marker has no escapes, so the markers of
 * calls in it may be data, or the end of the value that was meant:
 *
 *     <parameter name="text">Write <invoke name="rm"> to delete it.</parameter>
 */

/** The marker before a value, and those that close it. */
export interface OwnOpener {
  readonly forms: readonly string[]
  readonly closers: readonly string[]
  /** An opening tag, which may close itself. The forms go up to the character behind its name. */
  readonly isTag: boolean
  /** It opens reasoning or a result, in which no other marker counts. */
  readonly isSpeech: boolean
}

export interface WatchedText {
  /** The value begins behind this marker, and a second one would nest another value in it. */
  readonly opener?: OwnOpener | undefined
  /** How the tag of the element begins whose text this is: `<city`. */
  readonly element?: string
  /** A CDATA section in it is one: what closes the value inside of it was not meant to. */
  readonly isXml?: boolean
}

export interface ValueWatch {
  begin(text: WatchedText): void
  /** The next piece, before entities are decoded. */
  read(piece: string): void
  /** The next piece of a CDATA section, in which only the beginning of another counts: its own end may be missing. */
  readSection(piece: string): void
  end(): void
  /** The characters that a marker may begin with. */
  readonly starts: readonly number[]
  /** Whether a marker may begin at an index of a text and go on behind it. */
  mayBeginAt(text: string, at: number): boolean
  /** No marker has begun, so that text without one of `starts` need not be read. */
  readonly isIdle: boolean
}
