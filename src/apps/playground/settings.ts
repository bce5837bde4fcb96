/** What is looked at, and how it is read and cut: everything that a link holds. */

/** What the wire text is: what a model wrote, any provider's stream, that of one provider, or recorded events. */
export type Form = 'text' | 'provider' | 'events' | (string & {})

/** How the text is cut into chunks. */
export type Cut =
  | { readonly by: 'recorded' }
  | { readonly by: 'characters' | 'bytes'; readonly size: number }
  | { readonly by: 'random'; readonly seed: number }

/** The dialect that is found in a chat template. */
export const CHAT_TEMPLATE = 'chat-template'

export interface Settings {
  readonly form: Form
  /** The name of a dialect; `auto`: it is detected; `chat-template`: that of `template`. */
  readonly dialect: string
  /** A chat template, or a file that holds one. */
  readonly template?: string
  /** Tools as the parser takes them. */
  readonly tools?: unknown
  readonly start: 'text' | 'reasoning'
}

/** A stream to look at. */
export interface Sample extends Settings {
  /** A preset, by its name; absent for the user's own text. */
  readonly preset?: string
  readonly text: string
  /** Where chunks end, in characters, and when they came; absent if only the text is known. */
  readonly chunks?: readonly SampleChunk[]
}

export interface SampleChunk {
  /** The position behind it. */
  readonly to: number
  /** Milliseconds since the start. */
  readonly at: number
}
