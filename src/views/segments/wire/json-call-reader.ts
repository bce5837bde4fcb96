/**
 * The engine's reader of a call object, for text that nothing marks: it looks twice where the tools are not known.
 *
 *     {"name": "Bob", "age": 3}          text
 *     {"name": "ls", "args": {}}         a call, as soon as the key of its arguments is seen
 */

import type { Call } from '../../../calls/call.ts'
import type { CallObjectKeys } from '../../../wire/json.ts'
import type { Reader, ReaderType } from '../../../wire/reader.ts'
import { hinted } from '../hints.ts'

/** The tool's name is in the content, which is the JSON itself. */
const METADATA = hinted({ toolName: null })

export function jsonCallType(type: ReaderType, keys: CallObjectKeys | undefined): ReaderType {
  return {
    ...type,
    create: (settings) =>
      new JsonCallReader(type.create(settings), keys === undefined ? null : new Likeness(keys)),
    restore(saved, settings) {
      const { inner, likeness } = saved as Saved
      const reader = new JsonCallReader(type.restore(inner, settings), null)
      return likeness === null || keys === undefined
        ? reader
        : new JsonCallReader(type.create(settings), Object.assign(new Likeness(keys), likeness))
    },
  }
}

interface Saved {
  readonly inner: unknown
  readonly likeness: LikenessState | null
}

class JsonCallReader implements Reader {
  status: Reader['status'] = 'open'
  private readonly inner: Reader
  private likeness: Likeness | null

  constructor(inner: Reader, likeness: Likeness | null) {
    this.inner = inner
    this.likeness = likeness
  }

  read(text: string, from: number, to: number, call: Call): number {
    call.metadata ??= METADATA
    let at = from
    if (this.likeness !== null) {
      while (at < to && this.likeness.answer === undefined) this.likeness.take(text[at++]!)
      const { answer, seen } = this.likeness
      if (answer === undefined) return at
      if (!answer) {
        this.status = 'failed'
        return at - 1
      }
      this.likeness = null
      this.inner.read(seen, 0, seen.length, call)
      this.status = this.inner.status
    }
    if (this.status === 'open' && at < to) {
      at = this.inner.read(text, at, to, call)
      this.status = this.inner.status
    }
    return at
  }

  end(call: Call): void {
    this.inner.end(call)
    this.status = this.inner.status
  }

  completion(): string {
    return this.inner.completion?.() ?? ''
  }

  save(): Saved {
    return { inner: this.inner.save(), likeness: this.likeness?.save() ?? null }
  }
}

type Place = 'brace' | 'key' | 'in-key' | 'colon' | 'value' | 'in-text' | 'escape' | 'comma'

interface LikenessState {
  readonly place: Place
  readonly seen: string
  readonly key: string
  readonly quote: string
  readonly isNamed: boolean
}

/** Whether an object looks like a call: behind a name that stands in it, its arguments must follow. */
class Likeness {
  answer: boolean | undefined
  seen = ''
  private readonly keys: CallObjectKeys
  private place: Place = 'brace'
  private key = ''
  private quote = ''
  private isNamed = false

  constructor(keys: CallObjectKeys) {
    this.keys = keys
  }

  take(character: string): void {
    this.seen += character
    const isSpace = character.trim() === ''
    switch (this.place) {
      //   |{"name"
      case 'brace':
        this.place = 'key'
        break
      //   {|"name"
      case 'key':
        if (isSpace) break
        this.key = ''
        this.quote = character
        this.place = 'in-key'
        if (character !== '"' && character !== "'") this.answer = false
        break
      //   {"na|me"
      case 'in-key':
        if (character === this.quote) this.gotKey()
        else {
          this.key += character
          if (!this.isPossible()) this.answer = false
        }
        break
      //   {"name"|: "ls"
      case 'colon':
        if (character === ':') this.place = 'value'
        else if (!isSpace) this.answer = false
        break
      //   {"name": |"ls"
      case 'value':
        if (!isSpace) this.beginValue(character)
        break
      //   {"name": "l|s"
      case 'in-text':
        if (character === '\\') this.place = 'escape'
        else if (character === this.quote) this.place = 'comma'
        break
      case 'escape':
        this.place = 'in-text'
        break
      //   {"name": "ls"|, "args"
      case 'comma':
        if (character === ',') this.place = 'key'
        else if (!isSpace) this.answer = false
        break
    }
  }

  private isPossible(): boolean {
    const { name, arguments: args, within = [], ignore = [] } = this.keys
    const possible = this.isNamed ? args : [...name, ...args, ...within, ...ignore]
    return possible.some((key) => key.startsWith(this.key))
  }

  private gotKey(): void {
    const { arguments: args } = this.keys
    this.place = 'colon'
    if (args.includes(this.key)) this.answer = true
    else if (this.isNamed) this.answer = false
  }

  private beginValue(character: string): void {
    const { name, within = [] } = this.keys
    if (character === '"' || character === "'") {
      this.quote = character
      this.place = 'in-text'
      this.isNamed = name.includes(this.key)
    } else this.answer = character === '{' && within.includes(this.key)
  }

  save(): LikenessState {
    const { place, seen, key, quote, isNamed } = this
    return { place, seen, key, quote, isNamed }
  }
}
